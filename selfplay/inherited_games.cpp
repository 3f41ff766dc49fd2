// Games of another run that a new one learns from before it plays its own.
#include "selfplay/inherited_games.h"

#include <algorithm>
#include <optional>
#include <system_error>

#include <fmt/format.h>

#include "base/text.h"
#include "record/replay_store.h"
#include "record/run_folder.h"
#include "record/stored_games.h"

namespace faultline {

Inheritance inheritance(const Config& config, const RunOptions& options) {
  const std::filesystem::path& source = options.games_from;
  if (source.empty()) return {};
  const auto refuse = [&](const std::string& reason) {
    throw RunError(fmt::format("--games-from {}: {}", source.string(), reason));
  };
  if (config.run.deterministic)
    refuse("a deterministic run plays all of its games itself; run.deterministic must be false");
  std::error_code error;
  if (std::filesystem::equivalent(source, options.folder, error))
    refuse("is the new run's own folder; --run gives another");
  if (!RunFolder::holds_run(source)) refuse("contains no run");
  const RunState state = RunFolder::state_in(source).value_or(RunState{});
  if (state.games == 0) refuse("the run has no finished games yet");
  const std::string variant = canonical_variant(config);
  if (state.variant != variant)
    refuse(fmt::format("its games are of '{}', not of '{}' (run.variant)", state.variant, variant));
  if (config.run.games > 0 && static_cast<std::uint64_t>(config.run.games) <= state.games)
    refuse(fmt::format(
        "its {} count as the new run's, and run.games = {} leaves none to play; raise it, or give "
        "another limit",
        counted(state.games, "game"), config.run.games));
  if (!options.folder.empty() && !RunFolder::holds_run(options.folder)) {
    const std::filesystem::path games = options.folder / "games";
    if (!chunks_in(games).empty())
      throw RunError(options.folder.string() +
                     ": contains games already, but no run; choose another --run folder");
    const std::filesystem::file_status status = std::filesystem::symlink_status(games, error);
    if (std::filesystem::exists(status) &&
        !(std::filesystem::is_directory(status) && std::filesystem::is_empty(games, error)))
      throw RunError(games.string() +
                     ": is replaced by the games of --games-from, and must be absent or an empty "
                     "folder; choose another --run folder");
  }
  return {.games = state.games, .positions = state.positions};
}

CopiedGames copy_games(const std::filesystem::path& source, const std::string& variant,
                       const std::filesystem::path& target, int chunk_games) {
  const RunState state = RunFolder::state_in(source).value_or(RunState{});
  StoredGames games(scan_games(source / "games", variant, state.run_id));
  if (!games.found().refused.empty()) throw ReplayError(games.found().refused.front());
  CopiedGames copied{.games = 0, .messages = games.found().messages};
  ReplayStore store(target, variant, chunk_games);
  for (std::uint64_t i = 0; i < std::min(games.size(), state.games); ++i) {
    std::optional<GameRecord> record;
    try {
      record = games.read(i);
    } catch (const ReplayError& failure) {
      copied.messages.push_back(fmt::format("{}; skipped", failure.what()));
      continue;
    }
    store.append(*record);
    ++copied.games;
  }
  store.sync();
  return copied;
}

}  // namespace faultline
