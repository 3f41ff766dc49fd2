// The safetensors format (huggingface.co/docs/safetensors): u64 length of the header, the header in
// JSON, the tensors' bytes. Reading and writing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/export/export_options.h"
#include "model/inference/folded_network.h"

namespace faultline {

/// Collects tensors and writes the file.
class SafetensorsWriter {
 public:
  void add(const std::string& name, const std::vector<std::int64_t>& shape,
           std::span<const float> values, ExportPrecision precision);
  void add(const std::string& name, const std::vector<std::int64_t>& shape,
           std::span<const std::int16_t> values);
  void add(const std::string& name, const std::vector<std::int64_t>& shape,
           std::span<const std::int32_t> values);
  std::string bytes(const ExportMetadata& metadata) const;

 private:
  void add(const std::string& name, const char* type, const std::vector<std::int64_t>& shape,
           std::string_view bytes);

  struct Entry {
    std::string name;
    std::string type;
    std::vector<std::int64_t> shape;
    std::size_t end;  // in data_
  };
  std::vector<Entry> entries_;
  std::string data_;
};

/// All tensors of the network in one precision, named as in folded_tensors.h.
std::string write_safetensors(const FoldedNetwork& network, ExportPrecision precision,
                              const ExportMetadata& metadata);

struct SafetensorsFile {
  ExportMetadata metadata;
  std::map<std::string, FloatTensor> tensors;  // widened to fp32
};

/// Reads files of F32, F16, BF16, I16 and I32 tensors; of the last, only numbers below 2^24 are
/// exact. The bytes are not trusted: memory use stays
/// proportional to their number. Throws ExportError that says what is wrong; `source` names them.
SafetensorsFile read_safetensors(std::string_view bytes, const std::string& source);

}  // namespace faultline
