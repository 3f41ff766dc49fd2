// Inference on any device with LibTorch operations; asynchronous if the device has streams.
#include "model/inference/libtorch_backend.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <compare>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <ATen/ATen.h>
#include <c10/core/InferenceMode.h>
#include <c10/core/StreamGuard.h>
#include <c10/core/impl/VirtualGuardImpl.h>

#include "model/inference/gpu_operations.h"
#include "model/inference/libtorch_layers.h"
#include "model/inference/stream_recorder.h"
#include "model/level_boards.h"
#include "model/torch_compat.h"

namespace faultline {
namespace {

/// How often a batch of one shape is computed before it is recorded.
constexpr int kUsesBeforeRecording = 3;

BackendAttributes libtorch_attributes(const at::Device& device, Precision precision) {
  return {.name = "libtorch",
          .device = device.str(),
          .precision = precision,
          .runs_on_cpu = device.is_cpu(),
          .in_flight = device.is_cpu() ? 1U : 2U,
          .largest_batch = 65'536,  // row numbers (position * policy cells + cell) are int32
          .best_batch = device.is_cpu() ? 32U : 512U,
          .warm_up = device.is_cpu() ? 1 : kUsesBeforeRecording + 1};
}

/// The first `count` elements of `buffer`, which is reallocated if it is too small.
at::Tensor reserve(at::Tensor& buffer, std::int64_t count, at::ScalarType type, bool pinned) {
  if (!buffer.defined() || buffer.numel() < count)
    buffer = at::empty({count + count / 4}, at::TensorOptions(type).pinned_memory(pinned));
  return buffer.narrow(0, 0, count);
}

/// Sizes of a batch's tensors on the device.
struct BatchShape {
  std::int64_t positions, moves, boards;  // boards: that exist, of all positions

  auto operator<=>(const BatchShape&) const = default;
  /// Rows of queries, rows of keys and kinds of all moves, boards of each position, and which of
  /// [positions * boards] they are.
  std::int64_t index_count() const { return 3 * moves + positions + boards; }
  /// Rounded up, so that few shapes occur: moves to a power of two, positions by less than a half
  /// (768, 1024), boards by at most an eighth.
  BatchShape padded() const {
    const std::int64_t filled = up(positions, 4);
    return {filled, power(moves), boards == positions ? filled : std::max(filled, up(boards, 16))};
  }
  static std::int64_t power(std::int64_t n) {
    return static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(n)));
  }
  /// To a multiple of a part of the next power of two.
  static std::int64_t up(std::int64_t n, std::int64_t part) {
    const std::int64_t step = std::max<std::int64_t>(1, power(n) / part);
    return (n + step - 1) / step * step;
  }
};

/// What a batch of one shape computes, from fixed memory to fixed memory.
struct Recording {
  int uses = 0;         // before it was recorded
  bool failed = false;  // it will not be
  gpu::PackedPlanes planes;
  at::Tensor indices, outputs;
  std::unique_ptr<RecordedOperations> operations;  // once recorded
};

/// Host memory of one batch, grown when needed and pinned where the device copies asynchronously,
/// and the batch's stream.
class LibTorchBatch final : public BackendBatch {
 public:
  LibTorchBatch(const EncodingInfo& encoding, std::uint64_t maker, std::optional<c10::Stream> on,
                std::shared_ptr<StreamRecorder> with)
      : BackendBatch(encoding.floats(), encoding.planes.size()),
        backend(maker),
        stream(on),
        recorder(std::move(with)) {}
  using BackendBatch::check_inputs;
  using BackendBatch::finish_outputs;
  using BackendBatch::logits;
  using BackendBatch::pack;

  bool pinned() const { return stream.has_value(); }

  std::uint64_t backend;  // number of the one that made it, whose weights the recordings use
  std::optional<c10::Stream> stream;
  at::Tensor words;    // int64: planes as bits
  at::Tensor numbers;  // float
  at::Tensor indices;  // int32
  at::Tensor outputs;  // float: logits, padding, value outputs
  std::int64_t logit_count = 0;
  std::shared_ptr<StreamRecorder> recorder;  // of `stream`; nullptr: none
  std::map<BatchShape, Recording> recordings;

