// Random games of a family against its reference implementation: a suite of typed tests. Each
// family instantiates it in its own file (random_games_test.cpp.in), so that they compile in
// parallel.
#pragma once

#include <algorithm>
#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "rules/history.h"
#include "tests/effort.h"
#include "tests/family_traits.h"
#include "tests/rules/reference/mailbox.h"
#include "tests/rules/reference/turned_fen.h"

namespace faultline::test {

inline std::size_t levels_in(const std::string& fen) {
  return reference::split(fen.substr(0, fen.find(' ')), '|').size();
}

/// No more pieces than before; kings vanish only with levels, and every level has one per side.
template <class P>
void expect_pieces_kept(const std::string& before, const std::string& after) {
  const std::string was = before.substr(0, before.find(' '));
  const std::string is = after.substr(0, after.find(' '));
  ASSERT_LE(std::ranges::count_if(is, reference::is_piece),
            std::ranges::count_if(was, reference::is_piece));
  ASSERT_LE(levels_in(is), levels_in(was));
  for (const char king : {'K', 'k'}) {
    const auto kings = std::ranges::count(is, king);
    const auto kings_before = std::ranges::count(was, king);
    ASSERT_TRUE(kings == 1 || !FamilyTest<P>::kOneKingEach);
    ASSERT_TRUE(kings == kings_before || (kings < kings_before && levels_in(is) < levels_in(was)));
    for (const std::string& level : reference::split(is, '|'))
      ASSERT_NE(level.find(king), std::string::npos);
  }
}

template <class P>
std::set<std::string> move_texts(const P& p) {
  typename P::MoveList moves;
  p.legal_moves(moves);
  std::set<std::string> texts;
  for (const Move m : moves)
    texts.insert(p.move_text(m));
  return texts;
}

/// All checks on one position.
template <class P>
void expect_every_promise(const typename P::Variant& v, const P& p, Seen& seen) {
  const std::string fen = p.fen();
  SCOPED_TRACE(v.canonical_name() + " " + fen);
  const P again = P::from_fen(v, fen);
  ASSERT_EQ(again.fen(), fen);
  ASSERT_EQ(again.key(), p.key());
  ASSERT_EQ(again.key(), p.key_from_scratch());

  const auto state = FamilyTest<P>::reference_state(v, fen);
  const std::map<std::string, std::string> expected = state.moves();
  typename P::MoveList moves;
  p.legal_moves(moves);
  std::set<std::string> texts;
  // Parsing a text loops over all moves: do not parse each of them if there are many.
  const std::size_t stride = moves.size() / 64 + 1;
  for (std::size_t i = 0; i < moves.size(); ++i) {
    const Move m = moves[i];
    const std::string text = p.move_text(m);
    ASSERT_TRUE(expected.contains(text)) << text << " is not legal";
    ASSERT_TRUE(texts.insert(text).second) << "two moves " << text;
    P next = p;
    next.play(m);
    const std::string next_fen = next.fen();
    ASSERT_EQ(next_fen, expected.at(text)) << "after " << text;
    ASSERT_EQ(next.key(), next.key_from_scratch()) << "after " << text;
    ASSERT_NO_FATAL_FAILURE(expect_pieces_kept<P>(fen, next_fen)) << "after " << text;
    ASSERT_TRUE(i % stride != 0 || p.parse_move(text) == m) << text;
    seen.en_passant += m.kind() == MoveKind::EnPassant ? 1 : 0;
    seen.castlings += m.kind() == MoveKind::Castling ? 1 : 0;
    seen.promotions += m.kind() == MoveKind::Promotion ? 1 : 0;
    seen.board_movements += m.moves_board() ? 1 : 0;
    seen.levels_lost += levels_in(next_fen) < levels_in(fen) ? 1 : 0;
  }
  for (const auto& [text, next] : expected)
    ASSERT_TRUE(texts.contains(text)) << text << " is missing";
  ASSERT_EQ(p.count_legal_moves(), moves.size());
  ASSERT_EQ(p.in_check(), state.in_check());

  for (const Elsewhere<P>& there : FamilyTest<P>::seen_from_elsewhere(v, p)) {
    ASSERT_EQ(there.turn_fen(there.position.fen()), fen);
    std::set<std::string> turned_texts;
    for (const std::string& text : move_texts(there.position))
      turned_texts.insert(there.turn_move(text));
    ASSERT_EQ(turned_texts, texts) << "seen as " << there.position.fen();
    ASSERT_EQ(there.position.in_check(), p.in_check());
    seen.elsewhere += 1;
  }
  seen.plies += 1;
  seen.checks += p.in_check() ? 1 : 0;
}

template <class P>
void play_randomly(const typename P::Variant& v, const P& start, int plies, Random& rng,
                   Seen& seen) {
  PositionHistory<P> history(start);
  const bool prefers_double_steps = by_chance(rng, 2);
  for (int ply = 0; ply < plies; ++ply) {
    const P& p = history.position();
    expect_every_promise(v, p, seen);
    if (testing::Test::HasFatalFailure()) return;
    typename P::MoveList moves;
    p.legal_moves(moves);
    if (is_over(history.outcome(!moves.empty()))) return;
    history.play(random_move(moves, prefers_double_steps, rng));
  }
}

inline void expect_more_than(const Seen& least, const Seen& seen) {
  const struct {
    const char* what;
    int Seen::*count;
  } counts[] = {{"plies", &Seen::plies},
                {"checks", &Seen::checks},
                {"positions seen from elsewhere", &Seen::elsewhere},
                {"en passant captures", &Seen::en_passant},
                {"castlings", &Seen::castlings},
                {"promotions", &Seen::promotions},
                {"board movements", &Seen::board_movements},
                {"levels lost", &Seen::levels_lost}};
  for (const auto& [what, count] : counts)
    EXPECT_TRUE(seen.*count > effort(least.*count) || least.*count == 0)
        << what << ": " << seen.*count << ", too few to have tested them";
}

/// `start(variant, rng)` returns a start position.
template <class P, class Start>
void play_games(const GamePlan& plan, Start&& start) {
  Random rng(plan.seed);
  Seen seen;
  ASSERT_FALSE(plan.games.empty());
  ASSERT_GT(plan.more_than.plies, 0) << "the plan must state how many positions it reaches";
  for (const Games& games : plan.games) {
    const auto& v = variant<P>(games.variant);
    for (int game = 0; game < effort(games.games); ++game) {
      play_randomly<P>(v, start(v, rng), games.plies, rng, seen);
      if (testing::Test::HasFatalFailure()) return;
    }
  }
  expect_more_than(plan.more_than, seen);
}

template <class P>
class RandomGames : public testing::Test {};
TYPED_TEST_SUITE_P(RandomGames);

TYPED_TEST_P(RandomGames, AgreeWithTheReferenceFromTheStart) {
  using P = TypeParam;
  play_games<P>(FamilyTest<P>::games_from_the_start(),
                [](const auto& v, Random&) { return P::start(v); });
}

TYPED_TEST_P(RandomGames, AgreeWithTheReferenceOnSparseBoards) {
  using P = TypeParam;
  play_games<P>(FamilyTest<P>::games_on_sparse_boards(),
                [](const auto& v, Random& rng) { return sparse_position<P>(v, rng); });
}

REGISTER_TYPED_TEST_SUITE_P(RandomGames, AgreeWithTheReferenceFromTheStart,
                            AgreeWithTheReferenceOnSparseBoards);

}  // namespace faultline::test
