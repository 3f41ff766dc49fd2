// The losses of a batch.
#include "model/training/losses.h"

#include <vector>

#include "model/training/flat_tensors.h"
#include "model/training/policy_loss.h"

namespace faultline {
namespace {

at::Tensor to_device(const std::vector<float>& values, at::IntArrayRef shape, at::Device device) {
  // from_blob does not own its memory; nothing keeps these tensors beyond the step on a CPU.
  return without_waiting(at::from_blob(const_cast<float*>(values.data()), shape, at::kFloat),
                         device);
}

}  // namespace

at::Tensor planes_of(const TrainBatch& batch, const EncodingInfo& encoding, at::Device device,
                     at::ScalarType type) {
  const auto given = at::from_blob(const_cast<float*>(batch.planes.data()),
                                   {static_cast<std::int64_t>(batch.count), encoding.plane_count(),
                                    encoding.height, encoding.width},
                                   at::kFloat);
  // First as they are: LibTorch would convert them on the host, by one thread.
  return without_waiting(given, device)
      .to(type, /*non_blocking=*/false, /*copy=*/true, at::MemoryFormat::ChannelsLast);
}

Losses compute_losses(const NetworkWeights& weights, const TrainParams& params,
                      const NetworkOutput& out, const TrainBatch& batch) {
  const auto device = weights.parameters().device();
  const auto count = static_cast<std::int64_t>(batch.count);
  const PolicyLoss policy = policy_loss(weights, out.policy_vectors, batch);

  const auto wdl = to_device(batch.wdl, {count, 3}, device);
  const auto value = -(wdl * at::log_softmax(out.wdl_logits, 1)).sum(1).mean();
  const auto value_hits = out.wdl_logits.argmax(1).eq(wdl.argmax(1)).to(at::kFloat).mean();

  const auto plies = to_device(batch.moves_left, {count}, device);
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
