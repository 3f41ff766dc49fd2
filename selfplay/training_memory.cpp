// The memory without which a network cannot be trained.
#include "selfplay/training_memory.h"

#include <string>

#include <fmt/format.h>

#include "base/text.h"
#include "model/network_description.h"

namespace faultline {

double least_training_memory(const Config& config, const EncodingInfo& encoding) {
  const NetworkDescription network = describe_network(encoding, config.net);
  const double parameters = static_cast<double>(network_layout(network).parameter_count());
  const TrainParams& train = config.learner.train;
  const double moments = train.optimizer == OptimizerKind::AdamW ? 2 : 1;
  const double copies = 3 + moments;  // weights, gradients, the copy that plays

  // Each convolution of the tower keeps its output, and what its norm and ReLU make of that.
  const double convolutions = 1 + 2.0 * config.net.blocks;
  const double outputs = static_cast<double>(config.learner.batch) * encoding.cells() *
                         config.net.channels * convolutions * 2;
  const double output_bytes = train.precision == TrainingPrecision::Fp32 ? 4 : 2;
  return parameters * copies * sizeof(float) + outputs * output_bytes;
}

void require_training_memory(const Config& config, const EncodingInfo& encoding,
                             std::size_t machine_bytes) {
  const double least = least_training_memory(config, encoding);
  if (machine_bytes == 0 || least <= static_cast<double>(machine_bytes)) return;
  std::string place = config.source("net.channels");
  if (place.empty()) place = config.source("net.blocks");
  throw ConfigError(fmt::format(
      "{}: to train a network of {} in batches of {} takes at least {} of memory, but the machine "
      "has {}: lower net.channels, net.blocks or learner.batch",
      place.empty() ? "config" : place, describe(config.net), config.learner.batch,
      bytes_text(least), bytes_text(static_cast<double>(machine_bytes))));
}

}  // namespace faultline
