// From games to figures.
#include "survey/survey_results.h"

#include <algorithm>
#include <atomic>
#include <charconv>
#include <cmath>
#include <exception>
#include <fstream>
#include <iterator>
#include <map>
#include <mutex>
#include <numeric>
#include <sstream>
#include <string_view>
#include <thread>
#include <utility>

#include <boost/math/distributions/normal.hpp>
#include <fmt/core.h>

#include "base/seeds.h"
#include "base/text.h"
#include "base/unreadable_file.h"
#include "lab/opening_tree.h"
#include "model/checkpoint.h"
#include "play/game.h"
#include "search/material.h"
#include "survey/survey.h"

namespace faultline {
namespace {

constexpr std::size_t kOpeningLines = 120;
constexpr int kMostBins = 24;
constexpr int kComeback = 2 * piece_value(PieceType::Pawn);

/// Sums over the games of each cluster: pairs of games where their opening was drawn, else games.
class Clusters {
 public:
  Clusters(std::span<const GameFacts> games, std::span<const int> pairs) {
    const bool paired =
        std::ranges::any_of(games, [](const GameFacts& game) { return game.opening_plies > 0; });
    std::map<int, int> numbers;
    for (std::size_t i = 0; i < games.size(); ++i) {
      const int key = paired ? pairs[i] : static_cast<int>(i);
      of_.push_back(numbers.try_emplace(key, static_cast<int>(numbers.size())).first->second);
    }
    count_ = numbers.size();
  }

  const std::vector<int>& of_games() const { return of_; }
  /// `sum_of(i)`: what game i adds.
  template <class SumOf>
  std::vector<ClusterSum> sums(const SumOf& sum_of) const {
    std::vector<ClusterSum> sums(count_);
    for (std::size_t i = 0; i < of_.size(); ++i) {
      const ClusterSum sum = sum_of(i);
      sums[static_cast<std::size_t>(of_[i])].numerator += sum.numerator;
      sums[static_cast<std::size_t>(of_[i])].denominator += sum.denominator;
    }
    return sums;
  }

