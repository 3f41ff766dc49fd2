// The settings of a tournament, and the file that keeps them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "lab/experiment.h"
#include "lab/game_settings.h"
#include "lab/sequential_test.h"

namespace faultline {

struct Entrant {
  std::string name;
  std::string player;  // as in kPlayerHelp, with a run resolved to its net
  /// PlayerInUse::weights; empty also in the tournaments of studies, which keep their own.
  std::string weights = {};
  friend bool operator==(const Entrant&, const Entrant&) = default;
};

enum class Schedule : std::uint8_t { RoundRobin, Gauntlet, Information, Sequential };

struct TournamentSettings : GameSettings {
  std::string variant;
  std::vector<Entrant> players = {};
  Schedule schedule = Schedule::RoundRobin;
  int challengers = 1;  // gauntlet: so many players meet all others
  int games = 20;       // of each pairing in each round; even
  int rounds = 1;       // times that the schedule is played
  /// The probability, with the schedule "sequential", that any pairing is decided wrongly, and
  /// differences in Elo that do not matter (lab/sequential_test.h).
  double alpha = 0.05;
  double indifference = 0;

  static const ExperimentKind& kind();
  /// Keys that are missing keep their defaults, except for variant and players. `source` names the
  /// file in messages. Throws ExperimentError for a key that is unknown or a value that is not
  /// allowed, and PlayerError.
  static TournamentSettings from_json(const nlohmann::ordered_json& json,
                                      const std::string& source);
};

/// All settings but players, whose list is of objects, bound to `settings`.
std::vector<Option> options(TournamentSettings& settings);
/// How sequential tests of many comparisons are decided, which tournaments and studies have.
std::vector<Option> sequential_options(double& alpha, double& indifference);
std::vector<PlayerInUse> players_of(TournamentSettings& settings);
/// "round-robin".
std::string schedule_text(const TournamentSettings& settings);

/// "NAME=PLAYER" or "PLAYER", whose name it is then. Throws PlayerError.
Entrant parse_entrant(std::string_view text);

/// Throws ExperimentError, PlayerError, OpeningError, VariantError or std::invalid_argument for
/// settings that are not valid.
void check(const TournamentSettings& settings);
/// When a pairing of a sequential tournament ends: alpha is divided among them (Bonferroni).
SequentialTest sequential_test(const TournamentSettings& settings);
/// A match between two of the players, without games, seed and threads.
MatchSetup match_setup(const TournamentSettings& settings, int first, int second);

nlohmann::ordered_json to_json(const TournamentSettings& settings);
TournamentSettings read_tournament(const std::filesystem::path& file);

}  // namespace faultline
