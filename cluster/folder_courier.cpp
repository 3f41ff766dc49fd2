// The learner's side of a post.
#include "cluster/folder_courier.h"

#include <algorithm>
#include <csignal>
#include <fstream>
#include <system_error>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "base/atomic_file.h"
#include "base/json_fields.h"
#include "base/json_text.h"
#include "base/processor.h"
#include "base/run_threads.h"
#include "base/stop_signals.h"
#include "base/text.h"
#include "cluster/terms.h"
#include "model/export/bundle.h"
#include "record/run_folder.h"

namespace faultline {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kKeptNets = 3;
constexpr std::size_t kPartsAtOnce = 64;      // that are synced together
constexpr std::size_t kMostWaiting = 10'000;  // games that the learner has not taken
constexpr std::size_t kMostAside = 1'000;     // parts that are kept for a person to look at
constexpr const char* kUnfinished = ".part.tmp";

bool remove_file(const fs::path& file) {
  std::error_code error;
  return fs::remove(file, error);
}

double seconds_between(Watch::Clock::time_point from, Watch::Clock::time_point to) {
  return std::chrono::duration<double>(to - from).count();
}

}  // namespace

FolderCourier::FolderCourier(const Config& config, RunPersistence& persistence, LoadNet load_net,
                             const PostSettings& settings, std::uint64_t least_epoch)
    : config_(&config),
      persistence_(&persistence),
      settings_(settings),
      post_{persistence.folder().path() / "post"},
      check_(config, std::move(load_net), settings) {
  try {
    for (const fs::path& folder :
         {post_.epochs(), post_.nets(), post_.numbers(), post_.actors(), post_.aside()})
      fs::create_directories(folder);
  } catch (const fs::filesystem_error& error) {
    throw RunError(error.what());
  }
  await_office();
  take_office(least_epoch);
}

void FolderCourier::stop() {
  {
    const std::scoped_lock lock(mutex_);
    stopping_ = true;
    changed_.notify_all();
  }
  if (thread_.joinable()) thread_.join();
}

void FolderCourier::await_office() {
  const auto report = read_object(post_.learner());
  // A learner of this machine would hold the run's lock.
  if (!report || report->value("state", nlohmann::json()) != "serving" ||
      report->value("host", nlohmann::json()) == host_name())
    return;
  const auto beat_in = [](const nlohmann::json& json) {
    return json.value("beat", nlohmann::json());
  };
  const auto until = Clock::now() + settings_.silent;
  while (Clock::now() < until) {
    std::this_thread::sleep_for(settings_.tick);
    const auto now = read_object(post_.learner());
    if (now && beat_in(*now) != beat_in(*report))
      throw RunError(
          fmt::format("{}: another learner serves this run, on {}, process {}; stop it first",
                      post_.folder.string(), json_text(now->value("host", nlohmann::json())),
                      json_text(now->value("pid", nlohmann::json()))));
  }
}

fs::path FolderCourier::epoch_file(std::uint64_t epoch) const {
  return post_.epochs() / fmt::format("{:06}", epoch);
}

void FolderCourier::take_office(std::uint64_t least_epoch) {
  const std::vector<fs::path> before = names_in(post_.epochs());
  for (const fs::path& file : before) {
    const std::string name = file.filename().string();
    if (name.size() <= 12 && name.find_first_not_of("0123456789") == std::string::npos)
      epoch_ = std::max<std::uint64_t>(epoch_, std::stoull(name));
  }
  ++epoch_;
  try {
    const std::string who = fmt::format("{}, process {}\n", host_name(), ::getpid());
    write_new_file(epoch_file(epoch_), who);  // which the one before looks for
    if (least_epoch > epoch_) write_new_file(epoch_file(epoch_ = least_epoch), who);
  } catch (const std::system_error& error) {
    if (error.code() != std::errc::file_exists) throw RunError(error.what());
    throw RunError(fmt::format("{}: another learner has begun to serve this run: {}",
                               post_.folder.string(), read_word(epoch_file(epoch_))));
  }
}

void FolderCourier::require_office() const {
  const fs::path next = epoch_file(epoch_ + 1);
  std::error_code ignored;
  if (fs::exists(next, ignored))
    throw RunError(fmt::format(
        "{}: another learner has taken this run over: {}; this one stops and saves nothing more",
        post_.folder.string(), read_word(next)));
}

