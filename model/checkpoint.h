// Checkpoint files: the weights with everything needed to resume training or to play.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>

#include "model/encoding/encoding.h"
#include "model/inference/backend_registry.h"
#include "model/net_config.h"
#include "search/tree_search_settings.h"

namespace faultline {

/// A file that is not a complete checkpoint, or not one for this use. The message names the file
/// and what was expected.
class CheckpointError : public std::runtime_error {
 public:
  CheckpointError(const std::filesystem::path& path, const std::string& reason)
      : std::runtime_error("checkpoint " + path.string() + ": " + reason) {}
  explicit CheckpointError(const std::string& message) : std::runtime_error(message) {}
};

/// A checkpoint whose encoding is not the one that is needed.
class EncodingMismatch : public CheckpointError {
  using CheckpointError::CheckpointError;
};

struct CheckpointInfo {
  EncodingInfo encoding;
  NetConfig net;
  bool has_network = true;  // false: a fast network alone (model/fast/)
  std::int64_t steps = 0;
  std::int64_t parameters = 0;
  /// Says how its run has it searched when it plays; empty in checkpoints of earlier versions.
  std::optional<TreeSearchSettings> search = std::nullopt;
  std::uint64_t hash = 0;          // of the whole content, including the training state
  std::uint64_t weights_hash = 0;  // of the weights used for play; stored in game records

  /// weights_hash as files and messages have it: 16 hexadecimal digits.
  std::string weights() const;
};

/// Reads and verifies a checkpoint or a bundle. Throws CheckpointError.
CheckpointInfo read_checkpoint_info(const std::filesystem::path& path);

/// Throws CheckpointError if the checkpoint at `path` was trained with a different encoding than
/// `expected` (family, variant, version, planes). Planes of attacks may be there or not, in both.
void require_encoding(const std::filesystem::path& path, const EncodingInfo& found,
                      const EncodingInfo& expected);

/// Throws CheckpointError that names what differs, and both values, if weights trained with the
/// encoding `found` cannot be used with `expected`, which takes the same family, version, planes,
/// policy kinds and cells. Another option set of the family may fit.
void require_fitting_encoding(const std::filesystem::path& path, const EncodingInfo& found,
                              const EncodingInfo& expected);

/// Requires that a checkpoint's network fits: one that shares its levels fits any number of them.
void require_fitting_network(const std::filesystem::path& path, const CheckpointInfo& found,
                             const EncodingInfo& expected);

/// The playing weights of a checkpoint or bundle, to play positions that are encoded as `expected`,
/// for any number of levels if the network shares them.
/// Throws CheckpointError, and std::invalid_argument for a device that is absent or that no backend
/// in `backends` supports.
std::shared_ptr<Backend> load_backend(const std::filesystem::path& path,
                                      const EncodingInfo& expected, const BackendRegistry& backends,
                                      const BackendOptions& options = {});

}  // namespace faultline
