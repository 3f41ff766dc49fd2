// What a report knows of every game of its source: enough for distributions, and for choosing
// games.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "play/game_text.h"
#include "report/report_json.h"

namespace faultline {

struct LoggedGame {
  std::uint64_t number = 0;  // by which its source finds it again
  std::uint32_t plies = 0;
  std::uint16_t ending = 0;  // GameLog::ending_number()
  GameResult result = GameResult::None;
  /// The lowest score (win plus half of draw) that a search expected for the side that won in the
  /// end, before any of its moves; 1 if nobody won, or nothing is known.
  float lowest_hope = 1;
  /// Whether random moves at the start decided the game: decided_by_opening().
  bool decided_by_opening = false;
};
static_assert(sizeof(LoggedGame) == 24);  // there may be millions

/// Whether a decided game of `plies` plies, of which the first `random_plies` were not chosen by
/// the players, was won before they chose any: none was left to choose, or the winner's searches
/// expected to win from its first move on (LoggedGame::lowest_hope; nothing if it is not known).
bool decided_by_opening(std::size_t random_plies, std::size_t plies,
                        std::optional<float> lowest_hope);

class GameLog {
 public:
  void reserve(std::size_t games) { games_.reserve(games); }
  void add(const LoggedGame& game) { games_.push_back(game); }
  /// The number of a way to end, "checkmate"; the same for the same text.
  std::uint16_t ending_number(std::string_view ending);
  const std::string& ending(std::uint32_t number) const { return endings_.at(number); }

  const std::vector<LoggedGame>& games() const { return games_; }
  /// The last fifth of the games, but at least 200: how a run plays now.
  std::span<const LoggedGame> newest() const;

 private:
  std::vector<LoggedGame> games_;
  std::vector<std::string> endings_;
};

/// Games of one kind among those whose distributions are compared.
struct GameGroup {
  std::string name;
  std::span<const LoggedGame> games;
};

/// "histogram": the groups' lengths in plies, in bins of equal width. The last bin takes what is
/// longer than 99.5 % of the games.
ReportJson length_section(const std::vector<GameGroup>& groups);
/// "bars": the groups' results, and how games ended.
ReportJson ending_section(const GameLog& log, const std::vector<GameGroup>& groups);

/// A game that is worth seeing, and why: "longest".
struct ChosenGame {
  std::uint64_t number = 0;
  std::string label = {};  // "" for one of those that were added evenly spread
};

/// Up to `count` different games: from the newest ones the last decided game, the shortest decided
/// one, the longest, the greatest turnaround and the last draw; one of each way to end; the first
/// game of all; then others, evenly spread. Games that random openings decided do not count as
/// decided.
std::vector<ChosenGame> choose_games(const GameLog& log, std::size_t count);

}  // namespace faultline
