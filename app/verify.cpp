// `faultline verify`: whether a bundle is what it says, and what a checkpoint says.
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "app/commands.h"
#include "base/json_text.h"
#include "base/quote.h"
#include "base/text.h"
#include "model/checkpoint_file.h"
#include "model/export/bundle.h"
#include "model/export/bundle_check.h"
#include "model/export/export_options.h"
#include "model/export/fast_export.h"
#include "model/export/onnx_export.h"
#include "model/export/torchscript_module.h"
#include "model/fast/fast_file.h"
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
      fmt::format("{}: {}; name a checkpoint, or what 'faultline export --format bundle' or "
                  "'--format fast' wrote",
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

/// "  run:", and so on, each key of an object on a line of its own. Texts of several lines are
/// counted, or printed if `whole`.
void print_fields(const nlohmann::ordered_json& object, bool whole, const std::string& indent) {
  constexpr std::size_t kLongest = 2000;
  for (const auto& [name, value] : object.items()) {
    const std::string key = printable(name, kLongest);
    if (value.is_object()) {
      fmt::print("{}{}:\n", indent, key);
      print_fields(value, whole, indent + "  ");
      continue;
    }
    const std::string text = value.is_string() ? value.get<std::string>() : json_text(value);
    const std::vector<std::string> lines = split_list(trimmed(text), '\n');
    if (lines.size() <= 1)
      fmt::print("{}{}: {}\n", indent, key, printable(text, kLongest));
    else
      fmt::print("{}{}: {}{}\n", indent, key, counted(lines.size(), "line"),
                 whole ? ":" : " (--whole prints them)");
    if (lines.size() <= 1 || !whole) continue;
    for (const std::string& line : lines)
      fmt::print("{}\n", line.empty() ? "" : indent + "  " + printable(line, kLongest));
  }
}

/// Prints what a checkpoint says of its networks; nothing if `file` is none. Returns whether they
/// are those of which it says so.
std::optional<bool> is_good_checkpoint(const std::string& file, bool whole) {
  std::ifstream in(file, std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  if (!bytes.starts_with(kCheckpointMagic)) return std::nullopt;
  try {
    const CheckpointFile checkpoint = CheckpointFile::parse(bytes, file);
    const CheckpointInfo info = info_of(checkpoint, file);
    const nlohmann::json about = checkpoint.header.value("about", nlohmann::json::object());
    const nlohmann::ordered_json hashes = network_hashes(checkpoint, file);
    nlohmann::ordered_json fields = {{"variant", info.encoding.variant},
                                     {"steps", info.steps},
                                     {"parameters", info.parameters},
                                     {"weights", hashes}};
    if (const auto fast = checkpoint.header.find(kFastNetworkKey);
        fast != checkpoint.header.end()) {
      fields["fast network"] = *fast;
      fields["fast network"].erase("layout");
    }
    if (!about.empty()) fields["about"] = about;
    print_fields(fields, whole, "");
    const bool is_same = !about.contains("weights") || nlohmann::json(hashes) == about["weights"];
    fmt::print(
        "{}: {}\n", file,
        is_same ? "good" : "its networks are not those of which it says where they are from");
    return is_same;
  } catch (const CheckpointError& error) {
    fmt::print("{}\n", error.what());
    return false;
  }
}

void verify(const std::string& file, bool whole) {
  require_file(file);
  if (!is_bundle(file)) {
    std::optional<bool> is_good = is_good_checkpoint(file, whole);
    if (!is_good) is_good = is_good_fast_network(file);
    if (!is_good)
      throw UsageError(quote(file, 200) +
                       ": is neither a bundle (no zip archive) nor a checkpoint or an exported "
                       "fast network");
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
                   "what 'faultline export --format bundle' or '--format fast' wrote, or a "
                   "checkpoint")
      ->required();
  auto whole = std::make_shared<bool>();
  command->add_flag("--whole", *whole, "print configurations that a checkpoint keeps, too");
  command->footer(
      "Compares the hash of every file with model.json; encoding.json and the positions of\n"
      "golden.jsonl with this program's rules and encoding; the weights in all three formats with\n"
      "one another; and the outputs with those of the bundle's TorchScript, run by LibTorch and\n"
      "not by this program's own network code. Prints what differs: the file and key, or the\n"
      "position, the move or value, and both numbers. TorchScript is a program and is\n"
      "executed: verify only bundles whose source you trust. Of a fast network, also of one in a\n"
      "bundle, the description and the golden scores are compared with this program's. Of a\n"
      "checkpoint the hashes are checked, and printed with what it says of its networks' "
      "origin.\n\n"
      "Exit codes: 0 good; 1 something differs or is damaged (at most twenty faults are printed);\n"
      "2 no bundle and no checkpoint, or a bundle of another format or encoding than this program "
      "has.\n\n"
      "Example:\n"
      "  faultline verify escher.zip\n"
      "  faultline verify nets/escher.pt");
  command->callback([file, whole] { verify(*file, *whole); });
}

}  // namespace faultline
