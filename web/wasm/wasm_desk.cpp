// The other side of the static page: messages in, messages out, as over the lab's socket. The
// networks lie in the folder /nets, the games of files in /games, of a file system that is memory.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/json_text.h"
#include "base/quote.h"
#include "model/checkpoint.h"
#include "model/encoding/attack_planes.h"
#include "model/fast/fast_choice.h"
#include "model/inference/cpu_backend.h"
#include "model/net_search.h"
#include "play/game.h"
#include "rules/data/known_games.h"
#include "web/desk.h"
#include "web/sliced_searches.h"

namespace faultline::web {
namespace {

namespace fs = std::filesystem;

/// A file with networks.
struct Net {
  fs::path file;
  CheckpointInfo info;
  std::shared_ptr<const FastNetwork> fast;  // null: it has none
  bool fast_is_stronger = false;
};

bool fits(const Net& net, const Game& game) {
  CheckpointInfo info = net.info;
  info.encoding = without_attack_planes(info.encoding);
  try {
    require_fitting_network(net.file, info, game.encoding());
    return true;
  } catch (const CheckpointError&) {
    return false;
  }
}

std::vector<Net> nets_in(const fs::path& folder) {
  std::vector<Net> nets;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored)) {
    Net net;
    net.file = entry.path();
    net.info = read_checkpoint_info(net.file);
    try {
      net.fast = std::make_shared<FastNetwork>(load_fast_network(net.file));
      net.fast_is_stronger = fast_is_stronger(net.file);
    } catch (const FastNetworkError&) {
      // It has none.
    }
    nets.push_back(std::move(net));
  }
  return nets;
}

class WasmDesk {
 public:
  WasmDesk()
      : nets_(nets_in("/nets")),
        searches_(
            [this](const std::string& name, const Game& game) { return player(name, game); },
            [this](ReportJson message) { outbox_.push_back(std::move(message)); },
            {.search = kMegabyte * 32, .analysis = kMegabyte * 64, .review = kMegabyte * 16}) {
    register_cpu_backend(backends_);
    DeskOptions options;
    options.data_games = data::shipped_game_names();
    options.players = [this](const std::string& variant) { return players_of(variant); };
    handlers_ = desk_handlers(std::move(options));
    handlers_["status"] = [this](const ReportJson&) { return status(); };
    handlers_["analyse"] = [this](const ReportJson& request) { return searches_.analyse(request); };
    handlers_["review"] = [this](const ReportJson& request) { return searches_.review(request); };
    handlers_["stop"] = [this](const ReportJson& request) { return searches_.stop(request); };
  }

  void ask(std::string_view text) {
    ReportJson id;
    try {
      const ReportJson request = ReportJson::parse(text);
      id = request.value("id", ReportJson());
      const std::string name = request.value("do", "");
      if (name == "search") return searches_.search(request, id);
      const auto found = handlers_.find(name);
      if (found == handlers_.end())
        throw RequestError("the page without a server has no " + quote(name), "do");
      ReportJson reply = found->second(request);
      outbox_.push_back({{"id", id}, {"ok", std::move(reply)}});
    } catch (const RequestError& error) {
      ReportJson message = {{"id", id}, {"error", error.what()}};
      if (!error.field().empty()) message["field"] = error.field();
      outbox_.push_back(std::move(message));
    } catch (const std::exception& error) {
      outbox_.push_back({{"id", id}, {"error", error.what()}});
    }
  }
  void advance(int ms) { searches_.advance(std::chrono::milliseconds(ms)); }
  bool is_busy() const { return searches_.is_busy(); }
  std::string take_messages() {
    const std::string text = json_text(outbox_, -1, true);
    outbox_ = ReportJson::array();
    return text;
  }

  /// Chances and priors of a position, without search: "win draw loss moves_left | prior prior
  /// ...".
  ReportJson evaluation(const Game& game, const GamePosition& position) {
    const Net* const net = net_of(game);
    if (net == nullptr) return nullptr;
    const GamePosition* const one = &position;
    const RawEvaluation raw = evaluator(*net, game)->evaluate({&one, 1}).front();
    return {{"value", {raw.value.win, raw.value.draw, raw.value.loss, raw.value.moves_left}},
            {"priors", raw.priors}};
  }

 private:
  static constexpr std::size_t kMegabyte = std::size_t{1} << 20U;

