// What networks see of a game of a file: planes, cells and kinds of moves, which follow from the
// file. For the sources of model/encoding/ only.
//
// A cell of the canvas is a place where a square lies: columns and rows as the file has them,
// displaced parts displaced, so that neighbours on the canvas are neighbours in play. Black sees
// the board reflected as the file says if the game is then the same for him, or nearly; if it is
// not quite, one plane says who is to move.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "model/encoding/encoding.h"
#include "model/encoding/encoding_details.h"
#include "rules/data/data_position.h"
#include "rules/data/stacked_bitboard.h"

namespace faultline::data {

/// What a plane shows: squares, or from `Right` on one number.
enum class Shows : std::uint8_t {
  Pieces,     // of a type
  EnPassant,  // squares passed over
  Passer,     // what passed over them, where that is not certain
  Rooks,      // that may castle
  Squares,    // that exist
  Gaps,       // squares that do not exist
  SlidFrom,   // the area that the last turn moved, where that matters
  SlidTo,
  Marked,  // always the same squares, as far as they exist
  Right,   // to castle
  Hand,    // pieces of a type
  Checks,  // that must still be given
  Uses,    // of a limited movement that are left, or turns to wait
  Files,   // of a part's displacement
  Ranks,
  LastFiles,  // by how much the last turn shifted it
  LastRanks,
  LastBelt,  // 1: the last turn moved it, -1: backward
  Turn,      // its number, modulo
  BlackToMove,
  Plies,
  Repetitions,
  Ones
};

template <class B>
struct DataPlane {
  std::string name;
  Shows shows = Shows::Ones;
  bool own = true;  // where a side matters: the mover's
  int index = 0;    // of a type, counter, belt, or a number of turns
  int level = 0;
  BySide<std::uint32_t> rights{};  // Right: by side
  BySide<B> marked{};              // by side to move
  int divisor = 1;                 // of numbers
  /// Numbers that are inputs of fast networks lie, clamped, in this range; sets if `high` is 1.
  int low = 0, high = 0;
  /// With left and right exchanged: what is shown here goes to that plane, and changes its sign.
  int mirrored = -1;  // -1: to this one
  bool negated = false;

  bool is_number() const { return shows >= Shows::Right; }
  bool is_input() const { return low != high; }
};

/// Where squares lie on the canvas, for one state of the board.
struct DataCanvas {
  BySide<std::vector<int>> cells;  // by side to move and square, over all levels
  int used_width = 0;              // columns that the board takes up, from the left
};

template <class B>
class DataEncoding {
 public:
  using P = DataPosition<B>;
  using Game = GameTables<B>;

  explicit DataEncoding(const Game& game);
  /// Lives as long as the game.
  static const DataEncoding& of(const Game& game) {
    return game.encoding().template get<DataEncoding>([&] { return DataEncoding(game); });
  }

  const Game& game() const { return game_; }
  const EncodingInfo& info() const { return info_; }
  const std::vector<DataPlane<B>>& planes() const { return planes_; }
  int types() const { return game_.types; }
  int levels() const { return info_.levels; }
  /// Whether the game is the same with left and right exchanged, rights to castle aside.
  bool mirrors() const { return mirrors_; }
  /// Whether both sides see the board alike, or nearly.
  bool views_are_alike() const { return views_are_alike_; }

  const DataCanvas& canvas(const BoardTables<B>& board) const {
    std::size_t i = 0;
    while (canvases_[i].first != &board)
      ++i;
    return canvases_[i].second;
  }
  int policy_cell(const DataCanvas& canvas, Colour mover, Square s) const {
    return canvas.cells[static_cast<std::size_t>(index(mover))][s] * levels() + level_of(s);
  }
  int level_of(Square s) const { return levels() == 1 ? 0 : s / game_.file().board.squares; }

  B squares(const P& position, const DataPlane<B>& plane, Colour mover) const;
  /// What the plane shows times its divisor.
  int number(const P& position, int repetitions, const DataPlane<B>& plane, Colour mover) const;

  PolicyIndex policy_index(const P& position, Move move) const;
  /// Whether mirror() may be asked for: what else must be symmetric of a position.
  bool mirrors(const P& position) const;
  PolicyIndex mirrored(const P& position, PolicyIndex move) const;
  EncodingDetails details() const;

 private:
  void choose_views();
  void build_canvases();
  void build_planes();
  void add_level_planes(int level);
  void add_castling_planes(int level, const std::string& on);
  void add_belt_planes(int level, const std::string& on);
  void add_common_planes();
  void add_movement_planes();
  void build_kinds();
  void build_squares();
  std::string belt_text(const BeltTable<B>& belt, bool backward) const;
  void add_numbers(EncodingDetails& details) const;
  void add_rooks_and_steps(EncodingDetails& details) const;
  void add_turns(EncodingDetails& details) const;
  void add_attacks(EncodingDetails& details) const;
  DataPlane<B>& add(DataPlane<B> plane);
  /// The cell for which an area or a belt stands, as `mover` sees the board: its first one.
  int first_cell(const DataCanvas& canvas, Colour mover, B squares) const;
  B area(Square s) const;
  bool passers_are_certain() const;
  bool is_belt_turn(Move move) const;
  PolicyIndex turn_index(const P& position, Move move) const;
  /// The only royal of that side; kNoSquare if there is none, or another one.
  Square only_royal(const P& position, Colour c) const;

  const Game& game_;
  EncodingInfo info_;
  std::vector<DataPlane<B>> planes_;
  std::vector<std::pair<const BoardTables<B>*, DataCanvas>> canvases_;
  bool flips_ranks_ = false, flips_files_ = false;  // for Black
  bool tells_who_moves_ = false;
  bool views_are_alike_ = true;
  bool mirrors_ = false;
  std::array<std::int32_t, kMostTypes> promotion_kinds_{}, drop_kinds_{};
  std::int32_t descent_kind_ = 0, slide_kind_ = 0;
  using ShiftKinds = std::array<std::int32_t, 2 * kMostShift + 1>;
  ShiftKinds file_shift_kinds_{}, rank_shift_kinds_{};   // by amount + kMostShift
  std::vector<std::array<std::int32_t, 2>> belt_kinds_;  // forward, backward
  std::vector<std::int32_t> mirrored_kinds_;             // by kind
};

inline constexpr int kProgressDivisor = 100;

}  // namespace faultline::data
