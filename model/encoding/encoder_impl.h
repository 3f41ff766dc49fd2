// The definitions of Encoder: what the encodings of all families have in common. A family's source,
// model/encoding/NAME.cpp, specialises FamilyEncoding and ends with
//   template struct Encoder<NamePosition>;
#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/interned.h"
#include "model/encoding/family_encoding.h"
#include "model/encoding/mirrored_planes.h"

namespace faultline {

namespace detail {

/// By piece type. Kind 0 is an ordinary move.
template <class P>
inline constexpr std::array<std::int32_t, kPieceTypes> kPromotionKinds = [] {
  std::array<std::int32_t, kPieceTypes> kinds{};
  std::int32_t kind = 0;
  for (const PieceType type : FamilyEncoding<P>::kPromotions)
    kinds[static_cast<std::size_t>(index(type))] = ++kind;
  return kinds;
}();

/// Castling is the king's move, double steps and en passant the pawn's.
template <class P>
std::int32_t policy_kind(Move move) {
  using Family = FamilyEncoding<P>;
  if (move.kind() == MoveKind::Promotion)
    return kPromotionKinds<P>[static_cast<std::size_t>(index(move.promotion()))];
  return Family::is_of_own_kind(move) ? static_cast<std::int32_t>(Family::kPromotions.size()) + 1
                                      : 0;
}

template <class P>
inline constexpr std::array<std::string_view, kPieceTypes> kTypeNames = {
    FamilyEncoding<P>::kPawn, "knight", "bishop", "rook", "queen", "king", "chancellor", "ultra"};

template <class P, class Canvas>
std::int32_t policy_cell(const Canvas& canvas, int levels, Square square) {
  const auto [level, place] = place_of<P>(square);
  return canvas.cell(place) * levels + level;
}

template <class P>
std::string level_prefix(int level) {
  if constexpr (FamilyEncoding<P>::kLevelSquares == kMaxSquares) return "";
  return "level " + std::to_string(level + 1) + ": ";
}

template <class P>
const Planes<P>& planes_of(const P& position) {
  if constexpr (requires { position.variant(); })
    return FamilyEncoding<P>::planes_of(position.variant());
  else
    return FamilyEncoding<P>::planes();
}

template <class P>
std::vector<std::string> plane_names(const Planes<P>& planes, int levels) {
  std::vector<std::string> names;
  for (int level = 0; level < levels; ++level) {
    const std::string on = level_prefix<P>(level);
    for (const char* side : {"own ", "enemy "})
      for (int type = 0; type < planes.piece_types; ++type)
        names.push_back(on + side + std::string(kTypeNames<P>[static_cast<std::size_t>(type)]));
    for (const Plane<P>& plane : planes.of_level)
      names.push_back(on + plane.name);
  }
  for (const Plane<P>& plane : planes.common)
    names.push_back(plane.name);
  return names;
}

template <class P>
std::vector<EncodedSquare> encoded_squares(const typename P::Variant& variant) {
  using Family = FamilyEncoding<P>;
  const BoardGraph& graph = P::graph(variant);
  const BoardPicture start = P::start(variant).board_picture();
  const auto canvas = Family::canvas(variant, Colour::White);
  std::vector<EncodedSquare> squares(graph.size());
  for (Square s = 0; s < graph.size(); ++s) {
    const auto [level, place] = place_of<P>(s);
    const int cell = canvas.cell(place);
    const int column = cell % canvas.width(), row = cell / canvas.width();
    EncodedSquare& square = squares[s];
    square.name = graph.name(s);
    square.cell = cell * Family::levels(variant) + level;
    square.exists = start.find(s) != nullptr;
    square.x = static_cast<float>(column) + Family::offset(variant, s);
    square.y = static_cast<float>(row);
    for (std::size_t d = 0; d < square.neighbours.size(); ++d) {
      const BoardGraph::Neighbours& linked = graph.neighbours(s, static_cast<Direction>(d));
      square.neighbours[d].assign(linked.begin(), linked.end());
    }
  }
  return squares;
}

template <class P>
EncodingInfo describe(const typename P::Variant& variant) {
  using Family = FamilyEncoding<P>;
  constexpr std::array kSymmetries = {"none", "mirror", "half-turn"};
  const Planes<P>& planes = Family::planes_of(variant);
  const auto canvas = Family::canvas(variant, Colour::White);
  EncodingInfo info;
  info.family = family_of<P>(variant).name;
  info.variant = variant.canonical_name();
  info.version = Family::kVersion;
  info.symmetry = kSymmetries[static_cast<std::size_t>(Family::kBlackView)];
  info.height = canvas.height();
  info.width = canvas.width();
  info.levels = Family::levels(variant);
  info.planes = plane_names(planes, info.levels);
  info.policy_kinds = {"move"};
  for (const PieceType type : Family::kPromotions)
    if (index(type) < planes.piece_types)
      info.policy_kinds.push_back(
          "promote-" + std::string(kTypeNames<P>[static_cast<std::size_t>(index(type))]));
  for (std::string& kind : Family::own_kinds(variant))
    info.policy_kinds.push_back(std::move(kind));
  info.squares = encoded_squares<P>(variant);
  info.board_changes = Family::board_changes(variant);
  return info;
}

template <class P>
std::size_t plane_count(const P& position) {
  const Planes<P>& planes = planes_of(position);
  return static_cast<std::size_t>(FamilyEncoding<P>::levels(position)) * planes.level_size() +
         planes.common.size();
}

template <class P, class Canvas, class Writer>
void write_planes(const P& position, int repetitions, const Canvas& canvas, Writer out) {
  using Family = FamilyEncoding<P>;
  const Planes<P>& written = planes_of(position);
  const Colour mover = position.side_to_move();
  const auto mark = [&](typename P::SquareSet squares) {
    out.squares();
    for_each_square(squares, [&](Square s) { out.mark(canvas.cell(s)); });
  };
  const auto write = [&](const PlaneList<P>& list, int level) {
    const Shown<P> shown{position, repetitions, level, mover};
    for (const Plane<P>& what : list)
      if (what.number != nullptr)
        out.number(what.number(shown));
      else
        mark(what.squares != nullptr
                 ? what.squares(shown)
                 : what.fixed[static_cast<std::size_t>(index(mover))] & Family::existing(position));
  };

  const int left = Family::levels_left(position);
  for (int level = 0; level < left; ++level) {
    for (const Colour colour : {mover, ~mover})
      for (int type = 0; type < written.piece_types; ++type)
        mark(Family::pieces(position, level, colour, static_cast<PieceType>(type)));
    write(written.of_level, level);
  }
  out.empty(static_cast<std::size_t>(Family::levels(position) - left) * written.level_size());
  write(written.common, 0);
}

template <class Squares>
std::vector<Square> members(Squares set) {
  std::vector<Square> squares;
  for_each_square(set, [&](Square s) { squares.push_back(s); });
  return squares;
}

}  // namespace detail

template <Position P>
const EncodingInfo& Encoder<P>::info(const typename P::Variant& variant) {
  static Interned<std::string, EncodingInfo> infos;
  return infos.get(variant.canonical_name(),
                   [&](const auto&) { return detail::describe<P>(variant); });
}

template <Position P>
void Encoder<P>::encode(const P& position, int repetitions, std::span<float> planes) {
  const auto canvas = FamilyEncoding<P>::canvas(position, position.side_to_move());
  const auto cells = static_cast<std::size_t>(canvas.width() * canvas.height());
  assert(planes.size() == detail::plane_count(position) * cells);
  detail::write_planes(position, repetitions, canvas, FloatPlaneWriter(planes, cells));
}

template <Position P>
void Encoder<P>::encode_bits(const P& position, int repetitions, const BitPlanes& planes) {
  const auto canvas = FamilyEncoding<P>::canvas(position, position.side_to_move());
  const auto cells = static_cast<std::size_t>(canvas.width() * canvas.height());
  assert(planes.numbers.size() == detail::plane_count(position));
  detail::write_planes(position, repetitions, canvas, BitPlaneWriter(planes, cells));
}

template <Position P>
PolicyIndex Encoder<P>::policy_index(const P& position, Move move) {
  using Family = FamilyEncoding<P>;
  if constexpr (requires { Family::board_movement(position, move); })
    if (move.moves_board()) return Family::board_movement(position, move);
  const auto canvas = Family::canvas(position, position.side_to_move());
  const int levels = Family::levels(position);
  return {detail::policy_cell<P>(canvas, levels, move.from()),
          detail::policy_cell<P>(canvas, levels, move.to()), detail::policy_kind<P>(move)};
}

template <Position P>
std::int32_t Encoder<P>::policy_cell(const P& position, Square square) {
  using Family = FamilyEncoding<P>;
  return detail::policy_cell<P>(Family::canvas(position, position.side_to_move()),
                                Family::levels(position), square);
}

template <Position P>
bool Encoder<P>::mirror(const P& position, std::span<float> planes, std::span<PolicyIndex> moves) {
  using Family = FamilyEncoding<P>;
  if (!Family::mirrors(position)) return false;
  for (int level = 0; level < Family::levels_left(position); ++level)
    for (const Colour colour : {Colour::White, Colour::Black})
      for (const bool king_side : {true, false})
        if (Family::may_castle(position, level, colour, king_side)) return false;
  const auto canvas = Family::canvas(position, position.side_to_move());
  const int levels = Family::levels(position), width = canvas.width();
  detail::mirror_files(planes, width, canvas.used_width());
  Family::mirror_planes(position, planes);
  const auto mirrored = [&](std::int32_t place) {
    const int cell = place / levels;
    return (cell / width * width + canvas.used_width() - 1 - cell % width) * levels +
           place % levels;
  };
  for (PolicyIndex& move : moves) {
    move.from = mirrored(move.from);
    move.to = mirrored(move.to);
    Family::mirror_move(position, move);
  }
  return true;
}

template <Position P>
P Encoder<P>::decode(const typename P::Variant& variant, std::span<const float> planes,
                     int* repetitions) {
  using Family = FamilyEncoding<P>;
  const EncodingInfo& encoding = info(variant);
  const Planes<P>& written = Family::planes_of(variant);
  assert(planes.size() == encoding.floats());
  const PlaneReader read(encoding, planes);
  if (repetitions != nullptr) *repetitions = static_cast<int>(read.value("earlier occurrences"));
  const Colour mover = read.has("black to move") ? Colour::Black : Colour::White;
  const auto canvas = Family::decoded_canvas(variant, read, mover);
  const std::size_t squares = encoding.squares.size() / static_cast<std::size_t>(encoding.levels);
  std::string pieces, castling, en_passant = "-";
  for (int level = 0; level < encoding.levels; ++level) {
    const std::string on = detail::level_prefix<P>(level);
    const std::string passed = on + "en passant square";
    const std::size_t first = static_cast<std::size_t>(level) * written.level_size();
    if (level > 0 && !read.has(on + "squares")) break;  // a1 exists on every level
    FenPlacement placement;
    for (Square s = 0; s < squares; ++s) {
      const int cell = canvas.cell(s);
      placement.missing[s] = Family::is_missing(read, s, cell);
      if (placement.missing[s]) continue;
      std::size_t plane = first;
      for (const Colour colour : {mover, ~mover})
        for (int type = 0; type < written.piece_types; ++type, ++plane)
          if (read.value(plane, cell) != 0.0F)
            placement.pieces[s] = {static_cast<PieceType>(type), colour};
      if (read.has(passed, cell))
        en_passant = encoding.squares[static_cast<std::size_t>(level) * squares + s].name;
    }
    const char* const separator = level > 0 ? "|" : "";
    pieces += separator + write_placement(Family::rows(variant), placement, Family::kPawnLetter);
    castling +=
        separator + write_castling_letters(Family::castling_rights(read, on, canvas, mover));
  }
  const auto plies = std::lround(read.value("plies since progress / 100") * kProgressScale);
  return P::from_fen(variant, pieces + (mover == Colour::White ? " w " : " b ") + castling + " " +
                                  en_passant + " " + std::to_string(plies) + " 1" +
                                  Family::fields_about_the_board(variant, read, mover));
}

template <Position P>
EncodingDetails Encoder<P>::details(const typename P::Variant& variant) {
  using Family = FamilyEncoding<P>;
  EncodingDetails details;
  for (const Plane<P>& plane : Family::planes_of(variant).of_level)
    if (any(plane.fixed[0]))
      details.marked.push_back({.plane = plane.name,
                                .white = detail::members(plane.fixed[0]),
                                .black = detail::members(plane.fixed[1])});
  details.attacks = {{.numbers = {0}, .patterns = attack_patterns(P::graph(variant))}};
  Family::add_details(variant, details);
  return details;
}

}  // namespace faultline
