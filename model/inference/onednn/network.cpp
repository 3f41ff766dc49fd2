// A folded network as oneDNN convolutions.
#include "model/inference/onednn/network.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace faultline::onednn {
namespace {

std::size_t padded(std::size_t channels) {
  constexpr std::size_t block = kBlock;
  return (channels + block - 1) / block * block;
}

/// A convolution's weights with its channels padded: [out, in, size, size] and [out].
struct PaddedConvolution {
  PaddedConvolution(const FoldedConvolution& folded, std::size_t padded_in)
      : shape{static_cast<memory::dim>(padded(folded.bias.values.size())),
              static_cast<memory::dim>(padded_in), folded.weight.shape[2], folded.weight.shape[3]} {
    const auto out = static_cast<std::size_t>(folded.weight.shape[0]);
    const auto in = static_cast<std::size_t>(folded.weight.shape[1]);
    const auto taps = static_cast<std::size_t>(shape[2] * shape[3]);
    per_output = padded_in * taps;
    weight.resize(padded(out) * per_output);
    for (std::size_t o = 0; o < out; ++o)
      std::copy_n(folded.weight.values.begin() + static_cast<std::ptrdiff_t>(o * in * taps),
                  in * taps, weight.begin() + static_cast<std::ptrdiff_t>(o * per_output));
    bias = folded.bias.values;
    bias.resize(padded(out));
  }
  memory::dims shape;
  std::size_t per_output = 0;
  std::vector<float> weight, bias;
};

Weights in_floats(const dnnl::engine& engine, const FoldedConvolution& folded, std::size_t in) {
  const PaddedConvolution all(folded, in);
  return {engine, all.shape, all.weight, all.bias};
}

/// Weights in 8 bits with one scale per output channel, for inputs that are multiples of
/// `source_scale`; the convolution's result is a multiple of `result_scale`. The bias is added to
/// the sums of integers, before they are multiplied by the factor.
Weights in_bytes(const dnnl::engine& engine, const FoldedConvolution& folded, std::size_t in,
                 int largest, float source_scale, float result_scale) {
  const PaddedConvolution all(folded, in);
  std::vector<std::int8_t> weight(all.weight.size());
  std::vector<float> bias(all.bias.size()), factor(all.bias.size());
  for (std::size_t o = 0; o < bias.size(); ++o) {
    const float* const from = all.weight.data() + o * all.per_output;
    float magnitude = 0;
    for (std::size_t i = 0; i < all.per_output; ++i)
      magnitude = std::max(magnitude, std::abs(from[i]));
    // A channel without weights has any scale.
    constexpr float kSmallest = 1e-20F;
    const float scale =
        magnitude > kSmallest ? magnitude / static_cast<float>(largest) : 1 / source_scale;
    for (std::size_t i = 0; i < all.per_output; ++i)
      weight[o * all.per_output + i] = static_cast<std::int8_t>(std::lround(from[i] / scale));
    bias[o] = all.bias[o] / (source_scale * scale);
    factor[o] = source_scale * scale / result_scale;
  }
  return {engine, all.shape, weight, bias, factor};
}

}  // namespace

Plan choose_plan(const FoldedNetwork& network, Precision precision) {
  const EncodingInfo& encoding = network.encoding;
  const auto channels = static_cast<int>(padded(static_cast<std::size_t>(network.config.channels)));
  Plan plan{.precision = precision};
  // oneDNN's 2x3 Winograd convolutions serve one position each; with many channels their weights no
  // longer fit into the L2 cache, and on boards of less than 36 cells too much is padding.
  plan.winograd = precision == Precision::Fp32 && has_avx512() && channels <= 128 &&
                  encoding.height >= 6 && encoding.width >= 6;
  // Without matrix units narrow networks are faster in blocks.
  const bool blocked_bf16 = precision == Precision::Bf16 && channels <= 32 && !has_matrix_units();
  if (plan.winograd || blocked_bf16) plan.layout = Layout::Blocked;
  // Layer by layer over a few positions: enough to reuse the weights, few enough for their
  // activations to stay in the L2 cache.
  constexpr int kCacheBytes = 512 * 1024, kBytesPerActivation = 10;
  const std::int64_t fitting = kCacheBytes / (std::int64_t{kBytesPerActivation} *
                                              network.board_count() * encoding.cells() * channels);
  while (plan.group < 16 && 2 * plan.group <= fitting)
    plan.group *= 2;
  return plan;
}

