// Reports of studies.
#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/signed_text.h"
#include "base/text.h"
#include "lab/study.h"
#include "lab/study_results.h"
#include "play/game.h"
#include "report/game_frames.h"
#include "report/game_log.h"
#include "report/sources.h"
#include "report/text_games.h"

namespace faultline {
namespace {

namespace fs = std::filesystem;

/// A study with more combinations has curves only of those with the most visits.
constexpr std::size_t kMostCellsWithCurves = 6;

ReportJson figures(const StudyResults& results) {
  const StudySettings& settings = results.settings;
  const std::size_t comparisons = results.comparisons.size();
  return facts_section(
      "Figures",
      {{"Comparisons", fmt::format("{} of {} decided", results.decided(), comparisons),
        fmt::format("probability that any of these decisions is wrong: at most {:g} %",
                    100 * settings.alpha)},
       {"Games", grouped(static_cast<std::uint64_t>(results.games())),
        fmt::format("at most {} of each comparison", settings.games)},
       {"Participants", std::to_string(settings.arms.size()), "ways of playing"},
       {"Combinations", std::to_string(results.cells.size()),
        "of a variant, a net and a number of visits"}},
      settings.question);
}

/// A "matrix" section: the row's score against the column, and what is decided.
ReportJson cell_matrix(const StudyResults& results, std::size_t cell) {
  const auto& arms = results.settings.arms;
  const Interval white = results.white_interval(cell);
  ReportJson section = report_section(
      "matrix", results.cells[cell].name,
      fmt::format("The row's score against the column, and below it whether it is decided. White "
                  "scores {} (95 %: {:.1f} to {:.1f}).",
                  percent_text(results.white_score(cell)), 100 * white.low, 100 * white.high));
  section["names"] = ReportJson::array();
  for (const StudyArm& arm : arms)
    section["names"].push_back(arm.name);
  section["cells"] = ReportJson(arms.size(), ReportJson(arms.size(), ReportJson(nullptr)));
  for (const Comparison& one : results.comparisons) {
    if (one.cell != cell || one.games() == 0) continue;
    const auto add = [&](std::size_t row, std::size_t column, double score,
                         SequentialDecision decided) {
      section["cells"][row][column] = {
          {"share", shown_number(score)},
          {"text", percent_text(score, 0)},
          {"note", name(decided)},
          {"title", fmt::format("{} against {}: {} of {}", arms[row].name, arms[column].name,
                                percent_text(score), counted(one.games(), "game"))}};
    };
    using enum SequentialDecision;
    const SequentialDecision turned = one.decision == FirstBetter    ? SecondBetter
                                      : one.decision == SecondBetter ? FirstBetter
                                                                     : one.decision;
    add(one.arms[0], one.arms[1], one.mean_score(), one.decision);
    add(one.arms[1], one.arms[0], 1 - one.mean_score(), turned);
  }
  return section;
}

ReportJson standings_table(const StudyResults& results, std::size_t cell) {
  const auto& arms = results.settings.arms;
  ReportJson rows = ReportJson::array();
  double low = 0, high = 0;
  for (const Standing& one : results.standings[cell]) {
    low = std::min(low, one.elo_95.low);
    high = std::max(high, one.elo_95.high);
    rows.push_back({arms[one.arm].name,
                    interval_cell(one.elo, one.elo_95.low, one.elo_95.high, signed_text(one.elo)),
                    percent_text(one.score.points() / one.score.games()),
                    std::to_string(one.score.games()),
                    fmt::format("+{} ={} -{}", one.score.wins, one.score.draws, one.score.losses)});
  }
  using enum ReportColumn::Kind;
  return table_section(
      fmt::format("Elo: {}", results.cells[cell].name),
      {{"participant"},
       {fmt::format("Elo above {}", arms[results.reference()].name), Interval, low, high, 0},
       {"score", Number},
       {"games", Number},
       {"result", Number}},
      std::move(rows),
      "Computed from all games of this combination by the model of Bradley, Terry and Davidson, "
      "with 95 % intervals. The comparisons, not these estimates, say what is decided.");
}

ReportJson comparisons_table(const StudyResults& results) {
  ReportJson rows = ReportJson::array();
  for (const Comparison& one : results.comparisons) {
    if (one.games() == 0) continue;
    rows.push_back({results.cells[one.cell].name, arms_text(results.settings, one),
                    interval_cell(one.mean_score(), one.score_interval.low, one.score_interval.high,
                                  percent_text(one.mean_score())),
                    elo_text(one.mean_score(), one.score_interval), std::to_string(one.games()),
                    percent_text(one.draw_share(), 0), fmt::format("{:.0f}", one.mean_plies()),
                    name(one.decision)});
  }
  using enum ReportColumn::Kind;
  return table_section(
      "Comparisons",
      {{"combination"},
       {"participants"},
       {"score", Interval, 0, 1, 0.5},
       {"Elo", Number},
       {"games", Number},
       {"draws", Number},
       {"plies", Number},
       {"the first is"}},
      std::move(rows),
      fmt::format("All intervals hold at once, at any time, with a probability of {:g} %.",
                  100 * (1 - results.settings.alpha)));
}

ReportJson contrasts_table(const StudyResults& results) {
  ReportJson rows = ReportJson::array();
  for (const Contrast& contrast : results.contrasts) {
    const Comparison& low = results.comparisons[contrast.low];
    const Comparison& high = results.comparisons[contrast.high];
    rows.push_back({arms_text(results.settings, low), results.cells[low.cell].name,
                    percent_text(low.mean_score()), results.cells[high.cell].name,
                    percent_text(high.mean_score())});
  }
  using enum ReportColumn::Kind;
  return table_section(
      "Where results differ",
      {{"participants"}, {"lower in"}, {"score", Number}, {"higher in"}, {"score", Number}},
      std::move(rows),
      "The same comparison in combinations that differ in one thing, with intervals that do not "
      "overlap.");
}

std::string share(std::int64_t part, std::int64_t whole) {
  return whole == 0 ? "-" : percent_text(static_cast<double>(part) / static_cast<double>(whole), 0);
}

/// What each participant did in a combination: habits, then milestones.
ReportJson behaviour_table(const StudyResults& results, std::size_t cell) {
  const BehaviourNames& names = results.names[cell];
  ReportJson rows = ReportJson::array();
  std::vector<SideBehaviour> did;
  for (std::size_t arm = 0; arm < results.settings.arms.size(); ++arm)
    did.push_back(results.behaviour_of(cell, arm));
  const auto ply = [](const PlyCounts& counts) {
    const auto median = median_ply(counts);
    return median ? std::to_string(*median) : std::string("-");
  };
  for (std::size_t i = 0; i < names.habits.size(); ++i)
    for (std::size_t arm = 0; arm < did.size(); ++arm) {
      if (did[arm].games == 0) continue;
      const HabitCounts& habit = did[arm].habits.at(i);
      rows.push_back({names.habits[i].name, results.settings.arms[arm].name,
                      fmt::format("{:.2f}", static_cast<double>(total(habit.done)) /
                                                static_cast<double>(did[arm].games)),
                      share(total(habit.done), total(habit.possible)),
                      share(total(habit.first), did[arm].games), ply(habit.first)});
    }
  for (std::size_t i = 0; i < names.milestones.size(); ++i)
    for (std::size_t arm = 0; arm < did.size(); ++arm) {
      if (did[arm].games == 0) continue;
      const PlyCounts& reached = did[arm].milestones.at(i);
      rows.push_back({names.milestones[i], results.settings.arms[arm].name, "", "",
                      share(total(reached), did[arm].games), ply(reached)});
    }
  using enum ReportColumn::Kind;
  return table_section(
      "What they did: " + results.cells[cell].name,
      {{"turn or event"},
       {"participant"},
       {"per game", Number},
       {"where possible", Number},
       {"in games", Number},
       {"first ply", Number}},
      std::move(rows),
      "Turns of each participant against all others: how many per game; their share "
      "of the turns in which a legal move of this kind existed; the share of games "
      "with at least one; and the median ply of the first one in such games.");
}

ReportJson chart(const std::string& title, const std::string& unit, ReportJson series) {
  return {{"title", title}, {"unit", unit}, {"series", std::move(series)}};
}

/// A "curves" section: the participants' habits and measures over plies.
ReportJson behaviour_curves(const StudyResults& results, std::size_t cell) {
  const BehaviourNames& names = results.names[cell];
  ReportJson section = report_section(
      "curves", "By ply: " + results.cells[cell].name,
      fmt::format("For each participant against all others, in steps of {} plies; plain play is "
                  "dashed. Habits are shares of the turns in which a legal move of this kind "
                  "existed. The last step has all later plies.",
                  kBucketPlies));
  std::vector<SideBehaviour> did;
  std::size_t last = 0;  // bucket with positions
  for (std::size_t arm = 0; arm < results.settings.arms.size(); ++arm) {
    did.push_back(results.behaviour_of(cell, arm));
    for (std::size_t bucket = 0; bucket < kBuckets; ++bucket)
      if (did[arm].positions.at(bucket) > 0) last = std::max(last, bucket);
  }
  ReportJson plies = ReportJson::array();
  for (std::size_t bucket = 0; bucket <= last; ++bucket)
    plies.push_back(bucket * kBucketPlies);
  section["axes"] = {{{"name", "ply"}, {"values", std::move(plies)}}};
  section["charts"] = ReportJson::array();
  const auto series_of = [&](const auto& value_in) {
    ReportJson all = ReportJson::array();
    for (std::size_t arm = 0; arm < did.size(); ++arm) {
      if (did[arm].games == 0) continue;
      ReportJson values = ReportJson::array();
      bool any = false;
      for (std::size_t bucket = 0; bucket <= last; ++bucket) {
        values.push_back(value_in(did[arm], bucket));
        any = any || !values.back().is_null();
      }
      if (!any) continue;
      all.push_back({{"name", results.settings.arms[arm].name}, {"values", std::move(values)}});
      if (results.settings.arms[arm].strategy.empty()) all.back()["style"] = "reference";
    }
    return all;
  };
  const auto ratio = [](double part, std::int64_t whole) {
    return whole == 0 ? ReportJson(nullptr) : shown_number(part / static_cast<double>(whole), 3);
  };
  for (std::size_t i = 0; i < names.habits.size(); ++i) {
    ReportJson series = series_of([&](const SideBehaviour& side, std::size_t bucket) {
      const HabitCounts& habit = side.habits.at(i);
      return ratio(static_cast<double>(habit.done.at(bucket)), habit.possible.at(bucket));
    });
    if (!series.empty())
      section["charts"].push_back(chart(names.habits[i].name, "share", std::move(series)));
  }
  for (std::size_t i = 0; i < names.measures.size(); ++i)
    section["charts"].push_back(
        chart(fmt::format("{} ({})", names.measures[i].name, names.measures[i].unit), "",
              series_of([&](const SideBehaviour& side, std::size_t bucket) {
                return ratio(side.measured.at(i).at(bucket), side.positions.at(bucket));
              })));
  return section;
}

void add_games(const StudyResults& results, const GameLog& log, const fs::path& folder,
               const ReportOptions& options, Report& report) {
  const std::vector<ChosenGame> chosen = choose_games(log, options.games);
  std::set<std::size_t> numbers;
  for (const ChosenGame& game : chosen)
    numbers.insert(game.number);
  ReportJson shown = report_section("games", "Games");
  shown["games"] = ReportJson::array();
  const std::vector<StudyGame> games = study_games(folder, results.settings, numbers);
  for (const ChosenGame& one : chosen) {
    const auto game = std::ranges::find(games, one.number, &StudyGame::number);
    if (game == games.end()) continue;
    const StudyCell& cell = results.cells[results.comparisons[game->comparison].cell];
    shown["games"].push_back(game_json(
        report.pictures, game->game,
        fmt::format("{}, {}", cell.name, name_of(game->game, one.number)),
        one.label.empty() ? fmt::format("{}, {}", cell.name, title_of(game->game, one.number))
                          : one.label));
  }
  if (!shown["games"].empty()) report.sections.push_back(std::move(shown));
  const std::vector<GameGroup> groups = {{"games", log.games()}};
  report.sections.push_back(ending_section(log, groups));
  report.sections.push_back(length_section(groups));
}

/// "strategies/hold-back.toml, searching with runs/a/nets/002000.pt".
std::string arm_text(const StudyArm& arm) {
  std::string text = arm.strategy.empty() ? "plain play" : "strategies/" + arm.name + ".toml";
  if (arm.net) text += ", searching with " + arm.net->player;
  return text;
}

ReportJson settings_table(const StudyResults& results) {
  StudySettings settings = results.settings;
  ReportJson rows = ReportJson::array();
  for (const StudyNet& net : settings.nets)
    rows.push_back({"net " + net.label, net.player});
  for (const StudyArm& arm : settings.arms)
    rows.push_back({"participant " + arm.name, arm_text(arm)});
  for (const Option& option : options(settings))
    if (option.name != "title" && option.name != "question")
      rows.push_back({option.name, value_text(option)});
  using enum ReportColumn::Kind;
  return table_section("Settings", {{"key", Code}, {"value", Code}}, std::move(rows),
                       "As in study.json.");
}

void fill(const fs::path& folder, const ReportOptions& options, Report& report) {
  GameLog log;
  StudyResults results;
  try {
    results = study_results(folder, [&](const StudyGame& one) {
      const Game& rules = find_game(one.game.variant);
      const auto start =
          one.game.start_fen.empty() ? rules.start() : rules.from_fen(one.game.start_fen);
      log.add(logged_game(one.game, one.number, start->side_to_move(), log));
    });
  } catch (const ExperimentError& error) {
    throw ReportError(error.what());
  }
  report.title = results.settings.title;
  report.subtitle = fmt::format("study of {}", fmt::join(results.settings.variants, ", "));
  report.notices.insert(report.notices.end(), results.notices.begin(), results.notices.end());
  report.sections.push_back(figures(results));
  if (results.games() == 0) {
    report.notices.emplace_back("No comparison has been tested yet: there are no results.");
  } else {
    int most_visits = 0;
    for (const StudyCell& cell : results.cells)
      most_visits = std::max(most_visits, cell.visits);
    report.sections.push_back(comparisons_table(results));
    if (!results.contrasts.empty()) report.sections.push_back(contrasts_table(results));
    for (std::size_t cell = 0; cell < results.cells.size(); ++cell) {
      if (std::ranges::none_of(results.comparisons, [&](const Comparison& one) {
            return one.cell == cell && one.games() > 0;
          }))
        continue;
      report.sections.push_back(cell_matrix(results, cell));
      report.sections.push_back(standings_table(results, cell));
      report.sections.push_back(behaviour_table(results, cell));
      if (results.cells.size() <= kMostCellsWithCurves || results.cells[cell].visits == most_visits)
        report.sections.push_back(behaviour_curves(results, cell));
    }
    add_games(results, log, folder, options, report);
  }
  report.sections.push_back(settings_table(results));
}

}  // namespace

ReportSource study_report_source() {
  return {.name = "study",
          .description = "a study's folder (with study.json)",
          .is_one = is_study,
          .fill = fill};
}

}  // namespace faultline
