// `faultline bench`: the signature of rules and search, and their speed.
#include <cstdint>

#include <CLI/CLI.hpp>
#include <fmt/core.h>

#include "app/commands.h"
#include "search/bench_signature.h"

namespace faultline {

void add_bench(CLI::App& app) {
  CLI::App* command =
      app.add_subcommand("bench", "search fixed positions of every family and print a signature");
  command->footer(
      "Leaves are evaluated by a hash of the position, so that no network is needed. The last line "
      "is\n"
      "the signature of all: a change that is not meant to alter the rules or the search must not\n"
      "change it, on any machine and in any build. Speeds are for one thread and include the\n"
      "evaluation by hash.\n\n"
      "Example:\n"
      "  faultline bench");
  command->callback([] {
    const BenchResult result = run_bench();
    std::uint64_t visits = 0;
    double seconds = 0;
    for (const BenchPart& part : result.parts) {
      fmt::print("{:<12} {:016x} {:>8} visits {:>10.0f} visits/s\n", part.variant, part.signature,
                 part.visits, static_cast<double>(part.visits) / part.seconds);
      visits += part.visits;
      seconds += part.seconds;
    }
    fmt::print("{:<12} {:16} {:>8} visits {:>10.0f} visits/s\n", "all", "", visits,
               static_cast<double>(visits) / seconds);
    fmt::print("signature    {:016x}\n", result.signature);
  });
}

}  // namespace faultline
