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

#include "base/json_fields.h"
#include "model/export/export_options.h"
#include "model/export/json_text.h"
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

Shapes shapes_of(const ExportMetadata& metadata) {
  const auto encoding = parse_json(metadata.at("encoding"), "encoding");
  const auto network = parse_json(metadata.at("network"), "network");
  const auto planes = json_field<std::vector<nlohmann::json>>(encoding, "planes", "encoding");
  const Shapes shapes{.planes = static_cast<std::int64_t>(planes.size()),
                      .height = json_field<std::int64_t>(encoding, "height", "encoding"),
                      .width = json_field<std::int64_t>(encoding, "width", "encoding"),
                      .legal = json_field<std::string>(network, "policy", "network") == "legal"};
  constexpr std::int64_t kLargest = 1 << 16;
  for (const std::int64_t size : {shapes.planes, shapes.height, shapes.width})
    if (size < 1 || size > kLargest)
      refuse("its encoding has " + std::to_string(size) + " planes, rows or columns");
  return shapes;
}

std::vector<float> floats_of(const at::Tensor& of) {
  const at::Tensor tensor = of.to(at::kFloat).contiguous();
  const float* data = tensor.data_ptr<float>();
  return {data, data + tensor.numel()};
}

/// A view of values; throws ExportError if they are not as many as the shape says.
template <class T>
at::Tensor view(const std::vector<T>& values, const std::vector<std::int64_t>& shape,
                at::ScalarType type, const char* name) {
  std::int64_t count = 1;
  for (const std::int64_t size : shape)
    count *= size;
  if (static_cast<std::int64_t>(values.size()) != count)
    refuse(std::string(name) + " has " + std::to_string(values.size()) +
           " values; the network takes " + std::to_string(count));
  return at::from_blob(const_cast<T*>(values.data()), shape, type);
}

ModuleOutputs run(torch::jit::Module& module, const Shapes& shapes, const ModuleInputs& inputs) {
  std::vector<c10::IValue> arguments = {
      view(inputs.planes, {inputs.batch, shapes.planes, shapes.height, shapes.width}, at::kFloat,
           kPlanesInput)};
  if (shapes.legal)
    arguments.emplace_back(
        view(inputs.move_slots, {inputs.batch, inputs.moves}, at::kLong, kMoveSlotsInput));
  const c10::IValue result = module.forward(std::move(arguments));
  if (!result.isTuple() || result.toTupleRef().elements().size() != 3)
    refuse("it does not return three outputs");
  const auto& outputs = result.toTupleRef().elements();
  for (const c10::IValue& output : {outputs[0], outputs[1], outputs[2]})
    if (!output.isTensor()) refuse("an output is not a tensor");
  return {floats_of(outputs[0].toTensor()), floats_of(outputs[1].toTensor()),
          floats_of(outputs[2].toTensor())};
}

}  // namespace

LoadedModule load_torchscript(const std::string& bytes) {
  try {
    std::istringstream in(bytes);
    torch::jit::ExtraFilesMap extra{{"encoding.json", ""}, {"network.json", ""}};
    auto module =
        std::make_shared<torch::jit::Module>(torch::jit::load(in, at::Device(at::kCPU), extra));
    LoadedModule loaded;
    loaded.metadata = {{"encoding", extra.at("encoding.json")},
                       {"network", extra.at("network.json")}};
    const Shapes shapes = shapes_of(loaded.metadata);
    for (const auto& [name, tensor] : module->named_buffers())
      loaded.tensors[name] = {tensor.sizes().vec(), floats_of(tensor)};
    loaded.run = [module, shapes](const ModuleInputs& inputs) -> ModuleOutputs {
      try {
        use_one_thread();
        const c10::InferenceMode inference;
        return run(*module, shapes, inputs);
      } catch (const c10::Error& error) {
        refuse(error.what_without_backtrace());
      }
    };
    return loaded;
  } catch (const ExportError&) {
    throw;
  } catch (const c10::Error& error) {
    refuse(error.what_without_backtrace());
  } catch (const std::exception& error) {
    refuse(error.what());
  }
}

}  // namespace faultline
