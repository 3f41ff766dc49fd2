// Batches that take their time.
#include "model/inference/simulated_device.h"

#include <algorithm>
#include <bit>
#include <condition_variable>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <vector>

namespace faultline {
namespace {

using Clock = std::chrono::steady_clock;

class SimulatedBatch final : public BackendBatch {
 public:
  explicit SimulatedBatch(const SimulatedDevice& device)
      : BackendBatch(device.floats, device.planes) {}
  using BackendBatch::check_inputs;
  using BackendBatch::pack;

  void answer(std::int64_t steps) {
    std::vector<float> raw(4 * count());
    for (std::size_t i = 0; i < count(); ++i) {
      raw[4 * i] = takes_bits() ? first_of_bits(bits(i)) : planes(i).front();
      raw[4 * i + 1] = static_cast<float>(steps);
      raw[4 * i + 2] = takes_bits() ? 0 : planes(i).back();
    }
    std::ranges::transform(moves(), logits().begin(),
                           [](const PolicyIndex& move) { return static_cast<float>(move.from); });
    finish_outputs(raw);
  }
  Clock::time_point done = {};
  bool fails = false;

 private:
  static float first_of_bits(const BitPlanes& planes) {
    return (planes.words[0] & 1) != 0 ? planes.numbers[0] : 0;
  }
  std::span<float> allocate_planes(std::size_t floats) override {
    floats_.resize(std::max(floats_.size(), floats));
    return floats_;
  }
  BitPlanes allocate_bits(std::size_t words, std::size_t numbers) override {
    words_.resize(std::max(words_.size(), words));
    floats_.resize(std::max(floats_.size(), numbers));
    return {words_, floats_};
  }
  std::vector<float> floats_;
  std::vector<std::uint64_t> words_;
};

class Simulated final : public SimulatedBackend {
 public:
  explicit Simulated(const SimulatedDevice& device) : device_(device) {
    attributes_ = {.name = "simulated",
                   .device = device.name,
                   .runs_on_cpu = false,
                   .in_flight = 2,
                   .best_batch = 512};
  }

  const BackendAttributes& attributes() const override { return attributes_; }
  std::unique_ptr<BackendBatch> make_batch() const override {
    return std::make_unique<SimulatedBatch>(device_);
  }

  void submit(BackendBatch& given) override {
    auto& batch = dynamic_cast<SimulatedBatch&>(given);
    batch.check_inputs(attributes_.largest_batch);
    batch.pack();
    std::unique_lock lock(mutex_);
    const std::uint64_t number = ++batches_;
    most_in_flight_ = std::max(most_in_flight_, ++in_flight_);
    const auto from = [&](std::uint64_t first) { return first > 0 && number >= first; };
    if (from(device_.stuck_at)) released_.wait(lock, [&] { return is_released_; });
    batch.fails = from(device_.fails_at);
    // As the devices' kernels are, which come in few sizes.
    const std::size_t step = std::max<std::size_t>(1, std::bit_ceil(batch.count()) / 4);
    const std::size_t computed = (batch.count() + step - 1) / step * step;
    const std::chrono::duration<double> takes(static_cast<double>(computed) / device_.rate);
    free_ = std::max(free_, Clock::now()) +
            std::chrono::duration_cast<Clock::duration>(takes + device_.latency);
    batch.done = from(device_.hangs_at) ? Clock::time_point::max() : free_;
  }
  bool is_done(const BackendBatch& batch) const override {
    return Clock::now() >= dynamic_cast<const SimulatedBatch&>(batch).done;
  }
  void wait(BackendBatch& given) override {
    auto& batch = dynamic_cast<SimulatedBatch&>(given);
    std::this_thread::sleep_until(batch.done);
    {
      const std::scoped_lock lock(mutex_);
      --in_flight_;
    }
    if (batch.fails) throw std::runtime_error("the simulated device fails");
    batch.answer(steps_);
  }
  bool replace(const FoldedNetwork&, const NetworkIdentity& identity) override {
    steps_ = identity.steps;
    return true;
  }
  std::string describe() const override { return "simulated " + device_.name; }

  void release() override {
    const std::scoped_lock lock(mutex_);
    is_released_ = true;
    released_.notify_all();
  }
  std::size_t most_in_flight() const override {
    const std::scoped_lock lock(mutex_);
    return most_in_flight_;
  }

 private:
  SimulatedDevice device_;
  BackendAttributes attributes_;
  std::int64_t steps_ = 0;    // written only while nothing is in flight
  mutable std::mutex mutex_;  // of what follows
  std::condition_variable released_;
  bool is_released_ = false;
  std::uint64_t batches_ = 0;
  std::size_t in_flight_ = 0, most_in_flight_ = 0;
  Clock::time_point free_ = {};
};

}  // namespace

std::shared_ptr<SimulatedBackend> make_simulated_backend(const SimulatedDevice& device) {
  return std::make_shared<Simulated>(device);
}

}  // namespace faultline
