// What positions of a game file look up: reach, attacks, promotions, castling and board movements,
// computed once from the checked structure.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "rules/bitboard.h"
#include "rules/board_graph.h"
#include "rules/data/board_build.h"
#include "rules/data/game_description.h"
#include "rules/data/game_file.h"
#include "rules/data/path_tables.h"

namespace faultline::data {

/// The place of a side's value in BySide.
constexpr std::size_t at(Colour c) {
  return static_cast<std::size_t>(index(c));
}

/// Ways of a type that do the same.
template <class B>
struct Ways {
  PathTable<B> table;
  bool moves = false;          // to empty squares
  bool leaves_passed = false;  // … and what they pass over can be entered en passant
  bool hops = false;           // over a piece
  TypeSet takes = 0;           // captures of these
  B from{};                    // where such ways begin
  B onto{};                    // where they may end, where `table` leads to holes as well
};

/// How one type of one side moves on one state of the board.
template <class B>
struct TypeTables {
  std::vector<Ways<B>> ways;
  bool plain = false;  // one kind of ways, to empty squares and for captures of any type
  struct EnPassant {
    PathTable<B> table, reversed;  // by where they begin, and by where they lead
    TypeSet takes;
  };
  std::vector<EnPassant> en_passant;  // captures of what has passed over
};

/// Of AttackGroup::between: a level has at most so many squares.
template <class B>
inline constexpr std::size_t kBetweenStride = sizeof(B) * 8 < 128 ? sizeof(B) * 8 : 128;
template <class B>
constexpr std::size_t between_index(Square attacked, Square attacker) {
  return attacked * kBetweenStride<B> + attacker % kBetweenStride<B>;
}

/// A way in which some types of a side attack: what their tables have in common, reversed.
template <class B>
struct AttackGroup {
  TypeSet types = 0;
  TypeSet takes = 0;         // types that are attacked
  PathTable<B> attackers;    // by the attacked square: where attackers may stand
  std::vector<B> ever;       // [attacked]: the same whatever is occupied
  bool hops = false;         // over a piece
  std::vector<B> between;    // at_between(): what must be empty. None for leaps and hops
  std::vector<B> ambiguous;  // [attacked]: attackers with several ways to it
  struct Hop {
    Square attacker;
    B empty, hurdle;
  };
  std::vector<std::vector<Hop>> ways_of_hops;  // [attacked]

  bool leaps() const { return attackers.only_leaps(); }
  const B& at_between(Square attacked, Square attacker) const {
    return between[between_index<B>(attacked, attacker)];
  }
};

/// A double step of a type of a side: the squares it passes over.
template <class B>
struct DoubleStep {
  Square from, to;
  B passed;
};

template <class B>
struct SideTables {
  std::vector<TypeTables<B>> types;
  std::vector<AttackGroup<B>> attacks;
  std::vector<std::vector<DoubleStep<B>>> double_steps;  // by type
};

/// The most files or ranks of one shift: Move::amount().
inline constexpr int kMostShift = 7;

/// Everything that depends on which squares exist and where they lie.
template <class B>
struct BoardTables {
  std::vector<Displacement> places;  // of the parts
  B missing{};                       // covered squares
  BySide<SideTables<B>> sides;
  /// By files or ranks + kMostShift: the board after a shift of the part that shifts; nullptr if it
  /// is not allowed.
  std::array<const BoardTables*, 2 * kMostShift + 1> after_files{};
  std::array<const BoardTables*, 2 * kMostShift + 1> after_ranks{};
  std::atomic<bool> ready = false;  // `sides` is filled: GameTables::ready()
};

template <class B>
struct PromotionTable {
  B on{};
  B must{};
  bool leaving = false;
  bool stock = false;
  std::vector<faultline::PieceType> to;
  TypeIndex carried = kNoType;
};

/// What of a type of a side does not depend on the board's state.
template <class B>
struct TypeRules {
  Royal royal = Royal::No;
  bool pawn = false;     // its moves restart the plies
  bool one_way = false;  // it never comes back
  B promotes_on{};       // where a move to or, if `leaves`, from lets it promote
  B must{};
  bool leaves = false;
  std::vector<PromotionTable<B>> promotions;
  B barred{};                 // where it cannot stand
  B drops{};                  // where it may be dropped
  std::vector<B> drop_files;  // where it may be dropped once; empty without such a rule
  int a_file = 0;             // so often
  bool drop_may_mate = true;
};

template <class B>
struct CastleTable {
  std::uint32_t right = 0;  // a bit
  Colour colour = Colour::White;
  int level = 0;
  char letter = 'K';
  TypeIndex king_type = 0;
  TypeIndex rook_type = 0;
  bool royal = true;
  Square king = 0, rook = 0;
  struct Way {
    Square king_to = 0, rook_to = 0;
    B empty{}, safe{};
    bool by_rook = false;  // its text names the rook's square: a step of the king has the same
  };
  std::vector<Way> ways;
};

/// What leaving a square sets in motion: a map of sets of squares.
template <class B>
struct Motion {
  struct Shift {
    B mask{};    // squares that move by the same number
    int by = 0;  // to higher numbers
  };
  B moving{};
  std::vector<Shift> shifts;
  /// Squares other than the one left that two movements would carry.
  B torn{};
  /// Squares whose pieces would meet: `first` and `second` must not both be occupied.
  std::vector<std::pair<Square, Square>> meeting;

