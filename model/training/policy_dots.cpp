// The policy's logits and their gradients as plain loops, for training on a CPU.
#include "model/training/policy_dots.h"

#include <cmath>

#include <torch/csrc/autograd/custom_function.h>

#include "model/training/network.h"

namespace faultline {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

struct PolicyDots final : torch::autograd::Function<PolicyDots> {
  static at::Tensor forward(AutogradContext* context, const at::Tensor& queries,
                            const at::Tensor& keys, const at::Tensor& kind_queries,
                            const at::Tensor& kind_biases, const at::Tensor& from,
                            const at::Tensor& to, const at::Tensor& kind) {
    const auto q = queries.contiguous(), k = keys.contiguous(), o = kind_queries.contiguous();
    context->save_for_backward({q, k, o, kind_biases, from, to, kind});
    const auto d = q.size(1), moves = from.size(0);
    const float scale = 1.0F / std::sqrt(static_cast<float>(d));
    auto logits = at::empty({moves}, q.options());
    const auto *qs = q.data_ptr<float>(), *ks = k.data_ptr<float>(), *os = o.data_ptr<float>();
    const auto* bias = kind_biases.data_ptr<float>();
    const auto *f = from.data_ptr<std::int64_t>(), *t = to.data_ptr<std::int64_t>();
    const auto* n = kind.data_ptr<std::int64_t>();
    auto* out = logits.data_ptr<float>();
    for (std::int64_t m = 0; m < moves; ++m) {
      const float *query = qs + f[m] * d, *key = ks + t[m] * d, *offset = os + n[m] * d;
      float dot = 0;
#pragma omp simd reduction(+ : dot)
      for (std::int64_t i = 0; i < d; ++i)
        dot += (query[i] + offset[i]) * key[i];
      out[m] = dot * scale + bias[n[m]];
    }
    return logits;
  }

  static variable_list backward(AutogradContext* context, const variable_list& gradients) {
    const auto saved = context->get_saved_variables();
    const auto &q = saved[0], &k = saved[1], &o = saved[2];
    const auto d = q.size(1), moves = saved[4].size(0);
    const float scale = 1.0F / std::sqrt(static_cast<float>(d));
    auto gq = at::zeros_like(q), gk = at::zeros_like(k), go = at::zeros_like(o);
    auto gb = at::zeros_like(saved[3]);
    const auto gradient = gradients[0].contiguous();
    const auto *qs = q.data_ptr<float>(), *ks = k.data_ptr<float>(), *os = o.data_ptr<float>();
    auto *gqs = gq.data_ptr<float>(), *gks = gk.data_ptr<float>(), *gos = go.data_ptr<float>();
    auto* gbs = gb.data_ptr<float>();
    const auto *f = saved[4].data_ptr<std::int64_t>(), *t = saved[5].data_ptr<std::int64_t>();
    const auto* n = saved[6].data_ptr<std::int64_t>();
    const auto* g = gradient.data_ptr<float>();
    for (std::int64_t m = 0; m < moves; ++m) {
      const float *query = qs + f[m] * d, *key = ks + t[m] * d, *offset = os + n[m] * d;
      float *to_query = gqs + f[m] * d, *to_key = gks + t[m] * d, *to_offset = gos + n[m] * d;
      const float weight = g[m] * scale;
#pragma omp simd
      for (std::int64_t i = 0; i < d; ++i) {
        to_query[i] += weight * key[i];
        to_offset[i] += weight * key[i];
        to_key[i] += weight * (query[i] + offset[i]);
      }
      gbs[n[m]] += g[m];
    }
    return {gq, gk, go, gb, {}, {}, {}};
  }
};

}  // namespace

at::Tensor policy_dots(const at::Tensor& queries, const at::Tensor& keys,
                       const at::Tensor& kind_queries, const at::Tensor& kind_biases,
                       const MoveIndex& moves) {
  return PolicyDots::apply(queries, keys, kind_queries, kind_biases, moves.from, moves.to,
                           moves.kind);
}

}  // namespace faultline
