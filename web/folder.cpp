// Hands requests about the lab's folder to whoever answers them.
#include "web/folder.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

#include "web/configurations.h"
#include "web/documents.h"
#include "web/folder_entries.h"
#include "web/game_editor.h"
#include "web/game_pages.h"
#include "web/lab_folder.h"
#include "web/places.h"
#include "web/player_ratings.h"
#include "web/run_control.h"
#include "web/run_follower.h"
#include "web/run_status.h"

namespace faultline::web {
namespace {

namespace fs = std::filesystem;

void require_may_start(bool may_start) {
  if (!may_start)
    throw RequestError(
        "this lab does not start and stop programs: start it with --allow-start, and without "
        "--listen");
}

}  // namespace

struct Folder::State {
  explicit State(FolderOptions options)
      : lab(options.root),
        may_start(options.may_start),
        control(std::move(options.program), lab.root()),
        games(lab),
        editor(lab, std::move(options.position)),
        ratings(lab),
        follower(control) {}

  LabFolder lab;
  bool may_start;
  RunControl control;
  Documents documents;
  GamePages games;
  GameEditor editor;
  PlayerRatings ratings;
  RunFollower follower;

  fs::path path_in(const ReportJson& request) const {
    return lab.existing(text_field(request, "path"));
  }
  ReportJson start(const ReportJson& request);
  ReportJson halt(const ReportJson& request);
};

ReportJson Folder::State::start(const ReportJson& request) {
  require_may_start(may_start);
  const std::string command = text_field(request, "command");
  if (command == "resume") {
    const fs::path folder = path_in(request);
    control.resume(folder);
    return {{"path", lab.name_of(folder)}};
  }
  if (command != "train")
    throw RequestError("'command' must be \"train\" or \"resume\"", "command");
  const fs::path folder = lab.possible(text_field(request, "path"));
  control.train(folder, text_field(request, "text"));
  return {{"path", lab.name_of(folder)}};
}

ReportJson Folder::State::halt(const ReportJson& request) {
  require_may_start(may_start);
  control.halt(path_in(request));
  return ReportJson::object();
}

Folder::Folder(FolderOptions options) : state_(std::make_unique<State>(std::move(options))) {}
Folder::~Folder() = default;

Handlers Folder::handlers() {
  State* const state = state_.get();
  return {
      {"folder",
       [state](const ReportJson& request) {
         return ReportJson{
             {"entries", folder_entries(state->lab, state->path_in(request), state->control)}};
       }},
      {"document",
       [state](const ReportJson& request) {
         return ReportJson{{"document", state->documents.document(state->path_in(request))}};
       }},
      {"gamesOf", [state](const ReportJson& request) { return state->games.page(request); }},
      {"wall", [state](const ReportJson& request) { return state->games.wall(request); }},
      {"ratings",
       [state](const ReportJson& request) {
         return state->ratings.of(find_named_game(text_field(request, "game")).variant(),
                                  folder_entries(state->lab, state->lab.root(), state->control));
       }},
      {"config", configuration_reply},
      {"configs", [](const ReportJson&) { return configurations_reply(); }},
      {"start", [state](const ReportJson& request) { return state->start(request); }},
      {"halt", [state](const ReportJson& request) { return state->halt(request); }},
      {"gameFile", [state](const ReportJson& request) { return state->editor.game_file(request); }},
      {"gamePage", [state](const ReportJson& request) { return state->editor.page(request); }},
      {"saveGame", [state](const ReportJson& request) { return state->editor.save(request); }}};
}

struct RunWatches::State {
  State(Folder::State& of, Publish publish)
      : folder(&of), watcher(std::make_shared<RunWatcher>(std::move(publish))) {}
  Folder::State* folder;
  std::shared_ptr<RunWatcher> watcher;
};

RunWatches::RunWatches(Folder& folder, Publish publish)
    : state_(std::make_unique<State>(folder.state(), std::move(publish))) {
  state_->folder->follower.add(state_->watcher);
}

RunWatches::~RunWatches() {
  state_->watcher->end();
}

ReportJson RunWatches::watch(const ReportJson& request) {
  constexpr std::int64_t kMost = std::int64_t{1} << 40;
  const Folder::State& folder = *state_->folder;
  const fs::path path = folder.path_in(request);
  if (!holds_run(path)) throw RequestError("there is no run in that folder", "path");
  const auto have = static_cast<std::size_t>(number_field(request, "have", 0, kMost));
  std::optional<double> seconds;
  if (const ReportJson* const given = find_field(request, "seconds")) {
    if (!given->is_number()) throw RequestError("'seconds' must be a number", "seconds");
    seconds = given->get<double>();
  }
  state_->watcher->watch(path, text_field(request, "path"), have, seconds);
  state_->folder->follower.wake();
  return ReportJson::object();
}

ReportJson RunWatches::unwatch(const ReportJson& request) {
  state_->watcher->unwatch(text_field(request, "path"));
  return ReportJson::object();
}

}  // namespace faultline::web
