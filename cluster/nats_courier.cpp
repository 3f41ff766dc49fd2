// The learner's side of a NATS server: what actors say is written into the run's post as they would
// write it there.
#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <mutex>
#include <optional>
#include <random>
#include <set>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "base/json_text.h"
#include "base/stop_signals.h"
#include "cluster/actor_beat.h"
#include "cluster/folder_courier.h"
#include "cluster/nats_link.h"
#include "cluster/nats_parts.h"
#include "cluster/over_nats.h"
#include "model/export/bundle.h"
#include "record/run_folder.h"

namespace faultline {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;
using nlohmann::json;

constexpr std::size_t kPartsAsked = 64;     // that the server may send at once
constexpr std::size_t kMostPending = 512;   // in the post, not taken yet
constexpr std::size_t kMostRanges = 16;     // given to an actor at once
constexpr std::size_t kMostMessages = 100;  // that are kept to be said
constexpr std::size_t kMostActors = 10'000;
constexpr std::size_t kLargestRequest = 1 << 18;
constexpr const char* kConsumer = "learner";

std::string bytes_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// The word at `index` of a subject.
std::string word_of(const std::string& subject, int index) {
  std::size_t begin = 0;
  for (; index > 0 && begin != std::string::npos; --index) {
    begin = subject.find('.', begin);
    if (begin != std::string::npos) ++begin;
  }
  if (begin == std::string::npos) return {};
  return subject.substr(begin, subject.find('.', begin) - begin);
}

/// The name of an actor's folder by the subject that it writes to; "" if it cannot be one.
std::string actor_of(const std::string& subject) {
  const std::string user = word_of(subject, 3), process = word_of(subject, 4);
  if (!is_subject_word(user) || !is_subject_word(process)) return {};
  return user + "." + process;
}

class NatsCourier final : public Courier {
 public:
  NatsCourier(const Config& config, RunPersistence& persistence, NatsPlace place, LoadNet load_net,
              const NatsSettings& settings)
      : place_(std::move(place)), settings_(settings), post_{persistence.folder().path() / "post"} {
    const Office before = find_office();
    folder_.emplace(config, persistence, std::move(load_net), settings.post, before.epoch + 1);
    take_office(before);
  }
  ~NatsCourier() override { stop(); }

  void begin(const CourierLinks& links) override {
    arrivals_ = links.arrivals;
    folder_->begin(links);
    say(fmt::format("Serves actors: faultline actor --join {}", place_.url()));
    thread_ = std::thread([this] { work(); });
  }
  void publish(NetworkIdentity net, std::string file) override {
    folder_->publish(net, std::move(file));
  }
  void check() override {
    folder_->check();
    const std::scoped_lock lock(mutex_);
    if (failure_) std::rethrow_exception(failure_);
  }
  std::vector<std::string> messages() override {
    std::vector<std::string> all = folder_->messages();
    const std::scoped_lock lock(mutex_);
    std::ranges::move(std::exchange(messages_, {}), std::back_inserter(all));
    return all;
  }
  int threads() const override { return folder_->threads(); }
  void end(bool run_ended) override {
    folder_->end(run_ended);
    if (run_ended || !read_word(post_.asked()).empty()) {
      // The actors' last parts are confirmed to them, and they hear of the end.
      for (const auto until = Clock::now() + settings_.post.farewell;
           !all_gone_ && Clock::now() < until;)
        std::this_thread::sleep_for(settings_.post.tick);
      says_last_word_ = true;
    }
    stop();
    check();
  }
  void stop() override {
    folder_->stop();  // actors hear of its end through this one
    stopping_ = true;
    if (thread_.joinable()) thread_.join();
  }

 private:
  struct Office {
    std::uint64_t epoch = 0;
    std::uint64_t sequence = 0;  // of the message that says so
  };
  struct File {
    std::string name;  // in the post
    std::string hash;
    std::size_t bytes = 0;
  };
  struct Seen {  // an actor's parts by their words, and when it was heard of
    std::set<std::string> pending = {};
    std::set<std::string> taken = {};
    std::string beat = {};  // as it is in its folder
    Clock::time_point when = {};
    bool gone = false;  // it has ended, and knows that all its parts were taken
  };

