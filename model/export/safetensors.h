// The safetensors format (huggingface.co/docs/safetensors): u64 length of the header, the header in
// JSON, the tensors' bytes. Reading and writing.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "model/export/export_options.h"
#include "model/inference/folded_network.h"

namespace faultline {

/// All tensors of the network in one precision, named as in folded_tensors.h.
std::string write_safetensors(const FoldedNetwork& network, ExportPrecision precision,
                              const ExportMetadata& metadata);

struct SafetensorsFile {
  ExportMetadata metadata;
  std::map<std::string, FloatTensor> tensors;  // widened to fp32
};

/// Reads files of F32, F16 and BF16 tensors. The bytes are not trusted: memory use stays
/// proportional to their number. Throws ExportError that says what is wrong; `source` names them.
SafetensorsFile read_safetensors(std::string_view bytes, const std::string& source);

}  // namespace faultline
