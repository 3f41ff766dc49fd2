// The side to move and the counters: the part of a position that every family has.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include "rules/piece_kinds.h"
#include "rules/types.h"
#include "rules/zobrist.h"

namespace faultline {

/// The limits of FEN's counters (docs/rules.md). Counters saturate there, so that a position
/// reached by play always prints a text that its parser accepts.
inline constexpr int kMaxHalfmoveClock = 9999;
inline constexpr int kMaxFullMoveNumber = 99999;

/// Base of every family's Position; rules/position.h documents the functions.
class TurnState {
 public:
  std::uint64_t key() const { return key_; }
  Colour side_to_move() const { return side_; }
  Square en_passant() const { return en_passant_; }
  int halfmove_clock() const { return plies_; }
  int repetition_window() const { return repeatable_; }
  int full_move_number() const { return static_cast<int>(move_number_); }

  // Of families that are compiled.
  static constexpr int kTypes = kPieceTypes;
  static const PieceKinds& piece_kinds() { return compiled_piece_kinds(); }
  static constexpr const TypeValues& piece_values() { return kPieceValues; }
  static constexpr PieceType en_passant_type() { return PieceType::Pawn; }
  static constexpr int best_promotion(PieceType) { return kPieceValues[index(PieceType::Queen)]; }

 protected:
  void set_en_passant(Square s) {
    key_ ^= zobrist::en_passant(en_passant_) ^ zobrist::en_passant(s);
    en_passant_ = s;
  }
  /// Passes the turn to the other side. `progress`: a capture or a pawn move; `irreversible`: no
  /// earlier position can recur. The turn of `second_player` ends a full move.
  void end_turn(bool progress, bool irreversible, Colour second_player = Colour::Black) {
    plies_ = progress ? std::uint16_t{0} : one_more(plies_, kMaxHalfmoveClock);
    repeatable_ = irreversible ? std::uint16_t{0}
                               : one_more(repeatable_, std::numeric_limits<std::uint16_t>::max());
    if (side_ == second_player && move_number_ < kMaxFullMoveNumber) ++move_number_;
    side_ = ~side_;
    key_ ^= zobrist::kBlackToMove;
  }
  /// This part of the key, computed from scratch.
  std::uint64_t turn_key() const {
    return zobrist::en_passant(en_passant_) ^ (side_ == Colour::Black ? zobrist::kBlackToMove : 0);
  }

  /// FEN's fields 5 and 6. Throws FenError.
  void read_counters(std::string_view plies, std::string_view move);
  /// Fields 2 to 6, with the space before them.
  std::string fen_after_pieces(const std::string& castling, const std::string& en_passant) const;

  std::uint64_t key_ = 0;
  std::uint32_t move_number_ = 1;
  Square en_passant_ = kNoSquare;
  std::uint16_t plies_ = 0;
  std::uint16_t repeatable_ = 0;  // plies since the last irreversible move
  Colour side_ = Colour::White;

 private:
  static constexpr std::uint16_t one_more(std::uint16_t count, int most) {
    return static_cast<std::uint16_t>(std::min(count + 1, most));
  }
};

}  // namespace faultline
