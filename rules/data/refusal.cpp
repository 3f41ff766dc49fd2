// Builds a game's tables and starts, to see whether that can be done.
#include "rules/data/refusal.h"

#include "rules/data/data_position.h"
#include "rules/fen.h"

namespace faultline::data {
namespace {

template <class B>
std::string refusal_of(const GameFile& game, const std::string& file) {
  try {
    return faulty_start(GameTables<B>(game));
  } catch (const GameLimit& limit) {
    return limit.message(game, file);
  }
}

}  // namespace

template <class B>
std::string faulty_start(const GameTables<B>& tables) {
  for (const Start& start : tables.file().starts) {
    const std::string place = start.place + ": start.fen: ";
    try {
      const auto position = DataPosition<B>::from_fen(tables, start.fen);
      if (const Outcome end = position.outcome(position.count_legal_moves() > 0); is_over(end))
        return place + "the game is over before the first move; the outcome is '" +
               std::string(name(end)) + "'";
    } catch (const FenError& error) {
      return place + error.what();
    }
  }
  return "";
}

template std::string faulty_start(const GameTables<Bitboard>&);
template std::string faulty_start(const GameTables<WideBitboard>&);
template std::string faulty_start(const GameTables<StackedBitboard>&);

std::string refusal(const GameFile& game, const std::string& file) {
  const int squares = game.board.all_squares();
  return squares <= 64    ? refusal_of<Bitboard>(game, file)
         : squares <= 128 ? refusal_of<WideBitboard>(game, file)
                          : refusal_of<StackedBitboard>(game, file);
}

}  // namespace faultline::data
