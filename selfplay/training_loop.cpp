// What both schedules of a training session do.
#include "selfplay/training_loop.h"

#include <algorithm>
#include <filesystem>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "base/atomic_file.h"
#include "base/stop_signals.h"
#include "base/text.h"
#include "record/tree_memory.h"
#include "rules/data/known_games.h"
#include "rules/families.h"
#include "selfplay/followed_strategy.h"
#include "selfplay/run_warnings.h"

namespace faultline {
namespace {

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

TrainingLoop::TrainingLoop(const Config& config, RunTrainer& trainer, RunPersistence& persistence,
                           RunReporter& reporter, const GameDecoder& decoder, Arrivals& arrivals,
                           MeasureStrength measure_strength, bool own_actors)
    : config_(&config),
      trainer_(&trainer),
      persistence_(&persistence),
      reporter_(&reporter),
      decoder_(&decoder),
      arrivals_(&arrivals),
      own_threads_(own_actors ? actor_threads(config) : 0),
      learner_(config, trainer, persistence.state().step_count),
      held_out_(trainer.planes(), static_cast<std::size_t>(config.learner.batch)),
      strategy_(followed_strategy(config, persistence.folder().path())),
      strength_(60 * config.run.strength_minutes, std::move(measure_strength)) {}

std::unique_ptr<Actor> TrainingLoop::make_actor(const ActorLinks& links) {
  return faultline::make_actor(*config_, strategy_, links, reporter_->counts());
}

void TrainingLoop::begin() {
  // The checkpoint and the state come first: a run that is killed before both are written, and
  // with them its initial weights, has not started.
  if (persistence_->state().checkpoint.empty()) save();
  const RunFolder& folder = persistence_->folder();
  Config written = *config_;
  written.run.variant = canonical_variant(written);
  if (const std::string game = data::game_text(written.run.variant); !game.empty())
    write_file_atomically(folder.path() / data::kGameCopyName, game);
  write_file_atomically(folder.config_file(), to_toml(written));
  keep_followed_strategy(*config_, persistence_->folder().path());
  publish();
  persistence_->store_inference();
  strength_.set_workers(nets_.newest().is_asynchronous() ? 1 : actor_threads(*config_));
  announce();
  if (persistence_->resumed()) reporter_->resumed_at(trainer_->steps());
  load_window();
  start_ = Clock::now();
  cpu_start_.emplace();
  reporter_->meter().start();
}

void TrainingLoop::catch_up() {
  if (!games_behind_) return;
  StoredGames& games = *games_behind_;
  const std::uint64_t inherited = persistence_->state().inherited_games;
  reporter_->message(fmt::format("Learning first from {} of {}",
                                 counted(std::min(inherited, games.size()) - first_behind_, "game"),
                                 persistence_->state().games_from));
  catching_up_ = true;
  for (std::uint64_t i = first_behind_; i < games.size() && !must_stop(); ++i) {
    std::uint32_t targets = 0;
    try {
      targets = games[i].targets;
      take(games.read(i));
    } catch (const ReplayError& error) {
      reporter_->warn(fmt::format("{}; skipped", error.what()));
      learner_.count_positions(targets);
      ++games_;
    }
    learn_until_due(1);  // where two steps are due, the second batch is built beside the first
    report_if_due();
  }
  learn_until_due(0);
  catching_up_ = false;
  games_behind_.reset();
  publish();
}

RunProgress TrainingLoop::progress() const {
  const RunState& before = persistence_->state();
  return {.seconds = before.seconds + (start_ ? seconds_since(*start_) : 0.0),
          .games = games_,
          .positions = learner_.positions(),
          .steps = trainer_->steps(),
          .cpu_seconds = before.cpu_seconds + (cpu_start_ ? cpu_start_->seconds() : 0.0),
          .evaluations = before.evaluations + reporter_->counts().evaluations.load()};
}

bool TrainingLoop::must_stop() const {
  return StopSignals::requested() || limit_reached(config_->run, progress());
}

void TrainingLoop::take(const GameRecord& game, GameSamples samples) {
  const std::uint64_t positions = samples.size();
  if (const auto losses = held_out_.add(samples, *trainer_)) reporter_->meter().add(*losses);
  learner_.add(std::move(samples), positions);
  ++games_;
  reporter_->meter().add(game);
}

void TrainingLoop::step() {
  reporter_->meter().add(learner_.step(done()));
  const std::int64_t steps = trainer_->steps();
  if (!config_->run.deterministic && !catching_up_ &&
      steps % config_->learner.publish_interval == 0)
    publish();
  if (steps % config_->learner.checkpoint_interval == 0) save();
}

void TrainingLoop::publish() {
  PlayingNet net = trainer_->publish();
  Orders orders = orders_.current();
  orders.net = net.identity;
  if (courier_ != nullptr)
    courier_->publish(net.identity, trainer_->playing_file(playing_search(config_->search)));
  nets_.replace(std::move(net));  // first: it must be there when it is named
  orders_.replace(orders);
}

void TrainingLoop::serve(Courier& courier, GameNumbers& numbers, LocalArrivals& arrivals) {
  courier.begin({.orders = &orders_,
                 .numbers = &numbers,
                 .arrivals = &arrivals,
                 .decoder = decoder_,
                 .counts = &reporter_->counts()});
  courier_ = &courier;
  publish();
}

void TrainingLoop::check_courier() {
  if (courier_ == nullptr) return;
  for (const std::string& text : courier_->messages())
    reporter_->message(text);
  courier_->check();
}

void TrainingLoop::save() {
  check_courier();
  arrivals_->keep();
  for (const std::string& failure :
       persistence_->save(progress(), [&](const std::filesystem::path& file) {
         trainer_->save(file, playing_search(config_->search));
       }))
    reporter_->warn(failure);
  saved_steps_ = trainer_->steps();
}

void TrainingLoop::report(bool finished) {
  RunReport r;
  r.finished = finished;
  r.now = progress();
  r.done = done();
  r.window = learner_.window().size();
  r.window_capacity = learner_.window_capacity();
  r.lag = learner_.lag();
  r.learning_rate = trainer_->learning_rate();
  r.actor_threads = own_threads_ + (courier_ != nullptr ? courier_->threads() : 0);
  r.strength = strength_.latest();
  if (reporter_->counts().searches_cut > 0) reporter_->warn(tree_memory_warning(*config_));
  reporter_->report(r);
  const FamilyInfo& family = family_info(parse_variant_name(config_->run.variant).family);
  for (const std::string& text : run_warnings(most_plies(config_->selfplay, family),
                                              reporter_->meter().recent(), r.now.steps))
    reporter_->warn(text);
  if (const std::string failure = strength_.failure(); !failure.empty())
    reporter_->warn("the run's strength is no longer measured: " + failure);
  const RunState& state = persistence_->state();
  if (!finished)
    strength_.consider(persistence_->folder().path(),
                       persistence_->folder().path() / state.checkpoint, saved_steps_);
}

RunResult TrainingLoop::finish() {
  save();
  strength_.stop();
  report(true);
  const RunFolder& folder = persistence_->folder();
  RunResult result;
  result.end = StopSignals::requested() ? RunEnd::Stopped : RunEnd::LimitReached;
  result.games = games_;
  result.positions = learner_.positions();
  result.steps = trainer_->steps();
  result.first_checkpoint = folder.path() / RunFolder::checkpoint_name(0);
  result.checkpoint = folder.path() / persistence_->state().checkpoint;
  reporter_->message(fmt::format(
      "{} after {}: {}, {}, {}; the network is {}",
      result.end == RunEnd::Stopped ? "Stopped" : "Done", clock_text(progress().seconds),
      counted(result.games, "game"), counted(result.positions, "position"),
      counted(static_cast<std::uint64_t>(result.steps), "step"), result.checkpoint.string()));
  if (const auto strength = strength_.latest())
    reporter_->message("Strength: " + text_of(*strength));
  return result;
}

void TrainingLoop::announce() {
  const RunState& state = persistence_->state();
  reporter_->message(
      fmt::format("{} {} in {}: {}, {} of {}", persistence_->resumed() ? "Resuming" : "Training",
                  state.variant, persistence_->folder().path().string(), trainer_->describe(),
                  counted(static_cast<std::uint64_t>(own_threads_), "actor thread"),
                  counted(static_cast<std::uint64_t>(config_->selfplay.games_per_thread), "game")));
  for (const std::string& text : persistence_->inference_messages())
    reporter_->message(text);
  if (!state.init_from.empty())
    reporter_->message("The initial weights are those of " + state.init_from);
  if (!state.games_from.empty())
    reporter_->message(fmt::format("Its first {} are those of {}",
                                   counted(state.inherited_games, "game"), state.games_from));
  if (const std::string& text = persistence_->step_count_message(); !text.empty())
    reporter_->message(text);
  for (const std::string& text : persistence_->warnings())
    reporter_->warn(text);
  if (persistence_->resumed())
    reporter_->message(fmt::format("The run has {}; the last checkpoint is {}",
                                   counted(persistence_->games().size(), "game"),
                                   state.checkpoint));
}

void TrainingLoop::load_window() {
  StoredGames games = persistence_->earlier_games();
  const std::uint64_t end = games_ = set_aside_unlearned(games);
  std::uint64_t loaded = 0;
  std::uint64_t first = end;
  while (first > 0 && loaded < learner_.window_capacity())
    loaded += games[--first].targets;
  for (std::uint64_t i = first; i < end; ++i) {
    try {
      learner_.add(decoder_->decode(games.read(i)), 0);
    } catch (const ReplayError& error) {
      reporter_->warn(fmt::format("{}; skipped", error.what()));
    }
  }
}

std::uint64_t TrainingLoop::set_aside_unlearned(StoredGames& games) {
  const RunState& state = persistence_->state();
  std::uint64_t end = games.size();
  std::uint64_t positions = games.targets();
  if (state.games <= state.inherited_games) {  // else it had learned from all of them
    std::uint64_t before = 0;
    for (std::uint64_t i = 0; i < std::min(state.inherited_games, games.size()); ++i) {
      const std::uint64_t with = before + games[i].targets;
      if (trainer_->steps() == 0 || learner_.steps_due(with) > trainer_->steps()) {
        first_behind_ = end = i;
        positions = before;
        games_behind_.emplace(games);
        break;
      }
      before = with;
    }
  }
  learner_.count_positions(positions);
  return end;
}

void TrainingLoop::learn_until_due(std::int64_t lag) {
  while (learner_.may_step() && learner_.lag() > lag && !must_stop()) {
    step();
    report_if_due();
  }
}

}  // namespace faultline
