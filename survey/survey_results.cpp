// From games to figures.
#include "survey/survey_results.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <numeric>
#include <utility>

#include "base/run_threads.h"
#include "base/text.h"
#include "lab/opening_tree.h"
#include "model/checkpoint.h"
#include "play/game.h"
#include "play/san.h"
#include "rules/families.h"
#include "search/material.h"

namespace faultline {
namespace {

constexpr std::size_t kOpeningLines = 120;
constexpr int kComeback = 2 * kPawnValue;

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

/// The first moves and the replies to them. `policy` may be null.
OpeningLine openings_of(const std::string& variant, std::span<const GameFacts> games,
                        const Policy& policy) {
  OpeningTree tree;
  for (const GameFacts& game : games)
    tree.add(game.opening, static_cast<std::size_t>(std::max(0, game.opening_plies)),
             game.cut() ? GameResult::None : result_of(game.outcome));
  const std::vector<bool> shown = tree.most_frequent(kOpeningLines);
  const auto start = find_game(variant).start();
  const auto line_of = [&](std::size_t number, std::string notation) {
    const OpeningNode& node = tree.node(number);
    OpeningLine line{.notation = std::move(notation),
                     .games = static_cast<int>(node.games),
                     .results = node.results};
    if (start->side_to_move() == Colour::Black) std::swap(line.results[0], line.results[2]);
    return line;
  };
  OpeningLine all = line_of(0, "");
  const std::vector<Move> legal = start->legal_moves();
  const std::vector<float> priors = policy ? policy(*start) : std::vector<float>();
  for (const std::size_t child : tree.children(0, shown)) {
    const Move first = tree.node(child).move;
    OpeningLine& line = all.replies.emplace_back(line_of(child, san_text(*start, first)));
    const auto at = static_cast<std::size_t>(std::ranges::find(legal, first) - legal.begin());
    if (at < priors.size()) line.policy = priors[at];
    const auto after = start->clone();
    after->play(first);
    for (const std::size_t reply : tree.children(child, shown))
      line.replies.push_back(line_of(reply, san_text(*after, tree.node(reply).move)));
  }
  return all;
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

}  // namespace

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
  result.pieces =
      piece_values(games, clusters.of_games(), region_names(variant), piece_kinds_of(variant));
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
         .counts_visits = surveyed.counts_visits,
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

}  // namespace faultline