void FolderCourier::begin(const CourierLinks& links) {
  links_ = links;
  intake_.emplace(persistence_->state().variant, persistence_->state().run_id, *links.decoder,
                  *links.arrivals, *links.numbers, check_,
                  config_->run.deterministic ? links.orders : nullptr);
  terms_ = write_terms(post_, *config_, *persistence_);
  remove_file(post_.asked());
  say(fmt::format("Serves actors: faultline actor --spool {}",
                  persistence_->folder().path().string()));
  thread_ = std::thread([this] { work(); });
}

void FolderCourier::publish(NetworkIdentity net, std::string file) {
  const std::scoped_lock lock(mutex_);
  new_net_.emplace(net, std::move(file));
  changed_.notify_all();
}

void FolderCourier::check() {
  require_office();
  const std::scoped_lock lock(mutex_);
  if (failure_) std::rethrow_exception(failure_);
}

std::vector<std::string> FolderCourier::messages() {
  const std::scoped_lock lock(mutex_);
  return std::exchange(messages_, {});
}

void FolderCourier::say(std::string text) {
  const std::scoped_lock lock(mutex_);
  messages_.push_back(std::move(text));
}

void FolderCourier::end(bool run_ended) {
  {
    std::unique_lock lock(mutex_);
    run_ended_ = run_ended;
    changed_.notify_all();
    // Their last games; a part that comes later is taken by the next session.
    changed_.wait_for(lock, settings_.farewell,
                      [&] { return all_gone_ || failure_ || !(actors_end_ || run_ended); });
    stopping_ = true;
    changed_.notify_all();
  }
  if (thread_.joinable()) thread_.join();
  check();
}

void FolderCourier::work() {
  try {
    for (bool last = false; !last;) {
      const Clock::time_point begin = Clock::now();
      {
        const std::scoped_lock lock(mutex_);
        last = stopping_;
        if (stopping_ && !run_ended_) return;  // the session ends with an error
      }
      turn();
      std::unique_lock lock(mutex_);
      // At most half of its time goes into looking.
      const auto pause = std::max<Clock::duration>(settings_.tick, Clock::now() - begin);
      if (!last) changed_.wait_for(lock, pause, [&] { return stopping_; });
    }
    write_report(*run_ended_ ? "ended" : "stopped");
  } catch (...) {
    const std::scoped_lock lock(mutex_);
    failure_ = std::current_exception();
    changed_.notify_all();
  }
  links_.arrivals->wake();
}

void FolderCourier::turn() {
  require_office();
  write_net();
  write_orders();
  look();
  take_parts();
  shut_out();
  bury();
  offer();
  if (Clock::now() >= next_report_) {
    write_report("serving");
    next_report_ = Clock::now() + settings_.beat;
  }
}

void FolderCourier::write_net() {
  std::optional<std::pair<NetworkIdentity, std::string>> net;
  {
    const std::scoped_lock lock(mutex_);
    net = std::exchange(new_net_, std::nullopt);
  }
  if (!net) return;
  const std::string name = content_hash(net->second) + ".pt";
  write_file_atomically(post_.nets() / name, net->second);
  check_.publish(net->first, post_.nets() / name);
  net_file_ = name;
  std::erase(kept_nets_, name);
  kept_nets_.push_back(name);
  if (kept_nets_.size() > kKeptNets) kept_nets_.pop_front();
}

void FolderCourier::write_orders() {
  const Orders orders = links_.orders->current();
  std::optional<bool> run_ended;
  {
    const std::scoped_lock lock(mutex_);
    run_ended = run_ended_;
  }
  const nlohmann::ordered_json json = {
      {"epoch", epoch_},
      {"terms", terms_},
      {"net", net_file_},
      {"paused", orders.paused && !run_ended},
      {"ended", run_ended.value_or(false)},
  };
  const std::string text = json_text(json) + "\n";
  // With each beat once more: a learner that was replaced may have written after this one.
  if (net_file_.empty() || (text == orders_ && Clock::now() < next_report_)) return;
  replace_file(post_.orders(), text);
  orders_ = text;
  // Only now: actors read the networks that orders named before.
  for (const fs::path& file : names_in(post_.nets()))
    if (std::ranges::find(kept_nets_, file.filename().string()) == kept_nets_.end())
      remove_file(file);
}

