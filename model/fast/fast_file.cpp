// Reading and writing fast networks.
#include "model/fast/fast_file.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fstream>
#include <iterator>
#include <type_traits>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <xxhash.h>

#include "base/json_fields.h"
#include "base/json_text.h"
#include "base/unreadable_file.h"
#include "model/checkpoint_file.h"
#include "model/export/bundle.h"
#include "model/export/json_text.h"
#include "model/export/safetensors.h"

namespace faultline {
namespace {

constexpr int kFormat = 1;
constexpr std::int64_t kMostInputs = 65'536;

/// As many whole numbers as the tensor must have, which must fit into their type.
template <class Whole>
std::vector<Whole> whole_numbers(const SafetensorsFile& file, const std::string& name,
                                 std::size_t count) {
  const auto found = file.tensors.find(name);
  if (found == file.tensors.end())
    throw std::runtime_error(fmt::format("tensor '{}' is missing", name));
  const std::vector<float>& values = found->second.values;
  if (values.size() != count)
    throw std::runtime_error(
        fmt::format("tensor '{}' has {} numbers, not {}", name, values.size(), count));
  std::vector<Whole> whole;
  whole.reserve(count);
  for (const float value : values) {
    const auto number = static_cast<Whole>(value);
    if (static_cast<float>(number) != value)
      throw std::runtime_error(fmt::format("tensor '{}' holds {}", name, value));
    whole.push_back(number);
  }
  return whole;
}

FastNetwork network_of(const SafetensorsFile& file) {
  const auto text = file.metadata.find(kFastNetworkKey);
  if (text == file.metadata.end())
    throw std::runtime_error("is not a fast network: it has no metadata of that name");
  const auto json = nlohmann::json::parse(text->second);
  if (const auto format = json_field<int>(json, "format", kFastNetworkKey); format != kFormat)
    throw std::runtime_error(fmt::format("has format {}; expected {}", format, kFormat));
  FastNetwork net;
  net.layout = fast_layout_from_json(json_field<nlohmann::json>(json, "layout", kFastNetworkKey));
  net.variant = json_field<std::string>(json, "variant", kFastNetworkKey);
  net.steps = json_field<std::int64_t>(json, "steps", kFastNetworkKey);
  net.scale = json_field<int>(json, "scale", kFastNetworkKey);
  if (net.scale < 1 || net.scale > 256) throw std::runtime_error("'scale' must be 1 to 256");
  if (json_field<int>(json, "hidden", kFastNetworkKey) != kFastHidden)
    throw std::runtime_error(fmt::format("'hidden' must be {}", kFastHidden));
  const std::size_t inputs = net.layout.inputs();
  net.first = whole_numbers<std::int16_t>(file, "first", inputs * kFastHidden);
  net.direct = whole_numbers<std::int32_t>(file, "direct", inputs);
  net.bias = whole_numbers<std::int16_t>(file, "bias", kFastHidden);
  net.second = whole_numbers<std::int16_t>(file, "second", std::size_t{2} * kFastHidden);
  net.output = whole_numbers<std::int32_t>(file, "output", 1).front();
  const auto too_large = [](std::int32_t n) { return std::abs(n) > kMostDirect; };
  if (std::ranges::any_of(net.direct, too_large) || too_large(net.output))
    throw std::runtime_error("tensor 'direct' or 'output' holds a number that is too large");
  return net;
}

FastNetwork fast_network_of_bundle(const std::filesystem::path& file) {
  const std::string name = file.string();
  try {
    const BundleReader bundle(file);
    if (!bundle.has_fast_network())
      throw ExportError("has no fast network; it is a bundle of a policy/value network");
    return read_fast_network(bundle.read(kBundleFast), name + ", " + kBundleFast);
  } catch (const FastNetworkError&) {
    throw;
  } catch (const std::exception& error) {
    throw FastNetworkError(name + ": " + error.what());
  }
}

}  // namespace

nlohmann::json to_json(const FastLayout& layout) {
  auto groups = nlohmann::json::array();
  for (const FastInputGroup& group : layout.groups)
    groups.push_back({{"name", group.name}, {"size", group.size}, {"by_cell", group.by_cell}});
  return {{"family", layout.family}, {"levels", layout.levels}, {"groups", groups}};
}

FastLayout fast_layout_from_json(const nlohmann::json& json) {
  FastLayout layout;
  layout.family = json_field<std::string>(json, "family", "layout");
  layout.levels = json_field<int>(json, "levels", "layout");
  std::int64_t inputs = 0;
  for (const auto& entry : json_field<nlohmann::json>(json, "groups", "layout")) {
    FastInputGroup group{.name = json_field<std::string>(entry, "name", "group"),
                         .size = json_field<int>(entry, "size", "group"),
                         .by_cell = json_field<bool>(entry, "by_cell", "group")};
    inputs += group.size;
    if (group.size < 1 || inputs > kMostInputs)
      throw std::runtime_error("layout: sizes of groups must be positive, their sum at most 65536");
    layout.groups.push_back(std::move(group));
  }
  return layout;
}

std::string fast_network_file(const FastNetwork& network, ExportMetadata metadata) {
  const nlohmann::json description = {{"format", kFormat},
                                      {"layout", to_json(network.layout)},
                                      {"variant", network.variant},
                                      {"steps", network.steps},
                                      {"scale", network.scale},
                                      {"hidden", kFastHidden},
                                      {"centipawns", kFastCentipawns}};
  const auto inputs = static_cast<std::int64_t>(network.layout.inputs());
  SafetensorsWriter out;
  out.add("first", {inputs, kFastHidden}, network.first);
  out.add("direct", {inputs}, network.direct);
  out.add("bias", {kFastHidden}, network.bias);
  out.add("second", {2, kFastHidden}, network.second);
  out.add("output", {1}, std::vector{network.output});
  metadata[kFastNetworkKey] = json_text(description);
  return out.bytes(metadata);
}

std::string fast_weights(const FastNetwork& network) {
  const std::string bytes = fast_network_file(network);
  return fmt::format("{:016x}", XXH3_64bits(bytes.data(), bytes.size()));
}

FastNetwork read_fast_network(std::string_view bytes, const std::string& source) {
  try {
    return network_of(read_safetensors(bytes, source));
  } catch (const ExportError& error) {
    throw FastNetworkError(error.what());
  } catch (const std::exception& error) {
    throw FastNetworkError(source + ": " + error.what());
  }
}

std::optional<CheckpointInfo> fast_export_info(const std::filesystem::path& path) {
  constexpr std::size_t kLengthBytes = 8;
  std::error_code ignored;
  std::ifstream in(path, std::ios::binary);
  std::string bytes(kLengthBytes + 1, '\0');  // a header's length and its first byte
  if (!std::filesystem::is_regular_file(path, ignored) ||
      !in.read(bytes.data(), static_cast<std::streamsize>(bytes.size())) || bytes.back() != '{')
    return std::nullopt;
  bytes.append(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
  try {
    const ExportMetadata metadata = read_safetensors(bytes, "it").metadata;
    if (!metadata.contains(kFastNetworkKey)) return std::nullopt;
    const auto encoding = metadata.find("encoding");
    if (encoding == metadata.end())
      throw std::runtime_error("is a fast network that does not describe its game");
    const FastNetwork network = read_fast_network(bytes, "it");
    CheckpointInfo info;
    info.encoding = encoding_from_description(parse_json(encoding->second, "encoding"));
    info.has_network = false;
    info.steps = network.steps;
    info.parameters = static_cast<std::int64_t>(network.first.size() + network.direct.size() +
                                                network.bias.size() + network.second.size());
    info.search = TreeSearchSettings{};  // which it has no use for
    info.hash = info.weights_hash = XXH3_64bits(bytes.data(), bytes.size());
    return info;
  } catch (const ExportError&) {
    return std::nullopt;  // no safetensors at all
  } catch (const std::exception& error) {
    throw CheckpointError(path, error.what());
  }
}

void write_fast_weights(CheckpointFile& file, const FastTrainer& trainer) {
  file.header[kFastNetworkKey] = {{"layout", to_json(trainer.layout())},
                                  {"steps", trainer.steps()}};
  file.arrays["fast/parameters"] = trainer.parameters();
}

void write_fast_training(CheckpointFile& file, const FastTrainer& trainer) {
  write_fast_weights(file, trainer);
  file.arrays["fast/first_moments"] = trainer.first_moments();
  file.arrays["fast/second_moments"] = trainer.second_moments();
}

void add_fast_network(const std::filesystem::path& file, const std::filesystem::path& fast,
                      const nlohmann::ordered_json& origin) {
  const auto trainer = read_fast_training(CheckpointFile::read(fast), fast);
  if (!trainer) throw CheckpointError(fast, "has no fast network");
  CheckpointFile checkpoint = CheckpointFile::read(file);
  write_fast_weights(checkpoint, *trainer);
  if (!origin.is_null()) checkpoint.header[kFastNetworkKey]["origin"] = origin;
  checkpoint.write(file);
}

nlohmann::ordered_json network_hashes(const CheckpointFile& file,
                                      const std::filesystem::path& path) {
  nlohmann::ordered_json hashes = nlohmann::ordered_json::object();
  const CheckpointInfo info = info_of(file, path);
  if (info.has_network) hashes["network"] = info.weights();
  if (const auto trainer = read_fast_training(file, path))
    hashes["fast"] = fast_weights(trainer->network(info.encoding.variant));
  return hashes;
}

std::optional<FastTrainer> read_fast_training(const CheckpointFile& file,
                                              const std::filesystem::path& path) {
  const auto found = file.header.find(kFastNetworkKey);
  if (found == file.header.end()) return std::nullopt;
  try {
    FastTrainer trainer(
        fast_layout_from_json(json_field<nlohmann::json>(*found, "layout", kFastNetworkKey)), 0);
    const std::size_t count = trainer.parameters().size();
    const auto read = [&](const char* name) {
      const std::vector<float>& values = file.array(path, name, count);
      if (!std::ranges::all_of(values, [](float value) { return std::isfinite(value); }))
        throw std::runtime_error(fmt::format("array '{}' holds a number that is not finite", name));
      return values;
    };
    const bool in_training = file.arrays.contains("fast/first_moments");
    const std::vector<float> none(in_training ? 0 : count);
    trainer.restore(json_field<std::int64_t>(*found, "steps", kFastNetworkKey),
                    read("fast/parameters"), in_training ? read("fast/first_moments") : none,
                    in_training ? read("fast/second_moments") : none);
    return trainer;
  } catch (const CheckpointError&) {
    throw;
  } catch (const std::exception& error) {
    throw CheckpointError(path, error.what());
  }
}

FastNetwork load_fast_network(const std::filesystem::path& file) {
  if (const auto reason = why_unreadable(file)) throw FastNetworkError(*reason);
  std::error_code ignored;
  if (!std::filesystem::exists(file, ignored))
    throw FastNetworkError(file.string() + ": there is no such file");
  if (is_bundle(file)) return fast_network_of_bundle(file);
  std::ifstream in(file, std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  if (!bytes.starts_with(kCheckpointMagic)) return read_fast_network(bytes, file.string());
  const CheckpointFile checkpoint = CheckpointFile::parse(bytes, file);
  const auto trainer = read_fast_training(checkpoint, file);
  if (!trainer)
    throw FastNetworkError(
        fmt::format("{}: has no fast network; it is a checkpoint of a policy/value network, of "
                    "which 'faultline "
                    "distil' makes one",
                    file.string()));
  try {
    return trainer->network(info_of(checkpoint, file).encoding.variant);
  } catch (const std::exception& error) {
    throw FastNetworkError(fmt::format("{}: {}", file.string(), error.what()));
  }
}

}  // namespace faultline
