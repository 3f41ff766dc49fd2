// Backends that can be chosen but not made.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "model/inference/backend_registry.h"

namespace faultline::test {

inline constexpr Precision kFp32 = Precision::Fp32, kBf16 = Precision::Bf16,
                           kInt8 = Precision::Int8;

/// What a fake backend runs on.
struct FakeBackend {
  std::string name;
  std::vector<Precision> precisions = {Precision::Fp32};
  std::string device = "cpu";
  bool asynchronous = false;
};

inline BackendInfo fake_backend(const FakeBackend& kind) {
  const auto attributes =
      [kind](const BackendOptions& options) -> std::optional<BackendAttributes> {
    const bool supported =
        std::ranges::find(kind.precisions, options.precision) != kind.precisions.end();
    const bool is_device = options.device == "auto" || options.device == kind.device;
    if (!supported || !is_device) return std::nullopt;
    return BackendAttributes{.name = kind.name,
                             .device = kind.device,
                             .precision = options.precision,
                             .runs_on_cpu = kind.device == "cpu",
                             .in_flight = kind.asynchronous ? 2U : 1U,
                             .best_batch = kind.device == "cpu" ? 24U : 512U};
  };
  return {.name = kind.name,
          .help = "a fake",
          .attributes = attributes,
          .create = [](const FoldedNetwork&, const BackendOptions&) -> std::shared_ptr<Backend> {
            throw std::logic_error("a fake backend computes nothing");
          }};
}

inline BackendRegistry fake_registry(const std::vector<FakeBackend>& kinds) {
  BackendRegistry registry;
  for (const FakeBackend& kind : kinds)
    registry.add(fake_backend(kind));
  return registry;
}

}  // namespace faultline::test
