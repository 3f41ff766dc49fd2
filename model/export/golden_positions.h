// Positions with the outputs that a network gives for them: the golden.jsonl of a bundle.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "model/encoding/encoding.h"
#include "model/inference/backend.h"

namespace faultline {

struct GoldenPosition {
  std::string fen;
  int repetitions = 0;        // earlier occurrences in its game
  std::vector<float> planes;  // [planes, height, width]
  std::vector<std::string> moves;
  std::vector<std::int64_t> slots;  // of the moves
  std::vector<float> policy;        // their probabilities
  std::array<float, 3> wdl = {};
  float moves_left = 0;
};

/// `count` different positions of games in which every other move is random and the others follow
/// the network's policy, or all that there are; then, as far as random games find them, positions
/// that light the planes and have moves of the kinds that those do not. With outputs by `backend`;
/// without one all moves are random, and there are none. The same each time. Throws VariantError.
std::vector<GoldenPosition> golden_positions(const EncodingInfo& encoding, Backend* backend,
                                             std::size_t count);

/// How many different positions at least golden_positions() finds if `count` are asked for: fewer
/// for games with fewer. Throws VariantError.
std::size_t least_golden_positions(const EncodingInfo& encoding, std::size_t count);

/// A line of golden.jsonl; docs/export.md explains it.
nlohmann::ordered_json to_json(const GoldenPosition& position, const EncodingInfo& encoding);
/// Throws std::runtime_error naming what is missing, mistyped or out of range.
GoldenPosition golden_from_json(const nlohmann::json& json, const EncodingInfo& encoding);

/// Why this program's rules and encoding do not give the position's moves, slots and planes; "" if
/// they do.
std::string encoding_fault(const GoldenPosition& position, const EncodingInfo& encoding);

}  // namespace faultline
