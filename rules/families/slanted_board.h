// The boards of the Slanted Escalator family: forks at the feet of the escalators, barriers beside
// them (docs/rules.md).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "rules/attack_tables.h"
#include "rules/board_graph.h"
#include "rules/castling.h"
#include "rules/fen.h"
#include "rules/types.h"

namespace faultline {

enum class SlantedShape : std::uint8_t { Ultra, Standard, Mini };

/// The grid behind a board: files and ranks count from 0; escalators and barriers are cells of it.
struct SlantedGrid {
  int width, height;
  int escalators;  // on either side of a rank that has them
  int first_escalator_rank, end_escalator_rank;

  static constexpr SlantedGrid of(SlantedShape shape) {
    constexpr std::array<SlantedGrid, 3> kGrids = {
        {{10, 9, 3, 3, 6}, {8, 8, 2, 3, 5}, {8, 6, 2, 2, 4}}};
    return kGrids[static_cast<std::size_t>(shape)];
  }
  constexpr bool has_escalators(int rank) const {
    return rank >= first_escalator_rank && rank < end_escalator_rank;
  }
  constexpr bool is_barrier(int file, int rank) const {
    return has_escalators(rank) && (file == escalators || file == width - 1 - escalators);
  }
  /// -1: a left escalator, half a file to the right of its grid file; +1: a right one; 0: neither.
  constexpr int side_of_escalator(int file, int rank) const {
    if (!has_escalators(rank)) return 0;
    return file < escalators ? -1 : file >= width - escalators ? 1 : 0;
  }
};

/// A square's cell of the grid.
struct SlantedCell {
  std::int8_t file = 0;
  std::int8_t rank = 0;
};

/// What the generator requires of a board with ultras; see kHasFairyPieces in rules/generator.h.
class SlantedTables : public WideAttackTables {
 public:
  /// `across_barriers[s]`: where an ultra on `s` lands across a barrier. With `jump_check` off, a
  /// piece in between blocks an ultra's attack on a king two links away.
  SlantedTables(const BoardGraph& graph, const std::vector<std::vector<Square>>& across_barriers,
                bool jump_check);

  /// One link in any direction, two in the same one, or over a barrier.
  WideBitboard ultra(Square s) const { return ultra_[s]; }
  WideBitboard ultra_obstacles(Square s, Square ultra) const {
    return jump_check_ ? WideBitboard{} : obstacles_[s * size() + ultra];
  }
  WideBitboard ultra_attackers(Square s, WideBitboard ultras, WideBitboard occupied) const {
    WideBitboard found = ultra_[s] & ultras;
    if (jump_check_) return found;
    WideBitboard stopped{};
    for_each_square(found, [&](Square ultra) {
      if (any(ultra_obstacles(s, ultra) & occupied)) stopped |= square_set<WideBitboard>(ultra);
    });
    return found & ~stopped;
  }

 private:
  std::vector<WideBitboard> ultra_;
  std::vector<WideBitboard> obstacles_;  // [square][ultra]
  bool jump_check_;
};

/// A board with everything derived from its shape. Squares are numbered along the ranks, a1 first,
/// barriers left out.
class SlantedBoard {
 public:
  /// Built at the first call for these arguments and kept for the lifetime of the program;
  /// thread-safe.
  static const SlantedBoard& of(SlantedShape shape, bool jump_check);

  SlantedBoard(SlantedShape shape, bool jump_check);
  SlantedShape shape() const { return shape_; }
  SlantedGrid grid() const { return SlantedGrid::of(shape_); }
  const SlantedTables& tables() const { return tables_; }
  const BoardGraph& graph() const { return graph_; }
  Square size() const { return static_cast<Square>(cells_.size()); }
  SlantedCell cell(Square s) const { return cells_[s]; }
  /// kNoSquare for a barrier.
  Square square_at(int file, int rank) const {
    return squares_[static_cast<std::size_t>(rank * grid().width + file)];
  }
  const std::string& name(Square s) const { return graph_.name(s); }
  Square find(std::string_view name) const { return graph_.find(name); }
  /// Top rank first.
  const FenRows& rows() const { return rows_; }
  WideBitboard rank(int r) const { return ranks_[static_cast<std::size_t>(r)]; }
  /// The rank as its owner counts it, 0 … height-1.
  WideBitboard rank_of(Colour c, int r) const {
    return rank(c == Colour::White ? r : grid().height - 1 - r);
  }
  const CastlingSides<WideBitboard>& castling() const { return castling_; }
  /// The rights that survive a move from or to a square.
  std::uint8_t rights_kept(Square s) const { return rights_kept_[s]; }

 private:
  SlantedShape shape_;
  std::vector<SlantedCell> cells_;
  std::vector<Square> squares_;  // [rank][file] of the grid
  std::vector<WideBitboard> ranks_;
  FenRows rows_;
  BoardGraph graph_;
  SlantedTables tables_;
  CastlingSides<WideBitboard> castling_;
  std::vector<std::uint8_t> rights_kept_;
};

}  // namespace faultline