  void say(std::string text) {
    const std::scoped_lock lock(mutex_);
    if (messages_.size() < kMostMessages) messages_.push_back(std::move(text));
  }

  void connect() {
    link_.emplace(place_, settings_.patience);
    const auto stream = [&](const std::string& name, json more) {
      more.update({{"name", name},
                   {"storage", "file"},
                   {"discard", "new"},
                   {"num_replicas", 1},
                   {"max_msgs_per_subject", 1},
                   {"max_consumers", -1},
                   {"max_msgs", -1},
                   {"max_age", 0}});
      try {
        link_->ask_jetstream("STREAM.CREATE." + name, more);
      } catch (const NatsError& error) {
        constexpr int kExistsOtherwise = 10058;
        if (error.code() != kExistsOtherwise) throw;
        link_->ask_jetstream("STREAM.UPDATE." + name, more);
      }
    };
    stream(place_.parts(), {{"subjects", {place_.subject("part.*.*.*")}},
                            {"retention", "workqueue"},
                            {"max_bytes", settings_.stream_bytes}});
    stream(place_.files(),
           {{"subjects", {place_.subject("file.*.*"), place_.subject("key.learner")}},
            {"retention", "limits"},
            {"max_bytes", -1},
            {"allow_direct", true}});
    link_->ask_jetstream(fmt::format("CONSUMER.DURABLE.CREATE.{}.{}", place_.parts(), kConsumer),
                         {{"stream_name", place_.parts()},
                          {"config",
                           {{"durable_name", kConsumer},
                            {"ack_policy", "explicit"},
                            {"deliver_policy", "all"},
                            {"ack_wait", 30'000'000'000},
                            {"max_ack_pending", 4 * kPartsAsked}}}});
  }

  Office office() {
    const auto stored = link_->stored(place_.files(), place_.subject("key.learner"));
    if (!stored) return {};
    const json value = json::parse(stored->data, nullptr, false);
    holder_ = stored->data;
    const auto epoch = value.is_object() ? value.find("epoch") : value.end();
    const bool valid = value.is_object() && epoch != value.end() && epoch->is_number_unsigned();
    return {valid ? epoch->get<std::uint64_t>() : 0, stored->sequence};
  }

  /// Does this with a connection; anew with another one as long as the server may come back.
  void with_patience(const std::function<void()>& action) {
    for (const auto until = Clock::now() + settings_.post.silent;;)
      try {
        if (!link_) connect();
        return action();
      } catch (const NatsError& error) {
        link_.reset();
        if (error.kind() == NatsError::Kind::Denied || Clock::now() > until ||
            StopSignals::requested())
          throw RunError(fmt::format("--serve {}: {}", place_.url(), error.what()));
        std::this_thread::sleep_for(settings_.post.beat);
      }
  }

  /// Who was in office.
  Office find_office() {
    Office found;
    with_patience([&] {
      try {
        link_->request(place_.subject("sync." + place_.user + ".learner"),
                       json_text(json{{"format", kNatsFormat}}));
        throw RunError(fmt::format(
            "{}: another learner serves there; stop it first, or give this run another NAME",
            place_.url()));
      } catch (const NatsError&) {  // nobody answers
      }
      found = office();
    });
    return found;
  }

  void take_office(Office before) {
    key_ = json_text(json{{"epoch", folder_->epoch()}, {"host", host_name()}, {"pid", ::getpid()}});
    with_patience([&] {
      const Office now = office();
      if (now.sequence != 0 && holder_ == key_) return;
      constexpr int kAnotherWasFirst = 10071;
      try {
        if (now.sequence == 0 || now.sequence == before.sequence)
          return link_->store(place_.subject("key.learner"), key_, now.sequence);
      } catch (const NatsError& error) {
        if (error.code() != kAnotherWasFirst) throw;
        office();
      }
      throw RunError(
          fmt::format("{}: another learner has begun to serve there: {}", place_.url(), holder_));
    });
  }

  /// That this learner is still the one; where the server has lost that, it says so again.
  void keep_office() {
    const Office now = office();
    if (now.sequence == 0) {
      sent_.clear();
      files_.clear();
    }
    if (now.epoch < folder_->epoch()) {  // nothing, or nothing of a later learner
      link_->store(place_.subject("key.learner"), key_, now.sequence);
    } else if (holder_ != key_) {
      throw RunError(fmt::format(
          "{}: another learner has taken this run over: {}; this one stops and saves nothing "
          "more",
          place_.url(), holder_));
    }
  }

  void work() {
    std::string said;
    while (!stopping_)
      try {
        if (!link_) connect();
        open();
        if (!std::exchange(said, "").empty()) say(place_.server + " answers again");
        while (!stopping_)
          turn();
      } catch (const NatsError& error) {
        link_.reset();
        if (said.empty())
          say(fmt::format("warning: {}; actors keep their games until it answers", error.what()));
        said = error.what();
        for (auto until = Clock::now() + settings_.post.beat; !stopping_ && Clock::now() < until;)
          std::this_thread::sleep_for(settings_.post.tick);
      } catch (...) {
        const std::scoped_lock lock(mutex_);
        failure_ = std::current_exception();
        arrivals_->wake();
        return;
      }
    if (says_last_word_) say_last_word();
  }

  /// Who asks later hears from the server that the run has ended.
  void say_last_word() {
    orders_net();
    try {
      if (!link_) connect();
      link_->store(place_.subject(kNatsLastWord),
                   json_text(json{{"epoch", folder_->epoch()},
                                  {"orders", orders_},
                                  {"asked", read_word(post_.asked())}}));
    } catch (const NatsError&) {  // then actors wait for a learner
    }
  }

  /// What belongs to a new connection.
  void open() {
    syncs_ = link_->subscribe(place_.subject("sync.*.*"));
    parts_subject_ = fmt::format("inbox.{}.parts-{:08x}", place_.user, std::random_device()());
    parts_ = link_->subscribe(parts_subject_);
    asked_ = 0;
    next_beat_ = {};
    opened_ = Clock::now();
    see_common();
  }

  void turn() {
    const Clock::time_point now = Clock::now();
    // One that has brought nothing for long is made anew, whether it is silent or broken.
    if (now - opened_ > settings_.post.silent) open();
    if (now >= next_beat_) {
      keep_office();
      send_files();
      send_report();
      next_beat_ = now + settings_.post.beat / 2;
    }
    if (!orders_net().empty() && orders_net_ != sent_net_) send_files();
    see_common();
    offers_are_new_ = false;
    answer_waiting();
    see_taken();
    take_parts();
  }

  // --- networks and terms

  /// The network that the orders of this learner name; "" if there are none yet.
  const std::string& orders_net() {
    const auto orders = read_object(post_.orders());
    if (!orders || orders->value("epoch", json()) != folder_->epoch()) return orders_net_ = {};
    orders_ = *orders;
    return orders_net_ = orders->value("net", std::string());
  }

  void send_files() {
    orders_net();
    std::vector<File> files;
    const auto add = [&](const fs::path& file) {
      const std::string name = file.lexically_relative(post_.folder).string();
      const auto known = std::ranges::find(files_, name, &File::name);
      if (known != files_.end()) return files.push_back(*known);
      const std::string bytes = bytes_of(file);
      File added{name, content_hash(bytes), bytes.size()};
      // An old network may go meanwhile.
      if (file.parent_path() == post_.nets() && file.stem() != added.hash) return;
      if (sent_.insert(added.hash).second) send_file(added, bytes);
      files.push_back(std::move(added));
    };
    std::error_code error;
    for (const fs::path& file : {post_.config(), post_.folder / "game.toml", post_.teacher()})
      if (fs::is_regular_file(file, error)) add(file);
    for (fs::recursive_directory_iterator entry(post_.folder / "strategies", error), end;
         !error && entry != end; entry.increment(error))
      if (entry->is_regular_file()) add(entry->path());
    for (const fs::path& file : names_in(post_.nets(), ".pt"))
      if (fs::is_regular_file(file, error)) add(file);
    add(post_.terms());
    for (const File& old : files_)  // the last three networks are kept
      if (std::ranges::find(files, old.hash, &File::hash) == files.end()) {
        link_->ask_jetstream("STREAM.PURGE." + place_.files(),
                             {{"filter", place_.subject("file." + old.hash + ".*")}});
        sent_.erase(old.hash);
      }
    files_ = std::move(files);
    sent_net_ = orders_net_;
  }

  std::size_t piece() const {
    return std::min<std::size_t>(link_->most() / 2, std::size_t{1} << 19);
  }

  void send_file(const File& file, const std::string& bytes) {
    for (std::size_t i = 0, begin = 0; begin < bytes.size() || i == 0; ++i, begin += piece()) {
      link_->store(place_.subject(fmt::format("file.{}.{}", file.hash, i)),
                   std::string_view(bytes).substr(begin, piece()));
      answer_waiting();  // large ones take time
    }
  }

  void send_report() {
    const std::string text = read_word(post_.learner());
    if (text != report_) {  // with many actors it is long
      json report = json::parse(text, nullptr, false);
      if (!report.is_object()) return;
      report_ = said_ = text;
      learner_ = json::object();
      for (const char* key : {"beat", "epoch", "host"})
        learner_[key] = report.value(key, json());
      if (text.size() > link_->most()) {  // thousands of actors
        report["actors"] = json::array();
        said_ = json_text(report);
      }
    }
    if (!said_.empty()) link_->publish(place_.subject("seen"), said_);
  }

  // --- what actors say

  bool may_come(const std::string& actor) const {
    return !actor.empty() && (actors_.size() < kMostActors || actors_.contains(actor));
  }

  void answer_waiting() {
    for (int i = 0; i < 256; ++i) {
      const auto message = syncs_.next(std::chrono::milliseconds(0));
      if (!message) break;
      opened_ = Clock::now();
      answer(*message);
    }
  }

  void answer(const NatsMessage& message) {
    const std::string actor = actor_of(message.subject);
    // What it is told goes to itself, also through another account of the server ("_R_."): nobody
    // has this learner write elsewhere.
    const std::string& to = message.reply;
    if (!may_come(actor) || message.data.size() > kLargestRequest ||
        !(to.starts_with("_R_.") || to.starts_with("inbox." + word_of(message.subject, 3) + ".")))
      return;
    const json request = json::parse(message.data, nullptr, false);
    if (!request.is_object()) return;
    if (const auto format = request.find("format");
        format == request.end() || *format != kNatsFormat)  // which says enough:
      return link_->publish(message.reply, json_text(json{{"format", kNatsFormat}}));
    json reply = common_;
    try {
      fill(actor, request, reply);
      link_->publish(message.reply, json_text(reply));
    } catch (const json::exception&) {  // not what an actor says
    } catch (const std::system_error& error) {
      say(fmt::format("warning: {}", error.what()));  // a full disk: the actor asks again
    }
  }

  /// What every actor is told in this turn.
  void see_common() {
    common_ = {{"format", kNatsFormat},
               {"epoch", folder_->epoch()},
               {"asked", read_word(post_.asked())},
               {"piece", piece()},
               {"files", json::array()}};
    if (!learner_.empty()) common_["learner"] = learner_;
    if (!orders_net_.empty() && orders_net_ == sent_net_) common_["orders"] = orders_;
    for (const File& file : files_)
      common_["files"].push_back({{"name", file.name}, {"hash", file.hash}, {"bytes", file.bytes}});
  }

  void fill(const std::string& actor, const json& request, json& reply) {
    for (const json& hash : request.value("missing", json::array()))
      send_again(hash.get<std::string>());
    const json beat = request.value("beat", json());
    if (!beat.is_object()) return;  // it has just come

    const fs::path folder = post_.actors() / actor;
    Seen& seen = actors_[actor];
    // It asks several times between two beats of its own.
    std::string text = json_text(beat) + "\n";
    if (fs::create_directories(folder) || text != seen.beat) {
      replace_file(folder / kBeatName, text);
      seen.beat = std::move(text);
    }
    const auto held = request.at("ranges").get<std::set<std::string>>();
    std::vector<std::string> given;
    std::error_code error;
    for (const fs::path& file : names_in(folder, ".range")) {
      if (held.contains(file.filename().string()))
        given.push_back(file.filename().string());
      else
        fs::remove(file, error);
    }
    std::size_t wanted = std::min(request.at("wanted").get<std::size_t>(), kMostRanges);
    if (const std::string reason = read_word(folder / kShutOutName); !reason.empty()) {
      reply["shut_out"] = reason;
      wanted = 0;
    }
    const NetworkIdentity net{.steps = beat.value("net_steps", std::int64_t{-1}),
                              .hash = beat.value("net_hash", std::uint64_t{})};
    for (; wanted > 0; --wanted) {
      std::string range = claim_for(folder, net);
      if (range.empty()) break;
      given.push_back(std::move(range));
    }
    reply["ranges"] = given;
    seen.when = Clock::now();
    // Those that it has confirmed it need not ask for again.
    const auto parts = request.at("parts").get<std::set<std::string>>();
    std::erase_if(seen.taken, [&](const std::string& part) { return !parts.contains(part); });
    reply["stored"] = seen.taken;
    seen.gone = beat.value("state", json()) == "ended" && seen.taken == parts;
  }

  /// Renames a range that is on offer into the folder of an actor that plays with this network. "":
  /// there is none for it.
  std::string claim_for(const fs::path& folder, const NetworkIdentity& net) {
    if (offers_.empty() &&
        !std::exchange(offers_are_new_, true)) {  // once a turn, not for each actor
      offers_ = names_in(post_.numbers(), ".range");
      std::ranges::reverse(offers_);
    }
    while (!offers_.empty()) {
      const auto range = range_of(offers_.back());
      if (range && range->net != NetworkIdentity{} && range->net != net) return {};
      const fs::path file = std::move(offers_.back());
      offers_.pop_back();
      if (!range) continue;
      std::error_code error;
      fs::rename(file, folder / file.filename(), error);
      if (!error) return file.filename().string();
    }
    return {};
  }

  /// A part of the server's store may be gone.
  void send_again(const std::string& hash) {
    const auto file = std::ranges::find(files_, hash, &File::hash);
    if (file == files_.end() || !sent_.contains(hash) || Clock::now() < next_again_) return;
    next_again_ = Clock::now() + settings_.post.beat;
    sent_.erase(hash);
    files_.erase(file);
    next_beat_ = {};
  }

  // --- finished games

  /// A part that is in its actor's folder no more was taken.
  void see_taken() {
    if (Clock::now() < next_look_) return;
    next_look_ = Clock::now() + settings_.post.tick;  // the folder's courier looks as often
    pending_ = 0;
    bool all_gone = true;
    std::error_code error;
    for (auto& entry : actors_) {
      Seen& seen = entry.second;
      std::erase_if(seen.pending, [&](const std::string& part) {
        const fs::path file = post_.actors() / entry.first / part_file_name(part);
        if (fs::exists(file, error) || error) return false;
        seen.taken.insert(part);
        return true;
      });
      pending_ += seen.pending.size();
      all_gone = all_gone && (seen.gone || Clock::now() - seen.when > settings_.post.silent);
    }
    all_gone_ = all_gone;
    std::erase_if(actors_, [&](const auto& entry) {
      return entry.second.pending.empty() &&
             Clock::now() - entry.second.when > 10 * settings_.post.silent;
    });
  }

  void take_parts() {
    const Clock::time_point now = Clock::now();
    if ((asked_ == 0 || now > asked_until_) && pending_ < kMostPending) {
      const auto expires = std::chrono::nanoseconds(settings_.patience);
      link_->publish(fmt::format("$JS.API.CONSUMER.MSG.NEXT.{}.{}", place_.parts(), kConsumer),
                     json_text(json{{"batch", kPartsAsked}, {"expires", expires.count()}}),
                     parts_subject_);
      asked_ = kPartsAsked;
      asked_until_ = now + 2 * settings_.patience;
    }
    for (auto wait = settings_.post.tick / 4;; wait = std::chrono::milliseconds(0)) {
      const auto message = parts_.next(wait);
      if (!message) return;
      if (message->status != 0) asked_ = 0;  // the request is over
      if (message->status != 0) return;
      if (asked_ > 0) --asked_;
      opened_ = now;
      put_part(*message);
      if (asked_ == 0) return;
    }
  }

  void put_part(const NatsMessage& message) {
    const std::string actor = actor_of(message.subject), part = word_of(message.subject, 5);
    if (may_come(actor) && is_part_word(part)) {
      const fs::path file = post_.actors() / actor / part_file_name(part);
      try {
        // Not synced: the actor has it until it was taken.
        replace_file(post_.folder / "incoming", message.data);
        fs::create_directories(file.parent_path());
        fs::rename(post_.folder / "incoming", file);
      } catch (const std::system_error& error) {
        say(fmt::format("warning: {}", error.what()));
        const auto later = std::chrono::nanoseconds(settings_.post.beat).count();
        if (message.reply.starts_with("$JS.ACK."))  // the server sends it again
          link_->publish(message.reply, fmt::format(R"(-NAK {{"delay": {}}})", later));
        return;
      }
      Seen& seen = actors_[actor];
      if (seen.pending.insert(part).second) ++pending_;
      seen.when = Clock::now();
      seen.gone = false;
    }
    if (message.reply.starts_with("$JS.ACK.")) link_->publish(message.reply, "+ACK");
  }

  const NatsPlace place_;
  const NatsSettings settings_;
  const Post post_;
  std::optional<FolderCourier> folder_;
  LocalArrivals* arrivals_ = nullptr;

  // Of the thread once that runs.
  std::optional<NatsLink> link_;
  NatsInbox syncs_, parts_;
  std::string parts_subject_;
  std::size_t asked_ = 0;  // parts that the server may still send
  Clock::time_point asked_until_{}, next_beat_{}, next_again_{}, next_look_{}, opened_{};
  std::string key_, holder_;    // what this one wrote, and what is there
  std::set<std::string> sent_;  // hashes of files at the server
  std::vector<File> files_;
  json orders_, common_;
  json learner_ = json::object();  // what actors are told of its last report
  std::string orders_net_, sent_net_;
  std::string report_, said_;  // the last report, and what is said of it
  std::map<std::string, Seen> actors_;
  std::size_t pending_ = 0;
  std::vector<fs::path> offers_;  // the lowest numbers last
  bool offers_are_new_ = false;   // of this turn

  std::atomic<bool> stopping_{false}, says_last_word_{false};
  std::atomic<bool> all_gone_{false};  // no actor waits to hear of its parts or of the end
  std::mutex mutex_;
  std::vector<std::string> messages_;  // guarded by mutex_
  std::exception_ptr failure_;         // guarded by mutex_
  std::thread thread_;
};

}  // namespace

std::unique_ptr<Courier> serve_over_nats(const Config& config, RunPersistence& persistence,
                                         const NatsPlace& place, LoadNet load_net,
                                         const NatsSettings& settings) {
  return std::make_unique<NatsCourier>(config, persistence, place, std::move(load_net), settings);
}

}  // namespace faultline
