// Inference on any device with LibTorch operations; asynchronous if the device has streams.
#include "model/inference/libtorch_backend.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <utility>
#include <variant>
#include <vector>

#include <ATen/ATen.h>
#include <c10/core/InferenceMode.h>
#include <c10/core/StreamGuard.h>
#include <c10/core/impl/VirtualGuardImpl.h>

#include "model/level_boards.h"
#include "model/torch_compat.h"

namespace faultline {
namespace {

BackendAttributes libtorch_attributes(const at::Device& device, Precision precision) {
  return {.name = "libtorch",
          .device = device.str(),
          .precision = precision,
          .runs_on_cpu = device.is_cpu(),
          .asynchronous = !device.is_cpu(),
          .largest_batch = 65'536,  // row numbers (position * policy cells + cell) are int32
          .best_batch = device.is_cpu() ? 32U : 512U};
}

/// The first `count` elements of `buffer`, which is reallocated if it is too small.
at::Tensor reserve(at::Tensor& buffer, std::int64_t count, at::ScalarType type, bool pinned) {
  if (!buffer.defined() || buffer.numel() < count)
    buffer = at::empty({count + count / 4}, at::TensorOptions(type).pinned_memory(pinned));
  return buffer.narrow(0, 0, count);
}

/// Host memory of one batch, grown when needed and pinned where the device copies asynchronously,
/// and the batch's stream.
class LibTorchBatch final : public BackendBatch {
 public:
  LibTorchBatch(std::size_t floats, std::optional<c10::Stream> on)
      : BackendBatch(floats), stream(on) {}
  using BackendBatch::check_inputs;
  using BackendBatch::finish_outputs;
  using BackendBatch::logits;

  bool pinned() const { return stream.has_value(); }

  std::optional<c10::Stream> stream;
  at::Tensor plane_memory;  // float
  at::Tensor indices;       // int32
  at::Tensor outputs;       // float

 private:
  std::span<float> allocate_planes(std::size_t floats) override {
    reserve(plane_memory, static_cast<std::int64_t>(floats), at::kFloat, pinned());
    return {plane_memory.data_ptr<float>(), floats};
  }
};

/// Folded weights as tensors on the device. Convolutions have the backend's precision and are
/// channels-last; everything else is float.
struct Placement {
  at::Device device;
  at::ScalarType type;

  at::Tensor plain(const FloatTensor& folded) const {
    // from_blob does not own its memory; the copy makes the tensor independent on a CPU too.
    return at::from_blob(const_cast<float*>(folded.values.data()), folded.shape, at::kFloat)
        .to(device, /*non_blocking=*/false, /*copy=*/true);
  }
};

struct Convolution {
  Convolution(const FoldedConvolution& folded, const Placement& placement)
      : weight(placement.plain(folded.weight)
                   .to(placement.type)
                   .contiguous(at::MemoryFormat::ChannelsLast)),
        bias(placement.plain(folded.bias).to(placement.type)) {}
  at::Tensor operator()(const at::Tensor& x) const {
    return at::conv2d(x, weight, bias, 1, weight.size(2) / 2);
  }
  at::Tensor weight, bias;
};

struct Linear {
  Linear(const FoldedLinear& folded, const Placement& placement)
      : weight(placement.plain(folded.weight)), bias(placement.plain(folded.bias)) {}
  at::Tensor operator()(const at::Tensor& x) const { return at::linear(x, weight, bias); }
  at::Tensor weight, bias;
};

struct SqueezeExcite {
  /// In place.
  void operator()(at::Tensor& y) const {
    const auto squeezed = squeeze(y.mean({2, 3}, false, at::kFloat)).relu_();
    const auto parts = excite(squeezed)
                           .to(y.scalar_type())
                           .view({y.size(0), 2 * y.size(1), 1, 1})
                           .split(y.size(1), 1);
    y.mul_(parts[0].sigmoid()).add_(parts[1]);
  }
  Linear squeeze, excite;
};

// The trunk's blocks, one for each of FoldedTrunkBlock.

/// Which boards of a batch exist, for networks whose positions have several. Only these are
/// computed; they lie one after another ("compact" below). Undefined tensors: every position is one
/// board.
struct ExistingBoards {
  at::Tensor rows;    // [compact] int64, of [count * boards]
  at::Tensor counts;  // [count, 1] float, per position
  std::int64_t boards = 1;

