// `faultline verify`: whether a bundle is what it says.
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <system_error>

#include <CLI/CLI.hpp>
#include <fmt/core.h>

#include "app/commands.h"
#include "base/quote.h"
#include "model/export/bundle.h"
#include "model/export/bundle_check.h"
#include "model/export/export_options.h"
#include "model/export/fast_export.h"
#include "model/export/onnx_export.h"
#include "model/export/torchscript_module.h"
#include "model/net_search.h"

namespace faultline {
namespace verify_command {
namespace {

/// Throws UsageError unless `file` is one.
void require_file(const std::string& file) {
  using std::filesystem::file_type;
  std::error_code ignored;
  const file_type type = std::filesystem::status(file, ignored).type();
  if (type == file_type::regular) return;
  const bool is_absent = type == file_type::none || type == file_type::not_found;
  throw UsageError(
      fmt::format("{}: {}; name what 'faultline export --format bundle' or '--format fast' wrote",
                  quote(file, 200),
                  is_absent                      ? "there is no such file"
                  : type == file_type::directory ? "is a folder"
                                                 : "is not a regular file"));
}

/// The faults of an exported fast network, printed; nothing if `file` is none.
std::optional<bool> is_good_fast_network(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  if (!is_fast_export(bytes)) return std::nullopt;
  const FastExportCheck check = check_fast_export(bytes);
  for (const std::string& fault : check.faults)
    fmt::print("{}: {}\n", file, fault);
  if (check.faults.empty()) fmt::print("{}: {} positions: good\n", file, check.positions);
  return check.faults.empty();
}

void verify(const std::string& file) {
  require_file(file);
  if (!is_bundle(file)) {
    const std::optional<bool> is_good = is_good_fast_network(file);
    if (!is_good)
      throw UsageError(quote(file, 200) +
                       ": is neither a bundle (no zip archive) nor an exported fast network");
    if (!*is_good) throw CLI::RuntimeError(1);
    return;
  }
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
  if (!has_onnx())
    fmt::print("{}: {} was compared by its hash alone: this program was built without libonnx\n",
               file, kBundleOnnx);
  if (const std::string notice = net_search(file).notice; !notice.empty())
    fmt::print("{}\n", notice);
  fmt::print("{}: good\n", file);
}

}  // namespace
}  // namespace verify_command

void add_verify(CLI::App& app) {
  using namespace verify_command;
  auto file = std::make_shared<std::string>();
  CLI::App* command = app.add_subcommand("verify", kVerifySummary);
  command
      ->add_option("FILE", *file,
                   "what 'faultline export --format bundle' or '--format fast' wrote")
      ->required();
  command->footer(
      "Compares the hash of every file with model.json; encoding.json and the positions of\n"
      "golden.jsonl with this program's rules and encoding; the weights in all three formats with\n"
      "one another; and the outputs with those of the bundle's TorchScript, run by LibTorch and\n"
      "not by this program's own network code. Prints what differs: the file and key, or the\n"
      "position, the move or value, and both numbers. TorchScript is a program and is\n"
      "executed: verify only bundles whose source you trust. Of a fast network, also of one in a\n"
      "bundle, the description and the golden scores are compared with this program's.\n\n"
      "Exit codes: 0 good; 1 something differs or is damaged (at most twenty faults are printed);\n"
      "2 not a bundle, or one of another format or encoding than this program has.\n\n"
      "Example:\n"
      "  faultline verify escher.zip");
  command->callback([file] { verify(*file); });
}

}  // namespace faultline
