// Players named on the command line, brought to life: `match` and `play` share this.
#include "app/net_players.h"

#include <stdexcept>

#include <CLI/CLI.hpp>
#include <fmt/core.h>

#include "model/inference/libtorch_backend.h"
#include "model/inference/precision.h"

namespace faultline {

void add_device_options(CLI::App& command, DeviceOptions& options) {
  command
      .add_option("--device", options.device, "cpu, cuda, cuda:1 or auto (CUDA if there is any)")
      ->capture_default_str();
  command
      .add_option("--precision", options.precision, "fp32, or bf16 for devices that are fast in it")
      ->capture_default_str();
}

BackendOptions backend_options(const DeviceOptions& options) {
  return {.device = options.device, .precision = parse_precision(options.precision)};
}

PlayerSpec find_named_player(const std::string& text) {
  try {
    return find_player(text);
  } catch (const PlayerError& error) {
    throw UsageError(error.what());
  }
}

std::string variant_of(const std::string& given, const std::vector<PlayerSpec>& players) {
  if (!given.empty()) return given;
  for (const PlayerSpec& player : players) {
    if (player.kind != PlayerKind::Net) continue;
    try {
      return read_checkpoint_info(player.net).encoding.variant;
    } catch (const CheckpointError& error) {
      throw UsageError(error.what());
    }
  }
  throw UsageError("which variant? Without a net that knows, it has to be named");
}

std::shared_ptr<Backend> load_player(const PlayerSpec& player, const EncodingInfo& encoding,
                                     const DeviceOptions& options) {
  try {
    return load_backend(player.net, encoding, all_backends(), backend_options(options));
  } catch (const CheckpointError& error) {
    throw UsageError(error.what());
  } catch (const std::invalid_argument& error) {
    throw UsageError(error.what());
  }
}

}  // namespace faultline
