// Takes the games of an actor's part into the run: whatever brought it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "cluster/game_check.h"
#include "selfplay/game_numbers.h"
#include "selfplay/game_samples.h"
#include "selfplay/local_links.h"

namespace faultline {

/// What became of a part's games.
struct TakenPart {
  std::uint64_t stored = 0;
  std::uint64_t known = 0;  // dropped: the run has their numbers, or they are to be played anew
  std::uint64_t bytes = 0;
  std::vector<std::string> faults = {};  // of the part, or of games in it, which were left out
  std::vector<GameRecord> chosen = {};   // of the stored ones, to be searched again
};

/// Checks everything before anything is learned: checksums, the run, the variant, and each game by
/// the rules. Thread-safe.
class PartIntake {
 public:
  /// `variant`: canonical name. `check`: chooses games. `orders`: of a deterministic run, whose
  /// network alone plays now; null: any may. All must outlive it.
  PartIntake(std::string variant, std::uint64_t run_id, const GameDecoder& decoder,
             LocalArrivals& arrivals, GameNumbers& numbers, const GameCheck& check,
             OrderSource* orders = nullptr)
      : variant_(std::move(variant)),
        run_id_(run_id),
        decoder_(&decoder),
        arrivals_(&arrivals),
        numbers_(&numbers),
        check_(&check),
        orders_(orders) {}

  /// The games are safe once the run's games are synced. Throws ReplayError if the run cannot store
  /// them: the part may be taken again then.
  TakenPart take(const std::filesystem::path& file) const;

 private:
  std::string variant_;
  std::uint64_t run_id_;
  const GameDecoder* decoder_;
  LocalArrivals* arrivals_;
  GameNumbers* numbers_;
  const GameCheck* check_;
  OrderSource* orders_;
};

}  // namespace faultline
