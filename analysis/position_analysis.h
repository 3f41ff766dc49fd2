// Analyses positions: one with all threads, or many with each thread on its own.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "play/analyser.h"
#include "play/game.h"
#include "search/tree_search_settings.h"

namespace faultline {

struct AnalysisSettings {
  /// Per position; 0: the evaluator's policy and value, without search. Of an alpha-beta search,
  /// the positions that it visits; 0: no limit, for which there must be one of time.
  std::uint32_t visits = 800;
  std::optional<std::chrono::milliseconds> time = std::nullopt;  // per position
  std::size_t lines = 5;                                         // 0: all legal moves
  int threads = 1;
  std::size_t batch = 1;     // positions per batch without search
  std::uint32_t leaves = 1;  // of one tree, evaluated together
  TreeSearchSettings search = {};
  bool alpha_beta = false;                            // instead of a tree search
  std::shared_ptr<const FastNetwork> fast = nullptr;  // its evaluation; null: material, placement
};

struct PositionAnalysis {
  bool done = false;                   // false: the analysis was stopped before this position
  Outcome outcome = Outcome::Ongoing;  // if the game is over, there is no report
  /// What was found; without search, lines of one move, in the order of their priors, whose values
  /// are not set.
  AnalysisReport report = {};
  bool searched = false;
  bool by_alpha_beta = false;  // lines have no visits and priors
};

/// Used by one thread at a time.
class PositionAnalyst {
 public:
  /// `game` must outlive it. `evaluator`: null for alpha-beta.
  PositionAnalyst(const Game& game, std::shared_ptr<GameEvaluator> evaluator,
                  const AnalysisSettings& settings);

  /// Ends the analysis at once if `stop` is true: a search in progress gives what it has found. May
  /// be called by any thread.
  std::function<bool()> stop;
  /// Called by the calling thread from time to time, with the number of positions done.
  std::function<void(std::size_t)> progress;

  /// Analyses a position with all threads. Every position is searched from scratch.
  PositionAnalysis analyse(const GamePosition& position);
  /// One thread for each position; the result does not depend on their number. Passes on what an
  /// evaluator throws.
  std::vector<PositionAnalysis> analyse(std::span<const GamePosition* const> positions);

 private:
  std::unique_ptr<Analyser> make_analyser(int threads) const;
  bool is_raw() const { return !settings_.alpha_beta && settings_.visits == 0 && !settings_.time; }
  PositionAnalysis search(Analyser& analyser, const GamePosition& position);
  void evaluate(std::span<const GamePosition* const> positions, std::span<PositionAnalysis> found);
  bool stopped();
  void work(std::size_t thread, std::span<const GamePosition* const> positions,
            std::span<PositionAnalysis> found);

  const Game* game_;
  std::shared_ptr<GameEvaluator> evaluator_;
  AnalysisSettings settings_;
  std::unique_ptr<Analyser> together_;            // with all threads
  std::vector<std::unique_ptr<Analyser>> alone_;  // by thread
  std::atomic<bool> stopping_{false};
  std::atomic<std::size_t> next_{0};
  std::atomic<std::size_t> finished_{0};
};

}  // namespace faultline
