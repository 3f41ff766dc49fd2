// A network as an ONNX graph (github.com/onnx/onnx, IR 8, opset 17).
#pragma once

#include <map>
#include <string>
#include <vector>

#include "model/export/export_options.h"
#include "model/inference/folded_network.h"

namespace faultline {

inline constexpr int kOnnxOpset = 17;

/// Whether the program was built with libonnx.
bool has_onnx();

/// The bytes of a .onnx file. Throws ExportError for bf16, for which the opset has no convolution,
/// and without libonnx.
std::string write_onnx(const FoldedNetwork& network, const ExportOptions& options,
                       const ExportMetadata& metadata);

/// What a .onnx file says of itself.
struct OnnxFile {
  int opset = 0;
  ExportMetadata metadata;
  std::map<std::string, FloatTensor> tensors;  // the initialisers of floats, widened to fp32
  std::vector<std::string> inputs, outputs;
};

/// The bytes are not trusted. Throws ExportError for those of no ONNX graph, and without libonnx.
OnnxFile read_onnx(const std::string& bytes);

}  // namespace faultline