/// A group's activations: consecutive positions in each buffer. Padding stays zero.
class Network::Workspace {
 public:
  explicit Workspace(const Network& network) : stream(network.engine_) {
    const Group& largest = network.groups_.back();
    const auto whole = static_cast<std::size_t>(largest.boards);
    inputs = Buffer(largest.stem.source(), whole, whole);
    x = Buffer(largest.stem.destination(), whole, whole);
    rounded = Buffer(largest.first.source(), static_cast<std::size_t>(largest.at_once), whole);
    middle = Buffer(largest.first.destination(), static_cast<std::size_t>(largest.at_once), whole);
    y = Buffer(largest.second_plain.destination(), static_cast<std::size_t>(largest.at_once),
               whole);
    heads_input = Buffer(largest.heads.source(), whole, whole);
    heads = Buffer(largest.heads.destination(), whole, whole);
    if (network.plan_.layout != Layout::ChannelsLast)
      gathered = Buffer(largest.heads.destination(), whole, whole);
    std::size_t scratch_bytes = 0;
    for (const Group& group : network.groups_) {
      for (const Convolution* c :
           {&group.stem, &group.first, &group.second_added, &group.second_plain, &group.heads})
        scratch_bytes = std::max(scratch_bytes, c->scratch_bytes());
      Views at;
      const auto boards = static_cast<std::size_t>(group.boards);
      const auto at_once = static_cast<std::size_t>(group.at_once);
      at.inputs = inputs.view(group.stem.source(), 0, network.engine_);
      at.x = x.view(group.stem.destination(), 0, network.engine_);
      at.heads_source = (network.ends_type() == network.trunk_type() ? x : heads_input)
                            .view(group.heads.source(), 0, network.engine_);
      at.heads = heads.view(group.heads.destination(), 0, network.engine_);
      for (std::size_t i = 0; i < boards; i += at_once)
        at.trunk.push_back(
            {.source =
                 (network.int8() ? rounded : x).view(group.first.source(), i, network.engine_),
             .middle = middle.view(group.first.destination(), i, network.engine_),
             .added = x.view(group.second_added.destination(), i, network.engine_),
             .y = y.view(group.second_plain.destination(), i, network.engine_)});
      views.push_back(std::move(at));
    }
    scratch_memory = AlignedFloats(scratch_bytes / sizeof(float) + 1);
    scratch = memory({{static_cast<memory::dim>(scratch_bytes + sizeof(float))},
                      DataType::u8,
                      memory::format_tag::x},
                     network.engine_, scratch_memory.data());
  }

  /// Zero-initialised bytes for some boards.
  class Buffer {
   public:
    Buffer() = default;
    /// `desc` describes `described` boards; there is room for `boards`.
    Buffer(const memory::desc& desc, std::size_t described, std::size_t boards)
        : bytes_(desc.get_size() / described),
          floats_((bytes_ * boards + sizeof(float) - 1) / sizeof(float)) {}
    template <class T>
    T* at(std::size_t board) {
      return reinterpret_cast<T*>(reinterpret_cast<std::byte*>(floats_.data()) + board * bytes_);
    }
    memory view(const memory::desc& desc, std::size_t board, const dnnl::engine& engine) {
      return {desc, engine, at<std::byte>(board)};
    }

   private:
    std::size_t bytes_ = 0;  // of a board
    AlignedFloats floats_;
  };
  /// Those of a trunk convolution's boards.
  struct TrunkViews {
    memory source, middle, added, y;
  };
  struct Views {
    memory inputs, x, heads_source, heads;
    std::vector<TrunkViews> trunk;
  };

  dnnl::stream stream;
  Buffer inputs, x, rounded, middle, y, heads_input, heads, gathered;
  std::vector<Views> views;  // one for each of the network's groups
  AlignedFloats scratch_memory;
  memory scratch;
  SqueezeExciteMemory squeeze_excite;
  BoardExchangeMemory exchange;
};

/// Packs the trunk's blocks.
struct Network::Maker {
  const Network& network;
  const ActivationRanges* ranges;  // int8 only
  std::size_t blocks = 0;          // made so far, without the stem

  float byte_scale(std::size_t range) const { return ranges->values[range] / 255.0F; }

  TrunkBlock operator()(const FoldedStem& folded) {
    Stem made{in_floats(network.engine_, folded.convolution, network.padded_planes_), std::nullopt};
    if (folded.exchange) made.exchange = BoardExchange{make_dense(*folded.exchange)};
    return made;
  }

