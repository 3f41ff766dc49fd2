// An evaluator that needs no network and yet tells positions apart: evaluations are derived from a
// hash of the position. For the bench signature and for tests of the search.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/seeds.h"
#include "search/evaluator.h"

namespace faultline {

/// Win, draw, loss, moves left and priors depend only on the position's key, its repetitions and
/// its moves. They are the same on every machine and in every build, since only divisions by powers
/// of two and sums in a fixed order are used.
template <Position P>
class HashEvaluator final : public Evaluator<P> {
 public:
  void submit(EvalBatch<P>& batch) override {
    batch.prepare_results();
    for (std::size_t i = 0; i < batch.size(); ++i) {
      const std::uint64_t seed = splitmix64_finalizer(
          batch.position(i).key() + static_cast<std::uint64_t>(batch.repetitions(i)));
      const float draw = 0.5F * unit(splitmix64_finalizer(seed + 1));
      const float win = (1 - draw) * unit(splitmix64_finalizer(seed + 2));
      batch.evaluation(i) = {.win = win,
                             .draw = draw,
                             .loss = 1 - draw - win,
                             .moves_left = 100 * unit(splitmix64_finalizer(seed + 3))};
      float total = 0;
      const auto moves = batch.moves(i);
      const auto priors = batch.priors(i);
      for (std::size_t m = 0; m < moves.size(); ++m) {
        const float share = unit(splitmix64_finalizer(seed ^ moves[m].bits()));
        priors[m] = share * share + 0x1p-6F;  // some moves stand out
        total += priors[m];
      }
      for (float& prior : priors)
        prior /= total;
    }
  }
  void wait(EvalBatch<P>&) override {}

 private:
  /// 0 … 1, exclusive, in steps of 2^-24: every one a float.
  static constexpr float unit(std::uint64_t bits) {
    return static_cast<float>(bits >> 40) * 0x1p-24F;
  }
};

}  // namespace faultline
