// What a survey found, as a document.
#pragma once

#include "base/document.h"
#include "survey/survey_results.h"

namespace faultline {

/// All variants side by side; details at the most visits.
Document survey_document(const SurveyResults& results);

}  // namespace faultline
