// Reading and writing FEN: the parts common to all families' position texts (docs/rules.md).
#pragma once

#include <array>
#include <bitset>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rules/position.h"
#include "rules/types.h"

namespace faultline {

/// The letter of a piece in FEN: upper case for White. Pawns are 'P' unless the family uses 'C'.
char piece_letter(Piece piece, char pawn_letter = 'P');
std::optional<Piece> piece_from_letter(char letter, char pawn_letter = 'P');

/// The squares of each row as a FEN lists them, first row first.
using FenRows = std::vector<std::vector<Square>>;
/// The last rank first, of squares rank * files + file.
FenRows rectangle_rows(int files, int ranks);
/// Rows 8 to 1, files a to h.
const FenRows& square_board_rows();
/// The pieces field of the start of chess.
inline constexpr std::string_view kOrthodoxStart = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";

/// The content of a pieces field.
struct FenPlacement {
  std::array<Piece, kMaxSquares> pieces{};
  std::bitset<kMaxSquares> missing;  // written as '*'

  int count(Piece piece) const;
};

/// The first fields of every family's FEN.
inline constexpr std::array<std::string_view, 6> kFenFields = {"pieces",     "side",  "castling",
                                                               "en passant", "plies", "move"};

/// Splits at single spaces; `names` are the expected fields. EPD operations after them are ignored.
/// Without more than the first four of kFenFields they end in the operands of the EPD operations
/// hmvc and fmvn, else in "0" and "1". Throws FenError otherwise.
std::vector<std::string_view> split_fen(std::string_view fen,
                                        std::span<const std::string_view> names);

/// Reads a pieces field over `rows` into `placement`. `letters` are the white letters allowed,
/// "PNBRQK". '*' is accepted only if `allow_missing`.
void read_placement(std::string_view field, const FenRows& rows, std::string_view letters,
                    bool allow_missing, FenPlacement& placement);
/// The field that `read_placement` reads.
std::string write_placement(const FenRows& rows, const FenPlacement& placement,
                            char pawn_letter = 'P');

Colour read_side(std::string_view field);
/// `plies`: 0 … kMaxHalfmoveClock; `move`: 1 … kMaxFullMoveNumber (rules/turn_state.h), and 0,
/// which some programs write, for 1; no signs, no leading zeros.
int read_plies(std::string_view field);
int read_move_number(std::string_view field);
/// Castling letters (or HAha, the rooks' files) as bits: 1 K, 2 Q, 4 k, 8 q. Throws for others.
unsigned read_castling_letters(std::string_view field);
std::string write_castling_letters(unsigned rights);

/// Checks for exactly one king per side. Throws FenError "pieces".
void require_one_king_each(const FenPlacement& placement);

}  // namespace faultline
