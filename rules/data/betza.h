// How pieces move, as text: the part of XBetza that games may use, and the names that stand for it.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "rules/data/game_file.h"

namespace faultline::data {

/// What is wrong with a text of moves, and what would be right.
class BetzaError : public std::invalid_argument {
  using std::invalid_argument::invalid_argument;
};

/// One atom or bracket with what modifies it.
struct BetzaPart {
  std::string text;       // "fmW"
  std::string sentence;   // "steps one square forward, without taking"
  std::vector<Leg> legs;  // White's; `from` and `onto` are left empty, `text` 0
};

struct Betza {
  std::string text;  // as Betza: names are replaced
  std::vector<BetzaPart> parts;
  int castle = 0;                   // O2: 2; 0: none
  std::vector<std::string> doubts;  // what can hardly be meant
};

/// Reads Betza ("fmWfcF") or, without a capital or a bracket, names ("bishop + wazir"). Throws
/// BetzaError.
Betza read_betza(std::string_view text);

/// The leg as the other side has it: north and south exchanged, or (turned) a half turn of the
/// board. Zones are not changed.
Leg mirrored(Leg leg, bool turned);

struct NamedPiece {
  std::string_view name;
  std::string_view betza;
};
/// All names that a text may use.
const std::vector<NamedPiece>& named_pieces();

}  // namespace faultline::data
