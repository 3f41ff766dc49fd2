// Reports of surveys.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <limits>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/json_text.h"
#include "base/text.h"
#include "base/unreadable_file.h"
#include "lab/tournament_games.h"
#include "play/game.h"
#include "report/sources.h"
#include "report/text_games.h"
#include "rules/types.h"
#include "survey/survey.h"
#include "survey/survey_games.h"
#include "survey/survey_results.h"
#include "survey/survey_text.h"

namespace faultline {
namespace {

namespace fs = std::filesystem;

using enum ReportColumn::Kind;

bool is_survey(const fs::path& folder) {
  return fs::exists(survey_settings_file(folder));
}

/// results.json; nothing if there is none yet.
std::optional<ReportJson> read_results(const fs::path& folder) {
  const fs::path file = survey_results_file(folder);
  if (const auto reason = why_unreadable(file)) throw ReportError(*reason);
  std::ifstream in(file, std::ios::binary);
  if (!in) return std::nullopt;
  ReportJson json = ReportJson::parse(in, nullptr, false);
  if (!json.is_object() || !json.contains("variants") || json.value("format", 0) != 1)
    throw ReportError(fmt::format(
        "{}: is not a survey's results; 'faultline survey {} --summary' writes them anew",
        file.string(), folder.string()));
  return json;
}

double number_of(const ReportJson& json) {
  return json.is_number() ? json.get<double>() : std::numeric_limits<double>::quiet_NaN();
}

/// "54.0 % (48.1 to 60.0)" with its interval on an axis; "-" without one.
ReportJson share_cell(const ReportJson& value, const ReportJson& interval) {
  if (!value.is_number()) return "-";
  const double low = number_of(interval.at(0)), high = number_of(interval.at(1));
  return interval_cell(
      number_of(value), low, high,
      fmt::format("{} ({:.1f} to {:.1f})", percent_text(number_of(value)), 100 * low, 100 * high));
}

/// A cell for {"value", "interval_95"} or null.
ReportJson share_cell(const ReportJson& estimate) {
  if (estimate.is_null()) return share_cell(nullptr, nullptr);
  return share_cell(estimate.at("value"), estimate.at("interval_95"));
}

std::string mean_text(const ReportJson& estimate) {
  if (estimate.is_null() || !estimate.at("value").is_number()) return "-";
  return fmt::format("{:.2f}", estimate.at("value").get<double>());
}

std::string text_of(const ReportJson& json, int decimals) {
  return json.is_number() ? fmt::format("{:.{}f}", json.get<double>(), decimals) : "-";
}

/// The entry of a variant at the most visits, if it has games.
const ReportJson* last_visits(const ReportJson& variant) {
  const ReportJson& at = variant.at("visits").back();
  return at.at("games").get<int>() > 0 ? &at : nullptr;
}

/// Numbers of games by Outcome, from those by its names.
std::array<int, 8> endings_of(const ReportJson& json) {
  std::array<int, 8> endings{};
  for (std::size_t i = 1; i < endings.size(); ++i) {
    const std::string key(name(static_cast<Outcome>(i)));
    endings[i] = json.value(key, 0);
  }
  return endings;
}

ReportJson results_table(const ReportJson& results) {
  ReportJson rows = ReportJson::array();
  for (const ReportJson& variant : results.at("variants"))
    for (const ReportJson& at : variant.at("visits")) {
      if (at.at("games").get<int>() == 0) continue;
      const ReportJson& first = at.at("first_mover");
      const bool any = at.at("games").get<int>() > at.at("cut").get<int>();
      rows.push_back(
          {variant.at("variant"), grouped(at.at("visits").get<std::uint64_t>()),
           grouped(at.at("games").get<std::uint64_t>()),
           fmt::format("+{} ={} -{}", first.at("wins").get<int>(), first.at("draws").get<int>(),
                       first.at("losses").get<int>()),
           any ? share_cell(first.at("score"), first.at("score_95")) : share_cell(nullptr, nullptr),
           share_cell(at.at("decided")), grouped(at.at("cut").get<std::uint64_t>()),
           draws_text(endings_of(at.at("endings")))});
    }
  const std::vector<ReportColumn> columns = {{"variant", Code},
                                             {"visits", Number},
                                             {"games", Number},
                                             {"result", Number},
                                             {"first mover's score (95 %)", Interval, 0, 1, 0.5},
                                             {"decided (95 %)", Interval, 0, 1},
                                             {"cut", Number},
                                             {"draws", Text}};
  return table_section("First move and decided games", columns, std::move(rows),
                       "Games that were cut at the ply limit have no result. Results are those of "
                       "the side that moves first.");
}

/// Curves over the visits: the first mover's score and the share of decided games.
void add_growth(const ReportJson& results, Report& report) {
  const ReportJson& visits = results.at("settings").at("visits");
  if (visits.size() < 2) return;
  ReportJson score = ReportJson::array(), decided = ReportJson::array();
  for (const ReportJson& variant : results.at("variants")) {
    ReportJson series[2];
    for (ReportJson& one : series)
      one = {{"name", variant.at("variant")},
             {"values", ReportJson::array()},
             {"low", ReportJson::array()},
             {"high", ReportJson::array()}};
    const auto add = [](ReportJson& one, const ReportJson& value, const ReportJson& interval) {
      one["values"].push_back(shown_number(number_of(value)));
      one["low"].push_back(interval.is_array() ? shown_number(number_of(interval.at(0))) : nullptr);
      one["high"].push_back(interval.is_array() ? shown_number(number_of(interval.at(1)))
                                                : nullptr);
    };
    for (const ReportJson& at : variant.at("visits")) {
      const bool any = at.at("games").get<int>() > at.at("cut").get<int>();
      add(series[0], any ? at.at("first_mover").at("score") : ReportJson(nullptr),
          any ? at.at("first_mover").at("score_95") : ReportJson(nullptr));
      const ReportJson share = any ? at.at("decided") : ReportJson(nullptr);
      add(series[1], share.is_null() ? share : share.at("value"),
          share.is_null() ? share : share.at("interval_95"));
    }
    score.push_back(std::move(series[0]));
    decided.push_back(std::move(series[1]));
  }
  ReportJson section = report_section("curves", "As visits grow");
  section["axes"] = {{{"name", "visits"}, {"values", visits}}};
  section["charts"] = {{{"title", "First mover's score"},
                        {"unit", "share"},
                        {"note", "Share of the points, with 95 % intervals."},
                        {"series", std::move(score)}},
                       {{"title", "Decided games"},
                        {"unit", "share"},
                        {"note", "Share of the games that were not cut, with 95 % intervals."},
                        {"series", std::move(decided)}}};
  report.sections.push_back(std::move(section));
}

ReportJson play_table(const ReportJson& results) {
  ReportJson rows = ReportJson::array();
  for (const ReportJson& variant : results.at("variants")) {
    const ReportJson* const at = last_visits(variant);
    if (at == nullptr) continue;
    const ReportJson& plies = at->at("plies");
    const ReportJson& branching = at->at("branching");
    rows.push_back({variant.at("variant"), mean_text(plies.at("mean")),
                    fmt::format("{} / {} / {}", plies.at("tenth").get<int>(),
                                plies.at("median").get<int>(), plies.at("ninetieth").get<int>()),
                    mean_text(branching.at("mean")), text_of(branching.at("geometric_mean"), 2),
                    mean_text(at->at("lead_changes")), share_cell(at->at("comebacks"))});
  }
  return table_section("Play",
                       {{"variant", Code},
                        {"plies, mean", Number},
                        {"10 % / median / 90 %", Number},
                        {"legal moves, mean", Number},
                        {"geometric mean", Number},
                        {"changes of the lead", Number},
                        {"won from two pawns behind (95 %)", Interval, 0, 1}},
                       std::move(rows), "At the most visits; changes of the lead are per game.");
}

/// Legal moves by ply.
void add_branching(const ReportJson& results, Report& report) {
  constexpr int kLeastGames = 5;
  std::size_t longest = 0;
  ReportJson series = ReportJson::array();
  for (const ReportJson& variant : results.at("variants")) {
    const ReportJson* const at = last_visits(variant);
    if (at == nullptr) continue;
    const ReportJson& by_ply = at->at("branching").at("by_ply");
    ReportJson values = ReportJson::array();
    for (std::size_t ply = 0; ply < by_ply.at("mean").size(); ++ply)
      if (by_ply.at("games").at(ply).get<int>() >= kLeastGames)
        values.push_back(shown_number(number_of(by_ply.at("mean").at(ply)), 3));
    longest = std::max(longest, values.size());
    series.push_back({{"name", variant.at("variant")}, {"values", std::move(values)}});
  }
  if (longest < 2) return;
  ReportJson plies = ReportJson::array();
  for (std::size_t ply = 0; ply < longest; ++ply)
    plies.push_back(ply);
  for (ReportJson& one : series)
    while (one["values"].size() < longest)
      one["values"].push_back(nullptr);
  ReportJson section = report_section("curves", "Legal moves");
  section["axes"] = {{{"name", "ply"}, {"values", std::move(plies)}}};
  section["charts"] = {
      {{"title", "Mean number of legal moves"},
       {"unit", ""},
       {"note", fmt::format("At the most visits, as long as {} games last.", kLeastGames)},
       {"series", std::move(series)}}};
  report.sections.push_back(std::move(section));
}

void add_moves(const ReportJson& results, Report& report) {
  for (const ReportJson& variant : results.at("variants")) {
    const ReportJson* const at = last_visits(variant);
    if (at == nullptr) continue;
    ReportJson rows = ReportJson::array();
    for (const ReportJson& use : at->at("moves")) {
      const bool is_played = use.at("played") != ReportJson({0, 0});
      if (!is_played || (use.contains("of") && use.at("general").get<bool>())) continue;
      if (use.at("played") == use.at("turns") && !use.contains("of")) continue;
      rows.push_back(
          {use.at("move"), mean_text(use.at("per_game")),
           use.at("chosen").is_null() ? "-" : percent_text(number_of(use.at("chosen").at("value"))),
           share_cell(use.at("first_mover_share")), share_cell(use.at("winner_share"))});
    }
    if (rows.empty()) continue;
    report.sections.push_back(
        table_section("Special moves: " + variant.at("variant").get<std::string>(),
                      {{"move", Code},
                       {"per game", Number},
                       {"when possible", Number},
                       {"by the first mover (95 %)", Interval, 0, 1, 0.5},
                       {"by the winner (95 %)", Interval, 0, 1, 0.5}},
                      std::move(rows),
                      "Kinds of moves (the predicates of strategies) among the moves played at the "
                      "most visits."));
  }
}

/// A table of piece values in log odds and, of the whole board, in pawns.
void add_pieces(const ReportJson& results, Report& report) {
  for (const ReportJson& variant : results.at("variants")) {
    const ReportJson* const at = last_visits(variant);
    if (at == nullptr) continue;
    const ReportJson& pieces = at->at("pieces");
    const std::string name = variant.at("variant").get<std::string>();
    if (pieces.contains("missing")) {
      report.notices.push_back(
          fmt::format("{}: no piece values: {}.", name, pieces.at("missing").get<std::string>()));
      continue;
    }
    ReportJson rows = ReportJson::array();
    double low = 0, high = 0;
    for (const std::string part : {"whole_board", "by_region"})
      for (const ReportJson& worth : pieces.at(part)) {
        const ReportJson& odds = worth.at("log_odds");
        const double from = number_of(odds.at("interval_95").at(0));
        const double to = number_of(odds.at("interval_95").at(1));
        low = std::min(low, from);
        high = std::max(high, to);
        std::string pawns = worth.contains("region") ? "-" : text_of(worth.at("pawns"), 2);
        if (const auto range = worth.find("pawns_95"); range != worth.end() && range->is_array())
          pawns += fmt::format(" ({:.1f} to {:.1f})", range->at(0).get<double>(),
                               range->at(1).get<double>());
        rows.push_back({worth.at("piece"), worth.value("region", "whole board"),
                        interval_cell(number_of(odds.at("value")), from, to,
                                      fmt::format("{:.2f} ({:.2f} to {:.2f})",
                                                  number_of(odds.at("value")), from, to)),
                        pawns, grouped(worth.at("games").get<std::uint64_t>())});
      }
    report.sections.push_back(table_section(
        "Piece values: " + name,
        {{"piece", Text},
         {"where", Text},
         {"log odds of the result (95 %)", Interval, low, high, 0.0},
         {"in pawns (95 %)", Number},
         {"games", Number}},
        std::move(rows),
        fmt::format("From {} of {}; \"games\" are those in which the sides' numbers differ.",
                    counted(pieces.at("positions").get<int>(), "quiet position"),
                    counted(pieces.at("games").get<int>(), "game"))));
  }
}

ReportJson size_table(const ReportJson& results) {
  ReportJson rows = ReportJson::array();
  for (const ReportJson& variant : results.at("variants")) {
    const ReportJson& size = variant.at("complexity");
    if (size.is_null()) continue;
    std::vector<std::string> perft;
    for (const ReportJson& nodes : size.at("perft"))
      perft.push_back(grouped(nodes.get<std::uint64_t>()));
    const ReportJson* const at = last_visits(variant);
    rows.push_back({variant.at("variant"), fmt::format("{}", fmt::join(perft, " · ")),
                    text_of(size.at("growth"), 2),
                    at == nullptr ? "-" : text_of(at->at("branching").at("line_log10"), 1),
                    text_of(size.at("typical_tree_log10"), 1), text_of(size.at("tree_log10"), 1)});
  }
  return table_section(
      "Size",
      {{"variant", Code},
       {"perft", Text},
       {"growth per ply", Number},
       {"log10 of lines, by the branching of the games played", Number},
       {"log10 of lines as long as the median game", Number},
       {"log10 of all lines", Number}},
      std::move(rows),
      "The last two are estimated from random games. The number of all lines is very "
      "uncertain (docs/surveys.md).");
}

ReportJson settings_table(const ReportJson& settings) {
  ReportJson rows = ReportJson::array();
  for (const auto& [key, value] : settings.items()) {
    if (key == "variants")
      for (const ReportJson& surveyed : value)
        rows.push_back({surveyed.at("variant"), surveyed.at("player")});
    else
      rows.push_back({key, value.is_string() ? value.get<std::string>() : json_text(value)});
  }
  return table_section("Settings", {{"key", Code}, {"value", Code}}, std::move(rows),
                       "As in survey.json.");
}

/// Says which games repeat others.
void add_notices_of_repeated_games(const ReportJson& results, Report& report) {
  for (const ReportJson& variant : results.at("variants"))
    for (const ReportJson& at : variant.at("visits")) {
      const int games = at.at("games").get<int>();
      const int distinct = at.at("distinct").get<int>();
      if (distinct < kLeastDistinct * games)
        report.notices.push_back(fmt::format(
            "{} at {}: only {} of {} games differ, so that intervals are too narrow; a survey with "
            "a higher --temperature or more --temperature-plies avoids it.",
            variant.at("variant").get<std::string>(),
            counted(at.at("visits").get<std::int64_t>(), "visit"), distinct, games));
    }
}

/// The first variant of an order and all that cannot be told from it; "not decided" if these are
/// all.
std::string leaders_text(const ReportJson& order) {
  std::vector<std::string> leaders;
  for (const ReportJson& entry : order)
    if (!entry.at("differs_from_first").get<bool>())
      leaders.push_back(entry.at("variant").get<std::string>());
  return leaders.size() == order.size() ? "not decided"
                                        : fmt::format("{}", fmt::join(leaders, " or "));
}

ReportJson figures_section(const ReportJson& results) {
  std::vector<ReportFact> facts = {
      {"Variants", std::to_string(results.at("variants").size())},
      {"Games", grouped(results.at("finished_games").get<std::uint64_t>()),
       fmt::format("of {} planned", grouped(results.at("planned_games").get<std::uint64_t>()))}};
  const ReportJson& fairness = results.at("fairness");
  if (fairness.is_null()) return facts_section("Figures", facts, "");
  facts.push_back(
      {"Fairest", leaders_text(fairness), "by the first mover's score at the most visits"});
  facts.push_back({"Most decisive", leaders_text(results.at("decisiveness")),
                   "by the share of decided games at the most visits"});
  return facts_section(
      "Figures", facts,
      "Variants that cannot be distinguished from the best one at 95 % are named with it.");
}

void add_results(const ReportJson& results, Report& report) {
  report.sections.push_back(figures_section(results));
  add_notices_of_repeated_games(results, report);
  report.sections.push_back(results_table(results));
  add_growth(results, report);
  report.sections.push_back(play_table(results));
  add_branching(results, report);
  add_moves(results, report);
  add_pieces(results, report);
  report.sections.push_back(size_table(results));
}

/// The games that count of each variant at the most visits; of all together `options.games` are
/// shown.
void add_games(const fs::path& folder, const SurveySettings& settings, const ReportOptions& options,
               Report& report) {
  std::vector<TextGames> games(settings.variants.size());
  const std::size_t per_variant = settings.visits.size();
  SurveyGames read;
  try {
    read = read_survey_games(settings, folder);
  } catch (const ExperimentError& error) {
    report.notices.emplace_back(error.what());
  }
  std::ranges::copy(read.notices, std::back_inserter(report.notices));
  std::set<GamePlace> places;
  for (const auto& [place, game] : read.games)
    places.insert(place);
  const std::set<GamePlace> counting = places_that_count(places, read.unreadable);
  for (const std::string& notice :
       uncounted_notices(static_cast<int>(read.notices.size()),
                         static_cast<int>(places.size() - counting.size())))
    report.notices.push_back(notice + '.');
  for (const GamePlace& place : counting) {
    const auto bout = static_cast<std::size_t>(place.bout);
    if (bout % per_variant == per_variant - 1)
      games[bout / per_variant].add(std::move(read.games.at(place)));
  }
  std::size_t with_games = 0;
  for (const TextGames& one : games)
    if (!one.games().empty()) ++with_games;
  std::size_t number = 0;  // of those with games
  for (std::size_t i = 0; i < games.size(); ++i) {
    if (games[i].games().empty()) continue;
    const std::size_t shown =
        options.games / with_games + (number < options.games % with_games ? 1 : 0);
    ++number;
    add_game_sections(games[i], find_game(settings.variants[i].variant),
                      {.titles = games.size() > 1 ? ": " + settings.variants[i].variant : "",
                       .random_moves = "Moves marked as random belong to the openings."},
                      {.games = shown}, report);
  }
}

void fill(const fs::path& folder, const ReportOptions& options, Report& report) {
  const SurveySettings settings = read_survey(survey_settings_file(folder));
  report.subtitle =
      "survey of " + (settings.variants.size() == 1 ? settings.variants[0].variant
                                                    : counted(settings.variants.size(), "variant"));
  if (settings.variants.empty() || settings.visits.empty())
    throw ReportError(survey_settings_file(folder).string() + ": names no variants or no visits");
  try {
    const auto results = read_results(folder);
    if (!results)
      report.notices.push_back(
          fmt::format("There are no results yet: 'faultline survey {} --summary' computes them.",
                      folder.string()));
    else
      add_results(*results, report);
  } catch (const ReportJson::exception&) {
    throw ReportError(fmt::format(
        "{}: is damaged or of another version; 'faultline survey {} --summary' writes it anew",
        survey_results_file(folder).string(), folder.string()));
  }
  add_games(folder, settings, options, report);
  report.sections.push_back(settings_table(ReportJson(to_json(settings))));
}

}  // namespace

ReportSource survey_report_source() {
  return {.name = "survey",
          .description = "a survey's folder (with survey.json)",
          .is_one = is_survey,
          .fill = fill};
}

}  // namespace faultline
