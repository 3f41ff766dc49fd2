// faultline-net: the commands that need LibTorch. `faultline` starts it; see app/net_launcher.h.
#include <cstdlib>
#include <exception>
#include <iostream>

#include <CLI/CLI.hpp>
#include <fmt/core.h>

#include "app/command_line.h"
#include "app/commands.h"
#include "app/exporting.h"
#include "app/net_players.h"
#include "base/standard_streams.h"
#include "model/export/torchscript_export.h"
#include "model/inference/libtorch_backend.h"

const faultline::BackendRegistry& faultline::program_backends() {
  return all_backends();
}

const faultline::WriteTorchScript& faultline::program_torchscript() {
  static const WriteTorchScript write = write_torchscript;
  return write;
}

int main(int argc, char** argv) {
  using namespace faultline;
  open_standard_streams();
  try {
    const char* launcher = std::getenv(kLauncherRules);
    if (launcher != nullptr && launcher != built_rules()) {
      fmt::print(stderr,
                 "faultline: the faultline-net beside this program is of another build, with other "
                 "variants. Build both: scripts/setup, then scripts/build release "
                 "-DFAULTLINE_TORCH=ON.\n");
      return 1;
    }
    CLI::App app("The commands of faultline that need LibTorch; run them as 'faultline COMMAND'.",
                 "faultline");
    add_train(app);
    add_check(app);
    add_distil(app);
    add_actor(app);
    add_match(app);
    add_tournament(app);
    add_study(app);
    add_survey(app);
    add_play(app);
    add_lab(app);
    add_strength(app);
    add_yardsticks(app);
    add_analyse(app);
    add_export(app);
    add_verify(app);
    add_net_version(app);
    return run_command_line(app, argc, argv);
  } catch (const std::exception& error) {
    std::cerr << "faultline: " << error.what() << std::endl;
    return 1;
  }
}
