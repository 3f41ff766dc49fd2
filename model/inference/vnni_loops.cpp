// The loops of vnni_kernels.h. The build compiles this file for AVX-512 with VNNI, whatever else it
// is for: inline functions and templates of other headers must not be instantiated here (see
// lane_loops.cpp).
#include <cstddef>
#include <cstdint>
#include <cstring>

#include <immintrin.h>

#include "model/inference/vnni_kernels.h"

namespace faultline {
namespace {

/// The cell above and left of the first one inside a canvas is its first element: the 3x3 patch
/// around the cell (row, column) begins at this offset.
inline std::size_t patch_at(std::size_t row, std::size_t column, std::size_t width,
                            std::size_t channels) {
  return (row * (width + 2) + column) * channels;
}
inline std::size_t inside_at(std::size_t row, std::size_t column, std::size_t width,
                             std::size_t channels) {
  return patch_at(row + 1, column + 1, width, channels);
}
inline std::size_t canvas_elements(std::size_t height, std::size_t width, std::size_t channels) {
  return (height + 2) * (width + 2) * channels;
}

/// y[patch] += value * weight.
inline void add_patch(const float* weight, float value, std::size_t row_stride,
                      std::size_t channels, float* y) {
  const __m512 v = _mm512_set1_ps(value);
  const std::size_t patch_row = 3 * channels;
  for (std::size_t row = 0; row < 3; ++row) {
    const float* const w = weight + row * patch_row;
    float* const to = y + row * row_stride;
    for (std::size_t i = 0; i < patch_row; i += kVnniLanes)
      _mm512_storeu_ps(to + i, _mm512_fmadd_ps(v, _mm512_loadu_ps(w + i), _mm512_loadu_ps(to + i)));
  }
}

/// What a plane holds.
struct Plane {
  std::size_t nonzero = 0;  // cells
  bool equal = true;        // all of those hold `value`
  float value = 0;          // of the first that is not zero
};

/// `cells`: [words] a bit for each cell that is not zero.
inline Plane look_at(const float* x, std::size_t count, std::uint16_t* cells) {
  Plane plane;
  for (std::size_t first = 0, word = 0; first < count; first += 16, ++word) {
    const std::size_t left = count - first;
    const auto valid = static_cast<__mmask16>(left >= 16 ? 0xFFFF : (1U << left) - 1);
    const __m512 values = _mm512_maskz_loadu_ps(valid, x + first);
    const __mmask16 nonzero = _mm512_cmp_ps_mask(values, _mm512_setzero_ps(), _CMP_NEQ_UQ);
    cells[word] = nonzero;
    if (nonzero == 0) continue;
    if (plane.nonzero == 0)
      plane.value = x[first + static_cast<std::size_t>(__builtin_ctz(nonzero))];
    plane.nonzero += static_cast<std::size_t>(__builtin_popcount(nonzero));
    const __mmask16 same =
        _mm512_mask_cmp_ps_mask(nonzero, values, _mm512_set1_ps(plane.value), _CMP_EQ_OQ);
    plane.equal = plane.equal && same == nonzero;
  }
  return plane;
}

/// Adds the patches of a plane's cells; each counts as 1 if `x` is null.
inline void add_cells(const VnniStemTask& t, const float* x, const std::uint16_t* cells,
                      const float* weight, float* y) {
  const std::size_t words = vnni_stem_words(t.height * t.width);
  for (std::size_t word = 0; word < words; ++word)
    for (unsigned left = cells[word]; left != 0; left &= left - 1) {
      const std::size_t cell = 16 * word + static_cast<std::size_t>(__builtin_ctz(left));
      add_patch(weight, x == nullptr ? 1.0F : x[cell], (t.width + 2) * t.channels, t.channels,
                y + patch_at(cell / t.width, cell % t.width, t.width, t.channels));
    }
}

constexpr std::size_t kMostWords = kVnniMostCells / 16;

void stem(const VnniStemTask& t) {
  const std::size_t cells = t.height * t.width, words = vnni_stem_words(cells);
  const std::size_t elements = canvas_elements(t.height, t.width, t.channels);
  for (std::size_t i = 0; i < elements; i += t.channels)
    for (std::size_t c = 0; c < t.channels; c += kVnniLanes)
      _mm512_storeu_ps(t.y + i + c, _mm512_loadu_ps(t.bias + c));
  for (std::size_t plane = 0; plane < t.planes; ++plane) {
    std::uint16_t now[kMostWords];
    if (t.chosen[plane] < 0) continue;
    const float* const x = t.x + static_cast<std::size_t>(t.chosen[plane]) * cells;
    const float* const weight = t.weight + plane * 9 * t.channels;
    const Plane seen = look_at(x, cells, now);
    if (seen.nonzero == 0) continue;
    // A plane that is kept costs a vector per cell of the canvas, one that is not nine per cell.
    const bool keep = seen.equal && 9 * seen.nonzero > (t.height + 2) * (t.width + 2);
    if (!keep) {
      add_cells(t, x, now, weight, t.y);
      continue;
    }
    std::uint16_t* const kept = t.kept_cells + plane * words;
    float* const sums = t.kept_sums + plane * elements;
    if (std::memcmp(kept, now, words * sizeof *now) != 0) {
      std::memset(sums, 0, elements * sizeof *sums);
      add_cells(t, nullptr, now, weight, sums);
      std::memcpy(kept, now, words * sizeof *now);
    }
    const __m512 value = _mm512_set1_ps(seen.value);
    for (std::size_t i = 0; i < elements; i += kVnniLanes)
      _mm512_storeu_ps(t.y + i,
                       _mm512_fmadd_ps(value, _mm512_loadu_ps(sums + i), _mm512_loadu_ps(t.y + i)));
  }
}

/// To the nearest, and to 255 if larger; `x` is not negative.
inline void store_bytes(__m512 x, std::uint8_t* to) {
  const __m128i bytes = _mm512_cvtusepi32_epi8(_mm512_cvtps_epi32(x));
  std::memcpy(to, &bytes, sizeof bytes);
}

void round_canvas(const VnniRoundTask& t) {
  const __m512 scale = _mm512_set1_ps(t.scale), most = _mm512_set1_ps(255.0F);
  for (std::size_t row = 0; row < t.height; ++row) {
    const std::size_t begin = inside_at(row, 0, t.width, t.channels);
    for (std::size_t i = begin; i < begin + t.width * t.channels; i += kVnniLanes) {
      const __m512 x = _mm512_max_ps(_mm512_loadu_ps(t.x + i), _mm512_setzero_ps());
      _mm512_storeu_ps(t.x + i, x);
      store_bytes(_mm512_min_ps(_mm512_mul_ps(x, scale), most), t.bytes + i);
    }
  }
}

/// _mm512_dpbusd_epi32, for which GCC 12 copies accumulators to other registers and the stack.
inline void add_products(__m512i& sum, __m512i unsigned_bytes, __m512i signed_bytes) {
  asm("vpdpbusd %2, %1, %0" : "+v"(sum) : "v"(unsigned_bytes), "v"(signed_bytes));
}

/// `Cells` cells of a row, `Vectors` vectors of output channels.
template <std::size_t Vectors, std::size_t Cells>
void convolve_tile(const VnniConvolutionTask& t, const std::uint8_t* x, const std::int8_t* weight,
                   std::size_t channel, std::size_t to) {
  __m512i sums[Cells][Vectors];
#pragma GCC unroll 16
  for (std::size_t cell = 0; cell < Cells; ++cell)
#pragma GCC unroll 16
    for (std::size_t v = 0; v < Vectors; ++v)
      sums[cell][v] = _mm512_setzero_si512();
  const std::size_t row_stride = (t.width + 2) * t.inputs;
  for (std::size_t row = 0; row < 3; ++row)
    // A row of the patch is 3 * inputs consecutive bytes for every cell.
    for (std::size_t i = 0; i < 3 * t.inputs; i += 4) {
      __m512i w[Vectors];
#pragma GCC unroll 16
      for (std::size_t v = 0; v < Vectors; ++v)
        w[v] = _mm512_loadu_si512(weight + v * 64);
      weight += Vectors * 64;
      const std::uint8_t* const from = x + row * row_stride + i;
#pragma GCC unroll 16
      for (std::size_t cell = 0; cell < Cells; ++cell) {
        int four;
        std::memcpy(&four, from + cell * t.inputs, sizeof four);
        const __m512i inputs = _mm512_set1_epi32(four);
#pragma GCC unroll 16
        for (std::size_t v = 0; v < Vectors; ++v)
          add_products(sums[cell][v], inputs, w[v]);
      }
    }
  const __m512 most = _mm512_set1_ps(255.0F);
#pragma GCC unroll 16
  for (std::size_t v = 0; v < Vectors; ++v) {
    const __m512 bias = _mm512_loadu_ps(t.bias + channel + v * kVnniLanes);
    const __m512 factor = _mm512_loadu_ps(t.factor + channel + v * kVnniLanes);
#pragma GCC unroll 16
    for (std::size_t cell = 0; cell < Cells; ++cell) {
      const std::size_t at = to + cell * t.outputs + v * kVnniLanes;
      __m512 r = _mm512_mul_ps(_mm512_add_ps(_mm512_cvtepi32_ps(sums[cell][v]), bias), factor);
      if (t.plain != nullptr) {
        _mm512_storeu_ps(t.plain + at, r);
        continue;
      }
      if (t.sums != nullptr) {
        r = _mm512_max_ps(_mm512_add_ps(r, _mm512_loadu_ps(t.sums + at)), _mm512_setzero_ps());
        _mm512_storeu_ps(t.sums + at, r);
        r = _mm512_mul_ps(r, _mm512_set1_ps(t.scale));
      }
      if (t.bytes != nullptr)
        store_bytes(_mm512_min_ps(_mm512_max_ps(r, _mm512_setzero_ps()), most), t.bytes + at);
    }
  }
}

using ConvolveTile = void (*)(const VnniConvolutionTask&, const std::uint8_t*, const std::int8_t*,
                              std::size_t, std::size_t);
template <std::size_t Vectors>
constexpr ConvolveTile kConvolveTiles[] = {convolve_tile<Vectors, 1>, convolve_tile<Vectors, 2>,
                                           convolve_tile<Vectors, 3>, convolve_tile<Vectors, 4>,
                                           convolve_tile<Vectors, 5>, convolve_tile<Vectors, 6>,
                                           convolve_tile<Vectors, 7>, convolve_tile<Vectors, 8>};
constexpr const ConvolveTile* kConvolve[] = {kConvolveTiles<1>, kConvolveTiles<2>};
constexpr std::size_t kMostCells = 8;

/// Cells of a row that are computed together where `left` remain: rows of nine and more in parts of
/// similar sizes.
inline std::size_t tile_of(std::size_t left) {
  const std::size_t parts = (left + kMostCells - 1) / kMostCells;
  return (left + parts - 1) / parts;
}

/// Calls tile(first vector of output channels, vectors, row, column, cells) until all are covered.
template <class Task, class Tile>
inline void for_each_tile(const Task& t, const Tile& tile) {
  const std::size_t vectors = t.outputs / kVnniLanes;
  for (std::size_t vector = 0; vector < vectors;) {
    const std::size_t some = vnni_vectors(vectors - vector);
    for (std::size_t row = 0; row < t.height; ++row)
      for (std::size_t column = 0; column < t.width;) {
        const std::size_t cells = tile_of(t.width - column);
        tile(vector, some, row, column, cells);
        column += cells;
      }
    vector += some;
  }
}

void convolve(const VnniConvolutionTask& t) {
  for_each_tile(t, [&](std::size_t vector, std::size_t some, std::size_t row, std::size_t column,
                       std::size_t cells) {
    const std::size_t channel = vector * kVnniLanes;
    kConvolve[some - 1][cells - 1](t, t.x + patch_at(row, column, t.width, t.inputs),
                                   t.weight + 9 * t.inputs * channel, channel,
                                   inside_at(row, column, t.width, t.outputs) + channel);
  });
}

/// To the nearest, ties to even. AVX512_BF16, which this file is not compiled for.
inline void store_bf16(__m512 x, std::uint16_t* to) {
  __m256i halves;
  asm("vcvtneps2bf16 %1, %0" : "=v"(halves) : "v"(x));
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), halves);
}