 private:
  std::vector<int> of_;
  std::size_t count_ = 0;
};

/// The first mover's points times two.
int twice_points(const GameFacts& game) {
  return !game.decided() ? 1 : game.winner == 0 ? 2 : 0;
}

PairTally tally_of(std::span<const GameFacts> games, const Clusters& clusters) {
  std::map<int, std::vector<int>> points;
  for (std::size_t i = 0; i < games.size(); ++i)
    if (!games[i].cut()) points[clusters.of_games()[i]].push_back(twice_points(games[i]));
  PairTally tally;
  for (const auto& [cluster, of_games] : points)
    if (of_games.size() == 2)
      tally.add_pair(of_games[0] + of_games[1]);
    else
      tally.add_single(of_games[0]);
  return tally;
}

/// 1, 2, 5, 10, 20, …: the least that makes at most kMostBins bins.
int bin_width(int longest) {
  int width = 1;
  for (int i = 0; longest / width >= kMostBins; ++i)
    width = i % 3 == 1 ? width / 2 * 5 : width * 2;
  return width;
}

GameLengths lengths_of(std::span<const GameFacts> games, const Clusters& clusters) {
  GameLengths lengths;
  std::vector<int> plies;
  for (const GameFacts& game : games)
    plies.push_back(game.plies());
  std::ranges::sort(plies);
  const auto quantile = [&](double share) {
    const auto rank =
        static_cast<std::size_t>(std::ceil(share * static_cast<double>(plies.size())));
    return plies[std::max<std::size_t>(rank, 1) - 1];
  };
  lengths.mean = ratio_of_sums(clusters.sums([&](std::size_t i) {
    return ClusterSum{static_cast<double>(games[i].plies()), 1};
  }));
  lengths.tenth = quantile(0.1);
  lengths.median = quantile(0.5);
  lengths.ninetieth = quantile(0.9);
  lengths.longest = plies.back();
  lengths.bin_width = bin_width(plies.back());
  lengths.counts.resize(static_cast<std::size_t>(plies.back() / lengths.bin_width + 1));
  for (const int length : plies)
    ++lengths.counts[static_cast<std::size_t>(length / lengths.bin_width)];
  return lengths;
}

double product_log10(const GameFacts& game) {
  double sum = 0;
  for (const std::uint32_t moves : game.branching)
    sum += std::log10(static_cast<double>(moves));
  return sum;
}

void add_branching(std::span<const GameFacts> games, const Clusters& clusters,
                   VisitResult& result) {
  std::vector<double> sums;
  double logarithms = 0, plies = 0;
  for (const GameFacts& game : games) {
    sums.resize(std::max(sums.size(), game.branching.size()));
    result.by_ply.resize(sums.size());
    for (std::size_t ply = 0; ply < game.branching.size(); ++ply) {
      sums[ply] += game.branching[ply];
      ++result.by_ply[ply].games;
    }
    logarithms += product_log10(game);
    plies += game.plies();
  }
  for (std::size_t ply = 0; ply < sums.size(); ++ply)
    result.by_ply[ply].mean = sums[ply] / result.by_ply[ply].games;
  result.branching = ratio_of_sums(clusters.sums([&](std::size_t i) {
    const auto& counts = games[i].branching;
    return ClusterSum{std::accumulate(counts.begin(), counts.end(), 0.0),
                      static_cast<double>(counts.size())};
  }));
  result.branching_geometric = plies > 0 ? std::pow(10, logarithms / plies) : 0;
  result.line_log10 = logarithms / static_cast<double>(games.size());
}

/// The plies of a game that a side chose.
std::int64_t turns_of(const GameFacts& game, int side) {
  const auto until = [&](int plies) { return (plies + 1 - side) / 2; };
  return until(game.plies()) - until(std::min(game.opening_plies, game.plies()));
}

SpecialMoveUse use_of(const SpecialMove& move, std::size_t number, std::span<const GameFacts> games,
                      const Clusters& clusters) {
  SpecialMoveUse use;
  use.move = move;
  for (const GameFacts& game : games)
    for (std::size_t side = 0; side < 2; ++side) {
      use.played.at(side) += game.moves[number].at(side).played;
      use.possible.at(side) += game.moves[number].at(side).possible;
      use.turns.at(side) += turns_of(game, static_cast<int>(side));
    }
  const auto played = [&](std::size_t i, std::size_t side) {
    return static_cast<double>(games[i].moves[number].at(side).played);
  };
  const auto both = [&](std::size_t i) { return played(i, 0) + played(i, 1); };
  use.per_game = ratio_of_sums(clusters.sums([&](std::size_t i) {
    return ClusterSum{both(i), 1};
  }));
  use.first_share = share_of_sums(clusters.sums([&](std::size_t i) {
    return ClusterSum{played(i, 0), both(i)};
  }));
  use.winner_share = share_of_sums(clusters.sums([&](std::size_t i) {
    if (!games[i].decided()) return ClusterSum{};
    return ClusterSum{played(i, static_cast<std::size_t>(games[i].winner)), both(i)};
  }));
  use.chosen = share_of_sums(clusters.sums([&](std::size_t i) {
    const auto& moves = games[i].moves[number];
    return ClusterSum{both(i), static_cast<double>(moves[0].possible + moves[1].possible)};
  }));
  return use;
}

/// Writes the lines below a node of the tree.
class OpeningWriter {
 public:
  OpeningWriter(const OpeningTree& tree, Colour first, const Policy& policy)
      : tree_(tree), shown_(tree.most_frequent(kOpeningLines)), first_(first), policy_(policy) {}

  OpeningLine line(std::size_t number, const GamePosition& position, std::string move) const {
    const OpeningNode& node = tree_.node(number);
    OpeningLine line{
        .move = std::move(move),
        .games = static_cast<int>(node.games),
        .random = static_cast<int>(node.random),
        .results = {static_cast<int>(node.results[0]), static_cast<int>(node.results[1]),
                    static_cast<int>(node.results[2])}};
    if (first_ == Colour::Black) std::swap(line.results[0], line.results[2]);
    const std::vector<std::size_t> children = tree_.children(number, shown_);
    if (children.empty()) return line;
    const std::vector<Move> legal = position.legal_moves();
    const std::vector<float> priors = policy_ ? policy_(position) : std::vector<float>();
    for (const std::size_t child : children) {
      const Move next = tree_.node(child).move;
      const auto after = position.clone();
      after->play(next);
      line.replies.push_back(this->line(child, *after, position.move_text(next)));
      const auto at = static_cast<std::size_t>(std::ranges::find(legal, next) - legal.begin());
      if (at < priors.size()) line.replies.back().policy = priors[at];
    }
    return line;
  }