  /// What stands on `from` goes to `to`.
  void add(Square from, Square to);
  B advanced(B set) const;
  B reversed(B set) const;
};

/// A turn that slides areas.
template <class B>
struct Slide {
  Square from = 0, to = 0;  // first squares of the area farthest behind and of where it goes
  std::uint32_t inverse;    // bits of the move that takes it back
  B moving{};               // squares of the areas that move
  B into{};                 // squares that do not exist before
  B gap_after{};            // squares that do not exist afterwards
  Motion<B> motion;
};

/// A belt, and what turns it.
template <class B>
struct BeltTable {
  Motion<B> forward, backward;
  Control control;
  bool both_ways = false;
  std::string name;
  Square from = 0;  // a turn that moves it: from here …
  Square to_forward = 0, to_backward = 0;
  int counter = -1;  // of a turn that is limited
};

/// The most movements of the board, turns of their own, that are limited.
inline constexpr std::size_t kMostCounters = 8;

/// A type that a movement of the board turns into another.
template <class B>
struct CarriedPromotion {
  TypeIndex from = 0, to = 0;
  B on{};
};

/// The most ways in which one side's types attack.
inline constexpr std::size_t kMostAttackGroups = 64;
/// The most kinds of ways in which one type moves.
inline constexpr std::size_t kMostWays = 32;

/// A value that is made when it is first asked for, by code of which the game knows nothing. Safe
/// to ask from any thread.
class Attached {
 public:
  /// `make()` returns a T; always the same T.
  template <class T, class Make>
  const T& get(Make&& make) const {
    if (const void* const made = made_.load(std::memory_order_acquire))
      return *static_cast<const T*>(made);
    const std::lock_guard lock(mutex_);
    if (value_ == nullptr) {
      value_ = std::make_shared<const T>(make());
      made_.store(value_.get(), std::memory_order_release);
    }
    return *static_cast<const T*>(value_.get());
  }

 private:
  mutable std::mutex mutex_;
  mutable std::shared_ptr<const void> value_;
  mutable std::atomic<const void*> made_ = nullptr;
};

/// The game, as positions see it. Lives as long as its positions.
template <class B>
class GameTables {
 public:
  /// Throws GameLimit.
  explicit GameTables(GameFile file);
  GameTables(const GameTables&) = delete;
  GameTables& operator=(const GameTables&) = delete;

  const GameFile& file() const { return file_; }
  const std::string& canonical_name() const { return about.info.name; }
  const FamilyInfo& info() const { return about.info; }

  GameDescription about;
  /// What networks see of the game: model/encoding/.
  const Attached& encoding() const { return encoding_; }

  std::size_t squares = 0;
  int types = 0;
  TypeSet all_types = 0;
  B board{};  // all squares
  BoardGraph graph;
  BySide<std::vector<TypeRules<B>>> rules;  // by type
  BySide<TypeSet> royals{};
  BySide<bool> more_royals{};                 // than at the start there can be, by promotion
  bool one_safe = false;                      // some royals are Royal::OneSafe
  bool has_rule_ends = false;                 // ends besides mate, stalemate and draws
  mutable std::deque<BoardTables<B>> boards;  // by the state of the board, that of the start first
  int shifting_part = -1;                     // the part that shifts
  int shift_counter = -1;                     // the first of `counters` if some part shifts
  std::vector<CastleTable<B>> castles;
  std::vector<std::uint32_t> rights_kept;  // by square that a piece leaves or lands on
  std::vector<Motion<B>> left_motions;     // by the square left; empty without such belts
  B on_belts{};                            // squares that set something in motion
  std::vector<BeltTable<B>> belts;         // if a belt is more than one of left_motions
  bool belts_set_off = false;              // some of these by moves
  bool has_phase = false;                  // … or by the number of turns
  std::vector<Slide<B>> slides;
  int slide_counter = -1;
  /// By the number of levels: which squares are holes, and by these what lies under them.
  std::vector<B> holes;
  std::vector<std::vector<B>> under;
  std::vector<B> levels;                 // the squares of each
  B dark{};                              // squares of one of the two colours
  std::vector<const Control*> counters;  // of shifts, and of other turns that are limited
  bool has_pauses = false;               // of these
  B carried_onto{};                      // squares to which pieces come other than by moves
  BySide<std::vector<CarriedPromotion<B>>> carried_promotions;
  B gaps{};                     // of sectors, at the start
  bool has_hops = false;        // some piece attacks over another one
  bool hops_over_gaps = false;  // … or moves so, where gaps come and go
  bool always_tested = false;   // every move is played out to see whether it is legal
  std::array<std::vector<int>, 2> start_counts;  // by colour and type
  int most_moves_of_piece = 0;                   // an upper bound
  std::vector<std::vector<Square>> rows;         // of a level, as a FEN lists them: squares only

