// What waits for a page, without sockets.
#include "web/topics.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace faultline::web {
namespace {

std::vector<std::string> all_of(Topics& topics) {
  std::vector<std::string> messages;
  while (const auto message = topics.next())
    messages.push_back(*message);
  return messages;
}

ReportJson rows(int from, int count) {
  ReportJson report{{"from", from}};
  report["rows"] = ReportJson::array();
  for (int row = from; row < from + count; ++row)
    report["rows"].push_back({{"step", row}});
  return report;
}

TEST(Topics, KeepTheLatestReport) {
  Topics topics;
  EXPECT_FALSE(topics.next());
  for (int i = 1; i <= 3; ++i)
    topics.publish("analysis", {{"nodes", i}});
  EXPECT_EQ(all_of(topics),
            (std::vector<std::string>{R"({"t":"analysis","v":1,"report":{"nodes":3}})"}));
  topics.publish("analysis", {{"nodes", 4}});
  EXPECT_EQ(all_of(topics),
            (std::vector<std::string>{R"({"t":"analysis","v":2,"report":{"nodes":4}})"}));
}

TEST(Topics, ATopicThatIsAlwaysNewHoldsUpNoOther) {
  Topics topics;
  topics.publish("analysis", 1);
  topics.publish("review", 2);
  topics.publish("analysis", 3);
  EXPECT_EQ(all_of(topics), (std::vector<std::string>{R"({"t":"analysis","v":1,"report":3})",
                                                      R"({"t":"review","v":2,"report":2})"}));
  topics.publish("analysis", 4);
  topics.publish("review", 5);
  EXPECT_EQ(topics.next(), R"({"t":"analysis","v":3,"report":4})");
  topics.publish("analysis", 6);
  EXPECT_EQ(topics.next(), R"({"t":"review","v":4,"report":5})");
}

TEST(Topics, RepliesGoFirstAndInOrder) {
  Topics topics;
  topics.publish("analysis", 1);
  topics.reply("one");
  topics.reply("two");
  EXPECT_EQ(all_of(topics),
            (std::vector<std::string>{"one", "two", R"({"t":"analysis","v":1,"report":1})"}));
}

TEST(Topics, RowsOfARunAreNeverLost) {
  Topics topics;
  topics.publish("run:a", rows(0, 2));
  topics.publish("run:a", rows(2, 1));
  topics.publish("run:a", rows(3, 2));
  EXPECT_EQ(topics.next(), R"({"t":"run:a","v":1,"report":)" + rows(0, 5).dump() + "}");
  topics.publish("run:a", rows(5, 1));
  topics.publish("run:a", rows(0, 3));  // the run began anew
  EXPECT_EQ(topics.next(), R"({"t":"run:a","v":2,"report":)" + rows(0, 3).dump() + "}");
  topics.publish("run:a", "no rows");
  topics.publish("run:a", rows(3, 1));
  EXPECT_EQ(topics.next(), R"({"t":"run:a","v":3,"report":)" + rows(3, 1).dump() + "}");
}

TEST(Topics, SayWhenAPageReadsTooLittle) {
  Topics topics;
  const std::string half(Topics::kCongested / 2, 'x');
  topics.reply(half);
  EXPECT_FALSE(topics.congested());
  topics.reply(half);
  EXPECT_TRUE(topics.congested());
  topics.next();
  EXPECT_FALSE(topics.congested());
  EXPECT_FALSE(topics.overflowing());

  for (std::size_t i = 0; i < Topics::kMostReplies; ++i)
    topics.reply("");
  EXPECT_TRUE(topics.overflowing());
  all_of(topics);
  EXPECT_FALSE(topics.overflowing());
  topics.reply(std::string(Topics::kMostBytes + 1, 'x'));
  EXPECT_TRUE(topics.overflowing());
  all_of(topics);
  for (std::size_t i = 0; i <= Topics::kMostTopics; ++i)
    topics.publish("run:" + std::to_string(i), 0);
  EXPECT_TRUE(topics.overflowing());
}

TEST(Topics, BytesThatAreNoTextDoNoHarm) {
  Topics topics;
  topics.publish("run:\xff", "\xfe");
  EXPECT_EQ(topics.next(), "{\"t\":\"run:\xEF\xBF\xBD\",\"v\":1,\"report\":\"\xEF\xBF\xBD\"}");
}

}  // namespace
}  // namespace faultline::web
