// Planes of attacked squares, which a network may see besides those of its family's encoding. They
// say nothing that the pieces do not, but a small tower cannot follow lines across the board, let
// alone boards that move (docs/worth.md: what they are worth).
#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <span>

#include "model/encoding/encoding.h"

namespace faultline {

/// Per level: the squares that own pieces attack, those that two or more of them do, and the same
/// for the enemy's.
inline constexpr std::size_t kAttackPlanes = 4;

/// The encoding with planes of attacks after all others, level by level.
EncodingInfo with_attack_planes(const EncodingInfo& encoding);
bool has_attack_planes(const EncodingInfo& encoding);
/// The encoding as the family has it.
EncodingInfo without_attack_planes(EncodingInfo encoding);
/// Whether a network trained with `trained` sees what `family`, a family's own encoding, describes,
/// with or without planes of attacks.
bool is_encoding_of(const EncodingInfo& trained, const EncodingInfo& family);

/// Encodes the positions of one variant for networks with or without planes of attacks.
template <Position P>
class PositionEncoder {
 public:
  /// Makes an encoder of either kind.
  explicit PositionEncoder(const EncodingInfo& encoding)
      : levels_(static_cast<std::size_t>(encoding.levels)),
        cells_(static_cast<std::size_t>(encoding.cells())),
        floats_(encoding.floats() - (has_attack_planes(encoding) ? attack_floats() : 0)) {}

  /// Floats per position, without planes of attacks and with them.
  std::size_t floats() const { return floats_; }
  std::size_t floats_with_attacks() const { return floats_ + attack_floats(); }

  /// Planes per position, likewise.
  std::size_t planes() const { return floats_ / cells_; }
  std::size_t planes_with_attacks() const { return planes() + kAttackPlanes * levels_; }

  /// `planes`: floats() or floats_with_attacks(), which says whether to write planes of attacks.
  void encode(const P& position, int repetitions, std::span<float> planes) const {
    assert(planes.size() == floats() || planes.size() == floats_with_attacks());
    Encoder<P>::encode(position, repetitions, planes.first(floats_));
    if (planes.size() == floats_) return;
    float* const out = planes.data() + floats_;
    std::fill(out, planes.data() + planes.size(), 0.0F);
    for_each_attack(
        position, [&](std::size_t plane, std::size_t cell) { out[plane * cells_ + cell] = 1.0F; });
  }
  /// The same as bits.
  void encode_bits(const P& position, int repetitions, const BitPlanes& to) const {
    assert(to.numbers.size() == planes() || to.numbers.size() == planes_with_attacks());
    Encoder<P>::encode_bits(position, repetitions, to.part(0, planes(), cells_));
    if (to.numbers.size() == planes()) return;
    const BitPlanes attacks = to.part(planes(), to.numbers.size() - planes(), cells_);
    std::ranges::fill(attacks.words, 0);
    std::ranges::fill(attacks.numbers, 1.0F);
    const std::size_t words = words_per_plane(cells_);
    for_each_attack(position, [&](std::size_t plane, std::size_t cell) {
      attacks.words[plane * words + cell / 64] |= std::uint64_t{1} << cell % 64;
    });
  }

 private:
  std::size_t attack_floats() const { return kAttackPlanes * levels_ * cells_; }

  /// Calls mark(plane, cell) for each one in the planes of attacks, counted from the first of
  /// these.
  template <class Mark>
  void for_each_attack(const P& position, Mark&& mark) const {
    const Colour mover = position.side_to_move();
    for (const Colour by : {mover, ~mover}) {
      const std::size_t first = by == mover ? 0 : 2;
      position.for_each_attacked(by, [&](Square s, bool twice) {
        const auto place = static_cast<std::size_t>(Encoder<P>::policy_cell(position, s));
        const std::size_t plane = place % levels_ * kAttackPlanes + first, cell = place / levels_;
        mark(plane, cell);
        if (twice) mark(plane + 1, cell);
      });
    }
  }

  std::size_t levels_;
  std::size_t cells_;
  std::size_t floats_;
};

}  // namespace faultline
