// What an actor's process says of itself with each beat: actors/NAME/beat.json.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <utility>

#include "selfplay/actor_counts.h"

namespace faultline {

inline constexpr const char* kBeatName = "beat.json";

/// The counters in it, by their keys.
using BeatCount = std::pair<const char*, std::atomic<std::uint64_t> ActorCounts::*>;
inline constexpr std::array kBeatCounts = {
    BeatCount{"games", &ActorCounts::games},
    BeatCount{"moves", &ActorCounts::moves},
    BeatCount{"targets", &ActorCounts::targets},
    BeatCount{"visits", &ActorCounts::visits},
    BeatCount{"evaluations", &ActorCounts::evaluations},
    BeatCount{"batches", &ActorCounts::batches},
    BeatCount{"evaluator_nanoseconds", &ActorCounts::evaluator_nanoseconds},
    BeatCount{"searches_cut", &ActorCounts::searches_cut},
    BeatCount{"resign_tests", &ActorCounts::resign_tests},
    BeatCount{"resign_errors", &ActorCounts::resign_errors},
};

}  // namespace faultline
