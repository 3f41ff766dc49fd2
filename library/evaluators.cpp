// faultline.h: evaluators.
#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/nearest_name.h"
#include "base/quote.h"
#include "engine/engine_analyser.h"
#include "library/errors.h"
#include "library/handles.h"
#include "library/openmp_threads.h"
#include "model/checkpoint.h"
#include "model/checkpoint_folder.h"
#include "model/inference/backend_registry.h"
#include "model/net_search.h"

namespace faultline {
namespace {

constexpr std::size_t kLargestBatch = 256;

PrecisionChoice precision_of(const char* name) {
  if (name == nullptr) return PrecisionChoice::Auto;
  const std::vector<std::string> names = precision_choice_names();
  const auto found = std::ranges::find(names, std::string(name));
  if (found == names.end()) {
    std::string allowed;
    for (const std::string& known : names)
      allowed += (allowed.empty() ? "" : ", ") + known;
    throw LibraryError(FAULTLINE_ERROR_ARGUMENT, "there is no precision " + quote(name) +
                                                     "; they are " + allowed +
                                                     did_you_mean(nearest_name(name, names)));
  }
  return static_cast<PrecisionChoice>(found - names.begin());
}

std::unique_ptr<faultline_evaluator> load(const std::filesystem::path& path,
                                          const faultline_variant* variant,
                                          const DeviceOptions& device) {
  const KeepsOpenMpThreads keeps;
  const std::filesystem::path file = find_network(path);
  if (variant == nullptr)
    variant = &variant_of(find_game(read_checkpoint_info(file).encoding.variant));
  const std::shared_ptr<Backend> backend = load_net(file, *variant->game, device, cpu_backends());
  const NetSearch search = net_search(file);
  return std::make_unique<faultline_evaluator>(faultline_evaluator{
      .variant = variant,
      .evaluator = variant->game->network_evaluator(backend),
      .description =
          backend->describe() + (search.notice.empty()
                                     ? ""
                                     : "; does not say how it is to be searched: default settings"),
      .largest_batch = std::min(kLargestBatch, backend->attributes().largest_batch),
      .search = search.settings});
}

std::unique_ptr<faultline_evaluator> builtin(const faultline_variant& variant,
                                             const std::string& name) {
  const auto evaluator = [&]() -> std::shared_ptr<GameEvaluator> {
    if (name == "uniform") return variant.game->uniform_evaluator();
    if (name == "material") return variant.game->material_evaluator();
    throw LibraryError(FAULTLINE_ERROR_ARGUMENT,
                       "there is no evaluator " + quote(name) + "; they are uniform, material");
  }();
  return std::make_unique<faultline_evaluator>(faultline_evaluator{.variant = &variant,
                                                                   .evaluator = evaluator,
                                                                   .description = name,
                                                                   .largest_batch = kLargestBatch});
}

std::vector<const GamePosition*> positions_of(const faultline_evaluator& evaluator,
                                              const faultline_position* const* positions,
                                              std::size_t count) {
  std::vector<const GamePosition*> found;
  for (std::size_t i = 0; i < count; ++i) {
    const std::string name = "positions[" + std::to_string(i) + "]";
    const faultline_position& position = given(positions[i], name.c_str());
    require_variant(position, *evaluator.variant, "evaluator");
    if (position.position->legal_moves().empty())
      throw LibraryError(FAULTLINE_ERROR_GAME_OVER,
                         name + " has no legal moves: " + position.position->fen());
    found.push_back(position.position.get());
  }
  return found;
}

std::vector<RawEvaluation> evaluate(const faultline_evaluator& evaluator,
                                    std::span<const GamePosition* const> positions) {
  const KeepsOpenMpThreads keeps;
  std::vector<RawEvaluation> found;
  for (std::size_t first = 0; first < positions.size(); first += evaluator.largest_batch) {
    const std::size_t batch = std::min(evaluator.largest_batch, positions.size() - first);
    for (RawEvaluation& evaluation : evaluator.evaluator->evaluate(positions.subspan(first, batch)))
      found.push_back(std::move(evaluation));
  }
  return found;
}

}  // namespace

std::filesystem::path find_network(const std::filesystem::path& path) {
  if (!std::filesystem::is_directory(path)) return path;
  const std::vector<NamedCheckpoint> checkpoints = checkpoints_in(path / "nets");
  if (checkpoints.empty())
    throw CheckpointError(path,
                          "a folder without nets; a run's folder keeps them as nets/000123.pt");
  return checkpoints.back().file;
}

}  // namespace faultline

using faultline::given;
using faultline::LibraryError;
using faultline::pointer_of;
using faultline::status_of;

faultline_evaluator* faultline_evaluator_load(const char* path, const faultline_variant* variant,
                                              const char* backend, const char* precision) {
  return pointer_of([&] {
    return faultline::load(&given(path, "path"), variant,
                           {.device = "cpu",
                            .backend = backend == nullptr ? faultline::kAuto : backend,
                            .precision = faultline::precision_of(precision)})
        .release();
  });
}

faultline_evaluator* faultline_evaluator_builtin(const faultline_variant* variant,
                                                 const char* name) {
  return pointer_of([&] {
    return faultline::builtin(given(variant, "variant"), &given(name, "name")).release();
  });
}

void faultline_evaluator_free(faultline_evaluator* evaluator) {
  delete evaluator;
}

const faultline_variant* faultline_evaluator_variant(const faultline_evaluator* evaluator) {
  return pointer_of([&] { return given(evaluator, "evaluator").variant; });
}

const char* faultline_evaluator_description(const faultline_evaluator* evaluator) {
  return pointer_of([&] { return given(evaluator, "evaluator").description.c_str(); });
}

int faultline_evaluator_evaluate(const faultline_evaluator* evaluator,
                                 const faultline_position* const* positions, size_t count,
                                 faultline_evaluation* evaluations, float* policy,
                                 size_t policy_size) {
  return status_of([&] {
    given(evaluator, "evaluator");
    if (count == 0) return;
    given(positions, "positions");
    given(evaluations, "evaluations");
    const auto found =
        faultline::evaluate(*evaluator, faultline::positions_of(*evaluator, positions, count));
    std::size_t moves = 0;
    for (const faultline::RawEvaluation& evaluation : found)
      moves += evaluation.priors.size();
    if (policy != nullptr && policy_size < moves)
      throw LibraryError(FAULTLINE_ERROR_ARGUMENT, "the policy is " + std::to_string(moves) +
                                                       " floats, there is room for " +
                                                       std::to_string(policy_size));
    for (const auto& [value, priors] : found) {
      *evaluations++ = {
          .win = value.win, .draw = value.draw, .loss = value.loss, .moves_left = value.moves_left};
      if (policy != nullptr) policy = std::ranges::copy(priors, policy).out;
    }
  });
}
