// The analyser that searches by PUCT: reports of a search by several threads on one tree.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <functional>
#include <memory>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "play/analyser.h"
#include "play/game_position_of.h"
#ifdef __EMSCRIPTEN__
#include "search/serial_search.h"
#else
#include "search/parallel_search.h"
#endif

namespace faultline {

#ifdef __EMSCRIPTEN__
template <Position P>
using AnalysisSearch = SerialSearch<P>;  // a browser's worker has one thread
#else
template <Position P>
using AnalysisSearch = ParallelSearch<P>;
#endif

template <Position P>
class PuctAnalyser final : public Analyser {
 public:
  PuctAnalyser(const AnalyserOptions& options, std::shared_ptr<GameEvaluator> evaluator)
      : evaluator_(std::dynamic_pointer_cast<GameEvaluatorOf<P>>(std::move(evaluator))),
        tree_reuse_(options.search.tree_reuse),
        search_(options.search.params, options.threads, options.memory_bytes,
                evaluator_->evaluator()) {}

  AnalysisReport analyse(const GamePosition& position, const SearchLimits& limits, int lines,
                         const std::function<void(const AnalysisReport&)>& report,
                         std::chrono::milliseconds interval) override {
    const PositionHistory<P>& history = history_of<P>(position);
    check_can_be_analysed(position, limits);
    if (!tree_reuse_) search_.clear();
    search_.start(history, limits);
    const StopsAtExit stops(search_);
    Clock::time_point last = Clock::now();
    Seen seen;
    while (!search_.wait_until(Clock::now() + std::min<Clock::duration>(interval, kGlance))) {
      if (!report) continue;
      AnalysisReport found;
      const bool is_news = search_.look([&](const auto& search) {
        const Seen now = glance(search, limits);
        const bool is_due = Clock::now() - last >= interval || now != seen;
        if (!now.best || !is_due) return false;
        seen = now;
        found = report_of(search, limits, lines);
        return true;
      });
      if (!is_news) continue;
      last = Clock::now();
      report(found);
    }
    return search_.look([&](const auto& search) { return report_of(search, limits, lines); });
  }
  void clear() override { search_.clear(); }

 private:
  using Clock = std::chrono::steady_clock;
  using TreeSearch = typename AnalysisSearch<P>::TreeSearch;

  /// How often news are looked for.
  static constexpr std::chrono::milliseconds kGlance{20};
  static constexpr std::size_t kLongestLine = 64;

  /// Ends the search when a report throws.
  class StopsAtExit {
   public:
    explicit StopsAtExit(AnalysisSearch<P>& search) : search_(search) {}
    StopsAtExit(const StopsAtExit&) = delete;
    StopsAtExit& operator=(const StopsAtExit&) = delete;
    ~StopsAtExit() { search_.stop(); }

   private:
    AnalysisSearch<P>& search_;
  };

  /// What makes a report due when it changes.
  struct Seen {
    std::optional<Move> best;
    int depth = 0;
    bool operator==(const Seen&) const = default;
  };
  /// A root move as a line: proven mates first, the shortest first; then by visits; then proven
  /// losses, the longest first.
  struct Candidate {
    RootMove move;
    std::optional<int> mate_plies;

    auto rank() const {
      const int proven = !mate_plies ? 0 : *mate_plies > 0 ? 1 : -1;
      return std::tuple(proven, -mate_plies.value_or(0), move.visits, move.value, move.prior);
    }
  };

  /// The best first. Empty before the root was evaluated.
  static std::vector<Candidate> candidates(const TreeSearch& search, const SearchLimits& limits,
                                           std::size_t count) {
    std::vector<Candidate> found;
    if (search.root_visits() == 0) return found;
    for (const RootMove& move : search.root_moves())
      if (limits.search_moves.empty() ||
          std::ranges::find(limits.search_moves, move.move) != limits.search_moves.end())
        found.push_back({move, search.mate_after(move.move)});
    count = std::min(count, found.size());
    std::partial_sort(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(count),
                      found.end(),
                      [](const Candidate& a, const Candidate& b) { return a.rank() > b.rank(); });
    found.resize(count);
    return found;
  }

  Seen glance(const TreeSearch& search, const SearchLimits& limits) const {
    const std::vector<Candidate> best = candidates(search, limits, 1);
    if (best.empty()) return {};
    return {.best = best.front().move.move, .depth = search_.depth()};
  }

  static Evaluation proven(int mate_plies) {
    return {.win = mate_plies > 0 ? 1.0F : 0.0F,
            .draw = 0,
            .loss = mate_plies > 0 ? 0.0F : 1.0F,
            .moves_left = static_cast<float>(std::abs(mate_plies))};
  }

  AnalysisReport report_of(const TreeSearch& search, const SearchLimits& limits, int lines) const {
    AnalysisReport result;
    for (const Candidate& candidate :
         candidates(search, limits, static_cast<std::size_t>(std::max(lines, 1)))) {
      const RootMove& root_move = candidate.move;
      AnalysisLine line{
          .moves = search.principal_variation(root_move.move, kLongestLine),
          .value = candidate.mate_plies
                       ? proven(*candidate.mate_plies)
                       : mean_evaluation(root_move.value, root_move.draw, root_move.moves_left),
          .visits = root_move.visits,
          .prior = root_move.prior,
          .mate_plies = candidate.mate_plies};
      if (line.moves.empty()) line.moves = {root_move.move};
      result.lines.push_back(std::move(line));
    }
    result.value = search.root_evaluation();
    // The root's own evaluation is of all its moves.
    if (!limits.search_moves.empty())
      result.value = mean_of_visits(search.root_moves()).value_or(result.value);
    // The best move's proof is the root's, or that of the moves that were searched.
    if (!result.lines.empty() && result.lines.front().mate_plies)
      result.value = result.lines.front().value;
    result.nodes = search_.new_visits();
    result.visits = search.root_visits();
    result.evaluations = search_.evaluations();
    result.depth = search_.depth();
    result.selective_depth = std::max(result.depth, static_cast<int>(search.descents().longest));
    // What is left of a full tree is in pieces that are too small.
    result.hash_permille =
        search.is_full()
            ? 1000
            : static_cast<int>(1000 * search.tree().used_bytes() / search.tree().capacity_bytes());
    result.seconds = std::chrono::duration<double>(search_.time()).count();
    return result;
  }

  std::shared_ptr<GameEvaluatorOf<P>> evaluator_;
  bool tree_reuse_;
  AnalysisSearch<P> search_;
};

}  // namespace faultline
