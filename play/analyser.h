// Searches one position after another with several threads, and reports while it runs:
// what an engine and an analysis need.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "model/fast/fast_network.h"
#include "rules/move.h"
#include "search/evaluation.h"
#include "search/search_result.h"
#include "search/tree_search_settings.h"

namespace faultline {

class GamePosition;

struct AnalyserOptions {
  int threads = 1;
  /// The most memory that the tree, caches and tables may use; a MiB at least. A search that has
  /// used it continues without growing.
  std::size_t memory_bytes = std::size_t{256} << 20;
  TreeSearchSettings search = {};
  /// Of an alpha-beta search: evaluates positions; null: by material and placement.
  std::shared_ptr<const FastNetwork> fast = nullptr;
};

/// One of the best moves with its line.
struct AnalysisLine {
  std::vector<Move> moves;  // at least one
  Evaluation value;         // of the first move, for the side to move at the root
  std::uint32_t visits = 0;
  float prior = 0;
  /// Plies to a proven mate as in SearchResult::mate_plies.
  std::optional<int> mate_plies = std::nullopt;
};

struct AnalysisReport {
  std::vector<AnalysisLine> lines;  // best first; empty only before the root was evaluated
  Evaluation value;                 // of the root, for its mover
  std::uint64_t nodes = 0;          // visits of the root made by this search, or positions visited
  std::uint32_t visits = 0;         // of the root, including those kept from earlier searches
  std::uint32_t evaluations = 0;    // positions evaluated by this search
  int depth = 0;                    // mean depth of the tree's descents, or the last full iteration
  int selective_depth = 0;          // the longest descent
  int hash_permille = 0;            // of memory_bytes in use
  double seconds = 0;               // since analyse()
};

/// Used by one thread at a time; SearchLimits::stop may be set by any.
class Analyser {
 public:
  virtual ~Analyser() = default;
  /// Searches until a limit is reached or `limits.stop` is set, and returns the final report. What
  /// an earlier search of the same game found is reused. Throws std::invalid_argument if the game
  /// is over in `position` or a move of `limits.search_moves` is not legal. A tree search counts
  /// `limits.nodes` as new visits and takes `limits.leaves` for each thread; `limits.root_noise` is
  /// ignored. `lines`: how many lines to report, if there are as many moves. `report`: called from
  /// the calling thread, whenever the best line or the depth has changed and at least every
  /// `interval`; may be null. Passes on what an evaluator throws.
  virtual AnalysisReport analyse(
      const GamePosition& position, const SearchLimits& limits, int lines,
      const std::function<void(const AnalysisReport&)>& report,
      std::chrono::milliseconds interval = std::chrono::milliseconds(500)) = 0;
  /// Forgets everything; the next search starts empty.
  virtual void clear() = 0;
};

}  // namespace faultline
