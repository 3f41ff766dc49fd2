// The second half of `faultline version`: the LibTorch version and its devices.
#include <CLI/CLI.hpp>
#include <fmt/core.h>

#include "app/commands.h"
#include "app/net_players.h"
#include "model/torch_compat.h"

namespace faultline {

void add_net_version(CLI::App& app) {
  app.add_subcommand("version", "print which LibTorch and devices are in use")->callback([] {
    fmt::print("{}\n  inference:", torch_description());
    for (const BackendInfo& backend : program_backends().all())
      fmt::print("{} {} ({})", &backend == &program_backends().all().front() ? "" : ";",
                 backend.name, backend.help);
    fmt::print("\n");
  });
}

}  // namespace faultline
