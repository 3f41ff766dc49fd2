#include "tests/fuzz/messages.h"

#include <algorithm>
#include <string>

#include "base/json_text.h"
#include "tests/fuzz/texts.h"
#include "web/message.h"

namespace faultline::fuzz {
namespace {

void require(bool holds, const std::string& what) {
  if (!holds) throw BrokenProperty(what);
}

void require_answer(const web::Message& message) {
  const std::string text = web::error_text(message.id, message.wrong, message.field);
  const ReportJson answer = ReportJson::parse(text);
  require(answer.at("id") == message.id, "an answer has the message's id: " + text);
  require(answer.at("error") == message.wrong, "and says what is wrong: " + text);
}

}  // namespace

void check_message(std::string_view text) {
  const web::Message message = web::read_message(text);
  require(message.id.is_null() || message.id.is_number_integer(), "an id is an integer");
  if (!message.wrong.empty()) {
    require(message.wrong.size() <= 250, "messages are short");
    require(std::ranges::all_of(message.wrong, [](char c) { return c >= ' ' && c <= '~'; }),
            "messages are printable: " + message.wrong);
    require_answer(message);
    return;
  }
  require(!message.id.is_null(), "what is accepted has an id");
  require(!message.fields.contains("id") && !message.fields.contains("do"),
          "fields are the other keys");
  ReportJson again = message.fields;
  again["id"] = message.id;
  again["do"] = message.name;
  const web::Message same = web::read_message(json_text(again));
  require(same.wrong.empty() && same.id == message.id && same.name == message.name &&
              same.fields == message.fields,
          "a message reads back as itself");
}

std::vector<std::string_view> sample_messages() {
  return {
      R"({"id":1,"do":"games"})",
      R"({"id":7,"do":"position","game":"escher","fen":null,"moves":["e2e4","e7e5"]})",
      R"({"id":-3,"do":"analyse","game":"data:grand","moves":[],"player":"","key":"a","lines":3,"ms":100})",
      R"({"id":18446744073709551615,"do":"read","text":"1. e4 \"\\u00e9\ud83d\ude00\n"})",
      R"({"do":"setup","put":[12,"N"],"turn":"white","id":9,"x":1.5e3,"y":true})",
      R"({"id":1,"id":2,"do":"a","do":"b","a":{"a":{"a":[[[[]]]]}}})",
      R"({"id":1.5,"do":"games"})",
      R"([{"id":1}])",
      R"({"id":1,"do":)",
      "\"\xff\"",
      "1e999"};
}

}  // namespace faultline::fuzz
