// Inference speed: positions/s of every backend in every precision, by network and batch size, on
// one thread, as a Markdown table; with each, its ratio to the fastest of LibTorch's, and its rate
// of multiplications and additions as a share of that of a large fp32 matrix product in the same
// run.
//
//   bench_inference [--net 2x32]... [--batch 8]... [--variant chess] [--se-ratio 0] [--seconds 0.4]
#include <algorithm>
#include <cstdint>
#include <exception>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <time.h>

#include "bench/inference/random_network.h"
#include "model/inference/backend_registry.h"
#ifdef FAULTLINE_TORCH
#include <ATen/ATen.h>

#include "model/inference/libtorch_backend.h"
#include "model/torch_compat.h"
#else
#include <Eigen/Core>
#endif

namespace faultline {
namespace {

double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// The fewest seconds that a call takes, over calls that take `seconds` in all, at least three.
template <class F>
double fastest(double seconds, F&& call) {
  double best = 1e9;
  const double begin = cpu_seconds();
  for (int calls = 0; calls < 3 || cpu_seconds() - begin < seconds; ++calls) {
    const double start = cpu_seconds();
    call();
    best = std::min(best, cpu_seconds() - start);
  }
  return best;
}

/// The speed of a 1024^3 product in fp32 on one thread.
double matmul_gflops() {
  constexpr std::int64_t kSize = 1024;
#ifdef FAULTLINE_TORCH
  use_one_thread();
  const auto a = at::randn({kSize, kSize}), b = at::randn({kSize, kSize});
  const double seconds = fastest(1, [&] { at::mm(a, b); });
#else
  const Eigen::MatrixXf a = Eigen::MatrixXf::Random(kSize, kSize);
  Eigen::MatrixXf b = a;
  const double seconds = fastest(1, [&] { b.noalias() = a * a; });
#endif
  return 2e-9 * kSize * kSize * kSize / seconds;
}

/// Multiplications and additions per position, without the policy's (few) products.
double flops(const EncodingInfo& encoding, const NetConfig& net) {
  const NetworkDescription network = describe_network(encoding, net);
  const auto boards = static_cast<double>(network.boards.size());
  const double cells = encoding.cells(), c = net.channels;
  const double stem = 9.0 * static_cast<double>(network.boards.front().size()) * c;
  const double blocks = net.blocks * 2 * 9.0 * c * c;
  const double heads = c * (2.0 * network.policy.levels * net.policy_dim + net.value_channels);
  const double value = cells * net.value_channels * net.value_hidden;
  return 2 * boards * (cells * (stem + blocks + heads) + value);
}

/// Positions/s of `backend` with batches of `count` positions.
double rate(Backend& backend, const EncodingInfo& encoding, std::span<const float> planes,
            std::size_t count, double seconds) {
  const auto batch = made_up_batch(backend, encoding, planes, count);
  return static_cast<double>(count) / fastest(seconds, [&] {
           backend.submit(*batch);
           backend.wait(*batch);
         });
}

const BackendRegistry& backends() {
#ifdef FAULTLINE_TORCH
  return all_backends();
#else
  return cpu_backends();
#endif
}

struct Settings {
  std::vector<std::string> nets = {"2x32", "6x64", "10x128", "15x192"};
  std::vector<std::size_t> batches = {1, 8, 64};
  std::string variant = "chess";
  int se_ratio = 0;
  double seconds = 0.4;
};

void run(const Settings& settings) {
  const EncodingInfo encoding = encoding_of(settings.variant);
  const auto planes = random_game_planes(encoding, std::ranges::max(settings.batches));
  const double matmul = matmul_gflops();
  fmt::print("{}, {}x{}; fp32 matrix product {:.0f} GF/s\n\n", encoding.variant, encoding.height,
             encoding.width, matmul);
  fmt::print(
      "| net | batch | backend | positions/s | to LibTorch's best | to the product | ms to "
      "construct |\n|---|---|---|---|---|---|---|\n");
  for (const std::string& text : settings.nets) {
    const NetConfig net = net_of_size(text, settings.se_ratio);
    const NetworkValues values = random_network(encoding, net);
    for (const std::size_t batch : settings.batches) {
      struct Row {
        std::string backend;
        double rate, construction;  // positions/s, seconds
      };
      std::vector<Row> rows;
      double libtorch = 0;
      for (const BackendInfo& info : backends().all())
        for (const Precision precision : kPrecisions) {
          const BackendOptions options{
              .device = "cpu", .precision = precision, .backend = info.name};
          if (!info.attributes(options)) continue;
          const auto backend = backends().create(values, options);
          const double found = rate(*backend, encoding, planes, batch, settings.seconds);
          const double construction = fastest(0, [&] { backends().create(values, options); });
          rows.push_back({fmt::format("{} {}", info.name, name(precision)), found, construction});
          if (info.name == "libtorch") libtorch = std::max(libtorch, found);
        }
      for (const Row& row : rows)
        fmt::print("| {} | {} | {} | {:.0f} | {} | {:.2f} | {:.1f} |\n", text, batch, row.backend,
                   row.rate, libtorch > 0 ? fmt::format("{:.2f}", row.rate / libtorch) : "",
                   1e-9 * row.rate * flops(encoding, net) / matmul, 1e3 * row.construction);
      std::fflush(stdout);
    }
  }
}

}  // namespace
}  // namespace faultline

int main(int argc, char** argv) {
  faultline::Settings settings;
  CLI::App app("Inference speed of every backend and precision, on one thread.");
  app.add_option("--net", settings.nets, "BLOCKSxCHANNELS")->capture_default_str();
  app.add_option("--batch", settings.batches, "Positions")
      ->capture_default_str()
      ->check(CLI::PositiveNumber);
  app.add_option("--variant", settings.variant)->capture_default_str();
  app.add_option("--se-ratio", settings.se_ratio, "0: no squeeze-and-excitation");
  app.add_option("--seconds", settings.seconds, "For each measurement")->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  try {
    faultline::run(settings);
  } catch (const std::exception& error) {
    fmt::print(stderr, "bench_inference: {}\n", error.what());
    return 1;
  }
  return 0;
}
