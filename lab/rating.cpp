// Newton's method for the posterior's maximum, and what follows from the fit.
#include "lab/rating.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>
#include <numeric>
#include <tuple>

#include <Eigen/Dense>
#include <boost/math/distributions/chi_squared.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <fmt/core.h>

#include "base/nearest_name.h"
#include "base/quote.h"
#include "lab/rating_groups.h"

namespace faultline {
namespace {

using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

constexpr double kElo = 400 / std::numbers::ln10;  // Elo per unit of strength
// Priors of the advantage (Elo) and of the draw parameter (log odds against the geometric mean of
// win and loss): they matter only where there are hardly any games, or none or only draws.
constexpr double kAdvantagePrior = 400;
constexpr double kDrawPrior = 3;
constexpr double kMinPrior = 1, kMaxPrior = 10'000;
constexpr double kMostAnchor = 100'000;  // tables keep their columns
constexpr int kMaxIterations = 200;
// Newton's decrement squared, which is the distance to the maximum in posterior standard
// deviations, squared: convergence is quadratic, so that after one more step it is rounding.
constexpr double kConverged = 1e-12;
// Weight of the prior (independent games) in a design effect, in openings; as in elo.cpp.
constexpr double kPriorClusters = 1;

/// The distribution of a game's result, and its derivatives: those of an exponential family with
/// the statistics S (points of White) and D (1 if drawn).
struct Moments {
  double loss = 0, draw = 0, win = 0;
  double log_loss = 0, log_draw = 0, log_win = 0;

  Moments(double difference, double draw_parameter) {
    const double half = difference / 2;
    const double top = std::max({half, -half, draw_parameter});
    const double sum = top + std::log(std::exp(half - top) + std::exp(-half - top) +
                                      std::exp(draw_parameter - top));
    log_win = half - sum;
    log_loss = -half - sum;
    log_draw = draw_parameter - sum;
    win = std::exp(log_win);
    loss = std::exp(log_loss);
    draw = std::exp(log_draw);
  }
  double score() const { return win + draw / 2; }
  // var S, in a form that does not cancel where one result is all but certain.
  double score_variance() const { return win * loss + draw * (win + loss) / 4; }
  double covariance() const { return draw * (loss - win) / 2; }  // of S and D
  double draw_variance() const { return draw * (win + loss); }
};

/// All games of two players in one variant. Vectors are the derivatives of the log-likelihood by
/// (the difference of the two strengths, the advantage, the draw parameter).
struct Block {
  int first = 0;
  int second = 0;
  int variant = 0;
  int games = 0;
  double points = 0;    // of the first
  double expected = 0;  // by the fit
  Matrix3d information = Matrix3d::Zero();
};

class Model {
 public:
  Model(const RatingGames& games, const Linkage& linkage, const RatingSettings& settings)
      : games_(games),
        linkage_(linkage),
        players_(static_cast<Eigen::Index>(games.players().size())) {
    const auto variants = static_cast<Eigen::Index>(games.variants().size());
    prior_ = VectorXd(players_ + 2 * variants);
    prior_.head(players_).setConstant(std::pow(kElo / settings.prior_elo, 2));
    prior_.segment(players_, variants).setConstant(std::pow(kElo / kAdvantagePrior, 2));
    prior_.tail(variants).setConstant(std::pow(kDrawPrior, -2));
  }

  Eigen::Index size() const { return prior_.size(); }
  /// The prior's precision.
  MatrixXd prior() const {
    MatrixXd prior = prior_.asDiagonal();
    for (Eigen::Index i = 0; i < players_; ++i)
      for (Eigen::Index j = 0; j < players_; ++j)
        if (group(i) == group(j)) prior(i, j) += kMeanPrecision;
    return prior;
  }
  Eigen::Index advantage(int variant) const { return players_ + variant; }
  Eigen::Index draw(int variant) const {
    return players_ + static_cast<Eigen::Index>(games_.variants().size()) + variant;
  }

  /// Takes kMeanPrecision out of a covariance: its eigenvector is each group's common shift.
  void free_means(MatrixXd& covariance) const {
    for (Eigen::Index i = 0; i < players_; ++i) {
      const auto members = static_cast<double>(std::ranges::count(linkage_.groups, group(i)));
      const double excess = 1 / prior_[i] - 1 / (prior_[i] + kMeanPrecision * members);
      for (Eigen::Index j = 0; j < players_; ++j)
        if (group(i) == group(j)) covariance(i, j) += excess / members;
    }
  }

