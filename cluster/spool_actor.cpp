// The actors of one process that play for a learner elsewhere.
#include "cluster/spool_actor.h"

#include <algorithm>
#include <exception>
#include <random>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <unistd.h>

#include "base/json_fields.h"
#include "base/json_text.h"
#include "base/stop_signals.h"
#include "base/text.h"
#include "cluster/actor_beat.h"
#include "record/run_folder.h"
#include "selfplay/actor.h"
#include "selfplay/followed_strategy.h"

namespace faultline {
namespace {

/// Games that one network plays from their beginning to their end: when there is another one, those
/// in progress are dropped.
class OneNetwork final : public OrderSource, public NumberSource, public NetSource {
 public:
  /// All must outlive it.
  OneNetwork(OrderBoard& orders, ClaimedNumbers& numbers, NetBoard& nets)
      : orders_(&orders), numbers_(&numbers), nets_(&nets), net_(nets.newest()) {}

  Orders current() override {
    Orders orders = orders_->current();
    orders.net = net_.identity;
    orders.ended = orders.ended || nets_->newest().identity != net_.identity;
    return orders;
  }
  void wait_after(std::uint64_t version) override { orders_->wait_after(version); }
  NumberRange take() override { return numbers_->take(net_.identity); }
  PlayingNet newest() override { return net_; }

