// A report of a run with all that a report can have, for the tests of what is shown of it.
#pragma once

#include "selfplay/progress.h"

namespace faultline::test {

inline RunReport full_report() {
  RunReport report;
  report.now = {.seconds = 600,
                .games = 1'200,
                .positions = 34'567,
                .steps = 890,
                .cpu_seconds = 1'190,
                .evaluations = 5'000'000};
  report.done = 0.25;
  report.window = 20'000;
  report.window_capacity = 25'000;
  report.lag = 1;
  report.learning_rate = 0.002;
  report.actor_threads = 2;
  report.interval = 10;
  report.games = 20;
  report.plies = 1'000;
  report.white_wins = 10;
  report.black_wins = 4;
  report.cut = 1;
  report.moves = 2'500;
  report.visits = 80'000;
  report.evaluations = 75'000;
  report.batches = 5'000;
  report.searches_cut = 3;
  report.steps = 15;
  report.losses.total = 2.5;
  report.losses.policy = 1.75;
  report.losses.policy_entropy = 1.25;
  report.losses.value = 0.625;
  report.held_out = {.positions = 100,
                     .policy = 1.875,
                     .policy_entropy = 1.5,
                     .value = 0.75,
                     .wdl = {0.5, 0.25, 0.25}};
  report.evaluator_seconds = 16;
  report.actors_paused = 0.125;
  report.resign_tests = 40;
  report.resign_errors = 3;
  report.strength = {
      .steps = 800, .elo = 312, .elo_95 = {250, 370}, .games = 40, .zero = "alphabeta?depth=1"};
  return report;
}

}  // namespace faultline::test
