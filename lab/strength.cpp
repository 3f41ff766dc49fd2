// A net against fixed opponents: the table that every change of strength is held against.
#include "lab/strength.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <limits>
#include <set>
#include <sstream>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "base/atomic_file.h"
#include "base/json_text.h"
#include "base/quote.h"
#include "base/text.h"
#include "lab/experiment.h"
#include "lab/opening_source.h"
#include "lab/players.h"
#include "record/metrics_lines.h"

namespace faultline {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kFormat = 1;
constexpr int kLeastGames = 40;  // before a match is stopped early
constexpr double kFar = 0.05;    // from a score of 0 or 1, when it is

Json settings_json(StrengthSettings settings) {
  return options_to_json(options(settings));
}

std::string number(double value) {
  return grouped(static_cast<std::uint64_t>(value));
}

/// An end of an interval, or an estimate, of which null is infinite.
double number_or(const Json& value, double infinite) {
  return value.is_null() ? infinite : value.get<double>();
}

std::vector<Cell> row_of(const StrengthRow& row) {
  constexpr double kInfinite = std::numeric_limits<double>::infinity();
  const Json& r = row.result;
  const Score score{r.at("wins"), r.at("draws"), r.at("losses")};
  const double share = r.at("score");
  const Json& share_95 = r.at("score_95");
  const Json& elo_95 = r.at("elo_95");
  const bool any = r.at("games").get<int>() > 0;  // not all were cut
  return {{row.opponent},
          count_cell(r.at("games").get<int>()),
          {any ? score_text(score) : "-"},
          any ? share_cell(share, share_95.at(0), share_95.at(1)) : Cell{"-"},
          any ? elo_cell(number_or(r.at("elo"), share > 0.5 ? kInfinite : -kInfinite),
                         number_or(elo_95.at(0), -kInfinite), number_or(elo_95.at(1), kInfinite))
              : Cell{"-"},
          count_cell(r.at("cut").get<int>())};
}

/// Of a line of metrics.jsonl; `before`: the evaluations of the lines before it.
TrainingCost cost_at(const nlohmann::json& line, double before) {
  return {.steps = line.value("steps", std::int64_t{0}),
          .games = line.value("games", std::int64_t{0}),
          .positions = line.value("positions", std::int64_t{0}),
          .evaluations =
              before + line.value("interval", 0.0) * line.value("evaluations_per_second", 0.0),
          .seconds = line.value("seconds", 0.0),
          .cpu_seconds = line.value("cpu_seconds", 0.0)};
}

/// Older programs named search settings in another order.
std::multiset<std::string> words_of(const std::string& text) {
  std::istringstream words(text);
  return {std::istream_iterator<std::string>(words), {}};
}

}  // namespace

std::vector<Option> options(StrengthSettings& s) {
  return {{"variant", &s.variant, Anything{}, "What is played."},
          {"net", &s.net, Anything{}, "Its file."},
          {"weights", &s.weights, Anything{}, "Their hash."},
          {"limits", &s.limits, Anything{}, "Of the net's moves."},
          {"search", &s.search, Anything{}, "The net's search settings."},
          {"precision", &s.precision, Anything{}, "In which it is computed."},
          {"openings", &s.openings, Anything{}, "Where openings come from."},
          {"adjudication", &s.adjudication, Anything{}, "When games end early."},
          {"seed", &s.seed, Anything{}, "Seed of the openings."},
          {"max_plies", &s.max_plies, Anything{}, "Longer games are cut."}};
}

std::optional<TrainingCost> training_cost(const std::filesystem::path& folder, std::int64_t steps) {
  std::ifstream metrics(folder / "metrics.jsonl");
  if (metrics && steps == 0) return TrainingCost{};  // the first line is that of later steps
  std::vector<TrainingCost> costs;
  MetricsLines lines{
      .add =
          [&](const nlohmann::json& json) {
            costs.push_back(cost_at(json, costs.empty() ? 0.0 : costs.back().evaluations));
          },
      .take_back = [&] { costs.pop_back(); }};
  read_metrics(metrics, lines);
  if (costs.empty()) return std::nullopt;
  const auto reached =
      std::ranges::find_if(costs, [&](const TrainingCost& cost) { return cost.steps >= steps; });
  return reached == costs.end() ? costs.back() : *reached;
}

