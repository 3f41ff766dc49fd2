// `faultline export`: a network in a format of other programs.
#include <algorithm>
#include <charconv>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "app/commands.h"
#include "app/exporting.h"
#include "app/input_errors.h"
#include "app/net_players.h"
#include "base/atomic_file.h"
#include "base/nearest_name.h"
#include "base/quote.h"
#include "lab/strength.h"
#include "model/export/onnx_export.h"
#include "model/export/safetensors.h"

namespace faultline {
namespace {

namespace fs = std::filesystem;

struct Options {
  std::string net;
  std::string format;
  std::string out;
  std::string precision = "fp32";
  std::string batch = "dynamic";
  std::string policy;  // "": not given
};

/// The position of `text` in `names`; throws UsageError that lists them.
std::size_t one_of(const std::string& option, const std::string& text,
                   const std::vector<std::string>& names) {
  const auto found = std::ranges::find(names, text);
  if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
  throw UsageError(fmt::format("{} {}: choose one of {}{}", option, quote(text),
                               fmt::join(names, ", "), did_you_mean(nearest_name(text, names))));
}

enum class Format : std::uint8_t { Onnx, TorchScript, Safetensors, Bundle };

Format parsed_format(const std::string& text) {
  return static_cast<Format>(
      one_of("--format", text, {"onnx", "torchscript", "safetensors", "bundle"}));
}

ExportOptions parsed_options(const Options& options, Format format) {
  ExportOptions parsed;
  parsed.precision = static_cast<ExportPrecision>(
      one_of("--precision", options.precision, {"fp32", "fp16", "bf16"}));
  if (!options.policy.empty()) {
    if (format == Format::Safetensors)
      throw UsageError(
          "--policy: safetensors hold weights alone, for either policy; leave --policy out");
    parsed.policy = static_cast<PolicyForm>(one_of("--policy", options.policy, {"legal", "full"}));
  }
  if (options.batch != "dynamic") {
    constexpr int kLargestBatch = 65'536;
    const char* const end = options.batch.data() + options.batch.size();
    const auto [last, error] = std::from_chars(options.batch.data(), end, parsed.batch);
    if (error != std::errc() || last != end || parsed.batch < 1 || parsed.batch > kLargestBatch)
      throw UsageError(
          fmt::format("--batch {}: give dynamic, or a number of positions from 1 to {}",
                      quote(options.batch), kLargestBatch));
    if (format != Format::Onnx)
      throw UsageError(
          fmt::format("--batch {}: only ONNX can have a fixed batch; --format {} takes "
                      "any number of positions",
                      parsed.batch, options.format));
  }
  if (parsed.precision == ExportPrecision::Bf16 && format == Format::Bundle)
    throw UsageError(fmt::format(
        "--precision bf16: a bundle contains ONNX, whose opset {} has no convolution in bf16; "
        "choose fp32 or fp16, or --format torchscript or safetensors",
        kOnnxOpset));
  return parsed;
}

/// Where the checkpoint's run keeps its files, if it is one of a run.
std::optional<fs::path> run_of(const fs::path& net) {
  const fs::path folder = fs::absolute(net).parent_path().parent_path();
  if (fs::exists(folder / "state.json")) return folder;
  return std::nullopt;
}

/// What model.json says of the run: its cost, and its strength table if that is of this net.
nlohmann::ordered_json about_run(const fs::path& net, const CheckpointInfo& info) {
  nlohmann::ordered_json about = {
      {"program", "faultline " FAULTLINE_VERSION}, {"run", nullptr}, {"strength", nullptr}};
  const auto folder = run_of(net);
  if (!folder) return about;
  about["run"] = {{"name", folder->filename().string()}, {"net", net.filename().string()}};
  if (const auto cost = training_cost(*folder, info.steps)) {
    about["run"]["games"] = cost->games;
    about["run"]["positions"] = cost->positions;
    about["run"]["evaluations"] = static_cast<std::int64_t>(cost->evaluations);
    about["run"]["seconds"] = cost->seconds;
  }
  const fs::path table = *folder / "strength.json";
  if (!fs::exists(table)) return about;
  const StrengthTable strength = StrengthTable::load(table);
  if (strength.settings().weights != fmt::format("{:016x}", info.weights_hash)) return about;
  about["strength"] = {{"limits", strength.settings().limits}, {"rows", nlohmann::json::array()}};
  for (const StrengthRow& row : strength.rows())
    about["strength"]["rows"].push_back({{"opponent", row.opponent}, {"result", row.result}});
  return about;
}

std::string exported(const Options& options, const fs::path& net) {
  const Format format = parsed_format(options.format);
  const ExportOptions parsed = parsed_options(options, format);
  if (format == Format::Onnx && !has_onnx())
    write_onnx({}, parsed, {});  // says why before the net is read
  const ExportSource source = read_export_source(net);
  switch (format) {
    case Format::Onnx:
      return write_onnx(source.network, parsed, export_metadata(source, parsed));
    case Format::Safetensors:
      return write_safetensors(source.network, parsed.precision, export_metadata(source, parsed));
    case Format::TorchScript:
      if (!program_torchscript()) break;
      return program_torchscript()(source.network, parsed, export_metadata(source, parsed));
    case Format::Bundle:
      if (!program_torchscript()) break;
      return write_bundle(source, parsed, about_run(net, source.info), program_torchscript());
  }
  throw UsageError(
      fmt::format("--format {}: this program was built without LibTorch", options.format));
}

void export_network(const Options& options) {
  parsed_options(options, parsed_format(options.format));  // before the files are looked at
  const PlayerSpec player = find_named_player(options.net);
  if (player.kind != PlayerKind::Net)
    throw UsageError(options.net + ": is no net; name a checkpoint or a run's folder");
  const fs::path out = options.out;
  std::error_code ignored;
  if (fs::exists(out, ignored))
    throw UsageError(
        fmt::format("-o {}: exists already; delete it or choose another name", out.string()));
  try {
    const std::string bytes = reporting_input_errors([&] { return exported(options, player.net); });
    write_file_atomically(out, bytes);
    fmt::print("{}: {} of {}, {} bytes\n", out.string(), options.format, player.net.string(),
               bytes.size());
  } catch (const ExportError& error) {
    throw UsageError(error.what());
  }
}

}  // namespace

void add_export(CLI::App& app) {
  auto options = std::make_shared<Options>();
  CLI::App* command =
      app.add_subcommand("export", "write a net as ONNX, TorchScript, safetensors or a bundle");
  command
      ->add_option("NET", options->net,
                   "a net (runs/NAME/nets/000123.pt), a run's folder (its newest net), or "
                   "untrained:RUN")
      ->required();
  command
      ->add_option("--format", options->format,
                   "onnx (a graph for ONNX Runtime and others), torchscript (for LibTorch and "
                   "Python's torch), safetensors (weights and their description), or bundle (one "
                   "zip with all three, the description of the encoding, and positions with their "
                   "outputs)")
      ->required();
  command->add_option("-o,--out", options->out, "the file to write; it must not exist")
      ->required()
      ->type_name("FILE");
  command
      ->add_option("--precision", options->precision,
                   "number format of the weights and convolutions: fp32, fp16, or bf16 "
                   "(torchscript and safetensors only). Inputs and outputs are fp32")
      ->capture_default_str();
  command
      ->add_option("--batch", options->batch,
                   "positions per evaluation: dynamic, or a fixed number (onnx only)")
      ->capture_default_str();
  command->add_option("--policy", options->policy,
                      "legal: the legal moves' slots are an input, and the output is a probability "
                      "for each; full: the output is a logit for every slot (default: legal)");
  command->footer(
      "Batch norms are folded into the convolutions, and averaged weights are taken where there\n"
      "are any. Every file carries the description of its encoding; docs/export.md explains "
      "names,\n"
      "shapes and how to use a net in an engine of your own. Bundles prove themselves\n"
      "(`faultline verify`), and play, match, uci and analyse take them as nets.\n\n"
      "Examples:\n"
      "  faultline export runs/quickstart --format onnx -o escher.onnx\n"
      "  faultline export runs/quickstart --format onnx --policy full --batch 1 -o escher1.onnx\n"
      "  faultline export runs/gardner/nets/002000.pt --format torchscript --precision bf16 -o "
      "g.pt\n"
      "  faultline export runs/quickstart --format bundle -o escher.zip && faultline verify "
      "escher.zip");
  command->callback([options] { export_network(*options); });
}

}  // namespace faultline
