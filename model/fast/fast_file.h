// Fast networks in files: alone, as safetensors whose metadata describe them, and within
// checkpoints, with the state of their training.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "model/checkpoint_file.h"
#include "model/export/export_options.h"
#include "model/fast/fast_network.h"
#include "model/fast/fast_trainer.h"

namespace faultline {

nlohmann::json to_json(const FastLayout& layout);
/// Throws std::runtime_error naming the key that is missing or wrong.
FastLayout fast_layout_from_json(const nlohmann::json& json);

/// The key of a fast network in headers and metadata.
inline constexpr const char* kFastNetworkKey = "fast_network";

/// The bytes of a file of its own: safetensors with "first" (I16 [inputs, hidden]), "direct" (I32
/// [inputs]), "bias" (I16 [hidden]), "second" (I16 [2, hidden]), "output" (I32 [1]), and the rest
/// of FastNetwork in JSON under the metadata's key "fast_network". `metadata`: of further keys.
std::string fast_network_file(const FastNetwork& network, ExportMetadata metadata = {});
/// Reads them. The bytes are not trusted. Throws FastNetworkError that begins with `source`.
FastNetwork read_fast_network(std::string_view bytes, const std::string& source);

/// Identifies a network: 16 hexadecimal digits of a hash of all that it is.
std::string fast_weights(const FastNetwork& network);

/// What an exported fast network (model/export/fast_export.h) has of a checkpoint's; nothing if the
/// file is another. Throws CheckpointError for one that is damaged or does not describe its game.
std::optional<CheckpointInfo> fast_export_info(const std::filesystem::path& path);

/// Adds a fast network to a checkpoint: its weights alone, or with the state of its training.
void write_fast_weights(CheckpointFile& file, const FastTrainer& trainer);
void write_fast_training(CheckpointFile& file, const FastTrainer& trainer);
/// Gives a checkpoint the fast network of another one. `origin`: how that was trained, which the
/// header then says under kFastNetworkKey, "origin"; null: nothing. Throws CheckpointError.
void add_fast_network(const std::filesystem::path& file, const std::filesystem::path& fast,
                      const nlohmann::ordered_json& origin);

/// The hashes of a checkpoint's networks, as players of matches have them: "network" and "fast",
/// each where it is there. Throws CheckpointError.
nlohmann::ordered_json network_hashes(const CheckpointFile& file,
                                      const std::filesystem::path& path);

/// A trainer that goes on, or begins anew from weights alone; nothing if the checkpoint has no fast
/// network. Throws CheckpointError.
std::optional<FastTrainer> read_fast_training(const CheckpointFile& file,
                                              const std::filesystem::path& path);

}  // namespace faultline
