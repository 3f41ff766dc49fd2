// Bundles: one zip archive with a network in several formats, the description of its encoding, and
// positions with the outputs that every copy of it must give.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "model/checkpoint.h"
#include "model/export/archive.h"
#include "model/export/export_options.h"
#include "model/inference/activation_ranges.h"
#include "model/inference/folded_network.h"

namespace faultline {

// Its files.
inline constexpr const char* kBundleOnnx = "model.onnx";
inline constexpr const char* kBundleTorchScript = "model.torchscript.pt";
inline constexpr const char* kBundleSafetensors = "model.safetensors";
inline constexpr const char* kBundleEncoding = "encoding.json";
inline constexpr const char* kBundleGolden = "golden.jsonl";
inline constexpr const char* kBundleModel = "model.json";
/// Only in bundles of networks that have a fast one beside them: fast_export.h.
inline constexpr const char* kBundleFast = "fast.safetensors";
/// Those that every bundle has, but model.json, which lists them.
inline constexpr std::array kBundleListed = {kBundleEncoding, kBundleGolden, kBundleOnnx,
                                             kBundleSafetensors, kBundleTorchScript};
inline constexpr int kBundleFormat = 1;

/// Names model.json's key for a network's activation ranges. Without them int8 would round
/// otherwise than with those that the checkpoint has, and play other moves.
inline constexpr const char* kRangesKey = "activation_ranges";
/// Reads what `model` says of them for a network with so many blocks; nothing if it does not have
/// the key. Throws std::runtime_error.
std::optional<ActivationRanges> stored_ranges(const nlohmann::json& model, int blocks);

/// XXH3 of 128 bits in hexadecimal, as `xxhsum -H2` prints it.
std::string content_hash(std::string_view bytes);

/// The files of a bundle but model.json: {"NAME": {"bytes", "xxh128"}}.
nlohmann::ordered_json file_table(const std::map<std::string, std::string>& files);

/// The text of model.json: `model`, whose "files" are set, with its "hash" over everything.
std::string model_text(nlohmann::ordered_json model);

/// Whether `file` is a zip archive, which no checkpoint is.
bool is_bundle(const std::filesystem::path& file);

/// A bundle opened for reading. It is not trusted: model.json, which is small, is read first, and
/// of the others only what it lists, after a look at their sizes. Messages are without the bundle's
/// name.
class BundleReader {
 public:
  /// Throws ExportError for what is no bundle, or one of another format; DamagedMember.
  explicit BundleReader(const std::filesystem::path& file);

  const nlohmann::json& model() const { return model_; }
  /// A file that model.json lists. Throws DamagedMember if it is not what that says.
  std::string read(const std::string& name) const;
  /// Why `hash` is not that of model.json and the files that it lists; "" if it is.
  std::string hash_fault() const;
  /// Names of members that model.json does not list.
  std::vector<std::string> unlisted() const;
  /// Whether it lists kBundleFast.
  bool has_fast_network() const;

 private:
  ArchiveReader archive_;
  std::string text_;  // of model.json
  nlohmann::json model_;
};

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

/// The network of safetensors that were exported with this encoding and shape. Throws
/// std::runtime_error unless the tensors are exactly the network's.
FoldedNetwork network_of_tensors(const EncodingInfo& encoding, const NetConfig& config,
                                 std::map<std::string, FloatTensor> tensors);

/// The number that 16 or more hexadecimal digits begin with. Throws std::runtime_error that names
/// `key` for other texts.
std::uint64_t hash_from_text(const std::string& text, const std::string& key);

}  // namespace faultline
