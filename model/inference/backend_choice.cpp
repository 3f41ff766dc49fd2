// What "auto" stands for: the backend and the precision for a device.
#include "model/inference/backend_choice.h"

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <utility>

namespace faultline {
namespace {

bool has_int8(const ProcessorFeatures& p) {
  return p.amx_int8 || p.avx512_vnni || p.avx_vnni;
}
bool has_vnni_without_amx(const ProcessorFeatures& p) {
  return p.avx512 && p.avx512_vnni && !p.amx_int8;
}
bool has_bf16(const ProcessorFeatures& p) {
  return p.amx_bf16 || p.avx512_bf16;
}
bool any(const ProcessorFeatures&) {
  return true;
}

/// What runs fastest on a CPU by the measurements in docs/inference.md (small networks) and
/// docs/measurements.md, the fastest first.
struct Preference {
  std::string_view backend;
  Precision precision;
  bool (*runs_well)(const ProcessorFeatures&);
};
constexpr std::array<Preference, 6> kPreferences = {{
    {"cpu", Precision::Int8, has_vnni_without_amx},
    {"onednn", Precision::Int8, has_int8},
    {"onednn", Precision::Bf16, has_bf16},
    {"onednn", Precision::Fp32, any},
    {"cpu", Precision::Fp32, any},
    {"libtorch", Precision::Fp32, any},
}};

const BackendAttributes* find(const std::vector<BackendAttributes>& candidates,
                              std::string_view backend, Precision precision) {
  for (const BackendAttributes& candidate : candidates)
    if (candidate.name == backend && candidate.precision == precision) return &candidate;
  return nullptr;
}

const BackendAttributes& preferred(const std::vector<BackendAttributes>& candidates,
                                   const ProcessorFeatures& processor) {
  if (candidates.front().runs_on_cpu)
    for (const Preference& row : kPreferences)
      if (row.runs_well(processor))
        if (const auto* const found = find(candidates, row.backend, row.precision)) return *found;
  const auto fp32 = std::ranges::find(candidates, Precision::Fp32, &BackendAttributes::precision);
  return fp32 == candidates.end() ? candidates.front() : *fp32;
}

}  // namespace

BackendOptions backend_options(const InferenceChoice& choice) {
  return {.device = choice.device, .precision = choice.precision, .backend = choice.backend};
}

std::vector<BackendAttributes> backend_candidates(const BackendRegistry& backends,
                                                  const DeviceOptions& options,
                                                  std::span<const Precision> allowed) {
  const std::optional<Precision> only = fixed_precision(options.precision);
  const std::span<const Precision> precisions =
      only ? std::span<const Precision>(&*only, 1) : allowed;
  const std::string wanted = options.backend == kAuto ? std::string() : options.backend;
  if (!wanted.empty()) backends.find(wanted);
  std::vector<BackendAttributes> candidates;
  for (const BackendInfo& info : backends.all()) {
    if (!wanted.empty() && info.name != wanted) continue;
    for (const Precision precision : precisions)
      if (auto attributes = info.attributes({.device = options.device, .precision = precision}))
        candidates.push_back(std::move(*attributes));
  }
  // Throws, with what there is.
  if (candidates.empty())
    backends.attributes({.device = options.device,
                         .precision = precisions.empty() ? Precision::Fp32 : precisions.front(),
                         .backend = wanted});
  if (candidates.empty()) throw std::invalid_argument("no precision is allowed");
  if (!std::ranges::all_of(candidates, &BackendAttributes::runs_on_cpu))
    std::erase_if(candidates, &BackendAttributes::runs_on_cpu);
  return candidates;
}

InferenceChoice choose_by_processor(const BackendRegistry& backends, const DeviceOptions& options,
                                    std::span<const Precision> allowed,
                                    const ProcessorFeatures& processor) {
  const std::vector<BackendAttributes> candidates = backend_candidates(backends, options, allowed);
  const BackendAttributes& best = preferred(candidates, processor);
  return {.backend = best.name,
          .device = best.device,
          .precision = best.precision,
          .batch = best.best_batch};
}

}  // namespace faultline
