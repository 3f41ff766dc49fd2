// Searches that go on in slices.
#include "web/sliced_searches.h"

#include <algorithm>
#include <array>
#include <exception>
#include <map>
#include <random>
#include <utility>
#include <vector>

#include "base/quote.h"
#include "web/search_json.h"

namespace faultline::web {
namespace {

using std::chrono::duration_cast;
using std::chrono::milliseconds;

constexpr const char* kStopped = "stopped";

/// The limits of one position.
struct Budget {
  std::int64_t ms = 0;      // 0: no limit
  std::int64_t visits = 0;  // 0: no limit; nodes of alpha-beta
};

/// One position's search, slice by slice.
class SlicedAnalysis {
 public:
  SlicedAnalysis(const SlicedPlayer& player, Budget budget, int lines)
      : player_(player), budget_(budget), lines_(lines) {}

  /// All slices so far as one.
  const AnalysisReport& report() const { return report_; }

  /// Returns whether more slices follow.
  bool advance(Analyser& analyser, const GamePosition& position, milliseconds slice) {
    slice *= patience_;
    SearchLimits limits;
    limits.time = slice;
    if (budget_.ms > 0)
      limits.time = std::min(slice, std::max(milliseconds(1), milliseconds(budget_.ms) - spent()));
    const bool shortened = *limits.time < slice;
    if (budget_.visits > 0 && player_.alpha_beta)
      limits.nodes = static_cast<std::uint64_t>(budget_.visits) - report_.nodes;
    else
      limits.visits = static_cast<std::uint32_t>(budget_.visits);
    if (player_.has_network) limits.leaves = kLeaves;
    const AnalysisReport found = analyser.analyse(position, limits, lines_, nullptr);
    add(found);
    if (is_spent()) return false;
    // It ended by itself: a mate is proven, or the tree is full or solved.
    if (player_.alpha_beta && !shortened && found.seconds < 0.9 * seconds_of(*limits.time))
      return false;
    return player_.alpha_beta || found.nodes > 0;
  }

 private:
  static constexpr std::uint32_t kLeaves = 8;  // evaluated together
  static constexpr int kMostPatience = 16;

  static double seconds_of(std::chrono::steady_clock::duration time) {
    return std::chrono::duration<double>(time).count();
  }
  milliseconds spent() const {
    return duration_cast<milliseconds>(std::chrono::duration<double>(report_.seconds));
  }
  bool is_spent() const {
    if (budget_.ms > 0 && spent() + milliseconds(1) >= milliseconds(budget_.ms)) return true;
    return budget_.visits > 0 && (player_.alpha_beta ? report_.nodes : report_.visits) >=
                                     static_cast<std::uint64_t>(budget_.visits);
  }
  void add(const AnalysisReport& found) {
    AnalysisReport sum = found;
    // A slice of alpha-beta begins with the first iteration again, and may end before it has come
    // as far as the slice before: then the next one is longer.
    if (player_.alpha_beta) {
      const bool deeper = found.depth > report_.depth;
      patience_ = deeper ? 1 : std::min(2 * patience_, kMostPatience);
      if (!report_.lines.empty() &&
          (found.depth < report_.depth || found.lines.size() < report_.lines.size())) {
        sum.lines = report_.lines;
        sum.value = report_.value;
        sum.depth = report_.depth;
      }
    }
    sum.selective_depth = std::max(found.selective_depth, report_.selective_depth);
    sum.nodes += report_.nodes;
    sum.evaluations += report_.evaluations;
    sum.seconds += report_.seconds;
    report_ = std::move(sum);
  }

  SlicedPlayer player_;
  Budget budget_;
  int lines_;
  int patience_ = 1;
  AnalysisReport report_;
};

/// What goes on: a search, an analysis or a review.
struct Job {
  virtual ~Job() = default;
  Job() = default;
  Job(const Job&) = delete;
  Job& operator=(const Job&) = delete;
  /// Returns whether it goes on.
  virtual bool advance(milliseconds slice) = 0;
  virtual void stopped() = 0;
  virtual void failed(const std::string& why) = 0;
};

/// A player's analyser, kept while the same one is asked for: what it has found is used again.
class KeptAnalyser {
 public:
  explicit KeptAnalyser(std::size_t bytes) : bytes_(bytes) {}
  Analyser& of(const Game& game, const SlicedPlayer& player) {
    std::string name = game.variant() + ' ' + player.name;
    if (analyser_ && name == name_) return *analyser_;
    analyser_.reset();  // first, so that there are never two trees
    AnalyserOptions options;
    options.memory_bytes = bytes_;
    options.search = player.search;
    options.fast = player.fast;
    analyser_ = player.alpha_beta ? game.alpha_beta_analyser(options)
                                  : game.analyser(options, player.evaluator);
    name_ = std::move(name);
    return *analyser_;
  }
  void drop() { analyser_.reset(); }

