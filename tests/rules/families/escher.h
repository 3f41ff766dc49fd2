// Parameters of the typed tests for escher.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "rules/families/escher.h"
#include "tests/family_traits.h"
#include "tests/rules/reference/escher.h"
#include "tests/rules/reference/turned_fen.h"

namespace faultline::test {

template <>
struct FamilyTest<EscherPosition> : FamilyDefaults<EscherPosition> {
  static reference::EscherState reference_state(const EscherVariant&, const std::string& fen) {
    return reference::EscherState(fen);
  }
  static std::vector<Elsewhere<EscherPosition>> seen_from_elsewhere(const EscherVariant& v,
                                                                    const EscherPosition& p) {
    return {seen_elsewhere(v, p, reference::half_turn, reference::half_turn_of_move)};
  }
  static std::string sparse_fen(const EscherVariant&, Random& rng) {
    SparseBoard board(rng, true);
    board.fill();
    return random_fields(rng, board, false);
  }
  static GamePlan games_from_the_start() {
    return {.seed = 20240609,
            .games = {{"escher", 30, 120}},
            .more_than = {.plies = 2500, .checks = 50, .en_passant = 5}};
  }
  static GamePlan games_on_sparse_boards() {
    return {.seed = 20240610,
            .games = {{"escher", 500, 12}},
            .more_than = {.plies = 5000, .checks = 200, .en_passant = 20, .promotions = 500}};
  }
  static constexpr std::size_t kLeastVectors = 200;
  static constexpr EncodingMark kEncoding = {
      .version = 1, .description = 0xa9ed7c39e6a2ba40, .behaviour = 0x7abdf2f5b5979020};
};

}  // namespace faultline::test
