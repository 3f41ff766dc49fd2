// Reports of studies.
#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "lab/study.h"
#include "lab/study_document.h"
#include "lab/study_results.h"
#include "play/game.h"
#include "report/game_log.h"
#include "report/sources.h"
#include "report/text_games.h"

namespace faultline {
namespace {

namespace fs = std::filesystem;

void add_games(const StudyResults& results, const GameLog& log, const fs::path& folder,
               const ReportOptions& options, Report& report) {
  std::set<std::size_t> numbers;
  for (const ChosenGame& game : choose_games(log, options.games))
    numbers.insert(game.number);
  const std::vector<StudyGame> games = study_games(folder, results.settings, numbers);
  const auto read = [&](std::uint64_t number) {
    const auto found = std::ranges::find(games, number, &StudyGame::number);
    if (found == games.end()) throw ExperimentError(fmt::format("game {} has gone", number + 1));
    const std::string& cell = results.cells[results.comparisons[found->comparison].cell].name;
    return ShownGame{found->game, cell + ", " + name_of(found->game, number),
                     cell + ", " + title_of(found->game, number)};
  };
  add_game_sections({.log = log, .read = read, .groups = {{"games", log.games()}}}, options.games,
                    report);
}

/// "strategies/hold-back.toml, searching with runs/a/nets/002000.pt".
std::string arm_text(const StudyArm& arm) {
  std::string text = arm.strategy.empty() ? "plain play" : "strategies/" + arm.name + ".toml";
  if (arm.net) text += ", searching with " + arm.net->player;
  return text;
}

SettingsRows settings_rows(StudySettings settings) {
  SettingsRows rows;
  for (const StudyNet& net : settings.nets)
    rows.emplace_back("net " + net.label, net.player);
  for (const StudyArm& arm : settings.arms)
    rows.emplace_back("participant " + arm.name, arm_text(arm));
  for (const Option& option : options(settings))
    if (option.name != "title" && option.name != "question")
      rows.emplace_back(option.name, value_text(option));
  return rows;
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
  report.add(study_document(results));
  if (results.games() > 0) add_games(results, log, folder, options, report);
  report.add(settings_section(settings_rows(results.settings), "study.json"));
}

}  // namespace

ReportSource study_report_source() {
  return {.name = "study",
          .description = "a study's folder (with study.json)",
          .is_one = is_study,
          .fill = fill};
}

}  // namespace faultline
