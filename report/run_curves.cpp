// The curves of a training run.
#include "report/run_curves.h"

#include <cmath>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace faultline {
namespace {

/// Lines of metrics.jsonl that a page gets: more would be finer than its pixels.
constexpr std::size_t kMostPoints = 600;

struct Metric {
  std::string name;
  std::string key;
  std::string style = {};  // Series::style
};

struct MetricChart {
  std::string title;
  std::string note;
  std::string unit;  // Chart::unit
  std::vector<Metric> metrics;
};

const std::vector<MetricChart>& charts() {
  static const std::vector<MetricChart> kCharts = {
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

}  // namespace

Section curves_section(const Metrics& metrics) {
  const Metrics thin = metrics.thinned(kMostPoints);
  Curves curves;
  for (const auto& [name, key] :
       std::vector<std::pair<std::string, std::string>>{{"time", "seconds"},
                                                        {"steps", "steps"},
                                                        {"games", "games"},
                                                        {"positions", "positions"},
                                                        {"evaluations", "evaluations"}})
    if (thin.has(key)) curves.axes.push_back({name, thin.column(key)});
  for (const MetricChart& one : charts()) {
    Chart chart{one.title, one.unit, one.note};
    for (const Metric& metric : one.metrics)
      if (thin.has(metric.key))
        chart.series.push_back(
            {.name = metric.name, .values = thin.column(metric.key), .style = metric.style});
    if (!chart.series.empty()) curves.charts.push_back(std::move(chart));
  }
  return {"Curves", std::move(curves)};
}

std::optional<Section> strength_section(const Metrics& metrics) {
  const std::vector<double>& measured = metrics.column("strength.steps");
  if (measured.empty()) return std::nullopt;
  // Every line has the last measurement; one counts where it first occurs.
  Axis steps{"steps", {}}, time{"time", {}};
  Series elo{"Elo", {}};
  double last = -1;
  for (std::size_t i = 0; i < measured.size(); ++i) {
    if (std::isnan(measured[i]) || measured[i] == last) continue;
    last = measured[i];
    const auto at = [&](std::string_view key) {
      const std::vector<double>& column = metrics.column(key);
      return column.empty() ? kNoNumber : column[i];
    };
    steps.values.push_back(last);
    time.values.push_back(at("seconds"));
    elo.values.push_back(at("strength.elo"));
    elo.low.push_back(at("strength.elo_95.0"));
    elo.high.push_back(at("strength.elo_95.1"));
  }
  return Section{
      "Strength while training",
      Curves{{steps, time},
             {{"Elo",
               "elo",
               "Elo relative to alphabeta?depth=1 of the nets that were measured, with 95 % "
               "intervals.",
               {elo}}}}};
}

}  // namespace faultline
