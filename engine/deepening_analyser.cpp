// A searcher that deepens iteratively as an analyser: it is started again for every depth, so that
// there is something to report before the end.
#include "engine/deepening_analyser.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace faultline {
namespace {

using Clock = std::chrono::steady_clock;

AnalysisLine line_of(const RootMove& move) {
  return {.moves = {move.move},
          .value = mean_evaluation(move.value, move.draw, move.moves_left),
          .prior = move.prior};
}

/// The best move with its variation, then the others by value, which is an upper bound.
std::vector<AnalysisLine> lines_of(const SearchResult& result, const SearchLimits& limits,
                                   int count) {
  std::vector<AnalysisLine> lines;
  for (const RootMove& move : result.root_moves) {
    const bool is_wanted =
        limits.search_moves.empty() ||
        std::ranges::find(limits.search_moves, move.move) != limits.search_moves.end();
    if (is_wanted && move.move != result.move) lines.push_back(line_of(move));
  }
  std::ranges::stable_sort(lines, std::ranges::greater{},
                           [](const AnalysisLine& line) { return line.value.value(); });
  AnalysisLine best{
      .moves = result.variation, .value = result.value, .mate_plies = result.mate_plies};
  if (best.moves.empty()) best.moves.push_back(result.move);
  lines.insert(lines.begin(), std::move(best));
  lines.resize(std::min(lines.size(), static_cast<std::size_t>(std::max(count, 1))));
  return lines;
}

}  // namespace

DeepeningAnalyser::DeepeningAnalyser(std::function<std::unique_ptr<GameSearcher>()> make_searcher)
    : make_searcher_(std::move(make_searcher)), searcher_(make_searcher_()) {}

AnalysisReport DeepeningAnalyser::analyse(const GamePosition& position, const SearchLimits& limits,
                                          int lines,
                                          const std::function<void(const AnalysisReport&)>& report,
                                          std::chrono::milliseconds) {
  const Clock::time_point begin = Clock::now();
  const auto is_stopped = [&] { return limits.stop != nullptr && *limits.stop; };
  AnalysisReport found;
  for (int depth = 1;; ++depth) {
    SearchLimits part = limits;
    part.depth = depth;
    if (limits.nodes > 0) part.nodes = limits.nodes - found.nodes;
    if (limits.time)
      part.time = std::max(Clock::duration::zero(), *limits.time - (Clock::now() - begin));
    searcher_->start(position, part, rng_);
    while (searcher_->step()) {
    }
    const SearchResult result = searcher_->decide();

    // An iteration that was cut short has searched only the first of the moves.
    const bool is_complete = result.depth >= depth;
    if (is_complete || depth == 1) {
      found.lines = lines_of(result, limits, lines);
      found.value = result.value;
      found.depth = result.depth;
    }
    found.nodes += result.nodes;
    found.evaluations += result.evaluations;
    found.selective_depth = std::max(found.selective_depth, result.selective_depth);
    found.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    if (!is_complete || result.mate_plies || depth == limits.depth || is_stopped() ||
        (limits.nodes > 0 && found.nodes >= limits.nodes) ||
        (limits.time && Clock::now() - begin >= *limits.time))
      return found;
    if (report) report(found);
  }
}

}  // namespace faultline
