// `faultline lab` in a program that was built without it.
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "app/commands.h"

namespace faultline {

void add_lab(CLI::App& app) {
  CLI::App* command = app.add_subcommand("lab", kLabSummary);
  command->prefix_command();
  command->callback([] {
    throw UsageError("this program was built without the lab: configure with -DFAULTLINE_LAB=ON");
  });
}

}  // namespace faultline
