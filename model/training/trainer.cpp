// Gradient steps on a network.
#include "model/training/trainer.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <exception>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <c10/core/Event.h>
#include <c10/core/GradMode.h>
#include <c10/core/StreamGuard.h>
#include <c10/core/impl/VirtualGuardImpl.h>
#include <c10/util/Exception.h>
#include <nlohmann/json.hpp>

#include "base/json_fields.h"
#include "model/checkpoint_file.h"
#include "model/inference/activation_ranges.h"
#include "model/inference/folded_network.h"
#include "model/inference/gpu_operations.h"
#include "model/inference/libtorch_backend.h"
#include "model/inference/stream_recorder.h"
#include "model/torch_compat.h"
#include "model/training/losses.h"
#include "model/training/network.h"
#include "model/training/optimizer.h"
#include "model/training/ranks.h"
#include "model/training/staged_batch.h"

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
  Impl(const EncodingInfo& encoding, const NetConfig& net, const TrainParams& p, at::Device on)
      : params(resolved(p, TrainingPrecision::Fp32)),
        device(on),
        weights(encoding, net, on),
        gradient(weights.require_gradients()),
        optimizer(p.optimizer, weights.parameters()),
        late(!on.is_cpu()),
        sound(at::ones({}, at::TensorOptions(on).dtype(at::kBool))) {}
  ~Impl() {
    try {
      drop_recordings();
    } catch (const std::exception&) {  // a device that is gone says so again
    }
  }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;
  Impl(Impl&&) = delete;
  Impl& operator=(Impl&&) = delete;

  /// The number of the step whose losses are not finite.
  [[noreturn]] static void refuse(std::int64_t step) {
    throw std::runtime_error("training step " + std::to_string(step) +
                             ": the loss or its gradient is not finite; a lower "
                             "learner.learning_rate or learner.gradient_clip may help");
  }

  ForwardMode training_mode() const {
    return {.training = true, .type = type_of(params.precision)};
  }
  Losses losses(const TrainBatch& batch, ForwardMode mode) const {
    if (device.is_cpu())
      return compute_losses(weights, params,
                            forward(weights, planes_of(batch, weights.encoding(), mode.type), mode),
                            batch);
    StagedBatch staged(weights.description(), StagedShape::of(batch), 0, device);
    staged.write(batch);
    return losses(staged, mode);
  }
  Losses losses(const StagedBatch& batch, ForwardMode mode) const {
    return compute_losses(
        weights, params,
        forward(weights, planes_of(batch.planes(), mode.type), mode, batch.existing()), batch);
  }

  /// Computes the gradient of the losses; returns [8] losses and the gradient's norm.
  template <class Batch>
  at::Tensor differentiate(const Batch& batch, const at::Tensor& statistics_before) {
    gradient.zero_();
    weights.begin_pass(training_mode().type);
    const Losses computed = losses(batch, training_mode());
    computed.total.backward();
    weights.gather_gradients(gradient);
    if (ranks) share(computed.numbers, statistics_before);
    return at::cat({computed.numbers, gradient.norm().view({1})});
  }

  /// Makes a step whose clipping and whose refusal are the device's: with nothing but operations
  /// that can be recorded, if `rates` are on the device. Returns [9] losses, the gradient's norm,
  /// and whether this step and all before it were sound.
  template <class Batch>
  at::Tensor step_late(const Batch& batch, std::int64_t number, const at::Tensor& rates) {
    const auto before = weights.statistics().clone();
    const auto numbers = differentiate(batch, before);
    const c10::NoGradGuard no_grad;
    sound.logical_and_(numbers[6].isfinite().logical_and(numbers[7].isfinite()));
    std::vector<std::pair<at::Tensor, at::Tensor>> kept = {{weights.statistics(), before}};
    const auto keep = [&](const at::Tensor& t) { kept.emplace_back(t, t.clone()); };
    keep(weights.parameters());
    for (const auto& [name, tensor] : optimizer.state())
      keep(tensor);
    if (params.gradient_clip > 0) {
      const auto norm = numbers[7].to(at::kDouble);
      const auto scale =
          at::where(norm > params.gradient_clip, params.gradient_clip / norm, at::ones_like(norm));
      gradient.mul_(scale.to(at::kFloat));
    }
    optimizer.step(params, {.parameters = weights.parameters(),
                            .gradient = gradient,
                            .gradient_scale = 1,
                            .decaying = weights.decaying(),
                            .number = number,
                            .rates = rates});
    for (const auto& [now, then] : kept)
      now.copy_(at::where(sound, now, then));
    return at::cat({numbers, sound.to(at::kFloat).view({1})});
  }
  /// Remembers that a step's losses are to be read.
  void read_later(const at::Tensor& numbers) {
    unread.push_back(
        {steps, numbers.to(at::kCPU, /*non_blocking=*/true), c10::Event(device.type())});
    if (!device.is_cpu()) unread.back().copied.record(current_stream());
  }
  /// The losses of the last step that is read, after which no more than `left` are not.
  StepLosses read_losses(std::size_t left) {
    while (unread.size() > left) {
      const LateLosses& next = unread.front();
      if (!device.is_cpu()) wait_for(next.copied);
      const bool was_sound = next.numbers[8].item<float>() != 0;
      const std::int64_t number = next.number;
      if (was_sound) last_losses = to_step_losses(next.numbers.narrow(0, 0, 8));
      unread.pop_front();
      if (was_sound) continue;
      unread.clear();
      const OnStream on_stream(*this);
      sound.fill_(true);
      wait_for_steps();  // the next one may be under way, on a stream of its own
      steps = number - 1;
      refuse(number);
    }
    return last_losses.value_or(StepLosses{});
  }

  /// A step's operations are recorded once for each shape of batches, and then replayed: what a
  /// small network's steps cost the host is several times what they cost the device. Those of
  /// networks that share levels are not, as their tensors' sizes follow how many boards a batch
  /// has, and those of ranks are not, which wait for each other.
  struct Recording {
    std::unique_ptr<StagedBatch> batch;
    at::Tensor numbers;
    std::unique_ptr<RecordedOperations> operations;
    int uses = 0;
  };
  c10::Stream current_stream() const {
    return c10::impl::VirtualGuardImpl(device.type()).getStream(device);
  }
  void wait_for_steps() const {
    if (recorder) recorder->stream().synchronize();
  }
  void drop_recordings() {
    wait_for_steps();
    recordings.clear();
  }
  /// Steps are made on the recorder's stream, if there is one.
  struct OnStream {
    explicit OnStream(const Impl& trainer) {
      if (trainer.recorder) guard.emplace(trainer.recorder->stream());
    }
    std::optional<c10::StreamGuard> guard;
  };
  void step_on_device(const TrainBatch& batch) {
    const bool recordable = !weights.config().share_levels && !ranks && !recording_failed &&
                            gpu_operations() >= GpuOperations::Recorded;
    if (recordable && !recorder) {
      recorder = take_stream_recorder(device);
      // The weights may still be in transfer on the stream so far.
      if (recorder) current_stream().synchronize();
    }
    const OnStream on_stream(*this);
    constexpr std::size_t kMostRecordings = 8;
    constexpr int kUsesBeforeRecording = 3;
    const StagedShape shape = StagedShape::of(batch).padded();
    if (recordings.size() >= kMostRecordings && !recordings.contains(shape)) drop_recordings();
    Recording& own = recordings[shape];
    const std::int64_t number = steps + 1;
    const StepRates rates = step_rates(params, number);
    if (!own.batch)
      own.batch = std::make_unique<StagedBatch>(weights.description(), shape,
                                                static_cast<std::int64_t>(rates.size()), device);
    own.batch->write(batch, rates);
    const auto submit = [&] { return step_late(*own.batch, number, own.batch->numbers()); };
    if (recordable && recorder && !own.operations && ++own.uses > kUsesBeforeRecording) try {
        own.operations = recorder->record([&] { own.numbers = submit(); });
      } catch (const c10::OutOfMemoryError&) {
        own.uses = 0;  // while something is recorded LibTorch frees no memory that it keeps
      } catch (const std::exception& e) {
        recording_failed = true;
        TORCH_WARN("faultline: training steps are submitted to the GPU operation by operation: ",
                   e.what());
      }
    if (own.operations && !recording_stopped())
      own.operations->replay();
    else
      own.numbers = submit();
    steps = number;
    read_later(own.numbers);
  }

  void share(const at::Tensor& losses, const at::Tensor& statistics_before) {
    try {
      for (const at::Tensor& tensor : {gradient, losses, weights.statistics()})
        ranks->mean(tensor);
    } catch (const RankError&) {
      const c10::NoGradGuard no_grad;
      weights.statistics().copy_(statistics_before);
      throw;
    }
  }

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
  at::Device device;
  NetworkWeights weights;
  at::Tensor gradient;  // flat, beside weights.parameters()
  Optimizer optimizer;
  std::shared_ptr<Ranks> ranks;  // null: there is this one alone
  std::int64_t steps = 0;
  // Decided on the device:
  struct LateLosses {
    std::int64_t number;  // of the step
    at::Tensor numbers;   // [9] on the CPU, once `copied`: losses, norm, whether it and all before
                          // it were sound
    c10::Event copied;
  };
  bool late;
  at::Tensor sound;                          // whether all steps since the last error were
  std::shared_ptr<StreamRecorder> recorder;  // null: none was taken, or there is none
  bool recording_failed = false;
  std::map<StagedShape, Recording> recordings;  // destroyed before the recorder
  std::deque<LateLosses> unread;
  std::optional<StepLosses> last_losses;  // that were read
  std::vector<float> recent_planes;       // of the last batch: kCalibrationPositions at most
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
  if (t.late) {
    const bool first = !t.last_losses;
    if (t.device.is_cpu()) {
      const auto numbers = t.step_late(batch, t.steps + 1, {});
      ++t.steps;
      t.read_later(numbers);
    } else {
      t.step_on_device(batch);
    }
    t.keep_planes(batch);
    return t.read_losses(first ? 0 : 1);
  }
  const auto statistics_before = t.weights.statistics().clone();
  const auto numbers = t.differentiate(batch, statistics_before);
  const StepLosses losses = to_step_losses(numbers);
  if (!std::isfinite(losses.total) || !std::isfinite(losses.grad_norm)) {
    const c10::NoGradGuard no_grad;
    t.weights.statistics().copy_(statistics_before);
    Impl::refuse(t.steps + 1);
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

void Trainer::share_steps(std::shared_ptr<Ranks> ranks) {
  impl_->ranks = std::move(ranks);
}

void Trainer::decide_late(bool late) {
  impl_->read_losses(0);
  if (impl_->recorder) impl_->current_stream().synchronize();  // steps so far were on this one
  impl_->late = late;
}

StepLosses Trainer::evaluate(const TrainBatch& batch) {
  check_batch(batch, encoding());
  impl_->read_losses(0);
  at::set_num_threads(std::max(1, impl_->params.threads));
  const c10::NoGradGuard no_grad;
  return to_step_losses(impl_->losses(batch, {}).numbers);
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
  impl_->drop_recordings();  // all but the rates is part of the operations
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
  impl_->read_losses(0);
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
  impl_->read_losses(0);
  return playing_part(*this, impl_->weights.layout(), impl_->playing_values(), search).bytes();
}

void Trainer::save(const std::filesystem::path& path,
                   const std::optional<TreeSearchSettings>& search) const {
  impl_->read_losses(0);
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

FoldedNetwork Trainer::folded() const {
  impl_->read_losses(0);
  return fold(impl_->weights.values());
}
std::shared_ptr<Backend> Trainer::inference_backend(Precision precision) const {
  return inference_backend(precision, device());
}
std::shared_ptr<Backend> Trainer::inference_backend(Precision precision,
                                                    const std::string& device) const {
  return inference_backend({.device = device, .precision = precision});
}
std::shared_ptr<Backend> Trainer::inference_backend(const BackendOptions& options) const {
  impl_->read_losses(0);
  return all_backends().create(
      options.precision == Precision::Int8 ? impl_->playing_values() : impl_->weights.values(),
      options);
}

}  // namespace faultline
