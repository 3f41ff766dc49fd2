// A run's strength over time, by games of its nets against a ladder of opponents.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lab/rating_games.h"
#include "model/device_options.h"
#include "model/inference/backend_registry.h"
#include "record/strength_point.h"

namespace faultline {

struct StrengthCurveSettings {
  std::string variant;
  std::uint64_t seed = 1;
  int games = 8;    // against each opponent; even: two from each opening
  int visits = 60;  // per move
  /// Players that do not change; the first one's rating is 0.
  std::vector<std::string> opponents = {"alphabeta?depth=1", "alphabeta?depth=2",
                                        "alphabeta?depth=3"};
};

/// The games of a run's strength curve, as RUN/strength_curve.jsonl has them.
struct StrengthCurveGames {
  struct Net {
    std::int64_t steps = 0;
    std::filesystem::path checkpoint;  // may have been deleted
    std::string name;                  // in the games
  };
  std::vector<std::pair<std::int64_t, RatingGame>> games;  // with the steps of the net measured
  std::vector<Net> nets;                                   // that were measured, by steps

  /// A run that went on from an earlier checkpoint trains other nets after it, of the same names.
  void forget_from(std::int64_t steps);
};
/// Torn lines are left out; an absent file has no games.
StrengthCurveGames read_strength_curve(const std::filesystem::path& run,
                                       const std::string& variant);

/// Every net that is measured plays the fixed opponents and two earlier nets: the last one, and one
/// of about half its steps. All games of the run together give ratings (lab/rating.h), so that each
/// point of the curve also rests on the games of later nets. Games are kept in
/// RUN/strength_curve.jsonl, one line each, from which a resumed run goes on.
class StrengthCurve {
 public:
  /// `backends` must outlive it.
  StrengthCurve(StrengthCurveSettings settings, const BackendRegistry& backends,
                DeviceOptions device)
      : settings_(std::move(settings)), backends_(&backends), device_(std::move(device)) {}

  /// See MeasureStrength. Called by one thread. Games of a measurement that is stopped are kept as
  /// far as they are finished. Nothing is measured if the checkpoint has been deleted; earlier nets
  /// that have been are no opponents. Throws as run_match does.
  std::optional<StrengthPoint> measure(const StrengthRequest& request);

 private:
  /// Two at most.
  std::vector<StrengthCurveGames::Net> earlier_nets(std::int64_t steps) const;

  StrengthCurveSettings settings_;
  const BackendRegistry* backends_;
  DeviceOptions device_;
  RatingGames games_;
  std::vector<StrengthCurveGames::Net> measured_;  // by steps
  bool loaded_ = false;
};

}  // namespace faultline