 private:
  const OpeningTree& tree_;
  std::vector<bool> shown_;
  Colour first_;
  const Policy& policy_;
};

OpeningLine openings_of(const std::string& variant, std::span<const GameFacts> games,
                        const Policy& policy) {
  OpeningTree tree;
  for (const GameFacts& game : games)
    tree.add(game.opening, static_cast<std::size_t>(std::max(0, game.opening_plies)),
             game.cut() ? GameResult::None : result_of(game.outcome));
  const auto start = find_game(variant).start();
  return OpeningWriter(tree, start->side_to_move(), policy).line(0, *start, "");
}

/// Runs `work(i)` for every i below `count` on several threads; rethrows the first error.
template <class Work>
void for_each_index(std::size_t count, int threads, const Work& work) {
  if (threads == 0) threads = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  std::atomic<std::size_t> next{0};
  std::mutex mutex;  // guards error
  std::exception_ptr error;
  const auto run = [&] {
    try {
      for (std::size_t i = next++; i < count; i = next++)
        work(i);
    } catch (...) {
      const std::scoped_lock lock(mutex);
      if (!error) error = std::current_exception();
      next = count;
    }
  };
  {
    std::vector<std::jthread> others;
    for (int thread = 1; thread < threads; ++thread)
      others.emplace_back(run);
    run();
  }
  if (error) std::rethrow_exception(error);
}

/// The complete games of a survey's file. Throws SurveyError.
std::string complete_games_in(const std::filesystem::path& file) {
  if (const auto reason = why_unreadable(file)) throw SurveyError(*reason);
  std::ifstream in(file, std::ios::binary);
  if (!in) throw SurveyError(file.string() + ": cannot be opened");
  std::ostringstream bytes;
  bytes << in.rdbuf();
  std::string text = bytes.str();
  const std::size_t end = end_of_complete_games(text);
  if (const auto fault = fault_after_complete_games(text, end))
    throw SurveyError(fmt::format("{}: {}", file.string(), *fault));
  text.resize(end);
  return text;
}

/// Where a game begins in a file, and the place that its Round tag says, whether or not the game
/// can be read.
struct RecordedGame {
  int line = 0;  // from 1
  std::optional<GamePlace> place = std::nullopt;
};

/// In the order of the text, which is as write_game() writes it but for what was damaged.
std::vector<RecordedGame> recorded_games(std::string_view text) {
  constexpr std::string_view kEvent = "[Event \"";
  constexpr std::string_view kRound = "[Round \"";
  std::vector<RecordedGame> games;
  int number = 1;
  for (std::size_t begin = 0; begin < text.size(); ++number) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line = text.substr(begin, end - begin);
    begin = end + 1;
    if (line.starts_with(kEvent)) {
      games.push_back({.line = number});
    } else if (line.starts_with(kRound)) {
      if (games.empty() || games.back().place) games.push_back({.line = number});
      const std::string_view rest = line.substr(kRound.size());
      games.back().place = GamePlace::parse(rest.substr(0, rest.find('"')));
    }
  }
  return games;
}

/// The line that an error in the file names, from 1.
int line_of(const GameTextError& error, const std::filesystem::path& file) {
  const std::string_view message = error.what();
  const std::size_t begin = std::min(file.string().size() + 1, message.size());
  int line = 0;
  std::from_chars(message.data() + begin, message.data() + message.size(), line);
  return line;
}

/// The game that the line is in; null if it is in none.
const RecordedGame* game_at(const std::vector<RecordedGame>& games, int line) {
  const auto after = std::ranges::upper_bound(games, line, {}, &RecordedGame::line);
  return after == games.begin() ? nullptr : &*(after - 1);
}

Policy policy_of(const SurveyedVariant& surveyed, PlayerResources* resources) {
  if (resources == nullptr) return nullptr;
  const PlayerSpec player = find_player(surveyed.player);
  if (!player.uses_net()) return nullptr;
  const Game& game = find_game(surveyed.variant);
  auto evaluator =
      game.network_evaluator(resources->backend(player.net, game.encoding(), player.precision));
  return [evaluator](const GamePosition& position) {
    const GamePosition* const positions[] = {&position};
    return evaluator->evaluate(positions).front().priors;
  };
}

Ranking ranking_by(const SurveyResults& results, const auto& value_of, const auto& interval_of) {
  std::vector<double> values;
  std::vector<Interval> intervals;
  for (const VariantResult& variant : results.variants) {
    values.push_back(value_of(variant.visits.back()));
    intervals.push_back(interval_of(variant.visits.back()));
  }
  return ranking_of(values, intervals);
}

}  // namespace