 private:
  std::span<float> allocate_planes(std::size_t) override { return {}; }
  BitPlanes allocate_bits(std::size_t given_words, std::size_t given_numbers) override {
    // With room for positions that pad the batch.
    const auto room = [](std::size_t n) { return 2 * static_cast<std::int64_t>(n); };
    reserve(words, room(given_words), at::kLong, pinned());
    reserve(numbers, room(given_numbers), at::kFloat, pinned());
    static_assert(sizeof(std::int64_t) == sizeof(std::uint64_t));
    return {{static_cast<std::uint64_t*>(words.data_ptr()), given_words},
            {numbers.data_ptr<float>(), given_numbers}};
  }
};

/// The planes of each board; undefined where the trunk sees all planes as they are.
at::Tensor planes_of_boards(const FoldedNetwork& network, at::Device device) {
  if (!network.config.share_levels) return {};
  return at::tensor(chosen_planes(network.boards, network.encoding.plane_count()), at::kInt)
      .view({static_cast<std::int64_t>(network.boards.size()), -1})
      .to(device);
}

/// The row of each policy cell's vectors (PolicyHeadSpec::row).
std::vector<std::int32_t> policy_rows(const FoldedNetwork& network) {
  std::vector<std::int32_t> rows(static_cast<std::size_t>(network.encoding.policy_cells()));
  for (std::size_t i = 0; i < rows.size(); ++i)
    rows[i] = network.policy_row(static_cast<std::int32_t>(i));
  return rows;
}

class LibTorchBackend final : public Backend {
 public:
  LibTorchBackend(const FoldedNetwork& network, at::Device device, Precision precision)
      : LibTorchBackend(network, device, precision, gpu_operations()) {}

  const BackendAttributes& attributes() const override { return attributes_; }

  std::unique_ptr<BackendBatch> make_batch() const override {
    if (!streams())
      return std::make_unique<LibTorchBatch>(encoding_, number_, std::nullopt, nullptr);
    auto recorder = recorded_ ? take_stream_recorder(device_) : nullptr;
    const c10::Stream stream =
        recorder ? recorder->stream() : guard().getStreamFromGlobalPool(device_);
    return std::make_unique<LibTorchBatch>(encoding_, number_, stream, std::move(recorder));
  }

  void submit(BackendBatch& given) override {
    auto* const batch = dynamic_cast<LibTorchBatch*>(&given);
    if (batch == nullptr || batch->backend != number_)
      throw std::invalid_argument("batch: made by another backend than the one it is submitted to");
    batch->check_inputs(attributes_.largest_batch);
    if (batch->count() == 0) return;
    batch->pack();
    if (!streams()) use_one_thread();
    const c10::InferenceMode inference;
    if (!batch->stream) return run(*batch);
    const c10::StreamGuard on_stream(*batch->stream);
    run(*batch);
  }

  void wait(BackendBatch& given) override {
    if (given.count() == 0) return;
    auto& batch = dynamic_cast<LibTorchBatch&>(given);
    if (batch.stream) batch.stream->synchronize();
    const float* out = batch.outputs.data_ptr<float>();
    std::copy_n(out, batch.move_count(), batch.logits().begin());
    batch.finish_outputs({out + batch.logit_count, 4 * batch.count()});
  }

  bool is_done(const BackendBatch& given) const override {
    const auto& batch = dynamic_cast<const LibTorchBatch&>(given);
    return !batch.stream || batch.stream->query();
  }

  /// In the tensors' memory, which recordings read; nothing of this backend may be in flight.
  bool replace(const FoldedNetwork& network, const NetworkIdentity&) override {
    if (network.encoding != encoding_ || network.config != config_) return false;
    const c10::InferenceMode inference;
    const LibTorchBackend other(network, placement_, attributes_.precision, operations_);
    const auto from = other.weights(), to = weights();
    for (std::size_t i = 0; i < to.size(); ++i)
      at::Tensor(to[i]).copy_(from[i]);
    if (streams()) guard().getStream(device_).synchronize();
    return true;
  }

