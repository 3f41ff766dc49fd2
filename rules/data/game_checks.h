// What a game's file says as a whole: whether its parts fit together.
#pragma once

#include "rules/data/game_file.h"
#include "rules/data/merged_file.h"
#include "rules/data/movement_reader.h"
#include "rules/data/reading.h"
#include "rules/data/zones.h"

namespace faultline::data {

/// Reports what cannot be played or hardly be meant. Everything in `game` has been read.
void check_game(const GameFile& game, const MergedFile& file, const Zones& zones,
                Findings& findings);

}  // namespace faultline::data
