// How positions become planes and moves become (from, to, kind) triples for a network, one
// specialisation of Encoder a family. Every encoding is versioned and describes itself.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "rules/position.h"

namespace faultline {

/// A move as the policy head sees it: two places and a kind (index into
/// EncodingInfo::policy_kinds). A place is a cell of the canvas (0 … height*width-1, row-major, row
/// 0 first) or, where EncodingInfo::levels squares share a cell, cell * levels + level.
struct PolicyIndex {
  std::int32_t from;
  std::int32_t to;
  std::int32_t kind;
  friend constexpr bool operator==(PolicyIndex, PolicyIndex) = default;
};

/// A square as data. EncodingInfo::squares lists them by Square number.
struct EncodedSquare {
  std::string name;    // as in the texts of moves
  int cell = 0;        // its place to the policy (see PolicyIndex) when White is to move
  bool exists = true;  // at the start of a game
  float x = 0;         // where its centre lies, in cells; its cell's column and row where it is not
  float y = 0;         //   half a cell aside
  /// Clockwise from north (Direction in rules/board_graph.h): the squares a step away, as indices
  /// into the list. None at an edge, two where lines fork. A step is there while both squares
  /// exist.
  std::array<std::vector<int>, 8> neighbours;
  friend bool operator==(const EncodedSquare&, const EncodedSquare&) = default;
};

struct EncodingInfo {
  std::string family;    // "chess"
  std::string variant;   // canonical name
  int version = 1;       // grows with every change of meaning; checkpoints of others are refused
  std::string symmetry;  // "mirror": seen from the mover by mirroring ranks; "half-turn"; "none"
  int height = 0;
  int width = 0;
  int levels = 1;                         // squares that share a cell: levels above each other
  std::vector<std::string> planes;        // one name a plane, in order
  std::vector<std::string> policy_kinds;  // "move", "promote-queen", …
  /// Empty where unknown: files written before there were squares do not have them.
  std::vector<EncodedSquare> squares;
  /// What of `squares` belongs to the position, because boards move. "nothing"; "existence":
  /// squares come and go (planes tell), the rest stays; "cells": also cells, centres and
  /// neighbours, of which `squares` has those of the start.
  std::string board_changes = "nothing";

  int plane_count() const { return static_cast<int>(planes.size()); }
  int cells() const { return height * width; }
  int policy_cells() const { return cells() * levels; }
  std::size_t floats() const { return planes.size() * static_cast<std::size_t>(cells()); }
  /// Squares that are unknown to one of the two make no difference.
  friend bool operator==(const EncodingInfo& a, const EncodingInfo& b);
};

nlohmann::json to_json(const EncodingInfo& info);
/// Reads files of earlier versions, too: without squares, and with 'layers' for 'levels'. Throws
/// std::runtime_error that names the missing or mistyped key.
EncodingInfo encoding_from_json(const nlohmann::json& json);
/// A hash (FNV-1a) of all that the encoding says of itself, of its JSON text.
std::uint64_t digest(const EncodingInfo& info);

/// The primary template is empty; each family specialises it in model/encoding/FAMILY.h with
///   static const EncodingInfo& info(const P::Variant&);
///   static void encode(const P&, int repetitions, std::span<float> planes);   // info().floats()
///   static PolicyIndex policy_index(const P&, Move);
///   static P decode(const P::Variant&, std::span<const float> planes, int* repetitions);
/// `decode` gives the position as the mover sees it (White to move where the encoding has a
/// symmetry), with move number 1: encode(decode(x)) == x.
template <Position P>
struct Encoder;

}  // namespace faultline
