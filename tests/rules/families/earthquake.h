// Parameters of the typed tests for earthquake.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "rules/families/earthquake.h"
#include "tests/family_traits.h"
#include "tests/rules/reference/earthquake.h"
#include "tests/rules/reference/turned_fen.h"

namespace faultline::test {

namespace earthquake {

/// The last field, displaced the other way; `exchange` swaps the players' aftershocks left.
inline std::string opposite_ground(const std::string& field, bool exchange) {
  reference::EarthquakeState state({.aftershocks = std::ranges::count(field, '/') > 0 ? 9 : 0,
                                    .both_axes = std::ranges::count(field, '/') > 2},
                                   "8/8/8/8/8/8/8/8 w - - 0 1 " + field);
  state.dx *= -1;
  state.last[0] *= -1;
  if (exchange) std::swap(state.counts[0], state.counts[1]);
  return reference::split(state.fen(), ' ')[6];
}

/// Ranks mirrored, colours exchanged.
inline std::string from_behind(const std::string& fen) {
  auto fields = reference::split(reference::mirror_ranks(fen), ' ');
  fields[6] = opposite_ground(fields[6], true);
  return reference::join(fields, ' ');
}

/// Files mirrored.
inline std::string from_beside(const std::string& fen) {
  auto fields = reference::split(fen, ' ');
  fields[0] = reference::change_parts(fields[0], '/', [](std::string row) {
    std::ranges::reverse(row);
    return row;
  });
  if (fields[3] != "-") fields[3][0] = reference::other_file(fields[3][0]);
  fields[6] = opposite_ground(fields[6], false);
  return reference::join(fields, ' ');
}

inline std::string opposite_shift(std::string text) {
  if (text[1] == '+' || text[1] == '-') text[1] = text[1] == '+' ? '-' : '+';
  return text;
}
inline std::string move_from_behind(const std::string& text) {
  return text[0] == '@' ? opposite_shift(text) : reference::mirror_ranks_of_move(text);
}
inline std::string move_from_beside(const std::string& text) {
  if (text[0] == '@') return opposite_shift(text);
  return reference::half_turn_of_move(reference::mirror_ranks_of_move(text));
}

}  // namespace earthquake

template <>
struct FamilyTest<EarthquakePosition> : FamilyDefaults<EarthquakePosition> {
  static std::vector<std::string> option_sets() {
    return {
        "earthquake",
        "earthquake:dx=-3",
        "earthquake:dx=7",
        "earthquake:dx=8",
        "earthquake:dx=-8",
        "earthquake:dx=0",
        "earthquake:dx=-2,dy=1",
        "earthquake:dx=0,dy=2",
        "earthquake:dx=-8,dy=3",
        "earthquake:dx=8,dy=4",
        "earthquake:dx=-8,dy=4",
        "earthquake:dx=2,dy=-1,fly=on",
        "earthquake:dx=-5,dy=-2,fly=on",
        "earthquake:dx=8,dy=-2,fly=on",
        "earthquake:dx=0,dy=-2,fly=on",
        "earthquake:dx=4,dy=2,fly=on",
        "earthquake:aftershock=2",
        "earthquake:dx=-1,aftershock=9,shock=7",
        "earthquake:dx=8,dy=3,aftershock=3,shock=4",
        "earthquake:dx=-8,dy=4,aftershock=9,shock=7",
        "earthquake:dx=3,dy=1,aftershock=4,shock=2",
        "earthquake:dx=-4,dy=2,aftershock=9",
        "earthquake:dx=0,dy=-1,fly=on,aftershock=3,shock=3",
        "earthquake:dx=-6,dy=2,fly=on,aftershock=5,shock=5",
        "earthquake:dx=8,dy=-2,fly=on,aftershock=9,shock=7",
        "earthquake:every=1",
        "earthquake:dx=-2,dy=1,shock=3,every=3",
        "earthquake:every=12",
        "earthquake:aftershock=3,axis=both",
        "earthquake:dx=-3,fly=on,shock=4,every=2,axis=both",
        "earthquake:dx=0,dy=1,axis=both",
    };
  }
  static constexpr bool kGroundChanges = true;
  static bool is_ground_changed(const EarthquakeVariant& v, const EarthquakePosition& p) {
    return p.ground().displacement() != v.start();
  }
  /// A half-turn exchanges the castling sides, and the lower half must not cover the upper one,
  /// also after an aftershock.
  static bool is_turnable(const EarthquakeVariant& v, const EarthquakePosition& p) {
    return !p.ground().covered() && !(v.shifts() && v.can_cover()) &&
           reference::split(p.fen(), ' ')[2] == "-";
  }
  static reference::EarthquakeState reference_state(const EarthquakeVariant& v,
                                                    const std::string& fen) {
    return {{.fly = v.fly(),
             .aftershocks = v.aftershocks(),
             .shock = v.shock(),
             .every = v.every(),
             .both_axes = v.canonical_name().ends_with("axis=both")},
            fen};
  }
  static std::vector<Elsewhere<EarthquakePosition>> seen_from_elsewhere(
      const EarthquakeVariant& v, const EarthquakePosition& p) {
    VariantName name = parse_variant_name(v.canonical_name());
    name.options["dx"] = std::to_string(-v.start().dx);
    const EarthquakeVariant& opposite = EarthquakePosition::variant(name);
    const auto fields = reference::split(p.fen(), ' ');
    std::vector<Elsewhere<EarthquakePosition>> all;
    // The lower half covers the upper one, never the other way round.
    if (!v.can_cover())
      all.push_back(
          seen_elsewhere(opposite, p, earthquake::from_behind, earthquake::move_from_behind));
    // King's and queen's side differ.
    if (fields[2] == "-")
      all.push_back(
          seen_elsewhere(opposite, p, earthquake::from_beside, earthquake::move_from_beside));
    // And both at once, which leaves the displacement unchanged.
    if (!v.can_cover() && fields[2] == "-")
      all.push_back(seen_elsewhere(v, p, reference::half_turn, reference::half_turn_of_move));
    return all;
  }
  /// A board with any displacement that aftershocks may lead to.
  static std::string sparse_fen(const EarthquakeVariant& v, Random& rng) {
    const int dx = v.shifts() ? below(rng, 15) - 7 : v.start().dx;
    const int dy = v.lowest_dy() + below(rng, v.highest_dy() - v.lowest_dy() + 1);
    SparseBoard board(rng, false);
    for (int s = 0; s < 64; ++s)
      if (contains(v.board({dx, dy})->covered(), static_cast<Square>(s))) board.remove(s);
    board.fill();
    const std::string fields = random_fields(rng, board, true);
    const std::string ground = std::to_string(dx) + "," + std::to_string(dy);
    if (!v.shifts()) return fields + " " + ground;
    const int most = v.every() > 0 ? v.every() - 1 : v.aftershocks();
    int of_white = below(rng, most + 1);
    int of_black = below(rng, most + 1);
    int last = by_chance(rng, 2) ? 0 : below(rng, 2 * v.shock() + 1) - v.shock();
    // Whoever has just made an aftershock waits for the longest time.
    if (v.every() > 0 && last != 0)
      (fields.find(" w ") < fields.size() ? of_black : of_white) = most;
    const std::string counts =
        "/" + std::to_string(of_white) + "," + std::to_string(of_black) + "/";
    const std::string by = std::to_string(last);
    if (!v.shifts_by_ranks()) return fields + " " + ground + counts + by;
    return fields + " " + ground + counts + (by_chance(rng, 2) ? by + "/0" : "0/" + by);
  }
  /// Games of more option sets too, whose encodings are slow to test: they have a hundred boards
  /// each.
  static std::vector<Games> games_of_all(int games, int plies) {
    std::vector<Games> all = games_of_each(option_sets(), games, plies);
    for (const char* name : {"earthquake:dx=8,dy=3,aftershock=9,shock=2,axis=both",
                             "earthquake:dx=0,shock=3,every=2,axis=both",
                             "earthquake:dx=-3,fly=on,shock=7,every=1,axis=both"})
      all.push_back({name, games, plies});
    return all;
  }
  static GamePlan games_from_the_start() {
    return {
        .seed = 20240801,
        .games = games_of_all(1, 100),
        .more_than = {.plies = 2200, .elsewhere = 1000, .castlings = 20, .board_movements = 500}};
  }
  static GamePlan games_on_sparse_boards() {
    return {.seed = 20240802,
            .games = games_of_all(25, 10),
            .more_than = {.plies = 5000,
                          .checks = 150,
                          .elsewhere = 4000,
                          .en_passant = 35,
                          .castlings = 150,
                          .promotions = 500,
                          .board_movements = 2000}};
  }
  static constexpr std::size_t kLeastVectors = 700;
  static constexpr EncodingMark kEncoding = {
      .version = 1, .description = 0x4f3d3c93f12e140e, .behaviour = 0xde15bbea4b9ebb25};
};

}  // namespace faultline::test
