// The predicates that every family has. For strategy/strategy.cpp only, which instantiates them.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "search/material.h"
#include "strategy/families.h"
#include "strategy/predicate.h"

namespace faultline {

namespace general_predicates {

constexpr double kMostPlies = 10'000;
constexpr double kMostPawns = 200;

template <Position P>
bool captures(const Turn<P>& turn, const Arguments& arguments) {
  const PieceType taken = captured_type(turn.before(), turn.move());
  return taken != PieceType::None && arguments.has_name(0, index(taken));
}

template <Position P>
bool trades(const Turn<P>& turn, const Arguments&) {
  const PieceType taken = captured_type(turn.before(), turn.move());
  if (taken == PieceType::None || piece_value(turn.before(), turn.piece()) == 0) return false;
  return std::abs(piece_value(turn.before(), taken) - piece_value(turn.before(), turn.piece())) <=
         kPawnValue;
}

template <Position P>
bool checks(const Turn<P>& turn, const Arguments&) {
  return turn.after().in_check();
}

template <Position P>
bool moves_piece_of(const Turn<P>& turn, const Arguments& arguments) {
  return turn.moves_piece() && arguments.has_name(0, index(turn.piece()));
}

template <Position P>
bool comes_from(const Turn<P>& turn, const Arguments& arguments) {
  return turn.moves_piece() && arguments.has_square(0, turn.move().from());
}

template <Position P>
bool goes_to(const Turn<P>& turn, const Arguments& arguments) {
  return turn.moves_piece() && arguments.has_square(0, turn.move().to());
}

template <Position P>
bool castles(const Turn<P>& turn, const Arguments&) {
  return turn.move().kind() == MoveKind::Castling;
}

template <Position P>
bool promotes(const Turn<P>& turn, const Arguments& arguments) {
  return turn.move().kind() == MoveKind::Promotion &&
         arguments.has_name(0, index(turn.move().promotion()));
}

template <Position P>
bool repeats(const Turn<P>& turn, const Arguments&) {
  return turn.repeats();
}

template <Position P>
bool ply_is(const Turn<P>& turn, const Arguments& arguments) {
  return arguments.within(turn.ply());
}

template <Position P>
bool lead_is(const Turn<P>& turn, const Arguments& arguments) {
  return arguments.within(material_balance(turn.before()) / static_cast<double>(kPawnValue));
}

template <Position P>
bool pieces_left_are(const Turn<P>& turn, const Arguments& arguments) {
  int pieces = 0;
  turn.before().for_each_piece([&](Colour, PieceType, Square) { ++pieces; });
  return arguments.within(pieces);
}

template <Position P>
bool in_check(const Turn<P>& turn, const Arguments&) {
  return turn.before().in_check();
}

template <Position P>
bool plays_side(const Turn<P>& turn, const Arguments& arguments) {
  return arguments.has_name(0, index(turn.mover()));
}

/// What the start position has, and what pieces of files' games become, in the order of PieceType.
template <Position P>
std::vector<PieceType> piece_types(const P& start) {
  std::array<bool, kMostPieceTypes> has{};
  start.for_each_piece(
      [&](Colour, PieceType t, Square) { has.at(static_cast<std::size_t>(index(t))) = true; });
  if constexpr (P::kTypes > kPieceTypes) has.fill(true);
  std::vector<PieceType> types;
  for (std::size_t t = 0; t < start.piece_kinds().size(); ++t)
    if (has.at(t)) types.push_back(static_cast<PieceType>(t));
  return types;
}

/// Whether a position text has castling rights.
inline bool has_castling(const std::string& fen) {
  const std::size_t side = fen.find(' ');
  const std::size_t rights = fen.find(' ', side + 1) + 1;
  return fen.substr(rights, fen.find(' ', rights) - rights).find_first_of("KQkq") !=
         std::string::npos;
}

}  // namespace general_predicates

/// The table of them for one variant.
template <Position P>
std::vector<Predicate<P>> general_predicates_of(const typename P::Variant& variant) {
  namespace gp = general_predicates;
  using enum PredicateSubject;
  const P start = P::start(variant);
  const std::vector<PieceType> types = gp::piece_types(start);
  // Strategies of all families that are compiled say "pawn", also of crabs.
  const PieceKinds& kinds = P::kTypes == kPieceTypes ? compiled_piece_kinds() : start.piece_kinds();
  const auto without = [&](std::vector<PieceType> left, PieceType like) {
    std::erase_if(
        left, [&](PieceType t) { return kinds[static_cast<std::size_t>(index(t))].like == like; });
    return left;
  };
  const std::vector<PieceType> taken =
      P::kTypes == kPieceTypes ? without(types, PieceType::King) : types;
  const std::vector<PieceType> promoted = without(taken, PieceType::Pawn);
  int most_pieces = 0;
  start.for_each_piece([&](Colour, PieceType, Square) { ++most_pieces; });
  return {
      {{"captures",
        "takes a piece, of one of these types",
        Turn,
        {names_parameter("pieces", piece_names(kinds, taken), false)}},
       gp::captures<P>},
      {{"trades", "takes a piece worth what the taking one is, to within a pawn", Turn},
       gp::trades<P>},
      {{"checks", "gives check", Turn}, gp::checks<P>},
      {{"piece",
        "a piece of one of these types moves",
        Turn,
        {names_parameter("pieces", piece_names(kinds, types), true)}},
       gp::moves_piece_of<P>},
      {{"from", "the piece leaves one of these squares", Turn, {squares_parameter("squares")}},
       gp::comes_from<P>},
      {{"to",
        "the piece arrives on one of these squares, before the board moves",
        Turn,
        {squares_parameter("squares")}},
       gp::goes_to<P>},
      {{"castles",
        "the move is a castling",
        Turn,
        {},
        gp::has_castling(start.fen()) ? "" : "there is no castling"},
       gp::castles<P>},
      {{"promotes",
        "a pawn that moves promotes, to one of these types",
        Turn,
        {names_parameter("pieces", piece_names(kinds, promoted), false)}},
       gp::promotes<P>},
      {{"repeats", "leads to a position that occurred before", Turn}, gp::repeats<P>},
      {{"ply", "so many plies were played since the start of the game", Situation,
        range_parameters(Parameter::Kind::Whole, 0, gp::kMostPlies)},
       gp::ply_is<P>},
      {{"lead", "the mover's material less the opponent's, in pawns", Situation,
        range_parameters(Parameter::Kind::Real, -gp::kMostPawns, gp::kMostPawns)},
       gp::lead_is<P>},
      {{"pieces_left", "pieces of both sides, kings included", Situation,
        range_parameters(Parameter::Kind::Whole, 2, most_pieces)},
       gp::pieces_left_are<P>},
      {{"in_check", "the mover is in check", Situation}, gp::in_check<P>},
      {{"side",
        "the mover is this side",
        Situation,
        {names_parameter("side", {{"white", index(Colour::White)}, {"black", index(Colour::Black)}},
                         true)}},
       gp::plays_side<P>},
  };
}

}  // namespace faultline
