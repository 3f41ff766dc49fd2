// Parameters of the typed tests for chess.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "rules/families/chess.h"
#include "tests/family_traits.h"
#include "tests/rules/reference/chess.h"
#include "tests/rules/reference/turned_fen.h"

namespace faultline::test {

template <>
struct FamilyTest<ChessPosition> : FamilyDefaults<ChessPosition> {
  static reference::ChessState reference_state(const ChessVariant&, const std::string& fen) {
    return reference::ChessState(fen);
  }
  static std::vector<Elsewhere<ChessPosition>> seen_from_elsewhere(const ChessVariant& v,
                                                                   const ChessPosition& p) {
    return {seen_elsewhere(v, p, reference::mirror_ranks, reference::mirror_ranks_of_move)};
  }
  static std::string sparse_fen(const ChessVariant&, Random& rng) {
    SparseBoard board(rng, false);
    board.fill();
    return random_fields(rng, board, true);
  }
  static GamePlan games_from_the_start() {
    return {.seed = 20240607,
            .games = {{"chess", 30, 120}},
            .more_than = {.plies = 3000, .castlings = 20, .promotions = 50}};
  }
  static GamePlan games_on_sparse_boards() {
    return {
        .seed = 20240608,
        .games = {{"chess", 500, 12}},
        .more_than = {
            .plies = 5000, .checks = 200, .en_passant = 40, .castlings = 150, .promotions = 500}};
  }
  static constexpr std::size_t kLeastVectors = 200;
  static constexpr EncodingMark kEncoding = {
      .version = 1, .description = 0xf6dcc69cb76089e3, .behaviour = 0xfec1a021f55aaa66};
};

}  // namespace faultline::test
