// An actor's side of a NATS server: keeps its post, a folder on this machine, equal to the
// learner's.
#include <algorithm>
#include <atomic>
#include <exception>
#include <fstream>
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

#include "base/atomic_file.h"
#include "base/file_lock.h"
#include "base/json_fields.h"
#include "base/json_text.h"
#include "base/text.h"
#include "cluster/actor_beat.h"
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

constexpr std::size_t kMostStock = 16;  // ranges that are here before they are needed
constexpr std::uint64_t kLargestFile = std::uint64_t{1} << 36;
constexpr int kStoreIsFull = 10077;
constexpr const char* kSource = "the learner's answer";

std::string content_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

bool is_below(const fs::path& name) {
  return !name.empty() && name.is_relative() && name == name.lexically_normal() &&
         *name.begin() != "..";
}

/// Everything else than what a subject can have becomes "_".
std::string new_process_name() {
  std::random_device device;
  std::string name = fmt::format("{}-{}-{:08x}", host_name().substr(0, 60), ::getpid(), device());
  for (char& c : name)
    if (!is_subject_word({c})) c = '_';
  return name;
}

class Spool final : public NatsSpool {
 public:
  Spool(NatsPlace place, const fs::path& folder, const NatsSettings& settings)
      : place_(std::move(place)),
        settings_(settings),
        folder_(folder),
        name_(new_process_name()),
        post_{folder / name_} {
    try {
      for (const fs::path& made :
           {folder / "nets", post_.numbers(), post_.actors(), post_.epochs()})
        fs::create_directories(made);
      fs::create_directory_symlink("../nets",
                                   post_.nets());  // one for all processes of this machine
      // Under its name nobody sees it unlocked.
      lock_.emplace(post_.folder / "lock.new");
      fs::rename(post_.folder / "lock.new", post_.folder / "lock");
    } catch (const std::system_error& error) {
      throw RunError(error.what());
    }
    thread_ = std::thread([this] { work(); });
  }
  ~Spool() override { stop(); }

  const Post& post() const override { return post_; }
  std::string trouble() override {
    const std::scoped_lock lock(mutex_);
    return trouble_;
  }
  void check() override {
    const std::scoped_lock lock(mutex_);
    if (failure_) std::rethrow_exception(failure_);
  }
  std::size_t finish() override {
    finishing_ = true;
    const auto until = Clock::now() + settings_.post.farewell;
    while (!finished_ && !has_failed() && Clock::now() < until)
      std::this_thread::sleep_for(settings_.post.tick);
    stop();
    std::size_t left = 0;
    for (const fs::path& actor : names_in(post_.actors()))
      left += names_in(actor, ".part").size();
    std::error_code ignored;
    if (left == 0) fs::remove_all(post_.folder, ignored);
    lock_.reset();
    return left;
  }

 private:
  struct Sent {
    Clock::time_point again = {};
    int times = 0;
  };
  struct Download {
    std::string name, hash;
    std::uint64_t bytes = 0, piece = 1;
    std::string got = {};
    std::unique_ptr<FileLock> lock = {};
  };
  struct Told {  // of the learner's last answer
    json files = json::array();
    std::uint64_t piece = 1;
    std::optional<json> orders = {};
  };

  void stop() {
    stopping_ = true;
    if (thread_.joinable()) thread_.join();
  }

  bool has_failed() {
    const std::scoped_lock lock(mutex_);
    return failure_ != nullptr;
  }
  void say(std::string trouble) {
    const std::scoped_lock lock(mutex_);
    trouble_ = std::move(trouble);
  }
  void fail(const std::string& why) {
    const std::scoped_lock lock(mutex_);
    trouble_ = why;
    failure_ = std::make_exception_ptr(RunError(why));
  }

  void work() {
    while (!stopping_) {
      const Clock::time_point begin = Clock::now();
      auto pause = settings_.post.tick;
      try {
        if (!link_) link_.emplace(place_, settings_.patience);
        turn();
      } catch (const NatsError& error) {
        link_.reset();
        if (error.kind() == NatsError::Kind::Denied && !has_been_heard_)
          fail(error.what());  // later it may be a server that starts anew
        else
          say(error.what());
        pause = settings_.post.beat;
      } catch (const std::exception& error) {  // a full disk; not what a learner says
        say(error.what());
        pause = settings_.post.beat;
      }
      while (!stopping_ && Clock::now() - begin < pause)
        std::this_thread::sleep_for(std::min(settings_.post.tick, pause));
    }
  }

