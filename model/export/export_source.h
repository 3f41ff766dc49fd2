// A checkpoint's network with all that is written into exported files.
#pragma once

#include <filesystem>
#include <optional>

#include <nlohmann/json.hpp>

#include "model/checkpoint.h"
#include "model/export/export_options.h"
#include "model/fast/fast_network.h"
#include "model/inference/folded_network.h"

namespace faultline {

struct ExportSource {
  CheckpointInfo info;
  FoldedNetwork network;            // of the weights that play
  nlohmann::ordered_json encoding;  // describe_encoding()
  nlohmann::json search = nullptr;  // how it is to be searched when it plays; null: not known
  std::optional<FastNetwork> fast = std::nullopt;  // that the checkpoint has beside it
};

/// Throws CheckpointError for a file that is not a checkpoint (bundles are exports already), and
/// ExportError for one of a fast network alone, or if this program encodes the variant differently.
ExportSource read_export_source(const std::filesystem::path& checkpoint);

/// "encoding" and "network".
ExportMetadata export_metadata(const ExportSource& source, const ExportOptions& options);

/// The network's own part of the metadata: its shape, weights hash, steps, precision, policy, and
/// how it is to be searched.
nlohmann::ordered_json network_json(const ExportSource& source, const ExportOptions& options);

}  // namespace faultline
