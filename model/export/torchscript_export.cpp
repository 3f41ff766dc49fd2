// Making the TorchScript module with LibTorch.
#include "model/export/torchscript_export.h"

#include <sstream>

#include <ATen/ATen.h>
#include <torch/csrc/jit/api/module.h>

#include "model/export/folded_tensors.h"
#include "model/export/torchscript_source.h"

namespace faultline {

std::string write_torchscript(const FoldedNetwork& network, const ExportOptions& options,
                              const ExportMetadata& metadata) {
  if (options.batch > 0)
    throw ExportError("TorchScript: the module takes any batch; leave --batch out or dynamic");
  const at::ScalarType type = options.precision == ExportPrecision::Fp16   ? at::kHalf
                              : options.precision == ExportPrecision::Bf16 ? at::kBFloat16
                                                                           : at::kFloat;
  try {
    torch::jit::Module module("FaultlineNetwork");
    for_each_tensor(network, [&](const std::string& name, const FloatTensor& tensor) {
      auto* const values = const_cast<float*>(tensor.values.data());  // copied before it returns
      module.register_buffer(attribute_name(name),
                             at::from_blob(values, tensor.shape, at::kFloat)
                                 .to(is_convolution(tensor, name) ? type : at::kFloat,
                                     /*non_blocking=*/false, /*copy=*/true));
    });
    module.define(torchscript_source(network, options.policy));
    module.eval();
    torch::jit::ExtraFilesMap extra;
    for (const auto& [key, text] : metadata)
      extra[key + ".json"] = text;
    std::ostringstream out;
    module.save(out, extra);
    return std::move(out).str();
  } catch (const c10::Error& error) {
    throw ExportError(std::string("TorchScript: ") + error.what_without_backtrace());
  }
}

}  // namespace faultline
