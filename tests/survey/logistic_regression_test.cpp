// The regression behind piece values, against closed forms and simulations.
#include "survey/logistic_regression.h"

#include <cmath>
#include <cstddef>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace faultline {
namespace {

LogisticData data_of(Eigen::Index rows, Eigen::Index columns, int unpenalised) {
  LogisticData data{.x = Eigen::MatrixXd::Zero(rows, columns),
                    .y = Eigen::VectorXd::Zero(rows),
                    .weight = Eigen::VectorXd::Ones(rows),
                    .cluster = {},
                    .unpenalised = unpenalised};
  for (Eigen::Index i = 0; i < rows; ++i)
    data.cluster.push_back(static_cast<int>(i));
  return data;
}

TEST(LogisticRegression, OfAConstantIsTheLogOddsOfTheMean) {
  LogisticData data = data_of(2000, 1, 1);
  data.x.setOnes();
  data.y.head(1500).setOnes();
  const LogisticFit fit = fit_logistic(data, 1);
  EXPECT_NEAR(fit.coefficients[0], std::log(3), 1e-3);
  // The variance of log odds: 1 / (n p (1 - p)).
  EXPECT_NEAR(fit.covariance(0, 0), 1 / (2000 * 0.75 * 0.25), 1e-5);
  EXPECT_EQ(fit.clusters, 2000);
}

TEST(LogisticRegression, HasAFiniteMaximumForSeparableData) {
  LogisticData data = data_of(40, 2, 1);
  data.x.col(0).setOnes();
  for (Eigen::Index i = 0; i < 40; ++i) {
    data.x(i, 1) = i < 20 ? 1 : -1;
    data.y[i] = i < 20 ? 1 : 0;
  }
  const LogisticFit strong = fit_logistic(data, 10);
  const LogisticFit weak = fit_logistic(data, 0.1);
  EXPECT_TRUE(std::isfinite(weak.coefficients[1]));
  EXPECT_GT(weak.coefficients[1], strong.coefficients[1]);
  EXPECT_GT(strong.coefficients[1], 0);
  // At the maximum, 40 σ(-b) = penalty · b: the features are standardised already.
  EXPECT_NEAR(40 / (1 + std::exp(strong.coefficients[1])), 10 * strong.coefficients[1], 1e-6);
}

TEST(LogisticRegression, DoesNotDependOnTheUnitsOfFeatures) {
  std::mt19937_64 rng(5);
  std::normal_distribution<double> normal;
  LogisticData data = data_of(200, 3, 1);
  for (Eigen::Index i = 0; i < 200; ++i) {
    data.x.row(i) << 1, normal(rng), normal(rng);
    data.y[i] = rng() % 2 == 0 ? 1 : 0;
  }
  const LogisticFit fit = fit_logistic(data, 3);
  data.x.col(2) *= 100;
  const LogisticFit scaled = fit_logistic(data, 3);
  EXPECT_NEAR(scaled.coefficients[1], fit.coefficients[1], 1e-9);
  EXPECT_NEAR(100 * scaled.coefficients[2], fit.coefficients[2], 1e-9);
}

TEST(LogisticRegression, CopiesOfAnObservationInOneClusterSayNothingNew) {
  LogisticData data = data_of(100, 1, 1);
  data.x.setOnes();
  data.y.head(60).setOnes();
  LogisticData copies = data_of(400, 1, 1);
  copies.x.setOnes();
  for (Eigen::Index i = 0; i < 400; ++i) {
    copies.y[i] = data.y[i / 4];
    copies.weight[i] = 0.25;
    copies.cluster[static_cast<std::size_t>(i)] = static_cast<int>(i / 4);
  }
  EXPECT_NEAR(fit_logistic(copies, 1).covariance(0, 0), fit_logistic(data, 1).covariance(0, 0),
              1e-12);
}

}  // namespace
}  // namespace faultline
