// Players given on the command line, and what they need to play; shared by `match` and `play`.
#include "app/net_players.h"

#include <set>

#include <CLI/CLI.hpp>
#include <fmt/core.h>

#include "app/input_errors.h"
#include "base/options.h"
#include "base/quote.h"
#include "model/net_search.h"

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

InferenceChoice playing_choice(const DeviceOptions& options) {
  return choose_inference(program_backends(), options, {});
}

void require_choice(const DeviceOptions& options) {
  reporting_input_errors([&] { playing_choice(options); });
}

void print_search_notices(const std::vector<std::string>& players) {
  std::set<std::string> notices;
  for (const std::string& name : players)
    if (const PlayerSpec player = find_named_player(name); player.kind == PlayerKind::Net)
      notices.insert(reporting_input_errors([&] { return net_search(player.net).notice; }));
  for (const std::string& notice : notices)
    if (!notice.empty()) fmt::print(stderr, "{}\n", notice);
}

PlayerSpec find_named_player(const std::string& text) {
  return reporting_input_errors([&] { return find_player(text); });
}

PlayerSpec find_named_net(const std::string& text, const std::string& option) {
  constexpr const char* kNets =
      "a net is a file (runs/NAME/nets/000123.pt), a run's folder (its newest net), or "
      "untrained:RUN "
      "(its net before training)";
  const std::string shown =
      option.empty() ? quote(text, 80) : fmt::format("{} {}", option, quote(text, 80));
  PlayerSpec player = reporting_input_errors([&] {
    try {
      return find_player(text);
    } catch (const UnknownPlayerError&) {
      throw UsageError(fmt::format("{}: there is no such file or folder; {}", shown, kNets));
    }
  });
  if (player.kind != PlayerKind::Net)
    throw UsageError(fmt::format("{}: is no net; {}", shown, kNets));
  return player;
}

std::string variant_of(const std::string& given, const std::vector<PlayerSpec>& players) {
  if (!given.empty()) return given;
  for (const PlayerSpec& player : players) {
    if (player.uses_net())
      return reporting_input_errors(
          [&] { return read_checkpoint_info(player.net).encoding.variant; });
    if (const auto fast = reporting_input_errors([&] { return fast_network_of(player); }))
      return fast->variant;
  }
  throw UsageError("which variant? It must be given if no player is a net");
}

std::shared_ptr<Backend> load_player(const PlayerSpec& player, const EncodingInfo& encoding,
                                     const DeviceOptions& options) {
  DeviceOptions own = options;
  if (player.precision) own.precision = precision_choice(*player.precision);
  return reporting_input_errors([&] {
    return load_backend(player.net, encoding, program_backends(),
                        backend_options(playing_choice(own)));
  });
}

}  // namespace faultline
