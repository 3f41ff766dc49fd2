// The settings of a match, independent of the game.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "lab/adjudication.h"
#include "lab/opening_source.h"
#include "lab/sprt.h"

namespace faultline {

/// What a game counts that was cut at the ply limit: nothing, or as a draw.
enum class CutGames : std::uint8_t { Apart, Draws };

struct MatchConfig {
  int games = 100;  // even: two from each opening, a pair; with an SPRT, the most
  /// The numbers of the pairs that are played, ascending, games / 2 of them: those that a longer
  /// match lacks, whose games are numbered, and have the openings and seeds, as in the whole of it.
  /// Empty: all from 0.
  std::vector<int> pairs = {};
  OpeningSource openings = {};
  /// Every game has an opening of its own: a player that has both sides and always plays the best
  /// move would play the two games of a pair alike.
  bool own_openings = false;
  std::uint64_t seed = 1;  // for openings and the players' own random choices
  int threads = 1;         // each with games of its own
  int games_at_once = 0;   // per thread; leaves of as many games share a batch. 0: chosen
  int max_plies = 0;  // from the start of the game, which is then cut. 0: FamilyInfo::most_plies
  CutGames cut = CutGames::Apart;
  float temperature = 0;      // of the players' moves in the game's first temperature_plies
  int temperature_plies = 0;  // counted from the start, the opening included. 0: the whole game
  Adjudication adjudication = {};
  std::optional<SprtConfig> sprt = std::nullopt;  // ends the match when it is decided

  /// The number of the game that is played at this place, from 0, in the order of their numbers.
  int game_at(int place) const {
    return pairs.empty() ? place : 2 * pairs[static_cast<std::size_t>(place / 2)] + place % 2;
  }
  /// The number of a game's opening, from 0.
  std::size_t opening_of(int number) const {
    return static_cast<std::size_t>(own_openings ? number : number / 2);
  }
  /// The place of a game by its number: the inverse of game_at().
  int place_of(int game) const;
};

/// Throws std::invalid_argument for an opening that is as long as games may be, and a sequential
/// test that is not valid. Numbers that no table of settings allows are errors of the caller.
void check(const MatchConfig& config);

}  // namespace faultline
