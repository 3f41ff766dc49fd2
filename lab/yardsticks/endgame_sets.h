// The sets of pieces whose endgames a family's yardsticks ask about, and positions made of them.
#pragma once

#include <algorithm>
#include <atomic>
#include <bitset>
#include <cctype>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/options.h"
#include "base/quote.h"
#include "base/text.h"
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

  /// What a set must be: "KRKB" has both kings.
  static bool is_set(std::string_view name) {
    return name.starts_with('K') && std::ranges::count(name, 'K') == 2 &&
           name.find_first_not_of("KQRBNP") == std::string_view::npos;
  }
  /// A maker of positions is bound to this, which must outlive the tables.
  EndgameTables<P> tables(const std::atomic<bool>* stop = nullptr) const {
    return EndgameTables<P>(
        squares(), [this](const Placement& pieces, Colour side) { return make(pieces, side); },
        stop);
  }

  /// In which order sets are solved, the largest first, and how many at a time.
  struct Plan {
    std::vector<std::size_t> order;
    int at_once = 1;
  };
  /// So that they fit into three quarters of `memory`, in bytes, where it is known (not 0). Throws
  /// OptionError for a set that does not, or is none.
  Plan plan(const std::vector<std::string>& names, int threads, std::size_t memory) const {
    const EndgameTables<P> solver = tables();
    std::vector<double> needed;
    for (const std::string& name : names) {
      if (!is_set(name))
        throw OptionError(fmt::format(
            "pieces = {}: must be White's pieces and then Black's, each from the king on, as in "
            "KRK",
            quote(name, 40)));
      if (static_cast<int>(name.size()) > solver.most_pieces())
        throw OptionError(fmt::format("pieces = {}: at most {} pieces in {}", quote(name, 40),
                                      solver.most_pieces(), variant_->canonical_name()));
      needed.push_back(solver.bytes_needed(material(name)));
      if (!fits(needed.back(), memory))
        throw OptionError(fmt::format(
            "pieces = {}: solving it takes about {} of memory; three quarters of {} can be used; "
            "name smaller sets, as in KQK KRK",
            quote(name, 40), bytes_text(needed.back()), bytes_text(static_cast<double>(memory))));
    }
    Plan plan;
    for (std::size_t i = 0; i < names.size(); ++i)
      plan.order.push_back(i);
    std::ranges::stable_sort(plan.order, std::greater<>(),
                             [&](std::size_t i) { return needed[i]; });
    double sum = 0;
    plan.at_once = 0;
    for (const std::size_t i : plan.order) {
      sum += needed[i];
      if (plan.at_once == threads || !fits(sum, memory)) break;
      ++plan.at_once;
    }
    return plan;
  }

  /// The sets of this variant that take some minutes at most, fewer pieces on larger boards, as far
  /// as plan() takes them.
  std::vector<std::string> names(std::size_t memory) const {
    std::vector<std::string> names = {"KQK", "KRK", "KPK"};
    if (squares() <= 64) names.insert(names.end(), {"KQKR", "KRKN"});
    if (squares() <= 50) names.insert(names.end(), {"KBNK", "KRKB"});
    if (squares() <= 30) names.insert(names.end(), {"KRBKR", "KBBKN"});
    const EndgameTables<P> solver = tables();
    std::erase_if(names, [&](const std::string& name) {
      return !fits(solver.bytes_needed(material(name)), memory);
    });
    return names;
  }

 private:
  static bool fits(double bytes, std::size_t memory) {
    return memory == 0 || bytes <= 0.75 * static_cast<double>(memory);
  }

  const typename P::Variant* variant_;
  P start_;
  char pawn_letter_ = 'P';
  std::bitset<kMaxSquares> missing_;
  std::string more_fields_;  // of a FEN, after kFenFields, with the space before them
};

}  // namespace faultline
