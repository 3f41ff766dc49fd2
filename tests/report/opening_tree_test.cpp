// The tree of first moves.
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "report/opening_section.h"

namespace faultline {
namespace {

std::vector<Move> moves_of(const Game& game, const std::vector<std::string>& texts) {
  std::vector<Move> moves;
  const auto position = game.start();
  for (const std::string& text : texts) {
    moves.push_back(position->parse_move(text).value());
    position->play(moves.back());
  }
  return moves;
}

TEST(OpeningTree, CountsMovesWithTheirResults) {
  const Game& game = find_game("chess");
  OpeningTree tree;
  for (int i = 0; i < 3; ++i)
    tree.add(moves_of(game, {"e2e4", "e7e5", "g1f3"}), 1, GameResult::WhiteWins);
  tree.add(moves_of(game, {"e2e4", "c7c5"}), 0, GameResult::Draw);
  tree.add(moves_of(game, {"e2e4", "c7c5"}), 0, GameResult::BlackWins);
  tree.add(moves_of(game, {"d2d4"}), 0, GameResult::None);
  PictureTable pictures;
  const ReportJson root = opening_json(tree, game, pictures);
  EXPECT_EQ(root["g"], ReportJson::parse("[6, 3, 1, 1]"));
  ASSERT_EQ(root["n"].size(), 1U) << "a move of a single game is left out";
  const ReportJson& e4 = root["n"][0];
  EXPECT_EQ(e4["t"], "e4");
  EXPECT_EQ(e4["g"], ReportJson::parse("[5, 3, 1, 1]"));
  EXPECT_EQ(e4["r"], 3) << "three games began with a random move";
  ASSERT_EQ(e4["n"].size(), 2U);
  EXPECT_EQ(e4["n"][0]["t"], "e5") << "the most frequent first";
  EXPECT_FALSE(e4["n"][0].contains("r"));
  EXPECT_EQ(e4["n"][0]["n"][0]["t"], "Nf3");
  EXPECT_EQ(pictures.boards().size(), 1U);
}

TEST(OpeningTree, HasChoicesWhereSeveralGamesPartOfTheirOwnWill) {
  const Game& game = find_game("chess");
  OpeningTree random, chosen;
  for (const char* const move : {"e2e4", "e2e4", "d2d4", "d2d4"}) {
    random.add(moves_of(game, {move}), 1, GameResult::Draw);
    chosen.add(moves_of(game, {move}), 0, GameResult::Draw);
  }
  EXPECT_FALSE(random.has_choices());
  EXPECT_TRUE(chosen.has_choices());
}

TEST(OpeningTree, KeepsTheMostFrequentNodes) {
  const Game& game = find_game("chess");
  OpeningTree tree;
  for (const Move move : game.start()->legal_moves())
    for (int i = 0; i < (game.start()->move_text(move) == "e2e4" ? 5 : 2); ++i)
      tree.add(std::vector<Move>{move}, 0, GameResult::Draw);
  PictureTable pictures;
  const ReportJson root = opening_json(tree, game, pictures, 3);
  ASSERT_EQ(root["n"].size(), 2U);
  EXPECT_EQ(root["n"][0]["t"], "e4");
}

}  // namespace
}  // namespace faultline
