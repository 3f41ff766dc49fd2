// The text of the protocol: commands in, options and `info` lines out.
#include <set>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/uci_commands.h"
#include "engine/uci_info.h"
#include "engine/uci_options.h"
#include "rules/families.h"

namespace faultline {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using testing::StartsWith;

TEST(UciCommands, WordsEndAtBlanksAndControlCharacters) {
  EXPECT_THAT(uci_words("  go \t nodes  5\r"), ElementsAre("go", "nodes", "5"));
  EXPECT_THAT(uci_words(std::string_view("a\0b", 3)), ElementsAre("a", "b"));
  EXPECT_THAT(uci_words(" \r"), IsEmpty());
}

TEST(UciCommands, GoTakesEveryLimit) {
  const GoCommand go = parse_go(
      "go ponder wtime 1000 btime -5 winc 10 binc 20 movestogo 3 depth 4 nodes 50 mate 2 movetime "
      "7 searchmoves e2e4 d2d4");
  EXPECT_TRUE(go.ponder);
  EXPECT_FALSE(go.infinite);
  EXPECT_EQ(go.time[0], 1000ms);
  EXPECT_EQ(go.time[1], -5ms);
  EXPECT_EQ(go.increment[0], 10ms);
  EXPECT_EQ(go.increment[1], 20ms);
  EXPECT_EQ(go.moves_to_go, 3);
  EXPECT_EQ(go.depth, 4);
  EXPECT_EQ(go.nodes, 50U);
  EXPECT_EQ(go.mate, 2);
  EXPECT_EQ(go.move_time, 7ms);
  EXPECT_THAT(go.search_moves, ElementsAre("e2e4", "d2d4"));
  EXPECT_THAT(go.complaints, IsEmpty());
}

TEST(UciCommands, SearchmovesEndAtTheNextKeyword) {
  const GoCommand go = parse_go("go searchmoves e2e4 d2d4 nodes 10 infinite");
  EXPECT_THAT(go.search_moves, ElementsAre("e2e4", "d2d4"));
  EXPECT_EQ(go.nodes, 10U);
  EXPECT_TRUE(go.infinite);
}

TEST(UciCommands, AMalformedLimitIsReportedAndCountsAsZero) {
  for (const char* line :
       {"go nodes", "go nodes x", "go nodes 5x", "go nodes 1.5", "go nodes depth"}) {
    const GoCommand go = parse_go(line);
    EXPECT_EQ(go.nodes, 0U) << line;
    EXPECT_FALSE(go.complaints.empty()) << line;
    EXPECT_TRUE(go.has_limit()) << line;
  }
}

TEST(UciCommands, HugeNumbersAreMovedIntoRange) {
  const GoCommand go = parse_go(
      "go nodes 99999999999999999999999 depth 99999999999 movetime 99999999999999999999 wtime "
      "-99999999999999999999 mate -3");
  EXPECT_GT(*go.nodes, 1'000'000'000'000U);
  EXPECT_EQ(*go.depth, std::numeric_limits<int>::max());
  EXPECT_GT(*go.move_time + std::chrono::hours(1), std::chrono::hours(1000));
  EXPECT_LT(*go.time[0], 0ms);
  EXPECT_EQ(*go.mate, 0);
}

TEST(UciCommands, PositionTakesAFenOfManyWords) {
  const auto command = parse_position("position fen 8/8/8/8/8/8/8/k1K5 w - - 0 1 moves c1c2 a1a2");
  ASSERT_TRUE(command);
  EXPECT_EQ(command->fen, "8/8/8/8/8/8/8/k1K5 w - - 0 1");
  EXPECT_THAT(command->moves, ElementsAre("c1c2", "a1a2"));
  const auto start = parse_position("position startpos");
  ASSERT_TRUE(start);
  EXPECT_FALSE(start->fen);
  EXPECT_THAT(start->moves, IsEmpty());
  EXPECT_FALSE(parse_position("position"));
  EXPECT_FALSE(parse_position("position moves e2e4"));
}

TEST(UciCommands, SetoptionTakesNamesAndValuesWithBlanks) {
  const auto command = parse_setoption("setoption name Move Overhead value  a  b \r");
  ASSERT_TRUE(command);
  EXPECT_EQ(command->name, "Move Overhead");
  EXPECT_EQ(command->value, "a  b");
  const auto button = parse_setoption("setoption name Clear Hash");
  ASSERT_TRUE(button);
  EXPECT_EQ(button->value, "");
  EXPECT_FALSE(parse_setoption("setoption"));
  EXPECT_FALSE(parse_setoption("setoption name value 3"));
}

TEST(UciOptions, AnnouncedVariantsAreCanonicalAndCoverEveryOption) {
  const std::vector<std::string> names = announced_variants();
  EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(), names.size());
  for (const std::string& name : names)
    EXPECT_EQ(with_family(parse_variant_name(name),
                          []<class P>(std::type_identity<P>, const auto& variant) {
                            return variant.canonical_name();
                          }),
              name);
  for (const FamilyInfo* family : all_families()) {
    EXPECT_THAT(names, testing::Contains(family->name));
    for (const OptionInfo& option : family->options)
      EXPECT_THAT(names, testing::Contains(testing::AllOf(StartsWith(family->name + ":"),
                                                          HasSubstr(option.name + "="))));
  }
}

