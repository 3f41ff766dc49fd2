// The games that tests of pages' answers go through, and random games of them.
#pragma once

#include <cstddef>
#include <random>
#include <string>
#include <vector>

#include "play/game.h"
#include "report/report_json.h"
#include "rules/data/known_games.h"
#include "web/request.h"

namespace faultline::web::test {

/// Every family, with options that change its board, and every game of games/.
inline std::vector<std::string> every_game() {
  std::vector<std::string> games = {"chess",
                                    "escher",
                                    "slanted",
                                    "slanted:board=standard",
                                    "slanted:board=mini",
                                    "slanted:army=almost",
                                    "earthquake",
                                    "earthquake:dx=2,dy=1,aftershock=3,shock=2",
                                    "earthquake:every=2,axis=both",
                                    "inferno:levels=1",
                                    "inferno:levels=3",
                                    "inferno:levels=2,colours=listed",
                                    "shifting",
                                    "gardner"};
  for (const std::string& name : data::shipped_game_names())
    games.push_back("data:" + name);
  return games;
}

/// A game of random moves, by their texts. Moves of the board are as frequent as those of pieces.
inline std::vector<std::string> random_moves(const Game& game, std::size_t plies,
                                             std::uint64_t seed) {
  std::mt19937_64 rng(seed);
  std::vector<std::string> texts;
  const auto position = game.start();
  while (texts.size() < plies && !is_over(position->outcome())) {
    std::vector<Move> moves = position->legal_moves(), of_board;
    for (const Move move : moves)
      if (move.moves_board()) of_board.push_back(move);
    if (!of_board.empty() && rng() % 2 == 0) moves = of_board;
    const Move move = moves[rng() % moves.size()];
    texts.push_back(position->move_text(move));
    position->play(move);
  }
  return texts;
}

inline ReportJson place(const std::string& game, const std::vector<std::string>& moves = {}) {
  return {{"game", game}, {"moves", moves}};
}

}  // namespace faultline::web::test
