// The container of a checkpoint: a JSON header and named arrays of floats, with a content hash.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "model/checkpoint.h"
#include "model/network_description.h"

namespace faultline {

/// A checkpoint's first bytes.
inline constexpr std::string_view kCheckpointMagic = "FAULTNET";

//  "FAULTNET" | u32 format version | u64 header bytes | header (JSON) | floats | u64 XXH3 of all
//  before
// Numbers are little-endian. The header's "arrays" lists {name, count} in file order.
struct CheckpointFile {
  nlohmann::json header = nlohmann::json::object();
  std::map<std::string, std::vector<float>> arrays;
  std::uint64_t hash = 0;  // set by read

  /// The whole file, with its hash.
  std::string bytes() const;
  /// Writes a temporary file beside `path`, syncs it, renames it. Throws CheckpointError.
  void write(const std::filesystem::path& path) const;
  /// Throws CheckpointError for a file that cannot be read, is not a checkpoint, has another format
  /// version, is truncated or damaged.
  static CheckpointFile read(const std::filesystem::path& path);
  /// Reads a checkpoint from a file's bytes; `path` is for messages. The bytes are not trusted:
  /// memory use stays proportional to their number.
  static CheckpointFile parse(std::string_view bytes, const std::filesystem::path& path);

  /// Throws CheckpointError if there is no such array of this length.
  const std::vector<float>& array(const std::filesystem::path& path, const std::string& name,
                                  std::size_t count) const;
};

/// Content hash of a network's weights: XXH3 over its parameters, then its statistics, in the order
/// of its layout. Equal for files and in-memory networks with the same weights.
std::uint64_t weights_hash(const std::vector<float>& parameters,
                           const std::vector<float>& statistics);

/// Names the key of the header, and of model.json, for how the network is to be searched.
inline constexpr const char* kSearchKey = "search";

/// Reads what `header` says of that; nothing if it does not have the key. Throws
/// std::runtime_error.
std::optional<TreeSearchSettings> stored_search(const nlohmann::json& header);

/// The parts of the header that all readers need. Throws CheckpointError.
CheckpointInfo info_of(const CheckpointFile& file, const std::filesystem::path& path);

/// Which of a checkpoint's weights to use. Most files have one set of them, "weights/..."; those of
/// earlier versions may also have their moving average, "ema/...", with which they play.
enum class WeightsPart : std::uint8_t { Playing, Trained };

/// Sets the weights that play: the arrays "weights/parameters" and "weights/statistics", and
/// "weights/activation_ranges" if the values have ranges; "ema/..." if the file has such.
void write_values(CheckpointFile& file, const NetworkValues& values);
/// Reads them. Throws CheckpointError if they are missing, do not fit the network that the header
/// describes, or hold invalid values: non-finite numbers, negative variances, ranges that are not
/// positive. Activation ranges may be missing: earlier versions did not store them.
NetworkValues read_values(const CheckpointFile& file, const std::filesystem::path& path,
                          WeightsPart part = WeightsPart::Playing);

/// Throws the CheckpointError for a policy/value network that is asked of a file without one.
[[noreturn]] void throw_fast_alone(const std::filesystem::path& path);

/// The networks of a checkpoint as they play, without the state of their training: a smaller
/// checkpoint, for play alone and to start runs from. `about`: of where they come from, which the
/// header then says. Throws CheckpointError.
CheckpointFile playing_file(const std::filesystem::path& path, const nlohmann::ordered_json& about);

/// Names and shapes of the network's tensors in the order in which the flat arrays hold them, for
/// reading checkpoints outside this program.
nlohmann::json layout_to_json(const NetworkLayout& layout);

}  // namespace faultline
