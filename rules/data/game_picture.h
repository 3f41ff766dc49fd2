// What is told of a game of a file to people who know chess.
#pragma once

#include "rules/data/game_file.h"
#include "rules/variant.h"

namespace faultline::data {

VariantDescription describe_game(const GameFile& file);

}  // namespace faultline::data