  std::string describe() const override {
    std::string text = "libtorch " + device_.str() + " " +
                       std::string(name(attributes_.precision)) + ", " +
                       faultline::describe(config_) + ", folded batch norms";
    if (fuses()) text += ", fused convolutions";
    if (kernels_) text += ", own kernels";
    if (recorded_ && has_stream_recording() && !recording_stopped()) text += ", recorded batches";
    return text;
  }

 private:
  LibTorchBackend(const FoldedNetwork& network, at::Device device, Precision precision,
                  GpuOperations operations)
      : LibTorchBackend(network,
                        Placement{.device = device,
                                  .type = precision == Precision::Bf16 ? at::kBFloat16 : at::kFloat,
                                  .fuse = device.is_cuda() && operations != GpuOperations::Plain,
                                  .kernels = uses_kernels(device, precision),
                                  .height = network.encoding.height,
                                  .width = network.encoding.width},
                        precision, operations) {}
  LibTorchBackend(const FoldedNetwork& network, const Placement& placement, Precision precision,
                  GpuOperations operations)
      : placement_(placement),
        operations_(operations),
        encoding_(network.encoding),
        config_(network.config),
        device_(placement.device),
        type_(placement.type),
        attributes_(libtorch_attributes(device_, precision)),
        recorded_(device_.is_cuda() && operations >= GpuOperations::Recorded),
        padded_(recorded_ || asks_for(GpuOperations::Recorded)),
        kernels_(placement.kernels),
        heads_(network.heads, placement),
        kind_queries_(placement.plain(network.kind_queries)),
        kind_biases_(placement.plain(network.kind_biases)),
        value_hidden_(network.value_hidden, placement),
        value_out_(network.value_out, placement),
        query_channels_(network.query_channels()),
        head_channels_(network.head_channels()),
        boards_(network.boards),
        chosen_(planes_of_boards(network, device_)),
        policy_rows_(policy_rows(network)) {
    for (const FoldedTrunkBlock& block : network.trunk)
      trunk_.push_back(std::visit(TrunkBlockMaker{placement}, block));
    // The weights may still be in transfer to the device on this thread's stream.
    if (streams()) guard().getStream(device_).synchronize();
  }

  bool streams() const { return attributes_.asynchronous(); }
  /// All tensors that depend on the network's values, in an order that follows from its shape.
  std::vector<at::Tensor> weights() const {
    std::vector<at::Tensor> all = {kind_queries_, kind_biases_};
    const auto add = [&](const auto& layer) {
      all.push_back(layer.weight);
      all.push_back(layer.bias);
    };
    add(heads_);
    add(value_hidden_);
    add(value_out_);
    for (const TrunkBlock& block : trunk_) {
      if (const auto* const stem = std::get_if<Stem>(&block)) {
        add(stem->convolution);
        if (stem->exchange) add(*stem->exchange);
        continue;
      }
      const auto& residual = std::get<ResidualBlock>(block);
      add(residual.first);
      add(residual.second);
      if (!residual.squeeze_excite) continue;
      const gpu::SqueezeExciteWeights& w = residual.squeeze_excite->weights;
      all.insert(all.end(), {w.squeeze, w.squeeze_bias, w.excite, w.excite_bias});
    }
    return all;
  }
  static std::uint64_t next_number() {
    static std::atomic<std::uint64_t> last = 0;
    return ++last;
  }
  bool fuses() const {
    return std::ranges::any_of(trunk_, [](const TrunkBlock& block) {
      const auto* const residual = std::get_if<ResidualBlock>(&block);
      return residual != nullptr && residual->first.fused;
    });
  }
  c10::impl::VirtualGuardImpl guard() const { return c10::impl::VirtualGuardImpl(device_.type()); }

