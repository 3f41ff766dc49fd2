// What replaying a game finds, counted by hand.
#include "survey/game_facts.h"

#include <algorithm>
#include <cstddef>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "play/game.h"
#include "rules/families.h"

namespace faultline {
namespace {

GameFacts facts(const std::string& variant, const std::string& moves, int opening_plies = 0) {
  TextGame game{.variant = variant};
  std::istringstream words(moves);
  for (std::string move; words >> move;)
    game.moves.push_back(move);
  game.opening_plies = opening_plies;
  return facts_of(game);
}

/// How a side used a kind of move.
MoveUse use_of(const GameFacts& facts, const std::string& variant, const std::string& name,
               std::size_t side) {
  const std::vector<SpecialMove> moves = special_moves(variant);
  const auto found = std::ranges::find(moves, name, &SpecialMove::name);
  if (found == moves.end()) throw std::out_of_range(name);
  return facts.moves.at(static_cast<std::size_t>(found - moves.begin())).at(side);
}

void expect_use(const MoveUse& use, int played, int possible) {
  EXPECT_EQ(use.played, played);
  EXPECT_EQ(use.possible, possible);
}

TEST(GameFacts, OfFoolsMate) {
  const GameFacts game = facts("chess", "f2f3 e7e5 g2g4 d8h4");
  EXPECT_EQ(game.branching, (std::vector<std::uint32_t>{20, 20, 19, 30}));
  EXPECT_EQ(game.plies(), 4);
  EXPECT_EQ(game.outcome, Outcome::BlackWins);
  EXPECT_EQ(game.winner, 1) << "the side that moves second";
  expect_use(use_of(game, "chess", "checks", 1), 1, 1);
  expect_use(use_of(game, "chess", "checks", 0), 0, 0);
  expect_use(use_of(game, "chess", "captures", 1), 0, 0);
  ASSERT_EQ(game.samples.size(), 4U) << "every position is quiet";
  EXPECT_TRUE(game.samples[0].first_to_move);
  EXPECT_FALSE(game.samples[1].first_to_move);
  EXPECT_EQ(game.opening.size(), 4U);
}

TEST(GameFacts, SeeTheLeadInQuietPositionsOnly) {
  // White is a pawn up before b1c3; all of it is traded; Black is a pawn up before b7b6.
  const GameFacts game = facts("chess",
                               "e2e4 d7d5 e4d5 g8f6 b1c3 f6d5 c3d5 d8d5 a2a3 a7a6 h2h3 d5g2 g1f3 "
                               "b7b6");
  EXPECT_TRUE(game.cut()) << "the game is not over";
  EXPECT_EQ(game.lead_changes, 1);
  EXPECT_EQ(game.deepest_deficit[0], 100);
  EXPECT_EQ(game.deepest_deficit[1], 100);
  // Quiet: before e2e4, d7d5, b1c3, a7a6, h2h3, b7b6; not before or after a capture.
  ASSERT_EQ(game.samples.size(), 6U);
  const auto pawns = [&](std::size_t sample, std::size_t region) {
    return game.samples[sample].difference[region * kMostPieceTypes];
  };
  const std::size_t own = 0, enemy = 1;  // "own half", "enemy half"
  EXPECT_EQ(pawns(2, own), 7 - 7) << "seven pawns each at home";
  EXPECT_EQ(pawns(2, enemy), 1) << "White's on d5";
  EXPECT_EQ(pawns(5, own), 6 - 7);
  expect_use(use_of(game, "chess", "captures", 0), 2, 4);
  expect_use(use_of(game, "chess", "captures = knight", 0), 1, 1);
}

TEST(GameFacts, TakeAtMostSixteenSamplesEvenly) {
  std::string moves;
  for (int i = 0; i < 12; ++i)
    moves += i % 2 == 0 ? "b1c3 g8f6 " : "c3b1 f6g8 ";
  const GameFacts game = facts("chess", moves);
  EXPECT_EQ(game.plies(), 24);
  EXPECT_EQ(game.samples.size(), kMostSamples);
}

TEST(GameFacts, DoNotCountMovesOfTheOpening) {
  const GameFacts game = facts("chess", "f2f3 e7e5 g2g4 d8h4", 4);
  expect_use(use_of(game, "chess", "checks", 1), 0, 0);
  EXPECT_TRUE(game.samples.empty());
  EXPECT_EQ(game.branching.size(), 4U) << "the numbers of legal moves are facts all the same";
}

TEST(GameFacts, NumberSidesByWhoMovesFirst) {
  const std::string variant = "slanted:board=mini";
  ASSERT_EQ(find_game(variant).start()->side_to_move(), Colour::Black);
  const auto start = find_game(variant).start();
  const GameFacts game = facts(variant, start->move_text(start->legal_moves().front()));
  EXPECT_TRUE(game.samples.at(0).first_to_move);
}

TEST(GameFacts, CountAFamilysOwnMovesByTheirValues) {
  // The first turn of shifting that slides a sector by one area.
  const Game& rules = find_game("shifting");
  const auto start = rules.start();
  std::string shift;
  for (const Move move : start->legal_moves())
    if (move.kind() == MoveKind::SectorShift) shift = start->move_text(move);
  ASSERT_NE(shift, "");
  const GameFacts game = facts("shifting", shift);
  expect_use(use_of(game, "shifting", "shifts", 0), 1, 1);
  EXPECT_EQ(use_of(game, "shifting", "shifts = 1", 0).played +
                use_of(game, "shifting", "shifts = 2", 0).played,
            1);
}

TEST(GameFacts, RefuseMovesThatAreNotLegalAndOtherStarts) {
  EXPECT_THROW(facts("chess", "e2e5"), GameTextError);
  TextGame other{.variant = "chess"};
  other.start_fen = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
  EXPECT_THROW(facts_of(other), GameTextError);
}

TEST(SpecialMoves, OfEveryFamilyAreDifferentAndPossible) {
  for (const FamilyInfo* family : all_families()) {
    std::vector<std::string> names;
    for (const SpecialMove& move : special_moves(family->name)) {
      names.push_back(move.name);
      EXPECT_NE(move.help, "") << move.name;
      if (!move.of.empty()) {
        EXPECT_NE(std::ranges::find(names, move.of), names.end())
            << move.name << " comes after " << move.of;
      }
    }
    EXPECT_GE(names.size(), 5U) << family->name;
    std::ranges::sort(names);
    EXPECT_EQ(std::ranges::adjacent_find(names), names.end()) << family->name;
  }
}

TEST(SpecialMoves, LeaveOutWhatIsImpossible) {
  const auto has = [](const std::string& variant, const std::string& name) {
    const auto moves = special_moves(variant);
    return std::ranges::find(moves, name, &SpecialMove::name) != moves.end();
  };
  EXPECT_FALSE(has("inferno:levels=1", "descends"));
  EXPECT_TRUE(has("inferno:levels=3", "descends = 2"));
  EXPECT_FALSE(has("earthquake", "aftershock"));
  EXPECT_FALSE(has("gardner", "castles"));
  EXPECT_FALSE(has("chess", "to")) << "it needs squares";
}

}  // namespace
}  // namespace faultline
