// The games of a tournament or a survey on disk, from which it is continued.
#pragma once

#include <array>
#include <filesystem>
#include <fstream>
#include <map>
#include <mutex>
#include <optional>
#include <ranges>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "lab/elo.h"
#include "lab/experiment.h"
#include "lab/run_match.h"
#include "play/game_text.h"

namespace faultline {

/// A game's place in the tournament or survey; its Round tag is "BOUT.PAIR.GAME", from 1.
struct GamePlace {
  int bout = 0;  // all from 0
  int pair = 0;  // of games from one opening, within the bout
  int game = 0;  // 0 or 1
  friend bool operator<(const GamePlace& a, const GamePlace& b) {
    return std::tie(a.bout, a.pair, a.game) < std::tie(b.bout, b.pair, b.game);
  }

  std::string round() const;
  /// Reads a Round tag; nothing for another text.
  static std::optional<GamePlace> parse(std::string_view round);
};

/// The place that a game's Round tag says, if it has that form.
std::optional<GamePlace> place_of(const TextGame& game);

/// A game that was played, without its moves.
struct PlayedGame {
  std::string white;
  std::string black;
  GameResult result = GameResult::None;
};

/// The offset at which the last complete game of a file of games ends. What follows is a game that
/// a killed process wrote in part.
std::size_t end_of_complete_games(std::string_view text);
/// Why what follows byte `complete`, the end of the complete games, must not be dropped: it is more
/// than the one game that a killed process wrote in part. Nothing if it may be.
std::optional<std::string> fault_after_complete_games(std::string_view text, std::size_t complete);

/// The text of a file's complete games. Throws ExperimentError if it cannot be read, or more
/// follows than a game that a killed process wrote in part.
std::string complete_games_in(const std::filesystem::path& file);

/// Games of one bout, which are a match.
struct BoutGames {
  int bout = 0;        // from 0
  int first_pair = 0;  // number of pairs of games that its players have in bouts before
  int pairs = 0;
  std::array<std::string, 2> names;  // of its players
  MatchSetup setup;                  // but for games and threads
  std::string title = {};            // what is played, for people; "": bout_text()
  double work = 1;                   // of a game
};
/// "A - B +3 =2 -1".
std::string bout_text(const std::array<std::string, 2>& players, const Score& score);

/// games.pgn: games are appended one by one, each written to disk at once.
class TournamentGames {
 public:
  /// Reads the file if there is one, and cuts off an incomplete last game. Throws ExperimentError
  /// for a file with more than that after its complete games, which is left as it is, and for games
  /// with another Event or without a place; and GameTextError.
  TournamentGames(std::filesystem::path file, const std::string& event);

  const std::map<GamePlace, PlayedGame>& played() const { return played_; }
  /// Games in the order of their places. (std::ranges::subrange does not compile with clang 14.)
  class Games {
   public:
    using Iterator = std::map<GamePlace, PlayedGame>::const_iterator;
    Games(Iterator begin, Iterator end) : begin_(begin), end_(end) {}
    Iterator begin() const { return begin_; }
    Iterator end() const { return end_; }

   private:
    Iterator begin_, end_;
  };
  /// Those of the bouts with lower numbers.
  Games before_bout(int bout) const { return {played_.begin(), played_.lower_bound({bout, 0, 0})}; }
  /// Those of one bout.
  Games of_bout(int bout) const {
    return {played_.lower_bound({bout, 0, 0}), played_.lower_bound({bout + 1, 0, 0})};
  }
  /// The pairs of a bout, of `pairs` from 0, of which one game or both are not there; ascending.
  std::vector<int> missing_pairs(int bout, int pairs) const;
  int finished() const { return static_cast<int>(played_.size()); }
  /// The file, if an incomplete game was cut off, which a killed process leaves; else none.
  std::vector<std::filesystem::path> repaired() const;
  /// Plays what is missing of the bout, all at once; several may be played at the same time. Throws
  /// what run_match throws, and std::system_error if a game cannot be written.
  void play_missing(const BoutGames& bout, PlayerResources& resources, int threads,
                    const ExperimentHooks& hooks);

 private:
  void read();
  /// Sets the game's Event and Round and appends it; returns false for a game that is there
  /// already.
  bool append(const GamePlace& place, TextGame game);

  std::filesystem::path file_;
  std::string event_;
  std::map<GamePlace, PlayedGame> played_;
  bool repaired_ = false;
  std::ofstream out_;
  std::mutex mutex_;  // guards played_ and out_ while games are played
};

}  // namespace faultline
