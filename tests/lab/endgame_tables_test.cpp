// Exact endgames, against a mate solver that tries every move, and against values found by FENs.
#include "lab/yardsticks/endgame_tables.h"

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "lab/yardsticks/endgame_sets.h"
#include "rules/families/chess.h"
#include "rules/families/earthquake.h"
#include "rules/families/escher.h"
#include "rules/families/gardner.h"
#include "rules/families/slanted.h"
#include "tests/search/mate_solver.h"

namespace faultline {
namespace {

template <Position P>
struct Solved {
  EndgameSets<P> sets;
  EndgameTables<P> tables;
  typename EndgameTables<P>::Material material;

  Solved(std::string_view variant, std::string_view pieces)
      : sets(P::variant(parse_variant_name(variant))),
        tables(sets.squares(), [this](const auto& at, Colour side) { return sets.make(at, side); }),
        material(sets.material(pieces)) {}

  /// Calls f(position, value) for all positions that are not over.
  template <class F>
  void for_each(F&& f) {
    for (std::size_t place = 0; place < tables.places(material); ++place)
      if (const std::optional<P> position = tables.position_at(material, place))
        f(*position, tables.value_at(material, place));
  }
};

/// Compares short wins and every `step`-th other position with the solver.
template <Position P>
void check(std::string_view variant, std::string_view pieces, int plies, int step) {
  Solved<P> solved(variant, pieces);
  int at = 0;
  solved.for_each([&](const P& position, EndgameValue value) {
    if (++at % step != 0) return;
    test::MateSolver solver;
    for (int n = 1; n <= plies; n += 2)
      EXPECT_EQ(solver.mates_within(position, n), value > 0 && value <= n) << position.fen();
    for (int n = 2; n <= plies; n += 2)
      EXPECT_EQ(solver.is_mated_within(position, n), value < 0 && -value - 1 <= n)
          << position.fen();
  });
  EXPECT_GT(at, 10 * step);
}

/// The text of a position without its counters.
template <Position P>
std::string text_of(const P& position) {
  const std::string fen = position.fen();
  return fen.substr(0, fen.find(" - - "));
}

/// Values of positions by their texts: 1 won, 0 drawn, -1 lost for the side to move. By passes that
/// know neither indices nor sets of pieces.
template <Position P>
std::map<std::string, int> values_by_text(const typename P::Variant& variant,
                                          const std::vector<P>& positions) {
  std::map<std::string, std::size_t> numbers;
  std::vector<P> all;
  const auto number_of = [&](const P& position) {
    const std::string text = text_of(position);
    const auto [found, is_new] = numbers.emplace(text, all.size());
    if (is_new) all.push_back(P::from_fen(variant, text + " - - 0 1"));  // without a clock
    return found->second;
  };
  for (const P& position : positions)
    number_of(position);
  std::vector<std::vector<std::size_t>> after;
  std::vector<int> values;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const P position = all[i];
    typename P::MoveList moves;
    position.legal_moves(moves);
    const Outcome outcome = position.outcome(!moves.empty());
    values.push_back(score_for(outcome, position.side_to_move()));
    after.emplace_back();
    if (is_over(outcome)) continue;
    for (const Move move : moves) {
      P next = position;
      next.play(move);
      after.back().push_back(number_of(next));
    }
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (after[i].empty() || values[i] != 0) continue;
      int best = -1;
      for (const std::size_t next : after[i])
        best = std::max(best, -values[next]);
      values[i] = best;
      changed = changed || best != 0;
    }
  }
  std::map<std::string, int> by_text;
  for (const auto& [text, number] : numbers)
    by_text[text] = values[number];
  return by_text;
}

template <Position P>
void check_all(std::string_view variant, std::string_view pieces) {
  Solved<P> solved(variant, pieces);
  std::vector<P> positions;
  std::vector<EndgameValue> found;
  solved.for_each([&](const P& position, EndgameValue value) {
    positions.push_back(position);
    found.push_back(value);
  });
  const std::map<std::string, int> values =
      values_by_text(P::variant(parse_variant_name(variant)), positions);
  int won = 0;
  int drawn = 0;
  for (std::size_t i = 0; i < positions.size(); ++i) {
    const int expected = values.at(text_of(positions[i]));
    ASSERT_EQ((found[i] > 0) - (found[i] < 0), expected) << positions[i].fen();
    won += expected > 0 ? 1 : 0;
    drawn += expected == 0 ? 1 : 0;
  }
  EXPECT_GT(won, 0);
  EXPECT_GT(drawn, 0);
  const auto counts = solved.tables.counts(solved.material);
  EXPECT_EQ(counts.won, won);  // what is over is lost or drawn
  EXPECT_GE(counts.drawn, drawn);
}

TEST(EndgameTables, QueenAgainstKingOnGardnersBoard) {
  check<GardnerPosition>("gardner", "KQK", 5, 97);
}

