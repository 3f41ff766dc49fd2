// Piece placement: one bitboard per type and one per colour.
#pragma once

#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>

#include "rules/bitboard.h"
#include "rules/types.h"
#include "rules/zobrist.h"

namespace faultline {

/// Piece placement over one bitboard's squares, `Types` kinds of pieces (from Pawn on).
template <class B, int Types>
class PieceBoard {
 public:
  static constexpr int kTypes = Types;

  B of(PieceType t) const { return types_[static_cast<std::size_t>(index(t))]; }
  B of(Colour c) const { return colours_[static_cast<std::size_t>(index(c))]; }
  B of(Colour c, PieceType t) const { return of(c) & of(t); }
  B of(Colour c, PieceType t, PieceType u) const { return of(c) & (of(t) | of(u)); }
  B occupied() const { return colours_[0] | colours_[1]; }
  Square king(Colour c) const { return first(of(c, PieceType::King)); }

  /// The type of the piece on an occupied square.
  PieceType type_at(Square s) const {
    assert(contains(occupied(), s));
    int type = 0;
    for (int t = 1; t < Types; ++t)
      type += t * static_cast<int>(contains(types_[static_cast<std::size_t>(t)], s));
    return static_cast<PieceType>(type);
  }
  Piece at(Square s) const {
    if (!contains(occupied(), s)) return {};
    return {type_at(s), contains(of(Colour::White), s) ? Colour::White : Colour::Black};
  }

  /// Calls `f(colour, type, square)` for each piece.
  template <class F>
  void for_each_piece(F&& f) const {
    for (const Colour c : {Colour::White, Colour::Black})
      for (int t = 0; t < Types; ++t)
        for_each_square(of(c, static_cast<PieceType>(t)),
                        [&](Square s) { f(c, static_cast<PieceType>(t), s); });
  }

  /// Adds a piece to an empty square, or removes the piece there.
  void toggle(Colour c, PieceType t, B squares) {
    types_[static_cast<std::size_t>(index(t))] ^= squares;
    colours_[static_cast<std::size_t>(index(c))] ^= squares;
  }
  void toggle(Colour c, PieceType t, Square s) { toggle(c, t, square_set<B>(s)); }

  /// Replaces every set by f(set): board movements carry all pieces the same way.
  template <class F>
  void transform(F&& f) {
    for (B& b : types_)
      b = f(b);
    for (B& b : colours_)
      b = f(b);
  }

  /// What the pieces on some squares contribute to a Zobrist key. `key_base`: the offset of this
  /// board's squares in the variant's numbering.
  std::uint64_t key_of(B squares, Square key_base = 0) const {
    std::uint64_t k = 0;
    for_each_square(occupied() & squares, [&](Square s) {
      const Piece p = at(s);
      k ^= zobrist::piece(p.colour, p.type, static_cast<Square>(key_base + s));
    });
    return k;
  }

 private:
  std::array<B, static_cast<std::size_t>(Types)> types_{};
  std::array<B, 2> colours_{};
};

using OrthodoxBoard = PieceBoard<Bitboard, kOrthodoxTypes>;
static_assert(sizeof(OrthodoxBoard) == 64);

}  // namespace faultline