TEST(UciOptions, AreAnnouncedWithTypeDefaultAndRange) {
  UciSettings settings;
  const std::string lines = option_lines(uci_options(settings, {"cpu"}), "gardner");
  EXPECT_THAT(lines, HasSubstr("option name UCI_Variant type combo default gardner var chess"));
  EXPECT_THAT(lines, HasSubstr("option name Hash type spin default 256 min 1 max 1048576\n"));
  EXPECT_THAT(lines, HasSubstr("option name Net type string default <empty>\n"));
  EXPECT_THAT(lines, HasSubstr("option name Backend type combo default auto var auto var cpu\n"));
  EXPECT_THAT(lines, HasSubstr("option name Ponder type check default false\n"));
  EXPECT_THAT(lines, HasSubstr("option name Clear Hash type button\n"));
}

TEST(UciOptions, AreFoundInAnyCaseAndWithBlanks) {
  UciSettings settings;
  const auto options = uci_options(settings, {});
  set_uci_option(find_uci_option(options, "move OVERHEAD"), "77");
  EXPECT_EQ(settings.move_overhead, 77);
  set_uci_option(find_uci_option(options, "uci_showwdl"), "True");
  EXPECT_TRUE(settings.show_wdl);
  set_uci_option(find_uci_option(options, "Evaluator"), "alphabeta");
  EXPECT_EQ(settings.evaluator, EngineEvaluator::AlphaBeta);
  set_uci_option(find_uci_option(options, "Temperature"), "0.5");
  EXPECT_EQ(settings.temperature, 0.5F);
}

TEST(UciOptions, AnInvalidValueIsRefusedAndChangesNothing) {
  UciSettings settings;
  const auto options = uci_options(settings, {"cpu"});
  for (const auto& [name, value] :
       std::vector<std::pair<std::string, std::string>>{{"Hash", "0"},
                                                        {"Hash", "-1"},
                                                        {"Hash", "lots"},
                                                        {"Hash", ""},
                                                        {"Hash", "99999999999999999999"},
                                                        {"Backend", "gpu"},
                                                        {"Evaluator", "magic"},
                                                        {"Temperature", "-1"},
                                                        {"Temperature", "nan"},
                                                        {"UCI_ShowWDL", "maybe"}})
    EXPECT_THROW(set_uci_option(find_uci_option(options, name), value), OptionError)
        << name << " " << value;
  EXPECT_EQ(settings.hash, 256);
  EXPECT_EQ(settings.backend, "auto");
  EXPECT_EQ(settings.temperature, 0.0F);
  EXPECT_THROW(find_uci_option(options, "Hush"), OptionError);
}

TEST(UciInfo, CentipawnsRiseWithTheValueAndAreSymmetric) {
  EXPECT_EQ(centipawns(0), 0);
  for (double value = -1; value < 1; value += 0.05)
    EXPECT_LT(centipawns(value), centipawns(value + 0.05));
  EXPECT_EQ(centipawns(0.4), -centipawns(-0.4));
  EXPECT_NEAR(centipawns(0.4673), 100, 1);
  EXPECT_EQ(centipawns(7), centipawns(1));
}

TEST(UciInfo, MatesAreCountedInMoves) {
  EXPECT_EQ(mate_moves(1), 1);
  EXPECT_EQ(mate_moves(3), 2);
  EXPECT_EQ(mate_moves(5), 3);
  EXPECT_EQ(mate_moves(-2), -1);
  EXPECT_EQ(mate_moves(-4), -2);
}

TEST(UciInfo, ChancesAddUpToAThousand) {
  EXPECT_EQ(wdl_text({.win = 0.5F, .draw = 0.25F, .loss = 0.25F}), "500 250 250");
  EXPECT_EQ(wdl_text({.win = 0.3335F, .draw = 0.333F, .loss = 0.3335F}), "334 332 334");
  EXPECT_EQ(wdl_text({.win = 1, .draw = 0, .loss = 0}), "1000 0 0");
}

TEST(UciInfo, ALineHasEveryFieldAndTheMovesAsText) {
  const auto position = find_game("chess").start();
  const Move first = *position->parse_move("e2e4");
  auto after = position->clone();
  after->play(first);
  const Move second = *after->parse_move("e7e5");
  AnalysisReport report;
  report.lines = {{.moves = {first, second}, .value = {.win = 0.5F, .draw = 0.5F, .loss = 0}},
                  {.moves = {*position->parse_move("d2d4")}, .value = {}, .mate_plies = -4}};
  report.depth = 3;
  report.selective_depth = 7;
  report.hash_permille = 12;
  const SearchTotals totals{.nodes = 100, .seconds = 0.5};
  EXPECT_EQ(info_lines(report, *position, totals, 2, true),
            "info depth 3 seldepth 7 multipv 1 score cp 111 wdl 500 500 0 nodes 100 nps 200 "
            "hashfull 12 time 500 pv e2e4 e7e5\n"
            "info depth 3 seldepth 7 multipv 2 score mate -2 wdl 0 1000 0 nodes 100 nps 200 "
            "hashfull 12 time 500 pv d2d4\n");
  EXPECT_THAT(info_lines(report, *position, totals, 1, false),
              testing::AllOf(HasSubstr("cp 111 nodes"), testing::Not(HasSubstr("multipv 2"))));
}

TEST(UciInfo, AVariationEndsBeforeAMoveThatIsNotLegal) {
  const auto position = find_game("chess").start();
  const Move move = *position->parse_move("e2e4");
  AnalysisReport report;
  report.lines = {{.moves = {move, move}, .value = {}}};
  EXPECT_THAT(info_lines(report, *position, {}, 1, false), testing::EndsWith(" pv e2e4\n"));
}

}  // namespace
}  // namespace faultline
