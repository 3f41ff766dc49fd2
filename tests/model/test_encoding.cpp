// The encoders: planes hold the whole position, from the mover's side; moves are told apart.
#include <algorithm>
#include <cctype>
#include <set>
#include <sstream>
#include <string>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "model/encoders.h"
#include "random_positions.h"

namespace faultline {
namespace {

template <class P>
const typename P::Variant& the_variant() {
  return P::variant({P::info().name, {}});
}

template <class P>
std::vector<float> encoded(const P& position, int repetitions) {
  // Not zero to begin with: an encoder writes every cell.
  std::vector<float> planes(Encoder<P>::info(the_variant<P>()).floats(), -7.0F);
  Encoder<P>::encode(position, repetitions, planes);
  return planes;
}

char swap_case(char c) {
  const auto u = static_cast<unsigned char>(c);
  return static_cast<char>(std::isupper(u) ? std::tolower(u) : std::toupper(u));
}

/// The same position with the colours swapped and the board turned: what the other side would see.
/// Written from FEN alone, so that it shares nothing with the encoders.
std::string turned_fen(const std::string& fen, bool half_turn) {
  std::istringstream in(fen);
  std::string pieces, side, castling, en_passant, plies, number;
  in >> pieces >> side >> castling >> en_passant >> plies >> number;
  std::string turned;
  std::istringstream levels(pieces);
  for (std::string level; std::getline(levels, level, '|');) {
    std::vector<std::string> rows(1);
    for (const char c : level) {
      if (c == '/')
        rows.emplace_back();
      else
        rows.back() += swap_case(c);
    }
    std::reverse(rows.begin(), rows.end());
    std::string board;
    for (std::string& row : rows) {
      if (half_turn) std::reverse(row.begin(), row.end());
      board += (board.empty() ? "" : "/") + row;
    }
    turned += (turned.empty() ? "" : "|") + board;
  }
  for (char& c : castling)
    if (c != '-') c = swap_case(c);
  if (en_passant != "-") {
    if (half_turn) en_passant[0] = static_cast<char>('a' + 'h' - en_passant[0]);
    en_passant.back() = static_cast<char>('1' + '8' - en_passant.back());
  }
  return turned + (side == "w" ? " b " : " w ") + castling + " " + en_passant + " " + plies + " " +
         number;
}

template <class P>
class EveryEncoder : public testing::Test {};
using AllPositions =
    testing::Types<ChessPosition, EscherPosition, InfernoPosition, ShiftingPosition>;
TYPED_TEST_SUITE(EveryEncoder, AllPositions);

TYPED_TEST(EveryEncoder, DecodesWhatItEncodes) {
  using P = TypeParam;
  for (const auto& sample : test::random_positions<P>(2000, 1)) {
    const auto planes = encoded(sample.position, sample.repetitions);
    int repetitions = -1;
    const P decoded = Encoder<P>::decode(the_variant<P>(), planes, &repetitions);
    EXPECT_EQ(repetitions, sample.repetitions);
    EXPECT_EQ(decoded.side_to_move(), Colour::White);
    EXPECT_EQ(decoded.plies_since_progress(), sample.position.plies_since_progress());
    ASSERT_EQ(encoded(decoded, repetitions), planes) << sample.position.fen();
    if (sample.position.side_to_move() == Colour::White) {
      EXPECT_EQ(decoded.key(), sample.position.key()) << sample.position.fen();
    }
  }
}

TYPED_TEST(EveryEncoder, SeesATurnedPositionAsTheSame) {
  using P = TypeParam;
  const bool half_turn = Encoder<P>::info(the_variant<P>()).symmetry == "half-turn";
  for (const auto& sample : test::random_positions<P>(1000, 2)) {
    const std::string fen = turned_fen(sample.position.fen(), half_turn);
    const P turned = P::from_fen(the_variant<P>(), fen);
    ASSERT_NE(turned.side_to_move(), sample.position.side_to_move());
    ASSERT_EQ(encoded(turned, 1), encoded(sample.position, 1)) << fen;
    // And the same moves are there to choose from.
    typename P::MoveList list;
    turned.legal_moves(list);
    std::set<std::tuple<int, int, int>> here, there;
    for (const Move m : list) {
      const auto i = Encoder<P>::policy_index(turned, m);
      there.emplace(i.from, i.to, i.kind);
    }
    for (const Move m : sample.moves) {
      const auto i = Encoder<P>::policy_index(sample.position, m);
      here.emplace(i.from, i.to, i.kind);
    }
    ASSERT_EQ(here, there) << fen;
  }
}

TYPED_TEST(EveryEncoder, TellsAllLegalMovesApart) {
  using P = TypeParam;
  const EncodingInfo& info = Encoder<P>::info(the_variant<P>());
  std::size_t promotions = 0;
  for (const auto& sample : test::random_positions<P>(3000, 3)) {
    std::set<std::tuple<int, int, int>> seen;
    for (const Move m : sample.moves) {
      const PolicyIndex i = Encoder<P>::policy_index(sample.position, m);
      EXPECT_GE(i.from, 0);
      EXPECT_LT(i.from, info.cells());
      EXPECT_GE(i.to, 0);
      EXPECT_LT(i.to, info.cells());
      EXPECT_GE(i.kind, 0);
      EXPECT_LT(i.kind, static_cast<int>(info.policy_kinds.size()));
      promotions += i.kind != 0 ? 1 : 0;
      EXPECT_TRUE(seen.emplace(i.from, i.to, i.kind).second)
          << sample.position.fen() << " " << sample.position.move_text(m);
    }
  }
  EXPECT_GT(promotions, 0U);
}

TYPED_TEST(EveryEncoder, NamesEveryPlaneOnce) {
  const EncodingInfo& info = Encoder<TypeParam>::info(the_variant<TypeParam>());
  EXPECT_EQ(std::set<std::string>(info.planes.begin(), info.planes.end()).size(),
            info.planes.size());
  EXPECT_EQ(info.family, TypeParam::info().name);
  EXPECT_EQ(info.variant, the_variant<TypeParam>().canonical_name());
}

TYPED_TEST(EveryEncoder, DescriptionSurvivesJson) {
  const EncodingInfo& info = Encoder<TypeParam>::info(the_variant<TypeParam>());
  EXPECT_EQ(encoding_from_json(nlohmann::json::parse(to_json(info).dump())), info);
}

std::size_t plane_named(const EncodingInfo& info, const std::string& name) {
  const auto found = std::ranges::find(info.planes, name);
  EXPECT_NE(found, info.planes.end()) << name;
  return static_cast<std::size_t>(found - info.planes.begin());
}

TEST(ChessEncoder, PutsTheMoversFirstRankInRowZero) {
  const ChessVariant variant;
  const EncodingInfo& info = Encoder<ChessPosition>::info(variant);
  const auto at = [&](const std::vector<float>& planes, const std::string& plane,
                      std::size_t cell) { return planes[plane_named(info, plane) * 64 + cell]; };
  const auto white = encoded(ChessPosition::start(variant), 0);
  EXPECT_EQ(at(white, "own king", 4), 1.0F);
  EXPECT_EQ(at(white, "enemy king", 60), 1.0F);
  EXPECT_EQ(at(white, "own pawn", 8), 1.0F);
  EXPECT_EQ(at(white, "ones", 33), 1.0F);

  const auto black =
      encoded(ChessPosition::from_fen(variant, "4k2r/8/8/8/3pP3/8/8/R3K3 b Qk e3 7 20"), 1);
  EXPECT_EQ(at(black, "own king", 4), 1.0F);
  EXPECT_EQ(at(black, "own rook", 7), 1.0F);
  EXPECT_EQ(at(black, "enemy rook", 56), 1.0F);
  EXPECT_EQ(at(black, "en passant square", 44), 1.0F);  // e3 is e6 to Black
  EXPECT_EQ(at(black, "own king-side castling", 0), 1.0F);
  EXPECT_EQ(at(black, "own queen-side castling", 0), 0.0F);
  EXPECT_EQ(at(black, "enemy king-side castling", 0), 0.0F);
  EXPECT_EQ(at(black, "enemy queen-side castling", 0), 1.0F);
  EXPECT_FLOAT_EQ(at(black, "plies since progress / 100", 0), 0.07F);
  EXPECT_EQ(at(black, "earlier occurrences", 63), 1.0F);
}

TEST(EscherEncoder, DrawsTheStaircasesAsBothSidesSeeThem) {
  const EscherVariant variant;
  const EncodingInfo& info = Encoder<EscherPosition>::info(variant);
  const auto start = EscherPosition::start(variant);
  const auto white = encoded(start, 0);
  const auto at = [&](const std::string& plane, std::size_t cell) {
    return white[plane_named(info, plane) * 64 + cell];
  };
  EXPECT_EQ(at("staircase steps east", 56), 1.0F);            // a8 -> b8
  EXPECT_EQ(at("staircase returns to its start", 61), 1.0F);  // f8 -> a8
  EXPECT_EQ(at("staircase steps east", 61), 0.0F);
  EXPECT_EQ(at("staircase steps west", 7), 1.0F);    // h1 -> g1
  EXPECT_EQ(at("staircase steps north", 0), 1.0F);   // a1 -> a2
  EXPECT_EQ(at("staircase steps south", 63), 1.0F);  // h8 -> h7
  EXPECT_EQ(at("staircase steps north", 27), 0.0F);  // d4 lies on none
  for (std::size_t cell = 0; cell < 64; ++cell) {    // a half-turn maps them onto each other
    EXPECT_EQ(at("staircase steps east", cell), at("staircase steps west", 63 - cell));
    EXPECT_EQ(at("staircase steps north", cell), at("staircase steps south", 63 - cell));
    EXPECT_EQ(at("staircase returns to its start", cell),
              at("staircase returns to its start", 63 - cell));
  }
}

TEST(ShiftingEncoder, ShowsGapsAndShiftsAsTheMoverSeesThem) {
  const ShiftingVariant& variant = the_variant<ShiftingPosition>();
  const EncodingInfo& info = Encoder<ShiftingPosition>::info(variant);
  const auto p = ShiftingPosition::from_fen(
      variant, "4k3/pp6/8/8/2**4/2**4/**6/**2K3 b - - 0 1");  // gaps AI and BII
  const auto planes = encoded(p, 0);
  const auto gap = [&](std::size_t cell) {
    return planes[plane_named(info, "gaps") * 64 + cell] != 0.0F;
  };
  EXPECT_TRUE(gap(56) && gap(57) && gap(48) && gap(49)) << "AI lies in the last rows to Black";
  EXPECT_TRUE(gap(34) && gap(35) && gap(42) && gap(43)) << "BII";
  EXPECT_FALSE(gap(0) || gap(33));

  const auto q = ShiftingPosition::from_fen(
      variant, "4k3/pp6/**6/**6/2**4/2**4/8/4K3 b - - 0 1");  // AIII is free for AIV
  const auto shift = q.parse_move("AIV-AIII");
  ASSERT_TRUE(shift);
  const PolicyIndex index = Encoder<ShiftingPosition>::policy_index(q, *shift);
  EXPECT_EQ(index.from, 0) << "Black's first sector";
  EXPECT_EQ(index.to, 16);
  EXPECT_EQ(info.policy_kinds[static_cast<std::size_t>(index.kind)], "shift");
}

TEST(ShiftingEncoder, NamesItsVariant) {
  for (const std::string name : {"shifting", "shifting:gaps=CII+CIII"})
    EXPECT_EQ(Encoder<ShiftingPosition>::info(ShiftingPosition::variant(parse_variant_name(name)))
                  .variant,
              name);
}

TEST(InfernoEncoder, PutsLevelsAboveEachOtherWithARowBetween) {
  const InfernoVariant& variant = InfernoPosition::variant(parse_variant_name("inferno:levels=3"));
  const EncodingInfo& info = Encoder<InfernoPosition>::info(variant);
  EXPECT_EQ(info.height, 26);
  EXPECT_EQ(info.cells(), 208);
  // Two levels are left.
  const auto p = InfernoPosition::from_fen(
      variant, "4k3/8/8/8/8/8/3P4/R3K3|4k2r/8/8/8/Pp6/8/8/4K3 b Q|k 2a3 4 9");
  std::vector<float> planes(info.floats(), -7.0F);
  Encoder<InfernoPosition>::encode(p, 2, planes);
  const auto at = [&](const std::string& plane, std::size_t cell) {
    return planes[plane_named(info, plane) * 208 + cell];
  };
  EXPECT_EQ(at("own king", 4), 1.0F);
  EXPECT_EQ(at("own king", 76), 1.0F);
  EXPECT_EQ(at("own rook", 79), 1.0F);
  EXPECT_EQ(at("enemy rook", 56), 1.0F);
  EXPECT_EQ(at("enemy queen-side castling", 0), 1.0F);
  EXPECT_EQ(at("enemy queen-side castling", 72), 0.0F);
  EXPECT_EQ(at("own king-side castling", 72), 1.0F);
  EXPECT_EQ(at("en passant square", 72 + 40), 1.0F);
  EXPECT_EQ(at("holes", 18), 1.0F);
  EXPECT_EQ(at("holes", 72 + 18), 0.0F) << "the deepest level left has none";
  EXPECT_EQ(at("squares of levels", 63), 1.0F);
  EXPECT_EQ(at("squares of levels", 64), 0.0F) << "between the levels";
  EXPECT_EQ(at("squares of levels", 72 + 63), 1.0F);
  EXPECT_EQ(at("squares of levels", 144), 0.0F) << "vanished";
  EXPECT_EQ(at("earlier occurrences", 207), 2.0F);

  int repetitions = 0;
  const auto seen = Encoder<InfernoPosition>::decode(variant, planes, &repetitions);
  EXPECT_EQ(seen.fen(), "r3k3/3p4/8/8/8/8/8/4K3|4k3/8/8/pP6/8/8/8/4K2R w q|K 2a6 4 1");
}

TEST(InfernoEncoder, TellsADescentFromAMove) {
  const InfernoVariant& variant = InfernoPosition::variant(parse_variant_name("inferno:levels=2"));
  const EncodingInfo& info = Encoder<InfernoPosition>::info(variant);
  const auto p = InfernoPosition::start(variant);
  const auto index = [&](const char* text) {
    return Encoder<InfernoPosition>::policy_index(p, *p.parse_move(text));
  };
  EXPECT_EQ(index("1a2-1a3"), (PolicyIndex{8, 16, 0}));
  EXPECT_EQ(index("2a2-2a3"), (PolicyIndex{80, 88, 0}));
  // 1d2 steps two onto 1d4, over 2c3 2d3 2c4 2d4.
  EXPECT_EQ(index("1d2-2d4"), (PolicyIndex{11, 72 + 27, 5}));
  EXPECT_EQ(info.policy_kinds[5], "descent");
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