SurveyGames read_survey_games(const SurveySettings& settings, const std::filesystem::path& folder) {
  const std::filesystem::path file = survey_games_file(folder);
  const std::string text = complete_games_in(file);
  const std::size_t bouts = settings.variants.size() * settings.visits.size();
  const auto is_of_survey = [&](const std::optional<GamePlace>& place, const TextGame& game) {
    return place && place->bout < static_cast<int>(bouts) &&
           game.variant ==
               settings.variants[static_cast<std::size_t>(place->bout) / settings.visits.size()]
                   .variant;
  };
  const std::vector<RecordedGame> recorded = recorded_games(text);
  SurveyGames read;
  std::set<GamePlace> named;  // in the notices
  const auto leave_out = [&](const RecordedGame* game, const std::string& reason) {
    if (game && game->place && !named.insert(*game->place).second) return;
    read.notices.push_back(fmt::format(
        "{}; {} is left out", reason,
        game && game->place ? "game " + game->place->round() : std::string("the game")));
  };
  std::istringstream complete(text);
  GameReader reader(complete, file.string());
  for (;;)
    try {
      std::optional<TextGame> game = reader.next();
      if (!game) break;
      const std::optional<GamePlace> place = place_of(*game);
      if (!is_of_survey(place, *game))
        throw SurveyError(file.string() + ": has a game that is not of this survey");
      read.games.insert_or_assign(*place, std::move(*game));
    } catch (const GameTextError& error) {
      leave_out(game_at(recorded, line_of(error, file)), error.what());
    }
  // What was read of a game before its fault is not the game.
  for (const GamePlace& place : named)
    read.games.erase(place);
  for (const RecordedGame& game : recorded) {
    if (!game.place) continue;
    const auto found = read.games.find(*game.place);
    if (found != read.games.end() && !found->second.start_fen.empty()) {
      read.games.erase(found);
      leave_out(&game, fmt::format("{}:{}: does not begin at the variant's start", file.string(),
                                   game.line));
    }
    if (read.games.contains(*game.place)) continue;
    read.unreadable.insert(*game.place);
    // Named already, unless the fault is the game's before it.
    leave_out(&game, fmt::format("{}:{}: cannot be read", file.string(), game.line));
  }
  return read;
}

std::set<GamePlace> places_that_count(const std::set<GamePlace>& played,
                                      const std::set<GamePlace>& unreadable) {
  std::set<GamePlace> all = played;
  all.insert(unreadable.begin(), unreadable.end());
  std::set<GamePlace> counting;
  std::map<int, int> next;  // pair, by bout
  for (const GamePlace& place : all) {
    int& pair = next[place.bout];
    if (place.pair != pair || !all.contains({place.bout, pair, 1 - place.game})) continue;
    if (played.contains(place)) counting.insert(place);
    pair += place.game;
  }
  return counting;
}

