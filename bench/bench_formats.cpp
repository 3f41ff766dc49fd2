// Exported networks in the runtimes that they are for: size of the file, and positions/s on one
// thread, as a Markdown table, beside this program's own backends. ONNX files run in ONNX Runtime
// (npm's onnxruntime-node), TorchScript in the LibTorch that this program was built with.
//
//   bench_formats [--net 2x32]... [--batch 8]... [--variant chess] [--seconds 0.5]
//                 [--node-modules build/outsiders/node_modules]
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <unistd.h>

#include "bench/inference/random_network.h"
#include "model/checkpoint_file.h"
#include "model/export/encoding_description.h"
#include "model/export/export_source.h"
#include "model/export/onnx_export.h"
#include "model/export/safetensors.h"
#include "model/export/torchscript_export.h"
#include "model/export/torchscript_module.h"
#include "model/inference/backend_registry.h"
#include "model/torch_compat.h"

namespace faultline {
namespace {

namespace fs = std::filesystem;

struct Settings {
  std::vector<std::string> nets = {"2x32", "6x64", "10x128"};
  std::vector<std::size_t> batches = {1, 8, 64};
  std::string variant = "chess";
  double seconds = 0.5;
  fs::path node_modules = "build/outsiders/node_modules";
};

/// The fewest seconds that a call takes, over calls that take `seconds` in all, at least three.
template <class F>
double fastest(double seconds, F&& call) {
  using Clock = std::chrono::steady_clock;
  const auto since = [](Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
  };
  double best = 1e9;
  const auto begin = Clock::now();
  for (int calls = 0; calls < 3 || since(begin) < seconds; ++calls) {
    const auto start = Clock::now();
    call();
    best = std::min(best, since(start));
  }
  return best;
}

ExportSource random_source(const EncodingInfo& encoding, const NetworkValues& values) {
  ExportSource source;
  source.info.encoding = encoding;
  source.info.net = values.description.config;
  source.info.parameters = static_cast<std::int64_t>(values.parameters.size());
  source.info.weights_hash = weights_hash(values.parameters, values.statistics);
  source.network = fold(values);
  source.encoding = describe_encoding(encoding);
  return source;
}

class Formats {
 public:
  explicit Formats(const Settings& settings)
      : settings_(settings),
        encoding_(encoding_of(settings.variant)),
        planes_(random_game_planes(encoding_, std::ranges::max(settings.batches))) {}

  void print() const {
    fmt::print("{}; positions/s on one thread\n\n| net | file | runs in | bytes |",
               settings_.variant);
    for (const std::size_t batch : settings_.batches)
      fmt::print(" batch {} |", batch);
    fmt::print("\n|---|---|---|---|");
    for (std::size_t i = 0; i < settings_.batches.size(); ++i)
      fmt::print("---|");
    fmt::print("\n");
    for (const std::string& net : settings_.nets)
      print(net);
  }

 private:
  void print(const std::string& net) const {
    const NetworkValues values = random_network(encoding_, net_of_size(net));
    const ExportSource source = random_source(encoding_, values);
    for (const auto precision : {ExportPrecision::Fp32, ExportPrecision::Fp16}) {
      if (!has_onnx()) break;
      const ExportOptions options{.precision = precision};
      const std::string bytes =
          write_onnx(source.network, options, export_metadata(source, options));
      row(net, "ONNX", name(precision), "ONNX Runtime", bytes.size(), onnx_rates(bytes));
    }
    for (const auto precision :
         {ExportPrecision::Fp32, ExportPrecision::Fp16, ExportPrecision::Bf16}) {
      const ExportOptions options{.precision = precision};
      const std::string bytes =
          write_torchscript(source.network, options, export_metadata(source, options));
      row(net, "TorchScript", name(precision), "LibTorch", bytes.size(), torchscript_rates(bytes));
    }
    for (const auto precision :
         {ExportPrecision::Fp32, ExportPrecision::Fp16, ExportPrecision::Bf16}) {
      const std::string bytes = write_safetensors(
          source.network, precision, export_metadata(source, {.precision = precision}));
      row(net, "safetensors", name(precision), "", bytes.size(), std::nullopt);
    }
    for (const BackendInfo& info : cpu_backends().all())
      for (const Precision precision : kPrecisions) {
        const BackendOptions options{.device = "cpu", .precision = precision, .backend = info.name};
        if (info.attributes(options))
          row(net, "faultline's own", name(precision), "backend " + std::string(info.name),
              std::nullopt, backend_rates(*cpu_backends().create(values, options)));
      }
  }

