// Putting a bundle's files together.
#include "model/export/bundle_writer.h"

#include <map>
#include <utility>
#include <vector>

#include "base/json_text.h"
#include "model/export/archive.h"
#include "model/export/bundle.h"
#include "model/export/fast_export.h"
#include "model/export/golden_positions.h"
#include "model/export/onnx_export.h"
#include "model/export/safetensors.h"
#include "model/inference/folded_backend.h"

namespace faultline {

GoldenTolerance golden_tolerance(ExportPrecision precision) {
  switch (precision) {
    case ExportPrecision::Fp32:
      return {.probability = 1e-4, .moves_left = 1e-3};
    case ExportPrecision::Fp16:
      return {.probability = 1e-2, .moves_left = 2e-2};
    case ExportPrecision::Bf16:
      return {.probability = 8e-2, .moves_left = 0.15};
  }
  return {};
}

nlohmann::ordered_json model_json(const ExportSource& source, const ExportOptions& options) {
  const GoldenTolerance tolerance = golden_tolerance(options.precision);
  nlohmann::ordered_json model = {{"format", kBundleFormat},
                                  {"variant", source.info.encoding.variant}};
  model.update(network_json(source, options));
  model["opset"] = kOnnxOpset;
  model["tolerance"] = {{"probability", tolerance.probability},
                        {"moves_left", tolerance.moves_left}};
  return model;
}

std::string write_bundle(const ExportSource& source, const ExportOptions& options,
                         const nlohmann::ordered_json& about,
                         const WriteTorchScript& write_torchscript) {
  if (options.batch > 0)
    throw ExportError("bundle: its networks take any batch; leave --batch out or dynamic");
  const ExportMetadata metadata = export_metadata(source, options);
  std::map<std::string, std::string> files;
  files[kBundleOnnx] = write_onnx(source.network, options, metadata);
  files[kBundleTorchScript] = write_torchscript(source.network, options, metadata);
  files[kBundleSafetensors] = write_safetensors(source.network, options.precision, metadata);
  files[kBundleEncoding] = json_text(source.encoding, 1) + "\n";
  if (source.fast) files[kBundleFast] = write_fast_export(*source.fast);

  // The reference is this program's own arithmetic in fp32, whatever the precision of the files.
  const auto backend = make_backend(source.network, cpu_backends(), {.device = "cpu"});
  std::string& golden = files[kBundleGolden];
  for (const GoldenPosition& position :
       golden_positions(source.info.encoding, backend.get(), kGoldenPositions))
    golden += json_text(to_json(position, source.info.encoding)) + "\n";

  nlohmann::ordered_json model = model_json(source, options);
  model.update(about);
  model["files"] = file_table(files);

  std::vector<std::pair<std::string, std::string>> members;
  members.emplace_back(kBundleModel, model_text(std::move(model)));
  for (auto& [name, content] : files)
    members.emplace_back(name, std::move(content));
  return write_archive(members);
}

}  // namespace faultline