  void turn() {
    trouble_now_.clear();
    const std::vector<fs::path> own = names_in(post_.actors());
    if (Clock::time_point& next = next_sync_[""]; own.empty() && Clock::now() >= next) {
      next = Clock::now() + settings_.post.beat / 4;
      sync({}, post_, false);
    }
    bool all_sent = true;
    for (const fs::path& actor : own)
      all_sent = carry(actor, post_, finishing_) && all_sent;
    adopt();
    std::erase_if(adopted_, [&](const auto& entry) {
      bool empty = true;
      for (const fs::path& actor : names_in(entry.first / "actors"))
        empty = carry(actor, {entry.first}, true) && empty;
      std::error_code ignored;
      if (empty) fs::remove_all(entry.first, ignored);
      return empty;
    });
    load_files();
    say(trouble_now_);
    if (finishing_ && all_sent) finished_ = true;
  }

  // --- what an actor says and is told

  /// True if nothing is left of a dead actor.
  bool carry(const fs::path& actor, const Post& post, bool dead) {
    const bool all_sent = send_parts(actor, dead);
    const auto beat = read_object(actor / kBeatName);
    const bool ended = dead || (beat && beat->value("state", json()) == "ended");
    const bool short_of_numbers = !ended && names_in(post.numbers(), ".range").empty();
    Clock::time_point& next = next_sync_[actor.filename().string()];
    const Clock::time_point now = Clock::now();
    const bool due = now >= next || (short_of_numbers &&
                                     now + settings_.post.beat / 4 - settings_.post.tick >= next);
    if (!due) return false;
    next = now + settings_.post.beat / 4;
    sync(actor, post, ended);
    return all_sent && ended && names_in(actor, ".part").empty();
  }

  void sync(const fs::path& actor, const Post& post, bool ended) {
    const std::string process = actor.empty() ? name_ : subject_name(actor);
    json request = {{"format", kNatsFormat}, {"missing", missing_}};
    std::set<std::string> held;
    if (!actor.empty()) {
      auto beat = read_object(actor / kBeatName);
      if (beat && ended) (*beat)["state"] = "ended";
      for (const fs::path& file : ended ? std::vector<fs::path>() : names_in(actor, ".range"))
        held.insert(file.filename().string());
      std::size_t stock = 0;
      for (const fs::path& file :
           ended ? std::vector<fs::path>() : names_in(post.numbers(), ".range"))
        stock += held.insert(file.filename().string()).second ? 1U : 0U;
      if (stock == 0 && std::exchange(used_up_, false)) stock_ = std::min(2 * stock_, kMostStock);
      std::vector<std::string> parts;
      for (const fs::path& file : names_in(actor))
        if (const std::string part = part_word(file, ended); !part.empty()) parts.push_back(part);
      request["beat"] = beat ? *beat : json(json::object());
      request["ranges"] = held;
      request["wanted"] = ended || !beat ? 0 : stock_ - std::min(stock, stock_);
      request["parts"] = parts;
    }
    json reply;
    try {
      const NatsMessage answer = link_->request(
          place_.subject(fmt::format("sync.{}.{}", place_.user, process)), json_text(request));
      reply = json::parse(answer.data, nullptr, false);
    } catch (const NatsError& error) {
      if (error.kind() != NatsError::Kind::Nobody) throw;
      trouble_now_ = fmt::format("no learner serves {}", place_.url());
      return hear_last_word();
    }
    const auto format = json_field<int>(reply, "format", kSource);
    if (format != kNatsFormat)
      return fail(
          fmt::format("{}: the learner's program has version {} of the cluster's messages, this "
                      "one {}. Install "
                      "one version of faultline on all machines, and start its learner first",
                      place_.url(), format, kNatsFormat));
    missing_.clear();
    const auto epoch = json_field<std::uint64_t>(reply, "epoch", kSource);
    if (epoch < epoch_) return;  // of a learner that was replaced
    epoch_ = epoch;
    has_been_heard_ = true;
    hear(reply);
    if (!actor.empty() && reply.contains("ranges")) obey(actor, post, ended, held, reply);
  }

  void hear(const json& reply) {
    if (const auto learner = reply.find("learner"); learner != reply.end())
      replace_file(post_.learner(), json_text(*learner));
    told_.files = json_field<json>(reply, "files", kSource);
    told_.piece =
        std::clamp<std::uint64_t>(json_field<std::uint64_t>(reply, "piece", kSource), 1, 1U << 30);
    told_.orders.reset();
    if (const auto orders = reply.find("orders"); orders != reply.end()) told_.orders = *orders;
    hear_what_is_asked(reply);
  }

  void hear_what_is_asked(const json& reply) {
    const auto asked = json_field<std::string>(reply, "asked", kSource);
    std::error_code ignored;
    if (asked.empty())
      fs::remove(post_.asked(), ignored);
    else
      replace_file(post_.asked(), asked + "\n");
  }

