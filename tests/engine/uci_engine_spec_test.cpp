// Specifications of external engines.
#include "engine/uci_engine_spec.h"

#include <gtest/gtest.h>

namespace faultline {
namespace {

using namespace std::chrono_literals;

/// The message of the error that `text` gives.
std::string error_of(std::string_view text) {
  try {
    parse_uci_engine_spec(text);
  } catch (const UciSpecError& error) {
    return error.what();
  }
  return "no error";
}

TEST(UciEngineSpec, IsACommandAlone) {
  const UciEngineSpec spec = parse_uci_engine_spec("/opt/engine --uci 'my net'");
  EXPECT_EQ(spec.command, "/opt/engine --uci 'my net'");
  EXPECT_FALSE(spec.has_limit());
  EXPECT_EQ(spec.timeout, 10s);
  EXPECT_TRUE(spec.options.empty());
}

TEST(UciEngineSpec, TellsLimitsFromTheEnginesOwnOptions) {
  const UciEngineSpec spec = parse_uci_engine_spec(
      "stockfish?nodes=1000&Skill Level=3&depth=12&movetime=50&timeout=2&Clear Hash");
  EXPECT_EQ(spec.command, "stockfish");
  EXPECT_EQ(spec.nodes, 1000U);
  EXPECT_EQ(spec.depth, 12);
  EXPECT_EQ(spec.movetime, 50ms);
  EXPECT_EQ(spec.timeout, 2s);
  EXPECT_TRUE(spec.has_limit());
  const std::vector<std::pair<std::string, std::string>> expected = {{"Skill Level", "3"},
                                                                     {"Clear Hash", ""}};
  EXPECT_EQ(spec.options, expected);
}

TEST(UciEngineSpec, ReadsEscapesAndFurtherEqualsSigns) {
  const UciEngineSpec spec =
      parse_uci_engine_spec("a%3fb%20c?Debug%3DLog=x%26y%3Dz&EvalFile=n=1?2&Share=50%25");
  EXPECT_EQ(spec.command, "a?b c");
  const std::vector<std::pair<std::string, std::string>> expected = {
      {"Debug=Log", "x&y=z"}, {"EvalFile", "n=1?2"}, {"Share", "50%"}};
  EXPECT_EQ(spec.options, expected);
}

TEST(UciEngineSpec, NamesTheKeyAtFault) {
  EXPECT_EQ(error_of("e?nodes=0"),
            "uci: nodes=0: expected a whole number from 1 to 1000000000000000");
  EXPECT_EQ(error_of("e?depth=3x"), "uci: depth=3x: expected a whole number from 1 to 1000");
  EXPECT_EQ(error_of("e?movetime="),
            "uci: movetime=: expected a whole number from 1 to 1000000000");
  EXPECT_EQ(error_of("e?timeout=-1"), "uci: timeout=-1: expected a whole number from 1 to 1000000");
  EXPECT_EQ(error_of("e?Hash=1&Hash=2"), "uci: 'Hash' is given twice");
  EXPECT_EQ(error_of("e?Hash=1&"),
            "uci: 'e?Hash=1&' has an empty key; expected COMMAND?key=value&key=value");
  EXPECT_EQ(
      error_of("e?Hash=%2"),
      "uci: value of Hash: '%2': % must be followed by two hexadecimal digits; %25 stands for "
      "% itself");
}

TEST(UciEngineSpec, RefusesCommandsThatCannotBeSplit) {
  EXPECT_EQ(error_of("?nodes=1"),
            "uci: command '': there is no command; expected uci:COMMAND?key=value&key=value");
  EXPECT_EQ(error_of("  "),
            "uci: command '  ': there is no command; expected uci:COMMAND?key=value&key=value");
  EXPECT_EQ(error_of("a 'b"),
            "uci: command 'a 'b': the quote ' is not closed; expected "
            "uci:COMMAND?key=value&key=value");
}

// An engine reads lines: such a value would be a command of its own.
TEST(UciEngineSpec, RefusesLineBreaksInValues) {
  EXPECT_EQ(error_of("e?Book=a%0Aquit"),
            "uci: value of Book: 'a%0Aquit': control characters are refused");
  EXPECT_NE(error_of("e\nf"), "no error");
}

}  // namespace
}  // namespace faultline