 private:
  std::size_t bytes_;
  std::string name_;
  std::unique_ptr<Analyser> analyser_;
};

}  // namespace

struct SlicedSearches::State {
  State(Load of, Send to, const Memory& memory)
      : load(std::move(of)),
        send(std::move(to)),
        searching(memory.search),
        analysing(memory.analysis),
        reviewing(memory.review) {}

  const SlicedPlayer& player(const std::string& name, const Game& game) {
    const std::pair key(name, game.variant());
    if (const auto found = loaded.find(key); found != loaded.end()) return found->second;
    return loaded.emplace(key, load(name, game)).first->second;
  }
  const SlicedPlayer& analyst(const SearchRequest& request) {
    const SlicedPlayer& found = player(request.player, *request.line.game);
    if (found.random)
      throw RequestError(quote(found.name) + " cannot analyse: it does not search", "player");
    return found;
  }
  void publish(const char* topic, ReportJson report) {
    send({{"t", topic}, {"v", ++versions[topic]}, {"report", std::move(report)}});
  }
  void begin(std::size_t slot, std::unique_ptr<Job> job) {
    end(slot);
    jobs[slot] = std::move(job);
  }
  void end(std::size_t slot) {
    if (const std::unique_ptr<Job> job = std::exchange(jobs[slot], nullptr)) job->stopped();
  }

  Load load;
  Send send;
  std::map<std::pair<std::string, std::string>, SlicedPlayer> loaded;  // by name and variant
  std::map<std::string, int> versions;                                 // of topics
  KeptAnalyser searching, analysing, reviewing;
  std::array<std::unique_ptr<Job>, 3> jobs;  // search, analysis, review
  std::size_t turn = 0;
  std::mt19937_64 rng{std::random_device{}()};
};

namespace {

struct SearchJob final : Job {
  static constexpr std::int64_t kUsualMs = 1000;

  SearchJob(SlicedSearches::Send to, KeptAnalyser& by, SlicedPlayer of, SearchRequest asked,
            ReportJson with, std::mt19937_64& random)
      : send(std::move(to)),
        kept(&by),
        player(std::move(of)),
        request(std::move(asked)),
        id(std::move(with)),
        rng(&random),
        search(player, {.ms = request.limited() ? request.ms : kUsualMs, .visits = request.visits},
               1) {}

  bool advance(milliseconds slice) override {
    const GamePosition& position = *request.line.end;
    if (player.random) {
      const std::vector<Move> moves = position.legal_moves();
      AnalysisReport report;
      AnalysisLine line;
      line.moves = {moves[std::uniform_int_distribution<std::size_t>(0, moves.size() - 1)(*rng)]};
      report.value.draw = 1;
      report.lines = {line};
      send({{"id", id}, {"ok", move_json(position, report)}});
      return false;
    }
    if (search.advance(kept->of(*request.line.game, player), position, slice)) return true;
    if (search.report().lines.empty())
      failed("the search found no move");
    else
      send({{"id", id}, {"ok", move_json(position, search.report())}});
    return false;
  }
  void stopped() override { failed(kStopped); }
  void failed(const std::string& why) override { send({{"id", id}, {"error", why}}); }

  SlicedSearches::Send send;
  KeptAnalyser* kept;
  SlicedPlayer player;
  SearchRequest request;
  ReportJson id;
  std::mt19937_64* rng;
  SlicedAnalysis search;
};

using Publish = std::function<void(ReportJson report)>;

struct AnalysisJob final : Job {
  AnalysisJob(Publish to, KeptAnalyser& by, SlicedPlayer of, SearchRequest asked)
      : publish(std::move(to)),
        kept(&by),
        player(std::move(of)),
        request(std::move(asked)),
        search(player, {.ms = request.ms, .visits = request.visits}, request.lines) {}

  bool advance(milliseconds slice) override {
    if (is_over(request.line.end->outcome())) {
      publish(empty_analysis_json(request));
      return false;
    }
    const bool more =
        search.advance(kept->of(*request.line.game, player), *request.line.end, slice);
    publish(analysis_json(request, player.name, search.report(), !more));
    return more;
  }
  void stopped() override { publish(analysis_json(request, player.name, search.report(), true)); }
  void failed(const std::string& why) override {
    ReportJson report = empty_analysis_json(request);
    report["error"] = why;
    publish(std::move(report));
  }

  Publish publish;
  KeptAnalyser* kept;
  SlicedPlayer player;
  SearchRequest request;
  SlicedAnalysis search;
};

struct ReviewJob final : Job {
  static constexpr std::int64_t kUsualVisits = 200, kUsualNodes = 30'000;

