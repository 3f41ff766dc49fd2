// What players did in recorded games: which kinds of turns they chose, when, and how often they
// could have.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "strategy/family_behaviour.h"

namespace faultline {

/// Turns are counted in buckets of so many plies since the start of the game; the last bucket has
/// all later ones.
inline constexpr std::size_t kBucketPlies = 10;
inline constexpr std::size_t kBuckets = 20;

using BucketCounts = std::array<std::int64_t, kBuckets>;

/// Games by the ply, from 0, of an event in them.
using PlyCounts = std::map<int, std::int64_t>;
/// The ply by which half of these games had it; nothing without games.
std::optional<int> median_ply(const PlyCounts& counts);
std::int64_t total(const PlyCounts& counts);
std::int64_t total(const BucketCounts& counts);

/// A kind of turn, of one side in some games.
struct HabitCounts {
  BucketCounts possible{};  // turns in which a legal move was one
  BucketCounts done{};
  PlyCounts first;  // games by the first such turn
};

/// What one side did in some games. Turns of the opening, which it did not choose, do not count.
struct SideBehaviour {
  std::int64_t games = 0;
  BucketCounts turns{};
  std::vector<HabitCounts> habits;                     // as BehaviourNames::habits
  BucketCounts positions{};                            // in which it measured
  std::vector<std::array<double, kBuckets>> measured;  // sums over them, as ::measures
  std::vector<PlyCounts> milestones;                   // as ::milestones

  SideBehaviour& operator+=(const SideBehaviour& other);
};

struct BehaviourNames {
  std::vector<HabitText> habits;
  std::vector<MeasureInfo> measures;
  std::vector<std::string> milestones;
};

/// Watches games of one variant; thread-safe.
class BehaviourObserver {
 public:
  virtual ~BehaviourObserver() = default;
  virtual const BehaviourNames& names() const = 0;
  /// Adds a game: what White and Black did. `start_fen`: "" for the variant's start. Throws
  /// std::invalid_argument for a move that is not legal, and FenError.
  virtual void add(std::string_view start_fen, std::span<const std::string> moves,
                   std::size_t opening_plies, std::array<SideBehaviour*, 2> sides) const = 0;
};

/// Counts the family's habits and `own` ones. Throws StrategyError for a habit that is impossible
/// in the variant or has the name of another, and VariantError.
std::unique_ptr<BehaviourObserver> make_behaviour_observer(std::string_view variant,
                                                           const std::vector<HabitText>& own = {});

}  // namespace faultline