  /// The file for a game, first one that was trained for it.
  const Net* net_of(const Game& game) const {
    for (const Net& net : nets_)
      if (net.info.encoding.variant == game.variant()) return &net;
    for (const Net& net : nets_)
      if (fits(net, game)) return &net;
    return nullptr;
  }
  std::vector<std::string> players_of(const std::string& variant) const {
    std::vector<std::string> names;
    if (const Net* const net = net_of(find_game(variant)); net != nullptr) {
      if (net->fast) names.emplace_back("fast");
      if (net->info.has_network)
        names.insert(net->fast_is_stronger ? names.end() : names.begin(), "net");
    }
    names.insert(names.end(), {"alphabeta", "material", "random"});
    return names;
  }
  std::shared_ptr<GameEvaluator> evaluator(const Net& net, const Game& game) {
    std::shared_ptr<GameEvaluator>& made = evaluators_[game.variant()];
    if (!made) made = game.network_evaluator(load_backend(net.file, game.encoding(), backends_));
    return made;
  }
  SlicedPlayer player(const std::string& name, const Game& game) {
    SlicedPlayer player;
    player.name = name.empty() ? players_of(game.variant()).front() : name;
    const Net* const net = net_of(game);
    if (player.name == "alphabeta" || player.name == "fast") {
      player.alpha_beta = true;
      if (player.name == "fast") player.fast = net != nullptr ? net->fast : nullptr;
      if (player.name == "fast" && !player.fast) refuse(player.name, game);
    } else if (player.name == "net") {
      if (net == nullptr || !net->info.has_network) refuse(player.name, game);
      player.evaluator = evaluator(*net, game);
      player.has_network = true;
      player.search = net_search(net->file).settings;
    } else if (player.name == "material") {
      player.evaluator = game.material_evaluator();
    } else if (player.name == "random") {
      player.random = true;
    } else {
      refuse(player.name, game);
    }
    return player;
  }
  [[noreturn]] void refuse(const std::string& name, const Game& game) const {
    std::string known;
    for (const std::string& one : players_of(game.variant()))
      known += (known.empty() ? "" : ", ") + one;
    throw RequestError(
        quote(name) + " does not play " + game.variant() + " on this page; " + known + " do",
        "player");
  }
  ReportJson status() const {
    ReportJson nets = ReportJson::array();
    for (const Net& net : nets_)
      nets.push_back(net.info.encoding.variant + ", " + std::to_string(net.info.steps) +
                     " steps, " + net.info.weights());
    return {{"program", "faultline " FAULTLINE_VERSION},
            {"folder", ""},
            {"mayStart", false},
            {"players", nets},
            {"processors", 1},
            {"open", nets_.empty() ? "" : "#g=" + nets_.front().info.encoding.variant}};
  }

  std::vector<Net> nets_;
  BackendRegistry backends_;
  std::map<std::string, std::shared_ptr<GameEvaluator>> evaluators_;  // by variant
  SlicedSearches searches_;
  Handlers handlers_;
  ReportJson outbox_ = ReportJson::array();
};

WasmDesk& desk() {
  static WasmDesk desk;
  return desk;
}

const char* kept(std::string text) {
  static std::string last;
  last = std::move(text);
  return last.c_str();
}

}  // namespace
}  // namespace faultline::web

// Texts are UTF-8 and end with 0; those that are returned are valid until the next call.
extern "C" {

/// A request as over the lab's socket. Returns a list of messages: replies, and reports with their
/// topics.
const char* faultline_ask(const char* request) {
  using namespace faultline::web;
  try {
    desk().ask(request);
    return kept(desk().take_messages());
  } catch (const std::exception& error) {  // a network that cannot be read
    return kept(faultline::json_text(
        faultline::ReportJson::array({{{"t", "fatal"}, {"v", 0}, {"report", error.what()}}})));
  }
}

/// Goes on with what is searched, for about so long. Returns a list of messages.
const char* faultline_advance(int ms) {
  using namespace faultline::web;
  desk().advance(ms);
  return kept(desk().take_messages());
}

int faultline_busy() {
  try {
    return faultline::web::desk().is_busy() ? 1 : 0;
  } catch (const std::exception&) {  // what faultline_ask() has told
    return 0;
  }
}

/// For tests: what `faultline perft` counts.
double faultline_perft(const char* variant, int depth) {
  return static_cast<double>(faultline::find_game(variant).start()->perft(depth));
}
/// For tests: {"value": [win, draw, loss, moves left], "priors": [...]} of the network, of a game's
/// start or another position.
const char* faultline_evaluate(const char* variant, const char* fen) {
  const faultline::Game& game = faultline::find_game(variant);
  const auto position = *fen == '\0' ? game.start() : game.from_fen(fen);
  return faultline::web::kept(
      faultline::json_text(faultline::web::desk().evaluation(game, *position)));
}
}
