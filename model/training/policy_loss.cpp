// The policy's cross-entropy and its gradient.
#include "model/training/policy_loss.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include <torch/csrc/autograd/custom_function.h>

#include "model/training/network.h"

namespace faultline {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

/// The places of the vectors of a batch's moves: plain pointers and offsets in floats.
class MoveVectors {
 public:
  MoveVectors(const at::Tensor& vectors, const PolicyHeadSpec& policy, const EncodingInfo& encoding)
      : dim_(policy.dim),
        stride_(vectors.size(1) * policy.boards * encoding.cells()),
        keys_(std::int64_t{policy.levels} * policy.dim),
        offsets_(static_cast<std::size_t>(encoding.policy_cells())) {
    for (std::size_t c = 0; c < offsets_.size(); ++c) {
      const std::int32_t row = policy.row(static_cast<std::int32_t>(c), encoding.cells());
      offsets_[c] = row / policy.levels * vectors.size(1) + row % policy.levels * dim_;
    }
  }
  std::int64_t dim() const { return dim_; }
  float scale() const { return 1.0F / std::sqrt(static_cast<float>(dim_)); }
  std::int64_t query(std::size_t position, const PolicyIndex& move) const {
    return static_cast<std::int64_t>(position) * stride_ + offsets_[move.from];
  }
  std::int64_t key(std::size_t position, const PolicyIndex& move) const {
    return static_cast<std::int64_t>(position) * stride_ + keys_ + offsets_[move.to];
  }

 private:
  std::int64_t dim_;
  std::int64_t stride_;  // from position to position
  std::int64_t keys_;    // from a cell's first query to its first key
  std::vector<std::int64_t> offsets_;
};

struct Sums {
  double loss = 0, entropy = 0, hits = 0;
  double taught = 0;  // positions with a target
};

/// Adds up the losses and fills `slopes`, one per move: the derivative of a position's loss with
/// respect to the move's logit.
Sums add_up(const MoveVectors& at_move, const float* vectors, const float* kind_queries,
            const float* kind_biases, const TrainBatch& batch, float* slopes) {
  Sums sums;
  const std::int64_t dim = at_move.dim();
  const float scale = at_move.scale();
  for (std::size_t i = 0; i < batch.count; ++i) {
    const std::size_t begin = batch.first_move[i], end = batch.first_move[i + 1];
    float target_sum = 0;
    for (std::size_t m = begin; m < end; ++m)
      target_sum += batch.policy[m];
    if (target_sum <= 0) {
      std::fill(slopes + begin, slopes + end, 0.0F);
      continue;
    }
    for (std::size_t m = begin; m < end; ++m) {
      const PolicyIndex& move = batch.moves[m];
      const float* query = vectors + at_move.query(i, move);
      const float* key = vectors + at_move.key(i, move);
      const float* offset = kind_queries + move.kind * dim;
      float dot = 0;
#pragma omp simd reduction(+ : dot)
      for (std::int64_t d = 0; d < dim; ++d)
        dot += (query[d] + offset[d]) * key[d];
      slopes[m] = dot * scale + kind_biases[move.kind];
    }
    const float* likeliest = std::max_element(slopes + begin, slopes + end);
    const auto best_target =
        std::max_element(batch.policy.begin() + static_cast<std::ptrdiff_t>(begin),
                         batch.policy.begin() + static_cast<std::ptrdiff_t>(end));
    const bool hit = likeliest - slopes == best_target - batch.policy.begin();
    const float largest = *likeliest;
    float exponentials = 0;
    for (std::size_t m = begin; m < end; ++m)
      exponentials += std::exp(slopes[m] - largest);
    const float log_sum = largest + std::log(exponentials);
    for (std::size_t m = begin; m < end; ++m) {
      const float log_probability = slopes[m] - log_sum, target = batch.policy[m];
      if (target > 0) {
        sums.loss -= static_cast<double>(target * log_probability);
        sums.entropy -= static_cast<double>(target * std::log(target));
      }
      slopes[m] = target_sum * std::exp(log_probability) - target;
    }
    sums.hits += hit ? 1 : 0;
    sums.taught += 1;
  }
  return sums;
}

struct FusedPolicyLoss final : torch::autograd::Function<FusedPolicyLoss> {
  /// [3]: loss, entropy, accuracy. `batch` must live until the backward pass.
  static at::Tensor forward(AutogradContext* context, const at::Tensor& given_vectors,
                            const at::Tensor& kind_queries, const at::Tensor& kind_biases,
                            const NetworkWeights* weights, const TrainBatch* batch) {
    const auto vectors = given_vectors.contiguous();
    const MoveVectors at_move(vectors, weights->description().policy, weights->encoding());
    auto slopes = at::empty({static_cast<std::int64_t>(batch->moves.size())}, vectors.options());
    const Sums sums = add_up(at_move, vectors.data_ptr<float>(), kind_queries.data_ptr<float>(),
                             kind_biases.data_ptr<float>(), *batch, slopes.data_ptr<float>());
    const double taught = std::max(sums.taught, 1.0);
    context->save_for_backward({vectors, kind_queries, kind_biases, slopes});
    context->saved_data["taught"] = taught;
    context->saved_data["weights"] = reinterpret_cast<std::int64_t>(weights);
    context->saved_data["batch"] = reinterpret_cast<std::int64_t>(batch);
    auto numbers = at::empty({3}, vectors.options());
    auto* out = numbers.data_ptr<float>();
    out[0] = static_cast<float>(sums.loss / taught);
    out[1] = static_cast<float>(sums.entropy / taught);
    out[2] = static_cast<float>(sums.hits / taught);
    return numbers;
  }

