// Moves of games of files as policy indices.
#include <algorithm>
#include <cstdlib>
#include <limits>
#include <map>

#include "model/encoding/data_encoding.h"

namespace faultline::data {

template <class B>
void DataEncoding<B>::build_kinds() {
  const GameFile& file = game_.file();
  std::vector<std::string>& kinds = info_.policy_kinds;
  const auto add_kind = [&](std::string name) {
    kinds.push_back(std::move(name));
    return static_cast<std::int32_t>(kinds.size()) - 1;
  };
  add_kind("move");
  for (const PieceType& piece : file.pieces)
    for (const PieceSide& side : piece.sides)
      for (const Promotion& promotion : side.promotions)
        for (const TypeIndex to : promotion.to)
          if (promotion_kinds_[to] == 0)
            promotion_kinds_[to] = add_kind("promote-" + game_.about.kinds[to].name);
  if (!file.board.levels.below.empty()) descent_kind_ = add_kind("descent");
  if (!game_.slides.empty()) slide_kind_ = add_kind("shift");

  // Belts that are turns: those that stand for the same cells have kinds of their own.
  const DataCanvas& start = canvases_.front().second;
  std::map<int, std::size_t> belts_at;
  std::vector<std::array<std::int32_t, 2>> turn_kinds;
  for (const BeltTable<B>& belt : game_.belts) {
    belt_kinds_.push_back({0, 0});
    if (belt.control.when != When::Instead) continue;
    std::size_t number = 0;
    for (const Colour mover : {Colour::White, Colour::Black})
      number = std::max(number, belts_at[first_cell(start, mover, belt.forward.moving)]);
    for (const Colour mover : {Colour::White, Colour::Black})
      belts_at[first_cell(start, mover, belt.forward.moving)] = number + 1;
    if (number == turn_kinds.size()) turn_kinds.push_back({0, 0});
    const std::string which = number == 0 ? "" : "-" + std::to_string(number + 1);
    if (turn_kinds[number][0] == 0) turn_kinds[number][0] = add_kind("turn" + which);
    if (belt.both_ways && turn_kinds[number][1] == 0)
      turn_kinds[number][1] = add_kind("turn-back" + which);
    belt_kinds_.back() = turn_kinds[number];
  }
  if (game_.shifting_part >= 0) {
    const Part& part = file.board.parts[static_cast<std::size_t>(game_.shifting_part)];
    const auto add_shifts = [&](Interval by, const char* less, const char* more, ShiftKinds& of) {
      for (int amount = by.low; amount <= by.high; ++amount)
        if (amount != 0)
          of[static_cast<std::size_t>(amount + kMostShift)] = add_kind(
              "shift" + std::string(amount > 0 ? more : less) + std::to_string(std::abs(amount)));
    };
    add_shifts(part.shift->files, "-", "+", file_shift_kinds_);
    add_shifts(part.shift->ranks, "v", "^", rank_shift_kinds_);
  }
  for (const DataPlane<B>& plane : planes_)
    if (plane.shows == Shows::Hand && drop_kinds_[static_cast<std::size_t>(plane.index)] == 0)
      drop_kinds_[static_cast<std::size_t>(plane.index)] =
          add_kind("drop-" + game_.about.kinds[static_cast<std::size_t>(plane.index)].name);

  for (std::size_t kind = 0; kind < kinds.size(); ++kind)
    mirrored_kinds_.push_back(static_cast<std::int32_t>(kind));
  for (std::size_t i = 0; i < file_shift_kinds_.size(); ++i)
    if (const std::int32_t kind = file_shift_kinds_[i]; kind != 0)
      mirrored_kinds_[static_cast<std::size_t>(kind)] =
          file_shift_kinds_[file_shift_kinds_.size() - 1 - i];
}

template <class B>
int DataEncoding<B>::first_cell(const DataCanvas& canvas, Colour mover, B squares) const {
  int cell = std::numeric_limits<int>::max();
  for_each_square(squares, [&](Square s) { cell = std::min(cell, policy_cell(canvas, mover, s)); });
  return cell;
}

template <class B>
bool DataEncoding<B>::is_belt_turn(Move move) const {
  return std::ranges::any_of(game_.belts, [&](const BeltTable<B>& belt) {
    return belt.control.when == When::Instead && belt.from == move.from() &&
           (belt.to_forward == move.to() || (belt.both_ways && belt.to_backward == move.to()));
  });
}

template <class B>
Square DataEncoding<B>::only_royal(const P& position, Colour c) const {
  B kings{};
  for (int t = 0; t < game_.types; ++t)
    if (game_.royals[at(c)] >> t & 1) kings |= position.of(c, t);
  return !any(kings) || more_than_one(kings) ? kNoSquare : first(kings);
}

/// Of a turn that moves the board: from where, to where, and how.
template <class B>
PolicyIndex DataEncoding<B>::turn_index(const P& position, Move move) const {
  const Colour mover = position.side_to_move();
  const DataCanvas& now = canvas(position.tables());
  if (move.kind() == MoveKind::Aftershock) {
    const Square king = only_royal(position, mover);
    const std::int32_t cell = king == kNoSquare ? 0 : policy_cell(now, mover, king);
    const ShiftKinds& kinds = move.by_ranks() ? rank_shift_kinds_ : file_shift_kinds_;
    return {cell, cell, kinds[static_cast<std::size_t>(move.amount() + kMostShift)]};
  }
  for (std::size_t i = 0; i < game_.belts.size(); ++i) {
    const BeltTable<B>& belt = game_.belts[i];
    if (belt.control.when != When::Instead || belt.from != move.from()) continue;
    const bool backward = belt.to_forward != move.to();
    if (backward && (!belt.both_ways || belt.to_backward != move.to())) continue;
    const std::int32_t cell = first_cell(now, mover, belt.forward.moving);
    return {cell, cell, belt_kinds_[i][backward ? 1 : 0]};
  }
  return {first_cell(now, mover, area(move.from())), first_cell(now, mover, area(move.to())),
          slide_kind_};
}

template <class B>
PolicyIndex DataEncoding<B>::policy_index(const P& position, Move move) const {
  if (move.moves_board()) return turn_index(position, move);
  const Colour mover = position.side_to_move();
  const DataCanvas& now = canvas(position.tables());
  if (move.is_drop()) {
    const std::int32_t cell = policy_cell(now, mover, move.to());
    return {cell, cell, drop_kinds_[static_cast<std::size_t>(move.from() - kDropFrom)]};
  }
  Square to = move.to();
  std::int32_t kind = 0;
  if (move.kind() == MoveKind::Castling) {
    // Where a step of the king's ends on the same square, it goes to the rook.
    for (const CastleTable<B>& castle : game_.castles)
      if (castle.colour == mover && castle.king == move.from() &&
          (position.castling() & castle.right) != 0)
        for (const auto& way : castle.ways)
          if (way.king_to == move.to() && way.by_rook) to = castle.rook;
  } else if (move.kind() == MoveKind::Promotion) {
    kind = promotion_kinds_[static_cast<std::size_t>(index(move.promotion()))];
  } else if (level_of(move.from()) != level_of(to)) {
    kind = descent_kind_;
  }
  return {policy_cell(now, mover, move.from()), policy_cell(now, mover, to), kind};
}

template <class B>
bool DataEncoding<B>::mirrors(const P& position) const {
  if (!mirrors_ || position.castling() != 0) return false;
  if (game_.shifting_part < 0) return true;
  // Shifts are moves of the royal; and a game must be able to get there and to shift there.
  const auto part = static_cast<std::size_t>(game_.shifting_part);
  std::vector<Displacement> places = position.tables().places;
  places[part].files = -places[part].files;
  const Move last = position.last_movement();
  if (only_royal(position, position.side_to_move()) == kNoSquare ||
      game_.board_at(places) == nullptr)
    return false;
  if (last == Move::none() || last.kind() != MoveKind::Aftershock) return true;
  (last.by_ranks() ? places[part].ranks : places[part].files) +=
      last.by_ranks() ? -last.amount() : last.amount();
  return game_.board_at(places) != nullptr;
}

template <class B>
PolicyIndex DataEncoding<B>::mirrored(const P& position, PolicyIndex move) const {
  for (const auto& kinds : belt_kinds_)
    if (move.kind != 0 && std::ranges::find(kinds, move.kind) != kinds.end()) return move;
  const int levels = info_.levels;
  const int used = canvas(position.tables()).used_width;
  const int wide =
      move.kind != 0 && move.kind == slide_kind_ ? game_.file().board.sectors->width : 1;
  const auto there = [&](std::int32_t place) {
    const int cell = place / levels;
    const int column = used - wide - cell % info_.width;
    return (cell / info_.width * info_.width + column) * levels + place % levels;
  };
  return {there(move.from), there(move.to), mirrored_kinds_[static_cast<std::size_t>(move.kind)]};
}

template <class B>
EncodingDetails DataEncoding<B>::details() const {
  EncodingDetails details;
  for (const DataPlane<B>& plane : planes_) {
    if (plane.shows != Shows::Marked) continue;
    const auto members = [&](Colour mover) {
      std::vector<Square> squares;
      for_each_square(plane.marked[at(mover)] & game_.levels[static_cast<std::size_t>(plane.level)],
                      [&](Square s) { squares.push_back(s); });
      return squares;
    };
    details.marked.push_back(
        {.plane = plane.name, .white = members(Colour::White), .black = members(Colour::Black)});
  }
  if (game_.shifting_part >= 0) {
    const auto part = static_cast<std::size_t>(game_.shifting_part);
    const bool by_ranks = game_.file().board.parts[part].shift->ranks != Interval{};
    for (const auto& [board, canvas] : canvases_) {
      const Displacement place = board->places[part];
      MovedCells moved{.numbers = {place.files}, .white = {}, .black = {}};
      if (by_ranks) moved.numbers.push_back(place.ranks);
      for (Square s = 0; s < game_.squares; ++s) {
        moved.white.push_back(policy_cell(canvas, Colour::White, s));
        moved.black.push_back(policy_cell(canvas, Colour::Black, s));
      }
      details.moved.push_back(std::move(moved));
    }
  }
  if (!game_.slides.empty()) {
    const DataCanvas& start = canvases_.front().second;
    const auto& areas = game_.file().board.sectors->areas;
    for (std::size_t a = 0; a < areas.size(); ++a)
      details.areas.push_back({.name = game_.area_name(static_cast<int>(a)),
                               .white = first_cell(start, Colour::White, area(areas[a].front())),
                               .black = first_cell(start, Colour::Black, area(areas[a].front()))});
  }
  if (info_.levels > 1) details.move_separator = "-";
  const auto& pieces = game_.file().pieces;
  for (const data::PieceType& piece : pieces)
    for (const PieceSide& side : piece.sides)
      for (const Promotion& promotion : side.promotions)
        for (const TypeIndex to : promotion.to)
          if (const std::string& letter = pieces[static_cast<std::size_t>(to)].letter;
              letter.size() > 1 && letter != "+" + piece.letter)
            details.lettered_promotions.push_back(letter);
  return details;
}

template void DataEncoding<Bitboard>::build_kinds();
template bool DataEncoding<Bitboard>::is_belt_turn(Move) const;
template PolicyIndex DataEncoding<Bitboard>::policy_index(const P&, Move) const;
template bool DataEncoding<Bitboard>::mirrors(const P&) const;
template PolicyIndex DataEncoding<Bitboard>::mirrored(const P&, PolicyIndex) const;
template EncodingDetails DataEncoding<Bitboard>::details() const;
template void DataEncoding<WideBitboard>::build_kinds();
template bool DataEncoding<WideBitboard>::is_belt_turn(Move) const;
template PolicyIndex DataEncoding<WideBitboard>::policy_index(const P&, Move) const;
template bool DataEncoding<WideBitboard>::mirrors(const P&) const;
template PolicyIndex DataEncoding<WideBitboard>::mirrored(const P&, PolicyIndex) const;
template EncodingDetails DataEncoding<WideBitboard>::details() const;
template void DataEncoding<StackedBitboard>::build_kinds();
template bool DataEncoding<StackedBitboard>::is_belt_turn(Move) const;
template PolicyIndex DataEncoding<StackedBitboard>::policy_index(const P&, Move) const;
template bool DataEncoding<StackedBitboard>::mirrors(const P&) const;
template PolicyIndex DataEncoding<StackedBitboard>::mirrored(const P&, PolicyIndex) const;
template EncodingDetails DataEncoding<StackedBitboard>::details() const;

}  // namespace faultline::data
