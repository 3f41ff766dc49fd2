// Any searcher as an analyser on one thread: it is started again and again with a higher limit, so
// that there is something to report before the end.
#pragma once

#include <functional>
#include <memory>
#include <random>

#include "play/analyser.h"
#include "play/game.h"

namespace faultline {

class SearcherAnalyser final : public Analyser {
 public:
  /// `make_searcher` is called now and by clear(). A searcher that counts depths gets one more per
  /// start, one that counts visits a quarter more; both keep what they have found from one start to
  /// the next.
  SearcherAnalyser(std::function<std::unique_ptr<GameSearcher>()> make_searcher,
                   std::uint64_t seed);

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