void FolderCourier::look() {
  ++looks_;
  for (const fs::path& file : names_in(post_.numbers(), ".range"))
    see_range(file, "");
  std::map<std::string, SeenActor> gone = std::exchange(actors_, {});
  int threads = 0;
  for (const fs::path& folder : names_in(post_.actors())) {
    std::error_code ignored;
    if (!fs::is_directory(folder, ignored)) continue;
    const std::string name = folder.filename().string();
    if (auto known = gone.extract(name))
      actors_.insert(std::move(known));
    else if (!first_look_)
      say(fmt::format("Actor {} has come", name));
    look_at(folder);
    if (!actors_[name].gone && !shut_out_.contains(name)) threads += actors_[name].threads;
  }
  threads_ = threads;
  first_look_ = false;
  give_back_lost_ranges();
  const std::string asked = read_word(post_.asked());
  if (asked == "stop" && !StopSignals::requested())
    std::raise(SIGTERM);  // as if it were asked itself
  const std::scoped_lock lock(mutex_);
  actors_end_ = asked == "stop" || run_ended_.value_or(false);
  all_gone_ = actors_.empty();
  if (all_gone_) changed_.notify_all();
}

void FolderCourier::look_at(const fs::path& folder) {
  const std::string name = folder.filename().string();
  SeenActor& actor = actors_[name];
  if (Clock::now() >= actor.next_look) read_beat(folder, actor);
  const std::chrono::milliseconds unchanged = actor.beat.unchanged();
  const bool was_gone = actor.gone;
  actor.gone = actor.ended || unchanged > settings_.silent;
  if (actor.gone && !was_gone && !actor.ended)
    say(fmt::format("Actor {} has not been heard of for {}: its games are given to others", name,
                    clock_text(static_cast<double>(unchanged.count()) / 1000)));
  actor.parts.clear();
  for (const fs::path& file : names_in(folder)) {
    const std::string entry = file.filename().string();
    // What a dead actor has not sent on yet can be read up to its torn end.
    if (entry.ends_with(".part") || (actor.gone && entry.ends_with(kUnfinished)))
      actor.parts.push_back(file);
    if (entry.ends_with(".range")) see_range(file, name);
  }
  if (const auto out = shut_out_.find(name); out != shut_out_.end()) keep_out(folder, out->second);
}

void FolderCourier::read_beat(const fs::path& folder, SeenActor& actor) {
  actor.next_look = Clock::now() + settings_.beat / 2;
  const std::string source = (folder / kBeatName).string();
  const auto json = read_object(folder / kBeatName);
  try {
    if (!json) return actor.beat.see(0);
    const auto beat = json_field<std::uint64_t>(*json, "beat", source);
    actor.state = json_field<std::string>(*json, "state", source);
    actor.message = json_field<std::string>(*json, "message", source);
    actor.ended = actor.state == "ended";
    actor.threads = std::clamp(json_field<int>(*json, "threads", source), 0, 1 << 16);
    actor.net_steps = json_field<std::int64_t>(*json, "net_steps", source);
    const bool first = actor.counts.empty();
    for (const auto& [key, count] : kBeatCounts) {
      const auto value = json_field<std::uint64_t>(*json, key, source);
      std::uint64_t& before = actor.counts[key];
      // What it did before this session is not counted, as this session's reports would show it.
      if (!first && value > before) links_.counts->*count += value - before;
      before = value;
    }
    actor.beat.see(beat);
  } catch (const std::runtime_error&) {
    actor.beat.see(0);  // not what an actor writes: it is taken for dead in time
  }
}

void FolderCourier::see_range(const fs::path& file, const std::string& holder) {
  const auto range = range_of(file);
  if (!range) return;
  const auto [place, is_new] =
      ranges_.try_emplace(range->next, GivenRange{.end = range->end, .net = range->net});
  if (is_new) links_.numbers->adopt(*range);  // of an earlier session
  GivenRange& given = place->second;
  if (given.end != range->end || given.net != range->net) return;
  given.holder = holder;
  given.look = looks_;
  given.seen = Clock::now();
}

