// When games are adjudicated, and how its rules are written.
#include "lab/adjudication.h"

#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

namespace faultline {
namespace {

constexpr Evaluation kWinning{.win = 0.97F, .draw = 0.02F, .loss = 0.01F};
constexpr Evaluation kLosing{.win = 0.01F, .draw = 0.02F, .loss = 0.97F};
constexpr Evaluation kEven{.win = 0.3F, .draw = 0.4F, .loss = 0.3F};

Adjudication wins(int moves) {
  Adjudication rules;
  parse_win_adjudication("score=0.95,moves=" + std::to_string(moves), rules);
  return rules;
}

TEST(Adjudication, AwardsAWinOnceBothPlayersAgreed) {
  Adjudicator black_wins(wins(2));
  EXPECT_FALSE(black_wins.after_move(Colour::White, kLosing, 1));
  EXPECT_FALSE(black_wins.after_move(Colour::Black, kWinning, 2));
  EXPECT_FALSE(black_wins.after_move(Colour::White, kLosing, 3));
  EXPECT_EQ(black_wins.after_move(Colour::Black, kWinning, 4), Outcome::BlackWins);
  Adjudicator white_wins(wins(1));
  EXPECT_FALSE(white_wins.after_move(Colour::Black, kLosing, 1));
  EXPECT_EQ(white_wins.after_move(Colour::White, kWinning, 2), Outcome::WhiteWins);
}

TEST(Adjudication, DoesNotTrustOnePlayer) {
  Adjudicator game(wins(1));
  for (int ply = 1; ply < 40; ply += 2) {
    EXPECT_FALSE(game.after_move(Colour::White, kWinning, ply));
    EXPECT_FALSE(game.after_move(Colour::Black, kEven, ply + 1));
  }
}

TEST(Adjudication, CountsConsecutiveMovesOnly) {
  Adjudicator game(wins(2));
  game.after_move(Colour::White, kWinning, 1);
  game.after_move(Colour::Black, kLosing, 2);
  game.after_move(Colour::White, kEven, 3);
  EXPECT_FALSE(game.after_move(Colour::Black, kLosing, 4));
  EXPECT_FALSE(game.after_move(Colour::White, kWinning, 5));
  EXPECT_FALSE(game.after_move(Colour::Black, kLosing, 6));
  EXPECT_EQ(game.after_move(Colour::White, kWinning, 7), Outcome::WhiteWins);
}

TEST(Adjudication, DrawsEvenGamesAfterTheGivenPly) {
  Adjudication rules;
  parse_draw_adjudication("score=0.05,moves=2,after=10", rules);
  Adjudicator game(rules);
  for (int ply = 1; ply < 10; ++ply)
    EXPECT_FALSE(game.after_move(ply % 2 == 1 ? Colour::White : Colour::Black, kEven, ply));
  EXPECT_EQ(game.after_move(Colour::Black, kEven, 10), Outcome::Adjudicated);
}

TEST(Adjudication, NeedsOpinions) {
  Adjudication rules;
  parse_draw_adjudication("moves=1,after=0", rules);
  Adjudicator game(rules);
  for (int ply = 1; ply < 20; ply += 2) {
    EXPECT_FALSE(game.after_move(Colour::White, kEven, ply));
    EXPECT_FALSE(game.after_move(Colour::Black, std::nullopt, ply + 1));
  }
}

TEST(Adjudication, IsOffUnlessAskedFor) {
  Adjudicator game{Adjudication{}};
  for (int ply = 1; ply < 400; ply += 2) {
    EXPECT_FALSE(game.after_move(Colour::White, Evaluation{.win = 1, .draw = 0}, ply));
    EXPECT_FALSE(game.after_move(Colour::Black, Evaluation{.win = 0, .draw = 0, .loss = 1}, ply));
  }
  Adjudicator even{Adjudication{}};
  for (int ply = 1; ply < 400; ++ply)
    EXPECT_FALSE(even.after_move(ply % 2 == 1 ? Colour::White : Colour::Black, Evaluation{}, ply));
}

TEST(Adjudication, DescribesItselfAndNamesWrongKeys) {
  Adjudication rules;
  EXPECT_EQ(adjudication_text(rules), "");
  parse_win_adjudication("", rules);
  parse_draw_adjudication("after=60", rules);
  EXPECT_EQ(adjudication_text(rules),
            "won at 95 % for 5 moves, drawn within 5 % of even for 10 moves from ply 60");
  try {
    parse_win_adjudication("scores=1", rules);
    FAIL() << "accepted";
  } catch (const std::invalid_argument& error) {
    EXPECT_NE(std::string(error.what()).find("--adjudicate-win: there is no key 'scores'"),
              std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace faultline
