// Backends that compute nothing: each takes a given time for a batch on a clock of its own.
#pragma once

#include <algorithm>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "model/inference/backend_registry.h"

namespace faultline::test {

inline constexpr Precision kFp32 = Precision::Fp32, kBf16 = Precision::Bf16,
                           kInt8 = Precision::Int8;

/// A clock that only fake backends advance.
struct FakeClock {
  std::chrono::steady_clock::time_point time;
  int evaluations = 0;  // batches submitted

  void advance(double seconds) {
    time += std::chrono::duration_cast<std::chrono::steady_clock::duration>(
        std::chrono::duration<double>(seconds));
  }
  std::function<std::chrono::steady_clock::time_point()> now() {
    return [this] { return time; };
  }
};

/// What a fake backend runs on and how fast.
struct FakeBackend {
  std::string name;
  std::vector<Precision> precisions = {Precision::Fp32};
  std::string device = "cpu";
  bool asynchronous = false;
  /// Seconds for a batch of `count` positions.
  std::function<double(Precision, std::size_t count)> seconds = [](Precision, std::size_t count) {
    return 1e-3 * static_cast<double>(count);
  };
  /// Sees every batch.
  std::function<void(const BackendBatch&)> watch = nullptr;
  double creation_seconds = 0;
  bool fails = false;  // when it is made
};

class FakeBatch final : public BackendBatch {
 public:
  explicit FakeBatch(std::size_t floats) : BackendBatch(floats) {}

 private:
  std::span<float> allocate_planes(std::size_t floats) override {
    if (planes_.size() < floats) planes_.resize(floats);
    return planes_;
  }
  std::vector<float> planes_;
};

class FakeComputation final : public Backend {
 public:
  FakeComputation(const FakeBackend& kind, BackendAttributes attributes, std::size_t floats,
                  FakeClock* clock)
      : kind_(kind), attributes_(std::move(attributes)), floats_(floats), clock_(clock) {}
  const BackendAttributes& attributes() const override { return attributes_; }
  std::unique_ptr<BackendBatch> make_batch() const override {
    return std::make_unique<FakeBatch>(floats_);
  }
  void submit(BackendBatch& batch) override {
    ++clock_->evaluations;
    if (kind_.watch) kind_.watch(batch);
    clock_->advance(kind_.seconds(attributes_.precision, batch.count()));
  }
  void wait(BackendBatch&) override {}
  std::string describe() const override { return attributes_.name; }

 private:
  FakeBackend kind_;
  BackendAttributes attributes_;
  std::size_t floats_;
  FakeClock* clock_;
};

/// `clock` must outlive the registry and its backends.
inline BackendInfo fake_backend(FakeBackend kind, FakeClock& clock) {
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
                             .asynchronous = kind.asynchronous,
                             .best_batch = 24};
  };
  return {.name = kind.name,
          .help = "a fake",
          .attributes = attributes,
          .create = [kind, attributes, clock = &clock](
                        const FoldedNetwork& network,
                        const BackendOptions& options) -> std::shared_ptr<Backend> {
            clock->advance(kind.creation_seconds);
            if (kind.fails) throw std::runtime_error(kind.name + " cannot do this network");
            return std::make_shared<FakeComputation>(kind, *attributes(options),
                                                     network.encoding.floats(), clock);
          }};
}

inline BackendRegistry fake_registry(const std::vector<FakeBackend>& kinds, FakeClock& clock) {
  BackendRegistry registry;
  for (const FakeBackend& kind : kinds)
    registry.add(fake_backend(kind, clock));
  return registry;
}

}  // namespace faultline::test
