// What a study found, as a document.
#pragma once

#include "base/document.h"
#include "lab/study_results.h"

namespace faultline {

/// Who is better, and what each side did, in every combination of variant, net and visits.
Document study_document(const StudyResults& results);

}  // namespace faultline
