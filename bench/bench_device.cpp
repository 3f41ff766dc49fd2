// Measures a device: what it can do at most, what networks and self-play reach on it, and whether
// its outputs are the CPU's. Rows go to a file of JSON lines, from which the report is made;
// scripts/gpu-check runs the parts one by one. Runs on a CPU too.
#include <algorithm>
#include <cstdio>
#include <exception>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/core.h>

#include "base/processor.h"
#include "bench/device/parts.h"
#include "bench/device/report.h"
#include "model/device_options.h"
#include "model/torch_compat.h"

namespace {

using namespace faultline;
using namespace faultline::bench;

constexpr int kIncomplete = 3;  // rows are missing because the time was over
constexpr int kFailed = 4;      // a measurement failed; its row says why

/// "6x64", "10x128-se4", "4x64-levels", "10x128-se4-levels".
NetConfig parse_net(const std::string& text) {
  constexpr std::string_view kLevels = "-levels";
  NetConfig net;
  std::string rest = text;
  if (net.share_levels = rest.ends_with(kLevels); net.share_levels)
    rest.resize(rest.size() - kLevels.size());
  int read = 0;
  if (std::sscanf(rest.c_str(), "%dx%d%n", &net.blocks, &net.channels, &read) != 2)
    throw std::invalid_argument("network '" + text + "': expected BLOCKSxCHANNELS, such as 6x64");
  rest.erase(0, static_cast<std::size_t>(read));
  int end = 0;
  if (!rest.empty() && (std::sscanf(rest.c_str(), "-se%d%n", &net.se_ratio, &end) != 1 ||
                        static_cast<std::size_t>(end) != rest.size()))
    throw std::invalid_argument(
        "network '" + text + "': expected -seRATIO or -levels after its size, not '" + rest + "'");
  check(net);
  return net;
}

MatrixFormat parse_format(const std::string& text) {
  for (const MatrixFormat format : {MatrixFormat::Fp32, MatrixFormat::Tf32, MatrixFormat::Bf16})
    if (text == name(format)) return format;
  throw std::invalid_argument("format '" + text + "': expected fp32, tf32 or bf16");
}

std::string text_of_file(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) throw std::runtime_error(file + ": cannot be read");
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

int run(int argc, char** argv) {
  CLI::App app("measure a device for networks and self-play");
  app.require_subcommand(1);
  app.footer(
      "Exit code 3: the time was over before all rows were measured; 4: a measurement failed.");
  std::string device = "auto", results_file;
  double budget = 0;
  bool again = false;
  std::vector<std::string> nets = {"6x64", "10x128", "15x192", "20x256"};
  std::vector<std::string> formats;
  Settings settings;
  settings.batches = {256, 512, 1024, 2048, 4096};
  settings.variants = {"escher"};
  settings.configs = {"configs/escher-full.toml", "configs/inferno-full.toml"};

  const auto part = [&](const char* part_name, const char* help) {
    CLI::App* command = app.add_subcommand(part_name, help);
    command
        ->add_option("--results", results_file,
                     "file of JSON lines; rows that it has are not measured again")
        ->required();
    command->add_option("--device", device, std::string(kDeviceNames))->capture_default_str();
    command
        ->add_option("--budget", budget,
                     "start no measurement after this many seconds; 0: no limit")
        ->check(CLI::NonNegativeNumber);
    command->add_flag("--again", again, "measure what the file has once more");
    command->add_option("--formats", formats, "fp32, tf32, bf16; default: all that the device has")
        ->delimiter(',');
    return command;
  };
  const auto with_seconds = [&](CLI::App* command) {
    command->add_option("--seconds", settings.seconds, "of each measurement")
        ->check(CLI::PositiveNumber);
  };
  const auto with_nets = [&](CLI::App* command) {
    command
        ->add_option("--nets", nets,
                     "6x64, 10x128-se4; 4x64-levels shares its tower over Inferno's levels")
        ->delimiter(',');
    command->add_option("--variants", settings.variants, "escher, inferno")->delimiter(',');
  };
  const auto with_batches = [&](CLI::App* command) {
    command->add_option("--batches", settings.batches, "positions per batch")
        ->delimiter(',')
        ->check(CLI::Range(1, 65536));
  };
  const auto with_threads = [&](CLI::App* command) {
    command->add_option("--threads", settings.threads, "threads; default: one per core")
        ->delimiter(',')
        ->check(CLI::Range(1, 1024));
  };
  const auto with_positions = [&](CLI::App* command) {
    command->add_option("--positions", settings.positions, "positions of games to use")
        ->check(CLI::Range(1, 1'000'000));
  };
  part("limits", "matrix products, memory, transfers, the time between operations");
  auto* outputs = part("outputs", "the device's outputs against the CPU's");
  with_nets(outputs);
  with_positions(outputs);
  outputs->add_option("--steps", settings.steps, "training steps before")
      ->check(CLI::Range(0, 1'000'000));
  auto* inference = part("inference", "evaluations per second without search");
  with_seconds(inference);
  with_nets(inference);
  with_batches(inference);
  with_threads(inference);
  auto* selfplay =
      part("selfplay", "evaluations per second of self-play, and of the evaluator alone");
  with_seconds(selfplay);
  with_threads(selfplay);
  selfplay->add_option("--configs", settings.configs, "configurations of runs")->delimiter(',');
  auto* service = part("service", "self-play's share of a simulated device's rate");
  with_seconds(service);
  with_threads(service);
  service->add_option("--configs", settings.configs, "configurations of runs")->delimiter(',');
  auto* training = part("training", "samples per second of training steps");
  with_seconds(training);
  with_nets(training);
  with_batches(training);
  with_positions(training);
  auto* profile = part("profile", "what the device does in a batch and in a training step");
  with_nets(profile);
  with_batches(profile);
  auto* report = app.add_subcommand("report", "print the report of a results file as Markdown");
  report->add_option("--results", results_file, "file of JSON lines")->required();
  auto* describe = app.add_subcommand("describe", "print LibTorch's version and devices");
  CLI11_PARSE(app, argc, argv);

  if (describe->parsed()) {
    fmt::print("{}\n", torch_description());
    return 0;
  }
  if (report->parsed()) {
    fmt::print("{}", device_report(read_rows(text_of_file(results_file))));
    return 0;
  }
  settings.device = resolve_device(device);
  if (settings.threads.empty()) settings.threads = {available_processors()};
  for (const std::string& net : nets)
    settings.nets.push_back(parse_net(net));
  if (formats.empty())
    formats = settings.on_cpu() ? std::vector<std::string>{"fp32", "bf16"}
                                : std::vector<std::string>{"fp32", "tf32", "bf16"};
  for (const std::string& format : formats)
    settings.formats.push_back(parse_format(format));

  Results results(results_file, budget, again, settings.device == "cuda:0");
  if (app.got_subcommand("limits")) measure_limits(settings, results);
  if (outputs->parsed()) compare_outputs(settings, results);
  if (inference->parsed()) measure_inference(settings, results);
  if (selfplay->parsed()) measure_selfplay(settings, results);
  if (service->parsed()) measure_service(settings, results);
  if (training->parsed()) measure_training(settings, results);
  if (profile->parsed()) measure_profile(settings, results);
  if (results.missing() > 0)
    fmt::print(stderr, "bench_device: the time is over; {} rows are not measured yet\n",
               results.missing());
  if (results.failed() > 0) return kFailed;
  return results.missing() > 0 ? kIncomplete : 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const std::exception& error) {
    fmt::print(stderr, "bench_device: {}\n", error.what());
    return 2;
  }
}
