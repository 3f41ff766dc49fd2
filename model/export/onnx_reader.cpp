// Taking ONNX files apart with the protobuf classes of libonnx.
#include <cstdint>
#include <optional>

#include <onnx/onnx_pb.h>

#include "base/quote.h"
#include "model/export/float_bits.h"
#include "model/export/onnx_export.h"

namespace faultline {
namespace {

using onnx::TensorProto;

/// The tensor if it is one of floats.
std::optional<FloatTensor> floats_of(const TensorProto& tensor) {
  if (tensor.data_type() != TensorProto::FLOAT && tensor.data_type() != TensorProto::FLOAT16)
    return std::nullopt;
  const auto precision =
      tensor.data_type() == TensorProto::FLOAT ? ExportPrecision::Fp32 : ExportPrecision::Fp16;
  FloatTensor floats{.shape = {tensor.dims().begin(), tensor.dims().end()}, .values = {}};
  std::uint64_t count = 1;
  const std::uint64_t most = tensor.raw_data().size();
  for (const std::int64_t size : floats.shape) {
    if (size < 1 || static_cast<std::uint64_t>(size) > most || count > most / 2)
      throw ExportError("tensor " + quote(tensor.name()) + ": its shape does not fit its values");
    count *= static_cast<std::uint64_t>(size);
  }
  if (count * bytes_of(precision) != most)
    throw ExportError("tensor " + quote(tensor.name()) +
                      ": its shape does not fit its values, or they are not stored as raw data");
  floats.values = from_bytes(tensor.raw_data(), precision);
  return floats;
}

}  // namespace

OnnxFile read_onnx(const std::string& bytes) {
  onnx::ModelProto model;
  if (!model.ParsePartialFromString(bytes) || !model.IsInitialized() || !model.has_graph())
    throw ExportError("is no ONNX file");
  OnnxFile file;
  for (const onnx::OperatorSetIdProto& opset : model.opset_import())
    if (opset.domain().empty()) file.opset = static_cast<int>(opset.version());
  for (const onnx::StringStringEntryProto& entry : model.metadata_props())
    file.metadata[entry.key()] = entry.value();
  for (const TensorProto& tensor : model.graph().initializer())
    if (auto floats = floats_of(tensor)) file.tensors[tensor.name()] = std::move(*floats);
  for (const onnx::ValueInfoProto& input : model.graph().input())
    file.inputs.push_back(input.name());
  for (const onnx::ValueInfoProto& output : model.graph().output())
    file.outputs.push_back(output.name());
  return file;
}

}  // namespace faultline