  TrunkBlock operator()(const FoldedResidualBlock& folded) {
    const std::size_t in = network.padded_channels_, block = blocks++;
    ResidualBlock made;
    if (network.int8()) {
      made.source_scale = byte_scale(ActivationRanges::input_of(block));
      const float middle = byte_scale(ActivationRanges::middle_of(block));
      const int largest = largest_weight();
      made.first = in_bytes(network.engine_, folded.first, in, largest, made.source_scale, middle);
      made.second = in_bytes(network.engine_, folded.second, in, largest, middle, 1);
    } else {
      made.first = in_floats(network.engine_, folded.first, in);
      made.second = in_floats(network.engine_, folded.second, in);
    }
    if (folded.squeeze_excite)
      made.squeeze_excite = SqueezeExcite{make_dense(folded.squeeze_excite->squeeze),
                                          make_dense(folded.squeeze_excite->excite)};
    return made;
  }
};

/// Brings weights into the formats of a group's kernels.
struct Network::Preparer {
  const dnnl::engine& engine;
  const Group& group;
  void operator()(Stem& stem) const { group.stem.prepare(engine, stem.convolution); }
  void operator()(ResidualBlock& block) const {
    group.first.prepare(engine, block.first);
    (block.squeeze_excite ? group.second_plain : group.second_added).prepare(engine, block.second);
  }
};

Network::Network(const FoldedNetwork& network, const Plan& plan)
    : plan_(plan),
      engine_(dnnl::engine::kind::cpu, 0),
      height_(network.encoding.height),
      width_(network.encoding.width),
      boards_(network.boards),
      floats_(network.encoding.floats()),
      planes_(static_cast<std::size_t>(network.board_planes())),
      channels_(static_cast<std::size_t>(network.config.channels)),
      padded_planes_(padded(planes_)),
      padded_channels_(padded(channels_)),
      head_channels_(padded(static_cast<std::size_t>(network.head_channels()))) {
  limit_kernel_cache();
  use_one_thread();
  if (int8()) {
    if (!network.ranges)
      throw std::invalid_argument("int8: the network has no activation ranges; see calibrate()");
    if (network.ranges->values.size() != ActivationRanges::count(network.trunk.size() - 1))
      throw std::invalid_argument(
          "int8: the network has " + std::to_string(network.ranges->values.size()) +
          " activation ranges; " + std::to_string(network.trunk.size() - 1) + " blocks need " +
          std::to_string(ActivationRanges::count(network.trunk.size() - 1)));
  }
  Maker maker{.network = *this, .ranges = network.ranges ? &*network.ranges : nullptr};
  for (const FoldedTrunkBlock& block : network.trunk)
    trunk_.push_back(std::visit(maker, block));
  heads_ = in_floats(engine_, network.heads, padded_channels_);
  for (int positions = 1; positions <= plan_.group; positions *= 2) {
    const Group& group = groups_.emplace_back(compile(positions * network.board_count()));
    for (TrunkBlock& block : trunk_)
      std::visit(Preparer{engine_, group}, block);
    group.heads.prepare(engine_, heads_);
  }
}

DataType Network::trunk_type() const {
  return plan_.precision == Precision::Bf16 ? DataType::bf16 : DataType::f32;
}
DataType Network::ends_type() const {
  if (int8() && runs_natively(Precision::Bf16)) return DataType::bf16;
  return trunk_type();
}

Network::Group Network::compile(int boards) const {
  const DataType type = trunk_type();
  const auto planes = static_cast<int>(padded_planes_);
  const auto channels = static_cast<int>(padded_channels_);
  const ConvolutionSpec common{
      .positions = boards, .height = height_, .width = width_, .layout = plan_.layout};
  Group group;
  group.boards = boards;
  group.at_once = plan_.winograd ? 1 : boards;

  ConvolutionSpec stem = common;
  stem.in = planes;
  stem.out = channels;
  stem.source = ends_type();
  stem.destination = type;
  stem.relu = true;
  group.stem = Convolution(engine_, stem);

  ConvolutionSpec first = common;
  first.positions = group.at_once;
  first.in = first.out = channels;
  first.source = first.destination = int8() ? DataType::u8 : type;
  first.factor = int8();
  first.relu = true;
  first.winograd = plan_.winograd;
  group.first = Convolution(engine_, first);

  ConvolutionSpec second = first;
  second.destination = type;
  second.accumulate = true;
  group.second_added = Convolution(engine_, second);
  second.destination = DataType::f32;
  second.accumulate = second.relu = false;
  group.second_plain = Convolution(engine_, second);

  ConvolutionSpec heads = common;
  heads.in = channels;
  heads.out = static_cast<int>(head_channels_);
  heads.size = 1;
  heads.source = ends_type();
  group.heads = Convolution(engine_, heads);
  return group;
}

