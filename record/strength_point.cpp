// The strength of one of a run's networks.
#include "record/strength_point.h"

#include <fmt/format.h>

#include "base/signed_text.h"
#include "base/text.h"

namespace faultline {

std::string text_of(const StrengthPoint& point) {
  return fmt::format("{} Elo ({} to {}) over {} after {} steps ({})", signed_text(point.elo),
                     signed_text(point.elo_95[0]), signed_text(point.elo_95[1]), point.zero,
                     grouped(static_cast<std::uint64_t>(point.steps)),
                     counted(point.games, "game"));
}

}  // namespace faultline
