// Making bundles (bundle.h).
#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include <nlohmann/json.hpp>

#include "model/export/export_source.h"

namespace faultline {

/// write_torchscript, for programs that link LibTorch.
using WriteTorchScript =
    std::function<std::string(const FoldedNetwork&, const ExportOptions&, const ExportMetadata&)>;

/// How far outputs may lie from the golden ones.
struct GoldenTolerance {
  double probability = 0;  // absolute
  double moves_left = 0;   // relative, of at least one ply
};
GoldenTolerance golden_tolerance(ExportPrecision precision);

/// The least number of positions in golden.jsonl.
inline constexpr std::size_t kGoldenPositions = 256;

/// The keys of model.json that follow from the network and its encoding.
nlohmann::ordered_json model_json(const ExportSource& source, const ExportOptions& options);

/// The bytes of a bundle. `about`: further keys of model.json, such as the run. Throws ExportError.
std::string write_bundle(const ExportSource& source, const ExportOptions& options,
                         const nlohmann::ordered_json& about,
                         const WriteTorchScript& write_torchscript);

}  // namespace faultline
