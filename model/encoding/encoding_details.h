// What programs that are not ours must know of an encoding besides EncodingInfo, to encode
// positions themselves: export/encoding_description.h writes it down. Most families have nothing to
// add.
#pragma once

#include <string>
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
  /// Letters of promoted pieces, "+Q", that other pieces than Q become: their letter ends the text.
  std::vector<std::string> lettered_promotions = {};
};

}  // namespace faultline
