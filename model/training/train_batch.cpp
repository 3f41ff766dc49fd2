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

TrainBatch share_of(const TrainBatch& batch, int part, int parts) {
  const auto begin = batch.count * static_cast<std::size_t>(part) / static_cast<std::size_t>(parts);
  const auto end =
      batch.count * static_cast<std::size_t>(part + 1) / static_cast<std::size_t>(parts);
  const auto cut = [&]<class T>(const std::vector<T>& values, std::size_t first, std::size_t last) {
    return std::vector<T>(values.begin() + static_cast<std::ptrdiff_t>(first),
                          values.begin() + static_cast<std::ptrdiff_t>(last));
  };
  const std::size_t floats = batch.planes.size() / batch.count;
  const std::size_t first = batch.first_move[begin], last = batch.first_move[end];
  TrainBatch share{.count = end - begin,
                   .planes = cut(batch.planes, begin * floats, end * floats),
                   .moves = cut(batch.moves, first, last),
                   .first_move = cut(batch.first_move, begin, end + 1),
                   .policy = cut(batch.policy, first, last),
                   .wdl = cut(batch.wdl, 3 * begin, 3 * end),
                   .moves_left = cut(batch.moves_left, begin, end),
                   .fast = {}};
  for (std::uint32_t& move : share.first_move)
    move -= static_cast<std::uint32_t>(first);
  return share;
}

}  // namespace faultline
