// Checkpoint files on disk.
#include "model/checkpoint_file.h"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <fstream>
#include <string_view>
#include <system_error>

#include <xxhash.h>

#include "base/atomic_file.h"
#include "base/json_fields.h"
#include "base/json_text.h"
#include "base/quote.h"
#include "base/unreadable_file.h"
#include "model/checkpoint_folder.h"

namespace faultline {
namespace {

static_assert(std::endian::native == std::endian::little,
              "the file's floats are stored in native byte order");

constexpr std::uint32_t kFormat = 1;
constexpr std::size_t kPrefix =
    kCheckpointMagic.size() + sizeof(std::uint32_t) + sizeof(std::uint64_t);
constexpr std::size_t kSmallest = kPrefix + sizeof(std::uint64_t);  // including the hash
constexpr std::size_t kLargestHeader = 16 << 20;
constexpr int kDeepestHeader = 16;  // valid headers nest four levels deep

template <class T>
void append(std::string& out, const T& value) {
  out.append(reinterpret_cast<const char*>(&value), sizeof value);
}
template <class T>
T number_at(std::string_view bytes, std::size_t offset) {
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

/// Throws for text that is not JSON or nests deeper than any valid header: copying a value
/// recurses.
nlohmann::json parsed_header(std::string_view text) {
  const auto refuse_depth = [](int depth, nlohmann::json::parse_event_t, nlohmann::json&) {
    if (depth > kDeepestHeader) throw std::runtime_error("its header nests too deeply");
    return true;
  };
  return nlohmann::json::parse(text.begin(), text.end(), refuse_depth);
}

constexpr const char* kRanges = "activation_ranges";

std::string prefix(const CheckpointFile& file, WeightsPart part) {
  const bool averaged = file.arrays.contains("ema/parameters");
  return averaged && part == WeightsPart::Playing ? "ema/" : "weights/";
}

}  // namespace

std::string CheckpointFile::bytes() const {
  nlohmann::json full = header;
  full["arrays"] = nlohmann::json::array();
  std::size_t floats = 0;
  for (const auto& [name, values] : arrays) {
    full["arrays"].push_back({{"name", name}, {"count", values.size()}});
    floats += values.size();
  }
  const std::string text = json_text(full);
  std::string bytes;
  bytes.reserve(kPrefix + text.size() + floats * sizeof(float) + sizeof(std::uint64_t));
  bytes += kCheckpointMagic;
  append(bytes, kFormat);
  append(bytes, static_cast<std::uint64_t>(text.size()));
  bytes += text;
  for (const auto& [name, values] : arrays)
    bytes.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float));
  append(bytes, static_cast<std::uint64_t>(XXH3_64bits(bytes.data(), bytes.size())));
  return bytes;
}

void CheckpointFile::write(const std::filesystem::path& path) const {
  try {
    write_file_atomically(path, bytes());
  } catch (const std::system_error& error) {
    throw CheckpointError(path, "cannot be written: " + error.code().message());
  }
}

