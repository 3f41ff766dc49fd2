// What the families contribute to surveys. The declarations of survey_regions() for every family
// are generated from rules/families/families.list; each family defines its own in
// survey/families/NAME.cpp.
#pragma once

#include "strategy/families.h"
#include "survey/board_regions.h"
#include "survey/families/all.h"
