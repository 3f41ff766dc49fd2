// Stands in for onnx_export.cpp and onnx_reader.cpp where libonnx was not found.
#include "model/export/onnx_export.h"

namespace faultline {
namespace {

[[noreturn]] void refuse() {
  throw ExportError(
      "ONNX: this program was built without libonnx; install libonnx-dev and libprotobuf-dev "
      "(scripts/setup does), configure and build again");
}

}  // namespace

bool has_onnx() {
  return false;
}

std::string write_onnx(const FoldedNetwork&, const ExportOptions&, const ExportMetadata&) {
  refuse();
}

OnnxFile read_onnx(const std::string&) {
  refuse();
}

}  // namespace faultline
