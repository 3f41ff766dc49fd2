// The strength of one of a run's networks, and who measures it.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

namespace faultline {

struct StrengthPoint {
  std::int64_t steps = 0;  // of the network
  double elo = 0;          // over the opponent that the measurement names as 0
  std::array<double, 2> elo_95{};
  int games = 0;     // of this network
  std::string zero;  // the opponent whose rating is 0
};

struct StrengthRequest {
  std::filesystem::path run;  // its folder
  std::filesystem::path checkpoint;
  std::int64_t steps = 0;
  std::function<bool()> stop;  // to be asked often; true: give up
};

/// Plays games with the checkpoint. nullopt if it was stopped. Throws what makes further
/// measurements pointless.
using MeasureStrength = std::function<std::optional<StrengthPoint>(const StrengthRequest&)>;

/// "+312 Elo (+250 to +370) over alphabeta?depth=1 after 4,500 steps (40 games)".
std::string text_of(const StrengthPoint& point);

}  // namespace faultline
