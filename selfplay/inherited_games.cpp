// Games of another run that a new one learns from before it plays its own.
#include "selfplay/inherited_games.h"

#include <set>
#include <system_error>

#include <fmt/format.h>

#include "rules/families.h"

namespace faultline {

void require_inheritable_games(const Config& config, const RunOptions& options) {
  const std::filesystem::path& source = options.games_from;
  if (source.empty()) return;
  if (config.run.deterministic)
    throw RunError(
        fmt::format("--games-from {}: a deterministic run plays all of its games itself; "
                    "run.deterministic must be false",
                    source.string()));
  std::error_code error;
  if (std::filesystem::equivalent(source, options.folder, error))
    throw RunError(fmt::format("--games-from {}: is the new run's own folder", source.string()));
  if (!RunFolder::holds_run(source))
    throw RunError(fmt::format("--games-from {}: contains no run", source.string()));
  const std::string variant =
      with_family(parse_variant_name(config.run.variant),
                  [](auto, const auto& parsed) { return std::string(parsed.canonical_name()); });
  try {
    if (scan_games(source / "games", variant).games.empty())
      throw RunError(fmt::format("--games-from {}: the run has no finished games yet; give another",
                                 source.string()));
  } catch (const ReplayError& failure) {
    throw RunError(fmt::format("--games-from: {}", failure.what()));
  }
}

std::uint64_t inherit_games(const std::filesystem::path& source, const std::string& variant,
                            ReplayStore& store) {
  std::set<std::uint64_t> there;
  for (const StoredGame& game : store.games())
    there.insert(game.number);
  for (const StoredGame& game : scan_games(source / "games", variant).games) {
    if (there.contains(game.number)) continue;
    GameRecord record;
    try {
      record = read_game(game);
    } catch (const ReplayError&) {
      continue;
    }
    store.append(record);
  }
  return store.games().size();
}

}  // namespace faultline
