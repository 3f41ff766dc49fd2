// Begins, continues and plays a study.
#include "lab/study.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/atomic_file.h"

namespace faultline {
namespace {

namespace fs = std::filesystem;

constexpr const char* kFileOfPeople = "study.toml";
constexpr const char* kStrategies = "strategies";

std::string text_in(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// The strategies in the folder are what the players read.
void write_strategies(const StudySettings& settings, const fs::path& folder) {
  fs::create_directories(folder);
  for (const StudyArm& arm : settings.arms) {
    if (arm.strategy.empty()) continue;
    const fs::path file = folder / (arm.name + ".toml");
    if (!fs::exists(file))
      write_file_atomically(file, arm.strategy);
    else if (text_in(file) != arm.strategy)
      throw ExperimentError(fmt::format(
          "{}: was changed since the study was begun; games of two strategies would be mixed: "
          "remove the file, and it is restored, or begin another study",
          file.string()));
  }
}

}  // namespace

Study::Study(StudySettings settings, const fs::path& folder, const std::string& toml)
    : settings_(std::move(settings)), folder_(folder) {
  check(settings_);
  if (folder.string().find_first_of("?&") != std::string::npos)
    throw ExperimentError(
        fmt::format("{}: a study's folder cannot have '?' or '&' in its name", folder.string()));
  enter_folder(settings_, folder);
  cells_ = cells_of(settings_);
  write_strategies(settings_, folder / kStrategies);
  if (!toml.empty() && !fs::exists(folder / kFileOfPeople))
    write_file_atomically(folder / kFileOfPeople, toml);
  for (const StudyCell& cell : cells_) {
    const TournamentSettings tournament = tournament_of(settings_, cell, folder / kStrategies);
    const fs::path place = games_of(folder, cell);
    // The study's settings are what counts: a folder that was moved has other paths.
    write_settings(place / TournamentSettings::kind().file, to_json(tournament));
    tournaments_.push_back(std::make_unique<Tournament>(tournament, place));
  }
}

int Study::planned_games() const {
  int games = 0;
  for (const auto& tournament : tournaments_)
    games += tournament->planned_games();
  return games;
}

int Study::finished_games() const {
  int games = 0;
  for (const auto& tournament : tournaments_)
    games += tournament->finished_games();
  return games;
}

int Study::decided_comparisons() const {
  int decided = 0;
  for (const auto& tournament : tournaments_)
    decided += tournament->decided_pairings();
  return decided;
}

bool Study::complete() const {
  return std::ranges::all_of(tournaments_, [](const auto& one) { return one->complete(); });
}

std::vector<fs::path> Study::repaired() const {
  std::vector<fs::path> files;
  for (const auto& tournament : tournaments_)
    std::ranges::copy(tournament->repaired(), std::back_inserter(files));
  return files;
}

void Study::play(PlayerResources& resources, int threads, const ExperimentHooks& hooks) {
  const auto stopped = [&] { return hooks.stop && hooks.stop(); };
  for (int look = 0; look < settings_.games / settings_.look && !complete(); ++look) {
    const int before = finished_games();
    for (std::size_t i = 0; i < cells_.size() && !stopped(); ++i) {
      ExperimentHooks inner = hooks;
      if (hooks.on_finished)
        inner.on_finished = [&, i](double work, const std::string& playing) {
          hooks.on_finished(work, cells_[i].name + ": " + playing);
        };
      tournaments_[i]->play_stage(look, resources, threads, inner);
    }
    if (stopped()) return;
    // Of a study that is continued most looks were taken before.
    if (hooks.on_look && (look == 0 || finished_games() != before)) hooks.on_look();
  }
}

bool is_study(const fs::path& folder) {
  std::error_code ignored;
  return fs::is_regular_file(folder / StudySettings::kind().file, ignored);
}

StudySettings load_study(const fs::path& folder) {
  const fs::path file = folder / StudySettings::kind().file;
  return StudySettings::from_json(read_json_file(file), file.string());
}

fs::path games_of(const fs::path& folder, const StudyCell& cell) {
  return folder / "games" / cell.place;
}

}  // namespace faultline
