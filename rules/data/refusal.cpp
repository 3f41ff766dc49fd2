// Builds a game's tables and starts, to see whether that can be done.
#include "rules/data/refusal.h"

#include <stdexcept>

#include "rules/data/data_position.h"

namespace faultline::data {
namespace {

template <class B>
std::string refusal_of(const GameFile& game, std::string place) {
  try {
    const GameTables<B> tables(game);
    for (const Start& start : game.starts) {
      place = start.place + ": start.fen";
      DataPosition<B>::from_fen(tables, start.fen);
    }
    return "";
  } catch (const std::runtime_error& error) {
    return place + ": " + error.what();
  }
}

}  // namespace

std::string refusal(const GameFile& game, const std::string& file) {
  const int squares = game.board.all_squares();
  return squares <= 64    ? refusal_of<Bitboard>(game, file)
         : squares <= 128 ? refusal_of<WideBitboard>(game, file)
                          : refusal_of<StackedBitboard>(game, file);
}

}  // namespace faultline::data
