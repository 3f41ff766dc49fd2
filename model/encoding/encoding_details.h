// What programs that are not ours must know of an encoding besides EncodingInfo, to encode
// positions themselves: export/encoding_description.h writes it down. Most families have nothing to
// add.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "model/encoding/attack_lines.h"
#include "rules/types.h"

namespace faultline {

/// A plane that marks fixed squares, as far as they exist.
struct MarkedSquares {
  std::string plane;          // its name
  std::vector<Square> white;  // with White to move
  std::vector<Square> black;  // with Black to move
};

/// The policy cells of all squares while the first numbers of the FEN's field about the board have
/// these values.
struct MovedCells {
  std::vector<int> numbers;
  std::vector<int> white;  // with White to move
  std::vector<int> black;
};

/// A group of squares that moves as one, by the name it has in move texts.
struct NamedArea {
  std::string name;
  int white = 0;  // its policy cell with White to move
  int black = 0;
};

/// How pieces attack while those numbers have these values.
struct MovedAttacks {
  std::vector<int> numbers;
  std::vector<AttackPattern> patterns;
};

// Of games of files, whose planes and moves depend on the file:

/// Where a FEN has the number that a plane fills, before it is divided.
struct FenNumber {
  std::string plane;
  int field = 0;  // of the FEN, from 0
  /// With that side to move: its place among the field's numbers, which `,`, `/` and `+` separate.
  int white = 0, black = 0;
};

/// A plane that fills a number for what the turn before was, which stands behind the field's `/`.
struct FenWords {
  std::string plane;
  int field = 0;
  std::vector<std::pair<std::string, int>> values;  // 0 for anything else
};

/// A plane that marks squares for what the turn before was, which stands behind the field's `/`.
struct FenSquares {
  std::string plane;
  int field = 0;
  std::vector<std::pair<std::string, std::vector<Square>>> squares;  // none for anything else
};

/// A rook with its letter among the rights to castle, in lower case for Black.
struct CastlingRook {
  int level = 0;
  char letter = 'K';
  std::string rook;  // its square's name
};

/// A step of a piece that can be captured in passing. Steps with the same ends are ways round.
struct PassingStep {
  std::string letter;  // of the piece in a FEN
  Square from = 0, to = 0;
  std::vector<Square> over;
};

/// A turn that moves the board, by its text.
struct BoardTurn {
  std::string kind;
  std::string text;
  int white = 0, black = 0;  // its policy cell, from and to, with that side to move
};

struct EncodingDetails {
  std::vector<MarkedSquares> marked = {};
  /// The moved cells by the number "dx" of the FEN, or by "dx" and "dy"; empty: cells follow from
  /// the encoding's symmetry.
  std::vector<MovedCells> moved = {};
  std::vector<NamedArea> areas = {};
  /// The attacks by the same numbers; one entry, whose number means nothing, where the board does
  /// not move.
  std::vector<MovedAttacks> attacks = {};
  std::string move_separator = {};  // between the two squares of a move's text

  /// By letter in a FEN, the pattern in which the piece attacks; empty: as in chess.
  std::vector<std::pair<std::string, std::string>> attackers = {};
  std::vector<FenNumber> numbers = {};
  std::vector<FenWords> words = {};
  std::vector<FenSquares> turned = {};
  std::vector<CastlingRook> rooks = {};
  std::vector<PassingStep> passing = {};
  std::vector<BoardTurn> turns = {};
  /// By the kind of a promotion: White's letters of the pieces that promote so.
  std::vector<std::pair<std::string, std::vector<std::string>>> promoting = {};
  /// By plane: the number that is the first input of its group in a fast network.
  std::vector<std::pair<std::string, int>> least = {};
  int board_field = 6;  // of the FEN: the one with the numbers of `moved`
  int plies_field = 4;  // and that with the plies since progress, before that of the move
  Colour begins = Colour::White;
};

}  // namespace faultline
