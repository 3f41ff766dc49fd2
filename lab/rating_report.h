// Ratings as tables and as JSON.
#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "lab/rating.h"

namespace faultline {

/// The table of players, the model's parameters, the test of fit and warnings; lines with newlines.
std::string ratings_text(const Ratings& ratings);
/// Likelihoods of superiority of all pairs, and the scores and residuals of those that met.
std::string pairs_text(const Ratings& ratings);
nlohmann::ordered_json to_json(const Ratings& ratings);

}  // namespace faultline
