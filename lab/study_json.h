// A study's settings as JSON, as they are kept with its games.
#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "lab/study_settings.h"

namespace faultline {

nlohmann::ordered_json to_json(const StudySettings& settings);
/// Throws StudyError for what to_json does not write; does not check().
StudySettings study_from_json(const nlohmann::ordered_json& json, const std::string& source);
/// Throws StudyError naming the first key that differs. More games are no difference, nor are the
/// openings' origins, which check_origins() checks.
void check_same(const StudySettings& stored, const StudySettings& given, const std::string& source);

}  // namespace faultline