/// The heads' numbers: one of each input and output at a time, or pairs of inputs.
struct Floats {
  using Element = float;
  using Vector = __m512;
  static constexpr std::size_t kInputs = 1;
  static const Element* weight(const VnniHeadsTask& t) { return t.weight; }
  static Vector load(const Element* from) { return _mm512_loadu_ps(from); }
  static Vector repeat(const Element* from) { return _mm512_set1_ps(*from); }
  static void add_products(__m512& sum, Vector a, Vector b) { sum = _mm512_fmadd_ps(a, b, sum); }
};
struct Bf16Pairs {
  using Element = std::uint16_t;
  using Vector = __m512i;
  static constexpr std::size_t kInputs = 2;
  static const Element* weight(const VnniHeadsTask& t) { return t.bf16_weight; }
  static Vector load(const Element* from) { return _mm512_loadu_si512(from); }
  static Vector repeat(const Element* from) {
    int two;
    std::memcpy(&two, from, sizeof two);
    return _mm512_set1_epi32(two);
  }
  static void add_products(__m512& sum, Vector a, Vector b) {
    asm("vdpbf16ps %2, %1, %0" : "+v"(sum) : "v"(a), "v"(b));
  }
};

template <class Numbers, std::size_t Vectors, std::size_t Cells>
void heads_tile(const VnniHeadsTask& t, const typename Numbers::Element* x, std::size_t vector,
                float* y) {
  __m512 sums[Cells][Vectors];
  const auto* const weight = Numbers::weight(t) + vector * t.inputs * kVnniLanes;
#pragma GCC unroll 16
  for (std::size_t cell = 0; cell < Cells; ++cell)
#pragma GCC unroll 16
    for (std::size_t v = 0; v < Vectors; ++v)
      sums[cell][v] = _mm512_loadu_ps(t.bias + (vector + v) * kVnniLanes);
  for (std::size_t i = 0; i < t.inputs; i += Numbers::kInputs) {
    typename Numbers::Vector w[Vectors];
#pragma GCC unroll 16
    for (std::size_t v = 0; v < Vectors; ++v)
      w[v] = Numbers::load(weight + (v * t.inputs + i) * kVnniLanes);
#pragma GCC unroll 16
    for (std::size_t cell = 0; cell < Cells; ++cell) {
      const auto inputs = Numbers::repeat(x + cell * t.inputs + i);
#pragma GCC unroll 16
      for (std::size_t v = 0; v < Vectors; ++v)
        Numbers::add_products(sums[cell][v], inputs, w[v]);
    }
  }
#pragma GCC unroll 16
  for (std::size_t cell = 0; cell < Cells; ++cell)
#pragma GCC unroll 16
    for (std::size_t v = 0; v < Vectors; ++v)
      _mm512_storeu_ps(y + cell * t.outputs + (vector + v) * kVnniLanes, sums[cell][v]);
}