  void run(LibTorchBatch& batch) const {
    const auto first_board = first_boards(batch);
    BatchShape shape{static_cast<std::int64_t>(batch.count()),
                     static_cast<std::int64_t>(batch.move_count()), first_board.back()};
    if (padded_) shape = shape.padded();
    const auto indices = write_indices(batch, first_board, shape);
    const gpu::PackedPlanes planes = packed(batch.words, batch.numbers, shape.positions);
    const Recording* const recording = recorded(batch, shape);
    at::Tensor outputs;
    if (recording != nullptr) {
      recording->planes.words.copy_(planes.words, /*non_blocking=*/true);
      recording->planes.numbers.copy_(planes.numbers, /*non_blocking=*/true);
      recording->indices.copy_(indices, /*non_blocking=*/true);
      recording->operations->replay();
      outputs = recording->outputs;
    } else {
      outputs =
          compute({planes.words.to(device_, /*non_blocking=*/true),
                   planes.numbers.to(device_, /*non_blocking=*/true), planes.height, planes.width},
                  indices.to(device_, /*non_blocking=*/true), shape);
    }
    batch.logit_count = shape.moves;
    reserve(batch.outputs, outputs.numel(), at::kFloat, batch.pinned())
        .copy_(outputs, /*non_blocking=*/true);
  }

  /// nullptr: not recorded. Only shapes that come again are, since recording one takes as long as
  /// submitting it a few times.
  const Recording* recorded(LibTorchBatch& batch, const BatchShape& shape) const {
    constexpr std::size_t kMost = 64;
    if (!batch.recorder || recording_stopped()) return nullptr;
    // All at once: some versions of LibTorch free with one graph what others of its stream use.
    if (batch.recordings.size() > kMost) batch.recordings.clear();
    Recording& recording = batch.recordings[shape];
    if (recording.operations) return &recording;
    if (recording.failed || ++recording.uses <= kUsesBeforeRecording) return nullptr;
    try {
      const std::int64_t numbers = shape.positions * encoding_.plane_count();
      recording.planes = packed(
          at::empty({numbers * plane_words()}, at::TensorOptions(device_).dtype(at::kLong)),
          at::empty({numbers}, at::TensorOptions(device_).dtype(at::kFloat)), shape.positions);
      recording.indices =
          at::empty({shape.index_count()}, at::TensorOptions(device_).dtype(at::kInt));
      recording.operations = batch.recorder->record(
          [&] { recording.outputs = compute(recording.planes, recording.indices, shape); });
      return &recording;
    } catch (const c10::OutOfMemoryError&) {
      // While something is recorded LibTorch frees no memory that it keeps, so this means little.
    } catch (const std::exception& e) {
      stop_recording(e.what());
    }
    recording = Recording();
    recording.failed = true;
    return nullptr;
  }

  std::int64_t plane_words() const {
    return static_cast<std::int64_t>(words_per_plane(static_cast<std::size_t>(encoding_.cells())));
  }
  /// The first `positions` of memory for them.
  gpu::PackedPlanes packed(const at::Tensor& words, const at::Tensor& numbers,
                           std::int64_t positions) const {
    const std::int64_t planes = positions * encoding_.plane_count();
    return {words.narrow(0, 0, planes * plane_words())
                .view({positions, encoding_.plane_count(), plane_words()}),
            numbers.narrow(0, 0, planes).view({positions, encoding_.plane_count()}),
            encoding_.height, encoding_.width};
  }

  /// Computes, from planes and [shape.index_count()] int32 to [moves + 4 * positions] float:
  /// logits, then value outputs.
  at::Tensor compute(const gpu::PackedPlanes& planes, const at::Tensor& indices,
                     const BatchShape& shape) const {
    ExistingBoards existing;
    if (chosen_.defined()) {
      existing.boards = board_count();
      existing.counts =
          indices.narrow(0, 3 * shape.moves, shape.positions).to(at::kFloat).unsqueeze(1);
      existing.rows =
          indices.narrow(0, 3 * shape.moves + shape.positions, shape.boards).to(at::kLong);
    }
    at::Tensor x = input(planes, indices, existing, shape);
    for (const TrunkBlock& block : trunk_)
      x = std::visit([&](const auto& kernel) { return kernel(x, existing); }, block);
    const auto moves = indices.narrow(0, 0, 3 * shape.moves).view({3, shape.moves});
    const auto rows = heads_.by_cells(x);  // [compact boards * cells, head channels]
    const std::int64_t first_value = head_channels_ - config_.value_channels;
    if (!kernels_) {
      const auto seen = rows.narrow(1, first_value, config_.value_channels).to(at::kFloat).relu();
      return at::cat({policy(rows, moves), value(seen, existing).flatten()});
    }
    auto out = at::empty({shape.moves + 4 * shape.positions}, planes.numbers.options());
    gpu::policy_logits(rows, moves, kind_queries_, kind_biases_,
                       query_channels_ / config_.policy_dim, out.narrow(0, 0, shape.moves));
    out.narrow(0, shape.moves, 4 * shape.positions)
        .copy_(value(gpu::value_input(rows, first_value), existing).flatten());
    return out;
  }

