// Computes the attack tables by following links.
#include "rules/attack_tables.h"

#include <optional>
#include <span>
#include <utility>

namespace faultline {

namespace {

/// Adds to `reach` the squares that a rider attacks from `from` along `d`, blockers included, on
/// every branch.
template <class B>
void ride(const BoardGraph& graph, Square from, Direction d, B blockers, B& reach) {
  for (const Square next : graph.next_on_line(from, d)) {
    reach |= square_set<B>(next);
    if (!contains(blockers, next)) ride(graph, next, d, blockers, reach);
  }
}

/// Squares whose occupancy is relevant to a rider on `from`: those with further squares behind
/// them.
template <class B>
B blocking_squares(const BoardGraph& graph, Square from, Direction d) {
  B mask{};
  for (const Square next : graph.next_on_line(from, d)) {
    if (!graph.next_on_line(next, d).empty()) mask |= square_set<B>(next);
    mask |= blocking_squares<B>(graph, next, d);
  }
  return mask;
}

template <class B>
std::vector<Square> members(B set) {
  std::vector<Square> result;
  for_each_square(set, [&](Square s) { result.push_back(s); });
  return result;
}

/// Appends the table of all blocker subsets of `mask` to `entries`.
template <class B>
void append_entries(const BoardGraph& graph, Square from, std::span<const Direction> directions,
                    B mask, std::vector<B>& entries) {
  const std::vector<Square> blockers_of = members(mask);
  const std::size_t subsets = std::size_t{1} << blockers_of.size();
  for (std::size_t subset = 0; subset < subsets; ++subset) {
    B blockers{};
    for (std::size_t i = 0; i < blockers_of.size(); ++i)
      if (subset >> i & 1) blockers |= square_set<B>(blockers_of[i]);
    B reach{};
    for (const Direction d : directions)
      ride(graph, from, d, blockers, reach);
    entries.push_back(reach);
  }
}

/// Follows every path from `origin` along `d`, recording the squares between.
template <class B>
void record_between(const BoardGraph& graph, Square at, Direction d, B passed,
                    std::vector<std::optional<B>>& row) {
  for (const Square next : graph.next_on_line(at, d)) {
    auto& entry = row[next];
    entry = entry ? *entry & passed : passed;
    record_between(graph, next, d, passed | square_set<B>(next), row);
  }
}

template <class B>
B neighbours(const BoardGraph& graph, Square s, std::span<const Direction> directions) {
  B set{};
  for (const Direction d : directions)
    for (const Square next : graph.neighbours(s, d))
      set |= square_set<B>(next);
  return set;
}

}  // namespace

template <class B, int LinesPerLookup>
BasicAttackTables<B, LinesPerLookup>::BasicAttackTables(const BoardGraph& graph)
    : squares_(graph.size()), between_(graph.size() * graph.size()) {
  using enum Direction;
  const auto set_up = [&](Square s, Lookups& lookups, std::array<Direction, 4> directions,
                          std::vector<std::size_t>& offsets) {
    for (std::size_t i = 0; i < kLookups; ++i) {
      // Directions are ordered by line: the first pair, then the second.
      const auto part = std::span(directions).subspan(i * 2, LinesPerLookup * 2);
      B mask{};
      for (const Direction d : part)
        mask |= blocking_squares<B>(graph, s, d);
      lookups[i].mask = mask;
      offsets.push_back(entries_.size());
      append_entries(graph, s, part, mask, entries_);
    }
  };

  std::vector<std::size_t> offsets;
  for (std::size_t i = 0; i < size(); ++i) {
    const auto s = static_cast<Square>(i);
    PerSquare& square = squares_[s];
    board_ |= square_set<B>(s);
    set_up(s, square.orthogonal, {N, S, E, W}, offsets);
    set_up(s, square.diagonal, {NE, SW, NW, SE}, offsets);
    for (const Square to : graph.knight_leaps(s))
      square.knight |= square_set<B>(to);
    square.king = neighbours<B>(graph, s, std::array{N, NE, E, SE, S, SW, W, NW});
    square.pawn_attacks = {neighbours<B>(graph, s, std::array{NE, NW}),
                           neighbours<B>(graph, s, std::array{SE, SW})};
    square.pawn_push = {neighbours<B>(graph, s, std::array{N}),
                        neighbours<B>(graph, s, std::array{S})};

    std::vector<std::optional<B>> row(size());
    for (int d = 0; d < kDirections; ++d)
      record_between<B>(graph, s, static_cast<Direction>(d), B{}, row);
    for (std::size_t to = 0; to < size(); ++to)
      if (row[to]) between_[i * size() + to] = *row[to];
  }

  // The entries no longer move: set the pointers into them.
  auto offset = offsets.begin();
  for (PerSquare& square : squares_)
    for (Lookups* lookups : {&square.orthogonal, &square.diagonal})
      for (Lookup& lookup : *lookups)
        lookup.entries = entries_.data() + *offset++;
}

template class BasicAttackTables<Bitboard, 2>;
template class BasicAttackTables<Bitboard, 1>;
template class BasicAttackTables<WideBitboard, 1>;

const AttackTables& square_board_tables() {
  static const AttackTables tables(square_board());
  return tables;
}

}  // namespace faultline
