// What "auto" stands for: the backend, the precision and the batch for a device and a network.
#include "model/inference/backend_choice.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <utility>

namespace faultline {
namespace {

using Features = ProcessorFeatures;
constexpr int kAnyWidth = std::numeric_limits<int>::max();

/// What is fastest on a CPU: of the rows that the processor and the network's width fit, the first
/// one that is a candidate. docs/inference.md has the figures.
struct Row {
  std::string_view backend;
  Precision precision;
  int most_channels;
  bool (*runs_well)(const Features&);
};
constexpr Row kFastest[] = {
    {"onednn", Precision::Int8, kAnyWidth, [](const Features& p) { return p.amx_int8; }},
    {"cpu", Precision::Int8, kWidestOwn,
     [](const Features& p) { return p.avx512 && p.avx512_vnni; }},
    {"onednn", Precision::Int8, kAnyWidth,
     [](const Features& p) { return p.avx512_vnni || p.avx_vnni; }},
    {"cpu", Precision::Int8, kAnyWidth,
     [](const Features& p) { return p.avx512 && p.avx512_vnni; }},
    {"onednn", Precision::Bf16, kAnyWidth,
     [](const Features& p) { return p.amx_bf16 || p.avx512_bf16; }},
    {"onednn", Precision::Fp32, kAnyWidth, [](const Features&) { return true; }},
    {"cpu", Precision::Fp32, kAnyWidth, [](const Features&) { return true; }},
};

const BackendAttributes* find(const std::vector<BackendAttributes>& candidates,
                              std::string_view backend, Precision precision) {
  for (const BackendAttributes& candidate : candidates)
    if (candidate.name == backend && candidate.precision == precision) return &candidate;
  return nullptr;
}

const BackendAttributes& fastest(const std::vector<BackendAttributes>& candidates, int channels,
                                 const ProcessorFeatures& processor) {
  if (!candidates.front().runs_on_cpu) return candidates.front();
  for (const Row& row : kFastest)
    if (row.runs_well(processor) && channels <= row.most_channels)
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
      if (auto attributes = info.attributes(
              {.device = options.device, .precision = precision, .backend = wanted}))
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

InferenceChoice choose_inference(const BackendRegistry& backends, const DeviceOptions& options,
                                 const InferenceNeeds& needs, const ProcessorFeatures& processor) {
  const std::vector<BackendAttributes> candidates =
      backend_candidates(backends, options, needs.precisions);
  const BackendAttributes& best = fastest(candidates, needs.channels, processor);
  const std::size_t most = needs.largest_batch / best.in_flight;
  return {.backend = best.name,
          .device = best.device,
          .precision = best.precision,
          .batch = std::clamp<std::size_t>(most, 1, best.best_batch)};
}

}  // namespace faultline
