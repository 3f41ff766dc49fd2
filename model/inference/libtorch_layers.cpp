// Whether fused convolutions are there and right.
#include "model/inference/libtorch_layers.h"

#include <algorithm>
#include <array>
#include <exception>
#include <map>
#include <mutex>
#include <tuple>
#include <vector>

#include "model/inference/made_up.h"

namespace faultline {
namespace {

/// A service's batches are padded to some of these.
constexpr std::array<std::int64_t, 5> kTriedPositions = {64, 256, 512, 768, 1024};

/// Of so many positions: cuDNN chooses its kernels by their number.
bool agrees(const at::Tensor& weight, const at::Tensor& bias, std::int64_t height,
            std::int64_t width, std::int64_t positions) try {
  const auto options = weight.options();
  MadeUp values;
  const auto made_up = [&](std::int64_t channels) {
    return values({positions, channels, height, width})
        .to(options)
        .contiguous(at::MemoryFormat::ChannelsLast);
  };
  const auto x = made_up(weight.size(1));
  const auto convolved = at::conv2d(x, weight, bias, 1, weight.size(2) / 2).to(at::kFloat);
  const auto y = made_up(weight.size(0)) * (1 + convolved.abs().max());
  // Memory that is taken next holds what no sum survives, should a kernel read it.
  at::full_like(y, std::numeric_limits<double>::quiet_NaN());
  const auto alone = FusedConvolutions::relu(x, weight, bias);
  at::full_like(y, std::numeric_limits<double>::quiet_NaN());
  const auto added = FusedConvolutions::add_relu(x, y.to(options.dtype()), weight, bias);
  return agrees_in_bf16(convolved.relu(), alone) &&
         agrees_in_bf16((convolved + y.to(at::kFloat)).relu(), added);
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
  if (is_new)
    found->second = std::ranges::all_of(kTriedPositions, [&](std::int64_t positions) {
      return agrees(weight, bias, height, width, positions);
    });
  return found->second;
}

}  // namespace faultline