std::vector<std::string> fixed_opponents(std::string_view family) {
  std::vector<std::string> opponents;
  for (int depth = 1; depth <= 6; ++depth)
    opponents.push_back(fmt::format("alphabeta?depth={}", depth));
  for (const int nodes : {10'000, 100'000})
    opponents.push_back(fmt::format("alphabeta?nodes={}", nodes));
  if (family != "chess" && family != "gardner") return opponents;
  for (const int nodes : {100, 1'000, 10'000, 100'000})
    opponents.push_back(fmt::format("uci:fairy-stockfish?nodes={}", nodes));
  return opponents;
}

bool is_one_sided(const MatchResult& result) {
  if (result.finished < kLeastGames) return false;
  const Interval score = estimate(result.tally).score_95;
  return score.high < kFar || score.low > 1 - kFar;
}

const StrengthRow* StrengthTable::find(std::string_view opponent, int games, bool early) const {
  const auto row = std::ranges::find(rows_, opponent, &StrengthRow::opponent);
  if (row == rows_.end()) return nullptr;
  if (early && row->stopped_early) return &*row;
  if (row->result.value("finished_games", 0) < games) return nullptr;
  return &*row;
}

void StrengthTable::set(StrengthRow row) {
  const auto old = std::ranges::find(rows_, row.opponent, &StrengthRow::opponent);
  if (old != rows_.end())
    *old = std::move(row);
  else
    rows_.push_back(std::move(row));
}

void StrengthTable::require_same(const StrengthSettings& settings,
                                 const std::filesystem::path& file) const {
  ExperimentKind kind{FolderContents::Run, "table", "", "", "games of each opponent"};
  kind.otherwise = "choose another --out, or delete the file";
  StrengthSettings given = settings;
  if (words_of(given.search) == words_of(settings_.search)) given.search = settings_.search;
  faultline::require_same(kind, settings_json(settings_), settings_json(given), file.string());
}

nlohmann::ordered_json StrengthTable::to_json() const {
  Json json;
  json["format"] = kFormat;
  json.update(settings_json(settings_));
  json["training"] = nullptr;
  if (cost_)
    json["training"] = {{"steps", cost_->steps},         {"games", cost_->games},
                        {"positions", cost_->positions}, {"evaluations", cost_->evaluations},
                        {"seconds", cost_->seconds},     {"cpu_seconds", cost_->cpu_seconds}};
  json["opponents"] = Json::array();
  for (const StrengthRow& row : rows_)
    json["opponents"].push_back({{"opponent", row.opponent},
                                 {"seconds", row.seconds},
                                 {"processor", row.processor},
                                 {"stopped_early", row.stopped_early},
                                 {"result", row.result}});
  return json;
}

void StrengthTable::save(const std::filesystem::path& file) const {
  write_file_atomically(file, json_text(to_json(), 2) + "\n");
}

StrengthTable StrengthTable::load(const std::filesystem::path& file) {
  const Json json = read_json_file(file);
  try {
    if (!json.is_object() || !json.contains("format"))
      throw ExperimentError(
          file.string() +
          ": is not a table of 'faultline strength', which is JSON with a 'format'");
    if (const int format = json.at("format"); format != kFormat)
      throw ExperimentError(
          fmt::format("{}: has format {}; this program reads {}", file.string(), format, kFormat));
    StrengthSettings settings;
    for (const Option& option : options(settings))
      if (option.name != "precision") json.at(option.name);  // older tables do not have that one
    some_options_from_json(options(settings), json, file.string());
    std::optional<TrainingCost> cost;
    if (const Json& training = json.at("training"); !training.is_null())
      cost = TrainingCost{.steps = training.at("steps"),
                          .games = training.at("games"),
                          .positions = training.at("positions"),
                          .evaluations = training.at("evaluations"),
                          .seconds = training.at("seconds"),
                          .cpu_seconds = training.value("cpu_seconds", 0.0)};
    StrengthTable table(std::move(settings), cost);
    for (const Json& row : json.at("opponents")) {
      table.rows_.push_back({.opponent = player_text(row.at("opponent").get<std::string>()),
                             .result = row.at("result"),
                             .seconds = row.at("seconds"),
                             .processor = row.at("processor"),
                             .stopped_early = row.value("stopped_early", false)});
      row_of(table.rows_.back());  // all that is shown must be there
    }
    return table;
  } catch (const ExperimentError&) {
    throw;
  } catch (const std::runtime_error& error) {
    throw ExperimentError(error.what());
  } catch (const nlohmann::json::exception& error) {
    throw ExperimentError(fmt::format("{}: is not a table of 'faultline strength': {}",
                                      file.string(), printable(error.what(), 200)));
  }
}

Document StrengthTable::document() const {
  Document document{.kind = "strength", .title = settings_.variant, .subtitle = settings_.net};
  if (cost_)
    document.subtitle += fmt::format(
        ", trained for {}{} with {} evaluations ({} games, {} positions, {} steps)",
        clock_text(cost_->seconds),
        cost_->cpu_seconds > 0 ? fmt::format(" ({} of CPU time)", clock_text(cost_->cpu_seconds))
                               : "",
        number(cost_->evaluations), number(static_cast<double>(cost_->games)),
        number(static_cast<double>(cost_->positions)), number(static_cast<double>(cost_->steps)));
  std::string note = fmt::format(
      "{}: {} per move, {}, colours swapped, cut at {} plies", settings_.net, settings_.limits,
      describe(recorded_opening_source(settings_.openings)), settings_.max_plies);
  if (settings_.precision != "fp32") note += ", computed in " + settings_.precision;
  if (!settings_.adjudication.empty()) note += ", " + settings_.adjudication;
  std::vector<std::string> processors;
  for (const StrengthRow& row : rows_)
    if (std::ranges::find(processors, row.processor) == processors.end())
      processors.push_back(row.processor);
  note += fmt::format("; {}.", fmt::join(processors, " and "));
  if (std::ranges::any_of(rows_, &StrengthRow::stopped_early))
    note += fmt::format(
        " Rows of fewer games were ended when the interval of the score lay below {:.0f} % or "
        "above {:.0f} %.",
        100 * kFar, 100 * (1 - kFar));
  using enum Column::Kind;
  Table table{{{"opponent", Code},
               {"games", Number},
               {"result", Number},
               share_column("score (95 %)", 0.5),
               {"Elo (95 %)", Number},
               {"cut", Number}}};
  std::ranges::transform(rows_, std::back_inserter(table.rows), row_of);
  document.sections = {{"Strength", std::move(table), std::move(note)}};
  return document;
}

}  // namespace faultline
