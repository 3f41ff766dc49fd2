// The settings of a tournament, and the file that keeps them.
#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "lab/match_config.h"
#include "lab/opening_origin.h"
#include "lab/players.h"
#include "lab/run_match.h"
#include "lab/sequential_test.h"

namespace faultline {

/// Settings or files that do not make a tournament. The message names the field or file and what
/// would be valid.
class TournamentError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct Entrant {
  std::string name;
  std::string player;  // as in kPlayerHelp, with a run resolved to its net
  /// The hash of its net's weights when the tournament was begun (CheckpointInfo::weights). Set by
  /// Tournament; empty without a net, in tournaments of older programs and in those of studies,
  /// which keep their own.
  std::string weights = {};
  friend bool operator==(const Entrant&, const Entrant&) = default;
};

struct TournamentSettings {
  std::string variant;
  std::vector<Entrant> players = {};
  std::string schedule = "round-robin";  // kSchedules
  int challengers = 1;                   // gauntlet: so many players meet all others
  int games = 20;                        // of each pairing in each round; even
  int rounds = 1;                        // times that the schedule is played
  /// The probability, with the schedule "sequential", that any pairing is decided wrongly, and
  /// differences in Elo that do not matter (lab/sequential_test.h).
  double alpha = 0.05;
  double indifference = 0;
  MoveLimits limits = {.visits = 100};  // of players without their own
  std::string openings = "random:6";    // kOpeningsHelp
  std::string adjudicate_win = {};      // lab/adjudication.h; "": never
  std::string adjudicate_draw = {};
  std::string cut = "apart";  // or "draws"
  int max_plies = 0;          // 0: by the family
  double temperature = 0;
  int temperature_plies = 0;
  bool search_defaults = false;
  std::vector<std::string> search_settings = {};
  std::int64_t seed = 1;
  /// What openings come from. Set by Tournament; empty also for those of older programs.
  std::vector<OpeningOrigin> opening_origins = {};
};

inline constexpr std::string_view kSchedules[] = {"round-robin", "gauntlet", "information",
                                                  "sequential"};

/// "NAME=PLAYER" or "PLAYER", whose name it is then. Throws PlayerError.
Entrant parse_entrant(std::string_view text);

/// Throws TournamentError, PlayerError, OpeningError, VariantError or std::invalid_argument for
/// settings that are not valid.
void check(const TournamentSettings& settings);
/// When a pairing of a sequential tournament ends: alpha is divided among them (Bonferroni).
SequentialTest sequential_test(const TournamentSettings& settings);
/// A match between two of the players, without games, seed and threads.
MatchSetup match_setup(const TournamentSettings& settings, int first, int second);

nlohmann::ordered_json to_json(const TournamentSettings& settings);
/// Keys that are missing keep their defaults, except for variant and players. `source` names the
/// file in messages. Throws TournamentError for a key that is unknown or has the wrong type, and
/// for limits of moves and games that the command line would refuse.
TournamentSettings tournament_from_json(const nlohmann::ordered_json& json,
                                        const std::string& source);
TournamentSettings read_tournament(const std::filesystem::path& file);

/// Throws TournamentError naming the first setting that differs between a tournament that was begun
/// with `stored`, in `source`, and `given`. More rounds are no difference, nor are the openings'
/// origins, which check_origins() checks, and the nets' weights, which check_weights() does.
void check_same(const TournamentSettings& stored, const TournamentSettings& given,
                const std::string& source);

/// Throws TournamentError if the file of a player's net has other weights than `settings` says, and
/// CheckpointError if it cannot be read.
void check_weights(const TournamentSettings& settings);

}  // namespace faultline
