// Reading networks from bundles.
#include "model/export/bundle.h"

#include <array>
#include <cstdlib>
#include <stdexcept>
#include <utility>
#include <vector>

#include <xxhash.h>

#include "base/json_fields.h"
#include "base/quote.h"
#include "model/export/archive.h"
#include "model/export/folded_tensors.h"
#include "model/export/safetensors.h"
#include "model/network_description.h"

namespace faultline {
namespace {

std::uint64_t from_hexadecimal(const std::string& text) {
  return std::strtoull(text.substr(0, 16).c_str(), nullptr, 16);
}

/// A network of the described shape with the values of `tensors`.
FoldedNetwork filled_network(const EncodingInfo& encoding, const NetConfig& config,
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
  });
  return network;
}

}  // namespace

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

std::string bundle_hash(const nlohmann::json& file_table) {
  std::string lines;
  for (const auto& [name, entry] : file_table.items())
    lines += json_field<std::string>(entry, "xxh128", name) + "  " + name + "\n";
  return content_hash(lines);
}

bool is_bundle(const std::filesystem::path& file) {
  return is_archive(file);
}

std::string file_fault(const nlohmann::json& model, const std::string& name,
                       const std::string& content) {
  const auto files = json_field<nlohmann::json>(model, "files", kBundleModel);
  const auto entry =
      json_field<nlohmann::json>(files, name, std::string(kBundleModel) + ": 'files'");
  const auto bytes = json_field<std::uint64_t>(entry, "bytes", name);
  const auto hash = json_field<std::string>(entry, "xxh128", name);
  if (bytes != content.size())
    return name + " has " + std::to_string(content.size()) + " bytes, not " + std::to_string(bytes);
  if (hash != content_hash(content))
    return name + " has the hash " + content_hash(content) + ", not " + hash;
  return "";
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
  return encoding_from_json(plain);
}

BundleNetwork read_bundle_network(const std::filesystem::path& file) {
  try {
    const std::vector<std::string> needed = {kBundleModel, kBundleEncoding, kBundleSafetensors};
    const auto files = read_archive(file, needed);
    for (const std::string& name : needed)
      if (!files.contains(name))
        throw std::runtime_error("is a zip archive without " + name +
                                 ", so no bundle of a network");
    const auto model = nlohmann::json::parse(files.at(kBundleModel));
    const auto format = json_field<int>(model, "format", kBundleModel);
    if (format != kBundleFormat)
      throw std::runtime_error("is a bundle of format " + std::to_string(format) +
                               "; this program reads " + std::to_string(kBundleFormat));
    for (const char* name : {kBundleEncoding, kBundleSafetensors})
      if (const std::string fault = file_fault(model, name, files.at(name)); !fault.empty())
        throw std::runtime_error("is damaged: " + fault);
    BundleNetwork bundle;
    CheckpointInfo& info = bundle.info;
    info.encoding = encoding_from_description(nlohmann::json::parse(files.at(kBundleEncoding)));
    info.net = net_config_from_json(json_field<nlohmann::json>(model, "net", kBundleModel));
    info.steps = json_field<std::int64_t>(model, "steps", kBundleModel);
    info.parameters = json_field<std::int64_t>(model, "parameters", kBundleModel);
    info.weights_hash = from_hexadecimal(json_field<std::string>(model, "weights", kBundleModel));
    info.hash = from_hexadecimal(json_field<std::string>(model, "hash", kBundleModel));
    SafetensorsFile weights = read_safetensors(files.at(kBundleSafetensors), kBundleSafetensors);
    bundle.network = filled_network(info.encoding, info.net, std::move(weights.tensors));
    return bundle;
  } catch (const CheckpointError&) {
    throw;
  } catch (const std::exception& error) {
    throw CheckpointError(file, error.what());
  }
}

}  // namespace faultline
