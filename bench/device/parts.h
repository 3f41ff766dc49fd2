// The parts of bench_device: each measures its rows, in an order in which the first are worth most.
#pragma once

#include "bench/device/results.h"
#include "bench/device/settings.h"

namespace faultline::bench {

/// Matrix products, memory, transfers, the time between operations.
void measure_limits(const Settings& settings, Results& results);
/// Policy, win/draw/loss and moves left on the device against the CPU's, in fp32, on positions of
/// games, with networks that were trained on the device for some steps.
void compare_outputs(const Settings& settings, Results& results);
/// Evaluations per second without search, by network, format, batch and number of threads.
void measure_inference(const Settings& settings, Results& results);
/// Evaluations per second of self-play as the configurations have it, the same with a network
/// published every second, and of the evaluator alone with the same batches and threads.
void measure_selfplay(const Settings& settings, Results& results);
/// Self-play's share of a simulated device's rate.
void measure_service(const Settings& settings, Results& results);
/// Samples per second of training steps, by network, format and batch.
void measure_training(const Settings& settings, Results& results);
/// What the device does during a batch and during a training step, kernel by kernel.
void measure_profile(const Settings& settings, Results& results);

}  // namespace faultline::bench
