// `faultline vectors`: what counts as passed, failed, skipped and malformed.
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/app/run_program.h"

namespace faultline {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

constexpr const char* kPerft =
    R"({"variant":"chess","fen":"8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1","perft":[6,136,863]})";
constexpr const char* kMate =
    R"({"variant":"escher","fen":"4n3/8/8/3p1k2/8/8/8/2q4K w - - 10 12","moves":[],"check":true,"outcome":"black"})";
constexpr const char* kNext =
    R"({"variant":"chess","fen":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1","move":"g1f3","next":"rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R b KQkq - 1 1"})";
constexpr const char* kRefusal =
    R"({"variant":"chess","bad_fen":"8/8/8/8/8/8/8/8 w - - 0 1","why":"no kings"})";
std::string lines(std::initializer_list<std::string> all) {
  std::string text;
  for (const std::string& line : all)
    text += line + "\n";
  return text;
}

/// `text` with its one occurrence of `what` replaced.
std::string with(std::string text, const std::string& what, const std::string& replacement) {
  const auto at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  return text.replace(at, what.size(), replacement);
}

ProgramResult run_on_input(const std::string& text) {
  return run_faultline({"vectors", "-"}, text);
}

TEST(Vectors, CountsWhatPassed) {
  const TemporaryFolder folder;
  const std::string file = folder.write("good.jsonl", lines({kPerft, kMate, "", kNext, kRefusal}));
  const ProgramResult result = run_faultline({"vectors", file});
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
  EXPECT_THAT(result.out, HasSubstr("4 passed, 0 failed, 0 skipped"));
}

TEST(Vectors, AFamilyThatIsNotBuiltIsSkippedAndNamed) {
  const ProgramResult result = run_on_input(lines({kPerft, with(kPerft, "chess", "chss:x=1")}));
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
  EXPECT_THAT(result.out,
              AllOf(HasSubstr("1 passed, 0 failed, 1 skipped"), HasSubstr("1 of chss")));
}

TEST(Vectors, AddsUpSeveralFiles) {
  const TemporaryFolder folder;
  const std::string good = folder.write("good.jsonl", lines({kPerft, kMate}));
  const std::string bad = folder.write("bad.jsonl", lines({kNext, with(kPerft, "136", "137")}));
  const ProgramResult result = run_faultline({"vectors", good, bad});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.out, AllOf(HasSubstr("good.jsonl: 2 passed, 0 failed"),
                                HasSubstr("bad.jsonl: 1 passed, 1 failed"),
                                HasSubstr("total: 3 passed, 1 failed, 0 skipped")));
}

TEST(Vectors, AWrongCountShowsBothNumbersAndTheLine) {
  const ProgramResult result = run_on_input(lines({kNext, with(kPerft, "863", "864")}));
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.out, AllOf(HasSubstr("standard input:2: failed"), HasSubstr("perft(3)"),
                                HasSubstr("863"), HasSubstr("864"), Not(HasSubstr("perft(2)"))));
}

TEST(Vectors, FailuresBeforeAMalformedLineAreReportedFirst) {
  const ProgramResult result = run_on_input(lines({with(kPerft, "863", "864"), "malformed input"}));
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.out,
              AllOf(HasSubstr("standard input:1: failed"), HasSubstr("0 passed, 1 failed")));
  EXPECT_THAT(result.err, HasSubstr("standard input:2: not JSON"));
}

TEST(Vectors, AMissingMoveAndAnExtraOneAreNamed) {
  const ProgramResult result = run_on_input(
      R"({"variant":"chess","fen":"4k3/8/8/8/8/8/8/4KR2 b - - 0 1","moves":["e8d7","e8d8","e8f8"],"check":false,"outcome":null})");
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.out,
              AllOf(HasSubstr("moves missing: e8f8"), HasSubstr("moves too many: e8e7")));
}

TEST(Vectors, AWrongCheckOrOutcomeFails) {
  EXPECT_THAT(run_on_input(with(kMate, "true", "false")).out, HasSubstr("check: got true"));
  EXPECT_THAT(run_on_input(with(kMate, "\"black\"", "null")).out,
              HasSubstr("outcome: got 'black'"));
  EXPECT_EQ(run_on_input(with(kMate, "\"black\"", "\"white\"")).exit_code, 1);
}

TEST(Vectors, AWrongSuccessorOrAnIllegalMoveFails) {
  EXPECT_THAT(run_on_input(with(kNext, "b KQkq - 1 1", "b KQkq - 0 1")).out,
              HasSubstr("next: got"));
  const ProgramResult illegal = run_on_input(with(kNext, "g1f3", "g1g3"));
  EXPECT_EQ(illegal.exit_code, 1);
  EXPECT_THAT(illegal.out, HasSubstr("'g1g3' is not legal"));
}

