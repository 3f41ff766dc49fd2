// Plays one game: two players, a start position, and an observer notified of every ply. Self-play,
// matches, studies, engines and play against people differ only in players and observers.
#pragma once

#include <array>
#include <cassert>
#include <cstddef>
#include <optional>
#include <random>
#include <utility>

#include "play/player.h"
#include "rules/history.h"
#include "search/searcher.h"

namespace faultline {

/// A ply about to be played.
template <Position P>
struct PlayedPly {
  const PositionHistory<P>& history;  // the game before it
  Move move;
  /// The mover's search result; null for a move supplied by the caller.
  const SearchResult* result;
  /// Searched with the full budget, or the only legal move: its policy is a training target.
  bool full_search;
};

/// Called by the thread that drives the game, in game order.
template <Position P>
class GameObserver {
 public:
  virtual ~GameObserver() = default;
  virtual void on_ply(const PlayedPly<P>& ply) = 0;
  /// Called after a ply that does not end the game by the rules: an outcome ends it here.
  virtual std::optional<Outcome> adjudicate() { return std::nullopt; }
  /// `history`: the whole game.
  virtual void on_end(const PositionHistory<P>& history, const GameEnd& end) = 0;
};

/// One game as a state machine, so that the leaves of many games can share a batch. Used by one
/// thread at a time.
template <Position P>
class GameDriver {
 public:
  /// `start` must not be over. `players`: White's and Black's. `seed`: for all randomness of the
  /// players in this game. `observer` may be null.
  GameDriver(PositionHistory<P> start, std::array<Player<P>, 2> players, const GameRules& rules,
             std::mt19937_64 rng, GameObserver<P>* observer)
      : history_(std::move(start)),
        players_(std::move(players)),
        rules_(rules),
        rng_(rng),
        observer_(observer) {}
  GameDriver(const GameDriver&) = delete;  // searchers refer to its generator
  GameDriver& operator=(const GameDriver&) = delete;

  const PositionHistory<P>& history() const { return history_; }
  bool is_over() const { return faultline::is_over(end_.outcome); }
  const GameEnd& end() const { return end_; }
  const Player<P>& mover() const { return players_[side()]; }
  /// The evaluator the game is waiting for or needs next; null if the mover needs none.
  const Evaluator<P>* evaluator() const { return is_over() ? nullptr : mover().evaluator; }
  /// Whether the game waits for play(): the side to move has no searcher.
  bool awaits_move() const { return !is_over() && !mover().searcher; }

  /// Continues until one leaf is added to `batch`, which is for evaluator(); false if none was.
  /// Plays moves as searches end, until the game is over or a player without a searcher or with
  /// another evaluator is to move. A mover whose searcher throws SearcherFailure loses the game.
  bool gather(EvalBatch<P>& batch) {
    const Evaluator<P>* const batch_of = evaluator();
    try {
      while (!is_over() && mover().searcher && (!evaluator() || evaluator() == batch_of)) {
        Searcher<P>& searcher = *mover().searcher;
        if (!searching_) begin_search();
        if (searcher.gather(batch)) return true;
        if (!searcher.done()) return false;
        finish_search();
      }
    } catch (const SearcherFailure& failure) {
      searching_ = false;
      finish({.outcome = win_for(~history_.position().side_to_move()),
              .resigned = false,
              .failure = failure.what()});
    }
    return false;
  }
  /// Applies the results of the leaves that it has added to `batch`.
  void apply(const EvalBatch<P>& batch) {
    if (searching_) mover().searcher->apply(batch);
  }

  /// Plays a legal move for the side to move, which has no searcher.
  void play(Move move) {
    assert(awaits_move());
    play(move, nullptr, false);
  }
  /// `loser` resigns.
  void resign(Colour loser) {
    assert(!is_over());
    finish({.outcome = win_for(~loser), .resigned = true});
  }

 private:
  std::size_t side() const {
    return static_cast<std::size_t>(index(history_.position().side_to_move()));
  }

  void begin_search() {
    const SearchBudget& budget = mover().budget;
    full_search_ = budget.full_probability >= 1 ||
                   std::uniform_real_distribution<double>(0, 1)(rng_) < budget.full_probability;
    // Where there is no choice, a full search would find out nothing.
    const bool forced = budget.forced_reduced && history_.position().count_legal_moves() == 1;
    mover().searcher->start(history_, full_search_ && !forced ? budget.full : budget.reduced, rng_);
    searching_ = true;
  }

  void finish_search() {
    searching_ = false;
    const SearchResult result = mover().searcher->decide();
    if (resigns(result.value)) {
      resign(history_.position().side_to_move());
      return;
    }
    play(mover().choice.choose(result, history_.plies(), rng_), &result, full_search_);
  }

  void play(Move move, const SearchResult* result, bool full_search) {
    if (observer_ != nullptr)
      observer_->on_ply(
          {.history = history_, .move = move, .result = result, .full_search = full_search});
    history_.play(move);
    Outcome outcome = history_.outcome();
    if (!faultline::is_over(outcome) && observer_ != nullptr)
      outcome = observer_->adjudicate().value_or(outcome);
    if (!faultline::is_over(outcome) && rules_.max_plies > 0 &&
        history_.plies() >= rules_.max_plies)
      outcome = Outcome::Adjudicated;
    if (faultline::is_over(outcome)) finish({.outcome = outcome});
  }

  bool resigns(const Evaluation& value) {
    const Resignation& resignation = mover().resignation;
    if (resignation.below >= 0) return false;
    int& bad = bad_moves_[side()];
    bad = value.value() < resignation.below ? bad + 1 : 0;
    if (bad < resignation.moves) return false;
    if (!rules_.may_resign && !would_have_resigned_)
      would_have_resigned_ = history_.position().side_to_move();
    return rules_.may_resign;
  }

  void finish(GameEnd end) {
    end.would_have_resigned = would_have_resigned_;
    end_ = end;
    if (observer_ != nullptr) observer_->on_end(history_, end_);
  }

  PositionHistory<P> history_;
  std::array<Player<P>, 2> players_;
  GameRules rules_;
  std::mt19937_64 rng_;
  GameObserver<P>* observer_;
  GameEnd end_;
  bool searching_ = false;
  bool full_search_ = false;  // the current search has the full budget
  std::optional<Colour> would_have_resigned_;
  std::array<int, 2>
      bad_moves_{};  // by colour: consecutive own moves below the resignation threshold
};

}  // namespace faultline
