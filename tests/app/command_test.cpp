// The command line: output, messages and exit codes of the commands without LibTorch.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sys/wait.h>

#include "rules/families.h"
#include "tests/app/run_program.h"

namespace faultline {
namespace {

using testing::AllOf;
using testing::AnyOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

constexpr const char* kStartFen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
constexpr const char* kKiwipete =
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

/// The "nodes" column, one entry per depth.
std::vector<std::uint64_t> perft_counts(const std::string& output) {
  std::istringstream lines(output);
  std::string line;
  std::getline(lines, line);
  std::vector<std::uint64_t> counts;
  while (std::getline(lines, line) && !line.empty()) {
    std::istringstream row(line);
    std::uint64_t depth = 0, nodes = 0;
    row >> depth >> nodes;
    counts.push_back(nodes);
  }
  return counts;
}

/// The rows "e2e4: 20" after --divide.
std::map<std::string, std::uint64_t> divide_rows(const std::string& output) {
  std::map<std::string, std::uint64_t> rows;
  std::istringstream lines(output);
  for (std::string line; std::getline(lines, line);)
    if (const auto colon = line.find(": "); colon != std::string::npos)
      rows[line.substr(0, colon)] = std::stoull(line.substr(colon + 2));
  return rows;
}

TEST(Perft, PrintsTheKnownCountsOfChess) {
  const ProgramResult result = run_faultline({"perft", "chess", "4"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(perft_counts(result.out), (std::vector<std::uint64_t>{20, 400, 8902, 197281}));
}

TEST(Perft, TakesAnotherPositionAndOneThread) {
  const ProgramResult result =
      run_faultline({"perft", "chess", "3", "--fen", kKiwipete, "--threads", "1"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(perft_counts(result.out), (std::vector<std::uint64_t>{48, 2039, 97862}));
}

TEST(Perft, DivideAddsUpToTheTotalAtEveryDepth) {
  for (const char* depth : {"1", "2", "3"}) {
    const ProgramResult result = run_faultline({"perft", "escher", depth, "--divide"});
    ASSERT_EQ(result.exit_code, 0) << result.err;
    const auto rows = divide_rows(result.out);
    EXPECT_EQ(rows.size(), 20U);
    std::uint64_t sum = 0;
    for (const auto& [move, nodes] : rows)
      sum += nodes;
    EXPECT_EQ(sum, perft_counts(result.out).back()) << "depth " << depth;
  }
}

TEST(Perft, DividePrintsTheCountBelowAMove) {
  const ProgramResult result = run_faultline({"perft", "chess", "3", "--divide"});
  EXPECT_EQ(divide_rows(result.out)["e2e4"], 600U);
  EXPECT_EQ(divide_rows(result.out)["g1h3"], 400U);
}

TEST(Perft, RefusesAnInvalidDepth) {
  for (const char* depth : {"0", "-3", "x", "99999999999999999999", "4.5"}) {
    const ProgramResult result = run_faultline({"perft", "chess", depth});
    EXPECT_EQ(result.exit_code, 2) << depth;
    EXPECT_THAT(result.err, HasSubstr("faultline perft")) << depth;
    EXPECT_THAT(result.err, HasSubstr("is not a whole number, 1 to 30")) << depth;
  }
  EXPECT_THAT(run_faultline({"perft", "gardner", "02"}).out,
              HasSubstr("\n    2                53 "));
  EXPECT_THAT(run_faultline({"perft", "gardner", "031"}).err, HasSubstr("'031' is not a whole"));
}

TEST(Moves, ListsTheMovesSortedWithCheckAndOutcome) {
  const ProgramResult result =
      run_faultline({"moves", "chess", "--fen", "4k3/8/8/8/8/8/8/4KR2 b - - 0 1"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, AllOf(HasSubstr("e8d7 e8d8 e8e7\n"), HasSubstr("to move  black"),
                                HasSubstr("check    no"), HasSubstr("outcome  ongoing")));
}

TEST(Moves, NamesTheWinnerOfAMate) {
  const ProgramResult result = run_faultline({"moves", "chess", "--moves", "f2f3 e7e5 g2g4 d8h4"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, AllOf(HasSubstr("check    yes"), HasSubstr("outcome  black"),
                                HasSubstr("moves    0")));
}

TEST(Moves, PrintsJsonWithTheKeysOfAVector) {
  const ProgramResult result = run_faultline({"moves", "escher", "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const auto json = nlohmann::json::parse(result.out);
  EXPECT_EQ(json.at("variant"), "escher");
  EXPECT_EQ(json.at("fen"), "rnbkqbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1");
  EXPECT_EQ(json.at("moves").size(), 20U);
  EXPECT_TRUE(std::ranges::is_sorted(json.at("moves")));
  EXPECT_EQ(json.at("check"), false);
  EXPECT_TRUE(json.at("outcome").is_null());
}

TEST(Board, ShowsThePositionAfterTheMoves) {
  const ProgramResult result = run_faultline({"board", "chess", "--moves", "e2e4  e7e5 g1f3"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out,
              HasSubstr("rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2"));
  EXPECT_THAT(result.out, HasSubstr("black"));
}

TEST(Board, NamesTheLastMoveAndEveryLevelThatFell) {
  const ProgramResult result = run_faultline(
      {"board", "inferno:levels=2", "--fen", "7k/1n6/8/8/8/8/8/7K|k7/8/2K5/8/8/8/1Q6/8 w -|- - 3 7",
       "--moves", "Q2b7(2) 1h8-1g8"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("\nlast     K1g8\nevent    Q2b7(2): White wins level 2: "));
}

TEST(Board, DetectsARepetitionInTheGivenMoves) {
  std::string moves;
  for (int i = 0; i < 2; ++i)
    moves += "g1f3 g8f6 f3g1 f6g8 ";
  EXPECT_THAT(run_faultline({"board", "chess", "--moves", moves}).out,
              HasSubstr("outcome  draw:repetition"));
}

TEST(Board, AnIllegalMoveIsNamedWithTheLegalOnesFromItsSquare) {
  const ProgramResult result = run_faultline({"board", "chess", "--moves", "e2e4 e7e5 g1g3"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, AllOf(HasSubstr("move 3"), HasSubstr("'g1g3'"),
                                HasSubstr("g1e2 g1f3 g1h3"), Not(HasSubstr("b1c3"))));
}

TEST(Board, AMoveFromAnEmptySquareListsAllMoves) {
  const ProgramResult result = run_faultline({"board", "chess", "--moves", "e5e6"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, AllOf(HasSubstr("no legal move leaves e5"), HasSubstr("b1c3")));
}

TEST(Board, DrawsSvgToStandardOutputOrIntoAFile) {
  const ProgramResult printed = run_faultline({"board", "escher", "--svg", "-"});
  EXPECT_EQ(printed.exit_code, 0) << printed.err;
  EXPECT_THAT(printed.out, StartsWith("<svg "));
  EXPECT_THAT(printed.out, HasSubstr("data-square=\"e1\" data-piece=\"K\""));
  EXPECT_THAT(printed.out, Not(HasSubstr("last-move")));
  const TemporaryFolder folder;
  const std::string file = folder.write("board.svg", "");
  const ProgramResult written = run_faultline({"board", "escher", "--svg", file});
  EXPECT_EQ(written.exit_code, 0) << written.err;
  EXPECT_EQ(written.out, "");
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  EXPECT_EQ(text.str(), printed.out);
}

TEST(Board, AnSvgShowsTheLastMoveAndTheRequestedSide) {
  const ProgramResult white = run_faultline({"board", "chess", "--moves", "e2e4", "--svg", "-"});
  const ProgramResult black =
      run_faultline({"board", "chess", "--moves", "e2e4", "--svg", "-", "--flip"});
  EXPECT_THAT(white.out, AllOf(HasSubstr("last-move"), HasSubstr("<title>chess: black to move<")));
  EXPECT_THAT(black.out, HasSubstr("last-move"));
  EXPECT_NE(white.out, black.out);
  EXPECT_EQ(run_faultline({"board", "chess", "--flip"}).exit_code, 2)
      << "only SVG pictures can be flipped";
}

TEST(Board, ShowsHowAPieceOfAGameOfAFileMoves) {
  const std::string game = FAULTLINE_SOURCE_DIR "/games/gardner.toml";
  const ProgramResult knight = run_faultline({"board", game, "--piece", "N"});
  EXPECT_EQ(knight.exit_code, 0) << knight.err;
  EXPECT_THAT(knight.out, StartsWith("  . * . * .\n"
                                     "  * . . . *\n"
                                     "  . . N . .\n"
                                     "  * . . . *\n"
                                     "  . * . * .\n"));
  EXPECT_THAT(knight.out, HasSubstr("knight (N)\nleaps like a knight"));
  const ProgramResult pawn = run_faultline({"board", game, "--piece", "p"});
  EXPECT_THAT(pawn.out, HasSubstr("  . . p . .\n"
                                  "  . c m c .\n"));
  EXPECT_THAT(run_faultline({"board", game, "--piece", "N", "--svg", "-"}).out,
              HasSubstr("data-piece=\"N\""));
  const ProgramResult none = run_faultline({"board", game, "--piece", "A"});
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_THAT(none.err, HasSubstr("no piece 'A'; its pieces are B K N P Q R"));
  const ProgramResult compiled = run_faultline({"board", "chess", "--piece", "N"});
  EXPECT_EQ(compiled.exit_code, 2);
  EXPECT_THAT(compiled.err, HasSubstr("--piece is for games of files"));
}

TEST(Board, AnSvgFileThatCannotBeWrittenIsNamed) {
  for (const std::string file : {"/nowhere/at/all/board.svg", "/dev/full"}) {
    const ProgramResult result = run_faultline({"board", "chess", "--svg", file});
    EXPECT_EQ(result.exit_code, 1) << file;
    EXPECT_THAT(result.err, AllOf(HasSubstr("cannot write"), HasSubstr(file)));
  }
}

std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);)
    lines.push_back(line);
  return lines;
}

TEST(Variants, TheListHasEveryFamilyWithItsSummaryAndOptions) {
  const ProgramResult result = run_faultline({"variants"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const std::vector<std::string> lines = lines_of(result.out);
  for (const FamilyInfo* family : all_families()) {
    const std::string start = family->name + " ";
    const auto row =
        std::ranges::find_if(lines, [&](const auto& l) { return l.starts_with(start); });
    ASSERT_NE(row, lines.end()) << family->name;
    const std::size_t text = row->find_first_not_of(' ', start.size());
    EXPECT_GE(text, start.size() + 1) << "two spaces after the longest name: " << *row;
    EXPECT_TRUE(family->summary.starts_with(row->substr(text))) << *row;
    // The options follow before the next family, each with its default.
    const auto end =
        std::find_if(row + 1, lines.end(), [](const auto& l) { return !l.starts_with(" "); });
    std::string below;
    for (auto line = row + 1; line != end; ++line)
      below += " " + line->substr(line->find_first_not_of(' '));
    for (const OptionInfo& option : family->options) {
      EXPECT_THAT(below, HasSubstr(" " + option.name + "  ")) << family->name;
      EXPECT_THAT(below, HasSubstr(option.allowed + " (default " + option.default_value + ")"));
    }
  }
}

TEST(Variants, TheListExplainsCanonicalNames) {
  const std::string out = run_faultline({"variants"}).out;
  EXPECT_THAT(out, HasSubstr("canonical name"));
  // The longer name in its example is equivalent to the canonical one.
  const ProgramResult one = run_faultline({"variants", "earthquake:dy=1,fly=off,dx=2"});
  EXPECT_THAT(out, HasSubstr("\n  earthquake:dx=2,dy=1 "));
  EXPECT_THAT(out, HasSubstr("earthquake:dy=1,fly=off,dx=2"));
  EXPECT_THAT(one.out, StartsWith("earthquake:dx=2,dy=1 "));
}

TEST(Variants, TheListAndTheHelpFitEightyColumns) {
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"variants"}, {"variants", "--help"}})
    for (const std::string& line : lines_of(run_faultline(words).out))
      EXPECT_LE(line.size(), 80U) << line;
}

TEST(Variants, ExplainsEveryFamily) {
  for (const FamilyInfo* family : all_families()) {
    const ProgramResult result = run_faultline({"variants", family->name});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_THAT(result.out, AllOf(StartsWith(family->name + " "), HasSubstr(family->inventor),
                                  AnyOf(HasSubstr("pawns (P), "), HasSubstr("crabs (C), ")),
                                  HasSubstr("Moves as text: ")));
  }
}

TEST(Variants, ShowsTheBoardAndThePiecesOfTheVariantThatWasNamed) {
  const ProgramResult moved = run_faultline({"variants", "earthquake:dx=2,dy=1"});
  EXPECT_EQ(moved.exit_code, 0) << moved.err;
  EXPECT_THAT(moved.out, HasSubstr("displaced by 2,1"));
  const ProgramResult mini = run_faultline({"variants", "slanted:board=mini"});
  EXPECT_THAT(mini.out, AllOf(HasSubstr("Each side: 8 crabs (C), "), HasSubstr("\n6   r   n"),
                              HasSubstr("Black moves first"), Not(HasSubstr("ultras (U)"))));
  const ProgramResult uneven = run_faultline({"variants", "slanted:army=sort-of-almost"});
  EXPECT_THAT(uneven.out, AllOf(HasSubstr("White: 10 crabs (C), "), HasSubstr("chancellor"),
                                HasSubstr("Black: 10 crabs (C), "), HasSubstr("queen")));
}

TEST(Variants, MentionsNothingThatTheOptionsRuleOut) {
  const std::string still = run_faultline({"variants", "earthquake"}).out;
  EXPECT_THAT(still, Not(HasSubstr("An aftershock may answer")));
  EXPECT_THAT(run_faultline({"variants", "earthquake:aftershock=2"}).out,
              HasSubstr("An aftershock may answer"));
  EXPECT_THAT(run_faultline({"variants", "slanted:board=mini"}).out,
              AllOf(Not(HasSubstr("An ultra goes")), HasSubstr("no\n    double step")));
}

TEST(Variants, ListsPredicatesWithParametersAndWhatIsImpossible) {
  const ProgramResult three = run_faultline({"variants", "inferno:levels=3", "--predicates"});
  EXPECT_EQ(three.exit_code, 0) << three.err;
  EXPECT_THAT(three.out, AllOf(HasSubstr("Predicates of all families:"),
                               HasSubstr("Predicates of inferno:levels=3:"), HasSubstr("captures"),
                               HasSubstr("at_least, at_most: 1 to 2")));
  const std::string flat = run_faultline({"variants", "inferno:levels=1", "--predicates"}).out;
  EXPECT_THAT(flat, HasSubstr("impossible here: the board has one level and no hole"));
  for (const FamilyInfo* family : all_families()) {
    const ProgramResult result = run_faultline({"variants", family->name, "--predicates"});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    std::istringstream lines(result.out);
    for (std::string line; std::getline(lines, line);)
      EXPECT_LE(line.size(), 80U) << line;
  }
  const ProgramResult none = run_faultline({"variants", "--predicates"});
  EXPECT_EQ(none.exit_code, 2);
  EXPECT_THAT(none.err, HasSubstr("NAME"));
  EXPECT_EQ(run_faultline({"variants", "infernal", "--predicates"}).exit_code, 2);
}

TEST(Variants, RefusesAnInvalidNameAndListsWhatIsAllowed) {
  const struct {
    const char* name;
    std::vector<const char*> said;
  } cases[] = {{"earthqake", {"'earthqake'", "did you mean 'earthquake'?"}},
               {"earthquake:dz=1", {"'dz'", "dx (-8 to 8)", "shock (1 to 7)"}},
               {"earthquake:dx=9", {"dx='9'", "-8 to 8"}},
               {"earthquake:dy=-1", {"fly=on"}},
               {"earthquake:dx", {"'dx'", "option=value"}},
               {"earthquake:dx=1,dx=2", {"'dx' is given twice"}},
               {"slanted:first=red", {"first='red'", "white, black"}},
               {"shifting:gaps=AI+AII", {"gaps='AI+AII'", "AIII, BII"}},
               {"chess:levels=1", {"'levels'", "no options"}},
               {"", {"starts with a family"}}};
  for (const auto& [name, said] : cases) {
    const ProgramResult result = run_faultline({"variants", name});
    EXPECT_EQ(result.exit_code, 2) << name;
    EXPECT_EQ(result.out, "") << name;
    EXPECT_THAT(result.err, StartsWith("faultline variants: ")) << name;
    for (const char* part : said)
      EXPECT_THAT(result.err, HasSubstr(part)) << name;
  }
}

TEST(CommandLine, AnUnknownVariantSuggestsTheNearest) {
  for (const char* command : {"moves", "board", "variants"}) {
    const ProgramResult result = run_faultline({command, "eshcer"});
    EXPECT_EQ(result.exit_code, 2) << command;
    EXPECT_THAT(result.err, AllOf(HasSubstr("eshcer"), HasSubstr("escher"))) << command;
  }
}

TEST(CommandLine, AnUnknownOptionOfAVariantIsRefused) {
  const ProgramResult result = run_faultline({"moves", "chess:levels=3"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("levels"));
}

TEST(CommandLine, ABadFenNamesItsField) {
  const struct {
    const char* fen;
    const char* field;
  } cases[] = {{"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR x KQkq - 0 1", "side"},
               {"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - x 1", "plies"}};
  for (const auto& [fen, field] : cases) {
    const ProgramResult result = run_faultline({"moves", "chess", "--fen", fen});
    EXPECT_EQ(result.exit_code, 2) << fen;
    EXPECT_THAT(result.err, AllOf(HasSubstr("FEN field"), HasSubstr(field))) << fen;
  }
}

TEST(CommandLine, MalformedInputIsRefusedAndNeverCrashes) {
  const std::string garbage[] = {"",
                                 " ",
                                 ":",
                                 "=",
                                 "\xff\xfe",
                                 "chess:",
                                 "chess:=",
                                 "chess:a",
                                 "////////////////////////////////",
                                 "8/8/8/8/8/8/8/8 w - - 0 1",
                                 "99999999999999999999",
                                 std::string(100'000, 'k'),
                                 std::string(100'000, '/'),
                                 std::string(kStartFen) + std::string(1000, ' ') + "x"};
  for (const std::string& text : garbage) {
    const std::string shown = text.substr(0, 40);
    EXPECT_EQ(run_faultline({"moves", text}).exit_code, 2) << "variant " << shown;
    // An empty FEN stands for the start position, and no moves for none.
    if (!text.empty()) {
      EXPECT_EQ(run_faultline({"moves", "escher", "--fen", text}).exit_code, 2) << "fen " << shown;
    }
    if (text.find_first_not_of(' ') != std::string::npos) {
      EXPECT_EQ(run_faultline({"board", "chess", "--moves", text}).exit_code, 2)
          << "moves " << shown;
    }
    EXPECT_EQ(run_faultline({text}).exit_code, 2) << "command " << shown;
    EXPECT_EQ(run_faultline({"perft", "chess", text}).exit_code, 2) << "depth " << shown;
  }
}

TEST(CommandLine, AnUnknownCommandSuggestsTheNearest) {
  const ProgramResult result = run_faultline({"pertf", "chess", "3"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, AllOf(HasSubstr("'pertf'"), HasSubstr("'perft'")));
}

TEST(CommandLine, AnUnknownOptionSuggestsTheNearest) {
  const auto error = [](const std::vector<std::string>& words) {
    const ProgramResult result = run_faultline(words);
    EXPECT_EQ(result.exit_code, 2);
    return result.err;
  };
  EXPECT_THAT(error({"--verson"}), AllOf(HasSubstr("'--verson'"), HasSubstr("'--version'")));
  EXPECT_THAT(error({"-V"}), HasSubstr("there is no option '-V'"));
  EXPECT_THAT(error({"--version", "extra"}), HasSubstr("--version stands alone"));
  EXPECT_THAT(error({"perft", "chess", "1", "--thread=2"}),
              AllOf(HasSubstr("--thread=2"), HasSubstr("did you mean '--threads'?")));
  EXPECT_THAT(error({"perft", "chess", "1", "--threads", "2", "--threads", "3"}),
              HasSubstr("--threads: is given more than once"));
}

TEST(CommandLine, BadInputIsShownTruncatedAndWithoutControlCharacters) {
  const std::string bad = "\x1b[31mX" + std::string(5000, 'y');
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{bad},
        {"board", "gardner", "--moves", bad},
        {"board", "chess", "--moves", std::string(5000, 'a') + "1"},
        {"perft", "chess", bad},
        {"perft", "chess", "1", "--" + bad},
        {"moves", bad}}) {
    const ProgramResult result = run_faultline(words);
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_THAT(result.err, Not(HasSubstr("\x1b")));
    EXPECT_LT(result.err.size(), 1000U) << result.err;
  }
}

TEST(CommandLine, NoCommandAtAllIsBadUsage) {
  EXPECT_EQ(run_faultline({}).exit_code, 2);
}

TEST(CommandLine, HelpListsEveryCommandAndEachHasItsOwnHelp) {
  const ProgramResult all = run_faultline({"--help"});
  EXPECT_EQ(all.exit_code, 0);
  for (const char* command : {"train", "check", "match", "play", "perft", "moves", "board",
                              "variants", "vectors", "version"})
    EXPECT_THAT(all.out, HasSubstr(std::string("\n  ") + command + " "));
  for (const char* command : {"perft", "moves", "board", "variants", "vectors"}) {
    const ProgramResult one = run_faultline({command, "--help"});
    EXPECT_EQ(one.exit_code, 0) << command;
    EXPECT_THAT(one.out, HasSubstr(std::string("  faultline ") + command)) << "no example";
  }
}

TEST(CommandLine, HelpIsAsWideAsTheTerminal) {
  for (const char* columns : {"50", "80"})
    for (const char* command : {"", "match", "analyse", "survey", "board", "uci"}) {
      const TemporaryFolder folder;
      const std::string out = folder.path() / "out";
      const std::string line = fmt::format("COLUMNS={} {} {} --help > {} 2> {}", columns,
                                           FAULTLINE_PROGRAM, command, out, out);
      ASSERT_EQ(std::system(line.c_str()), 0);
      std::istringstream lines(test::read_text(out));
      for (std::string text; std::getline(lines, text);)
        // A path or a name is not broken.
        EXPECT_TRUE(text.size() <= std::stoul(columns) ||
                    text.find(' ', text.find_first_not_of(' ')) == std::string::npos)
            << text;
    }
}

TEST(CommandLine, WhatIsPrintedToAClosedStreamGoesIntoNoFile) {
  const TemporaryFolder folder;
  const std::string record = folder.path() / "games.jsonl";
  const std::string match =
      fmt::format("{} match chess random random --games 2 --max-plies 10 --record {}",
                  FAULTLINE_PROGRAM, record);
  for (const char* closed : {" <&- >&- 2>&-", " 2>&- >&-", " >&-"}) {
    EXPECT_EQ(std::system((match + closed).c_str()), 0) << closed;
    std::istringstream lines(test::read_text(record));
    int games = 0;
    for (std::string line; std::getline(lines, line); ++games)
      EXPECT_TRUE(nlohmann::json::accept(line)) << line;
    EXPECT_EQ(games, 2) << closed;
  }
}

TEST(CommandLine, OutputThatCannotBeWrittenIsAFailure) {
  const std::string command =
      std::string(FAULTLINE_PROGRAM) + " moves chess > /dev/full 2> /dev/null";
  const int status = std::system(command.c_str());
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 1);
}

TEST(LabCommand, WhatItCannotOpenOrListenOnIsRefused) {
  const TemporaryFolder folder;
  const std::string text = folder.write("accounts", "root:x:0:0:root:/root:/bin/bash\n");
  const struct {
    std::vector<std::string> arguments;
    const char* said;
  } cases[] = {
      {{"nosuch"}, "give a game's name or file, a network's file, a run's folder"},
      {{text}, text.c_str()},
      {{"--listen", "here"}, "give HOST:PORT"},
      {{"--port", "99999"}, "not a whole number, 0 to 65,535"},
      {{"--listen", "0.0.0.0:8130", "--allow-start"}, "--allow-start is for this machine alone"},
  };
  for (const auto& [arguments, said] : cases) {
    std::vector<std::string> words = {"lab", "--no-browser"};
    words.insert(words.end(), arguments.begin(), arguments.end());
    const ProgramResult result = run_faultline(words);
    if (result.err.find("built without the lab") != std::string::npos) GTEST_SKIP();
    EXPECT_EQ(result.exit_code, 2) << arguments.front();
    EXPECT_THAT(result.err, HasSubstr(said));
  }
}

TEST(Version, IsAnOptionToo) {
  const ProgramResult result = run_faultline({"--version"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, StartsWith("faultline "));
  EXPECT_EQ(result.out, run_faultline({"version"}).out);
}

TEST(Version, ReportsWhatItWasBuiltFor) {
  const ProgramResult result = run_faultline({"version"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, AllOf(HasSubstr("faultline"), HasSubstr("compiler"),
                                HasSubstr("built for"), HasSubstr("LibTorch")));
}

TEST(Version, TheEnvironmentIsValidShellAndKeepsWhatIsSet) {
  const TemporaryFolder folder;
  const std::string out = (folder.path() / "out").string();
  const std::string command =
      "unset OMP_WAIT_POLICY; export OMP_NUM_THREADS=7; settings=$(" FAULTLINE_PROGRAM
      " version --environment) && eval \"$settings\" && env > " +
      out;
  ASSERT_EQ(std::system(command.c_str()), 0);
  const std::string environment = "\n" + test::read_text(out);
  EXPECT_THAT(environment, HasSubstr("\nOMP_WAIT_POLICY=PASSIVE\n"));
  EXPECT_THAT(environment, HasSubstr("\nOMP_NUM_THREADS=7\n"));
  EXPECT_THAT(environment, HasSubstr("\nMALLOC_TRIM_THRESHOLD_="));
}

}  // namespace
}  // namespace faultline
