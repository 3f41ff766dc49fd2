// The command `faultline`: commands without a network run here, the others in faultline-net.
#include <exception>
#include <iterator>
#include <string_view>

#include <CLI/CLI.hpp>
#include <fmt/core.h>

#include "app/command_line.h"
#include "app/commands.h"
#include "app/net_launcher.h"

namespace {

struct NetCommand {
  const char* name;
  const char* summary;
};
constexpr NetCommand kNetCommands[] = {{"train", faultline::kTrainSummary},
                                       {"match", faultline::kMatchSummary},
                                       {"play", faultline::kPlaySummary}};

int run(int argc, char** argv) {
  using namespace faultline;
  // faultline-net parses their options; only their names are needed here.
  if (argc > 1)
    for (const NetCommand& command : kNetCommands)
      if (std::string_view(argv[1]) == command.name) return launch_net_program(argv);

  if (argc == 2 && std::string_view(argv[1]) == "--version") {
    static char version[] = "version";
    argv[1] = version;
  }

  CLI::App app("faultline trains networks for chess variants on unusual boards by self-play.",
               "faultline");
  for (const NetCommand& command : kNetCommands)
    app.add_subcommand(command.name, command.summary);
  add_perft(app);
  add_moves(app);
  add_board(app);
  add_variants(app);
  add_vectors(app);
  add_games(app);
  add_bench(app);
  add_version(app);
  app.add_flag("--version")->description("The same as `faultline version`");
  app.footer(
      "`faultline COMMAND --help` explains a command with examples.\n"
      "Exit codes: 0 done, 1 something failed, 2 bad usage or bad input.");
  return run_command_line(app, argc, argv);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const std::exception& error) {
    fmt::print(stderr, "faultline: {}\n", error.what());
    return 1;
  }
}