template <class Numbers>
using HeadsTile = void (*)(const VnniHeadsTask&, const typename Numbers::Element*, std::size_t,
                           float*);
template <class Numbers, std::size_t Vectors>
constexpr HeadsTile<Numbers> kHeadsTiles[] = {
    heads_tile<Numbers, Vectors, 1>, heads_tile<Numbers, Vectors, 2>,
    heads_tile<Numbers, Vectors, 3>, heads_tile<Numbers, Vectors, 4>,
    heads_tile<Numbers, Vectors, 5>, heads_tile<Numbers, Vectors, 6>,
    heads_tile<Numbers, Vectors, 7>, heads_tile<Numbers, Vectors, 8>};
template <class Numbers>
constexpr const HeadsTile<Numbers>* kHeads[] = {kHeadsTiles<Numbers, 1>, kHeadsTiles<Numbers, 2>};

/// `x`: a canvas.
template <class Numbers>
void multiply_heads(const VnniHeadsTask& t, const typename Numbers::Element* x) {
  for_each_tile(t, [&](std::size_t vector, std::size_t some, std::size_t row, std::size_t column,
                       std::size_t cells) {
    kHeads<Numbers>[some - 1][cells - 1](t, x + inside_at(row, column, t.width, t.inputs), vector,
                                         t.y + (row * t.width + column) * t.outputs);
  });
}

void heads(const VnniHeadsTask& t) {
  if (t.bf16_weight == nullptr) {
    multiply_heads<Floats>(t, t.x);
    return;
  }
  for (std::size_t row = 0; row < t.height; ++row) {
    const std::size_t begin = inside_at(row, 0, t.width, t.inputs);
    for (std::size_t i = begin; i < begin + t.width * t.inputs; i += kVnniLanes)
      store_bf16(_mm512_loadu_ps(t.x + i), t.rounded + i);
  }
  multiply_heads<Bf16Pairs>(t, t.rounded);
}

}  // namespace

extern const VnniKernels vnni_loops;
const VnniKernels vnni_loops = {stem, round_canvas, convolve, heads};

}  // namespace faultline
