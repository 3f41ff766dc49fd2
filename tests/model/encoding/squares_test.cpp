// Encodings' squares as data: the names that moves use, the cells that the policy uses, and a
// king's steps, for every family under all its option sets.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "rules/board_graph.h"
#include "tests/effort.h"
#include "tests/model/encoding/encoded.h"
#include "tests/model/encoding/random_histories.h"

namespace faultline {
namespace {

const EncodedSquare& square_of(const EncodingInfo& info, Square s) {
  return info.squares.at(s);
}

/// Whether `to` is one step from `from` in some direction.
bool are_neighbours(const EncodingInfo& info, Square from, Square to) {
  return std::ranges::any_of(square_of(info, from).neighbours, [&](const std::vector<int>& list) {
    return std::ranges::find(list, to) != list.end();
  });
}

template <class P>
class EncodedSquares : public testing::Test {};
TYPED_TEST_SUITE(EncodedSquares, test::EveryFamily);

TYPED_TEST(EncodedSquares, HaveNamesOfTheirOwnAndCellsOnTheCanvas) {
  using P = TypeParam;
  for (const std::string& name : test::option_sets<P>()) {
    const EncodingInfo& info = Encoder<P>::info(test::variant<P>(name));
    std::set<std::string> names;
    std::set<int> cells;
    for (const EncodedSquare& square : info.squares) {
      EXPECT_TRUE(names.insert(square.name).second) << name << ": two squares " << square.name;
      ASSERT_TRUE(square.cell >= 0 && square.cell < info.policy_cells()) << name;
      EXPECT_TRUE(!square.exists || cells.insert(square.cell).second) << name << " " << square.name;
      const int cell = square.cell / info.levels;
      EXPECT_LE(std::abs(square.x - static_cast<float>(cell % info.width)), 0.5F);
      EXPECT_EQ(square.y, static_cast<float>(cell / info.width));
    }
    EXPECT_GT(cells.size(), 20U) << name;
  }
}

TYPED_TEST(EncodedSquares, AreLinkedBothWays) {
  using P = TypeParam;
  for (const std::string& name : test::option_sets<P>()) {
    const EncodingInfo& info = Encoder<P>::info(test::variant<P>(name));
    for (std::size_t s = 0; s < info.squares.size(); ++s)
      for (std::size_t d = 0; d < kDirections; ++d)
        for (const int to : info.squares[s].neighbours[d]) {
          const auto& back = square_of(info, static_cast<Square>(to)).neighbours[(d + 4) % 8];
          EXPECT_NE(std::ranges::find(back, static_cast<int>(s)), back.end())
              << name << " " << info.squares[s].name;
        }
  }
}

TYPED_TEST(EncodedSquares, MatchMovesAndPolicyIndices) {
  using P = TypeParam;
  int moves_seen = 0;
  int kings_steps = 0;
  test::for_random_positions<P>(
      5, [&](const auto& v, const PositionHistory<P>& history, const auto& moves) {
        const P& p = history.position();
        const EncodingInfo& info = Encoder<P>::info(v);
        const bool is_fixed =
            info.board_changes != "cells" || !test::FamilyTest<P>::is_ground_changed(v, p);
        for (const Move m : moves) {
          if (m.moves_board()) continue;
          const EncodedSquare& from = square_of(info, m.from());
          const EncodedSquare& to = square_of(info, m.to());
          const std::string text = p.move_text(m);
          ASSERT_TRUE(text.starts_with(from.name)) << text << " from " << from.name;
          ASSERT_NE(text.find(to.name, from.name.size()), std::string::npos) << text;
          if (!is_fixed) continue;
          if (p.side_to_move() == Colour::White || info.symmetry == "none") {
            const PolicyIndex index = Encoder<P>::policy_index(p, m);
            ASSERT_EQ(index.from, from.cell) << p.fen() << " " << text;
            ASSERT_EQ(index.to, to.cell) << p.fen() << " " << text;
            ++moves_seen;
          }
          const bool is_kings = p.piece_at(m.from()).type == PieceType::King;
          if (!is_kings || m.kind() == MoveKind::Castling) continue;
          ASSERT_TRUE(are_neighbours(info, m.from(), m.to())) << p.fen() << " " << text;
          ++kings_steps;
        }
      });
  EXPECT_GT(moves_seen, test::effort(5000));
  EXPECT_GT(kings_steps, test::effort(1000));
}

TYPED_TEST(EncodedSquares, ExistAtTheStartWherePiecesStandOrMayGo) {
  using P = TypeParam;
  for (const std::string& name : test::option_sets<P>()) {
    const auto& v = test::variant<P>(name);
    const EncodingInfo& info = Encoder<P>::info(v);
    const P start = P::start(v);
    typename P::MoveList moves;
    start.legal_moves(moves);
    for (const Move m : moves)
      EXPECT_TRUE(m.moves_board() || square_of(info, m.to()).exists) << start.move_text(m);
    for (std::size_t s = 0; s < info.squares.size(); ++s)
      EXPECT_TRUE(info.squares[s].exists || !start.piece_at(static_cast<Square>(s)).exists())
          << info.squares[s].name;
  }
}

TEST(EncodedSquaresOfSlanted, ForkAboveAndBelowTheEscalators) {
  const auto& v = test::variant<SlantedPosition>("slanted");
  const EncodingInfo& info = Encoder<SlantedPosition>::info(v);
  const auto named = [&](const std::string& name) {
    return std::ranges::find(info.squares, name, &EncodedSquare::name);
  };
  const auto escalator = named("ab4");
  ASSERT_NE(escalator, info.squares.end());
  EXPECT_EQ(escalator->x, 0.5F) << "half a file towards the middle";
  std::set<std::string> below;
  for (const int s : escalator->neighbours[static_cast<std::size_t>(index(Direction::S))])
    below.insert(info.squares[static_cast<std::size_t>(s)].name);
  EXPECT_EQ(below, (std::set<std::string>{"a3", "b3"}));
}

TEST(EncodedSquaresOfEarthquake, ReportWhatIsFixed) {
  const auto info = [](const char* name) -> const EncodingInfo& {
    return Encoder<EarthquakePosition>::info(test::variant<EarthquakePosition>(name));
  };
  EXPECT_EQ(info("earthquake").board_changes, "nothing");
  EXPECT_EQ(info("earthquake:aftershock=2").board_changes, "cells");
  const EncodingInfo& covering = info("earthquake:dx=0,dy=2");
  EXPECT_EQ(std::ranges::count_if(covering.squares, [](const auto& s) { return !s.exists; }), 16);
}

TEST(EncodingJson, ReadsFilesWithoutSquaresAndWithTheFormerNameOfLevels) {
  const auto& v = test::variant<InfernoPosition>("inferno");
  const EncodingInfo& info = Encoder<InfernoPosition>::info(v);
  auto json = to_json(info);
  json.erase("squares");
  json.erase("board_changes");
  json["layers"] = json["levels"];
  json.erase("levels");
  const EncodingInfo old = encoding_from_json(json);
  EXPECT_EQ(old, info) << "an old checkpoint still fits";
  EXPECT_EQ(old.levels, 5);
  EncodingInfo other = info;
  other.squares[3].cell += 1;
  EXPECT_NE(other, info);
  EXPECT_EQ(other, old);
}

TEST(EncodingJson, RefusesInvalidSquares) {
  const auto good = to_json(Encoder<GardnerPosition>::info({}));
  const auto message = [](const nlohmann::json& json) -> std::string {
    try {
      encoding_from_json(json);
    } catch (const std::runtime_error& error) {
      return error.what();
    }
    return "accepted";
  };
  auto json = good;
  json["squares"][7]["cell"] = 25;
  EXPECT_EQ(message(json), "encoding: 'squares': the cell of 'c2' is not on the canvas");
  json = good;
  json["squares"][7]["neighbours"][0] = {25};
  EXPECT_EQ(message(json), "encoding: 'squares': a neighbour of 'c2' is not a square in the list");
  json = good;
  json["squares"][7]["neighbours"].erase(0);
  EXPECT_EQ(message(json), "encoding: 'squares': 'neighbours' must be 8 lists, one per direction");
  json = good;
  json["squares"][7].erase("name");
  EXPECT_EQ(message(json), "encoding: 'squares': key 'name' is missing");
}

}  // namespace
}  // namespace faultline
