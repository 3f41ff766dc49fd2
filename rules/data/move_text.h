// What pieces do, in sentences.
#pragma once

#include <string>
#include <vector>

#include "rules/data/game_file.h"

namespace faultline::data {

/// "steps one square forward, without taking": White's legs of one atom or bracket of Betza, which
/// differ only in their directions, and of a bracket in how far they go on.
std::string move_sentence(const std::vector<Leg>& legs);

}  // namespace faultline::data
