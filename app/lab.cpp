// `faultline lab`: serves the page to play, analyse, watch and train, and opens it in a browser.
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/core.h>

#include "app/browser.h"
#include "app/commands.h"
#include "app/input_errors.h"
#include "app/lab_place.h"
#include "app/net_players.h"
#include "app/whole_number.h"
#include "base/processor.h"
#include "base/quote.h"
#include "base/stop_signals.h"
#include "web/access.h"
#include "web/http_server.h"
#include "web/lab_page.h"
#include "web/lab_service.h"

namespace faultline {
namespace lab_command {
namespace {

namespace fs = std::filesystem;

constexpr std::uint16_t kPort = 8128;
constexpr int kMorePorts = 20;

struct Options {
  std::string place;
  std::optional<std::uint16_t> port;
  std::string listen;
  std::vector<std::string> names;
  bool allow_start = false;
  bool no_browser = false;
  DeviceOptions device;
};

/// HOST:PORT, the host of IPv6 in brackets.
std::pair<std::string, std::uint16_t> parsed_address(const std::string& text) {
  const std::size_t colon = text.rfind(':');
  std::string host = text.substr(0, colon);
  if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
  std::string port = colon == std::string::npos ? "" : text.substr(colon + 1);
  const std::string wrong = port.empty() ? "x" : whole_number(0, 65535)(port);
  if (host.empty() || !wrong.empty())
    throw UsageError("--listen " + quote(text) +
                     ": give HOST:PORT, as in --listen 0.0.0.0:8128 or --listen [::1]:8128");
  return {host, static_cast<std::uint16_t>(std::stoi(port))};
}

/// Where the program keeps what should outlive it and is of no use elsewhere.
fs::path state_folder() {
  if (const char* given = std::getenv("XDG_STATE_HOME"); given != nullptr && *given == '/')
    return fs::path(given) / "faultline";
  const char* home = std::getenv("HOME");
  return fs::path(home == nullptr ? "/nonexistent" : home) / ".local/state/faultline";
}

web::ServerOptions server_options(const Options& options) {
  web::ServerOptions server{.token = web::random_secret(),
                            .cookie = web::kept_secret(state_folder() / "lab-cookie"),
                            .page = web::kLabPage};
  server.names = options.names;
  if (options.listen.empty()) {
    server.port = options.port.value_or(kPort);
    server.more_ports = options.port ? 0 : kMorePorts;
  } else {
    std::tie(server.host, server.port) = parsed_address(options.listen);
  }
  return server;
}

/// What concerns no part of the lab alone.
web::Handlers own_handlers(const Options& options, const LabPlace& place) {
  ReportJson status;
  status["program"] = std::string("faultline ") + FAULTLINE_VERSION;
  status["folder"] = place.root.string();
  status["mayStart"] = options.allow_start;
  status["players"] = {"alphabeta", "material", "uniform", "random"};
  status["processors"] = available_processors();
  status["open"] = place.fragment.empty() ? "" : "#" + place.fragment;
  return {{"status", [status](const ReportJson&) { return status; }}};
}

void require_one_address(const Options& options) {
  if (options.port && !options.listen.empty())
    throw UsageError("--port is for this machine alone, and --listen HOST:PORT has a port already");
}

void warn_of_others(const web::HttpServer& server) {
  if (server.is_local()) return;
  fmt::print(
      stderr,
      "faultline lab: WARNING: others can reach this address, and what passes over it is not "
      "encrypted, the token included. Listen on 127.0.0.1 instead, and have a reverse proxy "
      "with TLS in front (docs/lab.md, Security).\n");
}

void serve(const Options& options) {
  require_one_address(options);
  require_choice(options.device);
  const LabPlace place = find_lab_place(options.place);
  fs::current_path(place.root);  // paths of players are relative to it, too
  const StopSignals signals;
  web::LabService service([&](const web::Publish&) {
    return web::PageHandlers{own_handlers(options, place), {}};
  });
  web::ServerOptions given = server_options(options);
  const std::string token = given.token;
  web::HttpServer server(std::move(given), [&](std::shared_ptr<web::PageLine> line) {
    return service.open(std::move(line));
  });
  if (options.allow_start && (!server.is_local() || !options.names.empty()))
    throw UsageError(
        "--allow-start is for this machine alone: whoever can reach the lab could start "
        "trainings; leave it out, or --listen and --name");
  const std::string url = fmt::format("{}#{}token={}", server.url(), "", token);
  fmt::print("{}\n", url);
  std::fflush(stdout);
  warn_of_others(server);
  fmt::print(stderr, "The lab is at this address, for whoever knows all of it. Ctrl-C ends it.\n");
  if (!options.no_browser) show_in_browser(url, state_folder() / "lab.html");
  constexpr auto kPatience = std::chrono::milliseconds(100);
  while (!StopSignals::requested())
    std::this_thread::sleep_for(kPatience);
}

}  // namespace
}  // namespace lab_command

void add_lab(CLI::App& app) {
  using namespace lab_command;
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("lab", kLabSummary);
  command->add_option("PLACE", options->place,
                      "what the page begins with: a game's name or file, a network's file (or a "
                      "bundle) to play against, a run's folder, or a folder with runs, experiments "
                      "and games (default: the current one)");
  command
      ->add_option(
          "--port", options->port,
          fmt::format("port on this machine (default {}, or the next that is free); 0: any "
                      "that is free",
                      kPort))
      ->transform(whole_number(0, 65535));
  command->add_option("--listen", options->listen,
                      "HOST:PORT, so that others can reach the lab, without encryption: put a "
                      "reverse proxy with TLS in front");
  command->add_option("--name", options->names,
                      "a name under which others reach it, as in --name lab.example.org; may be "
                      "repeated");
  command->add_flag("--allow-start", options->allow_start,
                    "let pages start and stop trainings, on this machine alone");
  command->add_flag("--no-browser", options->no_browser, "open no browser");
  add_device_options(*command, options->device);
  command->footer(
      "The first line of the output is the address with a secret token: who has it can use the "
      "lab.\n\n"
      "Examples:\n"
      "  faultline lab\n"
      "  faultline lab escher\n"
      "  faultline lab games/grand.toml\n"
      "  faultline lab runs/quickstart --allow-start\n"
      "  faultline lab runs/quickstart/nets/000500.pt\n"
      "  faultline lab --listen 127.0.0.1:8128 --name lab.example.org   (behind a proxy)");
  command->callback([options] { serve(*options); });
}

}  // namespace faultline
