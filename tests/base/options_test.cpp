// Declared settings: what is accepted, what is refused and with which message, JSON and former
// names.
#include "base/options.h"

#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace faultline {
namespace {

enum class Shape : std::uint8_t { Round, Square };

struct Settings {
  bool on = false;
  int count = 3;
  std::int64_t many = 4;
  float share = 0.5F;
  double rate = 1e-5;
  std::string text = "plain";
  Shape shape = Shape::Square;
  std::vector<std::int64_t> numbers = {4};
  std::vector<std::string> texts = {};
};

std::vector<Option> options(Settings& s) {
  return {{"on", &s.on, Anything{}, "A switch."},
          {"count", &s.count, Range{2, 64}, "A number.", {"number", "amount"}},
          {"many", &s.many, Range{0, kLargestWhole}, "A large number."},
          {"share", &s.share, Range{0.01, 0.7}, "A share."},
          {"rate", &s.rate, Anything{}, "A rate."},
          {"text", &s.text, Anything{}, "A text."},
          {"shape", EnumField(&s.shape), Choices{{"round", "square"}}, "A shape."},
          {"numbers", &s.numbers, Range{2, 64, true}, "Even numbers."},
          {"texts", &s.texts, Anything{}, "Texts."}};
}

/// The error of setting `key` to `value`, or "".
std::string refusal(Settings& settings, const std::string& key, const OptionValue& value) {
  for (const Option& option : options(settings)) {
    if (option.name != key) continue;
    try {
      assign(option, "box." + key, value, "THIS");
      return {};
    } catch (const OptionError& error) {
      return error.what();
    }
  }
  return "no such option";
}

TEST(Options, EveryKindOfFieldIsSetAndPrinted) {
  Settings s;
  EXPECT_EQ(refusal(s, "on", true), "");
  EXPECT_EQ(refusal(s, "count", std::int64_t{64}), "");
  EXPECT_EQ(refusal(s, "many", std::int64_t{9'000'000'000}), "");
  EXPECT_EQ(refusal(s, "share", 0.25), "");
  EXPECT_EQ(refusal(s, "rate", std::int64_t{2}), "");
  EXPECT_EQ(refusal(s, "text", "a \"b\"\n"), "");
  EXPECT_EQ(refusal(s, "shape", "round"), "");
  EXPECT_EQ(s.shape, Shape::Round);
  EXPECT_EQ(refusal(s, "numbers", std::vector<std::int64_t>{2, 64}), "");
  EXPECT_EQ(refusal(s, "texts", std::vector<std::string>{"a", "b"}), "");
  std::vector<std::string> texts;
  for (const Option& option : options(s))
    texts.push_back(value_text(option));
  EXPECT_EQ(texts,
            (std::vector<std::string>{"true", "64", "9000000000", "0.25", "2", "\"a \\\"b\\\"\\n\"",
                                      "\"round\"", "[2,64]", "[\"a\",\"b\"]"}));
}

TEST(Options, AValueThatIsNotAllowedIsRefusedAndChangesNothing) {
  Settings s;
  EXPECT_EQ(refusal(s, "on", std::int64_t{1}), "'box.on' is THIS, but must be true or false");
  const std::string count = "'box.count' is THIS, but must be a whole number, 2 to 64";
  for (const OptionValue& value : {OptionValue(std::int64_t{1}), OptionValue(std::int64_t{65}),
                                   OptionValue(3.0), OptionValue("3"), OptionValue(true)})
    EXPECT_EQ(refusal(s, "count", value), count);
  EXPECT_EQ(refusal(s, "count", std::int64_t{1} << 32), count);
  EXPECT_EQ(refusal(s, "many", std::int64_t{-1}),
            "'box.many' is THIS, but must be a whole number, at least 0");
  EXPECT_EQ(refusal(s, "share", std::numeric_limits<double>::quiet_NaN()),
            "'box.share' is THIS, but must be a number, 0.01 to 0.7");
  EXPECT_EQ(refusal(s, "text", 1.5), "'box.text' is THIS, but must be a text in quotes");
  EXPECT_EQ(refusal(s, "shape", "oval"), "'box.shape' is THIS, but must be one of: round, square");
  const std::string numbers =
      "'box.numbers' is THIS, but must be a list of whole numbers, even, 2 to 64";
  for (const OptionValue& value :
       {OptionValue(std::int64_t{4}), OptionValue(std::vector<std::int64_t>{4, 66}),
        OptionValue(std::vector<std::int64_t>{3}), OptionValue(std::vector<std::string>{"4"})})
    EXPECT_EQ(refusal(s, "numbers", value), numbers);
  EXPECT_EQ(refusal(s, "texts", "a"), "'box.texts' is THIS, but must be a list of texts in quotes");
  EXPECT_EQ(options_to_json(options(s)), [] {
    Settings untouched;
    return options_to_json(options(untouched));
  }());
}

TEST(Options, AFloatAtItsLimitIsAllowedAlthoughItIsRounded) {
  Settings s;
  for (const double limit : {0.01, 0.7}) {
    EXPECT_EQ(refusal(s, "share", limit), "");
    EXPECT_NO_THROW(check_options(options(s), "box")) << limit;
  }
}

TEST(Options, CheckingNamesTheFirstBadFieldByItsKey) {
  Settings s;
  EXPECT_NO_THROW(check_options(options(s), "box"));
  s.count = 65;
  s.share = 0;
  try {
    check_options(options(s), "box");
    FAIL() << "accepted";
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(), "'box.count' is 65, but must be a whole number, 2 to 64");
  }
}

TEST(Options, AConflictNamesBothKeysWithTheirValues) {
  Settings s;
  try {
    refuse_conflict(options(s), "box", {"many", "must not exceed", "count"});
  } catch (const OptionError& error) {
    EXPECT_STREQ(error.what(), "'box.many' is 4, but must not exceed 'box.count', which is 3");
  }
}

TEST(Options, ACommandLineArgumentTakesTheTypeOfItsOption) {
  Settings s;
  const std::vector<Option> all = options(s);
  EXPECT_EQ(parse_value(all[0], "true"), OptionValue(true));
  EXPECT_EQ(parse_value(all[1], "12"), OptionValue(std::int64_t{12}));
  EXPECT_EQ(parse_value(all[4], "1e-3"), OptionValue(1e-3));
  EXPECT_EQ(parse_value(all[4], "1e-3x"), OptionValue("1e-3x"));
  EXPECT_EQ(parse_value(all[5], "12"), OptionValue("12"));
  EXPECT_EQ(parse_value(all[6], "true"), OptionValue("true"));
  EXPECT_EQ(parse_value(all[7], "4,010"), OptionValue(std::vector<std::int64_t>{4, 10}));
  EXPECT_EQ(parse_value(all[7], "4,x"), OptionValue("4,x"));
  EXPECT_EQ(parse_value(all[8], "a,b"), OptionValue(std::vector<std::string>{"a,b"}));
}

TEST(Options, GivenValuesReplaceTheOthers) {
  Settings s;
  assign_given(options(s), {{"count", std::int64_t{5}}, {"elsewhere", true}});
  EXPECT_EQ(s.count, 5);
  EXPECT_EQ(s.many, 4);
  EXPECT_THROW(assign_given(options(s), {{"count", std::int64_t{1}}}), OptionError);
}

TEST(Options, RoundTripThroughJson) {
  Settings s;
  s.on = true;
  s.many = 1'000'000'000'000;
  s.rate = 1.0 / 3;
  s.shape = Shape::Round;
  s.texts = {"a", "b"};
  const auto json = nlohmann::ordered_json::parse(options_to_json(options(s)).dump());
  Settings back;
  options_from_json(options(back), json, "box");
  EXPECT_EQ(options_to_json(options(back)), json);
  EXPECT_EQ(back.rate, s.rate);
  EXPECT_EQ(back.shape, Shape::Round);
  EXPECT_EQ(back.texts, s.texts);
  Settings some;
  some_options_from_json(options(some), {{"count", 5}, {"texts", nlohmann::json::array()}}, "box");
  EXPECT_EQ(some.count, 5);
  EXPECT_EQ(some.many, 4);
}

TEST(Options, AreReadFromJsonUnderFormerNames) {
  for (const char* former : {"number", "amount"}) {
    Settings s;
    nlohmann::json json = options_to_json(options(s));
    json.erase("count");
    json[former] = 17;
    options_from_json(options(s), json, "box");
    EXPECT_EQ(s.count, 17);
  }
}

TEST(Options, InvalidJsonIsRefusedNamingTheKey) {
  const auto refusal_of = [](const nlohmann::json& json) -> std::string {
    Settings s;
    try {
      options_from_json(options(s), json, "box");
    } catch (const std::runtime_error& error) {
      return error.what();
    }
    return "accepted";
  };
  Settings s;
  const nlohmann::json good = options_to_json(options(s));
  EXPECT_EQ(refusal_of(good), "accepted");
  EXPECT_EQ(refusal_of(nlohmann::json::array()), "box: expected a JSON object");
  nlohmann::json bad = good;
  bad.erase("count");
  EXPECT_EQ(refusal_of(bad), "box: key 'count' is missing");
  bad["count"] = nullptr;
  EXPECT_EQ(refusal_of(bad), "box: key 'count' has the wrong type (null)");
  bad["count"] = 65;
  EXPECT_EQ(refusal_of(bad), "box: key 'count' is '65', but must be a whole number, 2 to 64");
  bad["count"] = 4;
  bad["texts"] = {"a", 1};
  EXPECT_EQ(refusal_of(bad), "box: key 'texts' has the wrong type (array)");
  bad["texts"] = nlohmann::json::array();
  bad["count"] = std::numeric_limits<std::uint64_t>::max();
  EXPECT_NE(refusal_of(bad), "accepted");
}

}  // namespace
}  // namespace faultline
