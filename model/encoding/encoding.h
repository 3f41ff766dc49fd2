// How positions become planes and moves become (from, to, kind) triples for a network. Every
// family's encoding is versioned and self-describing.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "model/encoding/bit_planes.h"
#include "rules/position.h"

namespace faultline {

namespace data {
template <class B>
class DataPosition;
template <class B>
class GameTables;
}  // namespace data

/// A move as the policy head sees it: two policy cells and a kind (index into
/// EncodingInfo::policy_kinds). A policy cell is a cell of the canvas (0 … height*width-1,
/// row-major, row 0 first) or, where EncodingInfo::levels squares share a cell, cell * levels +
/// level.
struct PolicyIndex {
  std::int32_t from;
  std::int32_t to;
  std::int32_t kind;
  friend constexpr bool operator==(PolicyIndex, PolicyIndex) = default;
};

/// A square as data. EncodingInfo::squares lists them by Square number.
struct EncodedSquare {
  std::string name;    // as in move texts
  int cell = 0;        // its policy cell (see PolicyIndex) when White is to move
  bool exists = true;  // at the start of a game
  float x = 0;         // its centre, in cells; its cell's column and row unless it is offset by
  float y = 0;         //   half a cell
  /// Clockwise from north (Direction in rules/board_graph.h): the squares one step away, as indices
  /// into the list. None at an edge, two where lines fork. A step is possible while both squares
  /// exist.
  std::array<std::vector<int>, 8> neighbours;
  friend bool operator==(const EncodedSquare&, const EncodedSquare&) = default;
};

struct EncodingInfo {
  std::string family;   // "chess"
  std::string variant;  // canonical name
  int version =
      1;  // incremented whenever the meaning changes; checkpoints of other versions are refused
  std::string symmetry;  // "mirror": ranks mirrored for Black; "half-turn"; "none"
  int height = 0;
  int width = 0;
  int levels = 1;                         // squares that share a cell: stacked levels
  std::vector<std::string> planes;        // one name per plane, in order
  std::vector<std::string> policy_kinds;  // "move", "promote-queen", …
  /// Empty if unknown: files written before squares were added do not have them.
  std::vector<EncodedSquare> squares;
  /// What in `squares` depends on the position, because boards move. "nothing"; "existence":
  /// squares appear and vanish (encoded in planes), the rest is fixed; "cells": also cells, centres
  /// and neighbours, for which `squares` holds those of the start.
  std::string board_changes = "nothing";
  /// The text of the game's file (data::GameFile::text); "" for families that are compiled.
  std::string game = {};

  int plane_count() const { return static_cast<int>(planes.size()); }
  int cells() const { return height * width; }
  int policy_cells() const { return cells() * levels; }
  std::size_t floats() const { return planes.size() * static_cast<std::size_t>(cells()); }
  /// Unknown squares on either side are ignored.
  friend bool operator==(const EncodingInfo& a, const EncodingInfo& b);
};

nlohmann::json to_json(const EncodingInfo& info);
/// Reads an encoding, also from files of earlier versions: without squares, and with 'layers' for
/// 'levels'. A game's text is offered to rules/data/known_games.h. Throws std::runtime_error naming
/// the missing or mistyped key.
EncodingInfo encoding_from_json(const nlohmann::json& json);
/// A hash (FNV-1a) of the encoding's whole description, its JSON text.
std::uint64_t digest(const EncodingInfo& info);

struct EncodingDetails;  // model/encoding/encoding_details.h

/// The encoding of a family, compiled in model/encoding/NAME.cpp.
template <Position P>
struct Encoder {
  static const EncodingInfo& info(const typename P::Variant& variant);
  /// Writes all of `planes`, info().floats() of them.
  static void encode(const P& position, int repetitions, std::span<float> planes);
  /// The same planes as bits.
  static void encode_bits(const P& position, int repetitions, const BitPlanes& planes);
  static PolicyIndex policy_index(const P& position, Move move);
  /// The cell of a square in this position.
  static std::int32_t policy_cell(const P& position, Square square);
  /// Turns the encoding of a position and its legal moves into that of the position with left and
  /// right exchanged; if that is not the same game (castling rights, a board that is not symmetric)
  /// it changes nothing and returns false. Planes that follow those of info() are mirrored, too.
  static bool mirror(const P& position, std::span<float> planes, std::span<PolicyIndex> moves);
  /// The position from the mover's side (White to move where the encoding has a symmetry), with
  /// move number 1: encode(decode(x)) == x. `repetitions` may be null.
  static P decode(const typename P::Variant& variant, std::span<const float> planes,
                  int* repetitions);
  /// What programs that are not ours must know besides.
  static EncodingDetails details(const typename P::Variant& variant);
};

/// The encoding of games of files, which follows from the file: model/encoding/data_encoding.h.
/// What is documented above.
template <class B>
struct DataEncoder {
  using P = data::DataPosition<B>;
  using Variant = data::GameTables<B>;

  static const EncodingInfo& info(const Variant& game);
  static void encode(const P& position, int repetitions, std::span<float> planes);
  static void encode_bits(const P& position, int repetitions, const BitPlanes& planes);
  static PolicyIndex policy_index(const P& position, Move move);
  static std::int32_t policy_cell(const P& position, Square square);
  static bool mirror(const P& position, std::span<float> planes, std::span<PolicyIndex> moves);
  static P decode(const Variant& game, std::span<const float> planes, int* repetitions);
  static EncodingDetails details(const Variant& game);
};
template <class B>
struct Encoder<data::DataPosition<B>> : DataEncoder<B> {};

}  // namespace faultline
