// The subcommands of `faultline`: each function adds one, with its options, help and action.
#pragma once

#include <stdexcept>

namespace CLI {
class App;
}

namespace faultline {

/// Invalid user input, on the command line or in a file; the message says where and what would be
/// valid. Ends the program with exit code 2, as FenError and VariantError do. An action that ran
/// but found a problem throws CLI::RuntimeError(1) after printing it; every other exception is
/// printed and gives exit code 1.
class UsageError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Exit code of an action that Ctrl-C ended, as a shell gives it.
inline constexpr int kInterrupted = 130;

// `faultline` itself: no LibTorch, so that it starts in milliseconds.
void add_perft(CLI::App& app);
void add_moves(CLI::App& app);
void add_board(CLI::App& app);
void add_variants(CLI::App& app);
void add_vectors(CLI::App& app);
void add_new_game(CLI::App& app);
void add_game(CLI::App& app);
void add_games(CLI::App& app);
void add_rate(CLI::App& app);
void add_report(CLI::App& app);
void add_bench(CLI::App& app);
void add_cluster(CLI::App& app);
void add_uci(CLI::App& app);
void add_version(CLI::App& app);

// Both programs: with networks on the CPU here, on any device in `faultline-net`.
void add_match(CLI::App& app);
void add_tournament(CLI::App& app);
void add_study(CLI::App& app);
void add_survey(CLI::App& app);
void add_play(CLI::App& app);
void add_lab(CLI::App& app);
void add_strength(CLI::App& app);
void add_yardsticks(CLI::App& app);
void add_analyse(CLI::App& app);
void add_actor(CLI::App& app);
void add_export(CLI::App& app);  // TorchScript and bundles in `faultline-net` alone

// `faultline-net`, which links LibTorch; `faultline` starts it (app/net_launcher.h).
void add_train(CLI::App& app);
void add_check(CLI::App& app);
void add_distil(CLI::App& app);
void add_verify(CLI::App& app);
void add_net_version(CLI::App& app);

// One line each for `faultline --help`, which must not load LibTorch to print them.
inline constexpr const char* kTrainSummary = "train a network by self-play";
inline constexpr const char* kCheckSummary =
    "try a configuration for a few seconds: speed, memory, disk, and what would train badly; or "
    "read a game's file: what is wrong with it";
inline constexpr const char* kDistilSummary = "make a fast network, for alpha-beta, from a net";
inline constexpr const char* kMatchSummary =
    "play a match between two players and estimate the Elo difference";
inline constexpr const char* kStrengthSummary =
    "play a net against fixed opponents and print a table of its strength";
inline constexpr const char* kYardsticksSummary =
    "measure players without opponents: exact endgames, puzzles, regret";
inline constexpr const char* kAnalyseSummary =
    "find the best lines of positions and the mistakes of games";
inline constexpr const char* kTournamentSummary =
    "play many matches, record the games, and rate the players";
inline constexpr const char* kStudySummary =
    "compare strategies with each other and with plain play, until it is decided";
inline constexpr const char* kSurveySummary =
    "play variants against themselves: first move, draws, lengths, piece values, size";
inline constexpr const char* kVerifySummary =
    "check a bundle: its hashes, and its network's outputs by LibTorch alone; or say what a "
    "checkpoint is";
inline constexpr const char* kLabSummary =
    "open a page in the browser: play, analyse, watch runs, look things up";
inline constexpr const char* kActorSummary = "play games for a run whose learner is elsewhere";
inline constexpr const char* kPlaySummary = "play against a network in the terminal";

}  // namespace faultline
