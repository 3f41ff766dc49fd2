// Messages of pages as text, right and wrong.
#include "web/message.h"

#include <string>

#include <gtest/gtest.h>

namespace faultline::web {
namespace {

std::string nested(int depth) {
  return R"({"id":1,"do":"position","deep":)" + std::string(static_cast<std::size_t>(depth), '[') +
         std::string(static_cast<std::size_t>(depth), ']') + "}";
}

std::string with_keys(std::size_t count) {
  std::string text = R"({"id":1,"do":"position")";
  for (std::size_t i = 0; i < count; ++i)
    text += ",\"" + std::to_string(i) + "\":0";
  return text + "}";
}

TEST(Message, HasIdNameAndFields) {
  const Message message =
      read_message(R"({"do":"position","id":7,"game":"escher","moves":["e2e4"]})");
  EXPECT_EQ(message.wrong, "");
  EXPECT_EQ(message.id, 7);
  EXPECT_EQ(message.name, "position");
  EXPECT_EQ(message.fields.dump(), R"({"game":"escher","moves":["e2e4"]})");
}

TEST(Message, ThatIsWrongSaysWhat) {
  EXPECT_EQ(read_message("").wrong, "the message is not JSON, at byte 1");
  EXPECT_EQ(read_message(R"({"id":7,)").wrong, "the message is not JSON, at byte 9");
  EXPECT_EQ(read_message("{\"id\":7,\"do\":\"\xff\"}").wrong,
            "the message is not JSON, at byte 15");
  EXPECT_EQ(read_message("[7]").wrong, "a message is an object, not of type array");
  EXPECT_EQ(read_message(R"({"do":"position"})").field, "id");
  EXPECT_EQ(read_message(R"({"id":"7","do":"position"})").field, "id");
  EXPECT_EQ(read_message(R"({"id":7.5,"do":"position"})").field, "id");
  EXPECT_EQ(read_message(R"({"id":7})").field, "do");
  EXPECT_EQ(read_message(R"({"id":7,"do":3})").id, 7) << "so that the page knows what failed";
  EXPECT_LT(read_message("{\"id\":1e" + std::string(100'000, '9') + "}").wrong.size(), 250U);
}

TEST(Message, IsNotNestedDeep) {
  EXPECT_EQ(read_message(nested(kDeepestMessage - 1)).wrong, "");
  EXPECT_EQ(read_message(nested(kDeepestMessage + 1)).wrong,
            "the message is nested more than 32 deep");
  EXPECT_EQ(read_message(nested(500'000)).wrong, "the message is nested more than 32 deep");
}

TEST(Message, HasFewKeys) {
  EXPECT_EQ(read_message(with_keys(4000)).wrong, "");
  EXPECT_EQ(read_message(with_keys(100'000)).wrong, "the message has more than 4096 keys");
}

TEST(Message, IsAnswered) {
  EXPECT_EQ(reply_text(7, {{"a", 1}}), R"({"id":7,"ok":{"a":1}})");
  EXPECT_EQ(error_text(7, "no", "fen"), R"({"id":7,"error":"no","field":"fen"})");
  EXPECT_EQ(error_text(nullptr, "no", ""), R"({"id":null,"error":"no"})");
}

}  // namespace
}  // namespace faultline::web