namespace {

CheckpointFile read_alone(const std::filesystem::path& path) {
  if (const auto reason = why_unreadable(path)) throw CheckpointError(*reason);
  std::ifstream in(path, std::ios::binary);
  if (!in) throw CheckpointError(path, "cannot be read: " + std::generic_category().message(errno));
  const std::string bytes((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  return CheckpointFile::parse(bytes, path);
}

/// "; nets/000100.pt beside it is intact": the checkpoint with the most steps before the one at
/// `path`, or "" if its name is not a number of steps or none before it can be read.
std::string intact_before(const std::filesystem::path& path) {
  if (path.extension() != ".pt" || !is_step_count(path.stem().string())) return {};
  std::vector<NamedCheckpoint> others = checkpoints_in(path.parent_path());
  std::erase_if(others, [&](const auto& c) { return c.steps >= std::stoll(path.stem().string()); });
  for (; !others.empty(); others.pop_back()) {
    try {
      read_alone(others.back().file);
      return "; " + others.back().file.string() + " beside it is intact";
    } catch (const CheckpointError&) {
    }
  }
  return {};
}

}  // namespace

CheckpointFile CheckpointFile::read(const std::filesystem::path& path) {
  try {
    return read_alone(path);
  } catch (const CheckpointError& error) {
    throw CheckpointError(error.what() + intact_before(path));
  }
}

CheckpointFile CheckpointFile::parse(std::string_view bytes, const std::filesystem::path& path) {
  if (bytes.starts_with("PK"))
    throw CheckpointError(path,
                          "is a bundle or another zip archive; bundles can be played and analysed "
                          "with, but not trained: their batch norms are folded");
  if (!bytes.starts_with(kCheckpointMagic))
    throw CheckpointError(path, "is not a checkpoint (it does not begin with FAULTNET)");
  if (bytes.size() < kSmallest) throw CheckpointError(path, "is damaged or cut off: too short");
  const auto format = number_at<std::uint32_t>(bytes, kCheckpointMagic.size());
  if (format != kFormat)
    throw CheckpointError(path, "has format version " + std::to_string(format) + "; expected " +
                                    std::to_string(kFormat));
  CheckpointFile file;
  const std::size_t end = bytes.size() - sizeof file.hash;
  file.hash = number_at<std::uint64_t>(bytes, end);
  if (XXH3_64bits(bytes.data(), end) != file.hash)
    throw CheckpointError(path, "is damaged or cut off: its content hash does not fit");

  // From here on the bytes are intact, though not necessarily trustworthy.
  const auto header_bytes =
      number_at<std::uint64_t>(bytes, kCheckpointMagic.size() + sizeof format);
  if (header_bytes > std::min(end - kPrefix, kLargestHeader))
    throw CheckpointError(path, "its header is longer than the file or than 16 MiB");
  try {
    file.header = parsed_header(bytes.substr(kPrefix, header_bytes));
    std::size_t offset = kPrefix + header_bytes;
    for (const auto& array : json_field<nlohmann::json>(file.header, "arrays", "header")) {
      const auto count = json_field<std::size_t>(array, "count", "array");
      if (count > (end - offset) / sizeof(float))
        throw std::runtime_error("its arrays are longer than the file");
      const auto name = json_field<std::string>(array, "name", "array");
      const auto [at, is_new] = file.arrays.try_emplace(name, count);
      if (!is_new) throw std::runtime_error("array " + quote(name) + " appears twice");
      std::memcpy(at->second.data(), bytes.data() + offset, count * sizeof(float));
      offset += count * sizeof(float);
    }
    if (offset != end) throw std::runtime_error("its arrays are shorter than the file");
  } catch (const std::exception& error) {
    throw CheckpointError(path, error.what());
  }
  return file;
}

const std::vector<float>& CheckpointFile::array(const std::filesystem::path& path,
                                                const std::string& name, std::size_t count) const {
  const auto found = arrays.find(name);
  if (found == arrays.end()) throw CheckpointError(path, "array '" + name + "' is missing");
  if (found->second.size() != count)
    throw CheckpointError(path, "array '" + name + "' has " + std::to_string(found->second.size()) +
                                    " floats; its network needs " + std::to_string(count));
  return found->second;
}

std::uint64_t weights_hash(const std::vector<float>& parameters,
                           const std::vector<float>& statistics) {
  const std::uint64_t seed = XXH3_64bits(parameters.data(), parameters.size() * sizeof(float));
  return XXH3_64bits_withSeed(statistics.data(), statistics.size() * sizeof(float), seed);
}

std::optional<TreeSearchSettings> stored_search(const nlohmann::json& header) {
  const auto found = header.find(kSearchKey);
  if (found == header.end()) return std::nullopt;
  return tree_search_settings_from_json(*found);
}

CheckpointInfo info_of(const CheckpointFile& file, const std::filesystem::path& path) {
  try {
    CheckpointInfo info;
    info.encoding =
        encoding_from_json(json_field<nlohmann::json>(file.header, "encoding", "header"));
    info.has_network = file.header.contains("net") || !file.arrays.contains("fast/parameters");
    if (info.has_network) {
      info.net = net_config_from_json(json_field<nlohmann::json>(file.header, "net", "header"));
      info.net = describe_network(info.encoding, info.net).config;  // throws outside its limits
    }
    info.steps = json_field<std::int64_t>(file.header, "steps", "header");
    if (info.steps < 0) throw std::runtime_error("header: 'steps' must not be negative");
    const auto parameters =
        file.arrays.find(info.has_network ? "weights/parameters" : "fast/parameters");
    if (parameters != file.arrays.end())
      info.parameters = static_cast<std::int64_t>(parameters->second.size());
    info.search = stored_search(file.header);
    info.hash = file.hash;
    const std::string part = prefix(file, WeightsPart::Playing);
    const auto playing = file.arrays.find(part + "parameters");
    const auto statistics = file.arrays.find(part + "statistics");
    if (playing != file.arrays.end() && statistics != file.arrays.end())
      info.weights_hash = weights_hash(playing->second, statistics->second);
    else if (!info.has_network)
      info.weights_hash = weights_hash(parameters->second, {});
    return info;
  } catch (const std::exception& error) {
    throw CheckpointError(path, error.what());
  }
}

void write_values(CheckpointFile& file, const NetworkValues& values) {
  const std::string part = prefix(file, WeightsPart::Playing);
  file.arrays[part + "parameters"] = values.parameters;
  file.arrays[part + "statistics"] = values.statistics;
  if (values.ranges) file.arrays[part + kRanges] = values.ranges->values;
}

void throw_fast_alone(const std::filesystem::path& path) {
  throw CheckpointError(
      path, "has a fast network alone, which alphabeta?eval=" + path.string() + " plays with");
}

NetworkValues read_values(const CheckpointFile& file, const std::filesystem::path& path,
                          WeightsPart part) {
  const CheckpointInfo info = info_of(file, path);
  if (!info.has_network) throw_fast_alone(path);
  const std::string arrays = prefix(file, part);
  NetworkValues values{describe_network(info.encoding, info.net), {}, {}};
  const NetworkLayout layout = network_layout(values.description);
  const auto read = [&](const char* what, std::int64_t count) {
    const std::string name = arrays + what;
    const auto& floats = file.array(path, name, static_cast<std::size_t>(count));
    if (!std::ranges::all_of(floats, [](float value) { return std::isfinite(value); }))
      throw CheckpointError(path, "array '" + name + "' holds a number that is not finite");
    return floats;
  };
  values.parameters = read("parameters", layout.parameter_count());
  values.statistics = read("statistics", layout.statistic_count());
  const float* value = values.statistics.data();
  for (const TensorSpec& t : layout.statistics)
    for (std::int64_t i = 0; i < t.numel(); ++i, ++value)
      if (*value < 0 && t.role == TensorRole::Variance)
        throw CheckpointError(path, "'" + t.name + "' holds a negative variance");
  if (file.arrays.contains(arrays + kRanges)) {
    const auto blocks = static_cast<std::size_t>(info.net.blocks);
    values.ranges = {read(kRanges, static_cast<std::int64_t>(ActivationRanges::count(blocks)))};
    if (std::ranges::any_of(values.ranges->values, [](float range) { return range <= 0; }))
      throw CheckpointError(path,
                            "array '" + arrays + kRanges + "' holds a range that is not positive");
  }
  return values;
}

CheckpointFile playing_file(const std::filesystem::path& path,
                            const nlohmann::ordered_json& about) {
  CheckpointFile file = CheckpointFile::read(path);
  const bool has_network = info_of(file, path).has_network;
  const NetworkValues values = has_network ? read_values(file, path) : NetworkValues{};
  std::erase_if(file.arrays, [](const auto& array) { return array.first != "fast/parameters"; });
  if (has_network) write_values(file, values);
  file.header.erase("train");
  file.header["about"] = about;
  return file;
}

nlohmann::json layout_to_json(const NetworkLayout& layout) {
  const auto list = [](const std::vector<TensorSpec>& tensors) {
    auto json = nlohmann::json::array();
    for (const TensorSpec& t : tensors)
      json.push_back({{"name", t.name}, {"shape", t.shape}});
    return json;
  };
  return {{"parameters", list(layout.parameters)}, {"statistics", list(layout.statistics)}};
}

}  // namespace faultline
