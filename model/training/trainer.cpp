// Gradient steps on a network.
#include "model/training/trainer.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <c10/core/GradMode.h>
#include <nlohmann/json.hpp>

#include "base/json_fields.h"
#include "model/checkpoint_file.h"
#include "model/inference/activation_ranges.h"
#include "model/inference/folded_network.h"
#include "model/inference/libtorch_backend.h"
#include "model/torch_compat.h"
#include "model/training/losses.h"
#include "model/training/network.h"
#include "model/training/optimizer.h"

namespace faultline {
namespace {

void check_batch(const TrainBatch& batch, const EncodingInfo& encoding) {
  const auto need = [](bool good, const char* what) {
    if (!good) throw std::invalid_argument(std::string("training batch: ") + what);
  };
  need(batch.count > 0, "no positions");
  need(batch.planes.size() == batch.count * encoding.floats(),
       "the planes are not those of the network's encoding");
  need(batch.first_move.size() == batch.count + 1 && batch.first_move.front() == 0 &&
           batch.first_move.back() == batch.moves.size(),
       "first_move does not match the moves");
  need(std::ranges::adjacent_find(batch.first_move, std::greater_equal<>()) ==
           batch.first_move.end(),
       "a position has no moves");
  // Plain loops index by them.
  const auto within = [](std::int32_t index, std::size_t count) {
    return index >= 0 && static_cast<std::size_t>(index) < count;
  };
  const auto cells = static_cast<std::size_t>(encoding.policy_cells());
  need(std::ranges::all_of(batch.moves,
                           [&](const PolicyIndex& move) {
                             return within(move.from, cells) && within(move.to, cells) &&
                                    within(move.kind, encoding.policy_kinds.size());
                           }),
       "a move is not one of the encoding's");
  need(batch.policy.size() == batch.moves.size(), "needs one policy target per move");
  need(batch.wdl.size() == 3 * batch.count, "needs three value targets per position");
  need(batch.moves_left.size() == batch.count, "needs one moves-left target per position");
}

at::ScalarType type_of(TrainingPrecision precision) {
  return precision == TrainingPrecision::Bf16 ? at::kBFloat16 : at::kFloat;
}

TrainParams resolved(TrainParams params, TrainingPrecision otherwise) {
  if (params.precision == TrainingPrecision::Auto) params.precision = otherwise;
  return params;
}

}  // namespace

struct Trainer::Impl {
  Impl(const EncodingInfo& encoding, const NetConfig& net, const TrainParams& p, at::Device device)
      : params(resolved(p, TrainingPrecision::Fp32)),
        weights(encoding, net, device),
        gradient(weights.require_gradients()),
        optimizer(p.optimizer, weights.parameters()) {}

  void keep_planes(const TrainBatch& batch) {
    const std::size_t floats = weights.encoding().floats();
    const std::size_t kept = std::min(batch.count, kCalibrationPositions);
    recent_planes.assign(batch.planes.begin(),
                         batch.planes.begin() + static_cast<std::ptrdiff_t>(kept * floats));
  }
  /// The weights for play with their activation ranges, which are measured anew if there were steps
  /// since; without positions to measure them on, and without earlier ones, there are none.
  NetworkValues playing_values() {
    NetworkValues values = weights.values();
    if (ranges_steps != steps && !recent_planes.empty()) {
      ranges = calibrate(fold(values), recent_planes);
      ranges_steps = steps;
    }
    values.ranges = ranges;
    return values;
  }

