// The loops of lane_kernels.h for the instruction set that this file is compiled for. The build
// names their table with FAULTLINE_LANE_KERNELS=NAME: `NAME_lane_kernels`.
//
// A build for several processors compiles this file several times. Inline functions and templates
// of other headers must not be instantiated here: the linker keeps one copy of each for the whole
// program, and it might keep one that uses instructions other processors lack. A test checks that
// the object files have none.
#include <cstddef>
#include <cstring>

#include "model/inference/lane_kernels.h"

namespace faultline {
namespace {

// As many floats as fit in one register.
#if defined(__AVX512F__)
constexpr std::size_t kLanes = 16, kVectorRegisters = 32;
#elif defined(__AVX__)
constexpr std::size_t kLanes = 8, kVectorRegisters = 16;
#elif defined(__aarch64__)
constexpr std::size_t kLanes = 4, kVectorRegisters = 32;
#else  // SSE, or WebAssembly, whose compilers have so many registers in a browser
constexpr std::size_t kLanes = 4, kVectorRegisters = 16;
#endif

using Lanes = float __attribute__((vector_size(kLanes * sizeof(float))));

inline Lanes load_lanes(const float* from) {
  Lanes lanes;
  std::memcpy(&lanes, from, sizeof lanes);
  return lanes;
}
inline void store_lanes(Lanes lanes, float* to) {
  std::memcpy(to, &lanes, sizeof lanes);
}
inline Lanes rectified(Lanes lanes) {
  return lanes > 0 ? lanes : Lanes{};
}

/// Cells of a row computed together, two output vectors each: as many as leave registers for the
/// two weights and an input. Each input is then used twice and each weight for all cells.
#ifdef __wasm_simd128__
constexpr std::size_t kMostCells = 4;  // with 6, a browser's compiler spills: half as fast
#else
constexpr std::size_t kMostCells = kVectorRegisters == 32 ? 12 : 6;
#endif

struct Tile {
  const float* x;       // the cell above and left of the first one (or the first one, for 1x1)
  const float* weight;  // [size * size, inputs, Vectors * kLanes]
  const float* bias;
  const float* skip;  // null: none
  float* y;
};

template <std::size_t Cells, std::size_t Vectors>
void compute(const ConvolutionTask& task, const Tile& t) {
  Lanes sums[Cells][Vectors];
  for (std::size_t cell = 0; cell < Cells; ++cell)
    for (std::size_t v = 0; v < Vectors; ++v)
      sums[cell][v] = load_lanes(t.bias + v * kLanes);

  const float* weight = t.weight;
  const std::size_t x_cell = task.x_cell;
  for (std::size_t dy = 0; dy < task.size; ++dy)
    for (std::size_t dx = 0; dx < task.size; ++dx) {
      const float* x = t.x + dy * task.x_row + dx * x_cell;
      for (std::size_t i = 0; i < task.inputs; ++i, weight += Vectors * kLanes) {
        Lanes w[Vectors];
        for (std::size_t v = 0; v < Vectors; ++v)
          w[v] = load_lanes(weight + v * kLanes);
#pragma GCC unroll 12
        for (std::size_t cell = 0; cell < Cells; ++cell)
#pragma GCC unroll 2
          for (std::size_t v = 0; v < Vectors; ++v)
            sums[cell][v] += x[cell * x_cell + i] * w[v];
      }
    }

  for (std::size_t cell = 0; cell < Cells; ++cell)
    for (std::size_t v = 0; v < Vectors; ++v) {
      const std::size_t offset = cell * task.y_cell + v * kLanes;
      Lanes sum = sums[cell][v];
      if (t.skip != nullptr) sum += load_lanes(t.skip + offset);
      store_lanes(task.relu ? rectified(sum) : sum, t.y + offset);
    }
}

using Compute = void (*)(const ConvolutionTask&, const Tile&);

/// compute<N + 1, Vectors> at N.
template <std::size_t Vectors, std::size_t... N>
struct ComputeTable {
  static constexpr Compute kEntries[] = {&compute<N + 1, Vectors>...};
};
template <std::size_t Vectors, std::size_t Left, std::size_t... N>
struct MakeComputeTable : MakeComputeTable<Vectors, Left - 1, Left - 1, N...> {};
template <std::size_t Vectors, std::size_t... N>
struct MakeComputeTable<Vectors, 0, N...> : ComputeTable<Vectors, N...> {};

void convolve(const ConvolutionTask& task) {
  const std::size_t parts = (task.width + kMostCells - 1) / kMostCells;
  const std::size_t back = task.size == 3 ? task.x_row + task.x_cell : 0;
  Tile tile{.x = nullptr, .weight = task.weight, .bias = task.bias, .skip = nullptr, .y = nullptr};
  // Output channels outermost: their weights stay in the L1 cache for all positions.
  for (std::size_t first = 0; first < task.output_vectors;) {
    const std::size_t vectors = task.output_vectors - first > 1 ? 2 : 1;
    const Compute* const computes = vectors == 2 ? MakeComputeTable<2, kMostCells>::kEntries
                                                 : MakeComputeTable<1, kMostCells>::kEntries;
    for (std::size_t p = 0; p < task.count; ++p)
      for (std::size_t row = 0; row < task.height; ++row)
        for (std::size_t part = 0; part < parts; ++part) {
          const std::size_t begin = part * task.width / parts,
                            end = (part + 1) * task.width / parts;
          tile.x = task.x + p * task.x_position + row * task.x_row + begin * task.x_cell - back;
          const std::size_t offset =
              p * task.y_position + row * task.y_row + begin * task.y_cell + first * kLanes;
          tile.y = task.y + offset;
          tile.skip = task.skip == nullptr ? nullptr : task.skip + offset;
          computes[end - begin - 1](task, tile);
        }
    tile.weight += task.size * task.size * task.inputs * vectors * kLanes;
    tile.bias += vectors * kLanes;
    first += vectors;
  }
}

/// `Rows` inputs for one vector of outputs.
template <std::size_t Rows>
void dense_tile(const DenseTask& task, std::size_t row, std::size_t out) {
  const float* const x = task.x + row * task.inputs;
  const float* const weight = task.weight + out * task.inputs;
  Lanes sums[Rows];
  for (std::size_t r = 0; r < Rows; ++r)
    sums[r] = load_lanes(task.bias + out);
  for (std::size_t i = 0; i < task.inputs; ++i) {
    const Lanes w = load_lanes(weight + i * kLanes);
    for (std::size_t r = 0; r < Rows; ++r)
      sums[r] += x[r * task.inputs + i] * w;
  }
  const std::size_t left = task.outputs - out;
  for (std::size_t r = 0; r < Rows; ++r) {
    const Lanes sum = task.relu ? rectified(sums[r]) : sums[r];
    std::memcpy(task.y + (row + r) * task.outputs + out, &sum,
                (left < kLanes ? left : kLanes) * sizeof(float));
  }
}

void dense(const DenseTask& task) {
  constexpr std::size_t kRows = 8;
  for (std::size_t out = 0; out < task.outputs; out += kLanes) {
    std::size_t row = 0;
    for (; row + kRows <= task.count; row += kRows)
      dense_tile<kRows>(task, row, out);
    for (; row < task.count; ++row)
      dense_tile<1>(task, row, out);
  }
}

void add_cells(const CellGrid& grid, const float* x, float share, float* mean) {
  for (std::size_t row = 0; row < grid.height; ++row)
    for (std::size_t column = 0; column < grid.width; ++column) {
      const float* const cell = x + row * grid.row_stride + column * grid.cell_stride;
#pragma omp simd
      for (std::size_t c = 0; c < grid.channels; ++c)
        mean[c] += cell[c] * share;
    }
}

void gate_cells(const CellGrid& grid, const float* gate, const float* offset, const float* skip,
                float* x) {
  for (std::size_t row = 0; row < grid.height; ++row)
    for (std::size_t column = 0; column < grid.width; ++column) {
      const std::size_t at = row * grid.row_stride + column * grid.cell_stride;
#pragma omp simd
      for (std::size_t c = 0; c < grid.channels; ++c) {
        const float sum = gate[c] * x[at + c] + offset[c] + skip[at + c];
        x[at + c] = sum > 0 ? sum : 0.0F;
      }
    }
}

/// Sixteen sums at any number of lanes, so that their order is the same everywhere.
float policy_dot(const float* query, const float* kind, const float* key, std::size_t dim) {
  constexpr std::size_t kSums = 16, kVectors = kSums / kLanes;
  Lanes lanes[kVectors] = {};
  std::size_t i = 0;
  for (; i + kSums <= dim; i += kSums)
    for (std::size_t v = 0; v < kVectors; ++v) {
      const std::size_t at = i + v * kLanes;
      lanes[v] += (load_lanes(query + at) + load_lanes(kind + at)) * load_lanes(key + at);
    }
  float sums[kSums];
  std::memcpy(sums, lanes, sizeof sums);
  for (std::size_t rest = 0; i < dim; ++i, ++rest)
    sums[rest] += (query[i] + kind[i]) * key[i];
#pragma GCC unroll 4
  for (std::size_t half = kSums / 2; half > 0; half /= 2)
#pragma GCC unroll 8
    for (std::size_t s = 0; s < half; ++s)
      sums[s] += sums[s + half];
  return sums[0];
}

#define FAULTLINE_TEXT_OF(name) #name
#define FAULTLINE_NAME_TEXT(name) FAULTLINE_TEXT_OF(name)
#define FAULTLINE_JOINED(a, b) a##b
#define FAULTLINE_TABLE(name) FAULTLINE_JOINED(name, _lane_kernels)

}  // namespace

extern const LaneKernels FAULTLINE_TABLE(FAULTLINE_LANE_KERNELS);
const LaneKernels FAULTLINE_TABLE(FAULTLINE_LANE_KERNELS) = {
    .name = FAULTLINE_NAME_TEXT(FAULTLINE_LANE_KERNELS),
    .lanes = kLanes,
    .convolve = convolve,
    .dense = dense,
    .add_cells = add_cells,
    .gate_cells = gate_cells,
    .policy_dot = policy_dot};

}  // namespace faultline
