// The analyser that searches by alpha-beta: one iteration of a Searcher after another.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <memory>
#include <optional>
#include <random>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "base/machine_shortage.h"
#include "play/analyser.h"
#include "play/game_position_of.h"
#include "search/alpha_beta_params.h"
#include "search/searcher.h"

namespace faultline {

/// Searches in the calling thread, and its helpers, depth after depth, and reports after each.
/// Further lines are searches of the same depth without the first moves of the lines before. The
/// table of what was found makes repeating the iterations before almost free.
template <Position P>
class AlphaBetaAnalyser final : public Analyser {
 public:
  /// The memory is the table's. Throws std::invalid_argument if it is below kLeastBytes,
  /// MachineShortage if so many threads cannot be started.
  AlphaBetaAnalyser(const AnalyserOptions& options,
                    std::shared_ptr<const PositionEvaluation<P>> evaluation)
      : bytes_(options.memory_bytes),
        threads_(options.threads),
        evaluation_(std::move(evaluation)) {
    if (bytes_ < kLeastBytes)
      throw std::invalid_argument("an alpha-beta search cannot have " + std::to_string(bytes_) +
                                  " bytes of memory; it needs at least " +
                                  std::to_string(kLeastBytes));
    if (threads_ > 1) require_tasks(static_cast<std::size_t>(threads_) - 1);
    clear();
  }

  AnalysisReport analyse(const GamePosition& position, const SearchLimits& limits, int lines,
                         const std::function<void(const AnalysisReport&)>& report,
                         std::chrono::milliseconds) override {
    check_can_be_analysed(position, limits);
    begin_ = Clock::now();
    nodes_ = evaluations_ = 0;
    selective_depth_ = 0;
    const PositionHistory<P>& history = history_of<P>(position);
    const std::vector<Move> moves =
        limits.search_moves.empty() ? position.legal_moves() : limits.search_moves;
    const std::size_t count = std::min(moves.size(), static_cast<std::size_t>(std::max(lines, 1)));
    AnalysisReport found;
    const int last = limits.depth > 0 ? std::min(limits.depth, kMostDepth) : kMostDepth;
    for (int depth = 1; depth <= last && (depth == 1 || !is_out_of_budget(limits)); ++depth) {
      std::vector<AnalysisLine> iteration;
      std::vector<Move> left = moves;
      bool complete = true;
      bool settled = true;  // deeper searches find nothing else
      for (std::size_t i = 0; i < count && complete; ++i) {
        const SearchResult result = search(history, limits, depth, left);
        // The searcher stops before its depth only where a mate, for either side, leaves nothing to
        // find, or at a limit.
        const bool mates = (result.mate_plies && 2 * std::abs(*result.mate_plies) <= depth) ||
                           (result.depth < depth && !is_out_of_budget(limits));
        complete = mates || result.depth == depth;
        settled = settled && mates;
        // The best move of an unfinished iteration is at least as good as the one before.
        if (!complete && (count > 1 || result.depth + 1 < depth)) break;
        iteration.push_back(line_of(result));
        std::erase(left, result.move);
      }
      if (iteration.size() < count && depth > 1) break;
      // A later line may turn out better than the best move of an earlier search of this depth.
      // Inserted one by one: equal lines keep their order.
      for (auto line = iteration.begin(); complete && line != iteration.end(); ++line)
        std::rotate(std::upper_bound(iteration.begin(), line, *line,
                                     [](const AnalysisLine& a, const AnalysisLine& b) {
                                       return rank_of(a) > rank_of(b);
                                     }),
                    line, line + 1);
      found = report_of(std::move(iteration), complete ? depth : depth - 1);
      if (report) report(found);
      if (settled || !complete) break;
    }
    // What the last, unfinished iteration has cost counts too.
    return report_of(std::move(found.lines), found.depth);
  }

  void clear() override {
    searcher_.reset();  // first, so that there are never two tables
    searcher_ = make_alpha_beta_searcher<P>(
        AlphaBetaParams{.threads = threads_,
                        .table_mb = static_cast<int>(std::min(bytes_ >> 20, kMostMegabytes))},
        true, evaluation_);
  }

 private:
  using Clock = std::chrono::steady_clock;

  static constexpr std::size_t kLeastBytes = std::size_t{1} << 20;
  static constexpr std::size_t kMostMegabytes = 65536;  // of AlphaBetaParams::table_mb
  static constexpr int kMostDepth = 100;

  bool is_out_of_budget(const SearchLimits& limits) const {
    return (limits.stop != nullptr && limits.stop->load()) ||
           (limits.time && Clock::now() - begin_ >= *limits.time) ||
           (limits.nodes > 0 && nodes_ >= limits.nodes);
  }

  SearchResult search(const PositionHistory<P>& history, const SearchLimits& limits, int depth,
                      const std::vector<Move>& moves) {
    SearchLimits now = limits;
    now.depth = depth;
    now.search_moves =
        moves.size() == history.position().count_legal_moves() ? std::vector<Move>{} : moves;
    if (limits.nodes > 0)
      now.nodes = std::max<std::uint64_t>(1, limits.nodes - std::min(nodes_, limits.nodes));
    if (limits.time)
      now.time = std::max(Clock::duration::zero(), *limits.time - (Clock::now() - begin_));
    searcher_->start(history, now, rng_);
    EvalBatch<P> no_leaves;
    while (searcher_->gather(no_leaves)) {
    }
    SearchResult result = searcher_->decide();
    nodes_ += result.nodes;
    evaluations_ += result.evaluations;
    selective_depth_ = std::max(selective_depth_, result.selective_depth);
    return result;
  }

  /// Orders lines: the shortest mates first, then by value, the shortest lost ones last.
  static double rank_of(const AnalysisLine& line) {
    if (!line.mate_plies) return line.value.value();
    const double plies = *line.mate_plies;
    return plies > 0 ? 2 - plies / 1000 : -2 - plies / 1000;
  }

  static AnalysisLine line_of(const SearchResult& result) {
    AnalysisLine line{.moves = result.variation,
                      .value = result.value,
                      .visits = 0,
                      .prior = 0,
                      .mate_plies = result.mate_plies};
    if (line.moves.empty()) line.moves = {result.move};
    return line;
  }

  AnalysisReport report_of(std::vector<AnalysisLine> lines, int depth) const {
    AnalysisReport result;
    if (!lines.empty()) result.value = lines.front().value;
    result.lines = std::move(lines);
    result.nodes = nodes_;
    result.evaluations =
        static_cast<std::uint32_t>(std::min<std::uint64_t>(evaluations_, 0xffffffff));
    result.depth = depth;
    result.selective_depth = std::max(depth, selective_depth_);
    // All of the table is in use once it is allocated.
    result.hash_permille = static_cast<int>(std::min<std::size_t>(
        1000, searcher_->memory_bytes() / std::max<std::size_t>(1, bytes_ / 1000)));
    result.seconds = std::chrono::duration<double>(Clock::now() - begin_).count();
    return result;
  }

  std::size_t bytes_;
  int threads_;
  std::shared_ptr<const PositionEvaluation<P>> evaluation_;  // null: material and placement
  std::unique_ptr<Searcher<P>> searcher_;
  std::mt19937_64 rng_;  // which an alpha-beta search does not use
  Clock::time_point begin_;
  std::uint64_t nodes_ = 0;
  std::uint64_t evaluations_ = 0;
  int selective_depth_ = 0;
};

}  // namespace faultline
