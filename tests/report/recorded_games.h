// Games of random moves, recorded as a run records them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>

#include "play/game.h"
#include "record/game_record.h"

namespace faultline::test {

/// The moves are searched ones with values, but for the first `random_plies`. A game that does not
/// end within `plies` is cut.
inline GameRecord random_record(const std::string& variant, std::uint64_t number, std::size_t plies,
                                std::size_t random_plies = 2) {
  std::mt19937_64 rng(number + 1);
  GameRecord record{
      .number = number, .net = {.steps = 100, .hash = 0}, .start_fen = "", .plies = {}};
  const auto position = find_game(variant).start();
  while (record.plies.size() < plies && !is_over(position->outcome())) {
    const auto moves = position->legal_moves();
    PlyRecord ply{.move = moves[rng() % moves.size()]};
    ply.searched = record.plies.size() >= random_plies;
    if (ply.searched) {
      const double win = static_cast<double>(rng() % 1000) / 1500;
      ply.win = pack_probability(static_cast<float>(win));
      ply.draw = pack_probability(static_cast<float>((1 - win) / 3));
    }
    record.plies.push_back(ply);
    position->play(ply.move);
  }
  record.outcome = is_over(position->outcome()) ? position->outcome() : Outcome::Adjudicated;
  return record;
}

}  // namespace faultline::test