  Moments moments(const VectorXd& at, int white, int black, int variant) const {
    return {at[white] - at[black] + at[advantage(variant)], at[draw(variant)]};
  }

  double log_likelihood(const VectorXd& at) const {
    double sum = 0;
    for (const RatingGames::Count& count : games_.counts()) {
      const Moments m = moments(at, count.white, count.black, count.variant);
      sum += count.results[0] * m.log_loss + count.results[1] * m.log_draw +
             count.results[2] * m.log_win;
    }
    return sum;
  }
  double log_posterior(const VectorXd& at) const {
    return log_likelihood(at) - at.cwiseProduct(prior_).dot(at) / 2 -
           kMeanPrecision * group_sums(at).squaredNorm() / 2;
  }

  VectorXd gradient(const VectorXd& at) const {
    VectorXd gradient = -at.cwiseProduct(prior_);
    const VectorXd sums = group_sums(at);
    for (Eigen::Index i = 0; i < players_; ++i)
      gradient[i] -= kMeanPrecision * sums[group(i)];
    for (const RatingGames::Count& count : games_.counts()) {
      const Moments m = moments(at, count.white, count.black, count.variant);
      const int n = count.games();
      const double score = count.results[2] + 0.5 * count.results[1] - n * m.score();
      gradient[count.white] += score;
      gradient[count.black] -= score;
      gradient[advantage(count.variant)] += score;
      gradient[draw(count.variant)] += count.results[1] - n * m.draw;
    }
    return gradient;
  }

  /// The Fisher information of the games; observed and expected are the same here.
  std::vector<Block> blocks(const VectorXd& at) const {
    std::vector<Block> blocks;
    std::map<std::tuple<int, int, int>, std::size_t> numbers;
    for (const RatingGames::Count& count : games_.counts()) {
      const auto [first, second] = std::minmax(count.white, count.black);
      const auto [number, fresh] =
          numbers.try_emplace({first, second, count.variant}, blocks.size());
      if (fresh) blocks.push_back({.first = first, .second = second, .variant = count.variant});
      Block& block = blocks[number->second];
      const Moments m = moments(at, count.white, count.black, count.variant);
      const int n = count.games();
      const double white_points = count.results[2] + 0.5 * count.results[1];
      const bool first_is_white = count.white == first;
      block.games += n;
      block.points += first_is_white ? white_points : n - white_points;
      block.expected += n * (first_is_white ? m.score() : 1 - m.score());
      const Vector3d by_difference(first_is_white ? 1 : -1, 1, 0);
      const Vector3d by_draw(0, 0, 1);
      block.information += n * (m.score_variance() * by_difference * by_difference.transpose() +
                                m.covariance() * (by_difference * by_draw.transpose() +
                                                  by_draw * by_difference.transpose()) +
                                m.draw_variance() * by_draw * by_draw.transpose());
    }
    return blocks;
  }

  /// Adds Jᵀ `inner` J, where J maps the parameters to the block's three.
  void scatter(const Block& block, const Matrix3d& inner, MatrixXd& into) const {
    for (const auto& [i, row] : entries(block))
      for (const auto& [j, column] : entries(block))
        into(i, j) += row.dot(inner * column);
  }
  /// Adds Jᵀ `inner`.
  void scatter(const Block& block, const Vector3d& inner, VectorXd& into) const {
    for (const auto& [i, row] : entries(block))
      into[i] += row.dot(inner);
  }

 private:
  /// The columns of J that are not zero.
  std::array<std::pair<Eigen::Index, Vector3d>, 4> entries(const Block& block) const {
    return {{{block.first, {1, 0, 0}},
             {block.second, {-1, 0, 0}},
             {advantage(block.variant), {0, 1, 0}},
             {draw(block.variant), {0, 0, 1}}}};
  }

  // Of the sum of each group's strengths. Results say nothing about it, and a weak prior alone
  // would cost the inverse its precision; differences do not depend on the value.
  static constexpr double kMeanPrecision = 1;

  int group(Eigen::Index player) const { return linkage_.groups[static_cast<std::size_t>(player)]; }
  VectorXd group_sums(const VectorXd& at) const {
    VectorXd sums = VectorXd::Zero(linkage_.count);
    for (Eigen::Index i = 0; i < players_; ++i)
      sums[group(i)] += at[i];
    return sums;
  }

