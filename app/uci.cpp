// `faultline uci`: the engine, for chess programs that speak the Universal Chess Interface.
#include <array>
#include <atomic>
#include <cerrno>
#include <cstddef>
#include <exception>
#include <filesystem>
#include <memory>
#include <optional>
#include <random>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <unistd.h>

#include "app/commands.h"
#include "app/input_errors.h"
#include "app/net_players.h"
#include "app/whole_number.h"
#include "base/options.h"
#include "base/quote.h"
#include "base/stop_signals.h"
#include "engine/line_reader.h"
#include "engine/uci_server.h"
#include "lab/ready_networks.h"
#include "lab/run_match.h"

namespace faultline {
namespace uci_command {
namespace {

struct Options {
  UciSettings settings;
  std::string evaluator = kAuto;
  std::string backend = kAuto;
  std::string precision = kAuto;
  std::vector<std::string> others;  // NAME=VALUE
};

UciNet find_net(const std::string& text) {
  const PlayerSpec player = find_player(text);
  if (player.kind != PlayerKind::Net) throw PlayerError(quote(text) + " is not a net");
  if (!player.strategy.empty())
    throw PlayerError(quote(text, 80) + ": a UCI engine follows no strategy; leave strategy= out");
  PlayerSearch search = search_of(player);
  return {.file = player.net, .search = search.settings, .notice = std::move(search.notice)};
}

std::optional<UciNet> find_ready_net(const std::string& variant) {
  const std::filesystem::path net = ready_network(variant);
  if (net.empty()) return std::nullopt;
  return find_net(net.string());
}

void set_from_command_line(UciSettings& settings, const std::string& name,
                           const std::string& value) {
  std::vector<std::string> backends;
  for (const BackendInfo& backend : program_backends().all())
    backends.push_back(backend.name);
  const std::vector<Option> options = uci_options(settings, backends);
  reporting_input_errors([&] { set_uci_option(find_uci_option(options, name), value); });
}

std::unique_ptr<UciServer> make_server(Options options,
                                       std::function<void(std::string_view)> write) {
  set_from_command_line(options.settings, "Evaluator", options.evaluator);
  set_from_command_line(options.settings, "Backend", options.backend);
  set_from_command_line(options.settings, "Precision", options.precision);
  for (const std::string& other : options.others) {
    const std::size_t equals = other.find('=');
    if (equals == std::string::npos)
      throw UsageError("--option " + quote(other) + ": give NAME=VALUE");
    set_from_command_line(options.settings, other.substr(0, equals), other.substr(equals + 1));
  }
  UciSetup setup{.name = "faultline " FAULTLINE_VERSION,
                 .settings = std::move(options.settings),
                 .backends = &program_backends(),
                 .find_net = find_net,
                 .find_ready_net = find_ready_net,
                 .seed = std::random_device()()};
  return reporting_input_errors(
      [&] { return std::make_unique<UciServer>(std::move(setup), std::move(write)); });
}

/// False once the output is closed.
bool write_all(std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = ::write(STDOUT_FILENO, text.data(), text.size());
    if (count >= 0)
      text.remove_prefix(static_cast<std::size_t>(count));
    else if (errno != EINTR)
      return false;
  }
  return true;
}

void converse(const Options& options) {
  // Games of 5,000 plies are 30 KB of moves.
  constexpr std::size_t kLongestLine = std::size_t{1} << 20;
  const StopSignals signals;
  std::atomic<bool> is_closed = false;
  std::atomic<int> fault = 0;  // the output's errno
  const std::unique_ptr<UciServer> server = make_server(options, [&](std::string_view text) {
    if (is_closed || write_all(text)) return;
    fault = errno;
    is_closed = true;
  });
  LineReader input(STDIN_FILENO, kLongestLine,
                   [&] { return is_closed || StopSignals::requested(); });
  for (std::string line;;) {
    const LineReader::Event event = input.next(line);
    if (event == LineReader::Event::End) break;
    if (event == LineReader::Event::TooLong)
      server->refuse_long_line(kLongestLine);
    else if (!server->hear(line))
      break;
  }
  // A chess program that goes away without `quit` is no error.
  if (fault != 0 && fault != EPIPE)
    throw std::runtime_error("standard output cannot be written to: " +
                             std::generic_category().message(fault));
}

}  // namespace
}  // namespace uci_command

void add_uci(CLI::App& app) {
  using namespace uci_command;
  auto options = std::make_shared<Options>();
  UciSettings& settings = options->settings;
  CLI::App* command =
      app.add_subcommand("uci", "play in chess programs, as an engine that speaks UCI");
  command->add_option(
      "--net", settings.net,
      "a net (runs/NAME/nets/000123.pt, or a bundle that export wrote) or a run's folder "
      "(its newest net); without it the variant's ready network plays");
  command
      ->add_option("--evaluator", options->evaluator,
                   "auto: net or fast, what the net's file says is stronger; net: tree search "
                   "with the net; fast: alpha-beta with the net's fast network; or without a net: "
                   "uniform (tree search in which every position is a draw), material (tree search "
                   "that counts it), alphabeta (counts it too)")
      ->capture_default_str()
      ->check(CLI::IsMember({"auto", "net", "uniform", "material", "alphabeta", "fast"}));
  command->add_option("--variant", settings.variant,
                      "the game until UCI_Variant is set (default: the net's, or chess)");
  command
      ->add_option("--backend", options->backend,
                   "what computes the net, as 'faultline version' lists them; auto: by the "
                   "processor, without timing")
      ->capture_default_str();
  command
      ->add_option("--precision", options->precision,
                   "number format in which the net is computed: fp32, bf16, int8, or auto")
      ->capture_default_str();
  command->add_option("--threads", settings.threads, "threads of a search")
      ->capture_default_str()
      ->transform(whole_number(1, 512));
  command->add_option("--hash", settings.hash, "MiB for the tree and its caches")
      ->capture_default_str()
      ->transform(whole_number(1, 1 << 20));
  command
      ->add_option("--option", options->others,
                   "NAME=VALUE: the initial value of any other option of the engine, such as "
                   "MultiPV=3 (repeatable; the command 'uci' lists them)")
      ->allow_extra_args(false);
  command->footer(
      "Options given here are the defaults that the engine announces; the chess program may "
      "change\n"
      "them all. A program that knows the game by the name in UCI_Variant can play it; chess and\n"
      "gardner are known to most. docs/uci.md has the options and the protocol's details.\n\n"
      "Examples:\n"
      "  (echo position startpos moves e2e4; echo go movetime 1000; sleep 2) |\n"
      "      faultline uci --net runs/a\n"
      "  cutechess-cli -engine cmd=faultline arg=uci arg=--net arg=runs/a proto=uci \\\n"
      "                -engine cmd=stockfish proto=uci -each tc=10+0.1 -rounds 100\n"
      "  faultline uci --evaluator material --variant gardner --threads 4 --hash 1024\n"
      "In a graphical program, add an engine with the command 'faultline uci --net /PATH/TO/NET'.");
  command->callback([options] { converse(*options); });
}

}  // namespace faultline
