// Parameters of the typed tests for gardner.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "rules/families/gardner.h"
#include "tests/family_traits.h"
#include "tests/rules/reference/gardner.h"
#include "tests/rules/reference/turned_fen.h"

namespace faultline::test {

template <>
struct FamilyTest<GardnerPosition> : FamilyDefaults<GardnerPosition> {
  static reference::GardnerState reference_state(const GardnerVariant&, const std::string& fen) {
    return reference::GardnerState(fen);
  }
  static std::vector<Elsewhere<GardnerPosition>> seen_from_elsewhere(const GardnerVariant& v,
                                                                     const GardnerPosition& p) {
    const auto mirrored_move = [](std::string text) {
      for (const std::size_t rank : {1, 3})
        text[rank] = static_cast<char>('1' + '5' - text[rank]);
      return text;
    };
    return {seen_elsewhere(v, p, reference::mirror_ranks, mirrored_move)};
  }
  static std::string sparse_fen(const GardnerVariant&, Random& rng) {
    reference::GardnerState state;
    const auto put = [&](char c) {
      for (int attempt = 0; attempt < 200; ++attempt) {
        const int s = below(rng, 5) * 8 + below(rng, 5);
        if (reference::at(state.board, s) != '.') continue;
        if (reference::upper(c) == 'P' && (s / 8 == 0 || s / 8 == 4)) continue;
        reference::at(state.board, s) = c;
        return;
      }
    };
    put('K');
    put('k');
    for (int n = below(rng, 8) + 1; n > 0; --n)
      put("QRRBNPPPqrrbnppp"[below(rng, 16)]);
    state.white = by_chance(rng, 2);
    state.plies = by_chance(rng, 3) ? below(rng, 100) : 0;
    state.move_number = below(rng, 300) + 1;
    return state.fen();
  }
  static GamePlan games_from_the_start() {
    return {.seed = 20241109,
            .games = {{"gardner", 60, 120}},
            .more_than = {.plies = 3000, .checks = 100, .promotions = 300}};
  }
  static GamePlan games_on_sparse_boards() {
    return {.seed = 20241110,
            .games = {{"gardner", 500, 12}},
            .more_than = {.plies = 3000, .checks = 200, .promotions = 500}};
  }
  static constexpr std::size_t kLeastVectors = 5;
  static constexpr EncodingMark kEncoding = {
      .version = 1, .description = 0xf20251f56cdbce5, .behaviour = 0x7a4e65e624dc42cb};
};

}  // namespace faultline::test
