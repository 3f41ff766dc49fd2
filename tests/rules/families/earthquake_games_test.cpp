// Random games of earthquake against the reference rules, and seen in mirrors.
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "tests/rules/random_games.h"
#include "tests/rules/reference/earthquake.h"

namespace faultline::test {
namespace {

/// The last field, displaced the other way; with `exchange` the players' uses change hands.
std::string opposite_ground(const std::string& field, bool exchange) {
  const reference::EarthquakeState state({.aftershocks = 9}, "8/8/8/8/8/8/8/8 w - - 0 1 " + field);
  std::string ground = std::to_string(-state.dx) + "," + std::to_string(state.dy);
  if (field.find('/') != std::string::npos)
    ground += "/" + std::to_string(state.left[exchange ? 1 : 0]) + "," +
              std::to_string(state.left[exchange ? 0 : 1]) + "/" + std::to_string(-state.last);
  return ground;
}

/// Ranks mirrored, colours exchanged.
std::string from_behind(const std::string& fen) {
  auto fields = reference::split(reference::mirror_ranks(fen), ' ');
  fields[6] = opposite_ground(fields[6], true);
  return reference::join(fields, ' ');
}

/// Files mirrored.
std::string from_beside(const std::string& fen) {
  auto fields = reference::split(fen, ' ');
  fields[0] = reference::change_parts(fields[0], '/', [](std::string row) {
    std::ranges::reverse(row);
    return row;
  });
  if (fields[3] != "-") fields[3][0] = reference::other_file(fields[3][0]);
  fields[6] = opposite_ground(fields[6], false);
  return reference::join(fields, ' ');
}

std::string opposite_shift(std::string text) {
  text[1] = text[1] == '+' ? '-' : '+';
  return text;
}
std::string move_from_behind(const std::string& text) {
  return text[0] == '@' ? opposite_shift(text) : reference::mirror_ranks_of_move(text);
}
std::string move_from_beside(const std::string& text) {
  if (text[0] == '@') return opposite_shift(text);
  return reference::half_turn_of_move(reference::mirror_ranks_of_move(text));
}

struct EarthquakeGame {
  using Position = EarthquakePosition;
  static constexpr bool kOneKingEach = true;
  static reference::EarthquakeState reference_state(const EarthquakeVariant& v,
                                                    const std::string& fen) {
    return {{.fly = v.fly(), .aftershocks = v.aftershocks(), .shock = v.shock()}, fen};
  }
  static std::vector<Elsewhere<Position>> seen_from_elsewhere(const EarthquakeVariant& v,
                                                              const Position& p) {
    VariantName name = parse_variant_name(v.canonical_name());
    name.options["dx"] = std::to_string(-v.start().dx);
    const EarthquakeVariant& opposite = Position::variant(name);
    const auto fields = reference::split(p.fen(), ' ');
    std::vector<Elsewhere<Position>> all;
    // The lower half covers the upper one, never the other way round.
    if (v.start().dy <= 0)
      all.push_back(seen_elsewhere(opposite, p, from_behind, move_from_behind));
    // King's and queen's side differ.
    if (fields[2] == "-") all.push_back(seen_elsewhere(opposite, p, from_beside, move_from_beside));
    // And both at once, which leaves the ground as it is.
    if (v.start().dy <= 0 && fields[2] == "-")
      all.push_back(seen_elsewhere(v, p, reference::half_turn, reference::half_turn_of_move));
    return all;
  }
};

TEST(EarthquakeGames, AgreeWithTheSlowRulesFromTheStart) {
  Random rng(20240801);
  Seen seen;
  for (const std::string& name : option_sets<EarthquakePosition>())
    play_from_the_start<EarthquakeGame>(name, 1, 100, rng, seen);
  EXPECT_GT(seen.plies, 2200);
  EXPECT_GT(seen.castlings, 20);
  EXPECT_GT(seen.board_movements, 500);
  EXPECT_GT(seen.elsewhere, 1000);
}

TEST(EarthquakeGames, AgreeWithTheSlowRulesOnSparseBoards) {
  Random rng(20240802);
  Seen seen;
  for (const std::string& name : option_sets<EarthquakePosition>())
    play_from_sparse_boards<EarthquakeGame>(name, 25, 10, rng, seen);
  EXPECT_GT(seen.plies, 5000);
  EXPECT_GT(seen.checks, 150);
  EXPECT_GT(seen.en_passant, 35);
  EXPECT_GT(seen.castlings, 150);
  EXPECT_GT(seen.promotions, 500);
  EXPECT_GT(seen.board_movements, 2000);
  EXPECT_GT(seen.elsewhere, 4000);
}

}  // namespace
}  // namespace faultline::test