PlacedGames replay_games(const SurveySettings& settings, const std::filesystem::path& folder,
                         int threads) {
  SurveyGames read = read_survey_games(settings, folder);
  const std::size_t bouts = settings.variants.size() * settings.visits.size();
  std::set<GamePlace> played;
  for (const auto& [place, game] : read.games)
    played.insert(place);
  std::vector<const std::pair<const GamePlace, TextGame>*> in_order;
  for (const GamePlace& place : places_that_count(played, read.unreadable))
    in_order.push_back(&*read.games.find(place));
  std::vector<GameFacts> facts(in_order.size());
  for_each_index(facts.size(), threads,
                 [&](std::size_t i) { facts[i] = facts_of(in_order[i]->second); });
  PlacedGames placed;
  placed.waiting = static_cast<int>(read.games.size() - in_order.size());
  placed.unreadable = static_cast<int>(read.notices.size());
  placed.notices = std::move(read.notices);
  placed.facts.resize(bouts);
  placed.pairs.resize(bouts);
  for (std::size_t i = 0; i < facts.size(); ++i) {
    const GamePlace& place = in_order[i]->first;
    placed.facts[static_cast<std::size_t>(place.bout)].push_back(std::move(facts[i]));
    placed.pairs[static_cast<std::size_t>(place.bout)].push_back(place.pair);
  }
  return placed;
}

std::vector<std::string> uncounted_notices(int unreadable, int waiting) {
  std::vector<std::string> notices;
  if (unreadable > 0)
    notices.push_back(fmt::format("{} be read, and the figures are without {}",
                                  counted(unreadable, "game cannot", "games cannot"),
                                  unreadable == 1 ? "it" : "them"));
  if (waiting > 0)
    notices.push_back(fmt::format(
        "{} not counted yet: earlier ones{}", counted(waiting, "game is", "games are"),
        unreadable > 0 ? " are missing, or cannot be read"
                       : ", which are longer, were not over when the survey was stopped"));
  return notices;
}

VisitResult visit_result(const std::string& variant, std::int64_t visits,
                         std::span<const GameFacts> games, std::span<const int> pairs,
                         const Policy& policy) {
  VisitResult result;
  result.visits = visits;
  result.games = static_cast<int>(games.size());
  if (games.empty()) {
    result.pieces.missing = "no games yet";
    return result;
  }
  const Clusters clusters(games, pairs);
  std::set<std::uint64_t> lines;
  for (const GameFacts& game : games) {
    lines.insert(game.line);
    ++result.endings.at(static_cast<std::size_t>(game.outcome));
    if (game.cut())
      ++result.cut;
    else
      ++(!game.decided()    ? result.score.draws
         : game.winner == 0 ? result.score.wins
                            : result.score.losses);
  }
  result.distinct = static_cast<int>(lines.size());
  result.first_mover = estimate(tally_of(games, clusters));
  result.decided = share_of_sums(clusters.sums([&](std::size_t i) {
    return games[i].cut() ? ClusterSum{} : ClusterSum{games[i].decided() ? 1.0 : 0.0, 1};
  }));
  result.lengths = lengths_of(games, clusters);
  add_branching(games, clusters, result);
  result.lead_changes = ratio_of_sums(clusters.sums([&](std::size_t i) {
    return ClusterSum{static_cast<double>(games[i].lead_changes), 1};
  }));
  result.comebacks = share_of_sums(clusters.sums([&](std::size_t i) {
    if (!games[i].decided()) return ClusterSum{};
    const bool behind =
        games[i].deepest_deficit.at(static_cast<std::size_t>(games[i].winner)) >= kComeback;
    return ClusterSum{behind ? 1.0 : 0.0, 1};
  }));
  const std::vector<SpecialMove> special = special_moves(variant);
  for (std::size_t i = 0; i < special.size(); ++i)
    result.moves.push_back(use_of(special[i], i, games, clusters));
  result.pieces = piece_values(games, clusters.of_games(), region_names(variant));
  result.openings = openings_of(variant, games, policy);
  return result;
}