TEST(Vectors, APositionThatPrintsDifferentlyFails) {
  // Castling letters may come in any order, but a vector's FEN is the one that is printed.
  const ProgramResult result = run_on_input(with(kNext, "w KQkq", "w qkQK"));
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.out, HasSubstr("fen printed back"));
}

TEST(Vectors, ABadFenThatIsAcceptedFails) {
  const ProgramResult result =
      run_on_input(R"({"variant":"chess","bad_fen":"4k3/8/8/8/8/8/8/4KR2 b - - 0 1","why":"-"})");
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.out, HasSubstr("was accepted"));
}

TEST(Vectors, AFenThatIsRefusedFailsWithTheField) {
  const ProgramResult result = run_on_input(with(kNext, "w KQkq", "x KQkq"));
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.out, HasSubstr("FEN field"));
}

TEST(Vectors, AnUnknownOptionOfABuiltFamilyFails) {
  EXPECT_EQ(run_on_input(with(kMate, "escher", "escher:levels=2")).exit_code, 1);
}

TEST(Vectors, ALineThatIsNotAVectorIsReportedWithFileLineAndKey) {
  const TemporaryFolder folder;
  const struct {
    std::string line;
    const char* named;
  } cases[] = {
      {"{\"variant\":", "not JSON"},
      {"[1,2]", "not a JSON object"},
      {"{}", "exactly one of the keys"},
      {with(kPerft, "\"variant\":\"chess\",", ""), "'variant' is missing"},
      {with(kPerft, "\"chess\"", "7"), "'variant' must be a text"},
      {with(kPerft, "\"chess\"", "\"\""), "'variant'"},
      {with(kPerft, "136", "-1"), "'perft' must be"},
      {with(kPerft, "136", "\"136\""), "'perft' must be"},
      {with(kPerft, "[6,136,863]", "[]"), "'perft' must be"},
      {with(kPerft, "\"perft\"", "\"pertf\""), "exactly one of the keys"},
      {with(kMate, "[]", "[1]"), "'moves' must be"},
      {with(kMate, "\"check\":true,", ""), "'check' is missing"},
      {with(kMate, "\"black\"", "3"), "'outcome' must be"},
      {with(kNext, "\"next\"", "\"nxt\""), "unknown key 'nxt'"},
      {with(kRefusal, "\"why\"", "\"perft\""), "exactly one of the keys"},
  };
  for (const auto& [line, named] : cases) {
    const std::string file = folder.write("bad.jsonl", lines({kPerft, line}));
    const ProgramResult result = run_faultline({"vectors", file});
    EXPECT_EQ(result.exit_code, 2) << line;
    EXPECT_THAT(result.err, AllOf(HasSubstr("bad.jsonl:2: "), HasSubstr(named))) << line;
  }
}

TEST(Vectors, MalformedStandardInputIsRefused) {
  std::string noise;
  for (unsigned i = 0; i < 5000; ++i)
    noise += static_cast<char>((i * 2654435761U) >> 13 & 255U);
  EXPECT_EQ(run_on_input(noise).exit_code, 2);
  EXPECT_EQ(run_on_input(std::string(200'000, '[')).exit_code, 2);
  EXPECT_EQ(run_on_input("{\"variant\":\"\xff\xfe\"}").exit_code, 2);
  EXPECT_EQ(run_on_input(std::string(1000, '\0')).exit_code, 2);
}

TEST(Vectors, ControlCharactersAreEscaped) {
  const ProgramResult result = run_on_input(with(kNext, "g1f3", "\\u001b[31m"));
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.out, AllOf(HasSubstr("\\x1b"), Not(HasSubstr("\x1b"))));
}

TEST(Vectors, AFileThatCannotBeReadIsBadInput) {
  const TemporaryFolder folder;
  EXPECT_EQ(run_faultline({"vectors", (folder.path() / "absent").string()}).exit_code, 2);
  EXPECT_EQ(run_faultline({"vectors", folder.path().string()}).exit_code, 2);
}

TEST(Vectors, TheOutputOfMovesIsAVectorThatPasses) {
  const ProgramResult moves = run_faultline({"moves", "escher", "--moves", "e2e4 e7e5", "--json"});
  const ProgramResult result = run_on_input(moves.out);
  EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
  EXPECT_THAT(result.out, HasSubstr("1 passed"));
}

}  // namespace
}  // namespace faultline
