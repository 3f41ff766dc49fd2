// The curves of a training run.
#include "report/run_curves.h"

#include <cmath>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace faultline {
namespace {

/// Lines of metrics.jsonl that a page gets: more would be finer than its pixels.
constexpr std::size_t kMostPoints = 600;

struct Series {
  std::string name;
  std::string key;
  std::string style = {};  // "reference": a line to compare with; "white", "draw", "black"
};

struct Chart {
  std::string title;
  std::string note;
  std::string unit;  // "share", "elo", "nats", "per second", "plies", ""
  std::vector<Series> series;
};

const std::vector<Chart>& charts() {
  static const std::vector<Chart> kCharts = {
      {"Policy loss",
       "Cross-entropy of the moves. The targets' own entropy is the least that it can be.",
       "nats",
       {{"training", "loss.policy"},
        {"held out", "held_out_policy"},
        {"entropy of the targets", "loss.policy_entropy", "reference"}}},
      {"Value loss",
       "Cross-entropy of win, draw and loss. Held out: games that the net had not learned from. "
       "The "
       "constant predictor knows how often games are won and drawn, and nothing of the position.",
       "nats",
       {{"training", "loss.value"},
        {"held out", "held_out_value"},
        {"constant predictor", "constant_value", "reference"}}},
      {"Results of self-play",
       "Shares of the games that ended in each interval.",
       "share",
       {{"White wins", "white_wins", "white"},
        {"draws", "draws", "draw"},
        {"Black wins", "black_wins", "black"},
        {"draws that were cut at the ply limit", "cut", "reference"}}},
      {"Length of games", "", "plies", {{"mean", "mean_plies"}}},
      {"Correct predictions",
       "Shares of the training positions in which the net's first choice was the target's.",
       "share",
       {{"move", "loss.policy_accuracy"}, {"result", "loss.value_accuracy"}}},
      {"Self-play speed",
       "",
       "per second",
       {{"evaluations", "evaluations_per_second"}, {"visits", "visits_per_second"}}},
      {"Training speed",
       "",
       "per second",
       {{"steps", "steps_per_second"}, {"games", "games_per_second"}}},
      {"Learning rate", "", "", {{"learning rate", "learning_rate"}}},
  };
  return kCharts;
}

ReportJson values_json(const std::vector<double>& values) {
  ReportJson json = ReportJson::array();
  for (const double value : values)
    json.push_back(shown_number(value));
  return json;
}

}  // namespace

ReportJson curves_section(const Metrics& metrics) {
  const Metrics thin = metrics.thinned(kMostPoints);
  ReportJson section = report_section("curves", "Curves");
  section["axes"] = ReportJson::array();
  for (const auto& [name, key] :
       std::vector<std::pair<std::string, std::string>>{{"time", "seconds"},
                                                        {"steps", "steps"},
                                                        {"games", "games"},
                                                        {"positions", "positions"},
                                                        {"evaluations", "evaluations"}})
    if (thin.has(key)) {
      ReportJson values = ReportJson::array();
      for (const double value : thin.column(key))
        values.push_back(shown_number(value, 7));
      section["axes"].push_back({{"name", name}, {"values", std::move(values)}});
    }
  section["charts"] = ReportJson::array();
  for (const Chart& chart : charts()) {
    ReportJson series = ReportJson::array();
    for (const Series& one : chart.series) {
      if (!thin.has(one.key)) continue;
      ReportJson json = {{"name", one.name}, {"values", values_json(thin.column(one.key))}};
      if (!one.style.empty()) json["style"] = one.style;
      series.push_back(std::move(json));
    }
    if (series.empty()) continue;
    ReportJson json = {{"title", chart.title}, {"unit", chart.unit}};
    if (!chart.note.empty()) json["note"] = chart.note;
    json["series"] = std::move(series);
    section["charts"].push_back(std::move(json));
  }
  return section;
}

std::optional<ReportJson> strength_section(const Metrics& metrics) {
  const std::vector<double>& measured = metrics.column("strength.steps");
  if (measured.empty()) return std::nullopt;
  // Every line has the last measurement; one counts where it first occurs.
  ReportJson steps = ReportJson::array(), time = steps, elo = steps, low = steps, high = steps;
  double last = -1;
  for (std::size_t i = 0; i < measured.size(); ++i) {
    if (std::isnan(measured[i]) || measured[i] == last) continue;
    last = measured[i];
    const auto add = [&](ReportJson& values, std::string_view key, int digits) {
      const std::vector<double>& column = metrics.column(key);
      values.push_back(shown_number(column.empty() ? std::nan("") : column[i], digits));
    };
    steps.push_back(shown_number(last, 9));
    add(time, "seconds", 7);
    add(elo, "strength.elo", 4);
    add(low, "strength.elo_95.0", 4);
    add(high, "strength.elo_95.1", 4);
  }
  ReportJson section = report_section("curves", "Strength while training");
  section["axes"] = {{{"name", "steps"}, {"values", steps}}, {{"name", "time"}, {"values", time}}};
  section["charts"] = {
      {{"title", "Elo"},
       {"unit", "elo"},
       {"note",
        "Elo relative to alphabeta?depth=1 of the nets that were measured, with 95 % intervals."},
       {"series", {{{"name", "Elo"}, {"values", elo}, {"low", low}, {"high", high}}}}}};
  return section;
}

}  // namespace faultline
