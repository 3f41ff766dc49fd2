// What a survey wants to know of one game, found by replaying it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "play/game_text.h"
#include "rules/move.h"
#include "rules/types.h"

namespace faultline {

/// A kind of move that is counted: a predicate of strategies (docs/strategies.md) about the move,
/// with any arguments, or with one of its names or numbers.
struct SpecialMove {
  std::string name;      // "descends", "descends = 2"
  std::string help;      // of the predicate
  std::string of = {};   // "descends" for "descends = 2"
  bool general = false;  // every family has it
};
/// Those that are possible in the variant. Throws VariantError.
std::vector<SpecialMove> special_moves(std::string_view variant);

/// The first mover's pieces less the opponent's in a quiet position: the mover is not in check, and
/// neither the move before nor the next one captures or promotes.
struct MaterialSample {
  bool first_to_move = false;
  std::vector<std::int8_t> difference;  // by region * kMostPieceTypes + type
};

/// How often a kind of move was played by one side, and in how many of its turns it could have
/// been.
struct MoveUse {
  std::uint16_t played = 0;
  std::uint16_t possible = 0;
};

/// Sides are 0 for the one that moves first and 1 for the other, whatever their colours.
struct GameFacts {
  std::uint64_t line = 0;                          // a hash of the moves: equal for equal games
  Outcome outcome = Outcome::Ongoing;              // by the rules; Ongoing: the game was cut
  int winner = -1;                                 // a side; -1: nobody
  int opening_plies = 0;                           // not chosen by the player
  std::vector<std::uint32_t> branching = {};       // legal moves before each ply
  std::vector<std::array<MoveUse, 2>> moves = {};  // by special_moves(), then side; openings apart
  std::vector<MaterialSample> samples = {};        // up to kMostSamples, evenly spread
  int lead_changes = 0;                  // in quiet positions, between leads of a pawn or more
  std::array<int, 2> deepest_deficit{};  // centipawns that the side was behind in a quiet position
  std::vector<Move> opening = {};        // the first OpeningTree::kDepth moves

  int plies() const { return static_cast<int>(branching.size()); }
  bool decided() const { return winner >= 0; }
  bool cut() const { return outcome == Outcome::Ongoing; }
};

inline constexpr std::size_t kMostSamples = 16;

/// The names of the regions by which the samples of a variant are divided.
std::vector<std::string> region_names(std::string_view variant);

/// Replays a game from the variant's start. Throws GameTextError for a move that is not legal or a
/// game with another start.
GameFacts facts_of(const TextGame& game);

}  // namespace faultline
