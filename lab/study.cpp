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
#include "base/json_text.h"
#include "base/quote.h"
#include "base/result_folder.h"
#include "lab/study_json.h"
#include "model/checkpoint.h"

namespace faultline {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSettingsFile = "study.json";
constexpr const char* kFileOfPeople = "study.toml";
constexpr const char* kStrategies = "strategies";

std::string text_in(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void write_if_different(const fs::path& file, const std::string& text) {
  if (text_in(file) != text) write_file_atomically(file, text);
}

void create(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error)
    throw StudyError(fmt::format("{}: cannot be created: {}", folder.string(), error.message()));
}

/// The strategies in the folder are what the players read.
void write_strategies(const StudySettings& settings, const fs::path& folder) {
  create(folder);
  for (const StudyArm& arm : settings.arms) {
    if (arm.strategy.empty()) continue;
    const fs::path file = folder / (arm.name + ".toml");
    if (!fs::exists(file))
      write_file_atomically(file, arm.strategy);
    else if (text_in(file) != arm.strategy)
      throw StudyError(fmt::format(
          "{}: was changed since the study was begun; games of two strategies would be mixed: "
          "remove the file, and it is restored, or begin another study",
          file.string()));
  }
}

void check_weights(const StudySettings& settings) {
  std::vector<StudyNet> nets = settings.nets;
  for (const StudyArm& arm : settings.arms)
    if (arm.net) nets.push_back(*arm.net);
  for (const StudyNet& net : nets) {
    if (net.weights.empty()) continue;
    const PlayerSpec player = find_player(net.player);
    const std::string now = read_checkpoint_info(player.net).weights();
    if (now != net.weights)
      throw StudyError(
          fmt::format("nets: {} has other weights than when the study was begun ({}, "
                      "not {})",
                      player.net.string(), now, net.weights));
  }
}

}  // namespace

Study::Study(StudySettings settings, const fs::path& folder, const std::string& toml)
    : settings_(std::move(settings)), folder_(folder) {
  check(settings_);
  if (folder.string().find_first_of("?&") != std::string::npos)
    throw StudyError(
        fmt::format("{}: a study's folder cannot have '?' or '&' in its name", folder.string()));
  if (const auto reason = why_taken(folder, FolderContents::Study)) throw StudyError(*reason);
  if (is_study(folder)) {
    const StudySettings stored = load_study(folder);
    check_same(stored, settings_, (folder / kSettingsFile).string());
    settings_.opening_origins = stored.opening_origins;
    check_origins(settings_.opening_origins, settings_.openings);
  } else if (fs::exists(folder / "games")) {
    throw StudyError(fmt::format("{} exists without {}: use another --out",
                                 (folder / "games").string(), kSettingsFile));
  } else {
    settings_.opening_origins = opening_origins(parse_opening_source(settings_.openings));
  }
  check_weights(settings_);
  cells_ = cells_of(settings_);
  create(folder);
  write_strategies(settings_, folder / kStrategies);
  if (!toml.empty() && !fs::exists(folder / kFileOfPeople))
    write_file_atomically(folder / kFileOfPeople, toml);
  write_if_different(folder / kSettingsFile, json_text(to_json(settings_), 2) + "\n");
  for (const StudyCell& cell : cells_) {
    const TournamentSettings tournament = tournament_of(settings_, cell, folder / kStrategies);
    const fs::path place = games_of(folder, cell);
    create(place);
    // The study's settings are what counts: a folder that was moved has other paths.
    write_if_different(place / "tournament.json", json_text(to_json(tournament), 2) + "\n");
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
  for (std::size_t i = 0; i < cells_.size(); ++i)
    if (tournaments_[i]->repaired()) files.push_back(games_of(folder_, cells_[i]) / "games.pgn");
  return files;
}

void Study::play(PlayerResources& resources, int threads, const StudyHooks& hooks) {
  const auto stopped = [&] { return hooks.stop && hooks.stop(); };
  for (int look = 0; look < settings_.games / settings_.look && !complete(); ++look) {
    const int before = finished_games();
    for (std::size_t i = 0; i < cells_.size() && !stopped(); ++i) {
      TournamentHooks inner;
      inner.stop = hooks.stop;
      if (hooks.on_game)
        inner.on_game = [&, i](const GamePlace&, const TextGame& game) {
          hooks.on_game(cells_[i], game);
        };
      if (hooks.on_finished)
        inner.on_finished = [&, i](const std::array<std::string, 2>& players, const Score& score) {
          hooks.on_finished(cells_[i], players, score);
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
  return fs::is_regular_file(folder / kSettingsFile, ignored);
}

StudySettings load_study(const fs::path& folder) {
  const fs::path file = folder / kSettingsFile;
  std::ifstream in(file, std::ios::binary);
  const auto json = nlohmann::ordered_json::parse(in, nullptr, false);
  if (!json.is_object()) throw StudyError(file.string() + ": is not the JSON of a study");
  return study_from_json(json, file.string());
}

fs::path games_of(const fs::path& folder, const StudyCell& cell) {
  return folder / "games" / cell.place;
}

}  // namespace faultline
