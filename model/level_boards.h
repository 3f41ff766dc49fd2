// How a network that shares its tower over levels sees a position: each level as a board of its
// own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "model/encoding/encoding.h"

namespace faultline {

/// The planes of a board, as indices into EncodingInfo::planes; kNoPlane stands for zeroes.
using BoardPlanes = std::vector<std::int32_t>;
inline constexpr std::int32_t kNoPlane = -1;

/// Whether the encoding has planes level by level ("level 1: own pawn"), the same for every level,
/// one of which ("squares") shows which squares the level has.
bool has_level_planes(const EncodingInfo& encoding);

/// One board per level, all with the same number of planes: the squares of the level, of the one
/// above and of the one below (which are empty if there is no such level), the level's other
/// planes, and those that belong to no level. Throws std::invalid_argument unless
/// has_level_planes(encoding).
std::vector<BoardPlanes> level_boards(const EncodingInfo& encoding);

/// The encoding with the first level alone. Networks that share levels fit encodings for which this
/// is the same.
EncodingInfo first_level_alone(const EncodingInfo& encoding);

/// [boards * planes] the planes of all boards, one after another, with `plane_count` for kNoPlane:
/// indices into a position's planes followed by one of zeroes.
std::vector<std::int64_t> chosen_planes(std::span<const BoardPlanes> boards, int plane_count);

/// How many of level_boards() there still are in a position ([planes, cells] floats): levels vanish
/// from the last one on, and those that have not vanished have a square in their corner, the first
/// cell. Of a single board, 1.
std::size_t existing_boards(std::span<const BoardPlanes> boards, const float* planes,
                            std::size_t cells);

}  // namespace faultline
