// The losses of a batch.
#include "model/training/losses.h"

#include <vector>

#include "model/training/policy_loss.h"

namespace faultline {
namespace {

/// `plies`: [positions] of moves left, negative where they are unknown.
Losses losses_of(const TrainParams& params, const NetworkOutput& out, const PolicyLoss& policy,
                 const at::Tensor& wdl, const at::Tensor& plies) {
  const auto value = -(wdl * at::log_softmax(out.wdl_logits, 1)).sum(1).mean();
  const auto value_hits = out.wdl_logits.argmax(1).eq(wdl.argmax(1)).to(at::kFloat).mean();

  const auto known = plies.ge(0).to(at::kFloat);
  constexpr double kHuberDelta = 0.5;  // ten plies
  const auto distances =
      at::huber_loss(out.moves_left, plies / kMovesLeftScale, at::Reduction::None, kHuberDelta);
  const auto moves_left = (distances * known).sum() / known.sum().clamp_min(1);

  Losses losses;
  losses.total = params.policy_weight * policy.loss + params.value_weight * value +
                 params.moves_left_weight * moves_left;
  losses.numbers =
      at::stack({policy.loss.detach(), policy.entropy, value.detach(), moves_left.detach(),
                 policy.accuracy, value_hits, losses.total.detach()});
  return losses;
}

/// The batch's own memory.
at::Tensor view_of(const std::vector<float>& values, at::IntArrayRef shape) {
  return at::from_blob(const_cast<float*>(values.data()), shape, at::kFloat);
}

}  // namespace

at::Tensor planes_of(const TrainBatch& batch, const EncodingInfo& encoding, at::ScalarType type) {
  return planes_of(view_of(batch.planes, {static_cast<std::int64_t>(batch.count),
                                          encoding.plane_count(), encoding.height, encoding.width}),
                   type);
}
at::Tensor planes_of(const at::Tensor& planes, at::ScalarType type) {
  return planes.to(type, /*non_blocking=*/false, /*copy=*/true, at::MemoryFormat::ChannelsLast);
}

Losses compute_losses(const NetworkWeights& weights, const TrainParams& params,
                      const NetworkOutput& out, const TrainBatch& batch) {
  const auto count = static_cast<std::int64_t>(batch.count);
  return losses_of(params, out, policy_loss(weights, out.policy_vectors, batch),
                   view_of(batch.wdl, {count, 3}), view_of(batch.moves_left, {count}));
}
Losses compute_losses(const NetworkWeights& weights, const TrainParams& params,
                      const NetworkOutput& out, const StagedBatch& batch) {
  return losses_of(
      params, out,
      policy_loss_by_gathers(weights, out.policy_vectors, batch.moves(), batch.policy()),
      batch.wdl(), batch.moves_left());
}

StepLosses to_step_losses(const at::Tensor& numbers) {
  const auto host = numbers.to(at::kCPU);
  const float* n = host.data_ptr<float>();
  StepLosses losses;
  losses.policy = n[0];
  losses.policy_entropy = n[1];
  losses.value = n[2];
  losses.moves_left = n[3];
  losses.policy_accuracy = n[4];
  losses.value_accuracy = n[5];
  losses.total = n[6];
  if (host.numel() > 7) losses.grad_norm = n[7];
  return losses;
}

}  // namespace faultline
