// What a family adds to the observation of recorded games (strategy/behaviour.h).
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "rules/position.h"

namespace faultline {

/// A kind of turn that is counted: "descends", and what stands in the braces of a rule's `when`,
/// "descends = true".
struct HabitText {
  std::string name;
  std::string when;
  friend bool operator==(const HabitText&, const HabitText&) = default;
};

/// A quantity that each side has in every position.
struct MeasureInfo {
  std::string name;  // "material on level 2"
  std::string unit;  // "pawns"
};

/// Follows one recorded game.
template <Position P>
class GameWatch {
 public:
  virtual ~GameWatch() = default;
  /// Called for every move, in order; appends the milestones that it reaches, by number, for the
  /// side that made it.
  virtual void on_turn(const P& before, Move move, const P& after,
                       std::vector<std::size_t>& reached) = 0;
  /// The measure of this number for one side, in the position after the last turn.
  virtual double measure(std::size_t number, const P& position, Colour side) const = 0;
};

template <Position P>
struct FamilyBehaviour {
  std::vector<HabitText> habits = {};
  std::vector<MeasureInfo> measures = {};
  std::vector<std::string> milestones = {};  // of a side, at most once in a game: "wins level 2"
  /// A new one for each game; null if there are neither measures nor milestones.
  std::function<std::unique_ptr<GameWatch<P>>()> watch = nullptr;
};

}  // namespace faultline
