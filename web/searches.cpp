// Searches of one connection.
#include "web/searches.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <exception>
#include <optional>
#include <random>
#include <utility>

#include "analysis/game_review.h"
#include "base/processor.h"
#include "base/quote.h"
#include "lab/run_match.h"
#include "web/loaded_players.h"
#include "web/search_json.h"
#include "web/search_worker.h"

namespace faultline::web {
namespace {

/// Of a tree with a network, evaluated together.
constexpr std::uint32_t kLeaves = 8;
constexpr const char* kStopped = "stopped";

/// The request's limits for an Analyser.
SearchLimits limits_for(const LoadedPlayer& player, const SearchRequest& request,
                        const std::atomic<bool>& stop) {
  SearchLimits limits;
  limits.stop = &stop;
  if (request.ms > 0) limits.time = std::chrono::milliseconds(request.ms);
  if (player.spec.kind == PlayerKind::AlphaBeta)
    limits.nodes = static_cast<std::uint64_t>(request.visits);
  else
    limits.visits = static_cast<std::uint32_t>(request.visits);
  if (player.spec.kind == PlayerKind::Net) limits.leaves = kLeaves;
  return limits;
}

[[noreturn]] void refuse_analysis(const LoadedPlayer& player) {
  throw RequestError(
      quote(player.spec.name, 80) +
          " cannot analyse; nets, fast networks, alphabeta, material and uniform can",
      "player");
}

/// A player's analyser, kept while the same one is asked for, and its worker is not idle: what it
/// has found is used again.
class KeptAnalyser {
 public:
  Analyser& of(const std::shared_ptr<const LoadedPlayer>& player, int threads,
               std::size_t memory_bytes) {
    if (analyser_ && player == player_) return *analyser_;
    analyser_.reset();  // first, so that there are never two trees
    analyser_ = player->analyser(threads, memory_bytes);
    player_ = player;
    return *analyser_;
  }
  void drop() {
    analyser_.reset();
    player_.reset();
  }

 private:
  std::shared_ptr<const LoadedPlayer> player_;
  std::unique_ptr<Analyser> analyser_;
};

const std::string& error_text(const std::exception& error, std::string& text) {
  text = error.what();
  if (text.empty()) text = "the search failed";
  return text;
}

}  // namespace

struct Searches::State {
  State(SearchPlayers& of, const Publish& publish, const SearchesOptions& options)
      : players(of.state()),
        threads(options.threads > 0 ? options.threads : available_processors()),
        memory_bytes(std::max(options.memory_bytes, 4 * kLeastBytes)),
        analyses("analysis", publish),
        reviews("review", publish) {}

  static constexpr std::size_t kLeastBytes = std::size_t{1} << 20U;

  ReportJson search(const SearchRequest& request, const std::atomic<bool>& stop);
  ReportJson analysed_move(const std::shared_ptr<const LoadedPlayer>& player,
                           const SearchRequest& request, const std::atomic<bool>& stop);
  ReportJson searched_move(const LoadedPlayer& player, const SearchRequest& request,
                           const std::atomic<bool>& stop);
  void answer(const SearchRequest& request, const Answer& answer, const std::atomic<bool>& stop);
  void analyse(const SearchRequest& request, const std::atomic<bool>& stop);
  void review(const SearchRequest& request, const std::atomic<bool>& stop);
  std::vector<PositionAnalysis> analyses_of(
      const std::vector<std::unique_ptr<GamePosition>>& positions, const SearchRequest& request,
      const std::atomic<bool>& stop);

