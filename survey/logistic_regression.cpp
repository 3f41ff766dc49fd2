// Newton's method and the sandwich.
#include "survey/logistic_regression.h"

#include <algorithm>
#include <cmath>
#include <map>

#include <Eigen/Cholesky>

namespace faultline {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr int kMostIterations = 100;
// Newton's decrement squared, as in lab/rating.cpp.
constexpr double kConverged = 1e-12;
// Precision of the prior of what is not penalised: only so that there is a maximum.
constexpr double kWeakPrecision = 0.01;

double log_of_logistic(double z) {
  return z > 0 ? -std::log1p(std::exp(-z)) : z - std::log1p(std::exp(z));
}

double log_loss(double z, double y) {
  return -y * log_of_logistic(z) - (1 - y) * log_of_logistic(-z);
}

/// The diagonal of the penalty: by the features' variances, so that their units do not matter.
VectorXd precisions(const LogisticData& data, double penalty) {
  const double total = data.weight.sum();
  VectorXd precision(data.x.cols());
  for (Index j = 0; j < precision.size(); ++j) {
    if (j < data.unpenalised) {
      precision[j] = kWeakPrecision;
      continue;
    }
    const double mean = data.weight.dot(data.x.col(j)) / total;
    const double variance =
        data.weight.dot((data.x.col(j).array() - mean).square().matrix()) / total;
    precision[j] = std::max(kWeakPrecision * penalty, penalty * variance);
  }
  return precision;
}

struct Maximum {
  VectorXd at;
  MatrixXd information;  // with the penalty
};

double objective(const LogisticData& data, const VectorXd& precision, const VectorXd& at) {
  const VectorXd z = data.x * at;
  double sum = -0.5 * precision.dot(at.cwiseAbs2());
  for (Index i = 0; i < z.size(); ++i)
    sum -= data.weight[i] * log_loss(z[i], data.y[i]);
  return sum;
}

VectorXd probabilities(const LogisticData& data, const VectorXd& at) {
  return (data.x * at).unaryExpr([](double z) { return std::exp(log_of_logistic(z)); });
}

MatrixXd information(const LogisticData& data, const VectorXd& precision, const VectorXd& p) {
  const VectorXd variance = data.weight.array() * p.array() * (1 - p.array());
  MatrixXd h = data.x.transpose() * variance.asDiagonal() * data.x;
  h.diagonal() += precision;
  return h;
}

Maximum maximise(const LogisticData& data, const VectorXd& precision, VectorXd at) {
  double value = objective(data, precision, at);
  for (int iteration = 0; iteration < kMostIterations; ++iteration) {
    const VectorXd p = probabilities(data, at);
    const VectorXd residual = data.weight.array() * (data.y - p).array();
    const VectorXd gradient =
        data.x.transpose() * residual - VectorXd(precision.array() * at.array());
    const MatrixXd h = information(data, precision, p);
    const VectorXd step = h.ldlt().solve(gradient);
    const double decrement = gradient.dot(step);
    double length = 1;
    VectorXd next = at + step;
    double next_value = objective(data, precision, next);
    while (next_value < value && length > 1e-6) {
      length /= 2;
      next = at + length * step;
      next_value = objective(data, precision, next);
    }
    if (next_value >= value) {
      at = next;
      value = next_value;
    }
    if (decrement < kConverged) break;
  }
  return {at, information(data, precision, probabilities(data, at))};
}

/// Clusters renumbered from 0 in the order in which they first occur.
std::vector<int> numbered(const std::vector<int>& clusters) {
  std::map<int, int> numbers;
  std::vector<int> result;
  result.reserve(clusters.size());
  for (const int cluster : clusters)
    result.push_back(numbers.try_emplace(cluster, static_cast<int>(numbers.size())).first->second);
  return result;
}

}  // namespace

LogisticFit fit_logistic(const LogisticData& data, double penalty) {
  const VectorXd precision = precisions(data, penalty);
  const Maximum maximum = maximise(data, precision, VectorXd::Zero(data.x.cols()));
  const std::vector<int> cluster = numbered(data.cluster);
  const int clusters = 1 + *std::ranges::max_element(cluster);
  const VectorXd residual =
      data.weight.array() * (data.y - probabilities(data, maximum.at)).array();
  MatrixXd scores = MatrixXd::Zero(clusters, data.x.cols());
  for (Index i = 0; i < residual.size(); ++i)
    scores.row(cluster[static_cast<std::size_t>(i)]) += residual[i] * data.x.row(i);
  scores.rowwise() -= scores.colwise().mean().eval();
  MatrixXd middle = scores.transpose() * scores;
  if (clusters > 1) middle *= static_cast<double>(clusters) / (clusters - 1);
  middle.diagonal() += precision;
  const auto factors = maximum.information.ldlt();
  const MatrixXd half = factors.solve(middle);  // H⁻¹ M
  return {.coefficients = maximum.at,
          .covariance = factors.solve(half.transpose()),
          .penalty = penalty,
          .clusters = clusters};
}

}  // namespace faultline
