// Writes positions of games from files, and their moves.
#include <cstdlib>

#include "rules/data/data_position.h"
#include "rules/picture_text.h"
#include "rules/square_text.h"

namespace faultline::data {

template <class B>
std::string DataPosition<B>::uses_text(int counter) const {
  const auto i = static_cast<std::size_t>(counter);
  return std::to_string(counters_[0][i]) + "," + std::to_string(counters_[1][i]) + "/";
}

template <class B>
std::string DataPosition<B>::counters_text() const {
  std::string text;
  const Move last = Move::from_bits(last_movement_);
  for (int i = game_->shift_counter + 1; i < static_cast<int>(game_->counters.size()); ++i)
    text +=
        " " + uses_text(i) + (last_movement_ != 0 && counter_of(last) == i ? move_text(last) : "-");
  return text;
}

template <class B>
std::string DataPosition<B>::places_text() const {
  const Move last = Move::from_bits(last_movement_);
  const bool shifted = last_movement_ != 0 && last.kind() == MoveKind::Aftershock;
  const auto amount = [&](bool by_ranks) {
    return std::to_string(shifted && last.by_ranks() == by_ranks ? last.amount() : 0);
  };
  std::string text;
  for (std::size_t i = 0; i < tables_->places.size(); ++i) {
    text += " " + std::to_string(tables_->places[i].files) + "," +
            std::to_string(tables_->places[i].ranks);
    const Part& part = game_->file().board.parts[i];
    if (!part.shift) continue;
    text += "/" + uses_text(game_->shift_counter) + amount(false);
    if (part.shift->ranks != Interval{}) text += "/" + amount(true);
  }
  return text;
}

template <class B>
std::string DataPosition<B>::pieces_text() const {
  std::string text;
  const GameFile& game = game_->file();
  for (int level = 0; level < levels_; ++level) {
    if (level > 0) text += '|';
    for (std::size_t row = 0; row < game_->rows.size(); ++row) {
      if (row > 0) text += '/';
      int empty = 0;
      const auto flush = [&] {
        if (empty > 0) text += std::to_string(empty);
        empty = 0;
      };
      for (const Square of_level : game_->rows[row]) {
        const auto s = static_cast<Square>(of_level + level * game.board.squares);
        const bool is_missing = contains(missing_, s);
        if (!is_missing && !contains(occupied(), s)) {
          ++empty;
          continue;
        }
        flush();
        text += is_missing ? "*" : game_->letter_of(type_at(s), colour_at(s));
      }
      flush();
    }
  }
  return text;
}

template <class B>
std::string DataPosition<B>::hands_text() const {
  if (!game_->file().hands) return "";
  std::string text = "[";
  for (const Colour c : {Colour::White, Colour::Black})
    for (int t = 0; t < game_->types; ++t)
      for (int i = 0; i < in_hand(c, t); ++i)
        text += game_->letter_of(t, c);
  return text + "]";
}

template <class B>
std::string DataPosition<B>::castling_text() const {
  std::string text;
  for (int level = 0; level < levels_; ++level) {
    if (level > 0) text += '|';
    std::string letters;
    for (const CastleTable<B>& castle : game_->castles)
      if ((castling_ & castle.right) != 0 && castle.level == level)
        letters += castle.colour == Colour::White ? castle.letter
                                                  : static_cast<char>(castle.letter - 'A' + 'a');
    text += letters.empty() ? "-" : letters;
  }
  return text;
}

template <class B>
std::string DataPosition<B>::en_passant_text() const {
  if (passer_ == kNoSquare) return "-";
  std::string text;
  for_each_square(passed_, [&](Square s) { text += (text.empty() ? "" : "+") + square_text(s); });
  const B passers = possible_passers(passed_, occupied() | missing_);
  return any(passers) && !more_than_one(passers) ? text : text + "/" + square_text(passer_);
}

template <class B>
std::string DataPosition<B>::fen() const {
  std::string fields = en_passant_text();
  if (game_->counts_checks()) {
    const auto left = [&](Colour c) {
      return std::to_string(game_->file().ends.sides[at(c)].checks - checks_[at(c)]);
    };
    fields += " " + left(Colour::White) + "+" + left(Colour::Black);
  }
  return pieces_text() + hands_text() + fen_after_pieces(castling_text(), fields) + places_text() +
         counters_text();
}

template <class B>
std::string DataPosition<B>::picture() const {
  return picture_text(board_picture());
}

/// "@ring+", or "@2-" for the second belt if it has no name.
template <class B>
std::string DataPosition<B>::belt_text(const BeltTable<B>& belt, bool backward) const {
  return "@" + (belt.name.empty() ? std::to_string(&belt - game_->belts.data() + 1) : belt.name) +
         (backward ? "-" : "+");
}

template <class B>
std::string DataPosition<B>::move_text(Move move) const {
  bool backward = false;
  if (move.kind() == MoveKind::SectorShift && belt_of(move, backward) != nullptr)
    return belt_text(*belt_of(move, backward), backward);
  if (move.kind() == MoveKind::SectorShift)
    return game_->area_name(game_->area_of(move.from())) + "-" +
           game_->area_name(game_->area_of(move.to()));
  if (move.kind() == MoveKind::Aftershock) {
    const int amount = move.amount();
    if (move.by_ranks()) return (amount > 0 ? "@^" : "@v") + std::to_string(std::abs(amount));
    return (amount > 0 ? "@+" : "@") + std::to_string(amount);
  }
  if (move.from() >= kDropFrom)
    return game_->file().pieces[static_cast<std::size_t>(move.from() - kDropFrom)].letter + "@" +
           square_text(move.to());
  Square to = move.to();
  if (move.kind() == MoveKind::Castling) {
    std::size_t way = 0;
    const CastleTable<B>& castle = castle_of(move, way);
    if (castle.ways[way].by_rook) to = castle.rook;
  }
  const std::string hyphen = game_->file().board.levels.count > 1 ? "-" : "";
  std::string text = square_text(move.from()) + hyphen + square_text(to);
  if (move.kind() == MoveKind::Promotion) {
    const auto letter = [&](int type) -> const std::string& {
      return game_->file().pieces[static_cast<std::size_t>(type)].letter;
    };
    const std::string& to_letter = letter(index(move.promotion()));
    if (to_letter == "+" + letter(type_at(move.from()))) return text + "+";
    for (const char c : to_letter)
      text += c == '+' ? c : static_cast<char>(c - 'A' + 'a');
  }
  return text;
}

template <class B>
std::optional<Move> DataPosition<B>::parse_move(std::string_view text) const {
  return find_move(*this, text);
}

template std::string DataPosition<Bitboard>::fen() const;
template std::string DataPosition<Bitboard>::picture() const;
template std::string DataPosition<Bitboard>::move_text(Move) const;
template std::optional<Move> DataPosition<Bitboard>::parse_move(std::string_view) const;
template std::string DataPosition<WideBitboard>::fen() const;
template std::string DataPosition<WideBitboard>::picture() const;
template std::string DataPosition<WideBitboard>::move_text(Move) const;
template std::optional<Move> DataPosition<WideBitboard>::parse_move(std::string_view) const;
template std::string DataPosition<StackedBitboard>::fen() const;
template std::string DataPosition<StackedBitboard>::picture() const;
template std::string DataPosition<StackedBitboard>::move_text(Move) const;
template std::optional<Move> DataPosition<StackedBitboard>::parse_move(std::string_view) const;

}  // namespace faultline::data
