// Batches of training positions.
#include "model/training/train_batch.h"

namespace faultline {

void FastBatch::clear() {
  inputs.clear();
  first.assign(1, 0);
  expected.clear();
}

void TrainBatch::clear() {
  count = 0;
  planes.clear();
  moves.clear();
  first_move.clear();
  policy.clear();
  wdl.clear();
  moves_left.clear();
  fast.clear();
}

void TrainBatch::add(std::span<const float> position_planes,
                     std::span<const PolicyIndex> legal_moves, std::span<const float> policy_target,
                     const std::array<float, 3>& wdl_target, float moves_left_target) {
  if (first_move.empty()) first_move.push_back(0);
  planes.insert(planes.end(), position_planes.begin(), position_planes.end());
  moves.insert(moves.end(), legal_moves.begin(), legal_moves.end());
  policy.insert(policy.end(), policy_target.begin(), policy_target.end());
  first_move.push_back(static_cast<std::uint32_t>(moves.size()));
  wdl.insert(wdl.end(), wdl_target.begin(), wdl_target.end());
  moves_left.push_back(moves_left_target);
  ++count;
}

}  // namespace faultline
