// Random games with made-up search results, for the tests of code that stores and reads them.
#pragma once

#include <cstdint>
#include <random>
#include <string>

#include "record/game_record.h"
#include "rules/families/chess.h"
#include "rules/families/escher.h"
#include "tests/temporary_folder.h"

namespace faultline::test {

/// Random moves until the game ends or `max_plies`; most plies have a made-up root value, and about
/// half are targets with random policy weights, many of them zero.
template <Position P>
GameRecord random_game(const typename P::Variant& variant, std::uint64_t number, int max_plies,
                       const std::string& start_fen = "") {
  std::mt19937_64 rng(number + 1);
  GameRecord game;
  game.number = number;
  game.net = {static_cast<std::int64_t>(number * 10), rng()};
  game.start_fen = start_fen;
  PositionHistory<P> history(start_fen.empty() ? P::start(variant)
                                               : P::from_fen(variant, start_fen));
  typename P::MoveList moves;
  while (!is_over(game.outcome)) {
    moves.clear();
    history.position().legal_moves(moves);
    PlyRecord ply;
    ply.move = moves[rng() % moves.size()];
    ply.searched = rng() % 8 != 0;
    ply.target = ply.searched && rng() % 2 == 0;
    if (ply.searched) {
      ply.win = static_cast<std::uint16_t>(rng() % 30000);
      ply.draw = static_cast<std::uint16_t>(rng() % 30000);
    }
    if (ply.target) {
      ply.policy.resize(moves.size());
      for (auto& weight : ply.policy)
        weight = rng() % 3 == 0 ? static_cast<std::uint32_t>(rng() % 200) : 0;
      ply.policy[rng() % moves.size()] += 1;
      ply.surprise = static_cast<std::uint16_t>(rng() % 65536);
    }
    history.play(ply.move);
    game.plies.push_back(ply);
    game.outcome = history.outcome();
    if (!is_over(game.outcome) && static_cast<int>(game.plies.size()) >= max_plies)
      game.outcome = Outcome::Adjudicated;
  }
  return game;
}

inline const ChessPosition::Variant& chess() {
  return ChessPosition::variant(parse_variant_name("chess"));
}
inline const EscherPosition::Variant& escher() {
  return EscherPosition::variant(parse_variant_name("escher"));
}

}  // namespace faultline::test
