// The encoders, under many option sets of every family: planes encode the whole position from the
// mover's side; moves have distinct indices.
#include <algorithm>
#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "model/encoding/encoders.h"
#include "rules/perft.h"
#include "tests/effort.h"
#include "tests/families.h"
#include "tests/model/encoding/encoded.h"
#include "tests/model/encoding/random_histories.h"
#include "tests/rules/reference/turned_fen.h"

namespace faultline {
namespace {

using test::encoded;
using test::for_random_positions;

bool tells_who_moves(const EncodingInfo& info) {
  return std::ranges::find(info.planes, "black to move") != info.planes.end();
}

/// The position as the other side would see it, if it is one of the same variant. Written from FEN
/// alone, so that it shares nothing with the encoders.
template <class P>
std::optional<std::string> turned_fen(const typename P::Variant& v, const P& p) {
  const std::string& symmetry = Encoder<P>::info(v).symmetry;
  if (symmetry == "none" || !test::FamilyTest<P>::is_turnable(v, p)) return std::nullopt;
  if (symmetry == "mirror") return reference::mirror_ranks(p.fen());
  return reference::half_turn(p.fen());
}

template <class P>
class EveryEncoder : public testing::Test {};
TYPED_TEST_SUITE(EveryEncoder, test::EveryFamily);

TYPED_TEST(EveryEncoder, DecodesWhatItEncodes) {
  using P = TypeParam;
  int positions = 0;
  int double_steps = 0;
  int en_passant = 0;
  int ground_changed = 0;
  for_random_positions<P>(
      1, [&](const auto& v, const PositionHistory<P>& history, const auto& moves) {
        const P& p = history.position();
        const auto planes = encoded(v, p, history.repetitions());
        int repetitions = -1;
        const P decoded = Encoder<P>::decode(v, planes, &repetitions);
        ASSERT_EQ(repetitions, history.repetitions());
        ASSERT_EQ(encoded(v, decoded, repetitions), planes) << p.fen();

        const bool is_turned =
            p.side_to_move() == Colour::Black && !tells_who_moves(Encoder<P>::info(v));
        auto fields = reference::split(is_turned ? turned_fen<P>(v, p).value() : p.fen(), ' ');
        fields[5] = "1";
        ASSERT_EQ(decoded.fen(), reference::join(fields, ' ')) << p.fen();
        ASSERT_TRUE(is_turned || decoded.key() == p.key()) << p.fen();

        ++positions;
        for (const Move m : moves)
          double_steps += m.kind() == MoveKind::DoubleStep ? 1 : 0;
        en_passant += p.en_passant() != kNoSquare ? 1 : 0;
        ground_changed += test::FamilyTest<P>::is_ground_changed(v, p) ? 1 : 0;
      });
  EXPECT_GT(positions, test::effort(2000));
  EXPECT_TRUE(en_passant >= test::effort(10) || double_steps == 0) << en_passant;
  EXPECT_TRUE(ground_changed > test::effort(300) / 2 || !test::FamilyTest<P>::kGroundChanges);
}

/// The indices of a position's moves.
template <class P>
std::vector<PolicyIndex> policy_indices(const P& position) {
  typename P::MoveList moves;
  position.legal_moves(moves);
  std::vector<PolicyIndex> indices;
  for (const Move move : moves)
    indices.push_back(Encoder<P>::policy_index(position, move));
  return indices;
}
std::vector<std::tuple<int, int, int>> sorted(const std::vector<PolicyIndex>& indices) {
  std::vector<std::tuple<int, int, int>> list;
  for (const PolicyIndex& index : indices)
    list.emplace_back(index.from, index.to, index.kind);
  std::ranges::sort(list);
  return list;
}

TYPED_TEST(EveryEncoder, MirrorsPositionsOfTheSameGame) {
  using P = TypeParam;
  int mirrored = 0, changed = 0, seen = 0;
  for_random_positions<P>(3, [&](const auto& v, const PositionHistory<P>& history, const auto&) {
    const P& p = history.position();
    const std::vector<float> planes = encoded(v, p, history.repetitions());
    const std::vector<PolicyIndex> moves = policy_indices(p);
    std::vector<float> image = planes;
    std::vector<PolicyIndex> image_moves = moves;
    ++seen;
    if (!Encoder<P>::mirror(p, image, image_moves)) {
      ASSERT_EQ(image, planes);
      ASSERT_EQ(image_moves, moves);
      return;
    }
    ++mirrored;
    changed += image != planes ? 1 : 0;
    const P there = Encoder<P>::decode(v, image, nullptr);
    ASSERT_EQ(sorted(policy_indices(there)), sorted(image_moves)) << p.fen();
    ASSERT_EQ(encoded(v, there, history.repetitions()), image) << p.fen();
    ASSERT_EQ(perft(there, 2), perft(p, 2)) << p.fen() << " and " << there.fen();
    ASSERT_TRUE(Encoder<P>::mirror(there, image, image_moves));
    ASSERT_EQ(image, planes);
    ASSERT_EQ(image_moves, moves);
  });
  if (std::is_same_v<P, EscherPosition>) {
    EXPECT_EQ(mirrored, 0);
  } else {
    EXPECT_GT(mirrored, seen / 10);
    EXPECT_GT(changed, mirrored / 2);
  }
  if (std::is_same_v<P, GardnerPosition>) {
    EXPECT_EQ(mirrored, seen);
  }
}

TYPED_TEST(EveryEncoder, EncodesATurnedPositionTheSame) {
  using P = TypeParam;
  int compared = 0;
  for_random_positions<P>(
      2, [&](const auto& v, const PositionHistory<P>& history, const auto& moves) {
        const P& p = history.position();
        const auto fen = turned_fen<P>(v, p);
        if (!fen) return;
        const P turned = P::from_fen(v, *fen);
        ASSERT_NE(turned.side_to_move(), p.side_to_move());
        const EncodingInfo& info = Encoder<P>::info(v);
        auto here = encoded(v, p, 1);
        auto there = encoded(v, turned, 1);
        if (tells_who_moves(info)) {
          const auto cells = static_cast<std::ptrdiff_t>(info.cells());
          const auto first = static_cast<std::ptrdiff_t>(test::plane_named(info, "black to move"));
          ASSERT_FALSE(std::equal(here.begin() + first * cells, here.begin() + (first + 1) * cells,
                                  there.begin() + first * cells));
          std::copy_n(here.begin() + first * cells, cells, there.begin() + first * cells);
        }
        ASSERT_EQ(here, there) << p.fen();
        // And the legal moves are the same.
        typename P::MoveList turned_moves;
        turned.legal_moves(turned_moves);
        const auto indices = [](const P& position, const auto& list) {
          std::set<std::tuple<int, int, int>> all;
          for (const Move m : list) {
            const PolicyIndex i = Encoder<P>::policy_index(position, m);
            all.emplace(i.from, i.to, i.kind);
          }
          return all;
        };
        ASSERT_EQ(indices(p, moves), indices(turned, turned_moves)) << p.fen();
        ++compared;
      });
  const std::string& symmetry = Encoder<P>::info(P::variant({P::info().name, {}})).symmetry;
  EXPECT_TRUE(compared > 500 || symmetry == "none") << compared;
}

TYPED_TEST(EveryEncoder, GivesLegalMovesDistinctIndices) {
  using P = TypeParam;
  std::set<std::string> kinds;
  for_random_positions<P>(3, [&](const auto& v, const PositionHistory<P>& history,
                                 const auto& moves) {
    const P& p = history.position();
    const EncodingInfo& info = Encoder<P>::info(v);
    std::set<std::tuple<int, int, int>> seen;
    for (const Move m : moves) {
      const PolicyIndex i = Encoder<P>::policy_index(p, m);
      ASSERT_TRUE(i.from >= 0 && i.from < info.policy_cells() && i.to >= 0 &&
                  i.to < info.policy_cells());
      ASSERT_TRUE(i.kind >= 0 && i.kind < static_cast<int>(info.policy_kinds.size()));
      ASSERT_TRUE(seen.emplace(i.from, i.to, i.kind).second) << p.fen() << " " << p.move_text(m);
      kinds.insert(info.policy_kinds[static_cast<std::size_t>(i.kind)]);
    }
  });
  for (const std::string& name : test::option_sets<P>())
    for (const std::string& kind : Encoder<P>::info(test::variant<P>(name)).policy_kinds)
      EXPECT_TRUE(kinds.contains(kind)) << kind;
}

TYPED_TEST(EveryEncoder, DescribesEveryVariant) {
  using P = TypeParam;
  const auto unique = [](const std::vector<std::string>& names) {
    return std::set<std::string>(names.begin(), names.end()).size() == names.size();
  };
  const auto names = test::option_sets<P>();
  EXPECT_TRUE(unique(names));
  for (const std::string& name : names) {
    const auto& v = test::variant<P>(name);
    const EncodingInfo& info = Encoder<P>::info(v);
    EXPECT_EQ(info.variant, name);
    EXPECT_EQ(info.variant, v.canonical_name());
    EXPECT_EQ(info.family, P::info().name);
    EXPECT_TRUE(unique(info.planes)) << name;
    EXPECT_TRUE(unique(info.policy_kinds)) << name;
    EXPECT_EQ(encoding_from_json(nlohmann::json::parse(to_json(info).dump())), info);
  }
}

TEST(EncodingJson, NamesAMissingOrMistypedKey) {
  const auto message = [](const nlohmann::json& json) -> std::string {
    try {
      encoding_from_json(json);
    } catch (const std::runtime_error& error) {
      return error.what();
    }
    return "accepted";
  };
  const auto good = to_json(Encoder<ChessPosition>::info({}));
  auto missing = good;
  missing.erase("planes");
  EXPECT_EQ(message(missing), "encoding: key 'planes' is missing");
  auto mistyped = good;
  mistyped["height"] = "eight";
  EXPECT_EQ(message(mistyped), "encoding: key 'height' has the wrong type (string)");
  EXPECT_EQ(message(nlohmann::json::array()), "encoding: expected a JSON object");
}

}  // namespace
}  // namespace faultline
