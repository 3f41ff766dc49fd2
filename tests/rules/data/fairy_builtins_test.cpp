// Games that Fairy-Stockfish 11.1 has and `games/` has not, as files: its counts of moves from the
// start. Not in the language are janggi (passes, lines of a palace), seirawan and s-house (pieces
// that come in behind others), placement and sittuyin (turns that only place), and kyoto and micro
// shogi (pieces that turn over with every move or in the hand).
#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "rules/perft.h"
#include "tests/rules/data/positions_of_files.h"

namespace faultline::data {
namespace {

struct Builtin {
  std::string name;
  std::string base;  // "" or a game
  std::string fen;
  std::vector<std::uint64_t> counts;
  std::string rest;  // of the file
};
void PrintTo(const Builtin& game, std::ostream* out) {
  *out << game.name;
}

const std::string kChess = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
const std::string kXiangqi = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR";
const std::string kGiveaway = "[ends]\nextinct = { all = \"*\", result = \"win\" }\n";

const std::vector<Builtin> kBuiltins = {
    {"five_check", "chess", kChess + " w KQkq - 0 1", {20, 400, 8902}, "[ends]\nchecks = 5\n"},
    {"ai_wok",
     "makruk",
     "rnsaksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKASNR w - - 0 1",
     {26, 676, 18102},
     "[pieces]\nM = \"none\"\nA = \"RNF\"\nP = { promotes = { to = \"A\" } }\n"},
    {"amazon",
     "chess",
     "rnbakbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBAKBNR w KQkq - 0 1",
     {22, 484, 12483},
     "[pieces]\nQ = \"none\"\nA = \"amazon\"\nP = { promotes = { to = \"ARBN\" } }\n"},
    {"bughouse",
     "crazyhouse",
     kChess + "[] w KQkq - 0 1",
     {20, 400, 8902},
     "[hands]\ncaptured = \"gone\"\nas = \"none\"\n"},
    {"cambodian",
     "makruk",
     "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 0 1",
     {25, 625, 15031},
     "[pieces]\nK = { moves = \"KimfsN\", white = { initial = \"d1\" }, black = { initial = "
     "\"e8\" } }\nM = { moves = \"FimnfD\", white = { initial = \"e1\" }, black = { initial = "
     "\"d8\" } }\n"},
    {"capahouse",
     "capablanca",
     "rnabqkbcnr/pppppppppp/10/10/10/10/PPPPPPPPPP/RNABQKBCNR[] w KQkq - 0 1",
     {28, 784, 25228},
     "[hands]\nP = { onto = \"a2-j7\" }\n"},
    {"caparandom",
     "capablanca",
     "rnabqkbcnr/pppppppppp/10/10/10/10/PPPPPPPPPP/RNABQKBCNR w JAja - 0 1",
     {28, 784, 25228},
     "[pieces.K]\nmoves = \"K\"\ncastle = [ { king = \"i1\", rook = \"right\" }, { king = \"c1\", "
     "rook = \"left\" } ]\n"},
    {"centaur",
     "capablanca",
     "rcnbqkbncr/pppppppppp/10/10/10/10/PPPPPPPPPP/RCNBQKBNCR w KQkq - 0 1",
     {28, 784, 24490},
     "[pieces]\nA = \"none\"\nC = \"centaur\"\nP = { promotes = { to = \"QCRBN\" } }\n"},
    {"chancellor",
     "chess",
     "rnbqkcnbr/ppppppppp/9/9/9/9/9/PPPPPPPPP/RNBQKCNBR w KQkq - 0 1",
     {24, 576, 15896},
     "[board]\nfiles = 9\nranks = 9\n[pieces]\nC = \"chancellor\"\n"
     "P = { promotes = { on = \"rank 9\", to = \"QCRBN\" } }\n"},
    {"chessgi",
     "crazyhouse",
     kChess + "[] w KQkq - 0 1",
     {20, 400, 8902},
     "[hands]\nP = { onto = \"a1-h7\" }\n"},
    {"clobber",
     "",
     "PpPpP/pPpPp/PpPpP/pPpPp/PpPpP/pPpPp w - - 0 1",
     {49, 2116, 80063},
     "[board]\nfiles = 5\nranks = 6\n[pieces]\nP = \"cW\"\n[ends]\nstalemate = \"loss\"\n"
     "only_royals = \"go on\"\nextinct = { all = \"P\" }\n"},
    {"clobber10",
     "",
     "PpPpPpPpPp/pPpPpPpPpP/PpPpPpPpPp/pPpPpPpPpP/PpPpPpPpPp/pPpPpPpPpP/PpPpPpPpPp/pPpPpPpPpP/"
     "PpPpPpPpPp/pPpPpPpPpP w - - 0 1",
     {180, 31252, 5231000},
     "[board]\nfiles = 10\nranks = 10\n[pieces]\nP = \"cW\"\n[ends]\nstalemate = \"loss\"\n"
     "only_royals = \"go on\"\nextinct = { all = \"P\" }\n"},
    {"codrus",
     "antichess",
     kChess + " w - - 0 1",
     {20, 400, 8067},
     "[ends]\nextinct = [ { any = \"K\", result = \"win\" } ]\n"},
    // Its chicks may stay chicks on the last rank, other than in the game.
    {"dobutsu",
     "",
     "gle/1c1/1C1/ELG[] w - - 0 1",
     {4, 13, 69, 412, 2334, 14011},
     "[board]\nfiles = 3\nranks = 4\n[pieces]\nL = { moves = \"K\", royal = true }\nG = \"W\"\n"
     "E = \"F\"\nC = { moves = \"fW\", promotes = { on = \"rank 4\", must = \"nowhere\", to = "
     "\"+C\" } }\n\"+C\" = \"gold\"\n[hands]\n[ends]\nreach = { piece = \"L\", zone = \"rank 4\" "
     "}\n"},
    {"embassy",
     "capablanca",
     "rnbqkcabnr/pppppppppp/10/10/10/10/PPPPPPPPPP/RNBQKCABNR w KQkq - 0 1",
     {28, 784, 25281},
     ""},
    {"euroshogi",
     "shogi",
     "1nbgkgn1/1r4b1/pppppppp/8/8/PPPPPPPP/1B4R1/1NGKGBN1[] w - - 0 1",
     {25, 625, 15424},
     "[board]\nfiles = 8\nranks = 8\n[pieces]\nS = \"none\"\nL = \"none\"\n\"+S\" = \"none\"\n"
     "\"+L\" = \"none\"\nN = { moves = \"fNsW\", promotes = { on = \"a6-h8\", must = \"a6-h8\", "
     "leaving = true } }\nR = { promotes = { on = \"a6-h8\", must = \"a6-h8\" } }\n"
     "B = { promotes = { on = \"a6-h8\", must = \"a6-h8\" } }\n"
     "P = { promotes = { on = \"a6-h8\", must = \"a6-h8\" } }\n[hands]\nL = \"none\"\n"
     "N = \"none\"\nP = { onto = \"a1-h7\" }\n"},
    {"extinction",
     "chess",
     kChess + " w KQkq - 0 1",
     {20, 400, 8902},
     "[pieces]\nK = { royal = false }\nP = { promotes = { to = \"QRBNK\" } }\n[ends]\n"
     "extinct = { any = \"*\" }\n"},
    {"fischerandom",
     "chess",
     kChess + " w HAha - 0 1",
     {20, 400, 8902},
     "[pieces.K]\nmoves = \"K\"\ncastle = [ { king = \"g1\", rook = \"right\" }, { king = \"c1\", "
     "rook = \"left\" } ]\n"},
    {"giveaway",
     "antichess",
     kChess + " w KQkq - 0 1",
     {20, 400, 8067},
     "[pieces]\nK = { moves = \"KO2\" }\n"},
    {"gorogoro",
     "shogi",
     "sgkgs/5/1ppp1/1PPP1/5/SGKGS[] w - - 0 1",
     {16, 250, 4166},
     "[board]\nfiles = 5\nranks = 6\n[pieces]\nR = \"none\"\nB = \"none\"\nN = \"none\"\n"
     "L = \"none\"\n\"+R\" = \"none\"\n\"+B\" = \"none\"\n\"+N\" = \"none\"\n\"+L\" = \"none\"\n"
     "S = { promotes = { on = \"a5-e6\" } }\n"
     "P = { promotes = { on = \"a5-e6\", must = \"rank 6\" } }\n"
     "[hands]\nL = \"none\"\nN = \"none\"\nP = { onto = \"a1-e5\" }\n"},
    {"janus",
     "capablanca",
     "rjnbkqbnjr/pppppppppp/10/10/10/10/PPPPPPPPPP/RJNBKQBNJR w KQkq - 0 1",
     {28, 782, 24747},
     "[pieces]\nA = \"none\"\nC = \"none\"\nJ = \"archbishop\"\nP = { promotes = { to = \"QJRBN\" "
     "} "
     "}\n[pieces.K]\nmoves = \"K\"\ncastle = [ { king = \"i1\", rook = \"j1\" }, { king = \"b1\", "
     "rook = \"a1\" } ]\n"},
    {"jesonmor",
     "",
     "nnnnnnnnn/9/9/9/9/9/9/9/NNNNNNNNN w - - 0 1",
     {30, 900, 27960},
     "[board]\nfiles = 9\nranks = 9\n[pieces]\nN = \"N\"\n[ends]\nonly_royals = \"go on\"\n"
     "extinct = { all = \"*\" }\n"},
    {"judkins",
     "shogi",
     "rbnsgk/5p/6/6/P5/KGSNBR[] w - - 0 1",
     {20, 336, 6183},
     "[board]\nfiles = 6\nranks = 6\n[pieces]\nL = \"none\"\n\"+L\" = \"none\"\n"
     "R = { promotes = { on = \"a5-f6\" } }\nB = { promotes = { on = \"a5-f6\" } }\n"
     "S = { promotes = { on = \"a5-f6\" } }\nN = { promotes = { on = \"a5-f6\", must = \"a5-f6\" } "
     "}\nP = { promotes = { on = \"a5-f6\", must = \"rank 6\" } }\n[hands]\nL = \"none\"\n"
     "N = { onto = \"a1-f4\" }\nP = { onto = \"a1-f5\" }\n"},
    {"karouk",
     "makruk",
     "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 0 1",
     {25, 625, 15031},
     "[pieces]\nK = { moves = \"KimfsN\", white = { initial = \"d1\" }, black = { initial = "
     "\"e8\" } }\nM = { moves = \"FimnfD\", white = { initial = \"e1\" }, black = { initial = "
     "\"d8\" } }\n[ends]\nchecks = 1\n"},
    {"kinglet",
     "chess",
     kChess + " w KQkq - 0 1",
     {20, 400, 8902},
     "[pieces]\nK = { royal = false }\nP = { promotes = { to = \"K\" } }\n[ends]\n"
     "extinct = { all = \"P\" }\n"},
    {"loop", "crazyhouse", kChess + "[] w KQkq - 0 1", {20, 400, 8902}, ""},
    {"losers",
     "chess",
     kChess + " w KQkq - 0 1",
     {20, 400, 8067},
     "[rules]\ncapture_forced = true\n[ends]\nbare_king = \"win\"\ncheckmate = \"win\"\n"
     "stalemate = \"win\"\n"},
    {"manchu",
     "xiangqi",
     "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/9/9/M1BAKAB2 w - - 0 1",
     {18, 860, 17648},
     "[pieces]\nM = [ \"rook + cannon\", \"nN\" ]\n"},
    {"modern",
     "chess",
     "rnbqkmbnr/ppppppppp/9/9/9/9/9/PPPPPPPPP/RNBMKQBNR w KQkq - 0 1",
     {24, 576, 15831},
     "[board]\nfiles = 9\nranks = 9\n[pieces]\nM = \"archbishop\"\n"
     "P = { promotes = { on = \"rank 9\", to = \"QMRBN\" } }\n"},
    {"newzealand",
     "chess",
     kChess + " w KQkq - 0 1",
     {20, 400, 8976},
     "[pieces]\nN = \"mNcR\"\nR = \"mRcN\"\n"},
    {"nocastle", "chess", kChess + " w - - 0 1", {20, 400, 8902}, "[pieces]\nK = \"K\"\n"},
    {"pocketknight",
     "chess",
     kChess + "[Nn] w KQkq - 0 1",
     {52, 2565, 88617},
     "[hands]\ncaptured = \"gone\"\n"},
    {"shatar",
     "chess",
     "rnbjkbnr/ppp1pppp/8/3p4/3P4/8/PPP1PPPP/RNBJKBNR w - - 0 1",
     {20, 400, 8426},
     "[pieces]\nQ = \"none\"\nJ = \"RF\"\nK = \"K\"\n[pieces.P]\nmoves = \"fmWfcF\"\n"
     "initial = \"none\"\npromotes = { to = \"J\" }\n"},
    {"suicide", "antichess", kChess + " w - - 0 1", {20, 400, 8067}, kGiveaway},
    {"supply",
     "xiangqi",
     kXiangqi + "[] w - - 0 1",
     {44, 1920, 79666},
     "[hands]\ncaptured = \"gone\"\n"},
    {"threekings",
     "chess",
     "knbqkbnk/pppppppp/8/8/8/8/PPPPPPPP/KNBQKBNK w - - 0 1",
     {20, 400, 8942},
     "[pieces]\nR = \"none\"\nK = { moves = \"K\", royal = false }\n"
     "P = { promotes = { to = \"QBN\" } }\n[ends]\nextinct = { any = \"K\" }\n"},
};

class BuiltinOfFairyStockfish : public testing::TestWithParam<Builtin> {};

TEST_P(BuiltinOfFairyStockfish, HasAsManyMoves) {
  const Builtin& builtin = GetParam();
  const std::string base = builtin.base.empty() ? "" : "base = \"" + builtin.base + "\"\n";
  const LoadedGame loaded =
      load_game_text("format = 1\nname = \"builtin\"\n" + base + builtin.rest +
                         "[start]\nfen = \"" + builtin.fen + "\"\n",
                     "builtin.toml", {test::kFolder});
  ASSERT_TRUE(loaded.game) << loaded.errors();
  with_tables(*loaded.game, [&]<class B>(const GameTables<B>& game) {
    const auto start = DataPosition<B>::start(game);
    int depth = 0;
    for (const std::uint64_t nodes : builtin.counts)
      EXPECT_EQ(perft(start, ++depth), nodes) << depth;
  });
}

INSTANTIATE_TEST_SUITE_P(Games, BuiltinOfFairyStockfish, testing::ValuesIn(kBuiltins),
                         [](const auto& game) { return game.param.name; });

}  // namespace
}  // namespace faultline::data