  /// What the learner that was heard has left at the server when its session ended.
  void hear_last_word() {
    if (!has_been_heard_) return;
    const auto stored = link_->stored(place_.files(), place_.subject(kNatsLastWord));
    if (!stored) return;
    const json word = json::parse(stored->data, nullptr, false);
    if (json_field<std::uint64_t>(word, "epoch", kSource) < epoch_) return;
    if (auto orders = json_field<json>(word, "orders", kSource); orders.is_object())
      told_.orders = std::move(orders);
    hear_what_is_asked(word);
  }

  /// Ranges that it has been given or has lost, and parts that were taken.
  void obey(const fs::path& actor, const Post& post, bool ended, const std::set<std::string>& held,
            const json& reply) {
    const auto given = json_field<std::set<std::string>>(reply, "ranges", kSource);
    std::error_code ignored;
    if (const auto reason = reply.find("shut_out"); reason != reply.end() && reason->is_string())
      replace_file(actor / kShutOutName, reason->get<std::string>() + "\n");
    for (const std::string& range : held)
      if (!given.contains(range)) {
        fs::remove(post.numbers() / range, ignored);
        fs::remove(actor / range, ignored);
      }
    for (const std::string& range : given)
      if (!ended && !held.contains(range) && range_of(range)) {
        replace_file(post.numbers() / fs::path(range).filename(), "");
        used_up_ = true;
      }
    for (const auto& part : json_field<std::vector<std::string>>(reply, "stored", kSource)) {
      if (!is_part_word(part)) continue;
      fs::remove(actor / part_file_name(part), ignored);
      sent_.erase((actor / part_file_name(part)).string());
    }
  }

  std::string subject_name(const fs::path& actor) const {
    std::string name = actor.filename().string().substr(0, 100);
    for (char& c : name)
      if (!is_subject_word({c})) c = '_';
    return name;
  }

  // --- finished games

  /// Sends parts that were not sent, or not confirmed in time. True if all were sent.
  bool send_parts(const fs::path& actor, bool dead) {
    bool all = true;
    for (const fs::path& file : names_in(actor)) {
      const std::string part = part_word(file, dead);
      if (part.empty()) continue;
      Sent& sent = sent_[file.string()];
      if (Clock::now() < sent.again) continue;
      const std::string bytes = content_of(file);
      if (bytes.empty()) continue;
      if (bytes.size() > link_->most()) {
        trouble_now_ =
            fmt::format("{}: is larger than the server takes: its max_payload must be {} at least",
                        file.string(), bytes.size());
        all = false;
        continue;
      }
      try {
        link_->store(
            place_.subject(fmt::format("part.{}.{}.{}", place_.user, subject_name(actor), part)),
            bytes);
        sent.again = Clock::now() + settings_.resend * (1 << std::min(sent.times++, 6));
      } catch (const NatsError& error) {
        if (error.kind() != NatsError::Kind::Refused && error.kind() != NatsError::Kind::Nobody)
          throw;
        trouble_now_ = error.code() == kStoreIsFull
                           ? "the server's store of parts is full; the learner has to take some"
                           : std::string(error.what());
        sent.again = Clock::now() + settings_.post.beat;
        return false;
      }
    }
    return all;
  }

  /// Takes over what dead processes have left in this folder.
  void adopt() {
    const Clock::time_point now = Clock::now();
    if (now < next_look_) return;
    next_look_ = now + 5 * settings_.post.beat;
    for (const fs::path& folder : names_in(folder_)) {
      std::error_code error;
      if (folder == post_.folder || !fs::is_regular_file(folder / "lock", error) ||
          adopted_.contains(folder))
        continue;
      auto lock = std::make_unique<FileLock>(folder / "lock");
      if (lock->held()) adopted_.emplace(folder, std::move(lock));
    }
  }

  // --- networks and terms

  /// Brings a piece or more of what is missing, and then says what the learner orders.
  void load_files() {
    const auto until = Clock::now() + settings_.post.beat / 4;
    const std::string wanted =
        told_.orders ? json_field<std::string>(*told_.orders, "net", kSource) : "";
    std::set<std::string> nets;
    bool complete = told_.orders.has_value();
    for (const json& entry : told_.files) {
      const auto name = json_field<std::string>(entry, "name", kSource);
      const auto hash = json_field<std::string>(entry, "hash", kSource);
      if (!is_below(name) || !is_subject_word(hash))
        throw std::runtime_error(name + ": no name of a file");
      const bool is_net = name.starts_with("nets/");
      if (is_net) nets.insert(fs::path(name).filename().string());
      if (is_net && name != "nets/" + wanted) continue;
      if (here_[name] == hash && fs::exists(post_.folder / name)) continue;
      const bool here = load({.name = name,
                              .hash = hash,
                              .bytes = json_field<std::uint64_t>(entry, "bytes", kSource),
                              .piece = told_.piece},
                             until);
      // Without a network they play with the one before; without terms they have nothing to play.
      // These come in their order, as the last one says that the others are here.
      if (!here && !is_net) return;
      complete = complete && here;
    }
    complete = complete && nets.contains(wanted);
    if (told_.orders) {
      json orders = *told_.orders;
      if (!complete) orders["net"] = last_net_;
      last_net_ = orders["net"];
      const std::string text = json_text(orders);
      if (text != orders_written_) replace_file(post_.orders(), text);
      orders_written_ = text;
      if (complete) forget_nets(nets);
    }
  }

