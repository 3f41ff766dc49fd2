// Lines from the links of a board.
#include "model/encoding/attack_lines.h"

#include <array>
#include <cstddef>
#include <functional>
#include <span>
#include <utility>

namespace faultline {
namespace {

using enum Direction;

/// Appends every path from `at` along `d` that continues `line`, to its end.
void ride(const BoardGraph& graph, Square at, Direction d, const AttackLine& line,
          std::vector<AttackLine>& lines) {
  const auto& next_squares = graph.next_on_line(at, d);
  if (next_squares.empty() && !line.empty()) lines.push_back(line);
  for (const Square next : next_squares) {
    AttackLine longer = line;
    longer.push_back(next);
    ride(graph, next, d, longer, lines);
  }
}

std::vector<AttackLine> rides(const BoardGraph& graph, Square from,
                              std::span<const Direction> directions) {
  std::vector<AttackLine> lines;
  for (const Direction d : directions)
    ride(graph, from, d, {}, lines);
  return lines;
}

std::vector<AttackLine> steps(const BoardGraph& graph, Square from,
                              std::span<const Direction> directions) {
  std::vector<AttackLine> lines;
  for (const Direction d : directions)
    for (const Square to : graph.neighbours(from, d))
      lines.push_back({to});
  return lines;
}

std::vector<AttackLine> leaps(const BoardGraph& graph, Square from) {
  std::vector<AttackLine> lines;
  for (const Square to : graph.knight_leaps(from))
    lines.push_back({to});
  return lines;
}

constexpr std::array kOrthogonal = {N, E, S, W};
constexpr std::array kDiagonal = {NE, SE, SW, NW};
constexpr std::array kAll = {N, NE, E, SE, S, SW, W, NW};
constexpr std::array kForWhite = {NE, NW};
constexpr std::array kForBlack = {SE, SW};

}  // namespace

std::vector<AttackPattern> attack_patterns(const BoardGraph& graph) {
  std::vector<AttackPattern> patterns;
  const auto add = [&](const char* name, const std::function<std::vector<AttackLine>(Square)>& of) {
    AttackPattern pattern{.name = name, .lines = {}};
    for (std::size_t s = 0; s < graph.size(); ++s)
      pattern.lines.push_back(of(static_cast<Square>(s)));
    patterns.push_back(std::move(pattern));
  };
  add("orthogonal", [&](Square s) { return rides(graph, s, kOrthogonal); });
  add("diagonal", [&](Square s) { return rides(graph, s, kDiagonal); });
  add("knight", [&](Square s) { return leaps(graph, s); });
  add("king", [&](Square s) { return steps(graph, s, kAll); });
  add("white-pawn", [&](Square s) { return steps(graph, s, kForWhite); });
  add("black-pawn", [&](Square s) { return steps(graph, s, kForBlack); });
  return patterns;
}

}  // namespace faultline
