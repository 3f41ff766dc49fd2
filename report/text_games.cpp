// Reads what reports need from games as text.
#include "report/text_games.h"

#include <algorithm>

#include <fmt/format.h>

namespace faultline {
namespace {

/// The lowest score that the winner expected before any of its moves.
float lowest_hope(const TextGame& game, Colour first) {
  float lowest = 1;
  for (std::size_t ply = 0; ply < game.comments.size(); ++ply) {
    const auto& value = game.comments[ply].value;
    const Colour mover = ply % 2 == 0 ? first : ~first;
    const GameResult win = mover == Colour::White ? GameResult::WhiteWins : GameResult::BlackWins;
    if (value && game.result == win) lowest = std::min(lowest, value->win + value->draw / 2);
  }
  return lowest;
}

}  // namespace

std::string ending_of(const TextGame& game) {
  switch (game.termination) {
    case Termination::Normal:
      return game.reason.empty() ? "the rules" : game.reason;
    case Termination::Resigned:
      return "resignation";
    case Termination::Adjudicated:
      return "adjudication";
    case Termination::Cut:
      return "cut at the ply limit";
    case Termination::Forfeit:
      return "forfeit";
    case Termination::TimeForfeit:
      return "time forfeit";
    case Termination::Unfinished:
      break;
  }
  return "unfinished";
}

LoggedGame logged_game(const TextGame& game, std::uint64_t number, Colour first, GameLog& log) {
  return {.number = number,
          .plies = static_cast<std::uint32_t>(game.moves.size()),
          .ending = log.ending_number(ending_of(game)),
          .result = game.result,
          .lowest_hope = lowest_hope(game, first)};
}

std::string name_of(const TextGame& game, std::size_t number) {
  for (const auto& [tag, value] : game.tags)
    if (tag == "Round") return "round " + value;
  return fmt::format("game {}", number + 1);
}

}  // namespace faultline