  const RatingGames& games_;
  const Linkage& linkage_;
  Eigen::Index players_;
  VectorXd prior_;  // the diagonal of its precision
};

struct Fit {
  VectorXd at;
  MatrixXd inverse;  // of the posterior's negative Hessian
  std::vector<Block> blocks;
  int iterations = 0;
};

/// The posterior is strictly log-concave: Newton's method with backtracking (Boyd and Vandenberghe
/// 2004, Convex Optimization, 9.5) converges from anywhere.
Fit maximise(const Model& model) {
  Fit fit;
  fit.at = VectorXd::Zero(model.size());
  for (;; ++fit.iterations) {
    fit.blocks = model.blocks(fit.at);
    MatrixXd hessian = model.prior();
    for (const Block& block : fit.blocks)
      model.scatter(block, block.information, hessian);
    const Eigen::LDLT<MatrixXd> factors(hessian);
    const VectorXd gradient = model.gradient(fit.at);
    const VectorXd step = factors.solve(gradient);
    const double decrement = gradient.dot(step);
    if (factors.info() != Eigen::Success || !std::isfinite(decrement) ||
        fit.iterations == kMaxIterations)
      throw std::runtime_error("the ratings did not converge");
    if (decrement < kConverged) {
      fit.at += step;
      fit.inverse = factors.solve(MatrixXd::Identity(model.size(), model.size()));
      return fit;
    }
    const double before = model.log_posterior(fit.at);
    double length = 1;
    // Close to the maximum full steps converge, and differences of the posterior are rounding.
    while (decrement > 1e-6 && length > 1e-10 &&
           model.log_posterior(fit.at + length * step) < before + 0.25 * length * decrement)
      length /= 2;
    fit.at += length * step;
  }
}

/// Variances of the three derivatives over those of independent games, estimated from the games
/// that share openings; pooled over all pairings, as one pairing has too few openings, or none that
/// differ.
struct DesignEffect {
  Vector3d effect = Vector3d::Ones();
  double freedom = 0;  // openings beyond one for each pairing; 0: not estimated