 private:
  OrderBoard* orders_;
  ClaimedNumbers* numbers_;
  NetBoard* nets_;
  PlayingNet net_;
};

std::string new_actor_name() {
  std::random_device device;
  return fmt::format("{}-{}-{:08x}", host_name(), ::getpid(), device());
}

}  // namespace

SpoolActor::SpoolActor(const Post& post, const RunTerms& terms, LoadNet load_net, std::ostream& out,
                       bool terminal, const PostSettings& settings,
                       std::function<std::string()> trouble)
    : post_(post),
      terms_(&terms),
      load_net_(std::move(load_net)),
      settings_(settings),
      trouble_(std::move(trouble)),
      name_(new_actor_name()),
      folder_(post.actors() / name_),
      strategy_(followed_strategy(terms.config, post.folder)),
      line_(out, terminal),
      writer_(folder_, terms.variant, terms.run_id, settings,
              [this](std::uint64_t number, std::uint64_t part) { numbers_.put(number, part); }) {}

ActorEnd SpoolActor::run(int threads, const RunThreads& run_threads) {
  threads_ = playing_ = threads;
  orders_.replace({.net = {}, .paused = true});
  std::exception_ptr failure;
  run_threads(
      threads, [this] { play(); },
      [&] {
        try {
          look_after();
        } catch (...) {
          failure = std::current_exception();
          end(ActorEnd::Run);
        }
      });
  line_.clear();
  if (failure) std::rethrow_exception(failure);
  if (failure_) std::rethrow_exception(failure_);
  if (!shut_out_.empty())
    throw RunError(
        fmt::format("the learner has shut this actor out: {}. Compare its program, its device and "
                    "its precision "
                    "('faultline verify') with the others'",
                    shut_out_));
  return *end_;
}

void SpoolActor::play() {
  try {
    const Orders first = orders_.current();
    if (first.paused && !first.ended) orders_.wait_after(first.version);  // for the first network
    const auto actor_of = [&](const ActorLinks& links) {
      return make_actor(terms_->config, strategy_, links, counts_);
    };
    const auto actor =
        actor_of({.orders = &orders_, .numbers = &numbers_, .nets = &nets_, .games = &writer_});
    while (numbers_.wait())
      if (in_rounds()) {
        OneNetwork one(orders_, numbers_, nets_);
        actor_of({.orders = &one, .numbers = &one, .nets = &one, .games = &writer_})->run();
      } else {
        actor->run();
      }
  } catch (...) {
    const std::scoped_lock lock(mutex_);
    if (!failure_) failure_ = std::current_exception();
  }
  --playing_;
}

void SpoolActor::look_after() {
  while (playing_ > 0) {
    turn();
    std::this_thread::sleep_for(settings_.tick);
  }
  writer_.send(true);
  write_beat(true);
  line_.message(fmt::format("Ended after {} games", grouped(counts_.games)));
}

void SpoolActor::turn() {
  if (StopSignals::requested()) end(ActorEnd::Signal);
  {
    const std::scoped_lock lock(mutex_);
    if (failure_) end(ActorEnd::Run);
  }
  const bool beat = Clock::now() >= next_beat_;
  read_orders();
  if (beat) read_what_is_asked();
  take_loaded_net();
  give_orders();
  writer_.send(in_rounds() && !numbers_.any_unfinished());  // the learner may wait for them
  for (const NumberRange& range : numbers_.release(writer_.confirmed_below())) {
    std::error_code ignored;
    std::filesystem::remove(claim_file(range), ignored);
  }
  if (beat) {
    write_beat(false);
    check_claims();
    next_beat_ = Clock::now() + settings_.beat;
  }
  claim();
  report();
}

void SpoolActor::end(ActorEnd why) {
  if (!end_) end_ = why;
  writer_.give_up();
  numbers_.close();
  Orders orders = orders_.current();
  orders.ended = true;
  orders_.replace(orders);
}

void SpoolActor::read_orders() {
  try {
    if (const auto learner = read_object(post_.learner())) {
      const std::string source = post_.learner().string();
      learner_.see(json_field<std::uint64_t>(*learner, "beat", source) ^
                   json_field<std::uint64_t>(*learner, "epoch", source) << 32);
      learner_place_ = json_field<std::string>(*learner, "host", source);
    }
    const auto json = read_object(post_.orders());
    if (!json) return;
    const std::string source = post_.orders().string();
    const auto epoch = json_field<std::uint64_t>(*json, "epoch", source);
    if (epoch < epoch_) return;  // of a learner that was replaced
    epoch_ = epoch;
    if (json_field<std::string>(*json, "terms", source) != terms_->mark)
      return end(ActorEnd::NewTerms);
    wanted_net_ = json_field<std::string>(*json, "net", source);
    paused_ = json_field<bool>(*json, "paused", source);
    if (json_field<bool>(*json, "ended", source)) end(ActorEnd::Run);
  } catch (const std::runtime_error&) {
    // Not what a learner writes.
  }
}

void SpoolActor::read_what_is_asked() {
  if (shut_out_ = read_word(folder_ / kShutOutName); !shut_out_.empty()) end(ActorEnd::Run);
  const std::string asked = read_word(post_.asked());
  if (asked == "stop") end(ActorEnd::Run);
  if (asked == "drain" && !draining_) {
    draining_ = true;
    if (!end_) end_ = ActorEnd::Run;
    numbers_.close();                         // the games in progress are played to their ends
    if (loaded_.empty()) end(ActorEnd::Run);  // there are none
    line_.message("Drains: finishes its games and ends");
  }
}

void SpoolActor::take_loaded_net() {
  if (reader_.joinable()) {
    if (!read_) return;
    reader_.join();
    try {
      if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
      nets_.replace(std::move(net_));
      loaded_ = loading_;
      unreadable_.clear();
      check_claims();
      if (in_rounds()) next_beat_ = {};  // over NATS numbers are given to who says that it has it
    } catch (const std::exception& error) {
      // Mostly there is a newer one meanwhile; else this is tried again with the next beat.
      if (unreadable_ != loading_)
        line_.message(
            fmt::format("A network cannot be read: {}; goes on with the last one", error.what()));
      unreadable_ = loading_;
      loading_.clear();
    }
  }
  const bool again = wanted_net_ != unreadable_ || Clock::now() >= next_beat_;
  if (end_ || wanted_net_.empty() || wanted_net_ == loaded_ || !again) return;
  loading_ = wanted_net_;
  // A name, whatever it says: nothing outside the folder is read.
  const std::filesystem::path file = post_.nets() / std::filesystem::path(loading_).filename();
  read_ = false;
  reader_ = std::jthread([this, file] {
    try {
      net_ = load_net_(file);
    } catch (...) {
      error_ = std::current_exception();
    }
    read_ = true;
  });
}

void SpoolActor::give_orders() {
  const Orders now = orders_.current();
  Orders orders = now;
  orders.net = nets_.newest().identity;
  orders.paused = paused_ || loaded_.empty() || writer_.unconfirmed() > settings_.most_unconfirmed;
  if (orders.net != now.net || orders.paused != now.paused) orders_.replace(orders);
}

void SpoolActor::claim() {
  rate_ += 0.2 * (static_cast<double>(numbers_.taken()) - rate_);
  constexpr double kTurnsAhead = 10;
  const auto wanted = static_cast<std::uint64_t>(threads_ + kTurnsAhead * rate_);
  if (end_ || orders_.current().paused || numbers_.reserve() >= wanted) return;
  std::vector<std::filesystem::path> offered = names_in(post_.numbers(), ".range");
  // Each actor begins elsewhere, so that they do not all reach for the same one.
  if (!offered.empty()) {
    const std::size_t first = rng_() % std::min<std::size_t>(offered.size(), 8);
    std::rotate(offered.begin(), offered.begin() + static_cast<std::ptrdiff_t>(first),
                offered.end());
  }
  for (const std::filesystem::path& file : offered) {
    if (numbers_.reserve() >= wanted) return;
    const auto range = range_of(file);
    if (!range || !can_play(*range)) continue;
    std::error_code error;
    std::filesystem::rename(file, claim_file(*range), error);
    // Over NFS a rename may have been done although it says that there is no such file.
    if (error && !std::filesystem::exists(claim_file(*range), error)) continue;
    numbers_.add(*range);
  }
}

void SpoolActor::check_claims() {
  std::error_code error;
  for (const NumberRange& range : numbers_.all()) {
    const bool is_over = !can_play(range);
    if (is_over) std::filesystem::remove(claim_file(range), error);
    if (is_over || (!std::filesystem::exists(claim_file(range), error) && !error))
      numbers_.lose(range.next);
  }
}

void SpoolActor::write_beat(bool ended) {
  std::error_code ignored;
  std::filesystem::create_directories(folder_, ignored);
  const std::string waits = ended ? "" : reason_to_wait();
  const NetworkIdentity net = nets_.newest().identity;
  nlohmann::ordered_json json = {
      {"beat", ++beat_},
      {"host", host_name()},
      {"pid", ::getpid()},
      {"threads", threads_},
      {"state", ended            ? "ended"
                : !waits.empty() ? "waiting"
                : draining_      ? "draining"
                                 : "playing"},
      {"message", waits},
      {"net_steps", net.steps},
      {"net_hash", net.hash},
      {"unconfirmed", writer_.unconfirmed()},
  };
  for (const auto& [key, count] : kBeatCounts)
    json[key] = (counts_.*count).load();
  try {
    replace_file(folder_ / kBeatName, json_text(json) + "\n");
  } catch (const std::system_error&) {
    // Said by whatever else cannot be written; without beats the learner gives the numbers to
    // others.
  }
}

std::string SpoolActor::because_of_trouble() const {
  const std::string trouble = trouble_ ? trouble_() : "";
  return trouble.empty() ? "" : ": " + trouble;
}

std::string SpoolActor::reason_to_wait() {
  if (const std::string trouble = writer_.trouble(); !trouble.empty()) return trouble;
  if (const std::size_t games = writer_.unconfirmed(); games > settings_.most_unconfirmed)
    return fmt::format("{} games are not confirmed by the learner{}", grouped(games),
                       because_of_trouble());
  const bool gone = learner_.unchanged() > settings_.silent;
  const std::string silence =
      gone ? fmt::format("the learner{} has not been seen for {}",
                         learner_place_.empty() ? "" : " on " + learner_place_,
                         clock_text(static_cast<double>(learner_.unchanged().count()) / 1000),
                         because_of_trouble())
           : "";
  if (loaded_.empty()) return gone ? silence : "there is no network yet";
  if (paused_) return gone ? silence : "the learner is behind";
  if (!end_ && numbers_.reserve() == 0 && rate_ < 0.01)
    return gone ? silence : "no numbers are on offer";
  return "";
}

void SpoolActor::report() {
  const std::string waits = reason_to_wait();
  const auto kind = [](const std::string& text) { return text.substr(0, text.rfind(" for ")); };
  if (kind(waits) != kind(waits_)) line_.message(waits.empty() ? "Plays" : "Waits: " + waits);
  waits_ = waits;
  if (!line_.due()) return;
  const double seconds = std::chrono::duration<double>(Clock::now() - started_).count();
  const std::uint64_t games = counts_.games;
  line_.show(
      {fmt::format("{} ({:.1f}/s)", counted(games, "game"), static_cast<double>(games) / seconds),
       fmt::format("{} evaluations/s", grouped(static_cast<std::uint64_t>(
                                           static_cast<double>(counts_.evaluations) / seconds))),
       fmt::format("net of {} steps", nets_.newest().identity.steps),
       fmt::format("{} not confirmed", writer_.unconfirmed()), waits});
}

}  // namespace faultline
