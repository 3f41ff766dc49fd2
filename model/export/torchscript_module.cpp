// Loading and running TorchScript.
#include "model/export/torchscript_module.h"

#include <memory>
#include <sstream>
#include <utility>
#include <vector>

#include <ATen/ATen.h>
#include <c10/core/InferenceMode.h>
#include <nlohmann/json.hpp>
#include <torch/csrc/jit/api/module.h>
#include <torch/csrc/jit/serialization/import.h>

#include "model/export/export_options.h"
#include "model/torch_compat.h"

namespace faultline {
namespace {

[[noreturn]] void refuse(const std::string& reason) {
  throw ExportError("TorchScript: " + reason);
}

struct Shapes {
  std::int64_t planes = 0, height = 0, width = 0;
  bool legal = true;
};

Shapes shapes_of(const torch::jit::ExtraFilesMap& extra) {
  try {
    const auto encoding = nlohmann::json::parse(extra.at("encoding.json"));
    const auto network = nlohmann::json::parse(extra.at("network.json"));
    return {.planes = static_cast<std::int64_t>(encoding.at("planes").size()),
            .height = encoding.at("height").get<std::int64_t>(),
            .width = encoding.at("width").get<std::int64_t>(),
            .legal = network.at("policy").get<std::string>() == "legal"};
  } catch (const std::exception&) {
    refuse("the file does not carry the descriptions of its encoding and its network");
  }
}

std::vector<float> floats_of(const c10::IValue& value) {
  const at::Tensor tensor = value.toTensor().to(at::kFloat).contiguous();
  const float* data = tensor.data_ptr<float>();
  return {data, data + tensor.numel()};
}

}  // namespace

RunModule load_torchscript(const std::string& bytes) {
  try {
    std::istringstream in(bytes);
    torch::jit::ExtraFilesMap extra{{"encoding.json", ""}, {"network.json", ""}};
    auto module =
        std::make_shared<torch::jit::Module>(torch::jit::load(in, at::Device(at::kCPU), extra));
    const Shapes shapes = shapes_of(extra);
    return [module, shapes](const ModuleInputs& inputs) -> ModuleOutputs {
      try {
        use_one_thread();
        const c10::InferenceMode inference;
        const auto tensor = [&](const auto& values, at::IntArrayRef shape, at::ScalarType type) {
          using T = typename std::decay_t<decltype(values)>::value_type;
          return at::from_blob(const_cast<T*>(values.data()), shape, type);
        };
        std::vector<c10::IValue> arguments = {tensor(
            inputs.planes, {inputs.batch, shapes.planes, shapes.height, shapes.width}, at::kFloat)};
        if (shapes.legal)
          arguments.emplace_back(
              tensor(inputs.move_slots, {inputs.batch, inputs.moves}, at::kLong));
        const auto results = module->forward(std::move(arguments)).toTuple();
        const auto& elements = results->elements();
        return {floats_of(elements[0]), floats_of(elements[1]), floats_of(elements[2])};
      } catch (const c10::Error& error) {
        refuse(error.what_without_backtrace());
      }
    };
  } catch (const ExportError&) {
    throw;
  } catch (const c10::Error& error) {
    refuse(error.what_without_backtrace());
  } catch (const std::exception& error) {
    refuse(error.what());
  }
}

}  // namespace faultline
