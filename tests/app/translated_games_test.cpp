// `faultline game`: games' files as a whole, and as Fairy-Stockfish plays them.
#include <cstdint>
#include <filesystem>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "rules/data/data_position.h"
#include "rules/data/game_file.h"
#include "rules/perft.h"
#include "tests/app/run_program.h"
#include "tests/outsiders.h"

namespace faultline {
namespace {

using testing::AllOf;
using testing::HasSubstr;

const std::string kGameFiles = FAULTLINE_SOURCE_DIR "/games/";
constexpr int kDepth = 3;

template <class B>
std::vector<std::uint64_t> counts_of(const data::GameFile& file) {
  const data::GameTables<B> tables(file);
  const auto start = data::DataPosition<B>::from_fen(tables, file.starts[0].fen);
  std::vector<std::uint64_t> counts;
  for (int depth = 1; depth <= kDepth; ++depth)
    counts.push_back(perft(start, depth));
  return counts;
}

std::vector<std::uint64_t> our_counts(const data::GameFile& game) {
  return game.board.all_squares() <= 64 ? counts_of<Bitboard>(game) : counts_of<WideBitboard>(game);
}

/// What Fairy-Stockfish prints when it reads the commands; "" if it is not installed.
std::string fairy_stockfish(const TemporaryFolder& folder, const std::string& commands) {
  const std::string input = folder.write("commands", commands + "quit\n");
  const std::string log = folder.path() / "log";
  const int code =
      test::run("PATH=\"$PATH:/usr/games\" fairy-stockfish <" + test::in_quotes(input), log);
  return code == 0 ? test::read_text(log) : "";
}

/// Ends a test if it is missing: skipped, or failed where it is required.
#define NEEDS_FAIRY_STOCKFISH(output)                                                    \
  if ((output).empty()) {                                                                \
    if (test::outsiders_are_required()) FAIL() << "fairy-stockfish is not installed";    \
    GTEST_SKIP() << "fairy-stockfish is not installed; scripts/setup --engines does it"; \
  }

void expect_same_counts(const std::string& file) {
  const data::LoadedGame loaded = data::load_game_file(file, {kGameFiles});
  ASSERT_TRUE(loaded.game) << loaded.errors();
  const ProgramResult translated = run_faultline({"game", file, "--to", "fairy-stockfish"});
  ASSERT_EQ(translated.exit_code, 0) << translated.err;
  const TemporaryFolder folder;
  const std::string variants = folder.write("variants.ini", translated.out);
  const std::string output = fairy_stockfish(
      folder, "setoption name VariantPath value " + variants +
                  "\nsetoption name UCI_Variant value faultline-" + loaded.game->name +
                  "\nposition startpos\ngo perft 1\ngo perft 2\ngo perft 3\n");
  NEEDS_FAIRY_STOCKFISH(output);
  if (translated.out.find("11.1 does not read") != std::string::npos &&
      output.find("Fairy-Stockfish 11.") != std::string::npos)
    GTEST_SKIP() << "this release of fairy-stockfish does not read all of " << file;
  std::vector<std::uint64_t> counts;
  const std::regex nodes("Nodes searched: ([0-9]+)");
  for (std::sregex_iterator at(output.begin(), output.end(), nodes), end; at != end; ++at)
    counts.push_back(std::stoull((*at)[1]));
  EXPECT_EQ(counts, our_counts(*loaded.game)) << translated.out;
}

class TranslatedGame : public testing::TestWithParam<const char*> {};

TEST_P(TranslatedGame, HasAsManyMovesInFairyStockfish) {
  expect_same_counts(kGameFiles + GetParam() + ".toml");
}

INSTANTIATE_TEST_SUITE_P(Games, TranslatedGame,
                         testing::Values("almost", "antichess", "asean", "breakthrough",
                                         "capablanca", "chess", "chess960", "chigorin", "courier",
                                         "crazyhouse", "gardner", "gothic", "grand",
                                         "hoppel-poppel", "horde", "atomic", "king-of-the-hill",
                                         "knightmate", "losalamos", "makruk", "minishogi",
                                         "minixiangqi", "racing-kings", "shako", "shatranj",
                                         "shogi", "three-check", "xiangqi"));

/// Pieces in hand, pieces about to promote, promoted ones of shogi.
class TranslatedHands : public testing::TestWithParam<std::pair<const char*, const char*>> {};

TEST_P(TranslatedHands, DropAndPromoteInFairyStockfish) {
  const TemporaryFolder folder;
  const auto& [base, fen] = GetParam();
  expect_same_counts(folder.write("x.toml", "format = 1\nname = \"x\"\nbase = \"" +
                                                std::string(base) + "\"\n[start]\nfen = \"" + fen +
                                                "\"\n"));
}

INSTANTIATE_TEST_SUITE_P(
    Games, TranslatedHands,
    testing::Values(
        std::pair{"crazyhouse",
                  "r1bqk2r/ppPp1ppp/2n2n2/2b1p3/4P3/2N2N2/PPPP1pPP/R1BQ1K1R[NPnp] w kq - 0 1"},
        std::pair{"shogi",
                  "ln1gkg1nl/6+P2/2sppps1p/p1p3p2/1p2P4/2P3P2/PP1PSP1PP/1BG3GR1/"
                  "LNS1K2NL[PPpn] w - - 0 1"},
        std::pair{"minishogi", "1b1gk/r1s1p/4P/PS1R1/KGB2[Pp] w - - 0 1"}));

/// Its own name of the game, and a section that is made from the file; a promoted pawn's letter is
/// written differently.
TEST(FairyStockfish, PlaysGamesOfFiles) {
  const TemporaryFolder folder;
  NEEDS_FAIRY_STOCKFISH(fairy_stockfish(folder, "uci\n"));
  const std::string variants = folder.path() / "variants.ini";
  ASSERT_EQ(run_faultline(
                {"game", kGameFiles + "crazyhouse.toml", "--to", "fairy-stockfish", "-o", variants})
                .exit_code,
            0);
  const std::string openings = folder.write(
      "openings",
      "k7/4P3/1K6/8/8/8/8/8[] w - - 0 1\n8/4P1k1/8/8/8/8/8/4K3[] w - - 0 1 moves e7e8+q\n");
  for (const std::string& names :
       {std::string("UCI_Variant=crazyhouse"),
        "VariantPath=" + variants + "&UCI_Variant=faultline-crazyhouse"}) {
    const std::string games = folder.path() / "games.pgn";
    std::filesystem::remove(games);
    const ProgramResult result = run_faultline(
        {"match", "data:crazyhouse", "uci:fairy-stockfish?nodes=500&" + names, "random", "--games",
         "4", "--openings", openings, "--pgn", games, "--threads", "1"});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    const std::string text = test::read_text(games);
    EXPECT_THAT(text, HasSubstr("1. e8=+Q#")) << names;
    EXPECT_THAT(text, testing::Not(HasSubstr("forfeit"))) << names;
  }
}

TEST(TranslatedGameCommand, SaysCustomPiecesInBetza) {
  const TemporaryFolder folder;
  const std::string file =
      folder.write("x.toml",
                   "format = 1\nname = \"x\"\nbase = \"chess\"\n[pieces]\nN = \"knight + camel\"\n"
                   "Q = \"RfFbN\"\n");
  const ProgramResult result = run_faultline({"game", file, "--to", "fairy-stockfish"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out,
              AllOf(HasSubstr("does not read: custom pieces\n[faultline-x]\n"),
                    HasSubstr("\ncustomPiece1 = n:NC\n"), HasSubstr("\ncustomPiece2 = q:RfFbN\n")));
}

TEST(TranslatedGameCommand, RefusesAStartThatCannotBePlayed) {
  const TemporaryFolder folder;
  const std::string file = folder.write(
      "short.toml",
      "format = 1\nname = \"short\"\nbase = \"chess\"\n[start]\nfen = \"4k3/8/8/8 w - - 0 1\"\n");
  for (const ProgramResult& result :
       {run_faultline({"game", file}), run_faultline({"check", file})}) {
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_THAT(result.err, AllOf(HasSubstr("short.toml"), HasSubstr("start")));
  }
}

TEST(TranslatedGameCommand, RefusesByKeyWhatItCannotSay) {
  for (const auto& [game, refusals] : std::vector<std::pair<std::string, std::vector<std::string>>>{
           {"inferno-escher",
            {"board.belt: its boards do not move", "board.levels: its boards have one level"}},
           {"slanted-ultra", {"board: its boards are full rectangles"}},
           {"cylinder", {"board.wrap: its boards have edges"}},
           {"quadrants", {"board.belt: its boards do not move"}},
           {"spartan", {"pieces.K.royal: ", "pieces.P.promotes: all its pawns promote alike"}}}) {
    const ProgramResult result =
        run_faultline({"game", kGameFiles + game + ".toml", "--to", "fairy-stockfish"});
    EXPECT_EQ(result.exit_code, 2) << game;
    EXPECT_EQ(result.out, "");
    const std::string place = game + ".toml: ";
    for (const std::string& refusal : refusals)
      EXPECT_THAT(result.err, HasSubstr(place + refusal));
  }
}

TEST(TranslatedGameCommand, RefusesPiecesThatHaveNoWords) {
  const TemporaryFolder folder;
  const std::string head = "format = 1\nname = \"x\"\nbase = \"chess\"\n[pieces]\n";
  for (const auto& [piece, refusal] : std::vector<std::pair<std::string, std::string>>{
           {"N = \"(1,4)\"", "pieces.N.moves: (1,4): its atoms are"},
           {"N = \"[F?R]\"", "pieces.N.moves: [F?R]: its atoms are"},
           {"N = \"nZ\"", "pieces.N.moves: nZ: its lame leapers are"},
           {"N = \"DD\"", "pieces.N.moves: DD: its riders are"},
           {"N = [ { moves = \"N\", takes = \"Q\" } ]", "pieces.N.moves: its pieces take whatever"},
           {"N = [ \"W\", { moves = \"N\", onto = \"a1-h4\" } ]", "lead to the same squares"},
           {"P = { moves = \"fmWfcF\" }\nN = { moves = \"NifmnD\", initial = \"rank 1\" }",
            "if one of its pawns has moves with i, all have them"},
           {"N = { white = { moves = \"NW\" } }",
            "pieces.N: its pieces of both sides move alike"}}) {
    const std::string file = folder.write("x.toml", head + piece + "\n");
    const ProgramResult result = run_faultline({"game", file, "--to", "fairy-stockfish"});
    EXPECT_EQ(result.exit_code, 2) << piece;
    EXPECT_THAT(result.err, HasSubstr(refusal)) << piece;
  }
}

TEST(TranslatedGameCommand, PrintsTheGameWithItsBases) {
  const TemporaryFolder folder;
  const std::string file = folder.path() / "whole.toml";
  const ProgramResult result = run_faultline({"game", kGameFiles + "grand.toml", "-o", file});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.out, "");
  const data::LoadedGame whole = data::load_game_file(file);
  ASSERT_TRUE(whole.game) << whole.errors();
  EXPECT_EQ(whole.game->text, test::read_text(file));
  EXPECT_EQ(whole.game->text, data::load_game_file(kGameFiles + "grand.toml").game->text);
  EXPECT_EQ(whole.game->text.find("base"), std::string::npos);
}

}  // namespace
}  // namespace faultline
