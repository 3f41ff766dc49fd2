// The engine's side of the Universal Chess Interface: commands in, answers out.
#include "engine/uci_server.h"

#include <chrono>
#include <cstddef>
#include <exception>
#include <utility>

#include <fmt/core.h>

#include "base/quote.h"
#include "engine/engine_search.h"
#include "engine/uci_commands.h"
#include "model/checkpoint.h"
#include "model/encoding/attack_planes.h"
#include "model/fast/fast_choice.h"
#include "play/san.h"
#include "rules/position.h"
#include "rules/variant.h"
#include "search/bench_signature.h"

namespace faultline {
namespace {

constexpr const char* kDefaultVariant = "chess";

/// Decides what plays of a net where Evaluator is auto. Throws CheckpointError.
void choose(UciNet& net) {
  net.stronger = fast_is_stronger(net.file) ? EngineEvaluator::Fast : EngineEvaluator::Net;
  const auto match = stored_fast_match(net.file);
  net.why = fmt::format("Evaluator auto: {} of {}{}",
                        net.stronger == EngineEvaluator::Fast ? "fast" : "net", net.file.string(),
                        match ? "; " + text(*match) : "");
}

std::vector<std::string> backend_names(const BackendRegistry& backends) {
  std::vector<std::string> names;
  for (const BackendInfo& backend : backends.all())
    names.push_back(backend.name);
  return names;
}

}  // namespace

UciServer::UciServer(UciSetup setup, std::function<void(std::string_view)> write)
    : setup_(std::move(setup)),
      output_(std::move(write)),
      settings_(setup_.settings),
      options_(uci_options(settings_, backend_names(*setup_.backends))),
      analyser_(setup_.make_analyser, *setup_.backends),
      rng_(setup_.seed) {
  const std::string variant = std::exchange(settings_.variant, "");
  set_variant(variant.empty() ? kDefaultVariant : variant);
  variant_is_set_ = !variant.empty();
  const EngineEvaluator evaluator = settings_.evaluator;
  if (!settings_.net.empty()) {
    set_net(settings_.net);
    CheckpointInfo info = read_checkpoint_info(net_.file);
    info.encoding = without_attack_planes(info.encoding);
    require_fitting_network(net_.file, info, game_->encoding());
  }
  settings_.evaluator = evaluator;
  thread_ = std::thread([this] { work(); });
}

UciServer::~UciServer() {
  // `echo bench | faultline uci` wants its output.
  if (is_bench_) wait_until_idle();
  finish();
  {
    const std::lock_guard lock(mutex_);
    is_quitting_ = true;
    changed_.notify_all();
  }
  thread_.join();
}

bool UciServer::hear(std::string_view line) {
  const std::vector<std::string_view> words = uci_words(line);
  if (words.empty()) return true;
  const std::string_view command = words.front();
  if (command == "quit") {
    finish();
    return false;
  }
  if (command == "uci") {
    introduce();
  } else if (command == "isready") {
    // A running search has its analyser; otherwise this is the time to load the net.
    bool is_idle = false;
    {
      const std::lock_guard lock(mutex_);
      is_idle = !job_;
    }
    if (is_idle) prepare(true);
    output_.write("readyok\n");
  } else if (command == "setoption") {
    finish();
    set_option(line);
  } else if (command == "ucinewgame") {
    finish();
    analyser_.clear();
  } else if (command == "position") {
    finish();
    set_position(line);
  } else if (command == "go") {
    finish();
    go(line);
  } else if (command == "stop") {
    control_.stop();
  } else if (command == "ponderhit") {
    control_.ponder_hit(std::chrono::steady_clock::now());
  } else if (command == "d") {
    show_position();
  } else if (command == "bench") {
    finish();
    bench();
  } else if (command != "debug" && command != "register") {
    output_.info_string("unknown command " + quote(command));
  }
  return true;
}

void UciServer::refuse_long_line(std::size_t most) {
  output_.info_string(fmt::format("a line of more than {} bytes was dropped", most));
}

void UciServer::introduce() {
  UciSettings shown = settings_;
  if (shown.policy_temperature == 0 && !net_.file.empty())
    shown.policy_temperature = net_.search.params.policy_temperature;
  output_.write(fmt::format(
      "id name {}\nid author the faultline authors\n\n{}uciok\n", setup_.name,
      option_lines(uci_options(shown, backend_names(*setup_.backends)), game_->variant())));
}

void UciServer::set_option(std::string_view line) {
  const std::optional<SetOptionCommand> command = parse_setoption(line);
  if (!command) {
    output_.info_string("setoption: 'name NAME' is missing");
    return;
  }
  try {
    if (plain_option_name(command->name) == "clearhash") {
      analyser_.clear();
      return;
    }
    const Option& option = find_uci_option(options_, command->name);
    if (option.name == "UCI_Variant") {
      variant_is_valid_ = false;
      set_variant(command->value);
      variant_is_set_ = true;
    } else if (option.name == "Net") {
      // If the new one is refused, the old one must not play: without a net, every `go` says so.
      net_ = {};
      settings_.net.clear();
      settings_.evaluator = EngineEvaluator::Net;
      set_net(command->value == "<empty>" ? "" : command->value);
    } else {
      set_uci_option(option, command->value);
    }
  } catch (const std::exception& error) {
    output_.info_string("setoption: " + std::string(error.what()));
    if (!variant_is_valid_) position_.reset();  // the refused one's is not known
  }
}

void UciServer::set_net(const std::string& value) {
  if (value.empty()) {
    settings_.net.clear();
    net_ = {};
    settings_.evaluator = EngineEvaluator::Auto;
    return;
  }
  UciNet net = setup_.find_net(value);
  const CheckpointInfo info = read_checkpoint_info(net.file);
  choose(net);
  if (!variant_is_set_) set_variant(info.encoding.variant);
  net_ = std::move(net);
  settings_.net = value;
  settings_.evaluator = EngineEvaluator::Auto;
}

void UciServer::set_variant(const std::string& name) {
  const Game& game = find_game(name);
  variant_is_valid_ = true;
  if (&game == game_ && position_) return;
  game_ = &game;
  settings_.variant = game.variant();
  position_ = game.start();
  played_.clear();
}

void UciServer::drop_position(const std::string& reason) {
  position_.reset();
  played_.clear();
  output_.info_string(reason + "; there is no position until a valid one is set");
}

void UciServer::set_position(std::string_view line) {
  const std::optional<PositionCommand> command = parse_position(line);
  if (!command) return drop_position("position: 'startpos' or 'fen FEN' is missing");
  if (!variant_is_valid_) return drop_position("position: UCI_Variant has no valid value");
  try {
    position_ = command->fen ? game_->from_fen(*command->fen) : game_->start();
  } catch (const std::exception& error) {
    return drop_position(fmt::format("position: {}", error.what()));
  }
  start_ = position_->clone();
  played_.clear();
  for (std::size_t i = 0; i < command->moves.size(); ++i) {
    const std::optional<Move> move = position_->parse_move(command->moves[i]);
    if (!move)
      return drop_position(fmt::format("position: move {}, {}, is illegal in {}", i + 1,
                                       quote(command->moves[i]), position_->fen()));
    position_->play(*move);
    played_.push_back(*move);
  }
}

std::pair<EngineEvaluator, UciNet*> UciServer::settled() {
  if (settings_.evaluator != EngineEvaluator::Auto) return {settings_.evaluator, &net_};
  UciNet* net = &net_;
  if (net_.file.empty()) {
    if (ready_for_ != game_->variant()) {
      ready_for_ = game_->variant();
      ready_net_ = {.file = {},
                    .why = "Evaluator auto: alphabeta, as there is no net of this variant"};
      try {
        std::optional<UciNet> found;
        if (setup_.find_ready_net) found = setup_.find_ready_net(ready_for_);
        if (found) choose(*found);
        if (found) ready_net_ = std::move(*found);
      } catch (const std::exception& error) {
        output_.info_string(error.what());
      }
    }
    net = &ready_net_;
  }
  if (net->file.empty()) return {EngineEvaluator::AlphaBeta, net};
  return {net->stronger, net};
}

Analyser& UciServer::prepare(bool complain) {
  UciSettings settings = settings_;
  const auto [evaluator, net] = settled();
  settings.evaluator = evaluator;
  settings.net = net->file.string();
  Analyser& analyser = analyser_.prepare(*game_, settings, net->search);
  if (!complain) return analyser;
  if (!analyser_.why().empty()) output_.info_string(analyser_.why());
  if (!net->notice.empty()) output_.info_string(std::exchange(net->notice, ""));
  if (settings_.evaluator == EngineEvaluator::Auto && analyser_.why().empty()) {
    if (net->why != said_) output_.info_string(net->why);
    said_ = net->why;
  }
  return analyser;
}

void UciServer::go(std::string_view line) {
  const auto received = std::chrono::steady_clock::now();
  GoCommand command = parse_go(line);
  control_.begin(command.ponder);
  is_bench_ = false;
  if (!position_)
    return start([this, command] {
      refuse_engine_search(command, "go: no valid position is set", control_, output_);
    });
  auto search = std::make_shared<EngineSearch>(EngineSearch{.position = position_->clone(),
                                                            .go = std::move(command),
                                                            .settings = settings_,
                                                            .received = received});
  if (search->go.perft) {
    start([this, search] {
      run_engine_perft(*search->position, *search->go.perft, control_, output_);
    });
    return;
  }
  Analyser& analyser = prepare(true);
  start(
      [this, search, &analyser] { run_engine_search(*search, analyser, control_, output_, rng_); });
}

std::string UciServer::played_text() const {
  if (played_.empty()) return "";
  const PlayedMoves played = describe_moves(*start_, played_);
  std::string text = fmt::format("Last move: {}\n", played.last);
  for (const std::string& event : played.events)
    text += fmt::format("Event: {}\n", event);
  return text;
}

void UciServer::show_position() {
  if (!position_) return output_.info_string("d: no valid position is set");
  std::string picture = position_->picture();
  while (picture.ends_with('\n'))
    picture.pop_back();
  const Outcome outcome = position_->outcome();
  output_.write(fmt::format(
      "\n{}\n\nVariant: {}\nFen: {}\nKey: {:016X}\nLegal moves: {}\nOutcome: {}\n{}", picture,
      game_->variant(), position_->fen(), position_->key(), position_->legal_moves().size(),
      is_over(outcome) ? name(outcome) : "ongoing", played_text()));
}

void UciServer::bench() {
  control_.begin(false);
  is_bench_ = true;
  start([this] {
    const BenchResult result = run_bench(&control_.interrupted());
    if (result.stopped) return output_.info_string("bench was stopped");
    std::uint64_t visits = 0;
    double seconds = 0;
    for (const BenchPart& part : result.parts) {
      visits += part.visits;
      seconds += part.seconds;
    }
    output_.write(fmt::format("Nodes searched: {}\nNodes/second: {:.0f}\nSignature: {:016x}\n",
                              visits, static_cast<double>(visits) / seconds, result.signature));
  });
}

void UciServer::start(std::function<void()> job) {
  const std::lock_guard lock(mutex_);
  job_ = std::move(job);
  changed_.notify_all();
}

void UciServer::wait_until_idle() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return !job_; });
}

void UciServer::finish() {
  control_.stop();
  wait_until_idle();
}

void UciServer::work() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [&] { return job_ || is_quitting_; });
    if (!job_) return;
    const std::function<void()> job = job_;
    lock.unlock();
    try {
      job();
    } catch (const std::exception& error) {
      output_.info_string(std::string("failed: ") + error.what());
    }
    lock.lock();
    job_ = nullptr;
    changed_.notify_all();
  }
}

}  // namespace faultline