std::shared_ptr<Network::Workspace> Network::make_workspace() const {
  return std::make_shared<Workspace>(*this);
}

/// Applies blocks to a group of positions.
struct Network::Run {
  const Network& network;
  const Group& group;
  Workspace& work;
  const Workspace::Views& views;
  const float* planes;
  BlockLayout layout;  // of the trunk

  std::size_t boards() const { return static_cast<std::size_t>(group.boards); }
  void convolve(const Convolution& kernel, const Weights& weights, const memory& source,
                const memory& destination) const {
    kernel.run(work.stream, weights, source, destination, work.scratch);
  }

  template <class T>
  void write() const {
    const BlockLayout to(network.plan_.layout, layout.cells, network.padded_planes_);
    const std::size_t per_position = network.boards_.size();
    for (std::size_t i = 0; i < boards(); ++i)
      write_planes(planes + i / per_position * network.floats_, network.boards_[i % per_position],
                   to, work.inputs.at<T>(i));
  }
  template <class T>
  void exchange(const BoardExchange& of_boards) const {
    const std::size_t per_position = network.boards_.size();
    for (std::size_t i = 0; i < boards(); i += per_position) {
      const float* const of_position = planes + i / per_position * network.floats_;
      exchange_boards(of_boards, layout, network.channels_,
                      existing_boards(network.boards_, of_position, layout.cells), work.x.at<T>(i),
                      work.exchange);
    }
  }

  void operator()(const Stem& stem) const {
    if (network.ends_type() == DataType::bf16)
      write<BFloat16>();
    else
      write<float>();
    convolve(group.stem, stem.convolution, views.inputs, views.x);
    if (!stem.exchange) return;
    if (network.trunk_type() == DataType::bf16)
      exchange<BFloat16>(*stem.exchange);
    else
      exchange<float>(*stem.exchange);
  }
  void operator()(const ResidualBlock& block) const {
    if (network.int8())
      round_to_bytes(work.x.at<float>(0), boards() * layout.elements(), 1 / block.source_scale,
                     work.rounded.at<std::uint8_t>(0));
    for (const Workspace::TrunkViews& at : views.trunk)
      convolve(group.first, block.first, at.source, at.middle);
    if (block.squeeze_excite) {
      for (const Workspace::TrunkViews& at : views.trunk)
        convolve(group.second_plain, block.second, at.middle, at.y);
      const float* const y = work.y.at<float>(0);
      if (network.plan_.precision == Precision::Bf16)
        squeeze_excite(*block.squeeze_excite, layout, network.channels_, boards(), y,
                       work.x.at<BFloat16>(0), work.squeeze_excite);
      else
        squeeze_excite(*block.squeeze_excite, layout, network.channels_, boards(), y,
                       work.x.at<float>(0), work.squeeze_excite);
    } else {
      for (const Workspace::TrunkViews& at : views.trunk)
        convolve(group.second_added, block.second, at.middle, at.added);
    }
  }
  const float* heads() const {
    if (network.ends_type() != network.trunk_type())
      round_to_bfloat16(work.x.at<float>(0), boards() * layout.elements(),
                        work.heads_input.at<BFloat16>(0));
    convolve(group.heads, network.heads_, views.heads_source, views.heads);
    if (network.plan_.layout == Layout::ChannelsLast) return work.heads.at<float>(0);
    const BlockLayout from(network.plan_.layout, layout.cells, network.head_channels_);
    for (std::size_t i = 0; i < boards(); ++i)
      gather_cells(work.heads.at<float>(i), from, work.gathered.at<float>(i));
    return work.gathered.at<float>(0);
  }
};

const float* Network::run(const float* planes, std::size_t count, Workspace& work) const {
  std::size_t at = 0;
  while (at < groups_.size() &&
         static_cast<std::size_t>(groups_[at].boards) != count * boards_.size())
    ++at;
  assert(at < groups_.size());
  const auto cells = static_cast<std::size_t>(height_) * static_cast<std::size_t>(width_);
  const Run run{.network = *this,
                .group = groups_[at],
                .work = work,
                .views = work.views[at],
                .planes = planes,
                .layout = BlockLayout(plan_.layout, cells, padded_channels_)};
  for (const TrunkBlock& block : trunk_)
    std::visit(run, block);
  return run.heads();
}

}  // namespace faultline::onednn
