// What is said about mistakes in games' files.
#include <algorithm>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "rules/data/game_file.h"
#include "rules/data/reading.h"
#include "rules/data/refusal.h"
#include "tests/rules/data/game_texts.h"
#include "tests/temporary_folder.h"

namespace faultline::data {
namespace {

namespace fs = std::filesystem;

using texts::chess_with;
using texts::expect_message;
using texts::game;
using texts::joined;
using texts::kGames;
using texts::kSources;
using texts::load;
using texts::messages;
using texts::Names;
using texts::names;
using texts::side;

TEST(Mistakes, TenWrongFilesAreExplained) {
  const std::map<std::string, std::vector<std::string>> wrong = {
      {"w01-typo",
       {"w01-typo.toml:4: unknown table [peices]. Did you mean [pieces]? Tables here: board, "
        "pieces, "
        "hands, rules, start, ends."}},
      {"w02-wide",
       {"w02-wide.toml:5: board.files = 10, but start.fen (from chess.toml:28) has 8 squares in "
        "rank "
        "8. Add [start] fen with 10 squares a rank, e.g. "
        "\"rnabqkbcnr/pppppppppp/10/10/10/10/PPPPPPPPPP/RNABQKBCNR w KQkq - 0 1\"."}},
      {"w03-letter",
       {"w03-letter.toml:5: Q = \"none\", but P promotes to \"QRBN\" (chess.toml:24). Say it anew: "
        "[pieces.P] promotes = { to = \"ARBN\" }."}},
      {"w04-betza",
       {"w04-betza.toml:5: N = 'knight+2': '2' is no move. Names: king, queen, rook, bishop, "
        "knight, "
        "pawn, wazir, ferz, camel, cannon, gold, … (docs/games-as-data.md has all); a longer leap "
        "is "
        "(2,3) = zebra",
        "w04-betza.toml:6: warning: B = \"bF\" steps one square diagonally backward only; bishop "
        "and "
        "ferz is \"BF\"",
        "w04-betza.toml:7: Q = 'rook bishop': join names with +: \"rook + bishop\" (= queen)"}},
      {"w05-castle",
       {"w05-castle.toml:9: start.fen has castling rights KQkq, and K has O2 (chess.toml:14), "
        "which "
        "looks for R; there is no R. Either castle = [ { king = \"g1\", rook = \"h1\" }, { king = "
        "\"c1\", rook = \"a1\" } ] (any piece may stand there), or K = { moves = \"K\" } and \"-\" "
        "in "
        "the FEN."}},
      {"w06-promrank",
       {"w06-promrank.toml:5: warning: 10 ranks, but P promotes on rank 8 (chess.toml:24) and "
        "ranks 9 "
        "and 10 would never matter to it. If you want the last rank: [pieces.P] promotes = { on = "
        "\"rank 10\", to = \"QRBN\" }."}},
      {"w07-noking",
       {"w07-noking.toml:5: no piece is royal, and [ends] has only mates (checkmate, stalemate): "
        "the "
        "game could never be won. Is E your king? Add royal = true to E. Else add an end: extinct "
        "= { "
        "all = \"*\", result = \"loss\" }, reach, or stalemate = \"loss\"."}},
      {"w08-belt",
       {"w08-belt.toml:5: i4 is not on this board (files a to h, ranks 1 to 8)",
        "w08-belt.toml:9: warning: belts 2 and 3 share d4 d5 d6: when a piece leaves d5 both "
        "advance, "
        "and a piece on d4 would go to d5 and to e4: such moves are illegal"}},
      {"w09-order",
       {"w09-order.toml:5: promotes is a table: promotes = { on = \"rank 8\", to = \"Q\" }",
        "w09-order.toml:6: initial: '2' is no zone: did you mean \"rank 2\"?",
        "w09-order.toml:8: stalemate is one of \"draw\", \"win\", \"loss\" for the side that "
        "cannot "
        "move, not 'white wins'; where the sides differ see white = { … }: white = { stalemate = "
        "\"loss\" }"}},
      {"w10-hole",
       {"w10-hole.toml:5: start.fen (from grand.toml:21) has 1 board, levels.count = 3: write "
        "three, "
        "joined by |",
        "w10-hole.toml:6: hole d4-g7 has 4×4 squares, 2×2 below each make 8×8, but a level has "
        "10×10. "
        "A hole of 5×5 fits (below = [2, 2]), or below = \"all\".",
        "w10-hole.toml:6: who may descend through the hole? descend = { who = \"QRBNP\" }"}},
  };
  for (const auto& [name, expected] : wrong) {
    const fs::path file = kSources / "tests/rules/data/wrong" / (name + ".toml");
    const LoadedGame loaded = load_game_file(file, {kGames});
    EXPECT_EQ(messages(loaded), expected);
    EXPECT_EQ(loaded.has_errors(), name != "w06-promrank") << name;
  }
}

TEST(Mistakes, WhatOthersStumbleOverIsToldWhenLoading) {
  const std::string o = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/";
  const auto start = [](const std::string& fen) {
    return chess_with("[start]\nfen = \"" + fen + "\"\n");
  };
  // Castling.
  expect_message(start(o + "1NBQKBN1 w KQkq - 0 1"), "there is none");
  expect_message(chess_with("[pieces]\nK = \"K\"\n"),
                 "has castling rights KQkq, but no piece of White castles");
  expect_message(start(o + "RNBQKBNR w KK - 0 1"), "two castling rights for the piece on h1");
  expect_message(start(o + "RNBQKBNR w K? - 0 1"), "they are letters");
  expect_message(
      start(o + "RNBQKBNR w - - 0 1"),
      "K castles (from chess.toml:14), but no start has castling rights; without castling "
      "it is K = { moves = \"K\" }",
      false);
  expect_message(chess_with("[pieces.K]\ncastle = [ { king = \"g1\", rook = \"h1\" } ]\n"),
                 "K castles by O2 in its moves, too");
  // FEN.
  expect_message(start("x"), "has 1 field");
  expect_message(start(o + "RNBQKBNR w"), "has 2 fields");
  expect_message(start(o + "RNBQKBNR x KQkq - 0 1"), "w or b");
  expect_message(start(o + "RNBQKBNR w KQkq z9 0 1"), "where an en passant square is");
  expect_message(start(o + "RNBQKBNR w KQkq - x 1"), "where a number is");
  expect_message(start("rnbqkbnr/pppppppp/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"),
                 "has 7 ranks, but the board has 8");
  expect_message(start(o + "RNBQKBN w KQkq - 0 1"),
                 "has 7 squares in rank 1 ('RNBQKBN'), but the board has 8 there");
  expect_message(chess_with("[pieces]\nN = \"N14\"\n"),
                 "warning: N14 makes the same leap up to 14 times; another leap is written (1,4)",
                 false);
  expect_message(chess_with("[board]\nrows = [\"a3 . . b3\", \"a2 b2 c2 d2\", \"a1 b1 c1 d1\"]\n"
                            "[start]\nfen = \"k2k/4/K2K w - - 0 1\"\n"),
                 "but the board has 2 there; cells that are no squares are not written");
  expect_message(start(o + "RNBQKBNX w KQkq - 0 1"), "has X, which is no piece");
  expect_message(start(o + "RNBQKBN? w KQkq - 0 1"), "what is no piece, number or *");
  expect_message(start(o + "RNBQKBNR[] w KQkq - 0 1"), "there is no [hands]");
  expect_message(start("rnbqkbnr/pppppppp/8/8/7*/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"),
                 "has * on h4, which is neither in a gap nor covered");
  expect_message(start("rnbqkbnP/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQq - 0 1"),
                 "has P of White on h8, where it must promote: on = 'rank 8' (from chess.toml:24)");
  expect_message(start("rnbq1bnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQ - 0 1"),
                 "Black has no royal piece in the start");
  // Letters and zones.
  expect_message(chess_with("[pieces.P]\npromotes = { to = \"QX\" }\n"),
                 "there is no piece 'X'; pieces are B K N P Q R");
  expect_message(chess_with("[pieces.P]\npromotes = { to = \"P\" }\n"), "promotes to itself");
  expect_message(chess_with("[pieces.P]\npromotes = { on = \"rank 9\" }\n"),
                 "rank 9 is not on this board (files a to h, ranks 1 to 8)");
  expect_message(chess_with("[pieces.P]\npromotes = { must = \"rank 7\" }\n"),
                 "must has a7 b7 c7 d7 e7 f7 g7 h7, where P does not promote");
  expect_message(chess_with("[pieces]\nk = \"K\"\n"), "write K; FEN has it in lower case");
  expect_message(chess_with("[pieces]\nKn = \"N\"\n"), "Free letters: ACDEFGHIJLMOSTUVWXYZ");
  expect_message(chess_with("[pieces.P]\ninitial = \"none\"\n"), "ifmnD, where i means");
  expect_message(chess_with("[pieces]\nN = \"pgR\"\n"), "p goes on behind the piece, g ends there");
  expect_message(chess_with("[pieces]\nP = \"fmWfcF\"\n"),
                 "initial = 'rank 2' (from chess.toml:23) means nothing", false);
  expect_message(chess_with("[pieces]\nP = { moves = \"fmWfceF\", initial = \"none\" }\n"),
                 "but no piece can be taken en passant", false);
  expect_message(chess_with("[pieces]\nA = \"BN\"\n"),
                 "A is in no start, and nothing promotes to it", false);
  expect_message(chess_with("[pieces]\nA = \"none\"\n"), "removes nothing", false);
  expect_message(
      chess_with("[pieces]\nN = { moves = [ { moves = \"N\", onto = \"nowhere\" } ] }\n"),
      "could never be made");
  expect_message(chess_with("[pieces]\nN = \"N(8,9)\"\n"), "test.toml:5: warning: N: (8,9) (leaps ",
                 false);
  expect_message(
      chess_with("[pieces]\nN = { moves = [ \"N\", { moves = \"fW\", from = \"rank 8\" } ] }\n"),
      "(steps one square forward, only from rank 8) could never be made on this board", false);
  expect_message(chess_with("[pieces]\nN = { moves = [ \"N\", { moves = \"W\", from = \"a1\", "
                            "onto = \"h8\" } ] }\n"),
                 "could never be made on this board", false);
  expect_message(chess_with("[pieces.P]\ninitial = \"nowhere\"\n"),
                 "P: ifmnD (from its initial squares leaps two squares forward, not over pieces, "
                 "without taking) could never be made on this board: leave it out",
                 false);
  expect_message(
      chess_with("[pieces.N]\nblack = { moves = [ \"N\", { moves = \"W\", from = \"a1\", "
                 "onto = \"h8\" } ] }\n"),
      "could never be made by Black on this board", false);
  expect_message(
      chess_with("[pieces]\nN = { moves = [ \"N\", { moves = \"mW\", takes = \"Q\" } ] }\n"),
      "takes = 'Q' means nothing: mW captures nothing", false);
  expect_message(chess_with("[pieces.P]\npromotes = { carried = \"Q\" }\n"),
                 "carried means nothing", false);
  for (const char* zone :
       {"2", "a", "A1", "a1:c3", "a1 b1", "rank", "", "i1-j2", "rank 0", "file z"})
    expect_message(chess_with("[pieces.P]\ninitial = \"" + std::string(zone) + "\"\n"),
                   "initial: ");
  // Boards.
  expect_message(chess_with("[board]\nfiles = 20\nranks = 20\n"),
                 "the board has 400 squares; this program plays on up to 128");
  expect_message(chess_with("[board]\nfiles = 6\nranks = 6\n"),
                 "board.ranks = 6, but on = \"rank 8\" (from chess.toml:24): rank 8 is not on this "
                 "board (files a to f, "
                 "ranks 1 to 6). Say on anew.",
                 true);
  expect_message("format = 1\nname = \"x\"\n[pieces]\nK = { moves = \"K\", royal = true }\n",
                 "has no [board]");
  expect_message(chess_with("[board]\nrows = [ \"a1 b1\", \"a1 b2\" ]\n"), "two squares a1");
  expect_message(chess_with("[board]\nrows = [ \"a2 b2\", \"a1\" ]\n"), "this row has 1 cell");
  expect_message(chess_with("[board]\nrows = [ \"a2 B2\" ]\n"), "'B2' is no cell");
  expect_message(chess_with("[board]\nfiles = 8\nrows = [ \"a1\" ]\n"), "leave one out");
  // Devices.
  expect_message(chess_with("[[board.belt]]\nsquares = \"a8 b8 c8\"\n"),
                 "P can be carried onto a8 b8 c8, where it promotes (from chess.toml:24): to what");
  expect_message(chess_with("[[board.belt]]\nsquares = \"a4 a5 a4\"\n"), "has a4 twice");
  expect_message(chess_with("[[board.belt]]\nsquares = \"a4\"\n"), "at least two squares");
  expect_message(chess_with("[[board.belt]]\nquarter = \"a1-b3\"\n"), "no square of squares");
  expect_message(chess_with("[[board.belt]]\nsquares = \"a4 a5\"\nways = \"both\"\n"),
                 "when = \"instead\"");
  expect_message(chess_with("[[board.belt]]\nsquares = \"a4 a5\"\nuses = 3\n"),
                 "uses is for movements that are a turn of their own");
  expect_message(chess_with("[[board.belt]]\nsquares = \"a4 a5\"\nadvance = \"left\"\n"),
                 "is called when", false);
  expect_message(chess_with("[[board.part]]\nsquares = \"a1-h4\"\nat = [ 0, 4 ]\n"), "covered");
  expect_message(chess_with("[[board.part]]\nsquares = \"a1-h4\"\nat = [ 20, 0 ]\n"),
                 "touches the rest of the board nowhere", false);
  expect_message(chess_with("[board.sectors]\nsize = [ 3, 2 ]\n"), "3×2 need a rectangle");
  expect_message(chess_with("[board.sectors]\nsize = [ 2, 2 ]\ngaps = \"ZII\"\n"),
                 "'ZII' is no area: areas are AI to DIV");
  expect_message(chess_with("[board.sectors]\nsize = [ 2, 2 ]\ngaps = \"BII\"\n"),
                 "has an empty square on c4, which is in a gap: write *");
  expect_message(chess_with("[board.levels]\ncount = 2\nhole = \"c3-f6\"\n"),
                 "what lies under each square of the hole?");
  // Ends.
  expect_message(
      "format = 1\nname = \"x\"\nbase = \"antichess\"\n[ends]\nextinct = { any = \"K\" }\n",
      "test.toml:5: extinct has both any = 'K' and all = '*' (from antichess.toml:");
  // Hands.
  expect_message(chess_with("[hands]\nP = { onto = \"a2-h8\" }\n"),
                 "test.toml:5: warning: P may be dropped on a8 b8 c8 d8 e8 f8 g8 h8, where it "
                 "could never move: leave "
                 "these squares out of onto = 'a2-h8'",
                 false);
  // TOML.
  expect_message("format = 1\nname = \"x\"\n[pieces]\nK = \"K\"\n[pieces.K]\nmoves = \"K\"\n",
                 "pieces.K is defined twice, in lines 4 and 5: put them together");
  expect_message("format = \n", "test.toml:1: not valid TOML");
  expect_message("format = 2\nname = \"x\"\n", "this program reads format 1");
  expect_message("name = \"x\"\n", "has no format");
  expect_message("format = 1\n", "has no name");
  expect_message("format = 1\nname = \"My Game\"\n", "must be of up to 64 small letters");
  expect_message(chess_with("title = \"\\u001b[31m\"\n"),
                 "test.toml:4: title has a control character");
  expect_message(chess_with("[pieces]\nN = { name = \"a\\u0000\" }\n"),
                 "name has a control character");
  EXPECT_NE(
      load_game_file("no/such/file.toml").errors().find("no/such/file.toml: there is no such"),
      std::string::npos);
}

TEST(Mistakes, FilesThatCannotBeReadAreNamed) {
  const test::TemporaryFolder folder;
  const fs::path file = folder.path() / "x.toml";
  fs::create_directory(file);
  EXPECT_TRUE(load_game_file(file).errors().ends_with("x.toml: cannot be read: it is a folder"))
      << load_game_file(file).errors();
  const fs::path link = folder.path() / "y.toml";
  fs::create_symlink("nowhere.toml", link);
  EXPECT_NE(load_game_file(link).errors().find("y.toml: cannot be read: it is a link"),
            std::string::npos)
      << load_game_file(link).errors();
  const fs::path longest = folder.path() / (std::string(5000, 'z') + ".toml");
  EXPECT_TRUE(load_game_file(longest).errors().ends_with(".toml: there is no such file"));
}

TEST(Mistakes, WhatIsFarFromAnyGameIsTold) {
  const std::string long_name(100'000, 'a');
  std::string bytes;
  for (int i = 0; i < 5000; ++i)
    bytes += static_cast<char>((i * 7919 + 13) % 256);
  std::string fen = "[start]\nfen = \"";
  for (int i = 0; i < 20'000; ++i)
    fen += "8/";
  const std::vector<std::string> files = {
      "",
      "\n  \n",
      std::string(1000, '\0'),
      bytes,
      std::string("format = 1\0\n", 12),
      "format = 1\nname = \"x\\u0000y\"\nbase = \"chess\"\n",
      "format = 1\nname = \"" + long_name + "\"\nbase = \"chess\"\n",
      "format = 1\nname = \"x\"\nbase = \"" + long_name + "\"\n",
      "format = 1\nname = \"x\"\nbase = \"\u2654\"\n",
      "format = []\nname = {}\nbase = 1979-05-27\nboard = 7\npieces = \"x\"\nstart = []\nends = "
      "true\n",
      "[[board]]\nfiles = 1\n[[pieces]]\nK = \"K\"\n",
      "a = " + std::string(20'000, '[') + std::string(20'000, ']'),
      chess_with("[pieces]\n" + std::string(100'000, 'A') + " = \"N\"\n"),
      chess_with("[pieces]\n\"\u2654\" = \"K\"\n"),
      chess_with("[pieces]\nN = \"" + std::string(50'000, '[') + "\"\n"),
      chess_with("[pieces]\nN = \"(999999999999,1)\"\n"),
      chess_with("[pieces]\nN = \"N999999999999\"\n"),
      chess_with("[board]\nfiles = 99999999999999999999999999\n"),
      chess_with("[board]\nfiles = 9223372036854775807\n"),
      chess_with("[board]\nfiles = inf\n"),
      chess_with("[board]\nfiles = -9223372036854775808\nranks = 1\n"),
      chess_with("[board]\nfiles = 26\nranks = 99\n"),
      chess_with("[board]\nvoid = \"a1-h8\"\n"),
      chess_with("[board.levels]\ncount = 2147483647\n"),
      chess_with("[board.sectors]\nsize = [2147483647, 2]\n"),
      chess_with("[board.sectors]\nsize = [0, 0]\n"),
      chess_with("[[board.belt]]\nsquares = \"a4 a5\"\nwhen = \"every 99999999999999999999\"\n"),
      chess_with("[ends]\nplies = 4294967297\n"),
      chess_with("[ends]\nplies = nan\n"),
      chess_with(fen + " w - - 0 1\"\n"),
      chess_with("[start]\nfen = \"" + std::string(50'000, '|') + " w - - 0 1\"\n"),
  };
  for (const std::string& file : files) {
    const LoadedGame loaded = load(file);
    EXPECT_FALSE(loaded.game) << file.substr(0, 100);
    ASSERT_TRUE(loaded.has_errors()) << file.substr(0, 100);
    for (const Finding& finding : loaded.findings) {
      EXPECT_FALSE(finding.file.empty()) << finding.text;
      EXPECT_LT(finding.text.size(), 1500U) << finding.text;
    }
  }
}

TEST(Mistakes, LinksThatForkWithoutEndAreTold) {
  std::string links;
  const std::vector<std::string> squares = {"c4", "d4", "e4", "f4", "c5",
                                            "d5", "e5", "f5", "c6", "d6"};
  for (const std::string& from : squares)
    for (const std::string& to : squares)
      links += "{ from = \"" + from + "\", way = \"n\", to = \"" + to + "\" }, ";
  expect_message(chess_with("[board]\nlinks = [ " + links + " ]\n"),
                 "chess.toml:16: R: this program does not play so many ways of a piece along links "
                 "or slanted rows that fork");
}

TEST(Mistakes, OneMessageNamesAllHolesOnABelt) {
  const LoadedGame loaded = load(
      "format = 1\nname = \"test\"\nbase = \"inferno2\"\n[[board.belt]]\nsquares = \"d3 d4 e4 "
      "e3\"\n");
  EXPECT_EQ(messages(loaded), (std::vector<std::string>{
                                  "test.toml:5: 1d3 1e3 1d4 1e4 are holes, on which nothing stands "
                                  "that a belt could carry"}));
}

TEST(Mistakes, WhatIsToBePastedNamesAPiece) {
  expect_message("format = 1\nname = \"test\"\nbase = [\"makruk\", \"quadrants\"]\n",
                 "[pieces.P] promotes = { carried = \"M\" }");
}

TEST(Mistakes, AStartInWhichTheGameIsOverIsRefused) {
  const GameFile over = game(
      "format = 1\nname = \"test\"\n[board]\nfiles = 1\nranks = 1\n[pieces]\nK = \"W\"\n"
      "[start]\nfen = \"K w - - 0 1\"\n[ends]\nstalemate = \"loss\"\nplies = 20\n");
  EXPECT_EQ(
      refusal(over, "test.toml"),
      "test.toml:9: start.fen: the game is over before the first move; the outcome is 'black'");
  EXPECT_EQ(refusal(game(chess_with("")), "test.toml"), "");
}

TEST(Mistakes, LimitsOfThisProgramNameTheLine) {
  const auto refused = [](const std::string& rest) {
    return refusal(game(chess_with(rest)), "file");
  };
  EXPECT_EQ(refused("[[board.part]]\nsquares = \"rank 1\"\n[[board.part]]\nsquares = \"rank 8\"\n"
                    "shift = { files = [-8, 8] }\n"),
            "test.toml:6: board.part: this program does not play shifts by more than 7 files or "
            "ranks");
  const std::string row = "\"a1 b1 c1 d1 e1 f1 g1 h1 i1 j1 k1 l1 m1 n1 o1 p1 q1 r1 s1 t1\"";
  EXPECT_EQ(refused("[board]\nrows = [" + row + "]\n[pieces]\nK = \"W\"\nQ = \"none\"\n" +
                    "R = { moves = \"R\" }\nB = \"none\"\nN = \"none\"\nP = \"none\"\n[start]\n"
                    "fen = \"K17rk w - - 0 1\"\n"),
            "test.toml:9: pieces.R: this program does not play a way on which more than 16 squares "
            "can block a piece");
  expect_message(chess_with("[board]\nfiles = 20\n"),
                 "test.toml:5: board.files: the board has 160 squares");
  std::string belts;
  for (int i = 0; i < 129; ++i)
    belts += "[[board.belt]]\nsquares = \"c4 c5\"\n";
  expect_message(chess_with(belts),
                 "test.toml:261: the board has 129 belts; this program plays up to 128");
  std::string many = "[pieces]\n";
  for (const char letter : std::string("ACDEFGHIJLMO"))
    many += std::string(1, letter) + " = \"W\"\n";
  expect_message(chess_with(many), "[pieces] has 18 with those of its bases");
}

TEST(Mistakes, AllErrorsAreToldAtOnceInTheOrderOfTheLines) {
  const LoadedGame loaded =
      load(chess_with("[board]\nwrap = \"sideways\"\n[pieces]\nN = \"knihgt\"\nB = 7\n"
                      "[ends]\nchecks = \"three\"\n"));
  const std::vector<std::string> all = messages(loaded);
  ASSERT_EQ(all.size(), 4U) << joined(all);
  EXPECT_TRUE(all[0].starts_with("test.toml:5: board.wrap is 'sideways'")) << all[0];
  EXPECT_TRUE(all[1].starts_with("test.toml:7: N = 'knihgt'")) << all[1];
  EXPECT_TRUE(all[2].starts_with("test.toml:8: B is 7")) << all[2];
  EXPECT_TRUE(all[3].starts_with("test.toml:10: ends.checks is 'three'")) << all[3];
}

/// The file around a table of that path, for a line that stands in it.
std::string with_line(std::string_view path, const std::string& line) {
  const std::map<std::string_view, std::string> around = {
      {"", "%"},
      {"board", "[board]\n%"},
      {"board.rows", "[board]\nrows = [ { cells = \"a1\", % } ]"},
      {"board.links", "[board]\nlinks = [ { % } ]"},
      {"board.belt", "[[board.belt]]\n%"},
      {"board.part", "[[board.part]]\n%"},
      {"board.part.shift", "[[board.part]]\nsquares = \"rank 1\"\nshift = { % }"},
      {"board.sectors", "[board.sectors]\nsize = [ 2, 2 ]\n%"},
      {"board.sectors.slide", "[board.sectors]\nsize = [ 2, 2 ]\nslide = { % }"},
      {"board.levels", "[board.levels]\nhole = \"c3-f6\"\n%"},
      {"board.levels.descend", "[board.levels]\ncount = 2\ndescend = { % }"},
      {"pieces.P", "[pieces.P]\n%"},
      {"pieces.P.moves", "[pieces.P]\nmoves = [ { moves = \"N\", % } ]"},
      {"pieces.P.promotes", "[pieces.P]\npromotes = { on = \"rank 8\", to = \"Q\", % }"},
      {"pieces.P.castle", "[pieces.P]\ncastle = [ { king = \"g1\", rook = \"h1\", % } ]"},
      {"hands", "[hands]\n%"},
      {"hands.P", "[hands]\nP = { % }"},
      {"rules", "[rules]\n%"},
      {"rules.explode", "[rules]\nexplode = { % }"},
      {"start", "[start]\n%"},
      {"ends", "[ends]\n%"},
      {"ends.bare_king", "[ends]\nbare_king = { % }"},
      {"ends.reach", "[ends]\nreach = { piece = \"K\", zone = \"a1\", % }"},
      {"ends.extinct", "[ends]\nextinct = { all = \"*\", % }"},
      {"ends.plies", "[ends]\nplies = { % }"},
      {"ends.repetition", "[ends]\nrepetition = { % }"},
  };
  std::string text = around.at(path);
  // A key that the surrounding already has is replaced by the line.
  const std::string key = line.substr(0, line.find(' '));
  for (const std::string given :
       {"size = [ 2, 2 ]\n", "on = \"rank 8\", ", "to = \"Q\", ", "piece = \"K\", ",
        "zone = \"a1\", ", "moves = \"N\", ", "king = \"g1\", ", "rook = \"h1\", ", "all = \"*\", ",
        "cells = \"a1\", ", "hole = \"c3-f6\"\n"})
    if (given.starts_with(key + " ") && text.find(given) != std::string::npos)
      text.erase(text.find(given), given.size());
  if (key == "any") text.erase(text.find("all = \"*\", "), 11);
  text.replace(text.find('%'), 1, line);
  if (!path.empty()) return chess_with(text + "\n");
  std::string whole;
  for (const std::string& one :
       {std::string("format = 1"), std::string("name = \"test\""), std::string("base = \"chess\"")})
    if (!one.starts_with(key + " ")) whole += one + "\n";
  return whole + text + "\n";
}

TEST(Mistakes, EveryKeyWithAValueOfAnotherKindIsTold) {
  std::size_t keys = 0;
  for (const KnownTable& table : known_tables())
    for (const KnownKey& key : table.keys) {
      ++keys;
      // A date is what no key has.
      const std::string file = with_line(table.path, std::string(key.name) + " = 1979-05-27");
      const LoadedGame loaded = load(file);
      const bool told = std::ranges::any_of(loaded.findings, [&](const Finding& finding) {
        return finding.is_error && finding.text.find(key.name) != std::string::npos &&
               finding.text.find("a date or time") != std::string::npos && finding.line > 0 &&
               finding.file == "test.toml";
      });
      EXPECT_TRUE(told) << table.path << "." << key.name << "\n"
                        << file << "\n"
                        << joined(messages(loaded));
      EXPECT_FALSE(loaded.game);
    }
  EXPECT_GE(keys, 100U);
}

TEST(Mistakes, EveryKeyWithATypoIsTold) {
  for (const KnownTable& table : known_tables())
    for (const KnownKey& key : table.keys) {
      std::string typo(key.name);
      typo.insert(typo.size() / 2, "q");
      const LoadedGame loaded = load(with_line(table.path, typo + " = 1979-05-27"));
      const bool told = std::ranges::any_of(loaded.findings, [&](const Finding& finding) {
        return finding.is_error && finding.text.find("unknown") != std::string::npos &&
               finding.text.find(typo) != std::string::npos;
      });
      EXPECT_TRUE(told) << table.path << "." << typo << "\n" << joined(messages(loaded));
    }
}

TEST(Mistakes, WhatIsReservedIsRefusedByName) {
  for (const auto& [path, line] :
       std::vector<std::pair<std::string, std::string>>{{"", "[turn]\nparts = 2"},
                                                        {"board", "geometry = \"hexagons\""},
                                                        {"board", "landing = [ ]"},
                                                        {"board", "pull = { }"},
                                                        {"board.belt", "end = \"bounce\""},
                                                        {"pieces.P", "unmoved = true"},
                                                        {"pieces.P.moves", "hops = 2"},
                                                        {"rules", "pass = true"},
                                                        {"rules", "leave_area = \"a1\""}})
    expect_message(with_line(path, line), "is reserved");
}

}  // namespace
}  // namespace faultline::data
