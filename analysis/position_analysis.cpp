// Analyses positions in parallel.
#include "analysis/position_analysis.h"

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <numeric>
#include <stop_token>
#include <thread>
#include <utility>

#include "base/run_threads.h"

namespace faultline {
namespace {

/// How long a request to stop may go unnoticed, and the progress unreported.
constexpr std::chrono::milliseconds kInterval(100);
/// The most visits of an analysis that is limited by time only, which also bound its memory.
constexpr std::uint32_t kMostVisits = 10'000'000;

/// The evaluation as a report: every move is a line.
AnalysisReport as_report(const GamePosition& position, const RawEvaluation& raw,
                         std::size_t lines) {
  const std::vector<Move> moves = position.legal_moves();
  std::vector<std::size_t> order(moves.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::greater<>(), [&](std::size_t i) { return raw.priors[i]; });
  if (lines > 0 && lines < order.size()) order.resize(lines);
  AnalysisReport report;
  report.value = raw.value;
  report.evaluations = 1;
  for (const std::size_t i : order)
    report.lines.push_back({.moves = {moves[i]}, .value = {}, .prior = raw.priors[i]});
  return report;
}

}  // namespace

PositionAnalyst::PositionAnalyst(const Game& game, std::shared_ptr<GameEvaluator> evaluator,
                                 const AnalysisSettings& settings)
    : game_(&game), evaluator_(std::move(evaluator)), settings_(settings) {}

std::unique_ptr<Analyser> PositionAnalyst::make_analyser(int threads) const {
  if (!settings_.alpha_beta)
    return game_->analyser({.threads = threads, .search = settings_.search}, evaluator_);
  constexpr std::size_t kTableBytes = std::size_t{16} << 20;  // allocated anew for each position
  return game_->alpha_beta_analyser({.memory_bytes = kTableBytes, .fast = settings_.fast});
}

bool PositionAnalyst::stopped() {
  if (stop && stop()) stopping_ = true;
  return stopping_;
}

PositionAnalysis PositionAnalyst::search(Analyser& analyser, const GamePosition& position) {
  SearchLimits limits;
  if (settings_.alpha_beta)
    limits.nodes = settings_.visits;
  else
    limits.visits = settings_.visits > 0 ? settings_.visits : kMostVisits;
  limits.time = settings_.time;
  limits.leaves = settings_.leaves;
  limits.stop = &stopping_;
  // An alpha-beta search reports only between depths, the last of which may take long.
  std::mutex mutex;
  std::condition_variable_any wakes;
  std::jthread watcher;
  if (settings_.alpha_beta)
    watcher = std::jthread([&](const std::stop_token& ends) {
      std::unique_lock lock(mutex);
      while (!ends.stop_requested() && !stopped())
        wakes.wait_for(lock, ends, kInterval, [] { return false; });
    });
  const std::size_t lines = settings_.lines > 0 ? settings_.lines : position.legal_moves().size();
  analyser.clear();
  PositionAnalysis found;
  found.report = analyser.analyse(
      position, limits, static_cast<int>(lines), [&](const AnalysisReport&) { stopped(); },
      kInterval);
  found.searched = true;
  found.by_alpha_beta = settings_.alpha_beta;
  found.done = !found.report.lines.empty();
  return found;
}

void PositionAnalyst::evaluate(std::span<const GamePosition* const> positions,
                               std::span<PositionAnalysis> found) {
  std::vector<const GamePosition*> batch;
  std::vector<std::size_t> indices;
  for (std::size_t i = 0; i < positions.size(); ++i) {
    found[i].outcome = positions[i]->outcome();
    found[i].done = true;
    if (is_over(found[i].outcome)) continue;
    batch.push_back(positions[i]);
    indices.push_back(i);
  }
  if (batch.empty()) return;
  const std::vector<RawEvaluation> raw = evaluator_->evaluate(batch);
  for (std::size_t i = 0; i < raw.size(); ++i)
    found[indices[i]].report = as_report(*batch[i], raw[i], settings_.lines);
}

PositionAnalysis PositionAnalyst::analyse(const GamePosition& position) {
  if (is_raw() || is_over(position.outcome())) {
    PositionAnalysis found;
    const GamePosition* const one = &position;
    evaluate({&one, 1}, {&found, 1});
    return found;
  }
  if (!together_) together_ = make_analyser(settings_.threads);
  return search(*together_, position);
}

void PositionAnalyst::work(std::size_t thread, std::span<const GamePosition* const> positions,
                           std::span<PositionAnalysis> found) {
  const bool raw = is_raw();
  const std::size_t step = raw ? settings_.batch : 1;
  for (std::size_t at = 0; (at = next_.fetch_add(step)) < positions.size();) {
    if (stopped()) return;
    const std::size_t count = std::min(step, positions.size() - at);
    if (raw || is_over(positions[at]->outcome()))
      evaluate(positions.subspan(at, count), found.subspan(at, count));
    else
      found[at] = search(*alone_[thread], *positions[at]);
    const std::size_t finished = finished_ += count;
    if (thread == 0 && progress) progress(finished);
  }
}

std::vector<PositionAnalysis> PositionAnalyst::analyse(
    std::span<const GamePosition* const> positions) {
  std::vector<PositionAnalysis> found(positions.size());
  const std::size_t threads = std::clamp<std::size_t>(
      static_cast<std::size_t>(settings_.threads), 1, std::max<std::size_t>(positions.size(), 1));
  while (!is_raw() && alone_.size() < threads)
    alone_.push_back(make_analyser(1));
  next_ = 0;
  finished_ = 0;
  run_threads(threads, stopping_, [&](std::size_t thread) { work(thread, positions, found); });
  return found;
}

}  // namespace faultline
