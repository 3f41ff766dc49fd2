// The recorded games of a run, for its report.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "lab/opening_tree.h"
#include "play/game.h"
#include "play/game_text.h"
#include "record/game_record.h"
#include "record/stored_games.h"
#include "report/game_log.h"

namespace faultline {

/// A recorded game as text, with root values as comments. Throws ReplayError if it contradicts the
/// rules, FenError for a start that is no position.
TextGame text_of_record(const GameRecord& game, const Game& rules);

/// A pass over all of a run's games, which keeps 24 bytes of each.
class RunGames {
 public:
  /// `variant`: canonical name. `run_id`: games of other runs are skipped; 0: none is. Damaged
  /// games are skipped and described in messages().
  RunGames(const std::filesystem::path& folder, const std::string& variant, std::uint64_t run_id);

  /// The games in the order in which they were finished. Their numbers in it are places in that
  /// order.
  const GameLog& log() const { return log_; }
  /// The newest games from the variant's start whose first move was the net's.
  const OpeningTree& newest_openings() const { return openings_; }
  const std::vector<std::string>& messages() const { return messages_; }
  /// The number that the run gave to the game in this place. Throws as read().
  std::uint64_t run_number(std::uint64_t place) { return games_[place].number; }
  /// The game in this place, with root values as comments. Throws ReplayError if it cannot be read
  /// or contradicts the rules.
  TextGame read(std::uint64_t place);

 private:
  void read_log();
  void read_openings();

  const Game& game_;
  StoredGames games_;
  GameLog log_;
  OpeningTree openings_;
  std::vector<std::string> messages_;
};

}  // namespace faultline
