// A net against fixed opponents: the table that every change of strength is held against.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "base/document.h"
#include "base/options.h"
#include "lab/match_result.h"

namespace faultline {

/// What a net has cost to train.
struct TrainingCost {
  std::int64_t steps = 0;
  std::int64_t games = 0;
  std::int64_t positions = 0;
  double evaluations = 0;  // by self-play's searches
  double seconds = 0;
  double cpu_seconds = 0;  // of all threads; 0: unknown
};

/// That of the net after `steps` steps of the run in `folder`, added up from its metrics; nullopt
/// if there are none.
std::optional<TrainingCost> training_cost(const std::filesystem::path& folder, std::int64_t steps);

/// The opponents of a family's table, as players of a match: alpha-beta at depths 1 to 6 and at
/// 10^4 and 10^5 nodes, and for the games that it knows fairy-stockfish at 10^2 to 10^5 nodes.
std::vector<std::string> fixed_opponents(std::string_view family);

/// The net and the settings of all its matches, as the table shows them. Results are kept only for
/// equal settings.
struct StrengthSettings {
  std::string variant;
  std::string net;                 // file
  std::string weights;             // their hash
  std::string limits;              // of the net's moves: "800 visits"
  std::string search;              // its search settings, and where they come from
  std::string precision = "fp32";  // in which it is computed; all there was in earlier tables
  std::string openings;            // "random:4"
  std::string adjudication;        // "" for none
  std::int64_t seed = 1;
  int max_plies = 0;
};
std::vector<Option> options(StrengthSettings& settings);

/// One opponent's row.
struct StrengthRow {
  std::string opponent;
  nlohmann::ordered_json result;  // to_json(MatchResult), with the net as the first player
  double seconds = 0;
  std::string processor;
  bool stopped_early = false;  // is_one_sided(): fewer games than asked for
};

/// Whether enough games have shown that one side is far stronger: after 40, the 95 % interval of
/// the score lies below 5 % or above 95 %.
bool is_one_sided(const MatchResult& result);

class StrengthTable {
 public:
  StrengthTable(StrengthSettings settings, std::optional<TrainingCost> cost)
      : settings_(std::move(settings)), cost_(cost) {}
  /// Reads what save() wrote. Throws ExperimentError.
  static StrengthTable load(const std::filesystem::path& file);

  const StrengthSettings& settings() const { return settings_; }
  const std::vector<StrengthRow>& rows() const { return rows_; }
  /// The row of an opponent with at least so many games, or with `early` one that was stopped
  /// early; null if there is none.
  const StrengthRow* find(std::string_view opponent, int games, bool early = false) const;
  /// Replaces the opponent's row, or adds one.
  void set(StrengthRow row);

  /// Throws ExperimentError that names the setting and both values, unless all are equal.
  void require_same(const StrengthSettings& settings, const std::filesystem::path& file) const;
  void save(const std::filesystem::path& file) const;
  /// The table, with what it depends on.
  Document document() const;

 private:
  nlohmann::ordered_json to_json() const;

  StrengthSettings settings_;
  std::optional<TrainingCost> cost_;
  std::vector<StrengthRow> rows_;
};

}  // namespace faultline
