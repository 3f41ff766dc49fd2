// Planes of attacked squares, in every family.
#include "model/encoding/attack_planes.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include <gtest/gtest.h>

#include "model/encoding/encoding_details.h"
#include "tests/effort.h"
#include "tests/families.h"
#include "tests/model/encoding/encoded.h"
#include "tests/model/encoding/random_histories.h"

namespace faultline {
namespace {

template <class P>
std::vector<float> encoded_with_attacks(const typename P::Variant& v, const P& p, int repetitions) {
  const PositionEncoder<P> encoder(Encoder<P>::info(v));
  // Not zero-initialised: an encoder must write every cell.
  std::vector<float> planes(encoder.floats_with_attacks(), -7.0F);
  encoder.encode(p, repetitions, planes);
  return planes;
}

template <class P>
class AttackPlanes : public testing::Test {};
TYPED_TEST_SUITE(AttackPlanes, test::EveryFamily);

TYPED_TEST(AttackPlanes, FollowThoseOfTheFamily) {
  using P = TypeParam;
  for (const std::string& name : test::option_sets<P>()) {
    const EncodingInfo& family = Encoder<P>::info(test::variant<P>(name));
    const EncodingInfo with = with_attack_planes(family);
    EXPECT_EQ(with.planes.size(),
              family.planes.size() + kAttackPlanes * static_cast<std::size_t>(family.levels));
    EXPECT_FALSE(has_attack_planes(family));
    EXPECT_TRUE(has_attack_planes(with));
    EXPECT_EQ(without_attack_planes(with), family);
    EXPECT_EQ(without_attack_planes(family), family);
    EXPECT_TRUE(is_encoding_of(with, family) && is_encoding_of(family, family));
    EXPECT_FALSE(is_encoding_of(with_attack_planes(with), family));
    EXPECT_NE(digest(with), digest(family));
  }
  test::for_random_positions<P>(
      1, [&](const auto& v, const PositionHistory<P>& history, const auto&) {
        const P& p = history.position();
        const auto family = test::encoded(v, p, history.repetitions());
        const auto with = encoded_with_attacks(v, p, history.repetitions());
        ASSERT_TRUE(std::equal(family.begin(), family.end(), with.begin())) << p.fen();
      });
}

/// Counted piece by piece along the lines that the encoding's details list.
template <class P>
std::map<Square, int> counted_attacks(const typename P::Variant& v, const P& p, Colour by) {
  const EncodingInfo& info = Encoder<P>::info(v);
  const EncodingDetails details = Encoder<P>::details(v);
  const std::vector<AttackPattern>* patterns = &details.attacks.at(0).patterns;
  if constexpr (std::is_same_v<P, EarthquakePosition>)
    for (const MovedAttacks& attacks : details.attacks) {
      const auto [dx, dy] = p.ground().displacement();
      if (attacks.numbers.front() == dx &&
          (attacks.numbers.size() == 1 || attacks.numbers[1] == dy))
        patterns = &attacks.patterns;
    }
  std::set<Square> missing;
  if constexpr (std::is_same_v<P, EarthquakePosition>)
    for_each_square(p.ground().covered(), [&](Square s) { missing.insert(s); });
  if constexpr (std::is_same_v<P, ShiftingPosition>)
    for_each_square(p.gaps(), [&](Square s) { missing.insert(s); });
  std::map<Square, Piece> pieces;
  p.for_each_piece([&](Colour c, PieceType t, Square s) { pieces[s] = {t, c}; });

  using Names = std::set<std::string>;
  const std::map<PieceType, Names> names = {
      {PieceType::Pawn, {by == Colour::White ? "white-pawn" : "black-pawn"}},
      {PieceType::Knight, {"knight"}},
      {PieceType::Bishop, {"diagonal"}},
      {PieceType::Rook, {"orthogonal"}},
      {PieceType::Queen, {"orthogonal", "diagonal"}},
      {PieceType::King, {"king"}},
      {PieceType::Chancellor, {"knight", "orthogonal"}},
      {PieceType::Ultra, {"ultra"}}};
  std::map<Square, int> times;
  for (const auto& [from, piece] : pieces) {
    if (piece.colour != by) continue;
    std::set<Square> reached;
    for (const AttackPattern& pattern : *patterns) {
      if (!names.at(piece.type).contains(pattern.name)) continue;
      for (const AttackLine& line : pattern.lines.at(from))
        for (const Square to : line) {
          if (missing.contains(to)) break;
          reached.insert(to);
          if (pieces.contains(to)) break;
        }
    }
    for (const Square to : reached)
      ++times[to];
  }
  EXPECT_LE(times.size(), info.squares.size());
  return times;
}

TYPED_TEST(AttackPlanes, CountThePiecesThatAttackASquare) {
  using P = TypeParam;
  int visited = 0, once = 0, twice = 0;
  test::for_random_positions<P>(
      2, [&](const auto& v, const PositionHistory<P>& history, const auto&) {
        const P& p = history.position();
        if (++visited % 16 != 0) return;  // counting takes long
        const EncodingInfo info = with_attack_planes(Encoder<P>::info(v));
        const auto cells = static_cast<std::size_t>(info.cells());
        const auto levels = static_cast<std::size_t>(info.levels);
        std::vector<float> expected(kAttackPlanes * levels * cells);
        const std::array sides = {p.side_to_move(), ~p.side_to_move()};
        for (std::size_t side = 0; side < 2; ++side)
          for (const auto& [square, times] : counted_attacks<P>(v, p, sides[side])) {
            const auto place = static_cast<std::size_t>(Encoder<P>::policy_cell(p, square));
            const std::size_t first = place % levels * kAttackPlanes + 2 * side;
            expected[first * cells + place / levels] = 1;
            if (times > 1) expected[(first + 1) * cells + place / levels] = 1;
            ++(times > 1 ? twice : once);
          }
        const auto planes = encoded_with_attacks(v, p, 0);
        ASSERT_EQ(std::vector<float>(planes.end() - static_cast<std::ptrdiff_t>(expected.size()),
                                     planes.end()),
                  expected)
            << p.fen();
      });
  EXPECT_GT(once, test::effort(900));
  EXPECT_GT(twice, test::effort(900));
}

TYPED_TEST(AttackPlanes, AreMirroredWithThePosition) {
  using P = TypeParam;
  int mirrored = 0;
  test::for_random_positions<P>(
      3, [&](const auto& v, const PositionHistory<P>& history, const auto&) {
        const P& p = history.position();
        std::vector<float> image = encoded_with_attacks(v, p, history.repetitions());
        if (!Encoder<P>::mirror(p, image, {})) return;
        const P there =
            Encoder<P>::decode(v, std::span(image).first(Encoder<P>::info(v).floats()), nullptr);
        ASSERT_EQ(encoded_with_attacks(v, there, history.repetitions()), image) << p.fen();
        ++mirrored;
      });
  EXPECT_TRUE(mirrored > 100 || (std::is_same_v<P, EscherPosition>)) << mirrored;
}

/// The squares with a mark on a plane of the position with this FEN.
template <class P>
std::set<std::string> marked(const std::string& variant, const std::string& fen,
                             const std::string& plane) {
  const auto& v = test::variant<P>(variant);
  const P p = P::from_fen(v, fen);
  const EncodingInfo info = with_attack_planes(Encoder<P>::info(v));
  const auto planes = encoded_with_attacks(v, p, 0);
  const auto cells = static_cast<std::size_t>(info.cells());
  const std::size_t first = test::plane_named(info, plane) * cells;
  std::set<std::string> names;
  for (std::size_t s = 0; s < info.squares.size(); ++s) {
    const auto place = static_cast<std::size_t>(Encoder<P>::policy_cell(p, static_cast<Square>(s)));
    if (planes[first + place / static_cast<std::size_t>(info.levels)] == 1.0F)
      names.insert(info.squares[s].name);
  }
  return names;
}

TEST(AttackPlanesOfChess, IncludeProtectedPiecesAndStopAtTheFirstPiece) {
  using Names = std::set<std::string>;
  const std::string fen = "4k3/8/8/8/8/8/P7/R3K3 b - - 0 1";
  EXPECT_EQ(marked<ChessPosition>("chess", fen, "enemy attacks"),
            (Names{"a2", "b1", "c1", "d1", "e1", "b3", "d2", "e2", "f2", "f1"}));
  EXPECT_EQ(marked<ChessPosition>("chess", fen, "enemy double attacks"), (Names{"d1"}));
  EXPECT_EQ(marked<ChessPosition>("chess", fen, "own attacks"),
            (Names{"d8", "d7", "e7", "f7", "f8"}));
}

TEST(AttackPlanesOfInferno, IncludeTheHoleWherePiecesDescend) {
  const auto seen = marked<InfernoPosition>("inferno:levels=2",
                                            "4k3/8/8/8/8/8/8/R3K3|4k3/8/8/8/8/8/8/4K3 w -|- - 0 1",
                                            "level 1: own attacks");
  EXPECT_TRUE(seen.contains("1a8"));
  EXPECT_EQ(marked<InfernoPosition>("inferno:levels=2",
                                    "4k3/8/8/8/R7/8/8/4K3|4k3/8/8/8/8/8/8/4K3 w -|- - 0 1",
                                    "level 1: own attacks")
                .contains("1d4"),
            true);
}

}  // namespace
}  // namespace faultline