  /// As a FEN writes it: in capitals for White.
  std::string letter_of(int type, Colour c) const;
  bool counts_checks() const {
    return file_.ends.sides[0].checks > 0 || file_.ends.sides[1].checks > 0;
  }
  /// The last fields of the start's FEN: where the parts lie, and the shifts that are left.
  std::string start_places() const;
  bool is_start(std::string_view fen) const;
  bool carries() const { return file_.board.carries(); }
  /// The same board with its tables, which are computed when they are first asked for. Safe to call
  /// from any thread.
  const BoardTables<B>* ready(const BoardTables<B>* board) const;
  /// The board with parts at `places`; nullptr if there is none.
  const BoardTables<B>* board_at(const std::vector<Displacement>& places) const;
  /// The slide of an area where `missing` squares do not exist; nullptr if there is none.
  const Slide<B>* slide_of(Square from, Square to, B missing) const;
  int area_of(Square s) const;
  /// "BIII".
  std::string area_name(int area) const;

 private:
  BoardTables<B>& add_board(const std::vector<Displacement>& places);
  /// Returns an upper bound of the moves of one piece.
  int fill_board(BoardTables<B>& result) const;
  /// Adds the tables of a type with these routes. The most moves that it has from one square.
  int fill_type(const PieceType& piece, Colour c, const std::vector<std::vector<Route>>& routes,
                SideTables<B>& side) const;
  void build_shifted_boards();
  void build_rules();
  void build_drops();
  void build_castles();
  void build_belts();
  void build_single_belts();
  void name_turn(BeltTable<B>& table) const;
  void build_slides();
  void build_levels();
  int add_counter(const std::string& key, const Control& control);
  static bool is_limited(const Control& control);

  GameFile file_;
  Attached encoding_;
  mutable std::mutex mutex_;
  mutable TablePool<B> pool_;  // guarded by mutex_
};

extern template class GameTables<Bitboard>;
extern template class GameTables<WideBitboard>;
extern template class GameTables<StackedBitboard>;

template <class B>
B shifted(B set, int by);
template <>
inline Bitboard shifted(Bitboard set, int by) {
  return by >= 0 ? set << by : set >> -by;
}
template <>
inline WideBitboard shifted(WideBitboard set, int by) {
  __extension__ using Wide = unsigned __int128;
  const Wide value = Wide{set.high} << 64 | set.low;
  const Wide moved = by >= 0 ? value << by : value >> -by;
  return {static_cast<std::uint64_t>(moved), static_cast<std::uint64_t>(moved >> 64)};
}

template <>
inline StackedBitboard shifted(StackedBitboard set, int by) {
  StackedBitboard result{};
  for_each_square(set, [&](Square s) {
    const int to = s + by;
    if (to >= 0 && to < kMaxSquares) result |= square_set<StackedBitboard>(static_cast<Square>(to));
  });
  return result;
}

template <class B>
void Motion<B>::add(Square from, Square to) {
  moving |= square_set<B>(from);
  const int by = to - from;
  for (Shift& shift : shifts)
    if (shift.by == by) {
      shift.mask |= square_set<B>(from);
      return;
    }
  shifts.push_back({square_set<B>(from), by});
}
template <class B>
B Motion<B>::advanced(B set) const {
  B result = set & ~moving;
  for (const Shift& shift : shifts)
    result |= shifted(set & shift.mask, shift.by);
  return result;
}
template <class B>
B Motion<B>::reversed(B set) const {
  B result = set & ~moving;
  for (const Shift& shift : shifts)
    result |= shifted(set, -shift.by) & shift.mask;
  return result;
}

/// f(tables) with the smallest sets that hold the game's squares. Throws GameLimit.
template <class F>
void with_tables(GameFile file, F&& f) {
  const int squares = file.board.all_squares();
  const auto with = [&]<class B>(std::type_identity<B>) {
    const GameTables<B> tables(std::move(file));
    f(tables);
  };
  if (squares <= 64)
    with(std::type_identity<Bitboard>{});
  else if (squares <= 128)
    with(std::type_identity<WideBitboard>{});
  else
    with(std::type_identity<StackedBitboard>{});
}

/// What of the game the language can say and this program does not play: sentences for people, none
/// if it can be played. Computes all of its tables, which takes up to some seconds.
std::vector<std::string> limits_of_this_program(const GameFile& file);

/// The squares of a set over all squares.
template <class B>
B squares_of(const SquareSet& set) {
  B result{};
  for (std::size_t s = 0; s < sizeof(B) * 8; ++s)
    if (set[s]) result |= square_set<B>(static_cast<Square>(s));
  return result;
}

}  // namespace faultline::data
