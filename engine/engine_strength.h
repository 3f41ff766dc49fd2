// Limited strength: from UCI_Elo to the size of the search and the temperature of its moves.
#pragma once

#include <cstdint>

namespace faultline {

inline constexpr int kWeakestElo = 600;
inline constexpr int kStrongestElo = 2400;

struct Strength {
  std::uint32_t visits;  // of the root, per move; at least 1
  float temperature;     // of the choice among the visited moves
};

/// docs/uci.md has the table and says what it rests on. `elo` outside kWeakestElo ... kStrongestElo
/// is moved into it.
Strength strength_for(int elo);

}  // namespace faultline
