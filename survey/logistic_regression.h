// Ridge-regularised logistic regression on clustered observations.
#pragma once

#include <vector>

#include <Eigen/Core>

namespace faultline {

struct LogisticData {
  Eigen::MatrixXd x;         // [observations, features]
  Eigen::VectorXd y;         // observed scores, 0 … 1
  Eigen::VectorXd weight;    // of the observations, above 0
  std::vector<int> cluster;  // of each observation: those of one cluster are not independent
  int unpenalised = 0;       // so many of the first features have a weak prior instead of the ridge
};

struct LogisticFit {
  Eigen::VectorXd coefficients;  // log odds per unit of each feature
  /// H⁻¹ (B + Λ) H⁻¹: B is the covariance of the clusters' scores (the "sandwich" of Liang and
  /// Zeger 1986, Biometrika 73, 13-22), Λ the penalty, whose share is the bias that the ridge is
  /// expected to cause (Nychka 1988, JASA 83, 1134-1143). With independent observations and a model
  /// that holds, it is H⁻¹, the posterior's covariance.
  Eigen::MatrixXd covariance;
  double penalty = 0;
  int clusters = 0;
};

/// Maximises the weighted log-likelihood less `penalty`/2 times the squared coefficients of the
/// standardised features (le Cessie and van Houwelingen 1992, Applied Statistics 41, 191-201), by
/// Newton's method. Scores between 0 and 1 are allowed: draws count one half (Papke and Wooldridge
/// 1996). There must be an observation, and `penalty` must be above 0.
LogisticFit fit_logistic(const LogisticData& data, double penalty);

}  // namespace faultline
