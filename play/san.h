// Standard algebraic notation (the PGN standard, section 8.2.3) of the games that are chess on one
// rectangular board.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "play/game.h"
#include "rules/move.h"

namespace faultline {

/// The notation of one variant. Square = rank * files + file.
class SanNotation {
 public:
  /// The variant's notation; nothing if its moves cannot be written in SAN, because its boards are
  /// not one rectangle of named squares.
  static std::optional<SanNotation> of(const Game& game);

  /// "Nbd2", "exd6", "O-O", "a8=Q" for a legal move, without the mark of a check.
  std::string text(const GamePosition& position, Move move) const;
  /// "+", "#" or "", for the position after a move.
  static std::string_view check_mark(const GamePosition& after);

  /// The legal move that `text` names, or nothing. Also understands what is common elsewhere: the
  /// full squares (e2e4, Ng1-f3), castling with zeros, promotions without "=", marks of check that
  /// are missing or wrong, "x" that is missing or superfluous.
  std::optional<Move> parse(const GamePosition& position, std::string_view text) const;

 private:
  explicit SanNotation(int files) : files_(files) {}
  char file_letter(Square square) const { return static_cast<char>('a' + square % files_); }
  char rank_digit(Square square) const { return static_cast<char>('1' + square / files_); }

  int files_;
};

}  // namespace faultline
