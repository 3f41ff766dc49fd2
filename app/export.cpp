// `faultline export`: a network in a format of other programs.
#include <algorithm>
#include <charconv>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "app/commands.h"
#include "app/exporting.h"
#include "app/input_errors.h"
#include "app/net_players.h"
#include "app/output_file.h"
#include "base/nearest_name.h"
#include "base/quote.h"
#include "lab/net_origin.h"
#include "model/checkpoint_file.h"
#include "model/checkpoint_folder.h"
#include "model/export/bundle.h"
#include "model/export/fast_export.h"
#include "model/export/onnx_export.h"
#include "model/export/safetensors.h"
#include "model/fast/fast_file.h"
#include "model/fast/fast_network.h"
#include "record/config.h"
#include "rules/data/known_games.h"
#include "web/static_page.h"

namespace faultline {
namespace export_command {
namespace {

namespace fs = std::filesystem;

struct Options {
  std::string net;
  std::string format;
  std::string out;
  std::string precision = "fp32";
  std::string batch = "dynamic";
  std::string policy;  // "": not given
  std::string note;
  bool single_file = false;
};

/// The position of `text` in `names`; throws UsageError that lists them.
std::size_t one_of(const std::string& option, const std::string& text,
                   const std::vector<std::string>& names) {
  const auto found = std::ranges::find(names, text);
  if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
  throw UsageError(fmt::format("{} {}: choose one of {}{}", option, quote(text),
                               fmt::join(names, ", "), did_you_mean(nearest_name(text, names))));
}

enum class Format : std::uint8_t { Onnx, TorchScript, Safetensors, Bundle, Fast, Net, Page };

Format parsed_format(const std::string& text) {
  return static_cast<Format>(one_of(
      "--format", text, {"onnx", "torchscript", "safetensors", "bundle", "fast", "net", "page"}));
}

ExportOptions parsed_options(const Options& options, Format format) {
  ExportOptions parsed;
  if (options.single_file && format != Format::Page)
    throw UsageError("--single-file: only --format page has several files");
  parsed.precision = static_cast<ExportPrecision>(
      one_of("--precision", options.precision, {"fp32", "fp16", "bf16"}));
  if (!options.policy.empty()) {
    if (format == Format::Safetensors)
      throw UsageError(
          "--policy: safetensors hold weights alone, for either policy; leave --policy out");
    if (format == Format::Fast)
      throw UsageError("--policy: a fast network has no policy; leave --policy out");
    if (format == Format::Net || format == Format::Page)
      throw UsageError(fmt::format("--policy: a {} is for this program alone; leave --policy out",
                                   format == Format::Net ? "checkpoint" : "page"));
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
  if ((format == Format::Fast || format == Format::Net || format == Format::Page) &&
      parsed.precision != ExportPrecision::Fp32)
    throw UsageError(fmt::format("--precision {}: {}; leave --precision out", options.precision,
                                 format == Format::Fast
                                     ? "a fast network is computed in whole numbers"
                                     : "a checkpoint and a page have fp32"));
  if (!options.note.empty() && format != Format::Net)
    throw UsageError("--note: only --format net keeps a note");
  if (parsed.precision == ExportPrecision::Bf16 && format == Format::Bundle)
    throw UsageError(fmt::format(
        "--precision bf16: a bundle contains ONNX, whose opset {} has no convolution in bf16; "
        "choose fp32 or fp16, or --format torchscript or safetensors",
        kOnnxOpset));
  return parsed;
}

/// What model.json says of the program and the run.
nlohmann::ordered_json about(const fs::path& net, const CheckpointInfo& info) {
  nlohmann::ordered_json about = {{"program", "faultline " FAULTLINE_VERSION}};
  about.update(net_origin(net, info));
  return about;
}

/// The networks of a checkpoint as they play, with where they come from.
std::string net_bytes(const Options& options, const fs::path& net) {
  auto origin = about(net, read_checkpoint_info(net));
  if (const auto run = run_of_net(net); run && fs::exists(*run / "config.toml"))
    origin["config"] = to_toml(load_config(*run / "config.toml"));
  if (origin.at("strength").is_null()) origin.erase("strength");
  if (!options.note.empty()) origin["note"] = options.note;
  CheckpointFile file = playing_file(net, origin);
  file.header["about"]["weights"] = network_hashes(file, net);
  return file.bytes();
}

bool names_game(const std::string& text) {
  return text.starts_with(data::kDataPrefix) || text.ends_with(".toml");
}

/// The page of a game that the command line names, without a network.
web::StaticPage game_page(const std::string& named) {
  const bool by_name = named.starts_with(data::kDataPrefix);
  const data::GameFile& game =
      data::known_game(by_name ? named.substr(data::kDataPrefix.size()) : named);
  return web::page_of_game(game.name, game.title, game.text);
}

web::StaticPage net_page(const Options& options, const fs::path& net) {
  const CheckpointInfo info = read_checkpoint_info(net);
  const std::string& variant = info.encoding.variant;
  web::StaticPage page;
  if (const std::string text = data::game_text(variant); !text.empty())
    page = web::page_of_game(variant.substr(data::kDataPrefix.size()), "", text);
  page.title = fmt::format("{}, {} steps", variant, info.steps);
  page.open = "g=" + variant;
  page.nets = {{"net.pt", net_bytes(options, net)}};
  return page;
}

/// Writes a folder with a page and what it loads, or one file; returns the bytes of all.
std::size_t write_page(const Options& options, const web::StaticPage& page) {
  const web::BrowserProgram program = web::browser_program();
  const auto files = web::static_page(page, program, options.single_file);
  const fs::path out = options.out;
  if (!options.single_file) fs::create_directories(out);
  std::size_t bytes = 0;
  for (const auto& [name, content] : files) {
    write_new_output(options.single_file ? out : out / name, content);
    bytes += content.size();
  }
  return bytes;
}

std::string exported(const Options& options, const fs::path& net) {
  const Format format = parsed_format(options.format);
  const ExportOptions parsed = parsed_options(options, format);
  if (format == Format::Onnx && !has_onnx())
    write_onnx({}, parsed, {});  // says why before the net is read
  if (format == Format::Fast) return write_fast_export(load_fast_network(net));
  if (format == Format::Net) return net_bytes(options, net);
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
      return write_bundle(source, parsed, about(net, source.info), program_torchscript());
    case Format::Fast:
    case Format::Net:
    case Format::Page:
      break;
  }
  throw UsageError(
      fmt::format("--format {}: this program was built without LibTorch", options.format));
}

/// The checkpoint that the command line names.
fs::path named_net(const std::string& text) {
  const PlayerSpec player = find_named_net(text);
  if (player.name != player.net.string())
    throw UsageError(fmt::format(
        "{}: a file has no settings of a player; leave out {} (and use --precision for the number "
        "format of the file)",
        quote(text, 80), quote(player.name.substr(player.net.string().size()))));
  if (is_bundle(player.net))
    throw UsageError(
        fmt::format("{}: is a bundle or another zip archive: an export already. A bundle holds {}, "
                    "{} and {}; unpack it, or export the checkpoint that it was made of",
                    player.net.string(), kBundleOnnx, kBundleTorchScript, kBundleSafetensors));
  return player.net;
}

void export_network(const Options& options) {
  const Format format = parsed_format(options.format);
  parsed_options(options, format);  // before the files are looked at
  const bool is_game = format == Format::Page && names_game(options.net);
  const fs::path net = is_game ? fs::path() : named_net(options.net);
  const fs::path out = options.out;
  require_new_output(out);
  if (!is_game && options.format != "fast" && options.format != "net")
    print_search_notices({net.string()});
  try {
    if (format == Format::Page) {
      const std::size_t bytes = reporting_input_errors([&] {
        return write_page(options, is_game ? game_page(options.net) : net_page(options, net));
      });
      fmt::print("{}: page of {}, {} bytes\n", out.string(), options.net, bytes);
      return;
    }
    const std::string bytes = reporting_input_errors([&] { return exported(options, net); });
    write_new_output(out, bytes);
    fmt::print("{}: {} of {}, {} bytes\n", out.string(), options.format, net.string(),
               bytes.size());
  } catch (const ExportError& error) {
    throw UsageError(error.what());
  } catch (const web::NoBrowserProgram& error) {
    throw UsageError(error.what());
  }
}

}  // namespace
}  // namespace export_command

void add_export(CLI::App& app) {
  using namespace export_command;
  auto options = std::make_shared<Options>();
  CLI::App* command =
      app.add_subcommand("export", "write a net as ONNX, TorchScript, safetensors or a bundle");
  command
      ->add_option("NET", options->net,
                   "a net (runs/NAME/nets/000123.pt), a run's folder (its newest net), "
                   "untrained:RUN, or, for a page, a game's file or data:NAME")
      ->required();
  command
      ->add_option(
          "--format", options->format,
          "onnx (a graph for ONNX Runtime and others), torchscript (for LibTorch and "
          "Python's torch), safetensors (weights and their description), bundle (one "
          "zip with all three, the description of the encoding, and positions with their "
          "outputs), fast (the net's fast network, as safetensors with all of that), "
          "net (a checkpoint of its networks without the state of their training), or page "
          "(a web page that plays with it, without a server)")
      ->required();
  command
      ->add_option("-o,--out", options->out,
                   "the file to write, or the folder of a page; it must not exist")
      ->required()
      ->type_name("FILE");
  command->add_flag("--single-file", options->single_file,
                    "a page as one file, which also opens from a disk (page only)");
  command
      ->add_option("--precision", options->precision,
                   "number format of the weights and convolutions: fp32, fp16, or bf16 "
                   "(torchscript and safetensors only). Inputs and outputs are fp32")
      ->capture_default_str();
  command
      ->add_option("--batch", options->batch,
                   "positions per evaluation: dynamic, or a fixed number (onnx only)")
      ->capture_default_str();
  command->add_option("--note", options->note, "a text that the file keeps (net only)");
  command->add_option("--policy", options->policy,
                      "legal: the legal moves' slots are an input, and the output is a probability "
                      "for each; full: the output is a logit for every slot (default: legal)");
  command->footer(
      "Batch norms are folded into the convolutions. Every file carries the description of its\n"
      "encoding; docs/export.md explains names, shapes and how to use a net in an engine of your\n"
      "own. 'faultline verify' checks bundles, and play, match, uci and analyse take them as "
      "nets.\n\n"
      "Examples:\n"
      "  faultline export runs/quickstart --format onnx -o escher.onnx\n"
      "  faultline export runs/quickstart --format onnx --policy full --batch 1 -o escher1.onnx\n"
      "  faultline export runs/gardner/nets/002000.pt --format torchscript --precision bf16 -o "
      "g.pt\n"
      "  faultline export runs/quickstart --format bundle -o escher.zip && faultline verify "
      "escher.zip\n"
      "  faultline export runs/fast --format fast -o fast.safetensors\n"
      "  faultline export runs/quickstart --format net -o escher.pt\n"
      "  faultline export runs/quickstart --format page --single-file -o escher.html");
  command->callback([options] { export_network(*options); });
}

}  // namespace faultline
