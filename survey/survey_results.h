// What a survey found, from its games.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "lab/elo.h"
#include "survey/complexity.h"
#include "survey/game_facts.h"
#include "survey/intervals.h"
#include "survey/piece_values.h"
#include "survey/survey_games.h"
#include "survey/survey_settings.h"

namespace faultline {

/// Lengths in plies, of all games; one that was cut counts with what was played of it.
struct GameLengths {
  RatioEstimate mean;
  int tenth = 0, median = 0, ninetieth = 0, longest = 0;  // quantiles by rank
};

/// The number of legal moves before a ply, over the games that reached it.
struct PlyBranching {
  int games = 0;
  double mean = 0;
};

/// How a kind of move was used by the players, random openings apart.
struct SpecialMoveUse {
  SpecialMove move;
  std::array<std::int64_t, 2> played{};    // by the side that moves first, by the other
  std::array<std::int64_t, 2> possible{};  // turns in which it was
  std::array<std::int64_t, 2> turns{};     // all
  RatioEstimate per_game;                  // plays of both sides
  RatioEstimate first_share;               // of the plays, by the side that moves first
  RatioEstimate winner_share;              // of the plays in decided games, by the winner
  RatioEstimate chosen;                    // of the turns in which it was possible
};

/// The start of the games with the first moves, or a first move with the replies.
struct OpeningLine {
  std::string notation = {};  // of the move (play/san.h); "": the start
  int games = 0;
  std::array<std::uint32_t, 3> results{};  // the first mover won, drawn, lost
  std::optional<float> policy = {};        // of the net for a first move, without search
  std::vector<OpeningLine> replies = {};   // the most played first
};

/// If fewer games differ, repeated ones make intervals too narrow.
inline constexpr double kLeastDistinct = 0.95;

/// The games of one variant at one number of visits.
struct VisitResult {
  std::int64_t visits = 0;
  int games = 0;
  int cut = 0;       // at the ply limit: without a result
  int distinct = 0;  // different sequences of moves
  Score score;       // of the side that moves first
  Estimate first_mover;
  RatioEstimate decided;         // share, of the games that were not cut
  std::array<int, 8> endings{};  // by Outcome
  GameLengths lengths;
  RatioEstimate branching;         // mean over all plies
  double branching_geometric = 0;  // the geometric mean
  std::vector<PlyBranching> by_ply = {};
  double line_log10 = 0;  // mean over games of log10 of the product of the numbers of legal moves
  RatioEstimate lead_changes;  // per game
  RatioEstimate comebacks;     // share of decided games whose winner was two pawns behind
  std::vector<SpecialMoveUse> moves = {};
  PieceValues pieces;
  OpeningLine openings;
};

struct VariantResult {
  std::string variant;
  std::string player;
  bool counts_visits = true;     // SurveyedVariant::counts_visits
  Colour first = Colour::White;  // who moves first
  std::optional<Complexity> complexity = std::nullopt;
  std::vector<VisitResult> visits = {};  // in the settings' order
};

struct SurveyResults {
  SurveySettings settings;
  int games = 0;
  int waiting = 0;     // more games that were played, and do not count yet: see survey_games.h
  int unreadable = 0;  // games that were played, and cannot be read
  std::vector<std::string> notices = {};  // which these are, and why
  std::vector<VariantResult> variants = {};

  bool complete() const { return games == settings.planned_games(); }
};

/// The prior of each legal move, in the order of GamePosition::legal_moves().
using Policy = std::function<std::vector<float>(const GamePosition&)>;

/// What games of one variant say. `pairs`: of each game, the pair of games with its opening; they
/// are independent of each other where no opening was drawn. `policy` may be null.
VisitResult visit_result(const std::string& variant, std::int64_t visits,
                         std::span<const GameFacts> games, std::span<const int> pairs,
                         const Policy& policy = nullptr);

struct SurveyAnalysis {
  int threads = 0;                                             // 0: one per core
  PlayerResources* resources = nullptr;                        // for the nets' policies; null: none
  std::function<bool()> stop = nullptr;                        // ends the search for complexity
  std::function<void(const std::string&)> on_stage = nullptr;  // told what comes next
};
/// Computes the results of a survey's folder. The complexity of games is left out where `stop`
/// prevented it.
SurveyResults survey_results(const SurveySettings& settings, const std::filesystem::path& folder,
                             const SurveyAnalysis& analysis);

}  // namespace faultline
