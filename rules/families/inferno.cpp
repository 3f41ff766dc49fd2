// Inferno Chess (docs/rules.md): moves, descents, and winning a level.
#include "rules/families/inferno.h"

#include <algorithm>
#include <cassert>
#include <span>
#include <utility>

#include "rules/generator.h"
#include "rules/square_board.h"
#include "rules/square_castling.h"
#include "rules/square_play.h"

namespace faultline {

namespace {

using enum PieceType;
using namespace square_board_sets;

constexpr Bitboard kHole = 0x00003c3c3c3c0000;
/// The hole squares above the hole of the next level: only these lead further down.
constexpr Bitboard kMiddle = 0x0000001818000000;
constexpr Bitboard kLight = 0x55aa55aa55aa55aa;

constexpr Bitboard squares_of_colour_of(Square s) {
  return contains(kLight, s) ? kLight : ~kLight;
}

/// The squares of the next level that are below hole squares.
constexpr Bitboard under(Bitboard hole_squares) {
  Bitboard set = 0;
  for_each_square(hole_squares & kHole, [&](Square s) {
    set |= Bitboard{0x303} << ((s / 8 - 2) * 16 + (s % 8 - 2) * 2);
  });
  return set;
}

/// [square][depth - 1]: the squares below hole squares.
using Targets = std::array<std::array<Bitboard, kMaxLevels - 1>, 64>;
constexpr Targets make_targets(bool either_colour) {
  Targets all{};
  for_each_square(kHole, [&](Square s) {
    Bitboard image = square_set<Bitboard>(s);
    for (Bitboard& targets : all[s]) {
      image = under(image);
      targets = either_colour ? image : image & squares_of_colour_of(s);
    }
  });
  return all;
}
constexpr Targets kTargets = make_targets(false);  // targets_below()
constexpr Targets kTargetsOfEitherColour = make_targets(true);

/// The squares `depth` levels below some hole squares.
Bitboard all_targets(Bitboard hole_squares, int depth, const Targets& targets = kTargets) {
  Bitboard set = 0;
  for_each_square(hole_squares,
                  [&](Square s) { set |= targets[s][static_cast<std::size_t>(depth - 1)]; });
  return set;
}

constexpr Square global(int level, Square s) {
  return static_cast<Square>(level * kLevelSquares + s);
}

/// Writes moves to a list; `targets` are squares of `level`, `from` is numbered over all levels.
class InfernoListSink {
 public:
  explicit InfernoListSink(InfernoPosition::MoveList& list) : list_(list) {}
  void moves(Square from, int level, Bitboard targets, MoveKind kind = MoveKind::Normal) {
    for_each_square(targets, [&](Square to) { list_.push(Move(from, global(level, to), kind)); });
  }
  void promotions(Square from, int level, Bitboard targets) {
    for_each_square(targets, [&](Square to) {
      for (const PieceType t : kOrthodoxPromotions)
        list_.push(Move::promotion_to(from, global(level, to), t));
    });
  }

 private:
  InfernoPosition::MoveList& list_;
};

class InfernoCountSink {
 public:
  void moves(Square, int, Bitboard targets, MoveKind = MoveKind::Normal) {
    total_ += static_cast<std::size_t>(count(targets));
  }
  void promotions(Square, int, Bitboard targets) {
    total_ += static_cast<std::size_t>(count(targets)) * kOrthodoxPromotions.size();
  }
  std::size_t total() const { return total_; }

 private:
  std::size_t total_ = 0;
};

/// Takes one level's moves from the generator and passes them on: moves that end on the level
/// unchanged, those that end on its hole as descents to the levels below.
template <class Sink>
class LevelSink {
 public:
  /// `arrivals[l]`: where a descending piece may land on level l. `either_colour`: the pieces that
  /// may do so on squares of either colour.
  LevelSink(Sink& sink, int level, int levels, Bitboard hole,
            const std::array<Bitboard, kMaxLevels>& arrivals, Bitboard either_colour)
      : sink_(sink),
        level_(level),
        levels_(levels),
        hole_(hole),
        arrivals_(arrivals),
        either_colour_(either_colour) {}

  void moves(Square from, Bitboard targets) {
    sink_.moves(global(level_, from), level_, targets & ~hole_);
    const Bitboard falls = targets & hole_;
    if (!falls) return;
    const Targets& below = contains(either_colour_, from) ? kTargetsOfEitherColour : kTargets;
    for_each_level_below(falls, [&](int level, int depth) {
      sink_.moves(global(level_, from), level,
                  all_targets(falls, depth, below) & arrivals_[static_cast<std::size_t>(level)]);
    });
  }
  void double_steps(Square from, Bitboard targets) {
    sink_.moves(global(level_, from), level_, targets, MoveKind::DoubleStep);
  }
  void promotions(Square from, Bitboard targets, std::span<const PieceType>) {
    sink_.promotions(global(level_, from), level_, targets);
  }