  using Rates = std::optional<std::vector<double>>;  // of each batch size

  Rates torchscript_rates(const std::string& bytes) const {
    const RunModule run = load_torchscript(bytes).run;
    std::vector<double> rates;
    for (const std::size_t batch : settings_.batches) {
      ModuleInputs inputs{.batch = static_cast<std::int64_t>(batch),
                          .planes = {planes_.begin(), planes_.begin() + floats(batch)},
                          .moves = static_cast<std::int64_t>(kMadeUpMoves),
                          .move_slots = std::vector<std::int64_t>(batch * kMadeUpMoves)};
      for (std::size_t i = 0; i < inputs.move_slots.size(); ++i)
        inputs.move_slots[i] = static_cast<std::int64_t>(i * 37) % slot_count(encoding_);
      rates.push_back(static_cast<double>(batch) /
                      fastest(settings_.seconds, [&] { run(inputs); }));
    }
    return rates;
  }

  /// None without ONNX Runtime.
  Rates onnx_rates(const std::string& bytes) const {
    if (!fs::exists(settings_.node_modules / "onnxruntime-node")) return std::nullopt;
    const fs::path file =
        fs::temp_directory_path() / fmt::format("bench_formats-{}.onnx", ::getpid());
    std::ofstream(file, std::ios::binary) << bytes;
    std::string command = fmt::format(
        "node '{}/bench/inference/onnx_speed.js' '{}' '{}' {}", FAULTLINE_SOURCE_DIR,
        fs::absolute(settings_.node_modules).string(), file.string(), settings_.seconds);
    for (const std::size_t batch : settings_.batches)
      command += fmt::format(" {}", batch);
    std::FILE* const output = ::popen(command.c_str(), "r");
    if (output == nullptr) throw std::runtime_error("node cannot be started");
    std::vector<double> rates;
    std::array<char, 100> line{};
    while (std::fgets(line.data(), line.size(), output) != nullptr)
      rates.push_back(std::stod(line.data()));
    const int status = ::pclose(output);
    fs::remove(file);
    if (status != 0 || rates.size() != settings_.batches.size())
      throw std::runtime_error("ONNX Runtime failed: " + command);
    return rates;
  }

  Rates backend_rates(Backend& backend) const {
    std::vector<double> rates;
    for (const std::size_t positions : settings_.batches) {
      const auto batch = made_up_batch(backend, encoding_, planes_, positions);
      rates.push_back(static_cast<double>(positions) / fastest(settings_.seconds, [&] {
                        backend.submit(*batch);
                        backend.wait(*batch);
                      }));
    }
    return rates;
  }

  std::ptrdiff_t floats(std::size_t positions) const {
    return static_cast<std::ptrdiff_t>(positions * encoding_.floats());
  }

  void row(const std::string& net, std::string_view format, std::string_view precision,
           const std::string& runtime, std::optional<std::size_t> bytes, const Rates& rates) const {
    fmt::print("| {} | {} {} | {} | {} |", net, format, precision, runtime,
               bytes ? std::to_string(*bytes) : "");
    for (std::size_t i = 0; i < settings_.batches.size(); ++i)
      fmt::print(" {} |", rates ? fmt::format("{:.0f}", (*rates)[i]) : "");
    fmt::print("\n");
    std::fflush(stdout);
  }

  Settings settings_;
  EncodingInfo encoding_;
  std::vector<float> planes_;
};

}  // namespace
}  // namespace faultline

int main(int argc, char** argv) {
  faultline::Settings settings;
  CLI::App app("Sizes of exported networks, and their speed in the runtimes they are for.");
  app.add_option("--net", settings.nets, "BLOCKSxCHANNELS")->capture_default_str();
  app.add_option("--batch", settings.batches, "Positions")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  app.add_option("--variant", settings.variant)->capture_default_str();
  app.add_option("--seconds", settings.seconds, "For each measurement")->capture_default_str();
  app.add_option("--node-modules", settings.node_modules,
                 "Where onnxruntime-node is; without it, ONNX is not timed")
      ->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  try {
    faultline::use_one_thread();
    faultline::Formats(settings).print();
  } catch (const std::exception& error) {
    fmt::print(stderr, "bench_formats: {}\n", error.what());
    return 1;
  }
  return 0;
}
