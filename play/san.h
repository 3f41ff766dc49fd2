// The short algebraic form of moves, for people: standard algebraic notation (the PGN standard,
// section 8.2.3), extended to boards with other squares and to what the boards do.
// docs/game_format.md describes it.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "play/game.h"
#include "rules/move.h"

namespace faultline {

/// "Nbd2", "exd6", "O-O", "a8=Q+" for a legal move; "Bc4(1,f)" where it sets the board in motion or
/// wins levels. In chess and gardner this is the standard's own notation.
std::string san_text(const GamePosition& position, Move move);
/// The texts of moves that are played one after the other.
std::vector<std::string> san_texts(const GamePosition& position, std::span<const Move> moves);

/// What moves that were played one after the other are to be told of.
struct PlayedMoves {
  std::string last;                 // the text of the last move; "" without moves
  std::vector<std::string> events;  // "Qxf7(2)+: White wins level 2: …"
};
PlayedMoves describe_moves(const GamePosition& start, std::span<const Move> moves);

/// The legal move that `text` names, or nothing. Also understands the family's own move texts and
/// what is common elsewhere: full squares (e2e4, Ng1-f3), castling with zeros, promotions without
/// "=", marks of check that are missing or wrong, "x" that is missing or superfluous. What the
/// board does may be left out; where it is written it must be true, and can decide between moves.
std::optional<Move> parse_san(const GamePosition& position, std::string_view text);

}  // namespace faultline
