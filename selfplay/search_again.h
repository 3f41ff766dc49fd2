// Searches positions of a recorded game again, to see whether what was recorded is what a search
// finds.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "record/config.h"
#include "record/game_record.h"
#include "selfplay/actor_links.h"

namespace faultline {

/// For plies of the game that are targets, in their order: how far the recorded root value is from
/// that of a new search, with the run's full searches and a tree of its own; win minus loss, so
/// from 0 to 2. Two searches of one network differ: by the root's noise, and by
/// the tree that a game keeps from one ply to the next. Throws ReplayError if the record is
/// inconsistent with the rules. `config`: not of a run that trains a fast network alone.
std::vector<float> search_again(const Config& config, const PlayingNet& net, const GameRecord& game,
                                std::span<const std::size_t> plies);

}  // namespace faultline
