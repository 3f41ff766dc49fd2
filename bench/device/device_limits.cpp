// What the device can do at most, measured.
#include "bench/device/device_limits.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <limits>

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <c10/core/InferenceMode.h>
#include <c10/core/impl/VirtualGuardImpl.h>

#include "model/torch_compat.h"

namespace faultline::bench {
namespace {

void synchronize(const at::Device& device) {
  if (device.is_cpu()) return;
  c10::impl::VirtualGuardImpl(device.type()).getStream(device).synchronize();
}

/// Seconds of one call, the least of several runs of as many calls as take a tenth of a second.
template <class F>
double seconds_per_call(const at::Device& device, F&& call) {
  using Clock = std::chrono::steady_clock;
  const auto run = [&](std::int64_t calls) {
    const auto begin = Clock::now();
    for (std::int64_t i = 0; i < calls; ++i)
      call();
    synchronize(device);
    return std::chrono::duration<double>(Clock::now() - begin).count();
  };
  run(2);  // kernels are loaded and chosen
  std::int64_t calls = 1;
  while (run(calls) < 0.1)
    calls *= 2;
  double least = std::numeric_limits<double>::max();
  for (int i = 0; i < 5; ++i)
    least = std::min(least, run(calls) / static_cast<double>(calls));
  return least;
}

}  // namespace

double matrix_rate(const std::string& device_name, MatrixFormat format) {
  const c10::InferenceMode inference;
  const at::Device device(device_name);
  if (device.is_cpu()) use_one_thread();
  allow_tf32(format == MatrixFormat::Tf32);
  const auto options =
      at::device(device).dtype(format == MatrixFormat::Bf16 ? at::kBFloat16 : at::kFloat);
  const std::int64_t size = device.is_cpu() ? 1024 : 8192;
  const auto a = at::randn({size, size}, options), b = at::randn({size, size}, options);
  auto product = at::empty({size, size}, options);
  const double seconds = seconds_per_call(device, [&] { at::mm_out(product, a, b); });
  const auto n = static_cast<double>(size);
  return 2 * n * n * n / seconds;
}

double copy_rate(const std::string& device_name) {
  const c10::InferenceMode inference;
  const at::Device device(device_name);
  const std::int64_t bytes = device.is_cpu() ? std::int64_t{1} << 28 : std::int64_t{1} << 31;
  const auto from = at::ones({bytes}, at::device(device).dtype(at::kByte));
  auto to = at::empty_like(from);
  return 2 * static_cast<double>(bytes) / seconds_per_call(device, [&] { to.copy_(from); });
}

double transfer_rate(const std::string& device_name, bool to_device) {
  const c10::InferenceMode inference;
  const at::Device device(device_name);
  constexpr std::int64_t kBytes = std::int64_t{1} << 28;
  auto on_device = at::ones({kBytes}, at::device(device).dtype(at::kByte));
  auto host = at::empty({kBytes}, at::TensorOptions(at::kByte).pinned_memory(true)).fill_(1);
  auto& to = to_device ? on_device : host;
  const auto& from = to_device ? host : on_device;
  return static_cast<double>(kBytes) /
         seconds_per_call(device, [&] { to.copy_(from, /*non_blocking=*/true); });
}

double operation_seconds(const std::string& device_name) {
  const c10::InferenceMode inference;
  const at::Device device(device_name);
  auto small = at::zeros({64}, at::device(device).dtype(at::kFloat));
  return seconds_per_call(device, [&] { small.relu_(); });
}

}  // namespace faultline::bench
