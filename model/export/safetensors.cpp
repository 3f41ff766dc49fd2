// Writing and reading safetensors.
#include "model/export/safetensors.h"

#include <array>
#include <cstdint>
#include <cstring>
#include <limits>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "base/json_fields.h"
#include "base/json_text.h"
#include "base/quote.h"
#include "model/export/float_bits.h"
#include "model/export/folded_tensors.h"

namespace faultline {
namespace {

constexpr const char* kMetadata = "__metadata__";
constexpr std::size_t kLongestHeader = 100U << 20;  // as in the reference implementation
constexpr int kDeepestHeader = 4;

constexpr std::array kTypes = {std::pair{"F32", ExportPrecision::Fp32},
                               std::pair{"F16", ExportPrecision::Fp16},
                               std::pair{"BF16", ExportPrecision::Bf16}};

const char* type_name(ExportPrecision precision) {
  for (const auto& [name, type] : kTypes)
    if (type == precision) return name;
  return "";
}

ExportPrecision type_named(const std::string& text) {
  for (const auto& [name, type] : kTypes)
    if (name == text) return type;
  throw std::runtime_error("its dtype is " + quote(text) + "; F32, F16 and BF16 can be read");
}

/// Throws unless `bytes` is exactly as long as the shape says.
FloatTensor read_tensor(const nlohmann::json& entry, std::string_view data) {
  const auto precision = type_named(json_field<std::string>(entry, "dtype", "entry"));
  const auto offsets = json_field<std::vector<std::uint64_t>>(entry, "data_offsets", "entry");
  if (offsets.size() != 2 || offsets[0] > offsets[1] || offsets[1] > data.size())
    throw std::runtime_error("its data_offsets are not two positions in the file");
  FloatTensor tensor;
  tensor.shape = json_field<std::vector<std::int64_t>>(entry, "shape", "entry");
  const std::string_view bytes = data.substr(offsets[0], offsets[1] - offsets[0]);
  std::uint64_t count = 1;
  for (const std::int64_t size : tensor.shape) {
    if (size < 1 || static_cast<std::uint64_t>(size) > bytes.size())
      throw std::runtime_error("its shape does not fit its data_offsets");
    count *= static_cast<std::uint64_t>(size);
    if (count > bytes.size()) throw std::runtime_error("its shape does not fit its data_offsets");
  }
  if (count * bytes_of(precision) != bytes.size())
    throw std::runtime_error("its shape does not fit its data_offsets");
  tensor.values = from_bytes(bytes, precision);
  return tensor;
}

}  // namespace

std::string write_safetensors(const FoldedNetwork& network, ExportPrecision precision,
                              const ExportMetadata& metadata) {
  nlohmann::ordered_json header;
  header[kMetadata] = metadata;
  std::string data;
  for_each_tensor(network, [&](const std::string& name, const FloatTensor& tensor) {
    const std::size_t begin = data.size();
    data += to_bytes(tensor.values, precision);
    header[name] = {{"dtype", type_name(precision)},
                    {"shape", tensor.shape},
                    {"data_offsets", {begin, data.size()}}};
  });
  std::string text = json_text(header);
  text.resize((text.size() + 7) / 8 * 8, ' ');  // so that the tensors are aligned
  const std::uint64_t length = text.size();
  std::string bytes(sizeof length, '\0');
  std::memcpy(bytes.data(), &length, sizeof length);
  return bytes + text + data;
}

SafetensorsFile read_safetensors(std::string_view bytes, const std::string& source) {
  std::uint64_t length = 0;
  if (bytes.size() < sizeof length)
    throw ExportError(source + ": is too short to be a safetensors file");
  std::memcpy(&length, bytes.data(), sizeof length);
  bytes.remove_prefix(sizeof length);
  if (length > bytes.size() || length > kLongestHeader)
    throw ExportError(source +
                      ": is no safetensors file, or cut off: its header is longer than it");
  SafetensorsFile file;
  std::string name = kMetadata;
  try {
    const auto refuse_depth = [](int depth, nlohmann::json::parse_event_t, nlohmann::json&) {
      if (depth > kDeepestHeader) throw std::runtime_error("the header nests too deeply");
      return true;
    };
    const std::string_view text = bytes.substr(0, length);
    const auto header = nlohmann::json::parse(text.begin(), text.end(), refuse_depth);
    if (!header.is_object()) throw std::runtime_error("the header is not an object");
    for (const auto& [key, entry] : header.items()) {
      name = key;
      if (key == kMetadata)
        file.metadata = entry.get<ExportMetadata>();
      else
        file.tensors[key] = read_tensor(entry, bytes.substr(length));
    }
  } catch (const std::exception& error) {
    throw ExportError(source + ": " + quote(name) + ": " + error.what());
  }
  return file;
}

}  // namespace faultline
