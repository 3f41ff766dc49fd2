// What a survey found, as JSON (docs/surveys.md).
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "survey/survey_results.h"

namespace faultline {

/// The contents of results.json. Numbers that are not finite are null.
nlohmann::ordered_json to_json(const SurveyResults& results);

}  // namespace faultline
