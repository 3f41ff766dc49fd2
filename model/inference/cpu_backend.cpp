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
#include "model/inference/network_heads.h"
#include "model/inference/vnni_backend.h"

namespace faultline {
namespace {

BackendAttributes cpu_attributes(Precision precision) {
  // The kernels themselves are as fast for one position as for many; encoding and search gain a
  // little from larger batches, which in 8 bits leave the caches sooner.
  return {.name = "cpu",
          .precision = precision,
          .best_batch = precision == Precision::Int8 ? 16U : 32U};
}

/// One batch and the buffers for computing it. The canvases' borders and padding stay zero.
class CpuBatch final : public HostBatch {
 public:
  CpuBatch(std::size_t floats, const CpuTrunk& trunk)
      : HostBatch(floats),
        shapes(trunk.canvases()),
        boards(trunk.boards()),
        memory(shapes, trunk.group(), boards),
        heads(trunk.group() * boards * shapes.heads.floats()) {}
  Canvases shapes;
  std::size_t boards;
  CpuTrunkMemory memory;
  AlignedFloats heads;
};

class CpuBackend final : public Backend {
 public:
  explicit CpuBackend(const FoldedNetwork& network)
      : encoding_(network.encoding),
        config_(network.config),
        trunk_(network),
        heads_convolution_(make_convolution(network.heads, canvases().trunk, canvases().heads)),
        heads_(network) {}

  const BackendAttributes& attributes() const override { return attributes_; }

  std::unique_ptr<BackendBatch> make_batch() const override {
    return std::make_unique<CpuBatch>(encoding_.floats(), trunk_);
  }

  void submit(BackendBatch& given) override {
    auto* const batch = dynamic_cast<CpuBatch*>(&given);
    // Borders and padding must be zero for this network.
    if (batch == nullptr || batch->shapes != canvases() || batch->boards != trunk_.boards())
      throw std::invalid_argument("batch: made by another backend than the one it is submitted to");
    batch->check_inputs(attributes_.largest_batch);
    const std::size_t count = batch->count();
    heads_.begin(*batch);
    for (std::size_t first = 0; first < count; first += trunk_.group())
      run_group(*batch, first, std::min(trunk_.group(), count - first));
    heads_.finish(*batch);
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
    const std::vector<std::size_t>& first_board = batch.memory.first_board;
    heads_convolution_.apply(x, first_board.back(), nullptr, batch.heads.data(), false);
    const Canvas& canvas = canvases().heads;
    for (std::size_t i = 0; i < count; ++i)
      heads_.read(batch, first + i, first_board[i + 1] - first_board[i],
                  {.board_stride = canvas.floats(),
                   .width = canvas.width,
                   .row_stride = canvas.row_stride(),
                   .cell_stride = canvas.cell_stride()},
                  batch.heads.data() + first_board[i] * canvas.floats() + canvas.row_begin(0));
  }

  BackendAttributes attributes_ = cpu_attributes(Precision::Fp32);
  EncodingInfo encoding_;
  NetConfig config_;
  CpuTrunk trunk_;
  Convolution heads_convolution_;
  NetworkHeads heads_;
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
