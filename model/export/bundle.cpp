// Reading networks from bundles.
#include "model/export/bundle.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <stdexcept>
#include <utility>
#include <vector>

#include <xxhash.h>

#include "base/json_fields.h"
#include "base/json_text.h"
#include "base/quote.h"
#include "model/checkpoint_file.h"
#include "model/export/archive.h"
#include "model/export/folded_tensors.h"
#include "model/export/json_text.h"
#include "model/export/safetensors.h"
#include "model/network_description.h"

namespace faultline {
namespace {

constexpr std::uint64_t kMostModelBytes = 4U << 20;  // of model.json
constexpr std::uint64_t kMostBytes = 4ULL << 30;     // of the others together

/// Over all files by their own hashes; model.json's is that of its text without the hash itself.
std::string bundle_hash(const nlohmann::json& file_table, const std::string& model_without_hash) {
  std::map<std::string, std::string> hashes = {{kBundleModel, content_hash(model_without_hash)}};
  for (const auto& [name, entry] : file_table.items())
    hashes[name] = json_field<std::string>(entry, "xxh128", name);
  std::string lines;
  for (const auto& [name, hash] : hashes)
    lines.append(hash).append("  ").append(name).append("\n");
  return content_hash(lines);
}

}  // namespace

std::uint64_t hash_from_text(const std::string& text, const std::string& key) {
  if (text.size() < 16 || text.find_first_not_of("0123456789abcdef") != std::string::npos)
    throw std::runtime_error(std::string(kBundleModel) + ": '" + key + "' is " + quote(text) +
                             ", not hexadecimal digits, at least 16");
  return std::strtoull(text.substr(0, 16).c_str(), nullptr, 16);
}

FoldedNetwork network_of_tensors(const EncodingInfo& encoding, const NetConfig& config,
                                 std::map<std::string, FloatTensor> tensors) {
  NetworkValues values{describe_network(encoding, config), {}, {}};
  const NetworkLayout layout = network_layout(values.description);
  std::int64_t floats = 0;
  for (const auto& [name, tensor] : tensors)
    floats += static_cast<std::int64_t>(tensor.values.size());
  // Folding leaves fewer values than there were, but never less than half: bounds what is allocated
  // for a description that is too large.
  if (layout.parameter_count() > 2 * floats + 1024)
    throw std::runtime_error("the tensors are fewer than its network has");
  values.parameters.resize(static_cast<std::size_t>(layout.parameter_count()));
  values.statistics.resize(static_cast<std::size_t>(layout.statistic_count()));
  FoldedNetwork network = fold(values);
  for_each_tensor(network, [&](const std::string& name, FloatTensor& tensor) {
    const auto found = tensors.find(name);
    if (found == tensors.end()) throw std::runtime_error("tensor " + quote(name) + " is missing");
    if (found->second.shape != tensor.shape)
      throw std::runtime_error("tensor " + quote(name) + " has another shape than its network's");
    tensor = std::move(found->second);
    tensors.erase(found);
  });
  if (!tensors.empty())
    throw std::runtime_error("tensor " + quote(tensors.begin()->first) +
                             " is none of its network's");
  return network;
}

std::optional<ActivationRanges> stored_ranges(const nlohmann::json& model, int blocks) {
  if (!model.contains(kRangesKey)) return std::nullopt;
  ActivationRanges ranges{json_field<std::vector<float>>(model, kRangesKey, kBundleModel)};
  const std::size_t count = ActivationRanges::count(static_cast<std::size_t>(blocks));
  if (ranges.values.size() != count || !std::ranges::all_of(ranges.values, [](float range) {
        return std::isfinite(range) && range > 0;
      }))
    throw std::runtime_error(std::string(kBundleModel) + ": '" + kRangesKey + "' should be " +
                             std::to_string(count) + " positive numbers");
  return ranges;
}

std::string content_hash(std::string_view bytes) {
  XXH128_canonical_t canonical;
  XXH128_canonicalFromHash(&canonical, XXH3_128bits(bytes.data(), bytes.size()));
  std::string text;
  for (const unsigned char byte : canonical.digest)
    for (const int digit : {byte >> 4, byte & 15})
      text += "0123456789abcdef"[digit];
  return text;
}

nlohmann::ordered_json file_table(const std::map<std::string, std::string>& files) {
  nlohmann::ordered_json table = nlohmann::ordered_json::object();
  for (const auto& [name, content] : files)
    table[name] = {{"bytes", content.size()}, {"xxh128", content_hash(content)}};
  return table;
}

std::string model_text(nlohmann::ordered_json model) {
  model["hash"] = "";
  model["hash"] = bundle_hash(model.at("files"), json_text(model, 1) + "\n");
  return json_text(model, 1) + "\n";
}

bool is_bundle(const std::filesystem::path& file) {
  return is_archive(file);
}

BundleReader::BundleReader(const std::filesystem::path& file) : archive_(file) {
  const auto found = archive_.members().find(kBundleModel);
  if (found == archive_.members().end())
    throw ExportError("is a zip archive without " + std::string(kBundleModel) +
                      ", so no bundle of a network");
  if (found->second.bytes > kMostModelBytes)
    throw ExportError(std::string(kBundleModel) + " has " + std::to_string(found->second.bytes) +
                      " bytes; a bundle's has " + std::to_string(kMostModelBytes) + " at most");
  text_ = archive_.read(kBundleModel);
  model_ = parse_json(text_, kBundleModel);
  const auto format = json_field<int>(model_, "format", kBundleModel);
  if (format != kBundleFormat)
    throw ExportError("is a bundle of format " + std::to_string(format) + "; this program reads " +
                      std::to_string(kBundleFormat));
  const auto files = json_field<nlohmann::json>(model_, "files", kBundleModel);
  std::uint64_t left = kMostBytes;
  std::vector<const char*> names(kBundleListed.begin(), kBundleListed.end());
  if (files.is_object() && files.contains(kBundleFast)) names.push_back(kBundleFast);
  for (const char* name : names) {
    if (!files.is_object() || !files.contains(name))
      throw ExportError(std::string(kBundleModel) + ": 'files' does not list " + name);
    if (!archive_.members().contains(name))
      throw ExportError("is an incomplete bundle: it has no " + std::string(name));
    const auto bytes = json_field<std::uint64_t>(files[name], "bytes", name);
    if (bytes > left) throw ExportError("lists files of more than 4 GiB together");
    left -= bytes;
  }
}

std::string BundleReader::read(const std::string& name) const {
  const auto files = json_field<nlohmann::json>(model_, "files", kBundleModel);
  const auto entry =
      json_field<nlohmann::json>(files, name, std::string(kBundleModel) + ": 'files'");
  const auto bytes = json_field<std::uint64_t>(entry, "bytes", name);
  const auto hash = json_field<std::string>(entry, "xxh128", name);
  const auto member = archive_.members().find(name);
  if (member == archive_.members().end()) throw ExportError("has no " + name);
  const std::uint64_t found = member->second.bytes;
  if (bytes != found)
    throw DamagedMember(name + " has " + std::to_string(found) + " bytes, not " +
                        std::to_string(bytes));
  std::string content = archive_.read(name);
  if (const std::string found_hash = content_hash(content); hash != found_hash)
    throw DamagedMember(name + " has the hash " + found_hash + ", not " + hash);
  return content;
}

std::string BundleReader::hash_fault() const {
  const auto hash = json_field<std::string>(model_, "hash", kBundleModel);
  std::string without = text_;
  if (const std::size_t at = without.find('"' + hash + '"'); at != std::string::npos)
    without.erase(at + 1, hash.size());
  if (bundle_hash(json_field<nlohmann::json>(model_, "files", kBundleModel), without) == hash)
    return "";
  return "'hash' of " + std::string(kBundleModel) + " is not that of its content and its files";
}

std::vector<std::string> BundleReader::unlisted() const {
  const auto files = json_field<nlohmann::json>(model_, "files", kBundleModel);
  std::vector<std::string> names;
  for (const auto& [name, member] : archive_.members())
    if (name != kBundleModel && !files.contains(name)) names.push_back(name);
  return names;
}

bool BundleReader::has_fast_network() const {
  return model_.at("files").contains(kBundleFast);
}

EncodingInfo encoding_from_description(const nlohmann::json& description) {
  const std::string what = "encoding";
  const auto names = [&](const nlohmann::json& list, const std::string& of) {
    const std::string place = what + ": '" + of + "'";
    std::vector<std::string> found;
    for (const nlohmann::json& one : list)
      found.push_back(json_field<std::string>(one, "name", place));
    return found;
  };
  nlohmann::json plain = {
      {"planes", names(json_field<nlohmann::json>(description, "planes", what), "planes")}};
  const auto policy = json_field<nlohmann::json>(description, "policy", what);
  plain["policy_kinds"] =
      names(json_field<nlohmann::json>(policy, "kinds", what + ": 'policy'"), "policy.kinds");
  for (const char* key : {"family", "variant", "version", "symmetry", "height", "width", "levels"})
    plain[key] = json_field<nlohmann::json>(description, key, what);
  if (description.contains("game")) plain["game"] = description.at("game");
  return encoding_from_json(plain);
}

BundleNetwork read_bundle_network(const std::filesystem::path& file) {
  try {
    const BundleReader files(file);
    if (const std::string fault = files.hash_fault(); !fault.empty())
      throw std::runtime_error("is damaged: " + fault);
    const nlohmann::json& model = files.model();
    BundleNetwork bundle;
    CheckpointInfo& info = bundle.info;
    info.encoding =
        encoding_from_description(parse_json(files.read(kBundleEncoding), kBundleEncoding));
    info.net = net_config_from_json(json_field<nlohmann::json>(model, "net", kBundleModel));
    info.steps = json_field<std::int64_t>(model, "steps", kBundleModel);
    info.search = stored_search(model);
    info.parameters = json_field<std::int64_t>(model, "parameters", kBundleModel);
    info.weights_hash =
        hash_from_text(json_field<std::string>(model, "weights", kBundleModel), "weights");
    info.hash = hash_from_text(json_field<std::string>(model, "hash", kBundleModel), "hash");
    SafetensorsFile weights = read_safetensors(files.read(kBundleSafetensors), kBundleSafetensors);
    bundle.network = network_of_tensors(info.encoding, info.net, std::move(weights.tensors));
    bundle.network.ranges = stored_ranges(model, info.net.blocks);
    return bundle;
  } catch (const CheckpointError&) {
    throw;
  } catch (const std::exception& error) {
    throw CheckpointError(file, error.what());
  }
}

}  // namespace faultline
