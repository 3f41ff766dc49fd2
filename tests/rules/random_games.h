// Random games of a family against its reference implementation. A family is described by a struct
// with
//   using Position = …;
//   static State reference_state(const Variant&, const std::string& fen);  // moves(), in_check()
//   static std::vector<Elsewhere<Position>> seen_from_elsewhere(const Variant&, const Position&);
//   static constexpr bool kOneKingEach = …;
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "rules/history.h"
#include "tests/option_sets.h"
#include "tests/random_boards.h"
#include "tests/rules/reference/mailbox.h"
#include "tests/rules/reference/turned_fen.h"

namespace faultline::test {

using ChangeText = std::function<std::string(const std::string&)>;

/// A position turned or mirrored, and how its texts are turned back.
template <class P>
struct Elsewhere {
  P position;
  ChangeText turn_fen;
  ChangeText turn_move;
};

/// `v`: the variant that is played there.
template <class P>
Elsewhere<P> seen_elsewhere(const typename P::Variant& v, const P& p, const ChangeText& turn_fen,
                            const ChangeText& turn_move) {
  return {P::from_fen(v, turn_fen(p.fen())), turn_fen, turn_move};
}

/// What came up, so that tests can tell whether they have seen enough: positions, and of all their
/// legal moves the special ones.
struct Seen {
  int plies = 0;
  int checks = 0;
  int elsewhere = 0;  // seen from elsewhere, too
  int en_passant = 0;
  int castlings = 0;
  int promotions = 0;
  int board_movements = 0;
  int levels_lost = 0;
};

inline std::size_t levels_in(const std::string& fen) {
  return reference::split(fen.substr(0, fen.find(' ')), '|').size();
}

/// No piece more than before; kings vanish with levels alone, and every level has one of each side.
template <class Game>
void expect_pieces_kept(const std::string& before, const std::string& after) {
  const std::string was = before.substr(0, before.find(' '));
  const std::string is = after.substr(0, after.find(' '));
  ASSERT_LE(std::ranges::count_if(is, reference::is_piece),
            std::ranges::count_if(was, reference::is_piece));
  ASSERT_LE(levels_in(is), levels_in(was));
  for (const char king : {'K', 'k'}) {
    const auto kings = std::ranges::count(is, king);
    const auto kings_before = std::ranges::count(was, king);
    ASSERT_TRUE(kings == 1 || !Game::kOneKingEach);
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

/// Everything that can be asked of one position.
template <class Game>
void expect_every_promise(const typename Game::Position::Variant& v,
                          const typename Game::Position& p, Seen& seen) {
  using P = typename Game::Position;
  const std::string fen = p.fen();
  SCOPED_TRACE(v.canonical_name() + " " + fen);
  const P again = P::from_fen(v, fen);
  ASSERT_EQ(again.fen(), fen);
  ASSERT_EQ(again.key(), p.key());
  ASSERT_EQ(again.key(), p.key_from_scratch());

  const auto state = Game::reference_state(v, fen);
  const std::map<std::string, std::string> expected = state.moves();
  typename P::MoveList moves;
  p.legal_moves(moves);
  std::set<std::string> texts;
  // Looking a text up goes through all moves: not each of them where there are many.
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
    ASSERT_NO_FATAL_FAILURE(expect_pieces_kept<Game>(fen, next_fen)) << "after " << text;
    ASSERT_TRUE(i % stride != 0 || p.parse_move(text) == m) << text;
    seen.en_passant += m.kind() == MoveKind::EnPassant ? 1 : 0;
    seen.castlings += m.kind() == MoveKind::Castling ? 1 : 0;
    seen.promotions += m.kind() == MoveKind::Promotion ? 1 : 0;
    seen.board_movements +=
        m.kind() == MoveKind::Aftershock || m.kind() == MoveKind::SectorShift ? 1 : 0;
    seen.levels_lost += levels_in(next_fen) < levels_in(fen) ? 1 : 0;
  }
  for (const auto& [text, next] : expected)
    ASSERT_TRUE(texts.contains(text)) << text << " is missing";
  ASSERT_EQ(p.count_legal_moves(), moves.size());
  ASSERT_EQ(p.in_check(), state.in_check());

  for (const Elsewhere<P>& there : Game::seen_from_elsewhere(v, p)) {
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

template <class Game>
void play_randomly(const typename Game::Position::Variant& v, const typename Game::Position& start,
                   int plies, Random& rng, Seen& seen) {
  using P = typename Game::Position;
  PositionHistory<P> history(start);
  const bool prefers_double_steps = by_chance(rng, 2);
  for (int ply = 0; ply < plies; ++ply) {
    const P& p = history.position();
    expect_every_promise<Game>(v, p, seen);
    if (testing::Test::HasFatalFailure()) return;
    typename P::MoveList moves;
    p.legal_moves(moves);
    if (is_over(history.outcome(!moves.empty()))) return;
    history.play(random_move(moves, prefers_double_steps, rng));
  }
}

template <class Game>
void play_from_the_start(const std::string& name, int games, int plies, Random& rng, Seen& seen) {
  const auto& v = variant<typename Game::Position>(name);
  for (int game = 0; game < games && !testing::Test::HasFatalFailure(); ++game)
    play_randomly<Game>(v, Game::Position::start(v), plies, rng, seen);
}

template <class Game>
void play_from_sparse_boards(const std::string& name, int games, int plies, Random& rng,
                             Seen& seen) {
  const auto& v = variant<typename Game::Position>(name);
  for (int game = 0; game < games && !testing::Test::HasFatalFailure(); ++game)
    play_randomly<Game>(v, sparse_position<typename Game::Position>(v, rng), plies, rng, seen);
}

}  // namespace faultline::test
