// Planes of a position as bits: 64 cells a word, and one number per plane, which its marked cells
// have. Every plane of every encoding has such a form, a twentieth of the floats'.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

namespace faultline {

constexpr std::size_t words_per_plane(std::size_t cells) {
  return (cells + 63) / 64;
}

/// Of one position or of several, one after another.
template <class Word, class Number>
struct BasicBitPlanes {
  std::span<Word> words;      // [planes, words_per_plane]: cell 0 is the lowest bit of the first
  std::span<Number> numbers;  // [planes]

  /// `count` planes from `first` on, of boards of so many cells.
  BasicBitPlanes part(std::size_t first, std::size_t count, std::size_t cells) const {
    const std::size_t each = words_per_plane(cells);
    return {words.subspan(first * each, count * each), numbers.subspan(first, count)};
  }
};
using BitPlanes = BasicBitPlanes<std::uint64_t, float>;
using ConstBitPlanes = BasicBitPlanes<const std::uint64_t, const float>;

/// Writes [planes, cells] floats.
inline void unpack_planes(const ConstBitPlanes& from, std::size_t cells, float* to) {
  const std::uint64_t* words = from.words.data();
  for (const float number : from.numbers) {
    for (std::size_t cell = 0; cell < cells; ++cell)
      to[cell] = (words[cell / 64] >> cell % 64 & 1) != 0 ? number : 0.0F;
    words += words_per_plane(cells);
    to += cells;
  }
}

/// The inverse. Of planes with several numbers, which no encoding has, only the last is kept.
inline void pack_planes(const float* from, std::size_t cells, const BitPlanes& to) {
  std::uint64_t* words = to.words.data();
  for (float& number : to.numbers) {
    std::fill_n(words, words_per_plane(cells), 0);
    number = 0;
    for (std::size_t cell = 0; cell < cells; ++cell) {
      if (from[cell] == 0.0F) continue;
      words[cell / 64] |= std::uint64_t{1} << cell % 64;
      number = from[cell];
    }
    words += words_per_plane(cells);
    from += cells;
  }
}

// What encoders write to, plane after plane:
//   number(v)   a plane of that number
//   squares()   a plane of zeroes, in which mark(cell) sets ones until the next
//   empty(n)    planes of zeroes

class FloatPlaneWriter {
 public:
  FloatPlaneWriter(std::span<float> planes, std::size_t cells)
      : next_(planes.data()), cells_(cells) {}
  void number(float value) { std::fill_n(begin(1), cells_, value); }
  void squares() { std::fill_n(begin(1), cells_, 0.0F); }
  void mark(int cell) { plane_[cell] = 1.0F; }
  void empty(std::size_t planes) { std::fill_n(begin(planes), planes * cells_, 0.0F); }

 private:
  float* begin(std::size_t planes) {
    plane_ = next_;
    next_ += planes * cells_;
    return plane_;
  }
  float* plane_ = nullptr;
  float* next_;
  std::size_t cells_;
};

class BitPlaneWriter {
 public:
  BitPlaneWriter(const BitPlanes& planes, std::size_t cells)
      : next_(planes.words.data()), number_(planes.numbers.data()), cells_(cells) {}
  void number(float value) {
    std::uint64_t* const words = begin(1, value);
    for (std::size_t left = value == 0.0F ? 0 : cells_, w = 0; w < words_per_plane(cells_); ++w) {
      words[w] = left >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << left) - 1;
      left -= std::min<std::size_t>(left, 64);
    }
  }
  void squares() { std::fill_n(begin(1, 1), words_per_plane(cells_), 0); }
  void mark(int cell) { plane_[cell / 64] |= std::uint64_t{1} << static_cast<unsigned>(cell) % 64; }
  void empty(std::size_t planes) {
    std::fill_n(begin(planes, 1), planes * words_per_plane(cells_), 0);
  }

 private:
  std::uint64_t* begin(std::size_t planes, float value) {
    plane_ = next_;
    next_ += planes * words_per_plane(cells_);
    number_ = std::fill_n(number_, planes, value);
    return plane_;
  }
  std::uint64_t* plane_ = nullptr;
  std::uint64_t* next_;
  float* number_;
  std::size_t cells_;
};

}  // namespace faultline
