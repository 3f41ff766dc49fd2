// Limited strength: from UCI_Elo to the size of the search and the temperature of its moves.
#include "engine/engine_strength.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace faultline {
namespace {

struct Row {
  int elo;
  double visits;
  float temperature;
};

/// The settings by Elo. Between rows the logarithm of the visits and the temperature are linear in
/// Elo.
constexpr std::array<Row, 7> kRows = {{{kWeakestElo, 1, 2.0F},
                                       {900, 4, 1.0F},
                                       {1200, 16, 0.6F},
                                       {1500, 64, 0.4F},
                                       {1800, 256, 0.25F},
                                       {2100, 1024, 0.1F},
                                       {kStrongestElo, 4096, 0.0F}}};

}  // namespace

Strength strength_for(int elo) {
  const int wanted = std::clamp(elo, kWeakestElo, kStrongestElo);
  const auto* above =
      std::ranges::find_if(kRows, [&](const Row& row) { return row.elo >= wanted; });
  if (above == kRows.begin()) ++above;
  const Row& high = *above;
  const Row& low = *(above - 1);
  const double share = static_cast<double>(wanted - low.elo) / (high.elo - low.elo);
  const double visits = low.visits * std::pow(high.visits / low.visits, share);
  const double temperature = low.temperature + share * (high.temperature - low.temperature);
  return {.visits = static_cast<std::uint32_t>(std::lround(visits)),
          .temperature = static_cast<float>(temperature)};
}

}  // namespace faultline
