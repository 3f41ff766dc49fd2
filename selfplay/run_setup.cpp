// Checks whether a run may start in a folder.
#include "selfplay/run_setup.h"

#include <filesystem>
#include <string>

#include <fmt/format.h>

#include "rules/data/known_games.h"

namespace faultline {

void check_folder(const Config& config, const RunFolder& folder, const RunOptions& options) {
  const std::string path = folder.path().string();
  if (!options.from_checkpoint.empty() && !folder.holds_run())
    throw RunError(path + ": contains no run to resume from a checkpoint");
  if (!options.from_checkpoint.empty() && config.run.deterministic)
    throw RunError(path +
                   ": a deterministic run cannot go on from an earlier checkpoint; restore its "
                   "files, or start a new run with --init-from");
  if (!folder.holds_run()) return;
  if (!options.init_from.empty())
    throw RunError(
        path +
        ": already contains a run, which has weights; --init-from starts a new one: give "
        "another folder with --run");
  if (!options.games_from.empty())
    throw RunError(path +
                   ": already contains a run, which has games; --games-from starts a new one: give "
                   "another folder with --run");
  if (!options.resume)
    throw RunError(path +
                   ": already contains a run; --resume continues it, --run gives another folder");
  if (!std::filesystem::exists(folder.config_file())) return;
  Config before = load_config(folder.config_file());
  settle_older_run(before);
  Config asked = config;
  before.run.variant = canonical_variant(before);
  asked.run.variant = canonical_variant(asked);
  if (before.run.variant == asked.run.variant &&
      data::has_copy_of_another(folder.path(), asked.run.variant))
    throw RunError(fmt::format(
        "{}: the run in it plays another game that is called {}, too: its copy, {}, differs; give "
        "the game another name, or choose another --run folder",
        path, asked.run.variant, data::kGameCopyName));
  if ((before.fast.network == FastRun::Alone) != (asked.fast.network == FastRun::Alone))
    throw RunError(fmt::format(
        "{}: the run in it trains {}; choose another --run folder", path,
        before.fast.network == FastRun::Alone ? "a fast network alone" : "a policy/value network"));
  const auto there = faultline::options(before);
  const auto wanted = faultline::options(asked);
  for (std::size_t s = 0; s < there.size(); ++s)
    for (std::size_t i = 0; i < there[s].options.size(); ++i) {
      const Option& option = there[s].options[i];
      const std::string key = there[s].name + "." + option.name;
      const bool fixed = there[s].name == "net" || key == "run.variant" ||
                         key == "run.deterministic" || key == "learner.optimizer";
      const std::string old_value = value_text(option);
      const std::string new_value = value_text(wanted[s].options[i]);
      if (!fixed || old_value == new_value) continue;
      const std::string place = config.source(key);
      throw RunError(
          fmt::format("{}: the run in it has {} = {}, not {} ({}), and that cannot change within "
                      "a run; choose another --run folder",
                      path, key, old_value, new_value, place.empty() ? "the default" : place));
    }
}

}  // namespace faultline
