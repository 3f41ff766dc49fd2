// Bundles: one zip archive with a network in several formats, the description of its encoding, and
// positions with the outputs that every copy of it must give.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "model/checkpoint.h"
#include "model/export/export_options.h"
#include "model/inference/folded_network.h"

namespace faultline {

// Its files.
inline constexpr const char* kBundleOnnx = "model.onnx";
inline constexpr const char* kBundleTorchScript = "model.torchscript.pt";
inline constexpr const char* kBundleSafetensors = "model.safetensors";
inline constexpr const char* kBundleEncoding = "encoding.json";
inline constexpr const char* kBundleGolden = "golden.jsonl";
inline constexpr const char* kBundleModel = "model.json";
inline constexpr int kBundleFormat = 1;

/// XXH3 of 128 bits in hexadecimal, as `xxhsum -H2` prints it.
std::string content_hash(std::string_view bytes);

/// The files of a bundle but model.json: {"NAME": {"bytes", "xxh128"}}, and a hash over them all.
nlohmann::ordered_json file_table(const std::map<std::string, std::string>& files);
std::string bundle_hash(const nlohmann::json& file_table);

/// Whether `file` is a zip archive, which no checkpoint is.
bool is_bundle(const std::filesystem::path& file);

/// What load_backend and read_checkpoint_info need of a bundle.
struct BundleNetwork {
  CheckpointInfo info;
  FoldedNetwork network;
};

/// Reads the network from its safetensors. Throws CheckpointError if that is not a bundle, or one
/// whose files do not match their hashes or one another.
BundleNetwork read_bundle_network(const std::filesystem::path& file);

/// Throws std::runtime_error naming the missing or mistyped key of `description` (encoding.json).
EncodingInfo encoding_from_description(const nlohmann::json& description);

/// Why a file of the bundle is not what model.json says; "" if it is.
std::string file_fault(const nlohmann::json& model, const std::string& name,
                       const std::string& content);

}  // namespace faultline
