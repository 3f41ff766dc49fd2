// What all parts of bench_device share: settings from the command line.
#pragma once

#include <algorithm>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

#include "bench/device/device_limits.h"
#include "model/encoding/encoders.h"
#include "model/inference/precision.h"
#include "model/net_config.h"
#include "rules/variant.h"

namespace faultline::bench {

struct Settings {
  std::string device;                 // resolved: "cpu", "cuda:0"
  double seconds = 1;                 // of each measurement
  std::vector<NetConfig> nets;        //
  std::vector<int> batches;           // positions per batch
  std::vector<MatrixFormat> formats;  // of convolutions and products
  std::vector<int> threads;           // that submit batches, or play
  std::vector<std::string> variants;  // "escher", "inferno"
  std::vector<std::string> configs;   // of runs, files
  int positions = 2048;               // of games, for comparisons and for batches
  int steps = 200;                    // of training before outputs are compared

  bool on_cpu() const { return device == "cpu"; }
};

/// "fp32", "tf32", "bf16".
inline std::string name(MatrixFormat format) {
  switch (format) {
    case MatrixFormat::Fp32:
      return "fp32";
    case MatrixFormat::Tf32:
      return "tf32";
    case MatrixFormat::Bf16:
      return "bf16";
  }
  return {};
}

/// The backends' precision for the format; fp32 also needs allow_tf32.
inline Precision precision(MatrixFormat format) {
  return format == MatrixFormat::Bf16 ? Precision::Bf16 : Precision::Fp32;
}

/// The two games with the largest difference in the cost of their rules and encodings: only for
/// them is self-play compiled.
using MeasuredFamilies = std::tuple<EscherPosition, InfernoPosition>;

/// Calls f(std::type_identity<P>{}, variant) for one of MeasuredFamilies.
template <class F>
void with_measured_family(const std::string& text, F&& f) {
  const VariantName name = parse_variant_name(text);
  bool found = false;
  const auto attempt = [&]<class P>(std::type_identity<P> type) {
    if (P::info().name != name.family) return;
    found = true;
    f(type, P::variant(name));
  };
  std::apply(
      [&](const auto&... position) {
        (attempt(std::type_identity<std::remove_cvref_t<decltype(position)>>{}), ...);
      },
      MeasuredFamilies{});
  if (!found)
    throw std::invalid_argument("variant '" + text +
                                "': device measurements know escher and inferno");
}

}  // namespace faultline::bench
