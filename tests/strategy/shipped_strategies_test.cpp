// The strategies in configs/strategies: each is valid where it is meant for, and followed.
#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "rules/families.h"
#include "search/material_evaluator.h"
#include "search/searcher.h"
#include "strategy/strategy.h"

namespace faultline {
namespace {

namespace fs = std::filesystem;

fs::path folder() {
  return fs::path(FAULTLINE_SOURCE_DIR) / kStrategyFolder;
}

StrategyText shipped(const std::string& name) {
  return load_strategy(folder() / (name + ".toml"));
}

/// The moves of one side in some short games.
template <Position P>
struct Side {
  std::vector<std::pair<P, Move>> moves;
  std::vector<std::pair<P, Move>> lifted;  // those of them at which limits were lifted
};

/// Games between a follower, who alternates colours, and the same search without a strategy.
template <Position P>
struct Played {
  Side<P> follower;
  Side<P> plain;
};

template <Position P>
Played<P> play(const std::string& variant_name, const std::string& name, int games = 2,
               int plies = 70) {
  const auto& variant = P::variant(parse_variant_name(variant_name));
  const auto strategy = make_strategy<P>(variant, shipped(name));
  MaterialEvaluator<P> evaluator;
  EvalBatch<P> batch;
  Played<P> played;
  for (int game = 0; game < games; ++game) {
    std::mt19937_64 rng(static_cast<std::uint64_t>(game) + 1);
    const auto follower = make_biased_puct_searcher<P>(SearchParams{}, strategy);
    const auto plain = make_puct_searcher<P>(SearchParams{});
    PositionHistory<P> history(P::start(variant));
    for (int ply = 0; ply < plies && !is_over(history.outcome()); ++ply) {
      const bool follows = (ply + game) % 2 == 0;
      const SearchResult result = run_search<P>(*(follows ? follower : plain), &evaluator, batch,
                                                history, {.visits = 60}, rng);
      const Move move = pick_move(result, 0.3F, rng);
      Side<P>& side = follows ? played.follower : played.plain;
      side.moves.emplace_back(history.position(), move);
      if (result.limits_lifted) side.lifted.emplace_back(history.position(), move);
      history.play(move);
    }
  }
  return played;
}

template <Position P, class Test>
int count(const std::vector<std::pair<P, Move>>& turns, const Test& test) {
  return static_cast<int>(std::ranges::count_if(
      turns, [&](const auto& turn) { return test(turn.first, turn.second); }));
}
template <Position P, class Test>
int count(const Side<P>& side, const Test& test) {
  return count(side.moves, test);
}

/// The moves that fulfil `test`, as a share of those where a legal move does.
template <Position P, class Test>
double share(const Side<P>& side, const Test& test) {
  const int possible = count(side, [&](const P& position, Move) {
    typename P::MoveList moves;
    position.legal_moves(moves);
    return std::ranges::any_of(moves, [&](Move move) { return test(position, move); });
  });
  return possible == 0 ? 0 : static_cast<double>(count(side, test)) / possible;
}

bool descends(const InfernoPosition&, Move move) {
  return move.to() / kLevelSquares > move.from() / kLevelSquares;
}

int ply_of(const auto& position) {
  return 2 * (position.full_move_number() - 1) + index(position.side_to_move());
}

TEST(ShippedStrategies, AreAllTestedHere) {
  const std::map<std::string, std::vector<std::string>> variants = {
      {"earthquake-aftershock-never",
       {"earthquake:aftershock=2", "earthquake:aftershock=3,shock=2"}},
      {"earthquake-aftershock-often",
       {"earthquake:aftershock=2", "earthquake:aftershock=3,shock=2"}},
      {"escher-unchanged-board", {"escher"}},
      {"inferno-descend-early", {"inferno", "inferno:levels=2", "inferno:levels=3"}},
      {"inferno-hold-back", {"inferno", "inferno:levels=2", "inferno:levels=3"}},
      {"inferno-last-stand", {"inferno", "inferno:levels=2", "inferno:levels=3"}},
      {"inferno-never-descend", {"inferno", "inferno:levels=2", "inferno:levels=3"}},
      {"inferno-scouts", {"inferno:levels=2"}},
      {"shifting-shift-early", {"shifting", "shifting:gaps=AII+DIII"}},
      {"shifting-shift-never", {"shifting", "shifting:gaps=AII+DIII"}},
      {"slanted-escalator-early", {"slanted", "slanted:board=standard", "slanted:board=mini"}},
      {"slanted-ultra-jumps", {"slanted", "slanted:army=almost"}},
  };
  std::set<std::string> known, found;
  for (const auto& [name, of] : variants) {
    known.insert(name);
    EXPECT_FALSE(shipped(name).description.empty()) << name;
    for (const std::string& variant : of)
      EXPECT_NO_THROW(check_strategy(shipped(name), variant)) << name << " in " << variant;
  }
  for (const fs::directory_entry& file : fs::directory_iterator(folder()))
    found.insert(file.path().stem().string());
  EXPECT_EQ(found, known);
}

TEST(InfernoStrategies, NeverDescendDoesNot) {
  const auto played = play<InfernoPosition>("inferno:levels=3", "inferno-never-descend");
  EXPECT_EQ(count(played.follower, descends), count(played.follower.lifted, descends))
      << "only where nothing else is legal";
  EXPECT_LE(played.follower.lifted.size(), 5U);
  EXPECT_GT(count(played.plain, descends), 10) << "the opponent is free to";
}

TEST(InfernoStrategies, DescendEarlyDescendsMoreThanPlainPlay) {
  const auto played = play<InfernoPosition>("inferno:levels=3", "inferno-descend-early");
  EXPECT_GT(share(played.follower, descends), 1.5 * share(played.plain, descends));
}

TEST(InfernoStrategies, HoldBackWaitsAndThenHelpsLevelsUnderThreat) {
  const auto played = play<InfernoPosition>("inferno:levels=2", "inferno-hold-back", 4, 100);
  EXPECT_TRUE(played.follower.lifted.empty());
  const auto early = [](const InfernoPosition& position, Move move) {
    return descends(position, move) && ply_of(position) < 40;
  };
  EXPECT_EQ(count(played.follower, early), 0);
  const auto unneeded = [](const InfernoPosition& position, Move move) {
    if (!descends(position, move)) return false;
    const int level = move.to() / kLevelSquares;
    if (position.in_check_on(level)) return false;
    int behind = 0;
    position.for_each_piece([&](Colour c, PieceType t, Square s) {
      if (s / kLevelSquares == level)
        behind +=
            c == position.side_to_move() ? -piece_value(position, t) : piece_value(position, t);
    });
    return behind < 100;
  };
  EXPECT_EQ(count(played.follower, unneeded), 0);
  EXPECT_GT(count(played.follower, descends), 0);
}

TEST(InfernoStrategies, ScoutsGoDownEarlyAndTheOthersWait) {
  const auto played = play<InfernoPosition>("inferno:levels=2", "inferno-scouts", 4, 80);
  EXPECT_TRUE(played.follower.lifted.empty());
  const auto when = [](bool few_below, int from, int to) {
    return [=](const InfernoPosition& position, Move move) {
      int all = 0, below = 0;
      position.for_each_piece([&](Colour c, PieceType t, Square s) {
        if (c != position.side_to_move()) return;
        all += piece_value(position, t);
        if (s / kLevelSquares > 0) below += piece_value(position, t);
      });
      const int ply = ply_of(position);
      return descends(position, move) && ply >= from && ply < to &&
             (100 * below < 55 * all) == few_below;
    };
  };
  EXPECT_EQ(count(played.follower, when(false, 0, 60)), 0);
  EXPECT_GT(count(played.follower, when(true, 0, 20)), count(played.plain, when(true, 0, 20)));
  EXPECT_GT(count(played.plain, when(false, 0, 60)), 0) << "the opponent is free to";
}

TEST(InfernoStrategies, LastStandGoesToTheBottom) {
  const auto played = play<InfernoPosition>("inferno:levels=3", "inferno-last-stand");
  const auto to_bottom = [](const InfernoPosition& position, Move move) {
    return descends(position, move) && move.to() / kLevelSquares + 1 == position.levels();
  };
  EXPECT_GT(share(played.follower, to_bottom), 1.5 * share(played.plain, to_bottom));
}

TEST(EscherStrategies, UnchangedBoardPassesWherePossible) {
  const auto played = play<EscherPosition>("escher", "escher-unchanged-board");
  const auto passes = [](const EscherPosition& position, Move move) {
    EscherPosition after = position;
    after.play(move);
    bool same = true;
    position.for_each_piece([&](Colour c, PieceType t, Square s) {
      same = same && after.piece_at(s) == Piece{t, c};
    });
    return same;
  };
  EXPECT_GT(share(played.follower, passes), 1.5 * share(played.plain, passes));
}

bool is_aftershock(const EarthquakePosition&, Move move) {
  return move.kind() == MoveKind::Aftershock;
}

TEST(EarthquakeStrategies, AftershockOftenUsesThemAllAndNeverNone) {
  const auto often =
      play<EarthquakePosition>("earthquake:aftershock=2", "earthquake-aftershock-often");
  EXPECT_EQ(count(often.follower, is_aftershock), 4) << "two in each of two games";
  const auto never =
      play<EarthquakePosition>("earthquake:aftershock=2", "earthquake-aftershock-never");
  EXPECT_TRUE(never.follower.lifted.empty());
  EXPECT_EQ(count(never.follower, is_aftershock), 0);
}

bool shifts(const ShiftingPosition&, Move move) {
  return move.kind() == MoveKind::SectorShift;
}

TEST(ShiftingStrategies, ShiftEarlyDoesAndShiftNeverDoesNot) {
  const auto early = play<ShiftingPosition>("shifting", "shifting-shift-early", 2, 20);
  EXPECT_GT(share(early.follower, shifts), 1.5 * share(early.plain, shifts));
  const auto never = play<ShiftingPosition>("shifting", "shifting-shift-never");
  EXPECT_EQ(count(never.follower, shifts), count(never.follower.lifted, shifts));
}

TEST(SlantedStrategies, EscalatorEarlyEntersThemWithPieces) {
  const auto played = play<SlantedPosition>("slanted", "slanted-escalator-early", 2, 40);
  const auto enters = [](const SlantedPosition& position, Move move) {
    const SlantedBoard& board = position.variant().board();
    const auto side = [&](Square s) {
      return board.grid().side_of_escalator(board.cell(s).file, board.cell(s).rank);
    };
    return side(move.to()) != 0 && side(move.from()) != side(move.to()) &&
           position.piece_at(move.from()).type != PieceType::Pawn;
  };
  EXPECT_GT(share(played.follower, enters), 1.5 * share(played.plain, enters));
}

TEST(SlantedStrategies, UltraJumpsMovesTheUltras) {
  const auto played = play<SlantedPosition>("slanted", "slanted-ultra-jumps");
  const auto by_ultra = [](const SlantedPosition& position, Move move) {
    return position.piece_at(move.from()).type == PieceType::Ultra;
  };
  EXPECT_GT(share(played.follower, by_ultra), 1.5 * share(played.plain, by_ultra));
}

}  // namespace
}  // namespace faultline