  /// A pawn descends straight onto empty squares and diagonally onto enemies.
  template <class IsEmpty>
  void pawn_falls(Square from, Bitboard straight, Bitboard diagonal, Bitboard last,
                  IsEmpty&& empty_on) {
    for_each_level_below(straight | diagonal, [&](int level, int depth) {
      const Bitboard empty = empty_on(level);
      const Bitboard targets =
          ((all_targets(straight, depth) & empty) | (all_targets(diagonal, depth) & ~empty)) &
          arrivals_[static_cast<std::size_t>(level)];
      sink_.moves(global(level_, from), level, targets & ~last);
      sink_.promotions(global(level_, from), level, targets & last);
    });
  }

 private:
  template <class F>
  void for_each_level_below(Bitboard falls, F&& f) const {
    const int deepest = (falls & kMiddle) ? levels_ - 1 : level_ + 1;
    for (int level = level_ + 1; level <= deepest; ++level)
      f(level, level - level_);
  }

  Sink& sink_;
  int level_, levels_;
  Bitboard hole_;
  const std::array<Bitboard, kMaxLevels>& arrivals_;
  Bitboard either_colour_;
};

/// Whether no king of `us` on the board is attacked.
bool kings_are_safe(const OrthodoxBoard& board, Colour us) {
  bool safe = true;
  for_each_square(board.of(us, King), [&](Square king) {
    safe &= !attackers(square_board_tables(), board, king, ~us, board.occupied());
  });
  return safe;
}

bool kings_are_safe_after(OrthodoxBoard board, Colour us, Move move) {
  std::uint64_t unused_key = 0;
  play_piece(board, unused_key, us, move);
  return kings_are_safe(board, us);
}

/// Checks and pins against one king; a king that rose may be adjacent to the enemy king and in
/// check from it, which only a king move answers.
template <Colour us>
void find_safety_of(const OrthodoxBoard& board, Square king, CheckInfo<Bitboard>& checks) {
  const AttackTables& tables = square_board_tables();
  find_check_info<us>(tables, board, king, Bitboard{0}, checks);
  const Bitboard beside = tables.king(king) & board.of(~us, King);
  if (!beside) return;
  checks.checkers |= beside;
  checks.check_mask = 0;
}

/// Checks and pins against every king of `us` on the board, combined: a move must be legal for each
/// king.
template <Colour us>
void find_safety(const OrthodoxBoard& board, CheckInfo<Bitboard>& checks) {
  Bitboard kings = board.of(us, King);
  find_safety_of<us>(board, pop_first(kings), checks);
  while (kings) {
    CheckInfo<Bitboard> other;
    find_safety_of<us>(board, pop_first(kings), other);
    checks.checkers |= other.checkers;
    checks.check_mask &= other.check_mask;
    for_each_square(other.pinned, [&](Square s) {
      const Bitboard line = other.pin_line[s];
      checks.pin_line[s] = contains(checks.pinned, s) ? checks.pin_line[s] & line : line;
    });
    checks.pinned |= other.pinned;
  }
}

std::uint64_t castling_key(int level, unsigned rights) {
  return rights ? zobrist::castling(static_cast<std::uint32_t>(level) * 16 + rights) : 0;
}

}  // namespace

Bitboard InfernoPosition::hole(int level) const {
  return is_deepest(level) ? Bitboard{0} : kHole;
}

AttackedSquares<Bitboard> InfernoPosition::attacked_by(int level, Colour c) const {
  return attacked_squares(square_board_tables(), board(level), c, board(level).occupied());
}

Bitboard InfernoPosition::targets_below(Square s, int depth) {
  assert(contains(kHole, s) && depth >= 1 && depth < kMaxLevels);
  return kTargets[s][static_cast<std::size_t>(depth - 1)];
}

template <Colour us, class Sink>
void InfernoPosition::generate(Sink& sink) const {
  constexpr Colour them = ~us;
  const AttackTables& tables = square_board_tables();

  // A move lands on one level and cannot help on any other: with checks on two levels there are no
  // legal moves, with checks on one only those that end on that level.
  std::array<CheckInfo<Bitboard>, kMaxLevels> checks;
  int checked = -1;
  for (int level = 0; level < levels_; ++level) {
    CheckInfo<Bitboard>& s = checks[static_cast<std::size_t>(level)];
    find_safety<us>(board(level), s);
    if (!s.checkers) continue;
    if (checked >= 0) return;
    checked = level;
  }
  std::array<Bitboard, kMaxLevels> arrivals;
  for (int level = 0; level < levels_; ++level) {
    const Bitboard landable = ~board(level).of(us) & ~board(level).of(King) & ~hole(level);
    const auto l = static_cast<std::size_t>(level);
    if (checked < 0)
      arrivals[l] = landable;
    else
      arrivals[l] = level == checked ? landable & checks[l].check_mask : Bitboard{0};
  }

  const int last_level = checked < 0 ? levels_ - 1 : checked;
  for (int level = 0; level <= last_level; ++level) {
    const OrthodoxBoard& here = board(level);
    const CheckInfo<Bitboard>& safe = checks[static_cast<std::size_t>(level)];
    const Bitboard holes = hole(level);
    const Bitboard occupied = here.occupied();
    const bool may_stay = checked < 0 || checked == level;
    const bool may_fall = holes && checked != level;
    auto view = view_of<us>(here, Bitboard{0}, row_of(us, 1), last_row(us));
    view.empty &= ~holes;  // lines pass over a hole, pawns descend into it
    LevelSink level_sink(sink, level, levels_, holes, arrivals,
                         colours_listed_ ? here.of(us, Rook, Queen) : Bitboard{0});
    generate_pieces<us>(
        tables, here, view,
        [&](Square from, Bitboard candidates) {
          Bitboard allowed = 0;
          if (may_stay) allowed = safe(from, candidates & ~holes);
          // A piece that leaves the level opens every line through its square.
          if (may_fall && !contains(safe.pinned, from)) allowed |= candidates & holes;
          return allowed;
        },
        level_sink);
    if (may_fall) {
      for_each_square(here.of(us, Pawn) & ~safe.pinned, [&](Square from) {
        Bitboard straight = tables.pawn_push(us, from) & holes;
        if (straight && contains(row_of(us, 1), from))
          straight |= tables.pawn_push(us, first(straight));
        const Bitboard diagonal = tables.pawn_attacks(us, from) & holes;
        if (straight | diagonal)
          level_sink.pawn_falls(from, straight, diagonal, last_row(us),
                                [&](int below) { return ~board(below).occupied(); });
      });
    }
    if (!may_stay) continue;

    GeneratorView<Bitboard> king_view = view;
    king_view.targets &= ~holes;
    const Bitboard kings = here.of(us, King);
    const bool several_kings = more_than_one(kings);
    if (!several_kings) {
      generate_king<us>(tables, here, first(kings), king_view, level_sink);
    } else {
      for_each_square(kings, [&](Square king) {
        Bitboard targets = 0;
        for_each_square(tables.king(king) & king_view.targets, [&](Square to) {
          if (kings_are_safe_after(here, us, Move(king, to))) targets |= square_set<Bitboard>(to);
        });
        level_sink.moves(king, targets);
      });
    }
    if (en_passant_ != kNoSquare && en_passant_ / kLevelSquares == level) {
      const auto to = static_cast<Square>(en_passant_ % kLevelSquares);
      for_each_square(tables.pawn_attacks(them, to) & here.of(us, Pawn), [&](Square from) {
        if (kings_are_safe_after(here, us, Move(from, to, MoveKind::EnPassant)))
          sink.moves(global(level, from), level, square_set<Bitboard>(to), MoveKind::EnPassant);
      });
    }
    const unsigned rights = castling_[static_cast<std::size_t>(level)];
    if (rights && !safe.checkers)
      square_castling::generate<us>(tables, here, rights, occupied, [&](Move m) {
        if (several_kings && !kings_are_safe_after(here, us, m)) return;
        sink.moves(global(level, m.from()), level, square_set<Bitboard>(m.to()), m.kind());
      });
  }
}

template <class Sink>
void InfernoPosition::generate(Sink& sink) const {
  if (side_ == Colour::White)
    generate<Colour::White>(sink);
  else
    generate<Colour::Black>(sink);
}

void InfernoPosition::legal_moves(MoveList& list) const {
  list.clear();
  InfernoListSink sink(list);
  generate(sink);
}

std::size_t InfernoPosition::count_legal_moves() const {
  InfernoCountSink sink;
  generate(sink);
  return sink.total();
}

void InfernoPosition::make_move(Move move) {
  const Colour us = side_;
  const Colour them = ~us;
  const int from_level = move.from() / kLevelSquares;
  const int to_level = move.to() / kLevelSquares;
  const auto from = static_cast<Square>(move.from() % kLevelSquares);
  const auto to = static_cast<Square>(move.to() % kLevelSquares);
  set_en_passant(kNoSquare);

  bool progress = false;
  if (from_level == to_level) {
    const auto base = static_cast<Square>(from_level * kLevelSquares);
    // The same move in the level's own square numbers.
    const Move local = Move::from_bits(move.bits() - base - (std::uint32_t{base} << 10));
    progress =
        play_piece(board(from_level), key_, us, local, captured_on(us, local), base).progress();
    if (move.kind() == MoveKind::DoubleStep) {
      const Square passed = ahead(us, from, 1);
      if (square_board_tables().pawn_attacks(us, passed) & board(from_level).of(them, Pawn))
        set_en_passant(static_cast<Square>(base + passed));
    }
  } else {
    OrthodoxBoard& below = board(to_level);
    const PieceType type = board(from_level).type_at(from);
    const PieceType placed = move.kind() == MoveKind::Promotion ? move.promotion() : type;
    progress = type == Pawn;
    if (contains(below.of(them), to)) {
      const PieceType captured = below.type_at(to);
      below.toggle(them, captured, to);
      key_ ^= zobrist::piece(them, captured, move.to());
      progress = true;
    }
    board(from_level).toggle(us, type, from);
    below.toggle(us, placed, to);
    key_ ^= zobrist::piece(us, type, move.from()) ^ zobrist::piece(us, placed, move.to());
  }

  for (const auto& [level, square] : {std::pair{from_level, from}, std::pair{to_level, to}}) {
    std::uint8_t& rights = castling_[static_cast<std::size_t>(level)];
    const auto kept = static_cast<std::uint8_t>(rights & square_castling::kRightsKept[square]);
    if (kept == rights) continue;
    key_ ^= castling_key(level, rights) ^ castling_key(level, kept);
    rights = kept;
  }
  end_turn(progress, progress);
}

void InfernoPosition::play(Move move) {
  make_move(move);
  const int before = levels_;
  for (int lost = lost_level(); lost >= 0; lost = lost_level())
    lose_level(lost);
  if (levels_ < before) key_ = key_from_scratch();
}

int InfernoPosition::lost_level() const {
  if (levels_ == 1 || !in_check() || count_legal_moves() > 0) return -1;
  int deepest = levels_ - 1;
  while (!in_check_on(deepest))
    --deepest;
  return deepest;
}

void InfernoPosition::lose_level(int level) {
  if (level > 0) ascend(level);
  const auto gone = static_cast<std::size_t>(level);
  std::copy(boards_.begin() + level + 1, boards_.begin() + levels_, boards_.begin() + level);
  std::copy(castling_.begin() + level + 1, castling_.begin() + levels_, castling_.begin() + level);
  --levels_;
  boards_[levels_] = {};
  castling_[levels_] = 0;
  plies_ = repeatable_ = 0;

  if (en_passant_ == kNoSquare) return;
  const auto on = static_cast<std::size_t>(en_passant_ / kLevelSquares);
  if (on == gone) {
    en_passant_ = kNoSquare;
  } else if (on > gone) {
    en_passant_ = static_cast<Square>(en_passant_ - kLevelSquares);
  } else if (on + 1 == gone) {
    // The risen pieces may have changed the level.
    const auto passed = static_cast<Square>(en_passant_ % kLevelSquares);
    const OrthodoxBoard& risen = boards_[on];
    const bool stays = !contains(risen.occupied(), passed) &&
                       contains(risen.of(~side_, Pawn), ahead(~side_, passed, 1)) &&
                       (square_board_tables().pawn_attacks(~side_, passed) & risen.of(side_, Pawn));
    if (!stays) en_passant_ = kNoSquare;
  }
}

void InfernoPosition::ascend(int level) {
  const Colour winner = ~side_;
  const OrthodoxBoard& rising = board(level);
  OrthodoxBoard& above = board(level - 1);
  for_each_square(rising.of(winner), [&](Square s) {
    const Piece met = above.at(s);
    if (met.exists() && (met.colour == winner || met.type == King)) return;
    if (met.exists()) above.toggle(met.colour, met.type, s);
    above.toggle(winner, rising.type_at(s), s);
  });
  std::uint8_t& rights = castling_[static_cast<std::size_t>(level - 1)];
  rights = static_cast<std::uint8_t>(rights & square_castling::possible_rights(above));
}

bool InfernoPosition::in_check_on(int level) const {
  return !kings_are_safe(board(level), side_);
}

bool InfernoPosition::in_check() const {
  for (int level = 0; level < levels_; ++level)
    if (in_check_on(level)) return true;
  return false;
}

Outcome InfernoPosition::outcome(bool any_legal_move) const {
  if (!any_legal_move) return in_check() ? win_for(~side_) : Outcome::Stalemate;
  bool kings_only = true;
  for (int level = 0; level < levels_; ++level)
    kings_only &= board(level).occupied() == board(level).of(King);
  if (kings_only) return Outcome::BareKings;
  return plies_ >= 100 ? Outcome::FiftyMoveRule : Outcome::Ongoing;
}

std::uint64_t InfernoPosition::key_from_scratch() const {
  std::uint64_t k = turn_key();
  for (int level = 0; level < levels_; ++level) {
    k ^= castling_key(level, castling_[static_cast<std::size_t>(level)]);
    k ^= board(level).key_of(board(level).occupied(), global(level, 0));
  }
  return k;
}

static_assert(Position<InfernoPosition>);

}  // namespace faultline
