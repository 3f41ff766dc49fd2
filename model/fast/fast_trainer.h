// Gradient steps on a fast network, in plain loops: one step on 256 positions takes a fraction of a
// millisecond.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "model/fast/fast_network.h"
#include "model/training/train_batch.h"

namespace faultline {

/// The numbers that a fast network learns, and their optimiser's state (Adam, Kingma and Ba 2015,
/// with decoupled decay). Used by one thread at a time; the same seed and batches give the same
/// network.
class FastTrainer {
 public:
  /// Before the first step the network's score is 0 everywhere.
  FastTrainer(FastLayout layout, std::uint64_t seed);

  /// One step on the batch's `fast` part, which must not be empty. Returns the cross-entropy of
  /// expected results before it, in nats.
  double step(const FastBatch& batch, double learning_rate);
  /// The cross-entropy, without learning from it.
  double evaluate(const FastBatch& batch) const;

  std::int64_t steps() const { return steps_; }
  const FastLayout& layout() const { return layout_; }
  /// The network as it plays. `variant`: what it says that it was trained for.
  FastNetwork network(const std::string& variant) const;

  /// Everything that a restart needs: the parameters, then both of the optimiser's moments.
  const std::vector<float>& parameters() const { return values_; }
  const std::vector<float>& first_moments() const { return first_moments_; }
  const std::vector<float>& second_moments() const { return second_moments_; }
  /// Goes on after `steps` steps. Throws std::invalid_argument for vectors of another length.
  void restore(std::int64_t steps, std::vector<float> parameters, std::vector<float> first_moments,
               std::vector<float> second_moments);

 private:
  /// Where the parts of the flat vectors begin: a row of `first` per input, and a number of
  /// `direct`; the same once more for what levels share; and the hidden units' own.
  struct Places {
    std::size_t first, direct, shared_first, shared_direct, bias, second, output, end;
  };
  /// How a part learns: its share of the learning rate, and its decay.
  struct Rates {
    std::size_t begin, end;
    float rate, decay;
  };

  std::size_t shared_of(std::size_t input) const { return shared_.empty() ? 0 : shared_[input]; }
  /// The logit of the expected result of position i. `hidden`: [2][kFastHidden], before clamping.
  float forward(const FastBatch& batch, std::size_t i, float* hidden) const;
  void backward(const FastBatch& batch, std::size_t i, const float* hidden, float slope);
  void update(double learning_rate);

  FastLayout layout_;
  std::vector<std::uint32_t> shared_;  // by input; empty where there is one level
  std::size_t shared_count_ = 0;
  Places at_{};
  std::vector<Rates> rates_;
  std::int64_t steps_ = 0;
  std::vector<float> values_, gradient_, first_moments_, second_moments_;
};

/// The network that the parameters of a trainer with this layout stand for. Throws
/// std::invalid_argument for another number of them.
FastNetwork fast_network_of(const FastLayout& layout, const std::string& variant,
                            std::int64_t steps, std::vector<float> parameters);

}  // namespace faultline
