// What is seen in recorded games.
#include "strategy/behaviour.h"

#include <algorithm>
#include <array>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "rules/families.h"
#include "strategy/strategy_text.h"

namespace faultline {
namespace {

using testing::HasSubstr;

/// What White and Black did in a game.
struct Seen {
  BehaviourNames names;
  std::array<SideBehaviour, 2> sides;

  const HabitCounts& habit(int side, const std::string& name) const {
    for (std::size_t i = 0; i < names.habits.size(); ++i)
      if (names.habits[i].name == name) return sides.at(static_cast<std::size_t>(side)).habits[i];
    throw std::runtime_error("no habit " + name);
  }
  double measured(int side, const std::string& name, std::size_t bucket) const {
    const SideBehaviour& one = sides.at(static_cast<std::size_t>(side));
    for (std::size_t i = 0; i < names.measures.size(); ++i)
      if (names.measures[i].name == name)
        return one.measured[i].at(bucket) / static_cast<double>(one.positions.at(bucket));
    throw std::runtime_error("no measure " + name);
  }
  PlyCounts milestone(int side, const std::string& name) const {
    const auto found = std::ranges::find(names.milestones, name);
    return sides.at(static_cast<std::size_t>(side))
        .milestones.at(static_cast<std::size_t>(found - names.milestones.begin()));
  }
};

Seen watch(const std::string& variant, const std::vector<std::string>& moves,
           std::size_t opening = 0, const std::vector<HabitText>& own = {},
           const std::string& fen = "") {
  Seen seen;
  const auto observer = make_behaviour_observer(variant, own);
  seen.names = observer->names();
  observer->add(fen, moves, opening, {&seen.sides[0], &seen.sides[1]});
  return seen;
}

TEST(Behaviour, CountsTurnsThatWereDoneAndThatWerePossible) {
  const Seen seen = watch("chess", {"e2e4", "d7d5", "e4d5", "d8d5", "b1c3", "d5d8"});
  EXPECT_EQ(total(seen.sides[0].turns), 3);
  EXPECT_EQ(total(seen.habit(0, "captures").possible), 1);
  EXPECT_EQ(total(seen.habit(0, "captures").done), 1);
  EXPECT_EQ(seen.habit(0, "captures").first, (PlyCounts{{2, 1}}));
  EXPECT_EQ(seen.habit(1, "captures").first, (PlyCounts{{3, 1}}));
  EXPECT_EQ(total(seen.habit(1, "captures").possible), 2) << "also Qxg2 or Qxa2 in the last turn";
  EXPECT_EQ(total(seen.habit(1, "captures").done), 1);
  EXPECT_EQ(total(seen.habit(1, "gives check").possible), 1) << "Qe5+ or Qe4+, and not before";
}

TEST(Behaviour, LeavesTurnsOfTheOpeningOut) {
  const Seen seen = watch("chess", {"e2e4", "d7d5", "e4d5", "d8d5"}, 3);
  EXPECT_EQ(total(seen.sides[0].turns), 0);
  EXPECT_EQ(total(seen.habit(0, "captures").done), 0);
  EXPECT_EQ(total(seen.sides[1].turns), 1);
  EXPECT_EQ(total(seen.habit(1, "captures").done), 1);
}

TEST(Behaviour, AveragesMaterialByPly) {
  const Seen seen = watch("chess", {"e2e4", "d7d5", "e4d5", "d8d5", "b1c3", "d5d8"});
  EXPECT_EQ(seen.sides[0].positions[0], 6) << "after each ply";
  const double all = (8 * 100 + 2 * 320 + 2 * 330 + 2 * 500 + 900) / 100.0;
  EXPECT_NEAR(seen.measured(0, "material", 0), all - 3.0 / 6, 1e-9);
  EXPECT_NEAR(seen.measured(1, "material", 0), all - 4.0 / 6, 1e-9);
}

TEST(Behaviour, CountsHabitsOfAFileAndNamesWhatIsWrongWithThem) {
  const Seen seen = watch("chess", {"e2e4", "e7e5"}, 0,
                          {{"central pawn", "piece = \"pawn\", to = [\"e4\", \"e5\"]"},
                           {"black pawn", "piece = \"pawn\", side = \"black\""}});
  EXPECT_EQ(total(seen.habit(0, "central pawn").done), 1);
  EXPECT_EQ(total(seen.habit(0, "black pawn").possible), 0);
  EXPECT_EQ(total(seen.habit(1, "black pawn").done), 1);
  const auto message = [](const HabitText& habit) -> std::string {
    try {
      make_behaviour_observer("chess", {habit});
    } catch (const StrategyError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_THAT(message({"x", "descends = true"}), HasSubstr("is a predicate of inferno"));
  EXPECT_THAT(message({"x", "captrues = true"}), HasSubstr("did you mean 'captures'?"));
  EXPECT_THAT(message({"captures", "captures = true"}),
              HasSubstr("there is one of this name already"));
  EXPECT_THAT(message({"my habit", "= }"}), HasSubstr("behaviour 'my habit'"));
  EXPECT_THAT(message({"x", "captures = true }\nother = { checks = true"}),
              HasSubstr("must be predicates"));
  EXPECT_THAT(message({"x", ""}), HasSubstr("is empty"));
}

TEST(Behaviour, RefusesIllegalMoves) {
  EXPECT_THROW(watch("chess", {"e2e5"}), std::invalid_argument);
}

/// A rook that mates on the back rank, beside the hole.
const std::string kBackRank = "r3k3/8/8/8/8/8/5PPP/7K";

TEST(InfernoBehaviour, SeesDescents) {
  const Seen seen = watch("inferno:levels=2", {"1d2-2d4", "1e7-2e5"});
  EXPECT_EQ(total(seen.habit(0, "descends").done), 1);
  EXPECT_EQ(seen.habit(1, "descends to level 2").first, (PlyCounts{{1, 1}}));
  EXPECT_EQ(seen.measured(0, "material on level 1", 0), 39);
  EXPECT_EQ(seen.measured(0, "material on level 2", 0), 41);
}

TEST(InfernoBehaviour, LevelsKeepTheirNumbersWhenTheFirstIsWon) {
  const Seen seen = watch("inferno:levels=2", {"1a8-1a1", "1h1-1g1", "1a8-1a1"}, 0, {},
                          kBackRank + "|" + kBackRank + " b -|- - 0 10");
  EXPECT_EQ(seen.milestone(1, "wins level 1"), (PlyCounts{{19, 1}}));
  EXPECT_EQ(seen.milestone(1, "wins level 2"), (PlyCounts{{21, 1}}));
  EXPECT_TRUE(seen.milestone(0, "wins level 1").empty());
  EXPECT_TRUE(seen.milestone(0, "wins level 2").empty());
}

TEST(InfernoBehaviour, ADeeperLevelThatIsWonIsToldFromTheOneAboveIt) {
  const Seen seen = watch("inferno:levels=2", {"2a8-2a1"}, 0, {},
                          "4k3/8/8/8/8/8/8/4K3|" + kBackRank + " b -|- - 0 10");
  EXPECT_EQ(seen.milestone(1, "wins level 2"), (PlyCounts{{19, 1}}));
  EXPECT_TRUE(seen.milestone(1, "wins level 1").empty());
  EXPECT_EQ(seen.measured(1, "material on level 1", 1), 5) << "the rook has risen";
  EXPECT_EQ(seen.measured(1, "material on level 2", 1), 0);
}

/// Levels that a move wins, the last one included.
int levels_won(const InfernoPosition& before, Move move) {
  InfernoPosition after = before;
  after.play(move);
  const bool all = after.levels() == 1 && after.in_check() && after.count_legal_moves() == 0;
  return before.levels() - after.levels() + (all ? 1 : 0);
}

/// Random games in which a level is won wherever that is possible.
TEST(InfernoBehaviour, EveryLostLevelIsWonOnce) {
  int lost_in_all = 0;
  for (const std::string name : {"inferno:levels=2", "inferno:levels=4"}) {
    const auto& variant = InfernoPosition::variant(parse_variant_name(name));
    const auto observer = make_behaviour_observer(name);
    std::mt19937_64 rng(7);
    for (int game = 0; game < 4; ++game) {
      InfernoPosition position = InfernoPosition::start(variant);
      std::vector<std::string> moves;
      int lost = 0;
      for (int ply = 0; ply < 150; ++ply) {
        InfernoPosition::MoveList legal;
        position.legal_moves(legal);
        if (legal.size() == 0 || is_over(position.outcome(true))) break;
        Move move = legal[rng() % legal.size()];
        for (const Move other : legal)
          if (levels_won(position, other) > 0) move = other;
        lost += levels_won(position, move);
        moves.push_back(position.move_text(move));
        position.play(move);
      }
      std::array<SideBehaviour, 2> sides;
      observer->add("", moves, 0, {&sides[0], &sides[1]});
      int won = 0;
      for (std::size_t level = 0; level < sides[0].milestones.size(); ++level) {
        const auto times =
            static_cast<int>(total(sides[0].milestones[level]) + total(sides[1].milestones[level]));
        EXPECT_LE(times, 1) << name << ", level " << level + 1;
        won += times;
      }
      EXPECT_EQ(won, lost) << name;
      lost_in_all += lost;
    }
  }
  EXPECT_GT(lost_in_all, 3);
}

TEST(Behaviour, EveryFamilyCanBeWatched) {
  for (const FamilyInfo* family : all_families()) {
    EXPECT_NO_THROW(make_behaviour_observer(family->name)) << family->name;
  }
  for (const std::string variant : {"earthquake:aftershock=2", "inferno:levels=1",
                                    "slanted:board=mini", "slanted:board=standard"})
    EXPECT_NO_THROW(make_behaviour_observer(variant)) << variant;
}

TEST(EscherBehaviour, SeesPasses) {
  const Seen seen = watch("escher", {"e2e4", "e7e5"});
  EXPECT_EQ(total(seen.habit(0, "triggers a staircase").done), 0);
  EXPECT_GT(total(seen.habit(0, "triggers a staircase").possible), 0);
}

TEST(Behaviour, AddsUp) {
  Seen one = watch("chess", {"e2e4", "d7d5", "e4d5", "d8d5"});
  const Seen two = watch("chess", {"e2e4", "d7d5", "g1f3", "d5e4"});
  SideBehaviour sum = one.sides[1];
  sum += two.sides[1];
  EXPECT_EQ(sum.games, 2);
  EXPECT_EQ(total(sum.turns), 4);
  EXPECT_EQ(total(sum.habits[0].done), 2);
  EXPECT_EQ(sum.habits[0].first, (PlyCounts{{3, 2}}));
  EXPECT_EQ(median_ply(sum.habits[0].first), 3);
  EXPECT_EQ(median_ply({}), std::nullopt);
  EXPECT_EQ(median_ply({{1, 1}, {4, 1}, {9, 1}}), 4);
}

}  // namespace
}  // namespace faultline
