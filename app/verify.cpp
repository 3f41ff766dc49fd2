// `faultline verify`: whether a bundle is what it says.
#include <filesystem>
#include <memory>
#include <string>

#include <CLI/CLI.hpp>
#include <fmt/core.h>

#include "app/commands.h"
#include "model/export/bundle_check.h"
#include "model/export/export_options.h"
#include "model/export/torchscript_module.h"

namespace faultline {
namespace {

void verify(const std::string& file) {
  if (!std::filesystem::is_regular_file(file))
    throw UsageError(file +
                     ": there is no such file; name a bundle, as `faultline export --format "
                     "bundle` writes them");
  BundleCheck check;
  try {
    check = check_bundle(file, load_torchscript);
  } catch (const ExportError& error) {
    throw UsageError(error.what());
  }
  for (const std::string& fault : check.faults)
    fmt::print("{}: {}\n", file, fault);
  if (check.positions > 0)
    fmt::print(
        "{}: {} positions; largest difference {:.2g} of a probability ({}), {:.2g} of moves "
        "left (relative)\n",
        file, check.positions, check.largest_probability, check.furthest, check.largest_moves_left);
  if (!check.faults.empty()) throw CLI::RuntimeError(1);
  fmt::print("{}: good\n", file);
}

}  // namespace

void add_verify(CLI::App& app) {
  auto file = std::make_shared<std::string>();
  CLI::App* command = app.add_subcommand("verify", kVerifySummary);
  command->add_option("BUNDLE", *file, "a file that `faultline export --format bundle` wrote")
      ->required();
  command->footer(
      "Compares the hash of every file with model.json, the positions of golden.jsonl with this\n"
      "program's rules and encoding, and their outputs with those of the bundle's TorchScript, "
      "run\n"
      "by LibTorch and not by this program's own network code. Prints what differs: the position,\n"
      "the move or value, and both numbers.\n\n"
      "Exit codes: 0 good, 1 something differs (at most twenty differences are printed), 2 not a\n"
      "bundle.\n\n"
      "Example:\n"
      "  faultline verify escher.zip");
  command->callback([file] { verify(*file); });
}

}  // namespace faultline