TEST(EndgameTables, PawnAgainstKingPromotesIntoOtherTables) {
  check<GardnerPosition>("gardner", "KPK", 5, 97);
  check_all<GardnerPosition>("gardner", "KPK");
}

TEST(EndgameTables, RookAgainstKingIsWonWhereTheSlowCheckSaysSo) {
  check_all<GardnerPosition>("gardner", "KRK");
}

TEST(EndgameTables, MatesOnBoardsThatMove) {
  check<EscherPosition>("escher", "KRK", 3, 4999);
}

TEST(EndgameTables, RookAgainstKingInChessIsAsKnown) {
  Solved<ChessPosition> solved("chess", "KRK");
  const auto counts = solved.tables.counts(solved.material);
  EXPECT_EQ(counts.won, 175'168);  // all positions with White to move
  EXPECT_EQ(counts.longest, 31);   // 16 moves
}

TEST(EndgameTables, MatesWhereLinesFork) {
  check<SlantedPosition>("slanted:board=mini", "KRK", 3, 2999);
}

TEST(EndgameSets, KeepTheGroundOfTheVariant) {
  const auto& variant = EarthquakePosition::variant(parse_variant_name("earthquake:dx=2,dy=1"));
  ASSERT_TRUE(EndgameSets<EarthquakePosition>::exist(variant));
  const EndgameSets<EarthquakePosition> sets(variant);
  const auto position = sets.make({{Square{0}, {PieceType::King, Colour::White}},
                                   {Square{63}, {PieceType::King, Colour::Black}},
                                   {Square{8}, {PieceType::Rook, Colour::White}}},
                                  Colour::Black);
  ASSERT_TRUE(position);
  EXPECT_EQ(position->side_to_move(), Colour::Black);
  EXPECT_EQ(position->piece_at(8), (Piece{PieceType::Rook, Colour::White}));
  EXPECT_EQ(position->ground().displacement(), (Displacement{2, 1}));
  EXPECT_FALSE(EndgameSets<EarthquakePosition>::exist(
      EarthquakePosition::variant(parse_variant_name("earthquake:aftershock=1"))));
}

TEST(EndgameSets, RefuseWhatTheRulesForbid) {
  const EndgameSets<GardnerPosition> sets(GardnerPosition::variant(parse_variant_name("gardner")));
  EXPECT_EQ(sets.squares(), 25);
  for (const char* name : {"KRKB", "KRKBN"})
    EXPECT_TRUE(sets.is_set(name)) << name;
  for (const char* name : {"", "KQ", "KXK", "QKK"})
    EXPECT_FALSE(sets.is_set(name)) << name;
  EXPECT_FALSE(sets.make({{Square{0}, {PieceType::King, Colour::White}},
                          {Square{1}, {PieceType::King, Colour::Black}}},
                         Colour::White));
}

TEST(EndgameSets, AreSolvedAsMemoryPermits) {
  const EndgameSets<GardnerPosition> sets(GardnerPosition::variant(parse_variant_name("gardner")));
  const EndgameTables<GardnerPosition> tables = sets.tables();
  const auto bytes = [&](const char* name) { return tables.bytes_needed(sets.material(name)); };
  // A number for each of 2 * 25^5 places, and one for each of some moves.
  EXPECT_GT(bytes("KRKBN"), 2.0 * 9'765'625 * 10);
  EXPECT_LT(bytes("KRKBN"), 2.0 * 9'765'625 * 60);
  EXPECT_EQ(bytes("KPKBN"), 2 * bytes("KQKBN")) << "one of its promotions at a time, too";
  EXPECT_EQ(tables.most_pieces(), 6);

  const EndgameSets<SlantedPosition> mini(
      SlantedPosition::variant(parse_variant_name("slanted:board=mini")));
  EXPECT_EQ(sets.names(0).back(), "KBBKN");
  EXPECT_EQ(mini.names(0).back(), "KRKB");
  EXPECT_EQ(mini.names(100'000'000).back(), "KPK");  // what is not named is not refused

  const std::vector<std::string> names = {"KRK", "KRKBN", "KPKBN"};
  const auto plan = sets.plan(names, 8, 0);
  EXPECT_EQ(plan.order, (std::vector<std::size_t>{2, 1, 0}));
  EXPECT_EQ(plan.at_once, 3);
  EXPECT_EQ(sets.plan(names, 2, 0).at_once, 2);
  const auto room = static_cast<std::size_t>(1.5 * bytes("KPKBN"));
  EXPECT_EQ(sets.plan(names, 8, room).at_once, 1);
  try {
    sets.plan(names, 1, 100'000'000);
    ADD_FAILURE() << "no more than 75 MB can be used";
  } catch (const OptionError& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("KRKBN"), std::string::npos) << text;
    EXPECT_NE(text.find(bytes_text(bytes("KRKBN"))), std::string::npos) << text;
  }
  EXPECT_THROW(sets.plan({"KQRKQRB"}, 1, 0), OptionError) << "more places than numbers";
}

}  // namespace
}  // namespace faultline