  /// [compact boards, channels, height, width], channels-last in the backend's type.
  at::Tensor input(const gpu::PackedPlanes& planes, const at::Tensor& indices,
                   const ExistingBoards& existing, const BatchShape& shape) const {
    if (kernels_) {
      if (!existing.defined()) return gpu::place_planes(planes, {});
      return gpu::place_planes(
          planes, {indices.narrow(0, 3 * shape.moves + shape.positions, shape.boards), chosen_});
    }
    auto x = unpacked(planes).to(type_);
    if (existing.defined())
      x = existing.gather(
          at::constant_pad_nd(x, {0, 0, 0, 0, 0, 1})
              .index_select(1, chosen_.flatten())
              .view({shape.positions, board_count(), -1, encoding_.height, encoding_.width}));
    return x.contiguous(at::MemoryFormat::ChannelsLast);
  }

  at::Tensor unpacked(const gpu::PackedPlanes& planes) const {
    if (!device_.is_cpu()) return gpu::unpack_by_operations(planes);
    auto floats = at::empty(
        {planes.numbers.size(0), encoding_.plane_count(), planes.height, planes.width}, at::kFloat);
    unpack_planes(
        {{static_cast<const std::uint64_t*>(planes.words.data_ptr()),
          static_cast<std::size_t>(planes.words.numel())},
         {planes.numbers.data_ptr<float>(), static_cast<std::size_t>(planes.numbers.numel())}},
        static_cast<std::size_t>(encoding_.cells()), floats.data_ptr<float>());
    return floats;
  }

  std::int64_t board_count() const { return static_cast<std::int64_t>(boards_.size()); }

  /// [count + 1] each position's first board among those of the batch that exist, and their number.
  std::vector<std::int32_t> first_boards(const LibTorchBatch& batch) const {
    std::vector<std::int32_t> first(batch.count() + 1);
    const BitPlanes& planes = batch.bits();
    const std::size_t count = batch.plane_count(),
                      words = planes.words.size() / batch.count() / count;
    const auto has_corner = [&](std::size_t position, const BoardPlanes& board) {
      const std::size_t squares = position * count + static_cast<std::size_t>(board.front());
      return (planes.words[squares * words] & 1) != 0 && planes.numbers[squares] != 0;
    };
    for (std::size_t i = 0; i < batch.count(); ++i) {
      std::int32_t there = 0;  // see existing_boards()
      while (boards_.size() > 1 && there < board_count() &&
             has_corner(i, boards_[static_cast<std::size_t>(there)]))
        ++there;
      // Without a single board a network's answer means nothing, but there must be one.
      first[i + 1] = first[i] + std::max(1, there);
    }
    return first;
  }

  /// See BatchShape::index_count; in the batch's memory.
  at::Tensor write_indices(LibTorchBatch& batch, std::span<const std::int32_t> first_board,
                           const BatchShape& shape) const {
    const auto moves = batch.moves();
    const auto first_move = batch.first_move();
    auto indices = reserve(batch.indices, shape.index_count(), at::kInt, batch.pinned());
    auto* const from = indices.data_ptr<std::int32_t>();
    auto* const to = from + shape.moves;
    auto* const kind = to + shape.moves;
    auto* const boards_of = kind + shape.moves;
    auto* row = boards_of + shape.positions;
    auto* const end = row + shape.boards;
    const std::int32_t rows_per_board =
        encoding_.policy_cells() / static_cast<std::int32_t>(boards_.size());
    for (std::size_t i = 0; i < batch.count(); ++i) {
      boards_of[i] = first_board[i + 1] - first_board[i];
      const std::int32_t first_row = first_board[i] * rows_per_board;
      const std::int32_t row_count = boards_of[i] * rows_per_board;
      for (std::size_t m = first_move[i]; m < first_move[i + 1]; ++m) {
        const std::int32_t query = policy_rows_[static_cast<std::size_t>(moves[m].from)];
        const std::int32_t key = policy_rows_[static_cast<std::size_t>(moves[m].to)];
        if (std::max(query, key) >= row_count)
          throw std::invalid_argument("batch: a move on a level that its position does not have");
        from[m] = first_row + query;
        to[m] = first_row + key;
        kind[m] = moves[m].kind;
      }
      for (std::int32_t board = 0; board < boards_of[i]; ++board)
        *row++ = static_cast<std::int32_t>(i) * static_cast<std::int32_t>(boards_.size()) + board;
    }
    // Padding: any move, positions of one board, and boards after the last.
    std::fill(boards_of + batch.count(), kind + shape.moves + shape.positions, 1);
    for (auto* const part : {from, to, kind})
      std::fill(part + moves.size(), part + shape.moves, 0);
    std::fill(row, end, static_cast<std::int32_t>(shape.positions * board_count()));
    return indices;
  }

