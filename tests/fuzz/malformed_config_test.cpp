// Hostile configurations: mutated, truncated, deeply nested, huge. Each is read or refused briefly,
// within bounded memory.
#include <algorithm>
#include <cstddef>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "tests/fuzz/allocations.h"
#include "tests/fuzz/configs.h"
#include "tests/fuzz/texts.h"

namespace faultline::fuzz {
namespace {

std::string repeated(std::string_view part, std::size_t times) {
  std::string text;
  text.reserve(part.size() * times);
  for (std::size_t i = 0; i < times; ++i)
    text += part;
  return text;
}

/// The result of check_toml, after checking its properties and a bound on memory.
std::string message_of(const std::string& toml) {
  constexpr std::size_t kFixed = 40'000'000;  // the tables of a variant when first named
  constexpr std::size_t kPerByte = 300;       // a key of a few bytes is a node of a tree
  constexpr std::size_t kLargestRead = 1 << 20;
  const std::size_t before = allocated_bytes();
  std::string message;
  try {
    message = check_toml(toml);
  } catch (const BrokenProperty& broken) {
    ADD_FAILURE() << std::string_view(broken.what()).substr(0, 2000);
  }
  EXPECT_LE(allocated_bytes() - before, kFixed + kPerByte * std::min(toml.size(), kLargestRead))
      << toml.substr(0, 60) << "... (" << toml.size() << " bytes)";
  return message;
}

std::vector<std::string> samples() {
  return sample_configs(FAULTLINE_SOURCE_DIR "/configs");
}

TEST(MalformedConfig, SamplesAreAcceptedOrRefusedAsExpected) {
  int accepted = 0;
  for (const std::string& toml : samples())
    if (message_of(toml).empty()) ++accepted;
  EXPECT_GE(accepted, 10);
}

TEST(MalformedConfig, TruncatedAnywhereTheyAreReadOrRefused) {
  for (const std::string& toml : samples())
    for (std::size_t length = 0; length < toml.size(); length += 1 + toml.size() / 150)
      message_of(toml.substr(0, length));
}

TEST(MalformedConfig, MutatedTheyAreReadOrRefused) {
  constexpr int kRounds = 3000;
  const std::vector<std::string> start = samples();
  const std::vector<std::string> parts = {
      "=",      "[",    "]",    "{",           "}",     "\"",     "'''",   "\n",
      ".",      "#",    "-",    "nan",         "-inf",  "1e999",  "0x",    "99999999999999999999",
      "\\u",    "\xff", "true", "[[run]]",     "[run]", "run.a=", "\x1b[", "1979-05-27",
      "\"\"\"", ",",    "\\x",  "\xef\xbb\xbf"};
  std::mt19937_64 random(1);
  const auto below = [&](std::size_t n) { return random() % n; };
  for (int round = 0; round < kRounds; ++round) {
    std::string toml = start[below(start.size())];
    for (std::size_t edits = 1 + below(6); edits > 0; --edits) {
      const std::size_t at = below(toml.size() + 1);
      switch (below(4)) {
        case 0:
          toml.insert(at, parts[below(parts.size())]);
          break;
        case 1:
          toml.erase(at, below(20));
          break;
        case 2:
          if (at < toml.size()) toml[at] = static_cast<char>(random());
          break;
        default:
          toml.insert(at, toml.substr(below(toml.size() + 1), below(60)));
      }
    }
    message_of(toml);
  }
}

TEST(MalformedConfig, DeepNestingIsRefused) {
  constexpr std::size_t kDeep = 200'000;
  const std::string dotted = repeated("a.", 99) + "a";  // as deep as one line may nest
  for (const std::string& toml :
       {"a=" + repeated("[", kDeep), "a=" + repeated("{a=", kDeep), repeated("[", kDeep),
        "[" + repeated("a.", kDeep) + "a]", repeated("a.", kDeep) + "a=1",
        "a=" + repeated("[\n", kDeep), "[" + dotted + "]\n" + dotted + "=1",
        dotted + "=" + repeated("[\n{" + dotted + "=", 2000),
        dotted + "=" + repeated("[\n{" + dotted + "=", 3) + "1" + repeated("}]", 3),
        repeated("[b" + dotted + "]\n", 4000)})
    EXPECT_NE(message_of(toml), "") << toml.substr(0, 60);
}

TEST(MalformedConfig, LettersBeyondAsciiAreForStringsAndComments) {
  // U+00E9, U+0170, U+3000, U+E800, and bytes that are not UTF-8.
  for (const std::string letter :
       {"\xc3\xa9", "\xc5\xb0", "\xe3\x80\x80", "\xee\xa0\x80", "\xff", "\x80"}) {
    EXPECT_NE(message_of("[run]\nsee" + letter + "d = 3\n").find(":2: "), std::string::npos);
    EXPECT_NE(message_of("[run]\n\nseed " + letter + "= 3\n").find(":3: "), std::string::npos);
    EXPECT_NE(message_of("[run]\nseed = " + letter), "");
    EXPECT_NE(message_of("[run]\nname = \"\\" + letter + "\""), "");
    EXPECT_NE(message_of("[run]\nname = \"\"\"\\\n" + letter + "\"\"\""), "");
    EXPECT_NE(message_of("[run]\nseed = 0'" + letter + "bu"), "");
    EXPECT_NE(message_of("# \"\n[run]\nname = 'x' " + letter), "");
  }
  for (const std::string toml :
       {"[run]  # \xc3\xa9\nname = \"caf\xc3\xa9\"\n", "[run]\nname = 'caf\xc3\xa9'\n",
        "[run]\nname = \"\\\"\xc3\xa9\" # \xc3\xa9", "\xef\xbb\xbf[run]\nseed = 3\n"})
    EXPECT_EQ(message_of(toml).find("outside quotation marks"), std::string::npos) << toml;
}

TEST(MalformedConfig, MegabytesAreRefused) {
  constexpr std::size_t kSize = 3'000'000;
  std::mt19937_64 random(1);
  std::string bytes(kSize, '\0');
  for (char& c : bytes)
    c = static_cast<char>(random());
  EXPECT_NE(message_of(bytes), "");
  for (const char* part :
       {"\n", " ", "a", "[", "a=1\n", "#", "\"", "[a]\n", "9", "\xff", "\xc3\xa4", "[run]\n"})
    EXPECT_NE(message_of(repeated(part, kSize / std::string_view(part).size())), "") << part;
  // The same below the file size limit, where it has to be read.
  constexpr std::size_t kRead = 1'000'000;
  for (const char* part : {"a", "[", "\"", "[a]\n", "9", "\xff", "a.b=1\n", "[run]\n"})
    EXPECT_NE(message_of(repeated(part, kRead / std::string_view(part).size())), "") << part;
  std::string keys;
  for (int i = 0; keys.size() < kRead; ++i)
    keys += "k" + std::to_string(i) + "=1\n";
  EXPECT_NE(message_of(keys), "");
  for (const char* key : {"run.variant", "run.name", "device.device", "run.seed", "learner.x"})
    message_of(key + std::string("='") + std::string(kRead, 'x') + "'");
  EXPECT_NE(message_of("[run]\nseed = " + std::string(kRead, '9')), "");
  EXPECT_NE(message_of("'" + std::string(kRead, 'x') + "'=1"), "");
  EXPECT_NE(message_of("['" + std::string(kRead, 'x') + "']"), "");
  const std::string long_key = "'" + std::string(kRead / 3, 'x') + "'=1\n";
  EXPECT_NE(message_of(long_key + long_key), "");
}

TEST(MalformedConfig, HugeAndOddNumbersAreRefusedWhereTheyDoNotFit) {
  for (const char* value : {"99999999999999999999", "-9223372036854775808", "9223372036854775807",
                            "1e999", "-1e999", "nan", "-nan", "0xffffffffffffffff", "1e308"})
    for (const char* key : {"run.seed", "run.games", "search.visits", "search.cpuct",
                            "learner.learning_rate", "learner.replay_ratio", "selfplay.batch"})
      EXPECT_NE(message_of(std::string(key) + " = " + value), "") << key << " = " << value;
}

TEST(MalformedConfig, TablesListsAndDatesAreNotValues) {
  for (const char* value : {"[]", "{}", "[[1]]", "1979-05-27", "07:32:00", "{a={b={c=1}}}"})
    for (const char* key : {"run.variant", "run.deterministic", "search.visits", "search.cpuct",
                            "device.precision", "learner.optimizer"})
      EXPECT_NE(message_of(std::string(key) + " = " + value), "") << key << " = " << value;
}

}  // namespace
}  // namespace faultline::fuzz
