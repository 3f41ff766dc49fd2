// `faultline actor`: plays games for a run whose learner is another process.
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <unistd.h>

#include "app/commands.h"
#include "app/game_options.h"
#include "app/input_errors.h"
#include "app/net_players.h"
#include "base/stop_signals.h"
#include "base/text.h"
#include "cluster/playing_nets.h"
#include "cluster/spool_actor.h"
#include "cluster/terms.h"
#include "selfplay/run_threads.h"

namespace faultline {
namespace actor_command {
namespace {

struct Options {
  std::string spool;
  int threads = 0;
  DeviceOptions device;
};

/// Waits until a learner has served there; nothing if a signal ends that.
std::optional<RunTerms> await_terms(const Post& post, const PostSettings& settings) {
  for (bool said = false; !StopSignals::requested();) {
    if (auto terms = read_terms(post)) return terms;
    if (!std::exchange(said, true))
      std::cout << post.folder.string()
                << ": no learner has served here yet; waits for one ('faultline train "
                   "CONFIG --serve')"
                << std::endl;
    std::this_thread::sleep_for(settings.tick);
  }
  return std::nullopt;
}

ActorEnd play_for(const Post& post, RunTerms terms, const Options& options) {
  terms.config.device = options.device;
  terms.config.selfplay.threads = options.threads;
  std::vector<std::string> messages;
  LoadNet load_net = net_loader(terms.config, program_backends(), messages);
  const int threads = actor_threads(terms.config);
  std::cout << fmt::format("Plays {} for the learner of {} with {}\n", terms.variant,
                           post.folder.string(), counted(threads, "thread"));
  for (const std::string& message : messages)
    std::cout << message << '\n';
  std::cout << std::flush;
  SpoolActor actor(post, terms, std::move(load_net), std::cout, isatty(STDOUT_FILENO) != 0);
  return actor.run(threads, run_in_arena);
}

void run_actor(const Options& options) {
  const ClosedPipesIgnored pipes;
  const StopSignals signals;
  if (!std::filesystem::is_directory(options.spool))
    throw UsageError(options.spool +
                     ": there is no such folder; give the run's, as its learner has it");
  const Post post = find_post(options.spool);
  for (ActorEnd end = ActorEnd::NewTerms; end == ActorEnd::NewTerms;) {
    const auto terms = reporting_input_errors([&] { return await_terms(post, {}); });
    if (!terms) return;
    end = reporting_input_errors([&] { return play_for(post, *terms, options); });
  }
}

}  // namespace
}  // namespace actor_command

void add_actor(CLI::App& app) {
  using namespace actor_command;
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("actor", kActorSummary);
  command->add_option("--spool", options->spool, "the run's folder, which all machines see")
      ->required()
      ->type_name("RUN");
  add_threads_option(*command, options->threads);
  add_device_options(*command, options->device);
  command->footer(
      "Takes everything else from the run, whose learner is 'faultline train CONFIG --serve'. Any "
      "number of\n"
      "actors may come and go at any time. Ctrl-C drops the games in progress, which others then "
      "play.\n"
      "Without a learner it plays its games to the end and waits. docs/cluster.md has the rest.\n\n"
      "Example:\n"
      "  faultline train configs/quickstart.toml --run /shared/mine --serve   # on one machine\n"
      "  faultline actor --spool /shared/mine                                 # on each of the "
      "others");
  command->callback([options] { run_actor(*options); });
}

}  // namespace faultline
