// CPU inference with the hand-written kernels, one thread per caller.
#include "model/inference/cpu_backend.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "model/inference/backend_registry.h"
#include "model/inference/convolution.h"
#include "model/inference/cpu_trunk.h"
#include "model/inference/head_kernels.h"
#include "model/inference/vnni_backend.h"

namespace faultline {
namespace {

BackendAttributes cpu_attributes(Precision precision) {
  // The kernels themselves are as fast for one position as for many; encoding and search gain a
  // little from larger batches.
  return {.name = "cpu", .precision = precision, .best_batch = 32};
}

/// One batch and the buffers for computing it. The canvases' borders and padding stay zero.
class CpuBatch final : public BackendBatch {
 public:
  CpuBatch(std::size_t floats, const CpuTrunk& trunk)
      : BackendBatch(floats),
        shapes(trunk.canvases()),
        memory(shapes, trunk.group()),
        heads(trunk.group() * shapes.heads.floats()) {}
  using BackendBatch::check_inputs;
  using BackendBatch::finish_outputs;
  using BackendBatch::logits;

  Canvases shapes;
  CpuTrunkMemory memory;
  AlignedFloats heads;
  std::vector<float> seen, hidden, raw;  // of the whole batch

 private:
  std::span<float> allocate_planes(std::size_t floats) override {
    if (planes_.size() < floats) planes_.resize(floats);
    return planes_;
  }
  std::vector<float> planes_;
};

class CpuBackend final : public Backend {
 public:
  explicit CpuBackend(const FoldedNetwork& network)
      : encoding_(network.encoding),
        config_(network.config),
        trunk_(network),
        heads_(make_convolution(network.heads, canvases().trunk, canvases().heads)),
        policy_{.dim = static_cast<std::size_t>(config_.policy_dim),
                .levels = static_cast<std::size_t>(encoding_.levels),
                .kind_queries = network.kind_queries.values,
                .kind_biases = network.kind_biases.values},
        value_begin_(static_cast<std::size_t>(2 * network.query_channels())),
        value_hidden_(make_dense(network.value_hidden)),
        value_out_(make_dense(network.value_out)) {}

  const BackendAttributes& attributes() const override { return attributes_; }

  std::unique_ptr<BackendBatch> make_batch() const override {
    return std::make_unique<CpuBatch>(encoding_.floats(), trunk_);
  }

  void submit(BackendBatch& given) override {
    auto* const batch = dynamic_cast<CpuBatch*>(&given);
    // Borders and padding must be zero for this network.
    if (batch == nullptr || batch->shapes != canvases())
      throw std::invalid_argument("batch: made by another backend than the one it is submitted to");
    batch->check_inputs(attributes_.largest_batch);
    const std::size_t count = batch->count();
    batch->seen.resize(count * value_hidden_.inputs());
    for (std::size_t first = 0; first < count; first += trunk_.group())
      run_group(*batch, first, std::min(trunk_.group(), count - first));
    batch->hidden.resize(count * value_hidden_.outputs());
    batch->raw.resize(count * value_out_.outputs());
    value_hidden_.apply(batch->seen.data(), count, batch->hidden.data(), true);
    value_out_.apply(batch->hidden.data(), count, batch->raw.data(), false);
    batch->finish_outputs(batch->raw);
  }
  void wait(BackendBatch&) override {}
  std::string describe() const override {
    return "cpu fp32, " + std::to_string(lane_kernels().lanes) + " lanes, " +
           faultline::describe(config_) + ", folded batch norms";
  }

 private:
  const Canvases& canvases() const { return trunk_.canvases(); }

  void run_group(CpuBatch& batch, std::size_t first, std::size_t count) const {
    const float* const x = trunk_.apply(batch.planes(first).data(), count, batch.memory);
    heads_.apply(x, count, nullptr, batch.heads.data(), false);
    for (std::size_t i = 0; i < count; ++i)
      read_heads(batch, first + i, batch.heads.data() + i * canvases().heads.floats());
  }

  void read_heads(CpuBatch& batch, std::size_t position, const float* heads) const {
    const Canvas& canvas = canvases().heads;
    const std::size_t begin = batch.first_move()[position], end = batch.first_move()[position + 1];
    policy_.logits({canvas.width, canvas.row_stride(), canvas.cell_stride()},
                   heads + canvas.row_begin(0), batch.moves().subspan(begin, end - begin),
                   batch.logits().data() + begin);
    const auto channels = static_cast<std::size_t>(config_.value_channels);
    float* seen = batch.seen.data() + position * value_hidden_.inputs();
    for (std::size_t row = 0; row < canvas.height; ++row)
      for (std::size_t column = 0; column < canvas.width; ++column) {
        const float* from =
            heads + canvas.row_begin(row) + column * canvas.cell_stride() + value_begin_;
        for (std::size_t c = 0; c < channels; ++c)
          *seen++ = from[c] > 0 ? from[c] : 0.0F;
      }
  }

  BackendAttributes attributes_ = cpu_attributes(Precision::Fp32);
  EncodingInfo encoding_;
  NetConfig config_;
  CpuTrunk trunk_;
  Convolution heads_;
  PolicyHead policy_;
  std::size_t value_begin_;  // the first of the heads' channels that belongs to the value head
  DenseLayer value_hidden_;
  DenseLayer value_out_;
};

}  // namespace

std::shared_ptr<Backend> make_cpu_backend(const FoldedNetwork& network) {
  return std::make_shared<CpuBackend>(network);
}

void register_cpu_backend(BackendRegistry& registry) {
  registry.add(
      {.name = "cpu",
       .help = "kernels of this program: device cpu; precisions fp32, int8 (with AVX512_VNNI)",
       .attributes = [](const BackendOptions& options) -> std::optional<BackendAttributes> {
         const bool runs = (options.device == "cpu" || options.device == "auto") &&
                           (options.precision == Precision::Fp32 ||
                            (options.precision == Precision::Int8 && has_vnni_backend()));
         return runs ? std::optional(cpu_attributes(options.precision)) : std::nullopt;
       },
       .create =
           [](const FoldedNetwork& network, const BackendOptions& options) {
             return options.precision == Precision::Int8 ? make_vnni_backend(network)
                                                         : make_cpu_backend(network);
           }});
}

}  // namespace faultline
