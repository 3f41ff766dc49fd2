// Fairy-Stockfish's pieces, and moves compared with theirs.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rules/data/betza.h"
#include "rules/data/game_file.h"

namespace faultline::data {

/// The pieces that it has by name, each for one letter. Its pawn, soldier and king are not here.
std::span<const NamedPiece> fairy_pieces();

/// Moves as a set, whatever their order and their texts: each way to go, and a bit each for moving,
/// capturing, capturing en passant. Zones are not in it.
using MoveSet = std::map<std::string, int>;
void add_way(MoveSet& ways, const Leg& leg);
/// `half_turn`: as the other side has them after a half turn of the board.
MoveSet ways_of(const std::vector<Leg>& legs, bool half_turn = false);
MoveSet ways_of(std::string_view betza);

/// Why its custom pieces cannot have this part of a text, such as "nZ"; "" if they can.
std::string why_no_custom_piece(const std::string& part);

}  // namespace faultline::data
