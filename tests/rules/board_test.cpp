// Boards as data: the tables must be correct for any graph of squares, forks and wide boards
// included.
#include <random>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "rules/attack_tables.h"

namespace faultline {
namespace {

/// Rider attacks by following the links, an independent implementation.
template <class B>
std::set<Square> reference_reach(const BoardGraph& graph, Square from, bool diagonal, B blockers) {
  std::set<Square> reached;
  for (int d = diagonal ? 1 : 0; d < kDirections; d += 2) {
    std::vector<Square> open = {from};
    while (!open.empty()) {
      const Square at = open.back();
      open.pop_back();
      for (const Square next : graph.neighbours(at, static_cast<Direction>(d))) {
        reached.insert(next);
        if (!contains(blockers, next)) open.push_back(next);
      }
    }
  }
  return reached;
}

template <class B>
std::set<Square> as_set(B b) {
  std::set<Square> result;
  for_each_square(b, [&](Square s) { result.insert(s); });
  return result;
}

template <class B, class Tables>
void expect_riders_follow_links(const BoardGraph& graph, const Tables& tables) {
  std::mt19937_64 rng(7);
  for (int round = 0; round < 300; ++round) {
    B blockers{};
    for (Square s = 0; s < graph.size(); ++s)
      if (rng() % 4 == 0) blockers |= square_set<B>(s);
    const auto from = static_cast<Square>(rng() % graph.size());
    EXPECT_EQ(as_set(tables.orthogonal(from, blockers)),
              reference_reach<B>(graph, from, false, blockers));
    EXPECT_EQ(as_set(tables.diagonal(from, blockers)),
              reference_reach<B>(graph, from, true, blockers));
  }
}

/// Two rows below one that is offset by half a file, as on an escalator: its squares have two
/// southern neighbours, and those below have two northern ones.
BoardGraph forked_board() {
  BoardGraph graph(10);  // 0-3 lowest row, 4-7 above it, 8-9 the escalator
  const auto both = [&](Square a, Direction d, Square b) {
    graph.link(a, d, b);
    graph.link(b, turned(d, 4), a);
  };
  for (Square f = 0; f < 4; ++f) {
    both(f, Direction::N, static_cast<Square>(f + 4));
    if (f < 3) {
      both(f, Direction::E, static_cast<Square>(f + 1));
      both(static_cast<Square>(f + 4), Direction::E, static_cast<Square>(f + 5));
      both(f, Direction::NE, static_cast<Square>(f + 5));
      both(static_cast<Square>(f + 1), Direction::NW, static_cast<Square>(f + 4));
    }
  }
  for (Square e = 0; e < 2; ++e) {
    const auto escalator = static_cast<Square>(8 + e);
    both(static_cast<Square>(4 + e), Direction::N, escalator);
    both(static_cast<Square>(5 + e), Direction::N, escalator);
    both(static_cast<Square>(4 + e), Direction::NE, escalator);
    both(static_cast<Square>(5 + e), Direction::NW, escalator);
  }
  both(8, Direction::E, 9);
  graph.add_knight_leaps_along_links();
  return graph;
}

TEST(AttackTables, OfTheSquareBoardFollowItsLinks) {
  expect_riders_follow_links<Bitboard>(square_board(), square_board_tables());
}

TEST(AttackTables, FollowBothBranchesOfAFork) {
  const BoardGraph graph = forked_board();
  const AttackTables tables(graph);
  expect_riders_follow_links<Bitboard>(graph, tables);
  // From square 1 north: 5, then both escalator squares.
  EXPECT_EQ(as_set(tables.orthogonal(1, Bitboard{0})), (std::set<Square>{0, 2, 3, 5, 8, 9}));
  EXPECT_EQ(as_set(tables.pawn_push(Colour::White, 5)), (std::set<Square>{8, 9}));
  EXPECT_EQ(as_set(tables.pawn_attacks(Colour::White, 5)), (std::set<Square>{8, 9}));
}

TEST(AttackTables, AreCorrectOnBoardsOfMoreThan64Squares) {
  const BoardGraph graph = BoardGraph::rectangle(10, 9);
  const WideAttackTables tables(graph);
  expect_riders_follow_links<WideBitboard>(graph, tables);
  EXPECT_EQ(count(tables.board()), 90);
  EXPECT_EQ(graph.find("j9"), 89);
}

TEST(AttackTables, BetweenAreTheBlockingSquares) {
  const BoardGraph graph = BoardGraph::rectangle(10, 9);
  const WideAttackTables wide(graph);
  const AttackTables& tables = square_board_tables();
  EXPECT_EQ(as_set(tables.between(0, 27)), (std::set<Square>{9, 18}));
  EXPECT_EQ(as_set(tables.between(0, 3)), (std::set<Square>{1, 2}));
  EXPECT_TRUE(as_set(tables.between(0, 10)).empty()) << "a knight's leap is not a line";
  EXPECT_EQ(as_set(wide.between(0, 80)), (std::set<Square>{10, 20, 30, 40, 50, 60, 70}));
  for (Square a = 0; a < 64; ++a)
    for (Square b = 0; b < 64; ++b)
      EXPECT_EQ(tables.between(a, b), tables.between(b, a));
}

TEST(AttackTables, KnightsLeapAsOnAnyBoard) {
  EXPECT_EQ(as_set(square_board_tables().knight(0)), (std::set<Square>{10, 17}));
  EXPECT_EQ(count(square_board_tables().knight(27)), 8);
}

TEST(Bitboards, TheLoopExtractsTheSameBitsAsTheInstruction) {
  std::mt19937_64 rng(5);
  for (int i = 0; i < 1000; ++i) {
    const std::uint64_t b = rng(), mask = rng() & (i % 2 == 0 ? rng() & rng() : ~std::uint64_t{0});
    EXPECT_EQ(extract_bits_in_a_loop(b, mask), extract_bits(b, mask)) << b << " under " << mask;
  }
}
TEST(Bitboards, ExtractBitsGathersUnderTheMask) {
  EXPECT_EQ(extract_bits(Bitboard{0b101100}, Bitboard{0b111010}), 0b1010U);
  EXPECT_EQ(extract_bits(WideBitboard{0xf0, 0x3}, WideBitboard{0x30, 0x2}), 0b111U);
}

}  // namespace
}  // namespace faultline
