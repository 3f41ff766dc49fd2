// An evaluator that counts material: the opponent "material" in matches, and a search's leaves
// without a network.
#pragma once

#include <cstddef>

#include "search/centipawns.h"
#include "search/evaluator.h"
#include "search/material.h"

namespace faultline {

/// Win, draw and loss follow from the material balance. Priors favour captures and promotions
/// mildly, by what they win: taking a queen has four times the prior of a quiet move.
template <Position P>
class MaterialEvaluator final : public Evaluator<P> {
 public:
  void submit(EvalBatch<P>& batch) override {
    batch.prepare_results();
    for (std::size_t i = 0; i < batch.size(); ++i) {
      const P& position = batch.position(i);
      batch.evaluation(i) = evaluation_of_centipawns(material_balance(position));
      const auto moves = batch.moves(i);
      const auto priors = batch.priors(i);
      float total = 0;
      for (std::size_t m = 0; m < moves.size(); ++m) {
        int gain = piece_value(position, captured_type(position, moves[m]));
        if (moves[m].kind() == MoveKind::Promotion)
          gain += piece_value(position, moves[m].promotion());
        priors[m] = 1 + static_cast<float>(gain) / 300;
        total += priors[m];
      }
      for (float& prior : priors)
        prior /= total;
    }
  }
  void wait(EvalBatch<P>&) override {}
};

}  // namespace faultline
