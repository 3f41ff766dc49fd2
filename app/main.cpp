// The command `faultline`: starts faultline-net for what needs LibTorch, and runs the rest itself.
#include <cstddef>
#include <exception>
#include <iostream>
#include <string_view>

#include <CLI/CLI.hpp>
#include <sys/stat.h>
#include <unistd.h>

#include "app/check_game.h"
#include "app/command_line.h"
#include "app/commands.h"
#include "app/exporting.h"
#include "app/net_launcher.h"
#include "app/net_players.h"
#include "base/standard_streams.h"

namespace {

/// Whether another program may speak through the standard input, which is then no terminal, nor
/// /dev/null or an empty file.
bool is_driven() {
  struct stat input {};
  if (fstat(STDIN_FILENO, &input) != 0 || S_ISCHR(input.st_mode)) return false;
  return !S_ISREG(input.st_mode) || input.st_size > 0;
}

int run(int argc, char** argv) {
  using namespace faultline;
  if (argc > 1 && needs_net_program({argv + 1, static_cast<std::size_t>(argc) - 1}))
    return launch_net_program(argv);

  if (argc == 2 && std::string_view(argv[1]) == "--version") {
    static char version[] = "version";
    argv[1] = version;
  }

  // Many chess programs start an engine by its file alone.
  static char uci[] = "uci";
  char* as_engine[] = {argv[0], uci, nullptr};
  if (argc == 1 && is_driven()) {
    argc = 2;
    argv = as_engine;
  }

  CLI::App app("faultline trains networks for chess variants on unusual boards by self-play.",
               "faultline");
  app.add_subcommand("train", kTrainSummary);  // faultline-net parses its options
  if (argc > 1 && checks_game({argv + 1, static_cast<std::size_t>(argc) - 1}))
    add_check_game(app);
  else
    app.add_subcommand("check", kCheckSummary);
  add_new_game(app);
  add_game(app);
  add_actor(app);
  add_cluster(app);
  app.add_subcommand("distil", kDistilSummary);
  add_match(app);
  add_tournament(app);
  add_study(app);
  add_survey(app);
  add_rate(app);
  add_report(app);
  add_play(app);
  add_lab(app);
  add_strength(app);
  add_yardsticks(app);
  add_analyse(app);
  add_uci(app);
  add_export(app);
  app.add_subcommand("verify", kVerifySummary);  // likewise
  add_perft(app);
  add_moves(app);
  add_board(app);
  add_variants(app);
  add_vectors(app);
  add_games(app);
  add_bench(app);
  add_version(app);
  app.add_flag("--version")->description("The same as 'faultline version'");
  app.footer(
      "'faultline COMMAND --help' explains a command with examples. Without a command, and with "
      "its "
      "input from another program, 'faultline' is 'faultline uci'.\n\n"
      "Exit codes: 0 done, 1 something failed, 2 bad usage or bad input, 130 stopped by Ctrl-C, "
      "SIGTERM or SIGHUP (0 if that ended a training, which then has saved everything), 141 nobody "
      "read the output any more.");
  return run_command_line(app, argc, argv);
}

}  // namespace

const faultline::BackendRegistry& faultline::program_backends() {
  return cpu_backends();
}

const faultline::WriteTorchScript& faultline::program_torchscript() {
  static const WriteTorchScript none;
  return none;
}

int main(int argc, char** argv) {
  faultline::open_standard_streams();
  try {
    return run(argc, argv);
  } catch (const std::exception& error) {
    std::cerr << "faultline: " << error.what() << std::endl;
    return 1;
  }
}
