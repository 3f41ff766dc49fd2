// What tournaments, studies and surveys have in common: a folder whose settings say which games are
// to be played, and which is continued only with the same settings, openings and nets.
#pragma once

#include <filesystem>
#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "base/options.h"
#include "base/result_folder.h"
#include "lab/game_settings.h"

namespace faultline {

/// Settings or files that do not make an experiment. The message names the file and key and what
/// would be valid.
class ExperimentError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct ExperimentKind {
  FolderContents contents;
  const char* name;                         // "tournament"
  const char* file;                         // of the settings, in the folder
  const char* games;                        // what a folder with games has
  const char* grows;                        // the key that may become greater: "rounds"
  std::vector<std::string_view> free = {};  // keys that may change
  const char* otherwise = "use another folder";
};

/// A player and the field of the settings that keeps the hash of its net's weights, because games
/// of two nets must not be mixed. It is "" without a net, and in folders of older programs.
struct PlayerInUse {
  std::string player;  // as in kPlayerHelp
  std::string* weights;
};

/// All may be called from any of the experiment's threads, on_game one call at a time.
struct ExperimentHooks {
  /// A game was recorded: when it and the earlier ones of its match have ended, or it was stopped.
  std::function<void()> on_game = nullptr;
  /// A game has ended, in any order, that was not there before: its part of all work, in the
  /// experiment's unit, and what is being played, with the score in this session.
  std::function<void(double work, const std::string& playing)> on_finished = nullptr;
  /// In studies: every combination has played a round and its comparisons were tested; not for
  /// rounds after the first in which nothing was left to play.
  std::function<void()> on_look = nullptr;
  std::function<bool()> stop = nullptr;  // true ends the experiment and drops games in progress
};

/// Throws ExperimentError if it is not a file of JSON.
nlohmann::ordered_json read_json_file(const std::filesystem::path& file);
/// Reads settings from a file's JSON: `options`, of which those keep their values whose key is
/// missing, the openings' origins, and the lists of objects called `lists`, by `read_lists`. Throws
/// ExperimentError that begins with `source`, also for unknown keys, and PlayerError.
void read_settings(GameSettings& settings, const std::vector<Option>& options,
                   const nlohmann::ordered_json& json, const std::string& source,
                   std::vector<std::string> lists,
                   const std::function<void(const nlohmann::json&)>& read_lists);
/// Throws ExperimentError "variants: chess is given twice".
void require_distinct(std::string_view key, std::vector<std::string> values);
/// Throws ExperimentError "KEY = VALUE: must be ALLOWED".
void require(bool holds, std::string_view key, std::string_view value, std::string_view allowed);

/// Throws ExperimentError if games between players that always play the best move would be
/// repeated: `games` of `variant`, of which so many are from each opening of `openings`
/// (kOpeningsHelp). `remedy`: what would be right with a file that has too few.
void require_enough_openings(const std::string& openings, const std::string& variant, int games,
                             int per_opening, std::string_view remedy);

/// Throws ExperimentError that names the first key of `given` that differs from `stored`, unless
/// the kind lets it.
void require_same(const ExperimentKind& kind, const nlohmann::ordered_json& stored,
                  const nlohmann::ordered_json& given, const std::string& source);
/// The hash of the weights of a player's net, hexadecimal; "" without one. Throws PlayerError and
/// CheckpointError.
std::string weights_of(const std::string& player);
/// Throws ExperimentError for a net that has other weights than its settings say.
void check_weights(const std::vector<PlayerInUse>& players);
/// Throws ExperimentError if it holds an experiment of another kind, or games without settings.
void refuse_taken(const ExperimentKind& kind, const std::filesystem::path& folder);
/// Creates the folder, if needed, and writes the settings, if they differ. Throws ExperimentError.
void write_settings(const std::filesystem::path& file, const nlohmann::ordered_json& settings);

/// The settings as they are compared: what they are played with is checked apart.
template <class Settings>
nlohmann::ordered_json comparable(Settings settings) {
  settings.opening_origins.clear();
  for (const PlayerInUse& one : players_of(settings))
    one.weights->clear();
  return to_json(settings);
}

/// Who plays by these settings, as in kPlayerHelp.
template <class Settings>
std::vector<std::string> player_names(Settings settings) {
  std::vector<std::string> names;
  for (const PlayerInUse& one : players_of(settings))
    names.push_back(one.player);
  return names;
}

/// Throws ExperimentError that names the first setting that differs between what an experiment was
/// begun with, in the file `source`, and what is given.
template <class Settings>
void check_same(const Settings& stored, const Settings& given, const std::string& source) {
  require_same(Settings::kind(), comparable(stored), comparable(given), source);
}

/// Begins an experiment in the folder, or continues the one that is there, from which the settings
/// get the origins of openings and the nets' weights. Settings have `kind()` and
/// `from_json(json, source)`, and functions to_json() and players_of(). Throws ExperimentError,
/// OpeningError if what the openings come from was changed, and CheckpointError.
template <class Settings>
void enter_folder(Settings& settings, const std::filesystem::path& folder) {
  const ExperimentKind& kind = Settings::kind();
  refuse_taken(kind, folder);
  const std::filesystem::path file = folder / kind.file;
  if (std::filesystem::exists(file)) {
    Settings stored = Settings::from_json(read_json_file(file), file.string());
    check_same(stored, settings, file.string());
    settings.opening_origins = stored.opening_origins;
    check_origins(settings.opening_origins, settings.openings);
    const std::vector<PlayerInUse> recorded = players_of(stored);
    const std::vector<PlayerInUse> players = players_of(settings);
    for (std::size_t i = 0; i < players.size(); ++i)
      *players[i].weights = *recorded.at(i).weights;
    check_weights(players);
  } else {
    for (const PlayerInUse& one : players_of(settings))
      *one.weights = weights_of(one.player);
    settings.opening_origins = opening_origins(parse_opening_source(settings.openings));
  }
  write_settings(file, to_json(settings));
}

}  // namespace faultline
