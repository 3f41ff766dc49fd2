// Openings for matches: random moves, drawn again if they would decide the game.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "rules/history.h"
#include "rules/position.h"

namespace faultline {

template <Position P>
struct Opening {
  std::vector<std::string> moves;  // as text
  PositionHistory<P> history;      // the start with `moves` played
};

/// A uniformly random legal move; there must be at least one.
template <Position P>
Move random_move(const P& position, std::mt19937_64& rng) {
  typename P::MoveList moves;
  position.legal_moves(moves);
  // The bias of the remainder is below 2^-55.
  return moves[static_cast<std::size_t>(rng() % moves.size())];
}

/// Whether the side to move has a move that wins immediately.
template <Position P>
bool wins_at_once(const P& position) {
  typename P::MoveList moves;
  position.legal_moves(moves);
  for (const Move move : moves) {
    P next = position;
    next.play(move);
    const Outcome outcome = next.outcome(next.count_legal_moves() > 0);
    if (score_for(outcome, position.side_to_move()) > 0) return true;
  }
  return false;
}

/// Whether the side to move can win immediately, or loses immediately whatever it plays.
template <Position P>
bool is_decided(const P& position) {
  if (wins_at_once(position)) return true;
  typename P::MoveList moves;
  position.legal_moves(moves);
  for (const Move move : moves) {
    P next = position;
    next.play(move);
    if (!wins_at_once(next)) return false;
  }
  return true;
}

/// `count` openings of `plies` random moves each from the variant's start, the same for the same
/// seed. Openings in which the game is over or decided, and positions that an earlier opening led
/// to, are drawn again; if not enough different ones are found, some are repeated.
template <Position P>
std::vector<Opening<P>> random_openings(const typename P::Variant& variant, std::size_t count,
                                        int plies, std::uint64_t seed) {
  constexpr int kAttempts = 200;
  std::mt19937_64 rng(seed);
  std::unordered_set<std::uint64_t> seen;
  std::vector<Opening<P>> openings;
  openings.reserve(count);
  while (openings.size() < count) {
    // The last attempt is accepted as it is, unless the game ended in it.
    for (int attempt = 1;; ++attempt) {
      Opening<P> opening{{}, PositionHistory<P>(P::start(variant))};
      while (static_cast<int>(opening.moves.size()) < plies &&
             !is_over(opening.history.outcome())) {
        const Move move = random_move(opening.history.position(), rng);
        opening.moves.push_back(opening.history.position().move_text(move));
        opening.history.play(move);
      }
      if (is_over(opening.history.outcome())) continue;
      const bool fresh = !seen.contains(opening.history.position().key());
      if (attempt < kAttempts && (!fresh || is_decided(opening.history.position()))) continue;
      seen.insert(opening.history.position().key());
      openings.push_back(std::move(opening));
      break;
    }
  }
  return openings;
}

}  // namespace faultline