void FolderCourier::give_back_lost_ranges() {
  std::erase_if(ranges_, [&](const auto& entry) {
    const auto& [first, range] = entry;
    if (range.look == looks_) return false;
    // Its actor has given it up, or is gone. One that was on offer has been claimed and will be
    // seen.
    const bool lost = !range.holder.empty() || Clock::now() - range.seen > settings_.silent;
    if (lost) links_.numbers->give_back({first, range.end});
    return lost;
  });
}

void FolderCourier::take_parts() {
  if (links_.arrivals->waiting() > kMostWaiting) return;  // actors wait in their turn
  struct Arrived {
    std::string actor;
    fs::path file;
    TakenPart taken = {};
  };
  std::vector<Arrived> parts;
  // Those who were last in the last turn are first in this one.
  auto actor = actors_.lower_bound(next_actor_);
  for (std::size_t i = 0; i < actors_.size() && parts.size() < kPartsAtOnce; ++i, ++actor) {
    if (actor == actors_.end()) actor = actors_.begin();
    for (const fs::path& file : actor->second.parts)
      if (parts.size() < kPartsAtOnce) parts.push_back({actor->first, file});
  }
  if (parts.empty()) return;
  next_actor_ = parts.back().actor;
  const int threads = std::clamp(available_processors() / 4, 1, 8);
  for_each_index(parts.size(), std::min(threads, static_cast<int>(parts.size())),
                 [&](std::size_t i) {
                   const auto out = shut_out_.find(parts[i].actor);
                   if (out == shut_out_.end())
                     parts[i].taken = intake_->take(parts[i].file);
                   else
                     parts[i].taken.faults = {parts[i].actor + " is shut out: " + out->second};
                 });
  persistence_->sync_games();
  require_office();
  for (Arrived& part : parts) {  // deleting a part confirms it
    for (GameRecord& game : part.taken.chosen)
      check_.add(part.actor, std::move(game));
    SeenActor& from = actors_[part.actor];
    from.stored += part.taken.stored;
    from.dropped += part.taken.known;
    stored_ += part.taken.stored;
    dropped_ += part.taken.known;
    bytes_ += part.taken.bytes;
    const bool torn_at_most = part.file.string().ends_with(kUnfinished);
    if (part.taken.faults.empty() || torn_at_most) {
      remove_file(part.file);
    } else {
      ++from.refused;
      ++refused_;
      put_aside(part.actor, part.file, part.taken.faults);
    }
  }
}

void FolderCourier::put_aside(const std::string& actor, const fs::path& part,
                              const std::vector<std::string>& faults) {
  const fs::path aside = post_.aside() / (actor + "-" + part.filename().string());
  std::error_code error;
  if (names_in(post_.aside(), ".txt").size() < kMostAside) fs::rename(part, aside, error);
  if (error || fs::exists(part)) fs::remove_all(part, error);
  std::string text;
  for (const std::string& fault : faults)
    text += fault + "\n";
  try {
    replace_file(aside.string() + ".txt", text);
  } catch (const std::system_error&) {  // it is said below
  }
  if (!shut_out_.contains(actor))  // of such a one it was said
    say(fmt::format("warning: {} is set aside: {}", aside.string(), faults.front()));
}

void FolderCourier::shut_out() {
  for (const auto& [name, reason] : check_.found_out()) {
    shut_out_[name] = reason;
    say(fmt::format("warning: actor {} is shut out, and nothing more of it is taken: {}", name,
                    reason));
    std::error_code error;
    if (fs::is_directory(post_.actors() / name, error)) keep_out(post_.actors() / name, reason);
  }
}

void FolderCourier::keep_out(const fs::path& folder, const std::string& reason) {
  const std::string name = folder.filename().string();
  give_back(name);
  std::error_code error;
  for (const fs::path& range : names_in(folder, ".range"))
    fs::remove_all(range, error);
  try {
    if (!fs::exists(folder / kShutOutName, error))
      replace_file(folder / kShutOutName, reason + "\n");
  } catch (const std::system_error&) {  // it goes on for nothing
  }
}

void FolderCourier::give_back(const std::string& actor) {
  for (auto range = ranges_.begin(); range != ranges_.end();)
    if (range->second.holder == actor) {
      links_.numbers->give_back({range->first, range->second.end});
      range = ranges_.erase(range);
    } else {
      ++range;
    }
}

