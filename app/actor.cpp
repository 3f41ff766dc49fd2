// `faultline actor`: plays games for a run whose learner is another process.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <functional>
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
#include "app/nats_options.h"
#include "app/net_players.h"
#include "base/stop_signals.h"
#include "base/text.h"
#include "cluster/over_nats.h"
#include "cluster/playing_nets.h"
#include "cluster/spool_actor.h"
#include "cluster/terms.h"
#include "selfplay/run_threads.h"

namespace faultline {
namespace actor_command {
namespace {

struct Options {
  std::string spool;
  std::string join;
  NatsOptions nats;
  int threads = 0;
  DeviceOptions device;
};

/// Waits until a learner has served there; nothing if a signal ends that. `spool`: null if it is a
/// shared folder.
std::optional<RunTerms> await_terms(const Post& post, NatsSpool* spool,
                                    const PostSettings& settings) {
  for (bool said = false; !StopSignals::requested();) {
    if (spool != nullptr) spool->check();
    if (auto terms = read_terms(post)) return terms;
    const std::string trouble = spool != nullptr ? spool->trouble() : "";
    if ((spool == nullptr || !trouble.empty()) && !std::exchange(said, true))
      std::cout << (trouble.empty() ? post.folder.string() + ": no learner has served here yet"
                                    : trouble)
                << "; waits for one ('faultline train CONFIG --serve')" << std::endl;
    std::this_thread::sleep_for(settings.tick);
  }
  return std::nullopt;
}

ActorEnd play_for(const Post& post, RunTerms terms, NatsSpool* spool, const Options& options) {
  DeviceOptions& device = terms.config.device;  // the run's, if all must compute alike
  if (options.device.device != kAuto) device.device = options.device.device;
  if (options.device.backend != kAuto) device.backend = options.device.backend;
  if (options.device.precision != PrecisionChoice::Auto)
    device.precision = options.device.precision;
  terms.config.selfplay.threads = options.threads;
  std::vector<std::string> messages;
  LoadNet load_net = net_loader(terms.config, program_backends(), messages);
  Config as_free = terms.config;
  as_free.run.deterministic = false;  // a game does not depend on how many threads play
  const int threads = actor_threads(as_free);
  std::cout << fmt::format("Plays {} for the learner of {} with {}\n", terms.variant,
                           spool != nullptr ? options.join : post.folder.string(),
                           counted(threads, "thread"));
  for (const std::string& message : messages)
    std::cout << message << '\n';
  std::cout << std::flush;
  PostSettings settings;
  std::function<std::string()> trouble;
  if (spool != nullptr) {
    settings.part_bytes = std::size_t{1} << 19;  // a server takes 1 MB at once
    trouble = [spool] { return spool->trouble(); };
  }
  SpoolActor actor(post, terms, std::move(load_net), std::cout, isatty(STDOUT_FILENO) != 0,
                   settings, std::move(trouble));
  return actor.run(threads, run_in_arena);
}

/// Where games wait on this machine unless --spool says it.
std::filesystem::path spool_for(const NatsPlace& place, const std::string& folder) {
  if (!folder.empty()) return folder;
  const char* const cache = std::getenv("XDG_CACHE_HOME");
  const char* const home = std::getenv("HOME");
  if (cache == nullptr && home == nullptr)
    throw UsageError("there is no HOME: say with --spool where games wait on this machine");
  const std::filesystem::path below =
      cache != nullptr ? std::filesystem::path(cache) : std::filesystem::path(home) / ".cache";
  std::string name = place.url().substr(place.url().find("://") + 3);
  std::ranges::replace(name, '/', '-');
  return below / "faultline" / name;
}

void run_actor(const Options& options) {
  const ClosedPipesIgnored pipes;
  const StopSignals signals;
  if (options.spool.empty() && options.join.empty())
    throw UsageError(
        "for which learner? --spool RUN where the run's folder is shared, --join URL over NATS");
  std::unique_ptr<NatsSpool> spool;
  Post post;
  if (!options.join.empty()) {
    const NatsPlace place = nats_place_of(options.join, options.nats);
    spool = reporting_input_errors(
        [&] { return join_over_nats(place, spool_for(place, options.spool)); });
    post = spool->post();
  } else {
    if (!std::filesystem::is_directory(options.spool))
      throw UsageError(options.spool +
                       ": there is no such folder; give the run's, as its learner has it");
    post = find_post(options.spool);
  }
  for (ActorEnd end = ActorEnd::NewTerms; end == ActorEnd::NewTerms;) {
    const auto terms = reporting_input_errors([&] { return await_terms(post, spool.get(), {}); });
    if (!terms) break;
    end = reporting_input_errors([&] { return play_for(post, *terms, spool.get(), options); });
  }
  if (const std::size_t left = spool ? spool->finish() : 0; left > 0)
    std::cout << fmt::format("{} in {} for the next actor that has this folder\n",
                             counted(left, "part waits", "parts wait"),
                             post.folder.parent_path().string());
}

}  // namespace
}  // namespace actor_command

void add_actor(CLI::App& app) {
  using namespace actor_command;
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("actor", kActorSummary);
  command
      ->add_option("--spool", options->spool,
                   "the run's folder, which all machines see; with --join a folder of this "
                   "machine, where games wait "
                   "until the learner has them")
      ->type_name("FOLDER");
  command
      ->add_option("--join", options->join,
                   "the learner's NATS server: nats://HOST:PORT/NAME or tls://HOST:PORT/NAME")
      ->type_name("URL");
  add_nats_options(*command, options->nats);
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
      "others\n"
      "  faultline train configs/quickstart.toml --run mine --serve nats://far:4222/mine\n"
      "  faultline actor --join nats://far:4222/mine");
  command->callback([options] { run_actor(*options); });
}

}  // namespace faultline
