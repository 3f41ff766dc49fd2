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

constexpr std::size_t kPlanesPerWord = 32;

/// A mask of those of `left` elements that fit into a vector.
inline __mmask16 lanes_of(std::size_t left) {
  return static_cast<__mmask16>(left >= kVnniLanes ? 0xFFFF : (1U << left) - 1);
}

/// Whether all cells are equal.
inline bool is_constant(const float* x, std::size_t cells) {
  const __m512 first = _mm512_set1_ps(x[0]);
  for (std::size_t i = 0; i < cells; i += kVnniLanes) {
    const auto valid = lanes_of(cells - i);
    if (_mm512_mask_cmp_ps_mask(valid, _mm512_maskz_loadu_ps(valid, x + i), first, _CMP_EQ_OQ) !=
        valid)
      return false;
  }
  return true;
}

/// Adds to t.offsets what a plane adds all of whose cells are `value`.
inline void add_offsets(const VnniStemTask& t, const float* weights, float value, std::size_t first,
                        std::size_t size) {
  for (std::size_t place = 0; place < 9; ++place)
    for (std::size_t c = 0; c < size; c += kVnniLanes) {
      float* const to = t.offsets + place * t.channels + first + c;
      _mm512_storeu_ps(
          to, _mm512_fmadd_ps(_mm512_set1_ps(value), _mm512_loadu_ps(weights + place * size + c),
                              _mm512_loadu_ps(to)));
    }
}

/// Looks at the planes: t.cell_planes and t.offsets.
void find_planes(const VnniStemTask& t) {
  const std::size_t cells = t.height * t.width, stride = vnni_stem_stride(cells);
  for (std::size_t place = 0; place < 9; ++place)
    std::memcpy(t.offsets + place * t.channels, t.bias, t.channels * sizeof *t.bias);
  for (std::size_t plane = 0; plane < t.planes; ++plane) {
    std::uint32_t* const found = t.cell_planes + plane / kPlanesPerWord * stride;
    if (plane % kPlanesPerWord == 0) std::memset(found, 0, stride * sizeof *found);
    if (t.chosen[plane] < 0) continue;
    const float* const x = t.x + static_cast<std::size_t>(t.chosen[plane]) * cells;
    if (x[0] != 0 && t.height > 1 && t.width > 1 && is_constant(x, cells)) {
      for (std::size_t channel = 0; channel < t.channels;) {
        const std::size_t size = vnni_vectors((t.channels - channel) / kVnniLanes) * kVnniLanes;
        add_offsets(
            t, t.constant_weight + vnni_stem_weight_at(t.planes, t.channels, plane, 0, channel),
            x[0], channel, size);
        channel += size;
      }
      continue;
    }
    const __m512i bit = _mm512_set1_epi32(static_cast<int>(1U << plane % kPlanesPerWord));
    for (std::size_t first = 0; first < cells; first += kVnniLanes) {
      const __mmask16 nonzero =
          _mm512_cmp_ps_mask(_mm512_maskz_loadu_ps(lanes_of(cells - first), x + first),
                             _mm512_setzero_ps(), _CMP_NEQ_UQ);
      const __m512i old = _mm512_loadu_si512(found + first);
      _mm512_storeu_si512(found + first, _mm512_mask_or_epi32(old, nonzero, old, bit));
    }
  }
}

/// The sums of three columns of the canvas around a cell, in three of its rows, for `Vectors`
/// vectors of channels. Column k of the canvas is in sums[k % 3] while it is within reach.
template <std::size_t Vectors>
struct StemWindow {
  const VnniStemTask t;  // a copy, which stores to `y` cannot change
  std::size_t channel;   // the first
  const float* weights;  // of these channels
  std::size_t row;       // of the cells; the window's first row in the canvas
  __m512 sums[3][3][Vectors];