  Matrix3d apply(const Matrix3d& information) const {
    const Vector3d root = effect.cwiseSqrt();
    return root.asDiagonal() * information * root.asDiagonal();
  }
};

DesignEffect design_effect(const RatingGames& games, const Model& model, const Fit& fit) {
  struct Cluster {
    std::size_t block = 0;
    Vector3d score = Vector3d::Zero();
  };
  std::map<std::tuple<int, int, int>, std::size_t> numbers;
  for (std::size_t i = 0; i < fit.blocks.size(); ++i)
    numbers[{fit.blocks[i].first, fit.blocks[i].second, fit.blocks[i].variant}] = i;
  std::vector<Cluster> clusters(games.clusters());
  for (const RatingGames::ClusteredGame& game : games.games()) {
    const auto [first, second] = std::minmax(game.white, game.black);
    const Moments m = model.moments(fit.at, game.white, game.black, game.variant);
    const double score = 0.5 * game.twice_points - m.score();
    Cluster& cluster = clusters[game.cluster];
    cluster.block = numbers.at({first, second, game.variant});
    cluster.score += Vector3d(game.white == first ? score : -score, score,
                              (game.twice_points == 1 ? 1 : 0) - m.draw);
  }
  struct Sums {
    int clusters = 0;
    Vector3d sum = Vector3d::Zero();
    Vector3d squares = Vector3d::Zero();
  };
  std::vector<Sums> sums(fit.blocks.size());
  for (const Cluster& cluster : clusters) {
    Sums& block = sums[cluster.block];
    ++block.clusters;
    block.sum += cluster.score;
    block.squares += cluster.score.cwiseAbs2();
  }
  DesignEffect result;
  Vector3d observed = Vector3d::Zero();
  Vector3d predicted = Vector3d::Zero();
  for (std::size_t i = 0; i < sums.size(); ++i) {
    const double count = sums[i].clusters;
    if (count < 2) continue;
    observed += (sums[i].squares - sums[i].sum.cwiseAbs2() / count) * count / (count - 1);
    predicted += fit.blocks[i].information.diagonal();
    result.freedom += count - 1;
  }
  for (int i = 0; i < 3; ++i)
    if (predicted[i] > 0)
      result.effect[i] = (result.freedom * observed[i] / predicted[i] + kPriorClusters) /
                         (result.freedom + kPriorClusters);
  return result;
}

/// Rows: each player's strength minus the anchor's, or minus the mean of its group.
MatrixXd contrasts(const std::vector<int>& groups, std::optional<int> anchor) {
  const auto n = static_cast<Eigen::Index>(groups.size());
  MatrixXd rows = MatrixXd::Identity(n, n);
  for (Eigen::Index i = 0; i < n; ++i) {
    const int group = groups[static_cast<std::size_t>(i)];
    if (anchor && groups[static_cast<std::size_t>(*anchor)] == group) {
      rows(i, *anchor) -= 1;
      continue;
    }
    const auto members = static_cast<double>(std::ranges::count(groups, group));
    for (Eigen::Index j = 0; j < n; ++j)
      if (groups[static_cast<std::size_t>(j)] == group) rows(i, j) -= 1 / members;
  }
  return rows;
}

std::optional<int> find_anchor(const std::vector<std::string>& players,
                               const RatingSettings& settings) {
  if (!settings.anchor) return std::nullopt;
  const std::string& name = settings.anchor->first;
  const auto found = std::ranges::find(players, name);
  if (found == players.end())
    throw RatingError(fmt::format("anchor {}: no player of these games has that name{}",
                                  quote(name), did_you_mean(nearest_name(name, players))));
  return static_cast<int>(found - players.begin());
}

/// Pairings with their residuals, and Pearson's test over them.
void add_pairs(const Model& model, const Fit& fit, const DesignEffect& design,
               const MatrixXd& covariance, const std::vector<std::size_t>& rank, Ratings& ratings) {
  std::map<std::pair<std::size_t, std::size_t>, std::vector<const Block*>> met;
  for (const Block& block : fit.blocks)
    met[std::minmax(rank[static_cast<std::size_t>(block.first)],
                    rank[static_cast<std::size_t>(block.second)])]
        .push_back(&block);
  for (const auto& [players, blocks] : met) {
    PairResult pair{.first = players.first, .second = players.second};
    const bool same_order = rank[static_cast<std::size_t>(blocks.front()->first)] == pair.first;
    double variance = 0;
    VectorXd leverage = VectorXd::Zero(model.size());
    VectorXd own = VectorXd::Zero(model.size());
    for (const Block* block : blocks) {
      const Matrix3d meat = design.apply(block->information);
      pair.games += block->games;
      pair.points += same_order ? block->points : block->games - block->points;
      pair.expected += same_order ? block->expected : block->games - block->expected;
      variance += meat(0, 0);
      model.scatter(*block, Vector3d(block->information.col(0)), leverage);
      model.scatter(*block, Vector3d(meat.col(0)), own);
    }
    // What is left of the variance after fitting: residual = noise - leverageᵀ inverse (all noise).
    const double left =
        variance - 2 * leverage.dot(fit.inverse * own) + leverage.dot(covariance * leverage);
    const double residual = pair.points - pair.expected;
    if (left > 1e-6 * variance) pair.residual = residual / std::sqrt(left);
    if (variance > 0) ratings.fit.chi_square += residual * residual / variance;
    ratings.pairs.push_back(pair);
  }
  ratings.fit.freedom = static_cast<int>(ratings.pairs.size()) -
                        (static_cast<int>(ratings.players.size()) - ratings.groups);
  if (ratings.fit.freedom > 0) {
    const boost::math::chi_squared distribution(ratings.fit.freedom);
    ratings.fit.p = boost::math::cdf(boost::math::complement(distribution, ratings.fit.chi_square));
  } else {
    ratings.fit = {};
  }
}

double draw_share_of(double parameter) {
  return 1 / (1 + 2 * std::exp(-parameter));
}

}  // namespace

Ratings rate(const RatingGames& games, const RatingSettings& settings) {
  const std::vector<std::string>& names = games.players();
  const auto n = static_cast<Eigen::Index>(names.size());
  if (!(settings.prior_elo >= kMinPrior && settings.prior_elo <= kMaxPrior))
    throw RatingError(
        fmt::format("prior = {}: must be {} to {} Elo", settings.prior_elo, kMinPrior, kMaxPrior));
  if (settings.anchor && !(std::abs(settings.anchor->second) <= kMostAnchor))
    throw RatingError(fmt::format("anchor = {}: its rating must be {} to {} Elo",
                                  settings.anchor->second, -kMostAnchor, kMostAnchor));
  const std::optional<int> anchor = find_anchor(names, settings);

  const Linkage linkage = link(games);
  const Model model(games, linkage, settings);
  const Fit fit = maximise(model);
  DesignEffect design;
  if (settings.observation == Observation::Opening && games.has_pairs())
    design = design_effect(games, model, fit);
  MatrixXd meat = model.prior();
  for (const Block& block : fit.blocks)
    model.scatter(block, design.apply(block.information), meat);
  MatrixXd covariance = fit.inverse * meat * fit.inverse;
  Ratings ratings;
  if (design.freedom > 0) ratings.freedom = design.freedom + kPriorClusters;
  ratings.quantile_95 = boost::math::quantile(boost::math::students_t(ratings.freedom), 0.975);
  const double quantile = ratings.quantile_95;

  const MatrixXd relative = contrasts(linkage.groups, anchor);
  const VectorXd strengths = kElo * relative * fit.at.head(n);
  const MatrixXd spread =
      kElo * kElo * relative * covariance.topLeftCorner(n, n) * relative.transpose();
  const double offset = settings.anchor ? settings.anchor->second : 0;

  std::vector<std::size_t> order(names.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, [&](std::size_t i, std::size_t j) {
    return strengths[static_cast<Eigen::Index>(i)] > strengths[static_cast<Eigen::Index>(j)];
  });
  std::vector<std::size_t> rank(names.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    const auto at = static_cast<Eigen::Index>(order[i]);
    rank[order[i]] = i;
    const double deviation = std::sqrt(std::max(0.0, spread(at, at)));
    const double elo = strengths[at] + offset;
    ratings.players.push_back({.name = names[order[i]],
                               .group = linkage.groups[order[i]],
                               .elo = elo,
                               .deviation = deviation,
                               .elo_95 = {elo - quantile * deviation, elo + quantile * deviation},
                               .needs_prior = linkage.needs_prior[order[i]]});
  }
  model.free_means(covariance);
  ratings.covariance.resize(names.size() * names.size());
  for (std::size_t i = 0; i < names.size(); ++i)
    for (std::size_t j = 0; j < names.size(); ++j)
      ratings.covariance[rank[i] * names.size() + rank[j]] =
          kElo * kElo * covariance(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j));
  for (std::size_t i = 0; i < games.variants().size(); ++i) {
    const auto variant = static_cast<int>(i);
    const Eigen::Index advantage = model.advantage(variant);
    const Eigen::Index draw = model.draw(variant);
    const double half = quantile * std::sqrt(covariance(draw, draw));
    ratings.variants.push_back(
        {.variant = games.variants()[i],
         .advantage_elo = kElo * fit.at[advantage],
         .advantage_deviation = kElo * std::sqrt(covariance(advantage, advantage)),
         .draw_share = draw_share_of(fit.at[draw]),
         .draw_share_95 = {draw_share_of(fit.at[draw] - half),
                           draw_share_of(fit.at[draw] + half)}});
  }
  for (const RatingGames::Count& count : games.counts()) {
    PlayerRating& white = ratings.players[rank[static_cast<std::size_t>(count.white)]];
    PlayerRating& black = ratings.players[rank[static_cast<std::size_t>(count.black)]];
    white.losses += count.results[0];
    white.draws += count.results[1];
    white.wins += count.results[2];
    black.wins += count.results[0];
    black.draws += count.results[1];
    black.losses += count.results[2];
    ratings.variants[static_cast<std::size_t>(count.variant)].games += count.games();
    ratings.games += count.games();
  }
  ratings.groups = linkage.count;
  ratings.without_result = games.without_result();
  ratings.against_itself = games.against_itself();
  ratings.observation = design.freedom > 0 ? Observation::Opening : Observation::Game;
  ratings.prior_elo = settings.prior_elo;
  ratings.log_likelihood = model.log_likelihood(fit.at);
  ratings.iterations = fit.iterations;
  add_pairs(model, fit, design, covariance, rank, ratings);
  return ratings;
}

double Ratings::difference_deviation(std::size_t i, std::size_t j) const {
  return std::sqrt(
      std::max(0.0, covariance_of(i, i) + covariance_of(j, j) - 2 * covariance_of(i, j)));
}

std::optional<double> Ratings::superiority(std::size_t i, std::size_t j) const {
  if (i == j || players[i].group != players[j].group) return std::nullopt;
  const double deviation = difference_deviation(i, j);
  if (deviation <= 0) return std::nullopt;
  return boost::math::cdf(boost::math::students_t(freedom),
                          (players[i].elo - players[j].elo) / deviation);
}

ResultChances result_chances(double elo, double draw_share) {
  const double draw = 2 * draw_share / (1 - draw_share);  // over the geometric mean of win and loss
  const Moments m(elo / kElo, std::log(draw));
  return {m.loss, m.draw, m.win};
}

}  // namespace faultline
