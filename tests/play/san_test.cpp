// The short algebraic form of moves in every family: what the boards do, and reading it back.
#include "play/san.h"

#include <memory>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "rules/data/known_games.h"
#include "rules/families.h"

namespace faultline {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::unique_ptr<GamePosition> position_of(const std::string& variant, const std::string& fen) {
  return fen.empty() ? find_game(variant).start() : find_game(variant).from_fen(fen);
}

/// The text of the move that the family's own text names.
std::string san(const std::string& variant, const std::string& fen, std::string_view move) {
  const auto position = position_of(variant, fen);
  const std::optional<Move> found = position->parse_move(move);
  return found ? san_text(*position, *found) : std::string(move) + " is not legal";
}

/// The family's own text of what a text names; "" for nothing.
std::string read(const std::string& variant, const std::string& fen, std::string_view text) {
  const auto position = position_of(variant, fen);
  const std::optional<Move> found = parse_san(*position, text);
  return found ? position->move_text(*found) : "";
}

/// Every legal move's text must be read back as that move, in some positions of a random game.
void expect_read_back(const std::string& variant, int plies, int every) {
  std::mt19937_64 random(7);
  const auto position = find_game(variant).start();
  for (int ply = 0; ply < plies && !is_over(position->outcome()); ++ply) {
    const std::vector<Move> moves = position->legal_moves();
    if (ply % every == 0) {
      for (const Move move : moves) {
        const std::string text = san_text(*position, move);
        ASSERT_EQ(parse_san(*position, text), move)
            << variant << ": " << text << " (" << position->move_text(move) << ") in "
            << position->fen();
        ASSERT_EQ(parse_san(*position, position->move_text(move)), move)
            << variant << ": " << position->move_text(move) << " in " << position->fen();
      }
    }
    position->play(moves[random() % moves.size()]);
  }
}

TEST(San, OfEveryLegalMoveReadsBackInEveryFamily) {
  std::vector<std::string> variants = {"slanted:board=standard", "slanted:army=almost",
                                       "earthquake:dx=2,dy=1,aftershock=3", "inferno:levels=3"};
  for (const FamilyInfo* family : all_families())
    variants.push_back(family->name);
  for (const std::string& variant : variants)
    expect_read_back(variant, 100, 9);
}

TEST(San, OfEveryLegalMoveReadsBackInEveryGameOfAFile) {
  for (const std::string& name : data::shipped_game_names())
    expect_read_back("data:" + name, 150, 25);
}

TEST(San, TheInventorsOpeningOfEscherNamesTheStaircasesThatMove) {
  const std::vector<std::string> moves = {"e2e4", "e7e5", "f1c4", "c7c5", "c3a5", "b7b6",
                                          "a5c3", "c6a4", "c8a6", "g8f6", "b1c3", "a4c6"};
  const auto position = find_game("escher").start();
  std::vector<std::string> texts;
  for (const std::string& move : moves) {
    const Move found = position->parse_move(move).value();
    texts.push_back(san_text(*position, found));
    EXPECT_EQ(parse_san(*position, texts.back()), found);
    position->play(found);
  }
  EXPECT_THAT(texts, ElementsAre("e4", "e5", "Bc4(1,f)", "c5(c)", "Ba5(3,c)+", "b6", "Bxc3(a)",
                                 "Bxa4(6,c)", "Ba6(8,c)", "Nf6", "Nc3", "B4c6(a)"));
}

TEST(San, EffectsMayBeLeftOutAndDecideBetweenMoves) {
  // Both rooks reach e4; only the one on a4 leaves a staircase.
  const std::string fen = "3k4/8/8/8/R6R/8/8/6K1 w - - 0 1";
  EXPECT_EQ(read("escher", fen, "Re4(a)"), "a4e4");
  EXPECT_EQ(read("escher", fen, "Re4(h)"), "h4e4");
  EXPECT_EQ(read("escher", fen, "Re4"), "") << "ambiguous";
  EXPECT_EQ(read("escher", fen, "Rae4"), "a4e4");
  EXPECT_EQ(read("escher", fen, "Rae4(h)"), "") << "not what the board would do";
  EXPECT_EQ(read("escher", "", "Na3(1"), "");
  EXPECT_EQ(read("chess", "", "e4(d4)"), "e2e4") << "a variation, to other programs";
}

TEST(San, OfAPawnThatIsCarriedHomeNamesTheQueen) {
  // The rook leaves h5, and column h carries the pawn from h3 to h8.
  EXPECT_EQ(san("escher", "k7/8/8/7R/8/7P/8/6K1 w - - 0 1", "h5e5"), "Re5(h,h8=Q)+");
  EXPECT_EQ(san("shifting", "2**k3/2**4/2P5/8/2**4/2**4/8/6K1 w - - 0 1", "BIII-BIV"),
            "BIII-BIV(c8=Q)+");
}

TEST(San, OfBoardMovementsIsTheirText) {
  EXPECT_EQ(san("earthquake:aftershock=2", "", "@-1"), "@-1");
  EXPECT_EQ(san("shifting", "", "BI-BII"), "BI-BII");
}

TEST(San, WritesAllOfTheSquareLeftWhereNamesAreLong) {
  EXPECT_EQ(san("slanted", "", "a2b3"), "a2-b3") << "b2 reaches b3, too";
  EXPECT_EQ(san("slanted", "", "c1d3"), "Nd3");
  EXPECT_EQ(san("inferno", "", "1g1-1h3"), "N1h3");
  EXPECT_EQ(san("inferno", "", "1c2-2b3"), "1c2-2b3") << "a descent";
  EXPECT_EQ(
      san("inferno:levels=2", "4k3/8/8/8/8/8/8/4K2R|4k3/8/8/8/8/8/8/4K2R w K|K - 0 1", "2e1-2g1"),
      "2O-O");
  EXPECT_EQ(
      read("inferno:levels=2", "4k3/8/8/8/8/8/8/4K2R|4k3/8/8/8/8/8/8/4K2R w K|K - 0 1", "1O-O"),
      "1e1-1g1");
}

TEST(San, OfAMoveThatWinsLevelsNamesThemAndAnnouncesWhatBecomesOfThePieces) {
  // The queen mates on level 2 and rises onto the knight; the rook meets its own.
  const auto position =
      position_of("inferno:levels=3",
                  "7k/1n6/8/8/8/8/8/7K|k7/6Q1/1K6/8/8/8/8/7R|4k3/8/8/8/8/8/8/4K3 w -|-|- - 3 7");
  const Move mate = position->parse_move("2g7-2b7").value();
  EXPECT_EQ(san_text(*position, mate), "Q2b7(2)");
  EXPECT_EQ(parse_san(*position, "Q2b7(2)"), mate);
  EXPECT_EQ(position->board_effects(mate).announcement,
            "White wins level 2: Black's pieces on it are removed, K2b6 and Q2b7 ascend to level "
            "1, capturing N1b7; lost where their squares are taken: R2h1. Now level 3 is level 2.");
  // Mates can chain, and level 1 goes with all its pieces.
  const std::string level = "6k1/5ppp/8/8/8/8/5PPP/R5K1";
  const auto two =
      position_of("inferno:levels=3", level + "|" + level + "|" + level + " w -|-|- - 5 9");
  const PlayedMoves played = describe_moves(*two, std::vector{two->parse_move("2a1-2a8").value()});
  EXPECT_EQ(played.last, "R2a8(2,1)");
  ASSERT_EQ(played.events.size(), 1U);
  EXPECT_EQ(played.events[0],
            "R2a8(2,1): White wins level 2: Black's pieces on it are removed, R2a8 ascends to "
            "level 1; lost where their squares are taken: K2g1, 2f2, 2g2 and 2h2. Now level 3 is "
            "level 2. White wins level 1: it is removed with all pieces on it. Now level 2 is "
            "level 1.");
  EXPECT_THAT(describe_moves(*find_game("chess").start(), {}).last, IsEmpty());
}

}  // namespace
}  // namespace faultline
