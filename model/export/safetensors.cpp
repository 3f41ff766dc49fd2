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
constexpr int kDeepestTensorHeader = 4;

const char* type_name(ExportPrecision precision) {
  constexpr std::array kNames = {"F32", "F16", "BF16"};
  return kNames.at(static_cast<std::size_t>(precision));
}

template <class Number>
std::string_view bytes_of_numbers(std::span<const Number> values) {
  return {reinterpret_cast<const char*>(values.data()), values.size_bytes()};
}
template <class Number>
std::vector<float> numbers_as_floats(std::string_view bytes) {
  std::vector<Number> numbers(bytes.size() / sizeof(Number));
  std::memcpy(numbers.data(), bytes.data(), numbers.size() * sizeof(Number));
  return {numbers.begin(), numbers.end()};
}

/// How the values of a type are read.
struct TensorType {
  std::size_t bytes;
  std::vector<float> (*read)(std::string_view bytes);
};
TensorType type_named(const std::string& text) {
  if (text == "F32")
    return {4, [](std::string_view b) { return from_bytes(b, ExportPrecision::Fp32); }};
  if (text == "F16")
    return {2, [](std::string_view b) { return from_bytes(b, ExportPrecision::Fp16); }};
  if (text == "BF16")
    return {2, [](std::string_view b) { return from_bytes(b, ExportPrecision::Bf16); }};
  if (text == "I16") return {2, numbers_as_floats<std::int16_t>};
  if (text == "I32") return {4, numbers_as_floats<std::int32_t>};
  throw std::runtime_error("its dtype is " + quote(text) +
                           "; F32, F16, BF16, I16 and I32 can be read");
}

/// Throws unless `bytes` is exactly as long as the shape says.
FloatTensor read_tensor(const nlohmann::json& entry, std::string_view data) {
  const TensorType type = type_named(json_field<std::string>(entry, "dtype", "entry"));
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
  if (count * type.bytes != bytes.size())
    throw std::runtime_error("its shape does not fit its data_offsets");
  tensor.values = type.read(bytes);
  return tensor;
}

}  // namespace

void SafetensorsWriter::add(const std::string& name, const char* type,
                            const std::vector<std::int64_t>& shape, std::string_view bytes) {
  data_ += bytes;
  entries_.push_back({name, type, shape, data_.size()});
}
void SafetensorsWriter::add(const std::string& name, const std::vector<std::int64_t>& shape,
                            std::span<const float> values, ExportPrecision precision) {
  add(name, type_name(precision), shape, to_bytes(values, precision));
}
void SafetensorsWriter::add(const std::string& name, const std::vector<std::int64_t>& shape,
                            std::span<const std::int16_t> values) {
  add(name, "I16", shape, bytes_of_numbers(values));
}
void SafetensorsWriter::add(const std::string& name, const std::vector<std::int64_t>& shape,
                            std::span<const std::int32_t> values) {
  add(name, "I32", shape, bytes_of_numbers(values));
}

std::string SafetensorsWriter::bytes(const ExportMetadata& metadata) const {
  nlohmann::ordered_json header;
  header[kMetadata] = metadata;
  std::size_t begin = 0;
  for (const Entry& entry : entries_) {
    header[entry.name] = {
        {"dtype", entry.type}, {"shape", entry.shape}, {"data_offsets", {begin, entry.end}}};
    begin = entry.end;
  }
  std::string text = json_text(header);
  text.resize((text.size() + 7) / 8 * 8, ' ');  // so that the tensors are aligned
  const std::uint64_t length = text.size();
  std::string bytes(sizeof length, '\0');
  std::memcpy(bytes.data(), &length, sizeof length);
  return bytes + text + data_;
}

std::string write_safetensors(const FoldedNetwork& network, ExportPrecision precision,
                              const ExportMetadata& metadata) {
  SafetensorsWriter out;
  for_each_tensor(network, [&](const std::string& name, const FloatTensor& tensor) {
    out.add(name, tensor.shape, tensor.values, precision);
  });
  return out.bytes(metadata);
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
      if (depth > kDeepestTensorHeader) throw std::runtime_error("the header nests too deeply");
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
