// Positions of random games of every family under all its option sets, for tests of encoders.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>

#include <gtest/gtest.h>

#include "rules/history.h"
#include "tests/effort.h"
#include "tests/families.h"

namespace faultline::test {

/// Calls `visit(variant, history, moves)` for unfinished positions of random games from start
/// positions and sparse boards, about equally many per family.
template <class P, class Visit>
void for_random_positions(std::uint64_t seed, Visit&& visit) {
  Random rng(seed);
  const auto play = [&](const typename P::Variant& v, const P& start, int plies) {
    PositionHistory<P> history(start);
    const bool prefers_double_steps = by_chance(rng, 2);
    for (; plies > 0 && !is_over(history.outcome()); --plies) {
      typename P::MoveList moves;
      history.position().legal_moves(moves);
      visit(v, history, moves);
      if (testing::Test::HasFatalFailure()) return;
      history.play(random_move(moves, prefers_double_steps, rng));
    }
  };
  const auto names = FamilyTest<P>::option_sets();
  const auto sets = static_cast<int>(names.size());
  for (const std::string& name : names) {
    const auto& v = variant<P>(name);
    for (int game = 0; game < std::max(1, effort(20) / sets); ++game)
      play(v, P::start(v), 80);
    for (int game = 0; game < std::max(effort(6), effort(150) / sets); ++game)
      play(v, sparse_position<P>(v, rng), 12);
    if (testing::Test::HasFatalFailure()) FAIL() << name;
  }
}

}  // namespace faultline::test