  TrainParams params;
  NetworkWeights weights;
  at::Tensor gradient;  // flat, beside weights.parameters()
  Optimizer optimizer;
  std::int64_t steps = 0;
  std::vector<float> recent_planes;  // of the last batch: kCalibrationPositions at most
  std::optional<ActivationRanges> ranges;
  std::int64_t ranges_steps = 0;  // `ranges` are those of the weights after so many steps
};

Trainer::Trainer(EncodingInfo encoding, NetConfig net, TrainParams params,
                 const std::string& device, std::uint64_t seed) {
  check(net);
  check(params);
  impl_ = std::make_unique<Impl>(encoding, net, params, at::Device(resolve_device(device)));
  impl_->weights.initialise(seed);
}
Trainer::Trainer(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Trainer::~Trainer() = default;
Trainer::Trainer(Trainer&&) noexcept = default;
Trainer& Trainer::operator=(Trainer&&) noexcept = default;

StepLosses Trainer::step(const TrainBatch& batch) {
  Impl& t = *impl_;
  check_batch(batch, encoding());
  at::set_num_threads(std::max(1, t.params.threads));
  const c10::AutoGradMode with_gradients(true);
  const auto statistics_before = t.weights.statistics().clone();
  t.gradient.zero_();
  const ForwardMode mode{.training = true, .type = type_of(t.params.precision)};
  const auto planes = planes_of(batch, encoding(), t.weights.parameters().device(), mode.type);
  const Losses computed =
      compute_losses(t.weights, t.params, forward(t.weights, planes, mode), batch);
  computed.total.backward();
  const auto norm = t.gradient.norm();
  const StepLosses losses = to_step_losses(at::cat({computed.numbers, norm.view({1})}));
  if (!std::isfinite(losses.total) || !std::isfinite(losses.grad_norm)) {
    const c10::NoGradGuard no_grad;
    t.weights.statistics().copy_(statistics_before);
    throw std::runtime_error("training step " + std::to_string(t.steps + 1) +
                             ": the loss or its gradient is not finite; a lower "
                             "learner.learning_rate or learner.gradient_clip may help");
  }
  const bool clip = t.params.gradient_clip > 0 && losses.grad_norm > t.params.gradient_clip;
  t.keep_planes(batch);
  ++t.steps;
  t.optimizer.step(t.params,
                   {.parameters = t.weights.parameters(),
                    .gradient = t.gradient,
                    .gradient_scale = clip ? t.params.gradient_clip / losses.grad_norm : 1,
                    .decaying = t.weights.decaying(),
                    .number = t.steps});
  return losses;
}

StepLosses Trainer::evaluate(const TrainBatch& batch) {
  check_batch(batch, encoding());
  at::set_num_threads(std::max(1, impl_->params.threads));
  const c10::NoGradGuard no_grad;
  const NetworkWeights& weights = impl_->weights;
  const auto planes = planes_of(batch, encoding(), weights.parameters().device(), at::kFloat);
  return to_step_losses(
      compute_losses(weights, impl_->params, forward(weights, planes, {}), batch).numbers);
}

void Trainer::set_learning_rate(double rate) {
  TrainParams changed = impl_->params;
  changed.learning_rate = rate;
  check(changed);
  impl_->params = changed;
}
double Trainer::learning_rate() const {
  return impl_->params.learning_rate;
}

void Trainer::set_params(const TrainParams& params) {
  check(params);
  if (params.optimizer != impl_->params.optimizer)
    throw OptionError("'learner.optimizer' is " + std::string(name(params.optimizer)) +
                      ", but this training began with " +
                      std::string(name(impl_->params.optimizer)) +
                      ", and its state does not fit the other");
  impl_->params = resolved(params, impl_->params.precision);
}
const TrainParams& Trainer::params() const {
  return impl_->params;
}

std::int64_t Trainer::steps() const {
  return impl_->steps;
}
std::int64_t Trainer::parameter_count() const {
  return impl_->weights.layout().parameter_count();
}
const EncodingInfo& Trainer::encoding() const {
  return impl_->weights.encoding();
}
const NetConfig& Trainer::net() const {
  return impl_->weights.config();
}
std::string Trainer::device() const {
  return impl_->weights.parameters().device().str();
}

std::uint64_t Trainer::weights_hash() const {
  const NetworkValues values = impl_->weights.values();
  return faultline::weights_hash(values.parameters, values.statistics);
}

namespace {

/// A checkpoint without the state of its training.
CheckpointFile playing_part(const Trainer& trainer, const NetworkLayout& layout,
                            const NetworkValues& values,
                            const std::optional<TreeSearchSettings>& search) {
  CheckpointFile file;
  file.header = {{"encoding", to_json(trainer.encoding())},
                 {"net", to_json(trainer.net())},
                 {"steps", trainer.steps()},
                 {"layout", layout_to_json(layout)}};
  if (search) file.header[kSearchKey] = to_json(*search);
  write_values(file, values);
  return file;
}

}  // namespace

std::string Trainer::playing_file(const std::optional<TreeSearchSettings>& search) const {
  return playing_part(*this, impl_->weights.layout(), impl_->playing_values(), search).bytes();
}

void Trainer::save(const std::filesystem::path& path,
                   const std::optional<TreeSearchSettings>& search) const {
  CheckpointFile file =
      playing_part(*this, impl_->weights.layout(), impl_->playing_values(), search);
  file.header["train"] = to_json(impl_->params);
  for (const auto& [part, tensor] : impl_->optimizer.state())
    file.arrays["optimizer/" + part] = impl_->weights.parameter_places().values(tensor);
  file.write(path);
}

Trainer Trainer::load(const std::filesystem::path& path, const std::string& device) {
  const auto file = CheckpointFile::read(path);
  const CheckpointInfo info = info_of(file, path);
  TrainParams params;
  try {
    params = train_params_from_json(json_field<nlohmann::json>(file.header, "train", "header"));
    check(params);
  } catch (const std::exception& error) {
    throw CheckpointError(path, error.what());
  }
  // Checked before memory is allocated: the file must hold a network of that size.
  const NetworkValues trained = read_values(file, path, WeightsPart::Trained);
  auto impl =
      std::make_unique<Impl>(info.encoding, info.net, params, at::Device(resolve_device(device)));
  impl->weights.set_values(trained);
  // Files with an average of the weights have ranges of its activations alone, which are close.
  impl->ranges = read_values(file, path).ranges;
  const c10::NoGradGuard no_grad;
  for (auto& [part, tensor] : impl->optimizer.state())
    impl->weights.parameter_places().set_values(
        file.array(path, "optimizer/" + part,
                   static_cast<std::size_t>(impl->weights.layout().parameter_count())),
        tensor);
  impl->steps = impl->ranges_steps = info.steps;
  return Trainer(std::move(impl));
}

Trainer Trainer::start_from(const std::filesystem::path& path, const EncodingInfo& encoding,
                            const TrainParams& params, const std::string& device) {
  check(params);
  const auto file = CheckpointFile::read(path);
  const CheckpointInfo info = info_of(file, path);
  require_fitting_network(path, info, encoding);
  auto impl =
      std::make_unique<Impl>(encoding, info.net, params, at::Device(resolve_device(device)));
  const NetworkValues values = read_values(file, path);
  impl->weights.set_values(values);
  impl->ranges = values.ranges;
  return Trainer(std::move(impl));
}

std::shared_ptr<Backend> Trainer::inference_backend(Precision precision) const {
  return inference_backend(precision, device());
}
std::shared_ptr<Backend> Trainer::inference_backend(Precision precision,
                                                    const std::string& device) const {
  return inference_backend({.device = device, .precision = precision});
}
std::shared_ptr<Backend> Trainer::inference_backend(const BackendOptions& options) const {
  return all_backends().create(
      options.precision == Precision::Int8 ? impl_->playing_values() : impl_->weights.values(),
      options);
}

}  // namespace faultline
