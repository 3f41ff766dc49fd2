// Choosing a backend by name, device and precision.
#include "model/inference/backend_registry.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "base/nearest_name.h"
#include "base/quote.h"
#include "model/calibration.h"
#include "model/inference/cpu_backend.h"
#ifdef FAULTLINE_ONEDNN
#include "model/inference/onednn/backend.h"
#endif
#include "rules/variant.h"

namespace faultline {
namespace {

std::vector<std::string> names_of(const std::vector<BackendInfo>& backends) {
  std::vector<std::string> names;
  for (const BackendInfo& backend : backends)
    names.push_back(backend.name);
  return names;
}

std::string listed(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names)
    text += (text.empty() ? "" : ", ") + name;
  return text;
}

}  // namespace

void BackendRegistry::add(BackendInfo info) {
  if (std::ranges::count(backends_, info.name, &BackendInfo::name) > 0)
    throw std::invalid_argument("backend '" + info.name + "' is registered twice");
  backends_.push_back(std::move(info));
}

const BackendInfo& BackendRegistry::find(std::string_view name) const {
  const auto found = std::ranges::find(backends_, name, &BackendInfo::name);
  if (found != backends_.end()) return *found;
  const std::vector<std::string> names = names_of(backends_);
  const std::string near = nearest_name(name, names);
  throw std::invalid_argument("unknown backend " + quote(name) +
                              (near.empty() ? "" : "; did you mean '" + near + "'?") +
                              "; this program has " + listed(names));
}

BackendRegistry::Choice BackendRegistry::choose(const BackendOptions& options) const {
  if (!options.backend.empty()) {
    const BackendInfo& info = find(options.backend);
    if (auto attributes = info.attributes(options)) return {&info, std::move(*attributes)};
    throw std::invalid_argument("backend '" + info.name + "' does not run on device " +
                                quote(options.device) + " in " +
                                std::string(name(options.precision)) + " (" + info.help + ")");
  }
  std::optional<Choice> best;
  for (const BackendInfo& info : backends_)
    if (auto attributes = info.attributes(options))
      if (!best || (best->attributes.runs_on_cpu && !attributes->runs_on_cpu))
        best = {&info, std::move(*attributes)};
  if (best) return std::move(*best);
  std::string message = "no backend of this program runs on device " + quote(options.device) +
                        " in " + std::string(name(options.precision)) + "; it has";
  for (const BackendInfo& info : backends_)
    message += (&info == &backends_.front() ? " " : "; ") + info.name + " (" + info.help + ")";
  throw std::invalid_argument(message);
}

BackendAttributes BackendRegistry::attributes(const BackendOptions& options) const {
  return choose(options).attributes;
}

std::shared_ptr<Backend> BackendRegistry::create(const NetworkValues& network,
                                                 const BackendOptions& options) const {
  const Choice choice = choose(options);
  FoldedNetwork folded = fold(network);
  if (options.precision == Precision::Int8 && !folded.ranges)
    folded.ranges = calibrate(folded, random_game_planes(folded.encoding, kCalibrationPositions));
  return choice.info->create(folded, options);
}

const BackendRegistry& cpu_backends() {
  static const BackendRegistry registry = [] {
    BackendRegistry all;
#ifdef FAULTLINE_ONEDNN
    register_onednn_backend(all);
#endif
    register_cpu_backend(all);
    return all;
  }();
  return registry;
}

}  // namespace faultline
