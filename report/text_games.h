// Games recorded as text, for reports of tournaments, studies, surveys and files of games.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "lab/opening_tree.h"
#include "play/game.h"
#include "play/game_text.h"
#include "report/game_log.h"
#include "report/report.h"
#include "rules/types.h"

namespace faultline {

/// What `log` keeps of a game, whose ending it numbers. `first`: the side to move at its start.
LoggedGame logged_game(const TextGame& game, std::uint64_t number, Colour first, GameLog& log);

/// "round 1.2.1", or "game 5" for one without a round, with number 4.
std::string name_of(const TextGame& game, std::size_t number);
/// "round 1.2: A – B"; the name alone if the players are not known, or are the same.
std::string title_of(const TextGame& game, std::size_t number);

/// Games of one variant. A game's number in the log is its index in games().
class TextGames {
 public:
  void add(TextGame text);

  const std::vector<TextGame>& games() const { return games_; }
  const GameLog& log() const { return log_; }
  /// The openings of the games that begin at the variant's start.
  const OpeningTree& openings() const { return openings_; }

 private:
  std::vector<TextGame> games_;
  GameLog log_;
  OpeningTree openings_;
};

/// The games of a file. What cannot be read, such as the last game of a process that was killed, is
/// left out and described in `notices`. `variant`: of games that do not name one.
std::vector<TextGame> read_games(const std::filesystem::path& file, const std::string& variant,
                                 std::vector<std::string>& notices);

/// A game, its name, and a title for where nothing else is said of it.
struct ShownGame {
  TextGame game;
  std::string name;
  std::string title;
};
/// What sections of games show.
struct GameSections {
  const GameLog& log;  // of at least one game
  /// A game of the log. May throw std::runtime_error, of which the report has a notice.
  std::function<ShownGame(std::uint64_t number)> read;
  std::vector<GameGroup> groups;
  std::string variant = {};
  const OpeningTree* openings = nullptr;  // of this variant; null: none
  std::string titles = {};                // after the sections' titles: ": gardner"
  std::string games_note = {};
  std::string openings_note = {};
};
/// Adds up to `most` games, their openings, how they end and how long they are.
void add_game_sections(const GameSections& sections, std::size_t most, Report& report);

/// What add_game_sections() writes above its sections.
struct GameSectionTexts {
  std::string titles = {};   // after the sections' titles: ": gardner"
  std::string random_moves;  // about the openings' random moves
};

/// The sections of games of one variant; none if there are none.
void add_game_sections(const TextGames& games, const GameSectionTexts& texts,
                       const ReportOptions& options, Report& report);

/// Adds all of the games, in their order, and nothing else.
void add_all_games(const TextGames& games, const std::string& titles, Report& report);

}  // namespace faultline
