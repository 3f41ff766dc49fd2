// A searcher that deepens iteratively as an analyser: it is started again for every depth, so that
// there is something to report before the end.
#pragma once

#include <functional>
#include <memory>
#include <random>

#include "play/analyser.h"
#include "play/game.h"

namespace faultline {

/// For searchers that count depths and nodes (SearchResult::depth, nodes) and keep what they have
/// found from one start to the next. Only the best move has a line of more than one move, and no
/// line has visits. Memory in use is not reported.
class DeepeningAnalyser final : public Analyser {
 public:
  /// `make_searcher` is called now and by clear().
  explicit DeepeningAnalyser(std::function<std::unique_ptr<GameSearcher>()> make_searcher);

  AnalysisReport analyse(const GamePosition& position, const SearchLimits& limits, int lines,
                         const std::function<void(const AnalysisReport&)>& report,
                         std::chrono::milliseconds interval) override;
  void clear() override { searcher_ = make_searcher_(); }

 private:
  std::function<std::unique_ptr<GameSearcher>()> make_searcher_;
  std::unique_ptr<GameSearcher> searcher_;
  std::mt19937_64 rng_;
};

}  // namespace faultline
