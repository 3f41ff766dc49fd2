// Planning with Gumbel noise (Danihelka et al. 2022): which root moves a search of few visits
// compares, and what it teaches the network.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <span>
#include <vector>

#include "search/evaluation.h"
#include "search/params.h"
#include "search/root_moves.h"

namespace faultline {

/// The root of one search. Some moves are drawn from the priors without replacement, and sequential
/// halving (Karnin et al. 2013) divides the visits among them: after each phase the better half
/// goes on.
///
///     root.begin(moves, visits, rng);
///     while (visits are left) {
///       if (root.phase_is_over()) root.next_phase(moves as they are now);
///       visit root.aim();
///       root.count_visit();
///     }
///
/// All moves are in legal_moves() order; those with prior 0 are not considered. A move's bonus adds
/// to its value where moves are compared and in the improved policy, not in the decision's value.
class GumbelRoot {
 public:
  /// `policy_temperature`: see improved_policy().
  explicit GumbelRoot(const GumbelParams& params, float policy_temperature = 1)
      : params_(params), policy_temperature_(policy_temperature) {}

  /// `visits`: how many will be made below the root, at least 1.
  void begin(std::span<const RootMove> moves, std::uint32_t visits, std::mt19937_64& rng);
  /// Whether all visits of the phase have begun. Their results must be in before the next one.
  bool phase_is_over() const { return started_ == quota_ * considered_.size(); }
  void next_phase(std::span<const RootMove> moves);
  /// The index of the move to visit next.
  std::size_t aim() const { return considered_[started_ % considered_.size()]; }
  void count_visit() { ++started_; }

  /// What the search found, from the statistics at its end.
  struct Decision {
    std::size_t move = 0;               // the best of those considered, as the noise has it
    std::vector<std::uint32_t> policy;  // the improved policy, as weights
    Evaluation value;                   // of that policy among the moves that were visited
  };
  /// `own`: the network's evaluation of the root.
  Decision decide(std::span<const RootMove> moves, const Evaluation& own) const;

 private:
  void set_quota();
  /// The logit of each move, with its noise, plus what its value adds.
  double score(const RootMove& move, std::size_t index, double most_visits) const;

  GumbelParams params_;
  float policy_temperature_;
  std::vector<double> noise_;
  std::vector<std::size_t> considered_;  // best first
  std::uint32_t visits_ = 0;
  std::size_t phases_ = 1;   // in which the moves are halved to two
  std::size_t quota_ = 0;    // visits of each considered move in this phase
  std::size_t started_ = 0;  // visits in this phase
};

/// The policy that a search of `moves` improves the priors to: proportional to
/// prior^(1/temperature) × exp(σ(q)), where q is a move's mean value or, without visits, a mean v
/// of the root's own value and those of the visited moves (the paper's equations 8, 11 and 33, for
/// temperature 1 and params.shrinkage 0). With n visits, q is (n × mean value + shrinkage × v) / (n
/// + shrinkage). Sums to 1. `own`: the network's evaluation of the root.
std::vector<double> improved_policy(std::span<const RootMove> moves, const Evaluation& own,
                                    const GumbelParams& params, float temperature = 1);

}  // namespace faultline