  /// True if it is here now.
  bool load(Download wanted, Clock::time_point until) {
    const fs::path file = post_.folder / wanted.name;
    std::error_code error;
    // A file is named by its hash, or was another one's.
    if (fs::is_regular_file(file, error) && content_hash(content_of(file)) == wanted.hash)
      return note(wanted);
    if (!download_ || download_->name != wanted.name || download_->hash != wanted.hash) {
      // One process of this machine brings it for all.
      download_.reset();
      wanted.lock = std::make_unique<FileLock>(file.parent_path() == post_.nets()
                                                   ? folder_ / "nets" / (wanted.hash + ".lock")
                                                   : post_.folder / "loading");
      if (!wanted.lock->held()) return false;
      if (wanted.bytes > kLargestFile) throw std::runtime_error(wanted.name + ": is too large");
      download_.emplace(std::move(wanted));
    }
    Download& now = *download_;
    do {
      const auto piece = link_->stored(
          place_.files(),
          place_.subject(fmt::format("file.{}.{}", now.hash, now.got.size() / now.piece)));
      if (!piece ||
          piece->data.size() != std::min<std::size_t>(now.piece, now.bytes - now.got.size())) {
        missing_ = {now.hash};
        download_.reset();
        return false;
      }
      now.got += piece->data;
    } while (now.got.size() < now.bytes && Clock::now() < until && !stopping_);
    if (now.got.size() < now.bytes) return false;
    const Download done = *std::move(download_);
    download_.reset();
    if (content_hash(done.got) != done.hash) {
      missing_ = {done.hash};
      return false;
    }
    fs::create_directories(file.parent_path());
    write_file_atomically(file, done.got);
    fs::remove(folder_ / "nets" / (done.hash + ".lock"), error);
    return note(done);
  }

  bool note(const Download& file) {
    here_[file.name] = file.hash;
    return true;
  }

  void forget_nets(const std::set<std::string>& kept) {
    std::error_code ignored;
    for (const fs::path& file : names_in(post_.nets(), ".pt"))
      if (!kept.contains(file.filename().string())) fs::remove(file, ignored);
  }

  const NatsPlace place_;
  const NatsSettings settings_;
  const fs::path folder_;
  const std::string name_;
  const Post post_;
  std::optional<FileLock> lock_;

  // Of the thread.
  std::optional<NatsLink> link_;
  std::uint64_t epoch_ = 0;
  std::size_t stock_ = 1;
  bool used_up_ = false;  // was given ranges since it last asked for more at once
  Told told_;
  std::optional<Download> download_;
  std::map<std::string, std::string> here_;  // files of the post, and their hashes
  std::vector<std::string> missing_;         // hashes that the server does not have
  std::string last_net_, orders_written_, trouble_now_;
  std::map<std::string, Sent> sent_;
  std::map<std::string, Clock::time_point> next_sync_;  // by actors' names
  std::map<fs::path, std::unique_ptr<FileLock>> adopted_;
  Clock::time_point next_look_{};
  bool has_been_heard_ = false;

  std::atomic<bool> stopping_{false}, finishing_{false}, finished_{false};
  std::mutex mutex_;
  std::string trouble_;         // guarded by mutex_
  std::exception_ptr failure_;  // guarded by mutex_
  std::thread thread_;
};

}  // namespace

std::unique_ptr<NatsSpool> join_over_nats(const NatsPlace& place, const fs::path& folder,
                                          const NatsSettings& settings) {
  return std::make_unique<Spool>(place, folder, settings);
}

nlohmann::json hear_report(const NatsPlace& place, const NatsSettings& settings) {
  try {
    NatsLink link(place, settings.patience);
    NatsInbox reports = link.subscribe(place.subject("seen"));
    if (const auto message = reports.next(3 * settings.post.beat)) {
      json report = json::parse(message->data, nullptr, false);
      if (report.is_object()) return report;
      throw RunError(place.url() + ": what is said there is no learner's report");
    }
  } catch (const NatsError& error) {
    throw RunError(error.what());
  }
  throw RunError(place.url() +
                 ": no learner is heard of there; 'faultline train CONFIG --serve' is one");
}

}  // namespace faultline