  static variable_list backward(AutogradContext* context, const variable_list& upstream) {
    const auto saved = context->get_saved_variables();
    const auto* weights =
        reinterpret_cast<const NetworkWeights*>(context->saved_data["weights"].toInt());
    const auto& batch = *reinterpret_cast<const TrainBatch*>(context->saved_data["batch"].toInt());
    const at::Tensor &vectors = saved[0], &kind_queries = saved[1];
    const MoveVectors at_move(vectors, weights->description().policy, weights->encoding());
    const std::int64_t dim = at_move.dim();
    const float share = upstream[0].contiguous().data_ptr<float>()[0] /
                        static_cast<float>(context->saved_data["taught"].toDouble());
    const float scale = at_move.scale();
    auto to_vectors = at::zeros_like(vectors), to_kinds = at::zeros_like(kind_queries),
         to_biases = at::zeros_like(saved[2]);
    const auto *vs = vectors.data_ptr<float>(), *ks = kind_queries.data_ptr<float>(),
               *slopes = saved[3].data_ptr<float>();
    auto *gvs = to_vectors.data_ptr<float>(), *gks = to_kinds.data_ptr<float>(),
         *gbs = to_biases.data_ptr<float>();
    for (std::size_t i = 0; i < batch.count; ++i)
      for (std::size_t m = batch.first_move[i]; m < batch.first_move[i + 1]; ++m) {
        const PolicyIndex& move = batch.moves[m];
        const std::int64_t q = at_move.query(i, move), k = at_move.key(i, move);
        const float *query = vs + q, *key = vs + k, *offset = ks + move.kind * dim;
        float *to_query = gvs + q, *to_key = gvs + k, *to_offset = gks + move.kind * dim;
        const float slope = slopes[m] * share, weight = slope * scale;
#pragma omp simd
        for (std::int64_t d = 0; d < dim; ++d) {
          to_query[d] += weight * key[d];
          to_offset[d] += weight * key[d];
          to_key[d] += weight * (query[d] + offset[d]);
        }
        gbs[move.kind] += slope;
      }
    return {to_vectors, to_kinds, to_biases, {}, {}};
  }
};

}  // namespace

PolicyLoss policy_loss(const NetworkWeights& weights, const at::Tensor& vectors,
                       const TrainBatch& batch) {
  const PolicyHeadSpec& policy = weights.description().policy;
  const auto numbers = FusedPolicyLoss::apply(vectors, weights[policy.kind_query],
                                              weights[policy.kind_bias], &weights, &batch);
  const auto values = numbers.detach();
  return {numbers[0], values[1], values[2]};
}

PolicyLoss policy_loss_by_gathers(const NetworkWeights& weights, const at::Tensor& vectors,
                                  const MoveIndex& moves, const at::Tensor& targets) {
  const auto log_policy = policy_log_softmax(policy_logits(weights, vectors, moves), moves);
  const std::int64_t size = moves.batch * moves.longest;
  const auto target = at::zeros({size + 1}, log_policy.options())
                          .scatter(0, moves.padded, targets)
                          .narrow(0, 0, size)
                          .view({moves.batch, moves.longest});
  const auto taught = (target.sum(1) > 0).to(at::kFloat);
  const auto taught_count = taught.sum().clamp_min(1);
  PolicyLoss loss;
  loss.loss = -(target * log_policy).sum() / taught_count;
  loss.entropy = -(target * target.clamp_min(1e-30).log()).sum() / taught_count;
  loss.accuracy =
      (log_policy.argmax(1).eq(target.argmax(1)).to(at::kFloat) * taught).sum() / taught_count;
  return loss;
}

}  // namespace faultline
