// What a study found, as a document.
#include "lab/study_document.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/signed_text.h"
#include "base/text.h"
#include "lab/opening_source.h"

namespace faultline {
namespace {

using enum Column::Kind;

/// A study with more combinations has curves only of those with the most visits, or with none.
constexpr std::size_t kMostCellsWithCurves = 6;

double ratio(double part, std::int64_t whole) {
  return whole == 0 ? kNoNumber : part / static_cast<double>(whole);
}
double ratio(std::int64_t part, std::int64_t whole) {
  return ratio(static_cast<double>(part), whole);
}

/// "hold-back against plain".
std::string arms_text(const StudySettings& settings, const Comparison& comparison) {
  return fmt::format("{} against {}", settings.arms[comparison.arms[0]].name,
                     settings.arms[comparison.arms[1]].name);
}

Section figures(const StudyResults& results) {
  const StudySettings& settings = results.settings;
  return {"Figures",
          Facts{{"Comparisons",
                 {fmt::format("{} of {} decided", results.decided(), results.comparisons.size())},
                 fmt::format("probability that any of these decisions is wrong: at most {:g} %",
                             100 * settings.alpha)},
                {"Games", count_cell(results.games()),
                 fmt::format("at most {} of each comparison", settings.games)},
                {"Openings",
                 {describe(recorded_opening_source(settings.openings))},
                 "each played with both colours"},
                {"Participants", count_cell(static_cast<std::int64_t>(settings.arms.size())),
                 "ways of playing"},
                {"Combinations", count_cell(static_cast<std::int64_t>(results.cells.size())),
                 "of a variant, a net and a number of visits"}},
          settings.question};
}

Section comparisons_table(const StudyResults& results) {
  Table table{{{"combination"},
               {"participants"},
               share_column("score", 0.5),
               {"Elo", Number},
               {"games", Number},
               {"draws", Number},
               {"plies", Number},
               {"p", Number},
               {"the first is"}}};
  int cut = 0;
  for (const Comparison& one : results.comparisons) {
    if (one.games() == 0) continue;
    cut += one.cut;
    const auto& [low, high] = one.score_interval;
    const double p = anytime_p(one.pairs);
    Cell elo = elo_cell(elo_of_score(one.mean_score()), elo_of_score(low), elo_of_score(high));
    if (std::isinf(elo.value)) elo = {"-"};
    table.rows.push_back({{results.cells[one.cell].name},
                          {arms_text(results.settings, one)},
                          share_cell(one.mean_score(), low, high),
                          std::move(elo),
                          count_cell(one.games()),
                          share_cell(one.draw_share(), 0),
                          number_cell(one.mean_plies(), 0),
                          {fmt::format("{:.2g}", p), p},
                          {std::string(name(one.decision))}});
  }
  std::string note = fmt::format(
      "All intervals hold at once, at any time, with a probability of {:g} %; p is valid at any "
      "time.",
      100 * (1 - results.settings.alpha));
  if (cut > 0)
    note += fmt::format(" {} cut at the ply limit and {} as draws.",
                        cut == 1 ? "One game was" : fmt::format("{} games were", cut),
                        cut == 1 ? "counts" : "count");
  return {"Comparisons", std::move(table), std::move(note)};
}

Section contrasts_table(const StudyResults& results) {
  Table table{
      {{"participants"}, {"lower in"}, {"score", Number}, {"higher in"}, {"score", Number}}};
  for (const Contrast& contrast : results.contrasts) {
    const Comparison& low = results.comparisons[contrast.low];
    const Comparison& high = results.comparisons[contrast.high];
    table.rows.push_back({{arms_text(results.settings, low)},
                          {results.cells[low.cell].name},
                          share_cell(low.mean_score()),
                          {results.cells[high.cell].name},
                          share_cell(high.mean_score())});
  }
  return {
      "Where results differ", std::move(table),
      "The same comparison in combinations that differ in one thing, with intervals that do not "
      "overlap."};
}

SequentialDecision turned(SequentialDecision decision) {
  using enum SequentialDecision;
  return decision == FirstBetter ? SecondBetter : decision == SecondBetter ? FirstBetter : decision;
}

/// The row's score against the column, and what is decided.
Section cell_matrix(const StudyResults& results, std::size_t cell) {
  std::vector<std::string> names;
  for (const StudyArm& arm : results.settings.arms)
    names.push_back(arm.name);
  Matrix matrix(std::move(names));
  for (const Comparison& one : results.comparisons) {
    if (one.cell != cell || one.games() == 0) continue;
    const auto add = [&](std::size_t row, std::size_t column, double score,
                         SequentialDecision decided) {
      matrix.cells[row][column] = {
          score,
          {std::string(name(decided))},
          fmt::format("{} against {}: {} of {}", matrix.names[row], matrix.names[column],
                      share_cell(score).text, counted(one.games(), "game"))};
    };
    add(one.arms[0], one.arms[1], one.mean_score(), one.decision);
    add(one.arms[1], one.arms[0], 1 - one.mean_score(), turned(one.decision));
  }
  const Interval white = results.white_interval(cell);
  return {results.cells[cell].name, std::move(matrix),
          fmt::format("The row's score against the column, and whether it is decided. White scores "
                      "{}.",
                      share_cell(results.white_score(cell), white.low, white.high).text)};
}

Section standings_table(const StudyResults& results, std::size_t cell) {
  const auto& arms = results.settings.arms;
  Table table{{{"participant"},
               elo_column(fmt::format("Elo above {}", arms[results.reference()].name)),
               {"score", Number},
               {"games", Number},
               {"result", Number}}};
  for (const Standing& one : results.standings[cell])
    table.rows.push_back({{arms[one.arm].name},
                          one.arm == results.reference()
                              ? Cell{"0", 0, 0, 0}
                              : elo_cell(one.elo, one.elo_95.low, one.elo_95.high),
                          share_cell(one.score.points() / one.score.games()),
                          count_cell(one.score.games()),
                          {score_text(one.score)}});
  return {
      "Elo: " + results.cells[cell].name, std::move(table),
      "Computed from all games of this combination by the model of Bradley, Terry and Davidson, "
      "with 95 % intervals. The comparisons, not these estimates, say what is decided."};
}

/// An arm with games in a cell, and what it did there against all others.
struct ArmBehaviour {
  const StudyArm* arm;
  SideBehaviour did;
};

std::vector<ArmBehaviour> behaviours(const StudyResults& results, std::size_t cell) {
  std::vector<ArmBehaviour> all;
  for (std::size_t arm = 0; arm < results.settings.arms.size(); ++arm)
    if (SideBehaviour did = results.behaviour_of(cell, arm); did.games > 0)
      all.push_back({&results.settings.arms[arm], std::move(did)});
  return all;
}

/// What each participant did: habits, then milestones.
Section behaviour_table(const StudyResults& results, std::size_t cell,
                        const std::vector<ArmBehaviour>& arms) {
  const BehaviourNames& names = results.names[cell];
  const auto ply = [](const PlyCounts& counts) {
    const auto median = median_ply(counts);
    return median ? count_cell(*median) : Cell{"-"};
  };
  Table table{{{"turn or event"},
               {"participant"},
               {"per game", Number},
               {"where possible", Number},
               {"in games", Number},
               {"first ply", Number}}};
  for (std::size_t i = 0; i < names.habits.size(); ++i)
    for (const auto& [arm, did] : arms) {
      const HabitCounts& habit = did.habits.at(i);
      table.rows.push_back({{names.habits[i].name},
                            {arm->name},
                            number_cell(ratio(total(habit.done), did.games), 2),
                            share_cell(ratio(total(habit.done), total(habit.possible)), 0),
                            share_cell(ratio(total(habit.first), did.games), 0),
                            ply(habit.first)});
    }
  for (std::size_t i = 0; i < names.milestones.size(); ++i)
    for (const auto& [arm, did] : arms)
      table.rows.push_back({{names.milestones[i]},
                            {arm->name},
                            {},
                            {},
                            share_cell(ratio(total(did.milestones.at(i)), did.games), 0),
                            ply(did.milestones.at(i))});
  return {"What they did: " + results.cells[cell].name, std::move(table),
          "Turns of each participant against all others: how many per game; their share of the "
          "turns in which a legal move of this kind existed; the share of games with at least one; "
          "and the median ply of the first one in such games."};
}

/// The participants' habits and measures over plies.
Section behaviour_curves(const StudyResults& results, std::size_t cell,
                         const std::vector<ArmBehaviour>& arms) {
  const BehaviourNames& names = results.names[cell];
  std::size_t buckets = 1;  // up to the last with positions
  for (const ArmBehaviour& one : arms)
    for (std::size_t bucket = 0; bucket < kBuckets; ++bucket)
      if (one.did.positions.at(bucket) > 0) buckets = std::max(buckets, bucket + 1);
  Curves curves{{{"ply", {}}}};
  for (std::size_t bucket = 0; bucket < buckets; ++bucket)
    curves.axes[0].values.push_back(static_cast<double>(bucket * kBucketPlies));
  const auto add_chart = [&](Chart chart, const auto& value_in) {
    for (const auto& [arm, did] : arms) {
      Series series{arm->name, {}};
      for (std::size_t bucket = 0; bucket < buckets; ++bucket)
        series.values.push_back(value_in(did, bucket));
      if (arm->strategy.empty()) series.style = "reference";
      if (!std::ranges::all_of(series.values, [](double value) { return std::isnan(value); }))
        chart.series.push_back(std::move(series));
    }
    if (!chart.series.empty()) curves.charts.push_back(std::move(chart));
  };
  for (std::size_t i = 0; i < names.habits.size(); ++i)
    add_chart({names.habits[i].name, "share"}, [&](const SideBehaviour& did, std::size_t bucket) {
      const HabitCounts& habit = did.habits.at(i);
      return ratio(habit.done.at(bucket), habit.possible.at(bucket));
    });
  for (std::size_t i = 0; i < names.measures.size(); ++i)
    add_chart({fmt::format("{} ({})", names.measures[i].name, names.measures[i].unit)},
              [&](const SideBehaviour& did, std::size_t bucket) {
                return ratio(did.measured.at(i).at(bucket), did.positions.at(bucket));
              });
  return {
      "By ply: " + results.cells[cell].name, std::move(curves),
      fmt::format("For each participant against all others, in steps of {} plies; plain play is "
                  "dashed. Habits are shares of the turns in which a legal move of this kind "
                  "existed. The last step has all later plies.",
                  kBucketPlies),
      true};
}

}  // namespace

Document study_document(const StudyResults& results) {
  Document document{.kind = "study", .title = results.settings.title};
  std::vector<Section>& sections = document.sections;
  sections.push_back(figures(results));
  if (results.games() == 0) {
    document.notices.emplace_back("No comparison has been tested yet: there are no results.");
    return document;
  }
  sections.push_back(comparisons_table(results));
  if (!results.contrasts.empty()) sections.push_back(contrasts_table(results));
  const int most_visits = std::ranges::max_element(results.cells, {}, &StudyCell::visits)->visits;
  for (std::size_t cell = 0; cell < results.cells.size(); ++cell) {
    if (results.standings[cell].empty()) {
      document.notices.push_back(results.cells[cell].name + ": no comparison has been tested yet.");
      continue;
    }
    const std::vector<ArmBehaviour> arms = behaviours(results, cell);
    sections.push_back(cell_matrix(results, cell));
    sections.push_back(standings_table(results, cell));
    sections.push_back(behaviour_table(results, cell, arms));
    const int visits = results.cells[cell].visits;
    if (results.cells.size() <= kMostCellsWithCurves || visits == most_visits || visits == 0)
      sections.push_back(behaviour_curves(results, cell, arms));
  }
  return document;
}

}  // namespace faultline
