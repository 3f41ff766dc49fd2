// Parameters of the typed tests for inferno.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "rules/families/inferno.h"
#include "tests/family_traits.h"
#include "tests/rules/reference/inferno.h"
#include "tests/rules/reference/turned_fen.h"

namespace faultline::test {

template <>
struct FamilyTest<InfernoPosition> : FamilyDefaults<InfernoPosition> {
  static std::vector<std::string> option_sets() {
    return {"inferno:levels=1",
            "inferno:levels=2",
            "inferno:levels=3",
            "inferno:levels=4",
            "inferno",
            "inferno:levels=6",
            "inferno:levels=2,colours=listed",
            "inferno:colours=listed"};
  }
  static constexpr bool kOneKingEach = false;
  static constexpr bool kGroundChanges = true;
  static bool is_ground_changed(const InfernoVariant& v, const InfernoPosition& p) {
    return p.levels() < v.levels;
  }
  static reference::InfernoState reference_state(const InfernoVariant& v, const std::string& fen) {
    return reference::InfernoState(fen, v.colours_listed);
  }
  static std::vector<Elsewhere<InfernoPosition>> seen_from_elsewhere(const InfernoVariant& v,
                                                                     const InfernoPosition& p) {
    return {seen_elsewhere(v, p, reference::mirror_ranks, reference::mirror_ranks_of_move)};
  }
  /// Some levels may be gone, their kings having risen.
  static std::string sparse_fen(const InfernoVariant& v, Random& rng) {
    const int levels = below(rng, v.levels) + 1;
    const auto is_hole = [](int s) { return s % 8 >= 2 && s % 8 <= 5 && s / 8 >= 2 && s / 8 <= 5; };
    std::string risen;
    for (const char king : {'K', 'k'})
      risen += std::string(rng() % static_cast<std::size_t>(v.levels - levels + 1), king);
    const bool white = by_chance(rng, 2);
    std::string pieces, rights;
    std::string en_passant = "-";
    for (int level = 0; level < levels; ++level) {
      SparseBoard board(rng, true);
      const bool deepest = level + 1 == levels;
      for (int s = 0; s < 64; ++s)
        if (!deepest && is_hole(s)) board.remove(s);
      board.fill();
      if (deepest || by_chance(rng, 2)) {
        for (const char king : risen)
          board.put_anywhere(king);
        risen.clear();
      }
      // Where the other side is nearly lost, a move on any level may win this one.
      for (int n = by_chance(rng, 2) ? 4 : 0; n > 0; --n)
        board.put_anywhere(reference::coloured("QRN"[below(rng, 3)], white));
      reference::Letters letters = board.letters();
      for (char& c : letters)
        if (c == '*') c = '.';
      pieces += (level ? "|" : "") + reference::write_letters(letters);
      rights += (level ? "|" : "") + board.rights();
      if (const std::string passed = board.passed_square(white);
          passed != "-" && passed[1] == (white ? '6' : '3'))
        en_passant = std::to_string(level + 1) + passed;
    }
    return pieces + (white ? " w " : " b ") + rights + " " + en_passant + " " +
           random_counters(rng);
  }
  static GamePlan games_from_the_start() {
    std::vector<Games> games;
    for (const std::string& name : option_sets()) {
      const int levels = variant<InfernoPosition>(name).levels;
      games.push_back({name, 3, levels == 1 ? 120 : 300 / (levels * levels)});
    }
    return {.seed = 20240703, .games = games, .more_than = {.plies = 700, .castlings = 7}};
  }
  static GamePlan games_on_sparse_boards() {
    return {.seed = 20240704,
            .games = games_of_each(option_sets(), 80, 6),
            .more_than = {.plies = 2000,
                          .checks = 150,
                          .en_passant = 10,
                          .castlings = 125,
                          .promotions = 500,
                          .levels_lost = 3000}};
  }
  static constexpr std::size_t kLeastVectors = 550;
  static constexpr EncodingMark kEncoding = {
      .version = 2, .description = 0xad97b76bb8b14d87, .behaviour = 0x86f92666d43e8638};
};

}  // namespace faultline::test
