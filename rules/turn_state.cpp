// The counters and the side to move as text.
#include "rules/turn_state.h"

#include "rules/fen.h"

namespace faultline {

void TurnState::read_counters(std::string_view plies, std::string_view move) {
  plies_ = static_cast<std::uint16_t>(read_plies(plies));
  move_number_ = static_cast<std::uint32_t>(read_move_number(move));
}

std::string TurnState::fen_after_pieces(const std::string& castling,
                                        const std::string& en_passant) const {
  return (side_ == Colour::White ? " w " : " b ") + castling + " " + en_passant + " " +
         std::to_string(plies_) + " " + std::to_string(move_number_);
}

}  // namespace faultline
