// A study's results as text and as JSON.
#include <algorithm>
#include <cmath>
#include <iterator>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/signed_text.h"
#include "base/text.h"
#include "base/text_table.h"
#include "lab/opening_source.h"
#include "lab/study_results.h"

namespace faultline {
namespace {

using Json = nlohmann::ordered_json;

std::string percent(double share) {
  return fmt::format("{:.1f} %", 100 * share);
}

Json finite(double value) {
  return std::isfinite(value) ? Json(value) : Json(nullptr);
}

std::string interval_text(const Interval& interval) {
  return fmt::format("{:.1f} to {:.1f}", 100 * interval.low, 100 * interval.high);
}

std::string share_text(std::int64_t part, std::int64_t whole) {
  return whole == 0 ? "-"
                    : fmt::format("{:.0f} %",
                                  100.0 * static_cast<double>(part) / static_cast<double>(whole));
}

std::string per_game(std::int64_t count, std::int64_t games) {
  return games == 0
             ? "-"
             : fmt::format("{:.2f}", static_cast<double>(count) / static_cast<double>(games));
}

void add_comparisons(const StudyResults& results, std::size_t cell, std::string& text) {
  TextTable table(
      {"participant", "against", "games", "score", "interval", "Elo", "draws", "plies", ""}, 2);
  for (const Comparison& one : results.comparisons) {
    if (one.cell != cell) continue;
    const auto& arms = results.settings.arms;
    if (one.games() == 0) {
      table.add({arms[one.arms[0]].name, arms[one.arms[1]].name, "0"});
      continue;
    }
    table.add({arms[one.arms[0]].name, arms[one.arms[1]].name, std::to_string(one.games()),
               percent(one.mean_score()), interval_text(one.score_interval),
               elo_text(one.mean_score(), one.score_interval), percent(one.draw_share()),
               fmt::format("{:.0f}", one.mean_plies()), name(one.decision)});
  }
  text += table.text();
}

/// "+79 (+15 to +147)"; "0" for the reference.
std::string rating_text(const StudyResults& results, const Standing& standing) {
  if (standing.arm == results.reference()) return "0";
  return fmt::format("{} ({} to {})", signed_text(standing.elo), signed_text(standing.elo_95.low),
                     signed_text(standing.elo_95.high));
}

void add_standings(const StudyResults& results, std::size_t cell, std::string& text) {
  const auto& arms = results.settings.arms;
  TextTable table({"participant", "games", "score", "result",
                   fmt::format("Elo above {} (95 %)", arms[results.reference()].name)});
  for (const Standing& one : results.standings[cell])
    table.add({arms[one.arm].name, std::to_string(one.score.games()),
               percent(one.score.points() / one.score.games()),
               fmt::format("+{} ={} -{}", one.score.wins, one.score.draws, one.score.losses),
               rating_text(results, one)});
  text += '\n';
  text += table.text();
}

void add_behaviour(const StudyResults& results, std::size_t cell, std::string& text) {
  const BehaviourNames& names = results.names[cell];
  TextTable habits(
      {"habit", "participant", "per game", "of turns where possible", "in games", "first ply"}, 2);
  TextTable milestones({"milestone", "participant", "games", "median ply"}, 2);
  for (std::size_t i = 0; i < names.habits.size(); ++i)
    for (std::size_t arm = 0; arm < results.settings.arms.size(); ++arm) {
      const SideBehaviour did = results.behaviour_of(cell, arm);
      if (did.games == 0) continue;
      const HabitCounts& habit = did.habits.at(i);
      const auto first = median_ply(habit.first);
      habits.add({arm == 0 ? names.habits[i].name : "", results.settings.arms[arm].name,
                  per_game(total(habit.done), did.games),
                  share_text(total(habit.done), total(habit.possible)),
                  share_text(total(habit.first), did.games), first ? std::to_string(*first) : "-"});
    }
  for (std::size_t i = 0; i < names.milestones.size(); ++i)
    for (std::size_t arm = 0; arm < results.settings.arms.size(); ++arm) {
      const SideBehaviour did = results.behaviour_of(cell, arm);
      if (did.games == 0) continue;
      const auto median = median_ply(did.milestones.at(i));
      milestones.add({arm == 0 ? names.milestones[i] : "", results.settings.arms[arm].name,
                      share_text(total(did.milestones.at(i)), did.games),
                      median ? std::to_string(*median) : "-"});
    }
  text += '\n';
  text += habits.text();
  if (names.milestones.empty()) return;
  text += '\n';
  text += milestones.text();
}

Json behaviour_json(const BehaviourNames& names, const SideBehaviour& side) {
  Json json;
  json["games"] = side.games;
  json["turns"] = side.turns;
  json["habits"] = Json::array();
  for (std::size_t i = 0; i < side.habits.size(); ++i) {
    const auto median = median_ply(side.habits[i].first);
    json["habits"].push_back({{"name", names.habits[i].name},
                              {"possible", side.habits[i].possible},
                              {"done", side.habits[i].done},
                              {"games", total(side.habits[i].first)},
                              {"first_ply_median", median ? Json(*median) : Json(nullptr)}});
  }
  json["measures"] = Json::array();
  for (std::size_t i = 0; i < side.measured.size(); ++i) {
    Json means = Json::array();
    for (std::size_t bucket = 0; bucket < kBuckets; ++bucket)
      means.push_back(
          side.positions.at(bucket) == 0
              ? Json(nullptr)
              : Json(side.measured[i].at(bucket) / static_cast<double>(side.positions.at(bucket))));
    json["measures"].push_back({{"name", names.measures[i].name},
                                {"unit", names.measures[i].unit},
                                {"means", std::move(means)}});
  }
  json["milestones"] = Json::array();
  for (std::size_t i = 0; i < side.milestones.size(); ++i) {
    const auto median = median_ply(side.milestones[i]);
    json["milestones"].push_back({{"name", names.milestones[i]},
                                  {"games", total(side.milestones[i])},
                                  {"ply_median", median ? Json(*median) : Json(nullptr)}});
  }
  return json;
}

}  // namespace

std::string arms_text(const StudySettings& settings, const Comparison& comparison) {
  return fmt::format("{} against {}", settings.arms[comparison.arms[0]].name,
                     settings.arms[comparison.arms[1]].name);
}

std::string elo_text(double score, const Interval& interval) {
  const double elo = elo_of_score(score);
  return fmt::format("{} [{} to {}]", std::isfinite(elo) ? signed_text(elo) : "-",
                     signed_text(elo_of_score(interval.low)),
                     signed_text(elo_of_score(interval.high)));
}

Json to_json(const StudyResults& results) {
  const StudySettings& settings = results.settings;
  Json json;
  json["format"] = 1;
  json["title"] = settings.title;
  json["question"] = settings.question;
  json["alpha"] = settings.alpha;
  json["games"] = results.games();
  json["bucket_plies"] = kBucketPlies;
  json["cells"] = Json::array();
  for (std::size_t i = 0; i < results.cells.size(); ++i) {
    const StudyCell& cell = results.cells[i];
    const StudyNet& net = settings.nets[cell.net];
    const Interval white = results.white_interval(i);
    json["cells"].push_back({{"variant", cell.variant},
                             {"net", net.label},
                             {"player", net.player},
                             {"weights", net.weights},
                             {"visits", cell.visits},
                             {"games_in", cell.place},
                             {"white_score", results.white_score(i)},
                             {"white_score_95", {white.low, white.high}}});
  }
  json["comparisons"] = Json::array();
  for (const Comparison& one : results.comparisons) {
    const auto& names = results.names[one.cell];
    json["comparisons"].push_back(
        {{"cell", one.cell},
         {"first", settings.arms[one.arms[0]].name},
         {"second", settings.arms[one.arms[1]].name},
         {"games", one.games()},
         {"wins", one.score.wins},
         {"draws", one.score.draws},
         {"losses", one.score.losses},
         {"pairs", one.pairs},
         {"score", one.mean_score()},
         {"score_interval", {one.score_interval.low, one.score_interval.high}},
         {"elo", finite(elo_of_score(one.mean_score()))},
         {"elo_interval",
          {finite(elo_of_score(one.score_interval.low)),
           finite(elo_of_score(one.score_interval.high))}},
         {"p", anytime_p(one.pairs)},
         {"decision", name(one.decision)},
         {"mean_plies", one.mean_plies()},
         {"cut", one.cut},
         {"endings", one.endings},
         {"behaviour",
          {behaviour_json(names, one.behaviour[0]), behaviour_json(names, one.behaviour[1])}}});
  }
  json["standings"] = Json::array();
  for (std::size_t cell = 0; cell < results.cells.size(); ++cell)
    for (const Standing& one : results.standings[cell])
      json["standings"].push_back({{"cell", cell},
                                   {"arm", settings.arms[one.arm].name},
                                   {"games", one.score.games()},
                                   {"wins", one.score.wins},
                                   {"draws", one.score.draws},
                                   {"losses", one.score.losses},
                                   {"elo", one.elo},
                                   {"elo_95", {finite(one.elo_95.low), finite(one.elo_95.high)}}});
  json["contrasts"] = Json::array();
  for (const Contrast& contrast : results.contrasts)
    json["contrasts"].push_back({{"low", contrast.low}, {"high", contrast.high}});
  return json;
}

std::string study_text(const StudyResults& results) {
  const StudySettings& settings = results.settings;
  std::string text = fmt::format("{}\n", settings.title);
  const auto out = std::back_inserter(text);
  if (!settings.question.empty()) fmt::format_to(out, "{}\n", settings.question);
  for (std::size_t cell = 0; cell < results.cells.size(); ++cell) {
    int games = 0;
    for (const Comparison& one : results.comparisons)
      if (one.cell == cell) games += one.games();
    fmt::format_to(out, "\n{}\n\n", results.cells[cell].name);
    if (games == 0) {
      text += "  No comparison has been tested yet.\n";
      continue;
    }
    add_comparisons(results, cell, text);
    add_standings(results, cell, text);
    const Interval white = results.white_interval(cell);
    fmt::format_to(out, "\n  White scores {} (95 %: {:.1f} to {:.1f}).\n",
                   percent(results.white_score(cell)), 100 * white.low, 100 * white.high);
    add_behaviour(results, cell, text);
  }
  if (!results.contrasts.empty()) text += "\nDifferent results of one comparison:\n";
  for (const Contrast& contrast : results.contrasts) {
    const Comparison& low = results.comparisons[contrast.low];
    const Comparison& high = results.comparisons[contrast.high];
    fmt::format_to(out, "  {}: {} with {}, {} with {}\n", arms_text(settings, low),
                   percent(low.mean_score()), results.cells[low.cell].name,
                   percent(high.mean_score()), results.cells[high.cell].name);
  }
  fmt::format_to(
      out,
      "\nDecided: {} of {}, after {}. All intervals of scores and Elo hold at once, at any "
      "time,\nwith a probability of {:g} %. Openings: {}, each "
      "played with both colours.\n",
      results.decided(), counted(results.comparisons.size(), "comparison"),
      counted(results.games(), "game"), 100 * (1 - settings.alpha),
      describe(recorded_opening_source(settings.openings)));
  return text;
}

}  // namespace faultline
