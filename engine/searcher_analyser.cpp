// Any searcher as an analyser on one thread: it is started again and again with a higher limit, so
// that there is something to report before the end.
#include "engine/searcher_analyser.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <utility>

namespace faultline {
namespace {

using Clock = std::chrono::steady_clock;

bool is_stopped(const SearchLimits& limits) {
  return limits.stop != nullptr && *limits.stop;
}

Evaluation evaluation_of(const RootMove& move) {
  const float decided = std::clamp(1 - move.draw, 0.0F, 1.0F);
  const float value = std::clamp(move.value, -decided, decided);
  return {.win = (decided + value) / 2,
          .draw = 1 - decided,
          .loss = (decided - value) / 2,
          .moves_left = move.moves_left};
}

/// The best move with its variation, then the others as they were visited.
std::vector<AnalysisLine> lines_of(const SearchResult& result, int count) {
  AnalysisLine best{
      .moves = result.variation, .value = result.value, .mate_plies = result.mate_plies};
  if (best.moves.empty()) best.moves.push_back(result.move);
  std::vector<RootMove> others;
  for (const RootMove& move : result.root_moves) {
    if (move.move != result.move) {
      others.push_back(move);
      continue;
    }
    best.visits = move.visits;
    best.prior = move.prior;
    if (move.visits > 0) best.value = evaluation_of(move);
    if (move.wins) best.mate_plies = 1;
  }
  std::ranges::stable_sort(others, std::ranges::greater{}, &RootMove::visits);
  std::vector<AnalysisLine> lines = {std::move(best)};
  for (const RootMove& move : others) {
    if (lines.size() >= static_cast<std::size_t>(std::max(count, 1))) break;
    lines.push_back({.moves = {move.move},
                     .value = evaluation_of(move),
                     .visits = move.visits,
                     .prior = move.prior});
  }
  return lines;
}

/// Below `whole` by what is done; 0, no limit, stays 0.
template <class Count>
Count rest_of(Count whole, std::uint64_t done) {
  if (whole == 0) return 0;
  return whole > done ? static_cast<Count>(whole - done) : 1;
}

}  // namespace

SearcherAnalyser::SearcherAnalyser(std::function<std::unique_ptr<GameSearcher>()> make_searcher,
                                   std::uint64_t seed)
    : make_searcher_(std::move(make_searcher)), searcher_(make_searcher_()), rng_(seed) {}

AnalysisReport SearcherAnalyser::analyse(const GamePosition& position, const SearchLimits& limits,
                                         int lines,
                                         const std::function<void(const AnalysisReport&)>& report,
                                         std::chrono::milliseconds interval) {
  const Clock::time_point begin = Clock::now();
  Clock::time_point reported = begin;
  AnalysisReport done;
  std::uint64_t visits_made = 0;
  for (int depth = 1;; ++depth) {
    SearchLimits part = limits;
    constexpr std::uint64_t kFirstVisits = 64;
    const std::uint64_t step = std::max(kFirstVisits, visits_made / 4);
    const std::uint64_t rest = rest_of<std::uint32_t>(limits.new_visits, visits_made);
    part.new_visits = static_cast<std::uint32_t>(rest == 0 ? step : std::min(rest, step));
    part.evaluations = rest_of(limits.evaluations, done.evaluations);
    part.nodes = rest_of(limits.nodes, done.nodes);
    part.depth = limits.depth == 0 ? depth : std::min(depth, limits.depth);
    if (limits.time)
      part.time = std::max(Clock::duration::zero(), *limits.time - (Clock::now() - begin));

    searcher_->start(position, part, rng_);
    while (searcher_->step()) {
    }
    const SearchResult result = searcher_->decide();
    const bool counts_depth = result.depth > 0 || result.nodes > 0;
    const AnalysisReport before = std::exchange(done, AnalysisReport{});
    done.lines = lines_of(result, lines);
    done.value = result.value;
    visits_made += result.new_visits;
    done.nodes = counts_depth ? before.nodes + result.nodes : visits_made;
    done.visits = result.visits;
    done.evaluations = before.evaluations + result.evaluations;
    done.depth = std::max(before.depth, result.depth);
    done.selective_depth = std::max(before.selective_depth, result.selective_depth);
    done.seconds = std::chrono::duration<double>(Clock::now() - begin).count();

    const bool is_over =
        is_stopped(limits) || (limits.time && Clock::now() - begin >= *limits.time) ||
        (limits.visits > 0 && done.visits >= limits.visits) ||
        (limits.new_visits > 0 && visits_made >= limits.new_visits) ||
        (limits.nodes > 0 && counts_depth && done.nodes >= limits.nodes) ||
        (limits.evaluations > 0 && done.evaluations >= limits.evaluations) ||
        (counts_depth ? result.depth < depth : result.new_visits == 0) ||
        (counts_depth && result.mate_plies) || depth == std::numeric_limits<int>::max();
    if (is_over) return done;
    const bool changed = before.lines.empty() || done.depth != before.depth ||
                         done.lines.front().moves.front() != before.lines.front().moves.front();
    if (report && (changed || Clock::now() - reported >= interval)) {
      report(done);
      reported = Clock::now();
    }
  }
}

}  // namespace faultline
