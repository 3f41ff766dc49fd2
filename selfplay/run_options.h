// What a training session is asked to do besides its configuration, and how it ended.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <iosfwd>
#include <memory>

#include "record/strength_point.h"

namespace faultline {

class Courier;
class RunPersistence;

struct RunOptions {
  std::filesystem::path folder;
  bool resume = false;          // resume the run in `folder`, if there is one
  std::ostream* out = nullptr;  // for progress; must not be null
  bool terminal = false;        // `out` is a terminal: rewrite one line
  /// A checkpoint whose weights a new run starts from; empty: random weights. It may be of
  /// another option set of the family with the same encoding.
  std::filesystem::path init_from = {};
  /// The folder of a run whose games a new run copies and learns from, in their order, before its
  /// own begin; empty: none.
  std::filesystem::path games_from = {};
  /// A checkpoint of the resumed run to go on from instead of its last one; empty: the last one.
  std::filesystem::path from_checkpoint = {};
  /// What measures the strength for run.strength_minutes; without it the run does not measure it.
  MeasureStrength measure_strength = {};
  /// Makes what serves actors in other processes (selfplay/courier.h) once the folder is locked;
  /// none: the run has only its own.
  std::function<std::unique_ptr<Courier>(RunPersistence&)> make_courier = {};
  bool learn_only = false;  // no actors of its own; with a courier
};

enum class RunEnd { LimitReached, Stopped };

struct RunResult {
  RunEnd end = RunEnd::LimitReached;
  std::uint64_t games = 0;
  std::uint64_t positions = 0;
  std::int64_t steps = 0;
  std::filesystem::path first_checkpoint;  // the untrained network
  std::filesystem::path checkpoint;        // the last one
};

}  // namespace faultline