  at::Tensor policy(const at::Tensor& rows, const at::Tensor& indices) const {
    const auto vectors = [&](std::int64_t first_channel, const at::Tensor& policy_cells) {
      return rows.narrow(1, first_channel, query_channels_)
          .reshape({-1, config_.policy_dim})
          .index_select(0, policy_cells)
          .to(at::kFloat);
    };
    const auto queries = vectors(0, indices[0]);
    const auto keys = vectors(query_channels_, indices[1]);
    const auto kinds = kind_queries_.index_select(0, indices[2]);
    return (queries + kinds).mul_(keys).sum(1).add_(kind_biases_.index_select(0, indices[2]));
  }

  /// seen: [compact boards * cells, value channels] float.
  at::Tensor value(const at::Tensor& seen, const ExistingBoards& existing) const {
    auto hidden = value_hidden_(seen.reshape({seen.size(0) / encoding_.cells(), -1})).relu_();
    if (existing.defined()) hidden = existing.spread(hidden).sum(1);
    return value_out_(hidden);
  }

  Placement placement_;
  GpuOperations operations_;
  EncodingInfo encoding_;
  NetConfig config_;
  at::Device device_;
  at::ScalarType type_;
  BackendAttributes attributes_;
  std::uint64_t number_ = next_number();
  bool recorded_;
  bool
      padded_;  // also on a CPU if recording is asked for, which tests that padding changes nothing
  bool kernels_;  // gpu_kernels.h
  std::vector<TrunkBlock> trunk_;
  Convolution heads_;
  at::Tensor kind_queries_, kind_biases_;
  Linear value_hidden_, value_out_;
  std::int64_t query_channels_, head_channels_;
  std::vector<BoardPlanes> boards_;
  at::Tensor chosen_;  // [boards, planes] int32; undefined: all planes as they are
  std::vector<std::int32_t> policy_rows_;  // by policy cell
};

}  // namespace

std::shared_ptr<Backend> make_libtorch_backend(const FoldedNetwork& network,
                                               const std::string& device, Precision precision) {
  const c10::InferenceMode inference;
  return std::make_shared<LibTorchBackend>(network, at::Device(resolve_device(device)), precision);
}

void register_libtorch_backend(BackendRegistry& registry) {
  registry.add(
      {.name = "libtorch",
       .help =
           "LibTorch: devices cuda, cuda:N, and with --backend libtorch cpu; precisions fp32, bf16",
       .attributes = [](const BackendOptions& options) -> std::optional<BackendAttributes> {
         const at::Device device(resolve_device(options.device));
         if (options.precision == Precision::Int8 || (device.is_cpu() && options.backend.empty()))
           return std::nullopt;
         return libtorch_attributes(device, options.precision);
       },
       .create =
           [](const FoldedNetwork& network, const BackendOptions& options) {
             return make_libtorch_backend(network, options.device, options.precision);
           }});
}

const BackendRegistry& all_backends() {
  static const BackendRegistry registry = [] {
    BackendRegistry all = cpu_backends();
    register_libtorch_backend(all);
    return all;
  }();
  return registry;
}

}  // namespace faultline