  bool defined() const { return rows.defined(); }
  /// [compact, n] as [count, boards, n], zero where there is no board.
  at::Tensor spread(const at::Tensor& compact) const {
    const auto n = compact.size(1);
    return at::zeros({counts.size(0) * boards, n}, compact.options())
        .index_copy_(0, rows, compact)
        .view({-1, boards, n});
  }
  /// The inverse.
  at::Tensor gather(const at::Tensor& spread) const {
    return spread.flatten(0, 1).index_select(0, rows);
  }
};

struct Stem {
  at::Tensor operator()(const at::Tensor& planes, const ExistingBoards& existing) const {
    const auto x = convolution(planes).relu_();
    if (!exchange) return x;
    const auto means = existing.spread(x.mean({2, 3}, false, at::kFloat));
    // A board of zeroes before the first and after the last: those above begin at 0, below at 2.
    const auto padded = at::constant_pad_nd(means, {0, 0, 1, 1});
    const auto all = (means.sum(1) / existing.counts).unsqueeze(1);
    const auto seen = at::cat({padded.narrow(1, 0, existing.boards),
                               padded.narrow(1, 2, existing.boards), all.expand_as(means)},
                              2);
    const auto added = (*exchange)(existing.gather(seen)).to(x.scalar_type());
    return x.add(added.view({-1, x.size(1), 1, 1})).relu_();
  }
  Convolution convolution;
  std::optional<Linear> exchange;
};

struct ResidualBlock {
  at::Tensor operator()(const at::Tensor& x, const ExistingBoards&) const {
    auto y = second(first(x).relu_());
    if (squeeze_excite) (*squeeze_excite)(y);
    return y.add_(x).relu_();
  }
  Convolution first, second;
  std::optional<SqueezeExcite> squeeze_excite;
};

using TrunkBlock = std::variant<Stem, ResidualBlock>;

struct TrunkBlockMaker {
  const Placement& placement;
  TrunkBlock operator()(const FoldedStem& stem) const {
    Stem made{Convolution(stem.convolution, placement), std::nullopt};
    if (stem.exchange) made.exchange = Linear(*stem.exchange, placement);
    return made;
  }
  TrunkBlock operator()(const FoldedResidualBlock& folded) const {
    ResidualBlock block{Convolution(folded.first, placement), Convolution(folded.second, placement),
                        std::nullopt};
    if (folded.squeeze_excite)
      block.squeeze_excite = SqueezeExcite{Linear(folded.squeeze_excite->squeeze, placement),
                                           Linear(folded.squeeze_excite->excite, placement)};
    return block;
  }
};

/// The planes of each board; undefined where the trunk sees all planes as they are.
at::Tensor planes_of_boards(const FoldedNetwork& network, at::Device device) {
  if (!network.config.share_levels) return {};
  return at::tensor(chosen_planes(network.boards, network.encoding.plane_count()), at::kLong)
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
      : LibTorchBackend(
            network, device, precision,
            Placement{device, precision == Precision::Bf16 ? at::kBFloat16 : at::kFloat}) {}

  const BackendAttributes& attributes() const override { return attributes_; }

  std::unique_ptr<BackendBatch> make_batch() const override {
    std::optional<c10::Stream> stream;
    if (streams()) stream = guard().getStreamFromGlobalPool(device_);
    return std::make_unique<LibTorchBatch>(encoding_.floats(), stream);
  }

  void submit(BackendBatch& given) override {
    auto* const batch = dynamic_cast<LibTorchBatch*>(&given);
    if (batch == nullptr || batch->planes().size() != batch->count() * encoding_.floats() ||
        (batch->stream ? batch->stream->device() != device_ : streams()))
      throw std::invalid_argument("batch: made by another backend than the one it is submitted to");
    batch->check_inputs(attributes_.largest_batch);
    if (batch->count() == 0) return;
    if (!streams()) use_one_thread();
    const c10::InferenceMode inference;
    c10::OptionalStreamGuard on_stream;
    if (batch->stream) on_stream.reset_stream(*batch->stream);
    run(*batch);
  }

  void wait(BackendBatch& given) override {
    if (given.count() == 0) return;
    auto& batch = dynamic_cast<LibTorchBatch&>(given);
    if (batch.stream) batch.stream->synchronize();
    const float* out = batch.outputs.data_ptr<float>();
    std::copy_n(out, batch.move_count(), batch.logits().begin());
    batch.finish_outputs({out + batch.move_count(), 4 * batch.count()});
  }

  std::string describe() const override {
    return "libtorch " + device_.str() + " " + std::string(name(attributes_.precision)) + ", " +
           faultline::describe(config_) + ", folded batch norms";
  }

 private:
  LibTorchBackend(const FoldedNetwork& network, at::Device device, Precision precision,
                  const Placement& placement)
      : encoding_(network.encoding),
        config_(network.config),
        device_(device),
        type_(placement.type),
        attributes_(libtorch_attributes(device, precision)),
        heads_(network.heads, placement),
        kind_queries_(placement.plain(network.kind_queries)),
        kind_biases_(placement.plain(network.kind_biases)),
        value_hidden_(network.value_hidden, placement),
        value_out_(network.value_out, placement),
        query_channels_(network.query_channels()),
        head_channels_(network.head_channels()),
        boards_(network.boards),
        chosen_(planes_of_boards(network, device)),
        policy_rows_(policy_rows(network)) {
    for (const FoldedTrunkBlock& block : network.trunk)
      trunk_.push_back(std::visit(TrunkBlockMaker{placement}, block));
    // The weights may still be in transfer to the device on this thread's stream.
    if (streams()) guard().getStream(device_).synchronize();
  }

  bool streams() const { return attributes_.asynchronous; }
  c10::impl::VirtualGuardImpl guard() const { return c10::impl::VirtualGuardImpl(device_.type()); }

  void run(LibTorchBatch& batch) const {
    const EncodingInfo& e = encoding_;
    const auto count = static_cast<std::int64_t>(batch.count());
    const auto moves = static_cast<std::int64_t>(batch.move_count());
    const auto first_board = first_boards(batch);
    const auto indices = write_indices(batch, first_board).to(device_, /*non_blocking=*/true);

    auto x = batch.plane_memory.narrow(0, 0, static_cast<std::int64_t>(batch.planes().size()))
                 .view({count, e.plane_count(), e.height, e.width})
                 .to(device_, /*non_blocking=*/true)
                 .to(type_);
    ExistingBoards existing;
    if (chosen_.defined()) {
      existing.boards = board_count();
      existing.counts = indices.narrow(0, 3 * moves, count).to(at::kFloat).unsqueeze(1);
      existing.rows = indices.narrow(0, 3 * moves + count, first_board.back()).to(at::kLong);
      x = existing.gather(at::constant_pad_nd(x, {0, 0, 0, 0, 0, 1})
                              .index_select(1, chosen_)
                              .view({count, board_count(), -1, e.height, e.width}));
    }
    x = x.contiguous(at::MemoryFormat::ChannelsLast);
    for (const TrunkBlock& block : trunk_)
      x = std::visit([&](const auto& kernel) { return kernel(x, existing); }, block);
    // [compact boards * cells, head channels]; a view, since channels are innermost already.
    const auto rows =
        heads_(x).permute({0, 2, 3, 1}).reshape({x.size(0) * e.cells(), head_channels_});
    const auto logits = policy(rows, indices.narrow(0, 0, 3 * moves).view({3, moves}));
    const auto all = at::cat({logits, value(rows, existing).flatten()});
    reserve(batch.outputs, all.numel(), at::kFloat, batch.pinned())
        .copy_(all, /*non_blocking=*/true);
  }

  std::int64_t board_count() const { return static_cast<std::int64_t>(boards_.size()); }

  /// [count + 1] each position's first board among those of the batch that exist, and their number.
  std::vector<std::int32_t> first_boards(const LibTorchBatch& batch) const {
    std::vector<std::int32_t> first(batch.count() + 1);
    const auto cells = static_cast<std::size_t>(encoding_.cells());
    const float* planes = batch.planes().data();
    for (std::size_t i = 0; i < batch.count(); ++i, planes += encoding_.floats())
      // Without a single board a network's answer means nothing, but there must be one.
      first[i + 1] =
          first[i] +
          std::max(1, static_cast<std::int32_t>(existing_boards(boards_, planes, cells)));
    return first;
  }

  /// Rows of queries, rows of keys and kinds of all moves ([3, moves]), boards of each position
  /// ([count]), and which of [count * boards] they are; in the batch's memory.
  at::Tensor write_indices(LibTorchBatch& batch, std::span<const std::int32_t> first_board) const {
    const auto moves = batch.moves();
    const auto first_move = batch.first_move();
    const auto size =
        3 * moves.size() + batch.count() + static_cast<std::size_t>(first_board.back());
    auto indices =
        reserve(batch.indices, static_cast<std::int64_t>(size), at::kInt, batch.pinned());
    auto* const from = indices.data_ptr<std::int32_t>();
    auto* const to = from + moves.size();
    auto* const kind = to + moves.size();
    auto* const boards_of = kind + moves.size();
    auto* row = boards_of + batch.count();
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

  at::Tensor value(const at::Tensor& rows, const ExistingBoards& existing) const {
    const std::int64_t channels = config_.value_channels;
    const auto seen = rows.narrow(1, head_channels_ - channels, channels)
                          .to(at::kFloat)
                          .relu()
                          .reshape({rows.size(0) / encoding_.cells(), -1});
    auto hidden = value_hidden_(seen).relu_();
    if (existing.defined()) hidden = existing.spread(hidden).sum(1);
    return value_out_(hidden);
  }

  EncodingInfo encoding_;
  NetConfig config_;
  at::Device device_;
  at::ScalarType type_;
  BackendAttributes attributes_;
  std::vector<TrunkBlock> trunk_;
  Convolution heads_;
  at::Tensor kind_queries_, kind_biases_;
  Linear value_hidden_, value_out_;
  std::int64_t query_channels_, head_channels_;
  std::vector<BoardPlanes> boards_;
  at::Tensor chosen_;  // [boards * planes] planes of each board; undefined: all planes as they are
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
       .help = "LibTorch: devices auto, cpu, cuda, cuda:N; precisions fp32, bf16",
       .attributes = [](const BackendOptions& options) -> std::optional<BackendAttributes> {
         if (options.precision == Precision::Int8) return std::nullopt;
         return libtorch_attributes(at::Device(resolve_device(options.device)), options.precision);
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
