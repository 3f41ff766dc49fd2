// Which planes belong to which level, by their names.
#include "model/level_boards.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <stdexcept>
#include <string>
#include <string_view>

namespace faultline {
namespace {

constexpr std::string_view kSquares = "squares";

/// The encoding's planes, sorted by level.
struct SortedPlanes {
  struct Level {
    BoardPlanes planes;
    std::vector<std::string> names;  // without the level
    std::int32_t squares = kNoPlane;
  };
  std::vector<Level> levels;
  BoardPlanes common;
};

SortedPlanes sorted(const EncodingInfo& encoding) {
  SortedPlanes found;
  found.levels.resize(static_cast<std::size_t>(std::max(encoding.levels, 0)));
  for (std::size_t i = 0; i < encoding.planes.size(); ++i) {
    const std::string& name = encoding.planes[i];
    const auto plane = static_cast<std::int32_t>(i);
    bool common = true;
    for (std::size_t level = 0; level < found.levels.size() && common; ++level) {
      // Planes of attacks have no level in their names where there is only one.
      const std::string prefix = "level " + std::to_string(level + 1) + ": ";
      const bool plain = found.levels.size() == 1 && name.ends_with("attacks");
      if (!name.starts_with(prefix) && !plain) continue;
      common = false;
      auto& of = found.levels[level];
      of.planes.push_back(plane);
      of.names.push_back(name.starts_with(prefix) ? name.substr(prefix.size()) : name);
      if (of.names.back() == kSquares) of.squares = plane;
    }
    if (common) found.common.push_back(plane);
  }
  return found;
}

bool complete(const SortedPlanes& planes) {
  return !planes.levels.empty() && std::ranges::all_of(planes.levels, [&](const auto& level) {
    return level.squares != kNoPlane && level.names == planes.levels.front().names;
  });
}

}  // namespace

bool has_level_planes(const EncodingInfo& encoding) {
  return complete(sorted(encoding));
}

std::vector<BoardPlanes> level_boards(const EncodingInfo& encoding) {
  const SortedPlanes planes = sorted(encoding);
  if (!complete(planes))
    throw std::invalid_argument("net.share_levels: " + encoding.variant +
                                " has no levels, each with its own planes");
  std::vector<BoardPlanes> boards;
  for (std::size_t level = 0; level < planes.levels.size(); ++level) {
    const auto squares_of = [&](std::size_t i) {  // of the level before the first: max size_t
      return i < planes.levels.size() ? planes.levels[i].squares : kNoPlane;
    };
    BoardPlanes& board = boards.emplace_back();
    for (const std::size_t i : {level, level - 1, level + 1})
      board.push_back(squares_of(i));
    std::ranges::copy_if(planes.levels[level].planes, std::back_inserter(board),
                         [&](std::int32_t plane) { return plane != squares_of(level); });
    board.insert(board.end(), planes.common.begin(), planes.common.end());
  }
  return boards;
}

EncodingInfo first_level_alone(const EncodingInfo& encoding) {
  const SortedPlanes planes = sorted(encoding);
  EncodingInfo alone = encoding;
  alone.levels = 1;
  alone.squares.clear();
  alone.planes.clear();
  if (!planes.levels.empty()) alone.planes = planes.levels.front().names;
  for (const std::int32_t plane : planes.common)
    alone.planes.push_back(encoding.planes[static_cast<std::size_t>(plane)]);
  return alone;
}

std::vector<std::int64_t> chosen_planes(std::span<const BoardPlanes> boards, int plane_count) {
  std::vector<std::int64_t> chosen;
  for (const BoardPlanes& board : boards)
    for (const std::int32_t plane : board)
      chosen.push_back(plane == kNoPlane ? plane_count : plane);
  return chosen;
}

std::size_t existing_boards(std::span<const BoardPlanes> boards, const float* planes,
                            std::size_t cells) {
  if (boards.size() == 1) return 1;
  std::size_t count = 0;
  while (count < boards.size() &&
         planes[static_cast<std::size_t>(boards[count].front()) * cells] != 0.0F)
    ++count;
  return count;
}

}  // namespace faultline
