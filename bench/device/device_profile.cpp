// Kineto from C++. Its times are in microseconds before LibTorch 2.2 and in nanoseconds since.
#include "bench/device/device_profile.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <stdexcept>
#include <string_view>
#include <utility>

#include <torch/csrc/autograd/profiler_kineto.h>

namespace faultline::bench {
namespace {

/// Nanoseconds: from, to.
using Span = std::pair<std::uint64_t, std::uint64_t>;
template <class Event>
Span span_of(const Event& event) {
  if constexpr (requires { event.startNs(); })
    return {event.startNs(), event.startNs() + event.durationNs()};
  else
    return {1000 * event.startUs(), 1000 * (event.startUs() + event.durationUs())};
}

/// "void at::native::kernel<...>(...)" as "at::native::kernel"; 120 characters at most.
std::string short_name(std::string name) {
  if (name.starts_with("void ")) name.erase(0, 5);
  constexpr std::string_view kUnnamed = "(anonymous namespace)::";
  for (std::size_t at = 0; (at = name.find(kUnnamed)) != std::string::npos;)
    name.erase(at, kUnnamed.size());
  constexpr std::size_t kLongest = 120;
  name.resize(std::min({name.size(), name.find('('), kLongest}));
  return name;
}

}  // namespace

DeviceProfile profile_device(const std::function<void()>& run) {
  namespace profiler = torch::autograd::profiler;
  namespace impl = torch::profiler::impl;
  const impl::ProfilerConfig config(impl::ProfilerState::KINETO);
  const std::set<impl::ActivityType> activities = {impl::ActivityType::CPU,
                                                   impl::ActivityType::CUDA};
  DeviceProfile profile;
  profiler::prepareProfiler(config, activities);
  profiler::enableProfiler(config, activities);
  try {
    run();
  } catch (...) {
    profiler::disableProfiler();
    throw;
  }
  const auto result = profiler::disableProfiler();
  std::map<std::string, ProfiledKernel> by_name;
  std::vector<Span> spans;
  for (const auto& event : result->events()) {
    if (event.deviceType() != c10::DeviceType::CUDA) continue;
    const Span span = span_of(event);
    spans.push_back(span);
    const std::string name = short_name(event.name());
    ProfiledKernel& kernel = by_name[name];
    kernel.name = name;
    kernel.seconds += 1e-9 * static_cast<double>(span.second - span.first);
    ++kernel.calls;
  }
  if (spans.empty()) throw std::runtime_error("LibTorch's profiler saw nothing of a device");
  std::ranges::sort(spans);
  std::uint64_t until = 0;
  for (const auto& [from, to] : spans) {
    if (to <= until) continue;
    profile.busy += 1e-9 * static_cast<double>(to - std::max(from, until));
    until = to;
  }
  profile.calls = static_cast<int>(spans.size());
  for (auto& [name, kernel] : by_name)
    profile.kernels.push_back(std::move(kernel));
  std::ranges::sort(profile.kernels, std::greater<>(), &ProfiledKernel::seconds);
  return profile;
}

}  // namespace faultline::bench
