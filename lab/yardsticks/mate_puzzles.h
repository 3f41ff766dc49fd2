// Puzzles and other positions of games that a weak alpha-beta search plays with itself.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <random>

#include "lab/yardsticks/mate_prover.h"
#include "rules/history.h"
#include "search/searcher.h"

namespace faultline {

/// A position with a forced mate and one move that begins it.
template <Position P>
struct MatePuzzle {
  P position;
  Move key = Move::none();
  int moves = 0;  // of the side to move, the mating one included
};

/// A game from the start: random moves first, then those of an alpha-beta search and now and then a
/// random one.
template <Position P>
class PracticeGame {
 public:
  PracticeGame(const typename P::Variant& variant, std::uint64_t seed, std::uint64_t nodes)
      : rng_(seed),
        game_(P::start(variant)),
        searcher_(make_alpha_beta_searcher<P>({.table_mb = 4})) {
    limits_.nodes = nodes;
    while (game_.plies() < kRandomPlies && !is_over())
      game_.play(random_move());
  }

  const P& position() const { return game_.position(); }
  int plies() const { return game_.plies(); }
  bool is_over() const { return faultline::is_over(game_.outcome()); }
  std::mt19937_64& rng() { return rng_; }
  /// Searches the position; not if the game is over.
  SearchResult search() { return search(*searcher_, limits_); }
  /// The same by another searcher, which adds no leaves.
  SearchResult search(Searcher<P>& other, const SearchLimits& limits) {
    return run_search<P>(other, nullptr, batch_, game_, limits, rng_);
  }
  /// Plays the search's move, or a random one.
  void play(const SearchResult& result) {
    game_.play(rng_() % kOneRandomOf == 0 ? random_move() : result.move);
  }

 private:
  static constexpr int kRandomPlies = 6;
  static constexpr std::uint64_t kOneRandomOf = 6;

  Move random_move() {
    typename P::MoveList moves;
    position().legal_moves(moves);
    return moves[rng_() % moves.size()];
  }

  std::mt19937_64 rng_;
  PositionHistory<P> game_;
  std::unique_ptr<Searcher<P>> searcher_;
  SearchLimits limits_;
  EvalBatch<P> batch_;
};

/// The puzzle in a position whose mate in `moves` a search has proven: no mate is shorter, and one
/// move alone mates in as many, which is proven by all moves of both sides. Nullopt if there is
/// none, or the proof would take more than `budget` positions.
template <Position P>
std::optional<MatePuzzle<P>> puzzle_in(const P& position, int moves, std::uint64_t budget) {
  MateProver<P> prover(budget);
  if (!prover.mating_moves(position, moves - 1).empty()) return std::nullopt;
  const std::vector<Move> keys = prover.mating_moves(position, moves);
  if (prover.is_spent() || keys.size() != 1) return std::nullopt;
  return MatePuzzle<P>{position, keys.front(), moves};
}

/// The first puzzle with a mate in `moves` of a game; nullopt if it has none.
template <Position P>
std::optional<MatePuzzle<P>> find_puzzle(const typename P::Variant& variant, std::uint64_t seed,
                                         int moves) {
  constexpr std::uint64_t kNodes = 1500;
  constexpr std::uint64_t kBudget = 1'000'000;
  constexpr int kMostPlies = 160;
  constexpr int kMostClock = 60;  // halfmoves: no draw before the mate
  PracticeGame<P> game(variant, seed, kNodes);
  for (; game.plies() < kMostPlies && !game.is_over();) {
    const SearchResult result = game.search();
    if (result.mate_plies == 2 * moves - 1 && game.position().halfmove_clock() < kMostClock)
      if (const auto puzzle = puzzle_in(game.position(), moves, kBudget)) return puzzle;
    game.play(result);
  }
  return std::nullopt;
}

/// A position of a game, after 8 to 67 plies, in which the sides are not far apart; nullopt if the
/// game is over or decided before.
template <Position P>
std::optional<P> balanced_position(const typename P::Variant& variant, std::uint64_t seed) {
  constexpr std::uint64_t kNodes = 300;
  constexpr float kFar = 0.7F;  // win minus loss
  PracticeGame<P> game(variant, seed, kNodes);
  const int plies = 8 + static_cast<int>(game.rng()() % 60);
  while (!game.is_over()) {
    const SearchResult result = game.search();
    if (game.plies() >= plies) {
      const bool fits =
          std::abs(result.value.value()) < kFar && game.position().count_legal_moves() > 1;
      return fits ? std::optional(game.position()) : std::nullopt;
    }
    game.play(result);
  }
  return std::nullopt;
}

}  // namespace faultline
