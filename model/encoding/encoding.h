// How positions become planes and moves become (from, to, kind) triples for a network, one
// specialisation of Encoder a family. Every encoding is versioned and describes itself.
#pragma once

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

  int plane_count() const { return static_cast<int>(planes.size()); }
  int cells() const { return height * width; }
  int policy_cells() const { return cells() * levels; }
  std::size_t floats() const { return planes.size() * static_cast<std::size_t>(cells()); }
  friend bool operator==(const EncodingInfo&, const EncodingInfo&) = default;
};

nlohmann::json to_json(const EncodingInfo& info);
/// Throws std::runtime_error that names the missing or mistyped key.
EncodingInfo encoding_from_json(const nlohmann::json& json);

/// The primary template is empty; each family specialises it in model/encoder_FAMILY.h with
///   static const EncodingInfo& info(const P::Variant&);
///   static void encode(const P&, int repetitions, std::span<float> planes);   // info().floats()
///   static PolicyIndex policy_index(const P&, Move);
///   static P decode(const P::Variant&, std::span<const float> planes, int* repetitions);
/// `decode` gives the position as the mover sees it (White to move where the encoding has a
/// symmetry), with move number 1: encode(decode(x)) == x.
template <Position P>
struct Encoder;

}  // namespace faultline
