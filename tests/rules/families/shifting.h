// Parameters of the typed tests for shifting.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "rules/families/shifting.h"
#include "tests/family_traits.h"
#include "tests/rules/reference/shifting.h"
#include "tests/rules/reference/turned_fen.h"

namespace faultline::test {

template <>
struct FamilyTest<ShiftingPosition> : FamilyDefaults<ShiftingPosition> {
  /// All pairs of gaps.
  static std::vector<std::string> option_sets() {
    const std::vector<std::string> areas = {"AII", "AIII", "BII", "BIII",
                                            "CII", "CIII", "DII", "DIII"};
    std::vector<std::string> names;
    for (auto a = areas.begin(); a != areas.end(); ++a)
      for (auto b = a + 1; b != areas.end(); ++b)
        names.push_back(
            ShiftingPosition::variant({"shifting", {{"gaps", *a + "+" + *b}}}).canonical_name());
    names.insert(names.end(),
                 {"shifting:knights=blocked", "shifting:gaps=BII+CII,knights=blocked"});
    return names;
  }
  static constexpr bool kGroundChanges = true;
  static bool is_ground_changed(const ShiftingVariant& v, const ShiftingPosition& p) {
    return p.gaps() != (area_squares(v.gaps[0]) | area_squares(v.gaps[1]));
  }
  static reference::ShiftingState reference_state(const ShiftingVariant& v,
                                                  const std::string& fen) {
    return reference::ShiftingState(fen, v.knights_blocked);
  }
  static std::vector<Elsewhere<ShiftingPosition>> seen_from_elsewhere(const ShiftingVariant& v,
                                                                      const ShiftingPosition& p) {
    return {seen_elsewhere(v, p, reference::mirror_ranks, reference::mirror_ranks_of_move)};
  }
  /// Gaps anywhere: play may have moved them.
  static std::string sparse_fen(const ShiftingVariant&, Random& rng) {
    SparseBoard board(rng, true);
    const int gap = below(rng, 16);
    const int other = (gap + 1 + below(rng, 15)) % 16;
    for (const int area : {gap, other})
      for (const int s : {0, 1, 8, 9})
        board.remove(area / 4 * 16 + area % 4 * 2 + s);
    board.fill();
    return random_fields(rng, board, true);
  }
  static GamePlan games_from_the_start() {
    return {.seed = 20240701,
            .games = games_of_each(option_sets(), 1, 80),
            .more_than = {.plies = 1800, .castlings = 5, .board_movements = 1500}};
  }
  static GamePlan games_on_sparse_boards() {
    return {.seed = 20240702,
            .games = {{"shifting", 500, 12}, {"shifting:knights=blocked", 250, 12}},
            .more_than = {.plies = 5000,
                          .checks = 150,
                          .en_passant = 25,
                          .castlings = 75,
                          .promotions = 500,
                          .board_movements = 2000}};
  }
  static constexpr std::size_t kLeastVectors = 400;
  static constexpr EncodingMark kEncoding = {
      .version = 1, .description = 0x9c4396168db2256d, .behaviour = 0x2baee94ffdb4743d};
};

}  // namespace faultline::test
