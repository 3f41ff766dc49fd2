// The sets of pieces whose endgames a family's yardsticks ask about, and positions made of them.
#pragma once

#include <algorithm>
#include <bitset>
#include <cctype>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "lab/yardsticks/endgame_tables.h"
#include "rules/fen.h"

namespace faultline {

/// Whether a family has a single board whose squares neither come nor go.
template <Position P>
inline constexpr bool kHasOneBoard = requires(const P p) {
  p.rows();
}
&&!requires(const P p) {
  p.gaps();
};

/// Makes positions of a board that stays as it is at the start, whatever is played.
template <Position P>
requires kHasOneBoard<P>
class EndgameSets {
 public:
  using Placement = typename EndgameTables<P>::Placement;
  using Material = typename EndgameTables<P>::Material;

  /// Whether the variant's positions are described by pieces and side to move alone: a game's board
  /// stays as it is at the start.
  static bool exist(const typename P::Variant& variant) {
    if constexpr (requires { variant.shifts(); }) return !variant.shifts();
    return true;
  }

  explicit EndgameSets(const typename P::Variant& variant)
      : variant_(&variant), start_(P::start(variant)) {
    const std::string fen = start_.fen();
    const std::string_view field = std::string_view(fen).substr(0, fen.find(' '));
    std::string letters;
    for (const char letter : field)
      if (std::isupper(static_cast<unsigned char>(letter)) != 0) letters += letter;
    if (letters.find('P') == std::string::npos) pawn_letter_ = 'C';
    FenPlacement placement;
    read_placement(field, start_.rows(), letters, true, placement);
    missing_ = placement.missing;
    std::size_t end = 0;
    for (std::size_t i = 0; i < kFenFields.size() && end != std::string::npos; ++i)
      end = fen.find(' ', end == 0 ? 0 : end + 1);
    if (end != std::string::npos) more_fields_ = fen.substr(end);
  }

  /// Squares are numbered below this.
  int squares() const {
    Square last = 0;
    for (const std::vector<Square>& row : start_.rows())
      for (const Square square : row)
        last = std::max(last, square);
    return last + 1;
  }

  /// Without castling, en passant or a clock; nullopt for what the rules forbid.
  std::optional<P> make(const Placement& pieces, Colour side) const {
    FenPlacement placement;
    placement.missing = missing_;
    for (const auto& [square, piece] : pieces) {
      if (missing_[square]) return std::nullopt;
      placement.pieces.at(square) = piece;
    }
    try {
      return P::from_fen(*variant_, write_placement(start_.rows(), placement, pawn_letter_) +
                                        (side == Colour::White ? " w" : " b") + " - - 0 1" +
                                        more_fields_);
    } catch (const FenError&) {
      return std::nullopt;
    }
  }

  /// "KRKB": White's pieces, then Black's, each beginning with the king. The pawn is 'P' in all
  /// families.
  Material material(std::string_view name) const {
    Material material;
    Colour colour = Colour::Black;
    for (const char letter : name) {
      if (letter == 'K') colour = ~colour;
      material.push_back({piece_from_letter(letter)->type, colour});
    }
    return material;
  }

  /// What a set must be: "KRKB" has both kings, and its table must not be too large.
  bool is_set(std::string_view name) const {
    const auto pieces = static_cast<int>(name.size());
    return name.starts_with('K') && std::ranges::count(name, 'K') == 2 &&
           name.find_first_not_of("KQRBNP") == std::string_view::npos && pieces <= most_pieces();
  }
  int most_pieces() const { return squares() <= kSmallBoard ? 4 : 3; }

  /// The sets of this variant: up to four pieces on small boards, three on others.
  std::vector<std::string> names() const {
    std::vector<std::string> names = {"KQK", "KRK", "KPK"};
    if (most_pieces() == 4) names.insert(names.end(), {"KBNK", "KQKR", "KRKB", "KRKN"});
    return names;
  }

 private:
  static constexpr int kSmallBoard = 30;

  const typename P::Variant* variant_;
  P start_;
  char pawn_letter_ = 'P';
  std::bitset<kMaxSquares> missing_;
  std::string more_fields_;  // of a FEN, after kFenFields, with the space before them
};

}  // namespace faultline
