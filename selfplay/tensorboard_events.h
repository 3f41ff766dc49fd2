// A run's metrics for TensorBoard: a file of its events, beside metrics.jsonl.
//
// The format is TensorFlow's TFRecord of `Event` messages (tensorflow/core/util/event.proto, field
// numbers in the .cpp). A record is: length u64 | masked CRC-32C of it u32 | message | masked
// CRC-32C of that u32, little-endian. Readers stop at a torn last record.
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace faultline {

using Scalars = std::vector<std::pair<std::string, float>>;

/// The numbers in an object of metrics.jsonl, with TensorBoard's tags: "loss/policy",
/// "held_out/value", "speed/games_per_second", "games/cut", ... What only counts up is left out but
/// for games and positions.
Scalars scalars_of(const nlohmann::ordered_json& metrics);

/// A record for scalars. `seconds`: since 1970.
std::string scalars_record(double seconds, std::int64_t step, const Scalars& scalars);

class TensorBoardEvents {
 public:
  /// Begins a new file in `folder`, `events.out.tfevents.SECONDS.faultline`, at the first add(),
  /// whose name sorts after those of the files there. If that object has "resumed_at_step",
  /// TensorBoard hides what earlier files have of that step and later ones.
  explicit TensorBoardEvents(std::filesystem::path folder) : folder_(std::move(folder)) {}

  /// Appends the numbers of an object of metrics.jsonl at its number of steps. Returns "" or why
  /// they could not be written, once.
  std::string add(const nlohmann::ordered_json& metrics);

 private:
  std::filesystem::path folder_;
  std::filesystem::path file_;
  std::ofstream out_;
  bool failed_ = false;
};

}  // namespace faultline