  ReviewJob(Publish to, KeptAnalyser& by, SlicedPlayer of, SearchRequest asked)
      : publish(std::move(to)),
        kept(&by),
        player(std::move(of)),
        request(std::move(asked)),
        game(game_of(request.line)),
        positions(positions_of(*request.line.game, game)),
        found(positions.size()) {}

  bool advance(milliseconds slice) override {
    PositionAnalysis& now = found[at];
    now.outcome = positions[at]->outcome();
    if (!is_over(now.outcome)) {
      if (!search) search.emplace(player, budget(), 1);
      if (search->advance(kept->of(*request.line.game, player), *positions[at], slice)) return true;
      now.report = search->report();
      now.searched = true;
      now.by_alpha_beta = player.alpha_beta;
    }
    now.done = true;
    search.reset();
    ReportJson report = review_json(request, ++at, positions.size());
    const bool more = at < positions.size();
    if (!more) {
      report["plies"] = review_plies_json(review_game(game, positions, found));
      kept->drop();
    }
    publish(std::move(report));
    return more;
  }
  void stopped() override { failed(kStopped); }
  void failed(const std::string& why) override {
    ReportJson report = review_json(request, at, positions.size());
    report["error"] = why;
    publish(std::move(report));
  }

  Budget budget() const {
    if (request.limited()) return {.ms = request.ms, .visits = request.visits};
    return {.ms = 0, .visits = player.alpha_beta ? kUsualNodes : kUsualVisits};
  }

  Publish publish;
  KeptAnalyser* kept;
  SlicedPlayer player;
  SearchRequest request;
  TextGame game;
  std::vector<std::unique_ptr<GamePosition>> positions;
  std::vector<PositionAnalysis> found;
  std::size_t at = 0;
  std::optional<SlicedAnalysis> search;
};

constexpr std::size_t kSearch = 0, kAnalysis = 1, kReview = 2;

}  // namespace

SlicedSearches::SlicedSearches(Load load, Send send, Memory memory)
    : state_(std::make_unique<State>(std::move(load), std::move(send), memory)) {}
SlicedSearches::~SlicedSearches() = default;

void SlicedSearches::search(const ReportJson& request, const ReportJson& id) {
  SearchRequest made = search_request(request);
  if (is_over(made.line.end->outcome())) throw RequestError("the game is over", "moves");
  const SlicedPlayer& player = state_->player(made.player, *made.line.game);
  state_->begin(kSearch, std::make_unique<SearchJob>(state_->send, state_->searching, player,
                                                     std::move(made), id, state_->rng));
}

ReportJson SlicedSearches::analyse(const ReportJson& request) {
  SearchRequest made = analysis_request(request);
  const SlicedPlayer& player = state_->analyst(made);
  const auto publish = [state = state_.get()](ReportJson report) {
    state->publish("analysis", std::move(report));
  };
  state_->begin(kAnalysis,
                std::make_unique<AnalysisJob>(publish, state_->analysing, player, std::move(made)));
  return ReportJson::object();
}

ReportJson SlicedSearches::review(const ReportJson& request) {
  SearchRequest made = review_request(request);
  const SlicedPlayer& player = state_->analyst(made);
  const auto publish = [state = state_.get()](ReportJson report) {
    state->publish("review", std::move(report));
  };
  state_->begin(kReview,
                std::make_unique<ReviewJob>(publish, state_->reviewing, player, std::move(made)));
  return ReportJson::object();
}

ReportJson SlicedSearches::stop(const ReportJson& request) {
  const std::string what = text_field(request, "what");
  constexpr std::array<const char*, 3> kNames = {"search", "analyse", "review"};
  const auto* const found = std::find(kNames.begin(), kNames.end(), what);
  if (found == kNames.end())
    throw RequestError(quote(what) + " cannot be stopped; search, analyse and review can", "what");
  state_->end(static_cast<std::size_t>(found - kNames.begin()));
  return ReportJson::object();
}

bool SlicedSearches::is_busy() const {
  return std::any_of(state_->jobs.begin(), state_->jobs.end(),
                     [](const auto& job) { return job != nullptr; });
}

void SlicedSearches::advance(milliseconds slice) {
  if (!is_busy()) return;
  do
    state_->turn = (state_->turn + 1) % state_->jobs.size();
  while (!state_->jobs[state_->turn]);
  std::unique_ptr<Job>& job = state_->jobs[state_->turn];
  try {
    if (!job->advance(slice)) job.reset();
  } catch (const std::exception& error) {
    const std::unique_ptr<Job> ended = std::move(job);
    ended->failed(error.what());
  }
}

}  // namespace faultline::web
