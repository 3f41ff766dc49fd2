// Whether fused convolutions are there and right.
#include "model/inference/libtorch_layers.h"

#include <exception>
#include <map>
#include <mutex>
#include <random>
#include <tuple>
#include <vector>

namespace faultline {
namespace {

/// A tensor of random values from -1 to 1, channels-last.
at::Tensor made_up(std::initializer_list<std::int64_t> shape, const at::TensorOptions& options) {
  auto values = at::empty(shape, at::kFloat);
  std::mt19937 rng(1);
  float* const begin = values.data_ptr<float>();
  for (float* at = begin; at != begin + values.numel(); ++at)
    *at = static_cast<float>(rng()) * 0x1p-31F - 1;
  return values.to(options).contiguous(at::MemoryFormat::ChannelsLast);
}

bool close(const at::Tensor& exact, const at::Tensor& given) {
  // bf16 has 8 bits of mantissa, and sums are rounded in another order.
  return (exact - given.to(at::kFloat)).abs().max().item<double>() <=
         0.02 * (1 + exact.abs().max().item<double>());
}

bool agrees(const at::Tensor& weight, const at::Tensor& bias, std::int64_t height,
            std::int64_t width) try {
  constexpr std::int64_t kPositions = 64;
  const auto options = weight.options();
  const auto x = made_up({kPositions, weight.size(1), height, width}, options);
  const auto convolved = at::conv2d(x, weight, bias, 1, weight.size(2) / 2).to(at::kFloat);
  const auto y =
      made_up({kPositions, weight.size(0), height, width}, options) * (1 + convolved.abs().max());
  // Memory that is taken next holds what no sum survives, should a kernel read it.
  at::full_like(y, std::numeric_limits<double>::quiet_NaN());
  const auto alone = FusedConvolutions::relu(x, weight, bias);
  at::full_like(y, std::numeric_limits<double>::quiet_NaN());
  const auto added = FusedConvolutions::add_relu(x, y.to(options.dtype()), weight, bias);
  return close(convolved.relu(), alone) && close((convolved + y.to(at::kFloat)).relu(), added);
} catch (const std::exception&) {
  return false;
}

}  // namespace

bool FusedConvolutions::has(const at::Tensor& weight, const at::Tensor& bias, std::int64_t height,
                            std::int64_t width) {
  using Key = std::tuple<std::string, at::ScalarType, std::vector<std::int64_t>, std::int64_t,
                         std::int64_t>;
  static std::mutex mutex;  // guards known
  static std::map<Key, bool> known;
  const Key key{weight.device().str(), weight.scalar_type(), weight.sizes().vec(), height, width};
  const std::scoped_lock lock(mutex);
  const auto [found, is_new] = known.try_emplace(key, false);
  if (is_new) found->second = agrees(weight, bias, height, width);
  return found->second;
}

}  // namespace faultline
