// Players given on the command line, and what they need to play; shared by `match` and `play`.
#include "app/net_players.h"

#include <CLI/CLI.hpp>
#include <fmt/core.h>

#include "app/input_errors.h"
#include "base/options.h"
#include "base/quote.h"

namespace faultline {

void add_device_options(CLI::App& command, DeviceOptions& options) {
  for (const Option& option : faultline::options(options)) {
    const std::string flag = "--" + option.name;
    std::string help = option.help;
    std::erase(help, '`');
    const auto set = [option, flag](const std::string& word) {
      reporting_input_errors([&] { assign(option, flag, parse_value(option, word), quote(word)); });
    };
    std::string value = value_text(option);
    std::erase(value, '"');
    command.add_option_function<std::string>(flag, set, help)->default_str(value);
  }
}

BackendOptions backend_options(const DeviceOptions& options) {
  return {.device = options.device, .precision = options.precision};
}

PlayerSpec find_named_player(const std::string& text) {
  return reporting_input_errors([&] { return find_player(text); });
}

std::string variant_of(const std::string& given, const std::vector<PlayerSpec>& players) {
  if (!given.empty()) return given;
  for (const PlayerSpec& player : players) {
    if (player.uses_net())
      return reporting_input_errors(
          [&] { return read_checkpoint_info(player.net).encoding.variant; });
  }
  throw UsageError("which variant? It must be given if no player is a net");
}

std::shared_ptr<Backend> load_player(const PlayerSpec& player, const EncodingInfo& encoding,
                                     const DeviceOptions& options) {
  BackendOptions backend = backend_options(options);
  backend.precision = player.precision.value_or(backend.precision);
  return reporting_input_errors(
      [&] { return load_backend(player.net, encoding, program_backends(), backend); });
}

}  // namespace faultline
