// Temperature and Dirichlet noise.
#include "search/root_noise.h"

#include <algorithm>
#include <cmath>

namespace faultline {
namespace {

void soften(EdgeView edges, float temperature) {
  std::vector<float> priors(edges.size());
  float total = 0;
  for (std::size_t i = 0; i < priors.size(); ++i)
    total += priors[i] = std::pow(unpack_prior(edges.prior(i)), 1 / temperature);
  for (std::size_t i = 0; i < priors.size(); ++i)
    edges.set_prior(i, pack_prior(priors[i] / total));
}

}  // namespace

std::vector<float> dirichlet(std::size_t size, float alpha, std::mt19937_64& rng) {
  // Gamma samples over their sum. Tiny alphas can underflow to all zeros: then one move gets
  // everything, which is the limit of the distribution.
  std::gamma_distribution<double> gamma(alpha, 1.0);
  std::vector<double> samples(size);
  double total = 0;
  for (double& s : samples)
    total += s = gamma(rng);
  if (total <= 0) {
    samples[std::uniform_int_distribution<std::size_t>(0, size - 1)(rng)] = 1;
    total = 1;
  }
  std::vector<float> result(size);
  std::transform(samples.begin(), samples.end(), result.begin(),
                 [&](double s) { return static_cast<float>(s / total); });
  return result;
}

void add_root_noise(EdgeView edges, const SearchParams& params, std::mt19937_64& rng) {
  if (params.root_policy_temperature != 1) soften(edges, params.root_policy_temperature);
  const std::vector<float> noise =
      dirichlet(edges.size(),
                params.dirichlet_alpha > 0 ? params.dirichlet_alpha
                                           : 10.0F / static_cast<float>(edges.size()),
                rng);
  const float weight = params.dirichlet_weight;
  for (std::size_t i = 0; weight > 0 && i < edges.size(); ++i)
    edges.set_prior(i, pack_prior((1 - weight) * unpack_prior(edges.prior(i)) + weight * noise[i]));
}

}  // namespace faultline