SurveyResults survey_results(const SurveySettings& settings, const std::filesystem::path& folder,
                             const SurveyAnalysis& analysis) {
  const auto tell = [&](const std::string& stage) {
    if (analysis.on_stage) analysis.on_stage(stage);
  };
  tell("replaying the games");
  PlacedGames placed = replay_games(settings, folder, analysis.threads);
  SurveyResults results{.settings = settings};
  for (const auto& facts : placed.facts)
    results.games += static_cast<int>(facts.size());
  results.waiting = placed.waiting;
  results.unreadable = placed.unreadable;
  results.notices = std::move(placed.notices);
  const std::size_t bouts = placed.facts.size();
  std::vector<Policy> policies;
  for (const SurveyedVariant& surveyed : settings.variants)
    policies.push_back(policy_of(surveyed, analysis.resources));
  tell("evaluating the games");
  std::vector<VisitResult> visits(bouts);
  for_each_index(bouts, analysis.threads, [&](std::size_t bout) {
    const std::size_t variant = bout / settings.visits.size();
    visits[bout] = visit_result(settings.variants[variant].variant,
                                settings.visits[bout % settings.visits.size()], placed.facts[bout],
                                placed.pairs[bout], policies[variant]);
  });
  for (std::size_t i = 0; i < settings.variants.size(); ++i) {
    const SurveyedVariant& surveyed = settings.variants[i];
    const auto first = visits.begin() + static_cast<std::ptrdiff_t>(i * settings.visits.size());
    results.variants.push_back(
        {.variant = surveyed.variant,
         .player = surveyed.player,
         .first = find_game(surveyed.variant).start()->side_to_move(),
         .visits = {std::make_move_iterator(first),
                    std::make_move_iterator(first +
                                            static_cast<std::ptrdiff_t>(settings.visits.size()))}});
  }
  if (analysis.stop && analysis.stop()) return results;
  tell("counting perft and playing at random");
  for_each_index(results.variants.size(), analysis.threads, [&](std::size_t i) {
    const ComplexityLimits limits{.perft_nodes = settings.perft_nodes,
                                  .playouts = settings.playouts,
                                  .max_plies = settings.max_plies,
                                  .typical_plies = results.variants[i].visits.back().lengths.median,
                                  .seed = static_cast<std::uint64_t>(settings.seed)};
    const Complexity complexity =
        complexity_of(find_game(results.variants[i].variant), limits, analysis.stop);
    if (!analysis.stop || !analysis.stop()) results.variants[i].complexity = complexity;
  });
  return results;
}

Ranking ranking_of(const std::vector<double>& values, const std::vector<Interval>& intervals) {
  constexpr double kQuantile = 1.96;
  Ranking ranking;
  ranking.order.resize(values.size());
  std::iota(ranking.order.begin(), ranking.order.end(), std::size_t{0});
  std::ranges::stable_sort(ranking.order, {}, [&](std::size_t i) { return values[i]; });
  const auto deviation = [&](std::size_t i) {
    return (intervals[i].high - intervals[i].low) / 2 / kQuantile;
  };
  const std::size_t comparisons = std::max<std::size_t>(values.size(), 2) - 1;
  const double needed =
      boost::math::quantile(boost::math::normal(), 1 - 0.025 / static_cast<double>(comparisons));
  for (const std::size_t i : ranking.order) {
    const std::size_t best = ranking.order.front();
    const double spread = std::hypot(deviation(i), deviation(best));
    ranking.differs.push_back(i != best && values[i] - values[best] > needed * spread);
  }
  return ranking;
}

bool can_be_ranked(const SurveyResults& results) {
  return results.variants.size() >= 2 &&
         std::ranges::all_of(results.variants, [](const VariantResult& variant) {
           return variant.visits.back().games > variant.visits.back().cut;
         });
}

Ranking by_fairness(const SurveyResults& results) {
  return ranking_by(
      results,
      [](const VisitResult& at) {
        return at.games > at.cut ? std::abs(at.first_mover.score - 0.5) : 0.5;
      },
      [](const VisitResult& at) { return at.first_mover.score_95; });
}

Ranking by_decisiveness(const SurveyResults& results) {
  return ranking_by(
      results, [](const VisitResult& at) { return at.decided.known ? 1 - at.decided.value : 1; },
      [](const VisitResult& at) {
        return at.decided.known ? at.decided.interval : Interval{0, 1};
      });
}

}  // namespace faultline