  /// Adds the patches of a cell, with Phase = column % 3.
  template <std::size_t Phase>
  [[gnu::always_inline]] void add(std::size_t column) {
    const std::size_t cells = t.height * t.width, stride = vnni_stem_stride(cells);
    const std::size_t cell = row * t.width + column;
    for (std::size_t first = 0; first < t.planes; first += kPlanesPerWord)
      for (std::uint32_t left = t.cell_planes[first / kPlanesPerWord * stride + cell]; left != 0;
           left &= left - 1) {
        const std::size_t plane = first + static_cast<std::size_t>(__builtin_ctz(left));
        const __m512 x =
            _mm512_set1_ps(t.x[static_cast<std::size_t>(t.chosen[plane]) * cells + cell]);
        const float* const weight = weights + plane * 9 * Vectors * kVnniLanes;
#pragma GCC unroll 3
        for (std::size_t c = 0; c < 3; ++c)
#pragma GCC unroll 3
          for (std::size_t r = 0; r < 3; ++r)
#pragma GCC unroll 2
            for (std::size_t v = 0; v < Vectors; ++v) {
              __m512& sum = sums[(Phase + c) % 3][r][v];
              sum = _mm512_fmadd_ps(
                  x, _mm512_loadu_ps(weight + ((3 * r + c) * Vectors + v) * kVnniLanes), sum);
            }
      }
  }

  /// Adds a column of the window, with Phase = column % 3, to the canvas, and begins another.
  template <std::size_t Phase>
  [[gnu::always_inline]] void finish(std::size_t column) {
#pragma GCC unroll 3
    for (std::size_t r = 0; r < 3; ++r)
#pragma GCC unroll 2
      for (std::size_t v = 0; v < Vectors; ++v) {
        const __m512 sum = sums[Phase][r][v];
        sums[Phase][r][v] = _mm512_setzero_ps();
        // Borders of the canvas are left as they are.
        if (column == 0 || row + r == 0 || row + r > t.height) continue;
        float* const to =
            t.y + ((row + r) * (t.width + 2) + column) * t.channels + channel + v * kVnniLanes;
        const bool first = r == 2 || row == 0;  // sum of this place
        const std::size_t place =
            vnni_stem_place(row + r, t.height) * 3 + vnni_stem_place(column, t.width);
        const float* const before =
            first ? t.offsets + place * t.channels + channel + v * kVnniLanes : to;
        _mm512_storeu_ps(to, _mm512_add_ps(_mm512_loadu_ps(before), sum));
      }
  }

  void run() {
    for (; row < t.height; ++row) {
      for (std::size_t column = 0; column < t.width;) {
        add<0>(column);
        finish<0>(column);
        if (++column == t.width) break;
        add<1>(column);
        finish<1>(column);
        if (++column == t.width) break;
        add<2>(column);
        finish<2>(column);
        ++column;
      }
      // The last column inside; the one after it is border.
      if (t.width % 3 == 0) {
        finish<0>(t.width);
        finish<1>(0);
      } else if (t.width % 3 == 1) {
        finish<1>(t.width);
        finish<2>(0);
      } else {
        finish<2>(t.width);
        finish<0>(0);
      }
    }
  }
};

void stem(const VnniStemTask& t) {
  find_planes(t);
  const std::size_t vectors = t.channels / kVnniLanes;
  for (std::size_t vector = 0; vector < vectors;) {
    const std::size_t some = vnni_vectors(vectors - vector), channel = vector * kVnniLanes;
    const float* const weights =
        t.weight + vnni_stem_weight_at(t.planes, t.channels, 0, 0, channel);
    if (some == 2)
      StemWindow<2>{t, channel, weights, 0, {}}.run();
    else
      StemWindow<1>{t, channel, weights, 0, {}}.run();
    vector += some;
  }
}

/// Rounds to the nearest, and to 255 if larger; `x` is not negative.
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

/// Rounds to the nearest, ties to even. AVX512_BF16, which this file is not compiled for.
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
