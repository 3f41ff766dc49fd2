// What a survey found, as tables for a terminal.
#pragma once

#include <array>
#include <string>

#include "survey/survey_results.h"

namespace faultline {

/// Variants side by side, each called by a letter; details at the most visits.
std::string survey_text(const SurveyResults& results);

/// "A", …, "Z", "A2": what stands for a variant in tables.
std::string variant_letter(std::size_t number);

/// What games were drawn by, of numbers of games by Outcome: "stalemate 3, bare kings 7"; "-" if
/// none was drawn.
std::string draws_text(const std::array<int, 8>& endings);

}  // namespace faultline
