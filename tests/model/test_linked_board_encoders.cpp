// The encoders of slanted and earthquake, over many option sets: planes hold the whole position.
#include <algorithm>
#include <random>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "model/encoder_earthquake.h"
#include "model/encoder_slanted.h"
#include "rules/history.h"
#include "tests/rules/slow_mailbox.h"

namespace faultline {
namespace {

template <class P>
std::vector<std::string> variants_of();
template <>
std::vector<std::string> variants_of<SlantedPosition>() {
  return {"slanted", "slanted:army=almost", "slanted:army=sort-of-almost,first=black",
          "slanted:board=standard", "slanted:board=mini"};
}
template <>
std::vector<std::string> variants_of<EarthquakePosition>() {
  return {"earthquake",
          "earthquake:dx=-3",
          "earthquake:dx=8,dy=4",
          "earthquake:dx=-2,dy=1",
          "earthquake:dx=0,dy=2",
          "earthquake:dx=2,dy=-2,fly=on",
          "earthquake:aftershock=2",
          "earthquake:dx=8,dy=3,aftershock=9,shock=7"};
}

template <class P>
std::vector<float> encoded(const P& position, int repetitions) {
  // Not zero to begin with: an encoder writes every cell.
  std::vector<float> planes(Encoder<P>::info(position.variant()).floats(), -7.0F);
  Encoder<P>::encode(position, repetitions, planes);
  return planes;
}

/// Calls `visit(line, moves)` for positions of random games.
template <class P, class Visit>
void for_random_positions(const std::string& name, int games, Visit&& visit) {
  const auto& variant = P::variant(parse_variant_name(name));
  std::mt19937_64 rng(11);
  for (int game = 0; game < games; ++game) {
    Line<P> line(P::start(variant));
    for (int ply = 0; ply < 150 && !is_over(line.outcome()); ++ply) {
      typename P::MoveList moves;
      line.position().legal_moves(moves);
      visit(line, moves);
      if (testing::Test::HasFatalFailure()) return;
      line.play(moves[rng() % moves.size()]);
    }
  }
}

template <class P>
class LinkedBoardEncoder : public testing::Test {};
using LinkedBoards = testing::Types<SlantedPosition, EarthquakePosition>;
TYPED_TEST_SUITE(LinkedBoardEncoder, LinkedBoards);

TYPED_TEST(LinkedBoardEncoder, DecodesWhatItEncodes) {
  using P = TypeParam;
  for (const std::string& name : variants_of<P>())
    for_random_positions<P>(name, 3, [&](const Line<P>& line, const auto&) {
      const P& p = line.position();
      const auto planes = encoded(p, line.repetitions());
      int repetitions = -1;
      const P decoded = Encoder<P>::decode(p.variant(), planes, &repetitions);
      ASSERT_EQ(decoded.key(), p.key()) << p.fen() << "\n" << decoded.fen();
      ASSERT_EQ(decoded.plies_since_progress(), p.plies_since_progress());
      ASSERT_EQ(repetitions, line.repetitions());
      ASSERT_EQ(encoded(decoded, repetitions), planes) << p.fen();
    });
}

TYPED_TEST(LinkedBoardEncoder, TellsAllLegalMovesApart) {
  using P = TypeParam;
  std::size_t special = 0;
  for (const std::string& name : variants_of<P>())
    for_random_positions<P>(name, 3, [&](const Line<P>& line, const auto& moves) {
      const P& p = line.position();
      const EncodingInfo& info = Encoder<P>::info(p.variant());
      std::set<std::tuple<int, int, int>> seen;
      for (const Move m : moves) {
        const PolicyIndex i = Encoder<P>::policy_index(p, m);
        ASSERT_TRUE(i.from >= 0 && i.from < info.cells() && i.to >= 0 && i.to < info.cells());
        ASSERT_TRUE(i.kind >= 0 && i.kind < static_cast<int>(info.policy_kinds.size()));
        special += i.kind != 0 ? 1 : 0;
        ASSERT_TRUE(seen.emplace(i.from, i.to, i.kind).second) << p.fen() << " " << p.move_text(m);
      }
    });
  EXPECT_GT(special, 0U) << "promotions and aftershocks are among them";
}

TYPED_TEST(LinkedBoardEncoder, DescribesEveryVariant) {
  using P = TypeParam;
  for (const std::string& name : variants_of<P>()) {
    const EncodingInfo& info = Encoder<P>::info(P::variant(parse_variant_name(name)));
    EXPECT_EQ(info.variant, name);
    EXPECT_EQ(info.family, P::info().name);
    EXPECT_EQ(std::set<std::string>(info.planes.begin(), info.planes.end()).size(),
              info.planes.size());
    EXPECT_EQ(encoding_from_json(nlohmann::json::parse(to_json(info).dump())), info);
  }
}

std::size_t plane_named(const EncodingInfo& info, const std::string& name) {
  const auto found = std::ranges::find(info.planes, name);
  EXPECT_NE(found, info.planes.end()) << name;
  return static_cast<std::size_t>(found - info.planes.begin());
}

/// The same position with colours exchanged and the board turned by a half.
std::string half_turned(const std::string& fen) {
  auto fields = slow::split(fen, ' ');
  std::reverse(fields[0].begin(), fields[0].end());
  fields[0] = slow::other_case(fields[0]);
  fields[1] = fields[1] == "w" ? "b" : "w";
  if (fields[3] != "-")
    fields[3] = {static_cast<char>('a' + 'h' - fields[3][0]),
                 static_cast<char>('1' + '8' - fields[3][1])};
  if (const auto uses = fields[6].find('/'); uses != std::string::npos)
    std::swap(fields[6][uses + 1], fields[6][uses + 3]);
  std::string text;
  for (const std::string& field : fields)
    text += (text.empty() ? "" : " ") + field;
  return text;
}

TEST(EarthquakeEncoder, SeesATurnedPositionAsTheSameButForWhoMoves) {
  int compared = 0;
  for (const std::string name : {"earthquake", "earthquake:dx=-3", "earthquake:dx=8,dy=4",
                                 "earthquake:dx=2,dy=-2,fly=on", "earthquake:aftershock=2"})
    for_random_positions<EarthquakePosition>(
        name, 8, [&](const Line<EarthquakePosition>& line, const auto&) {
          const EarthquakePosition& p = line.position();
          if (slow::split(p.fen(), ' ')[2] != "-") return;  // a half-turn exchanges its sides
          const auto turned = EarthquakePosition::from_fen(p.variant(), half_turned(p.fen()));
          const EncodingInfo& info = Encoder<EarthquakePosition>::info(p.variant());
          auto here = encoded(p, 0);
          auto there = encoded(turned, 0);
          const auto cells = static_cast<std::ptrdiff_t>(info.cells());
          const auto plane = static_cast<std::ptrdiff_t>(plane_named(info, "black to move"));
          ASSERT_NE(here[static_cast<std::size_t>(plane * cells)],
                    there[static_cast<std::size_t>(plane * cells)]);
          std::fill_n(here.begin() + plane * cells, cells, 0.0F);
          std::fill_n(there.begin() + plane * cells, cells, 0.0F);
          ASSERT_EQ(here, there) << p.fen();
          ++compared;
        });
  EXPECT_GT(compared, 500);
}

TEST(EarthquakeEncoder, PutsNeighboursInPlayNextToEachOther) {
  const auto& variant = EarthquakePosition::variant(parse_variant_name("earthquake:dx=2"));
  const auto p = EarthquakePosition::start(variant);
  const EncodingInfo& info = Encoder<EarthquakePosition>::info(variant);
  EXPECT_EQ(info.height, 8);
  EXPECT_EQ(info.width, 10);
  const auto planes = encoded(p, 0);
  const auto at = [&](const std::string& plane, std::size_t cell) {
    return planes[plane_named(info, plane) * 80 + cell];
  };
  EXPECT_EQ(at("own rook", 2), 1.0F) << "a1 lies two files to the right";
  EXPECT_EQ(at("enemy rook", 70), 1.0F) << "a8";
  EXPECT_EQ(at("squares of the own half", 0), 0.0F) << "a void";
  EXPECT_EQ(at("squares of the enemy half", 40), 1.0F) << "a5";
  EXPECT_EQ(at("own promotion squares", 70), 1.0F);
  EXPECT_EQ(at("own rooks that may castle", 2), 1.0F);
  EXPECT_FLOAT_EQ(at("dx / 8", 5), 0.25F);
}

TEST(EarthquakeEncoder, GivesEveryShiftAKindFromTheMoversKing) {
  const auto& variant =
      EarthquakePosition::variant(parse_variant_name("earthquake:aftershock=1,shock=2"));
  const auto p = EarthquakePosition::start(variant);
  const EncodingInfo& info = Encoder<EarthquakePosition>::info(variant);
  EXPECT_EQ(info.width, 15);
  for (const std::string shift : {"-2", "-1", "+1", "+2"}) {
    const auto move = p.parse_move("@" + shift);
    ASSERT_TRUE(move);
    const PolicyIndex i = Encoder<EarthquakePosition>::policy_index(p, *move);
    EXPECT_EQ(info.policy_kinds[static_cast<std::size_t>(i.kind)], "shift" + shift);
    EXPECT_EQ(i.from, 5) << "e1 lies one file to the right";
    EXPECT_EQ(i.to, 5);
  }
}

TEST(SlantedEncoder, PutsSquaresOnTheGrid) {
  const auto& variant = SlantedPosition::variant(parse_variant_name("slanted"));
  const auto p =
      SlantedPosition::from_fen(variant, "9k/10/10/8/8/U6c/10/10/9K w - - 0 1");  // ab4 and ij4
  const EncodingInfo& info = Encoder<SlantedPosition>::info(variant);
  EXPECT_EQ(info.cells(), 90);
  const auto planes = encoded(p, 0);
  const auto at = [&](const std::string& plane, std::size_t cell) {
    return planes[plane_named(info, plane) * 90 + cell];
  };
  EXPECT_EQ(at("own ultra", 30), 1.0F);
  EXPECT_EQ(at("enemy crab", 39), 1.0F);
  EXPECT_EQ(at("left escalators", 30), 1.0F);
  EXPECT_EQ(at("right escalators", 39), 1.0F);
  EXPECT_EQ(at("squares", 33), 0.0F) << "a barrier";
  EXPECT_EQ(at("left escalators", 34), 0.0F) << "e4";
  EXPECT_EQ(info.policy_kinds.back(), "promote-ultra");
}

}  // namespace
}  // namespace faultline