  SearchPlayers::State& players;
  int threads;
  std::size_t memory_bytes;  // of all: half of it analyses, a quarter each searches and reviews
  std::atomic<bool> closed{false};
  ReportPacer analyses;
  ReportPacer reviews;
  KeptAnalyser searching, analysing, reviewing;  // each used by its worker alone
  std::mt19937_64 rng{std::random_device{}()};   // of searches
  // Last: they use all the others. Trees are large, and tabs many.
  SearchWorker search_worker{[this] { searching.drop(); }};
  SearchWorker analysis_worker{[this] { analysing.drop(); }};
  SearchWorker review_worker{[] {}};
};

// ---------------------------------------------------------------------------------------- search

namespace {

/// The limits of a player's move: its own, else the request's, else a second.
SearchLimits move_limits(const LoadedPlayer& player, const SearchRequest& request,
                         const std::atomic<bool>& stop) {
  constexpr int kUsualMs = 1000;
  MoveLimits limits = {.visits = request.visits, .time_ms = static_cast<int>(request.ms)};
  if (!player.spec.uses_tree_search()) limits.nodes = std::exchange(limits.visits, 0);
  if (!limits.any()) limits.time_ms = kUsualMs;
  SearchLimits search = search_limits(player.spec, limits_of(player.spec, limits));
  search.stop = &stop;
  if (player.spec.kind == PlayerKind::Net) search.leaves = kLeaves;
  return search;
}

}  // namespace

/// By the analyser of its kind, which searches with all threads and keeps its tree.
ReportJson Searches::State::analysed_move(const std::shared_ptr<const LoadedPlayer>& player,
                                          const SearchRequest& request,
                                          const std::atomic<bool>& stop) {
  Analyser& analyser = searching.of(player, threads, memory_bytes / 4);
  const AnalysisReport report =
      analyser.analyse(*request.line.end, move_limits(*player, request, stop), 1, nullptr);
  if (stop || report.lines.empty()) throw RequestError(kStopped);
  return move_json(*request.line.end, report);
}

ReportJson Searches::State::searched_move(const LoadedPlayer& player, const SearchRequest& request,
                                          const std::atomic<bool>& stop) {
  const std::optional<SearchResult> result = player.searcher()->run(
      *request.line.end, move_limits(player, request, stop), rng, [&] { return stop.load(); });
  if (!result || stop) throw RequestError(kStopped);
  std::vector<Move> line = result->variation;
  const Move move = pick_move(*result, player.spec.temperature.value_or(0), rng);
  if (line.empty() || line.front() != move) line = {move};
  AnalysisReport found;
  found.lines.push_back({.moves = std::move(line), .value = result->value});
  found.value = result->value;
  found.visits = result->visits;
  found.nodes = std::max<std::uint64_t>(result->nodes, result->new_visits);
  found.depth = result->depth;
  found.seconds = result->seconds;
  return move_json(*request.line.end, found);
}

ReportJson Searches::State::search(const SearchRequest& request, const std::atomic<bool>& stop) {
  const std::shared_ptr<const LoadedPlayer> player =
      players.load(request.player, *request.line.game);
  try {
    if (player->can_analyse() && !player->spec.temperature)
      return analysed_move(player, request, stop);
    return searched_move(*player, request, stop);
  } catch (const RequestError&) {
    throw;
  } catch (...) {
    searching.drop();
    players.forget(*player);
    throw;
  }
}

void Searches::State::answer(const SearchRequest& request, const Answer& answer,
                             const std::atomic<bool>& stop) {
  std::optional<ReportJson> reply;
  std::optional<RequestError> failure;
  std::string text;
  try {
    reply = search(request, stop);
  } catch (const RequestError& error) {
    failure = error;
  } catch (const std::exception& error) {
    failure = RequestError(error_text(error, text));
  }
  if (closed) return;
  if (reply)
    answer.reply(std::move(*reply));
  else
    answer.fail(*failure);
}

// -------------------------------------------------------------------------------------- analysis

void Searches::State::analyse(const SearchRequest& request, const std::atomic<bool>& stop) {
  ReportJson last = empty_analysis_json(request);
  std::shared_ptr<const LoadedPlayer> player;
  std::string text;
  try {
    if (!is_over(request.line.end->outcome())) {
      player = players.load(request.player, *request.line.game);
      if (!player->can_analyse()) refuse_analysis(*player);
      const auto json_of = [&](const AnalysisReport& found, bool done) {
        ReportJson json = analysis_json(request, player->spec.name, found, done);
        if (!player->network.empty()) json["network"] = player->network;
        return json;
      };
      const auto report = [&](const AnalysisReport& found) {
        if (!stop) analyses.publish(json_of(found, false));
      };
      Analyser& analyser = analysing.of(player, threads, memory_bytes / 2);
      last = json_of(analyser.analyse(*request.line.end, limits_for(*player, request, stop),
                                      request.lines, report, ReportPacer::kInterval),
                     true);
    }
  } catch (const RequestError& error) {
    last["error"] = error.what();
  } catch (const std::exception& error) {
    last["error"] = error_text(error, text);
    analysing.drop();
    if (player) players.forget(*player);
  }
  analyses.publish_last(std::move(last));
}

// ---------------------------------------------------------------------------------------- review

/// One after the other, each by all threads; not all of them if it is stopped.
std::vector<PositionAnalysis> Searches::State::analyses_of(
    const std::vector<std::unique_ptr<GamePosition>>& positions, const SearchRequest& request,
    const std::atomic<bool>& stop) {
  constexpr std::int64_t kUsualVisits = 400, kUsualNodes = 100'000;
  const std::shared_ptr<const LoadedPlayer> player =
      players.load(request.player, *request.line.game);
  if (!player->can_analyse()) refuse_analysis(*player);
  std::vector<PositionAnalysis> found(positions.size());
  try {
    for (std::size_t i = 0; i < positions.size() && !stop; ++i) {
      found[i].outcome = positions[i]->outcome();
      found[i].done = is_over(found[i].outcome);
      if (!found[i].done) {
        SearchLimits limits = limits_for(*player, request, stop);
        const bool alpha_beta = player->spec.kind == PlayerKind::AlphaBeta;
        if (!request.limited())
          alpha_beta ? limits.nodes = kUsualNodes : limits.visits = kUsualVisits;
        // Not cleared: the tree of a position has that of the next one in it.
        found[i].report = reviewing.of(player, threads, memory_bytes / 4)
                              .analyse(*positions[i], limits, 1, nullptr);
        found[i].searched = true;
        found[i].by_alpha_beta = alpha_beta;
        found[i].done = !found[i].report.lines.empty() && !stop;
      }
      reviews.publish(review_json(request, i + 1, positions.size()));
    }
  } catch (...) {
    players.forget(*player);
    throw;
  }
  return found;
}

void Searches::State::review(const SearchRequest& request, const std::atomic<bool>& stop) {
  const std::size_t total = request.line.moves.size() + 1;
  ReportJson last = review_json(request, 0, total);
  std::string text;
  try {
    const TextGame game = game_of(request.line);
    const auto positions = positions_of(*request.line.game, game);
    const std::vector<PositionAnalysis> found = analyses_of(positions, request, stop);
    last["done"] = std::ranges::count_if(found, &PositionAnalysis::done);
    if (stop)
      last["error"] = kStopped;
    else
      last["plies"] = review_plies_json(review_game(game, positions, found));
  } catch (const std::exception& error) {
    last["error"] = error_text(error, text);
  }
  reviewing.drop();  // reviews are rare, and their trees large
  reviews.publish_last(std::move(last));
}

// -------------------------------------------------------------------------------------- requests

Searches::Searches(SearchPlayers& players, const Publish& publish, SearchesOptions options)
    : state_(std::make_unique<State>(players, publish, options)) {}

Searches::~Searches() {
  state_->closed = true;
  state_->analyses.close();
  state_->reviews.close();
  state_->search_worker.stop();  // all at once: the workers wait for their jobs one after the other
  state_->analysis_worker.stop();
  state_->review_worker.stop();
}

void Searches::search(const ReportJson& request, const Answer& answer) {
  try {
    auto wanted = std::make_shared<const SearchRequest>(search_request(request));
    if (is_over(wanted->line.end->outcome())) throw RequestError("the game is over", "moves");
    State* const state = state_.get();
    state->search_worker.post(
        {.run = [=](const std::atomic<bool>& stop) { state->answer(*wanted, answer, stop); },
         .cancelled =
             [=] {
               if (!state->closed) answer.fail(RequestError(kStopped));
             }});
  } catch (const RequestError& error) {
    answer.fail(error);
  }
}

ReportJson Searches::analyse(const ReportJson& request) {
  const auto wanted = std::make_shared<const SearchRequest>(analysis_request(request));
  State* const state = state_.get();
  state->analysis_worker.post(
      {.run = [=](const std::atomic<bool>& stop) { state->analyse(*wanted, stop); },
       .cancelled = [=] { state->analyses.publish_last(empty_analysis_json(*wanted)); }});
  return ReportJson::object();
}

ReportJson Searches::review(const ReportJson& request) {
  const auto wanted = std::make_shared<const SearchRequest>(review_request(request));
  State* const state = state_.get();
  state->review_worker.post(
      {.run = [=](const std::atomic<bool>& stop) { state->review(*wanted, stop); },
       .cancelled =
           [=] {
             ReportJson report = review_json(*wanted, 0, wanted->line.moves.size() + 1);
             report["error"] = kStopped;
             state->reviews.publish_last(std::move(report));
           }});
  return ReportJson::object();
}

ReportJson Searches::stop(const ReportJson& request) {
  const std::string what = text_field(request, "what");
  if (what == "search")
    state_->search_worker.stop();
  else if (what == "analyse")
    state_->analysis_worker.stop();
  else if (what == "review")
    state_->review_worker.stop();
  else
    throw RequestError(quote(what) + " cannot be stopped; search, analyse and review can", "what");
  return ReportJson::object();
}

}  // namespace faultline::web
