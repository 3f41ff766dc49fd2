// Progress reports for people and programs: the terminal and metrics.jsonl.
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "base/progress_line.h"
#include "model/training/train_batch.h"
#include "selfplay/held_out_losses.h"
#include "selfplay/schedule.h"
#include "selfplay/strength_monitor.h"
#include "selfplay/tensorboard_events.h"

namespace faultline {

/// The state of the run, and what happened since the last report.
struct RunReport {
  RunProgress now;
  double done = 0;        // 0 … 1; 0 also if the run has no limit
  bool finished = false;  // the last report of a session
  /// The steps of the state that the session resumed from, in its first report.
  std::optional<std::int64_t> resumed_at = std::nullopt;
  std::size_t window = 0;
  std::uint64_t window_capacity = 0;
  std::int64_t lag = 0;  // steps due but not done
  double learning_rate = 0;
  int actor_threads = 1;

  // Since the last report.
  double interval = 0;  // seconds
  std::uint64_t games = 0;
  std::uint64_t plies = 0;  // of those games
  std::uint64_t white_wins = 0;
  std::uint64_t black_wins = 0;
  std::uint64_t cut = 0;  // at the ply limit; counted as draws
  std::uint64_t moves = 0;
  std::uint64_t visits = 0;
  std::uint64_t evaluations = 0;
  std::uint64_t batches = 0;
  std::uint64_t searches_cut = 0;  // ended early: no room for their trees
  std::int64_t steps = 0;
  StepLosses losses;             // means over these steps; meaningless if there were none
  HeldOutLosses held_out;        // of recent games; meaningless if there are no positions
  double evaluator_seconds = 0;  // that actors spent evaluating or waiting for it, summed
  double actors_paused = 0;      // share of the interval in which the actors waited for the learner
  std::uint64_t resign_tests = 0;
  std::uint64_t resign_errors = 0;
  std::optional<StrengthPoint> strength = std::nullopt;  // the last one measured
};

/// A line for people in parts, the most important first, as ProgressLine::show takes it.
std::vector<std::string> progress_parts(const RunReport& report);
/// One JSON object, without a newline.
std::string metrics_line(const RunReport& report);

/// Writes reports to the terminal, to metrics.jsonl and for TensorBoard.
class ProgressPrinter {
 public:
  /// `terminal`: rewrite one line instead of adding lines. Appends to `metrics`, after cutting a
  /// torn last line; throws std::runtime_error if that cannot be written. `tensorboard`: write
  /// events beside that file, too.
  ProgressPrinter(std::ostream& out, bool terminal, const std::filesystem::path& metrics,
                  bool tensorboard = false);

  void report(const RunReport& report);
  /// Prints a separate line that is not overwritten.
  void message(const std::string& text) { line_.message(text); }

 private:
  /// False with errno set if the file cannot be opened.
  bool open_metrics();
  void write_metrics(const std::string& line);

  ProgressLine line_;
  std::filesystem::path metrics_file_;
  std::ofstream metrics_;  // closed after a failure, until the next report
  bool warned_ = false;    // about such a failure
  std::optional<TensorBoardEvents> events_;
  bool have_losses_ = false;
  StepLosses losses_;  // of the last interval with steps
};

}  // namespace faultline