void FolderCourier::bury() {
  std::erase_if(actors_, [&](const auto& entry) {
    const auto& [name, actor] = entry;
    if (!actor.gone || !actor.parts.empty()) return false;
    const fs::path folder = post_.actors() / name;
    std::error_code error;
    for (const fs::path& file : names_in(folder))
      if (const std::string kind = file.filename().string();
          !kind.ends_with(".part") && !kind.ends_with(kUnfinished))
        fs::remove_all(file, error);
    give_back(name);
    check_.forget(name);
    return fs::remove(folder, error);  // not if a part has appeared
  });
}

void FolderCourier::offer() {
  const auto alive =
      static_cast<std::uint64_t>(std::ranges::count_if(actors_, [&](const auto& actor) {
        return !actor.second.gone && !shut_out_.contains(actor.first);
      }));
  bool ending = false;
  {
    const std::scoped_lock lock(mutex_);
    ending = run_ended_.value_or(false);
  }
  // In a deterministic run a range belongs to the network of its round.
  const auto net_of_round = [&] {
    return config_->run.deterministic ? links_.orders->current().net : NetworkIdentity{};
  };
  std::uint64_t offered = 0, held = 0;
  for (auto range = ranges_.begin(); range != ranges_.end();) {
    const std::string& holder = range->second.holder;
    const NumberRange numbers{range->first, range->second.end, range->second.net};
    const bool on_offer = holder.empty();
    const bool is_over = numbers.net != net_of_round();
    const fs::path place = on_offer ? post_.numbers() : post_.actors() / holder;
    if ((is_over || (on_offer && (alive == 0 || ending))) &&
        remove_file(place / range_name(numbers))) {
      links_.numbers->give_back(numbers);  // this process's own actors may play them
      range = ranges_.erase(range);
      continue;
    }
    ++(on_offer ? offered : held);
    ++range;
  }
  if (alive == 0 || ending) return;
  for (const std::uint64_t wanted = 4 + alive + held / 4; offered < wanted; ++offered) {
    // The last games of a run are divided among all.
    const auto left = links_.numbers->unfinished();
    constexpr std::uint64_t kShares = 32;
    const std::uint64_t most =
        left ? std::clamp<std::uint64_t>(*left / kShares, 1, settings_.range) : settings_.range;
    NumberRange numbers = links_.numbers->take(most);
    if (numbers.empty()) return;
    numbers.net = net_of_round();
    const fs::path file = post_.numbers() / range_name(numbers);
    if (!std::ofstream(file)) throw RunError(file.string() + ": cannot be created");
    ranges_[numbers.next] = {
        .end = numbers.end, .net = numbers.net, .holder = {}, .look = looks_, .seen = Clock::now()};
  }
}

void FolderCourier::write_report(const char* state) {
  const Clock::time_point now = Clock::now();
  const double interval = seconds_between(last_report_, now);
  nlohmann::ordered_json actors = nlohmann::ordered_json::array();
  for (auto& [name, actor] : actors_) {
    const std::uint64_t games = actor.stored - std::exchange(actor.stored_before, actor.stored);
    const auto out = shut_out_.find(name);
    const bool is_out = out != shut_out_.end();
    actors.push_back(
        {{"name", name},
         {"state", is_out                       ? "shut out"
                   : actor.gone && !actor.ended ? "silent"
                                                : actor.state},
         {"message", is_out ? out->second : actor.message},
         {"threads", actor.threads},
         {"games", actor.stored},
         {"games_per_second", static_cast<double>(games) / interval},
         {"dropped", actor.dropped},
         {"refused_parts", actor.refused},
         {"searched_again", check_.games_of(name)},
         {"net_steps", actor.net_steps},
         {"waiting_parts", actor.parts.size()},
         {"unchanged_seconds", static_cast<double>(actor.beat.unchanged(now).count()) / 1000}});
  }
  last_report_ = now;
  const nlohmann::ordered_json json = {
      {"beat", ++beat_},
      {"epoch", epoch_},
      {"host", host_name()},
      {"pid", ::getpid()},
      {"state", state},
      {"net", net_file_},
      {"paused", links_.orders->current().paused},
      {"games", stored_},
      {"bytes", bytes_},
      {"dropped", dropped_},
      {"refused_parts", refused_},
      {"waiting_games", links_.arrivals->waiting()},
      {"actors", std::move(actors)},
  };
  replace_file(post_.learner(), json_text(json) + "\n");
}

}  // namespace faultline
