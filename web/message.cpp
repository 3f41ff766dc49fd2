#include "web/message.h"

#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "base/json_text.h"
#include "base/quote.h"

namespace faultline::web {
namespace {

/// Refuses what a page never sends while it is being read.
class Limits {
 public:
  bool operator()(int depth, ReportJson::parse_event_t event, const ReportJson&) {
    if (depth > kDeepestMessage)
      throw std::length_error(
          fmt::format("the message is nested more than {} deep", kDeepestMessage));
    if (event == ReportJson::parse_event_t::key && ++keys_ > kMostKeys)
      throw std::length_error(fmt::format("the message has more than {} keys", kMostKeys));
    return true;
  }

 private:
  std::size_t keys_ = 0;
};

void read_object(ReportJson json, Message& message) {
  if (!json.is_object()) {
    message.wrong = fmt::format("a message is an object, not of type {}", json.type_name());
    return;
  }
  if (const auto id = json.find("id"); id != json.end() && id->is_number_integer())
    message.id = *id;
  else {
    message.wrong = "'id' is missing or no integer";
    message.field = "id";
  }
  if (const auto name = json.find("do"); name != json.end() && name->is_string())
    message.name = name->get<std::string>();
  else if (message.wrong.empty()) {
    message.wrong = "'do', the name of the request, is missing or no text";
    message.field = "do";
  }
  json.erase("id");
  json.erase("do");
  message.fields = std::move(json);
}

}  // namespace

Message read_message(std::string_view text) {
  Message message;
  try {
    read_object(ReportJson::parse(text, Limits()), message);
  } catch (const ReportJson::parse_error& error) {
    message.wrong = fmt::format("the message is not JSON, at byte {}", error.byte);
  } catch (const std::exception& error) {
    message.wrong = printable(error.what(), 200);
  }
  return message;
}

std::string reply_text(const ReportJson& id, ReportJson reply) {
  ReportJson message;
  message["id"] = id;
  message["ok"] = std::move(reply);
  return json_text(message);
}

std::string error_text(const ReportJson& id, const std::string& message, const std::string& field) {
  ReportJson reply;
  reply["id"] = id;
  reply["error"] = message;
  if (!field.empty()) reply["field"] = field;
  return json_text(reply);
}

}  // namespace faultline::web
