// Says how far a run has come.
#include "web/run_status.h"

#include <cmath>
#include <string_view>

#include <fmt/format.h>

#include "base/signed_text.h"
#include "base/text.h"
#include "record/config.h"
#include "record/run_folder.h"

namespace faultline::web {
namespace {

std::optional<double> number_in(const ReportJson& row, const char* key) {
  const auto found = row.find(key);
  if (found == row.end() || !found->is_number()) return std::nullopt;
  return found->get<double>();
}

std::string count_text(double count) {
  return grouped(static_cast<std::uint64_t>(std::max(0.0, count)));
}

/// "45 %, step 1,200".
std::string progress_text(const ReportJson& last) {
  const double done = number_in(last, "done").value_or(0);
  std::string text = done > 0 && done < 1 ? fmt::format("{:.0f} %", std::floor(100 * done)) : "";
  if (const auto steps = number_in(last, "steps"))
    text += (text.empty() ? "step " : ", step ") + count_text(*steps);
  return text;
}

std::vector<std::pair<std::string, std::string>> facts_of(const ReportJson& last) {
  std::vector<std::pair<std::string, std::string>> facts;
  const auto add = [&](const char* name, const char* key, auto&& text_of) {
    if (const auto value = number_in(last, key)) facts.emplace_back(name, text_of(*value));
  };
  const auto decimals = [](double value) { return fmt::format("{:.3f}", value); };
  const auto rate = [](double value) {
    return value < 10 ? fmt::format("{:.1f}", value) : count_text(value);
  };
  add("Trained for", "seconds", clock_text);
  add("Steps", "steps", count_text);
  add("Games", "games", count_text);
  add("Positions", "positions", count_text);
  add("Policy loss", "loss.policy", decimals);
  add("Value loss", "loss.value", decimals);
  add("Elo", "strength.elo", [&](double elo) {
    const auto low = number_in(last, "strength.elo_95.0"),
               high = number_in(last, "strength.elo_95.1");
    return low && high ? fmt::format("{} ({} to {})", signed_text(elo), signed_text(*low),
                                     signed_text(*high))
                       : signed_text(elo);
  });
  add("Evaluations per second", "evaluations_per_second", rate);
  add("Games per second", "games_per_second", rate);
  add("Steps per second", "steps_per_second", rate);
  add("Plies per game", "mean_plies", [](double plies) { return fmt::format("{:.0f}", plies); });
  return facts;
}

}  // namespace

bool holds_run(const std::filesystem::path& folder) {
  return RunFolder::holds_run(folder) || std::filesystem::exists(folder / kStartName);
}

RunStatus run_status(const std::filesystem::path& folder, const ReportJson& last,
                     const HeldLocks& locks, RunControl& control) {
  RunStatus status{.facts = facts_of(last)};
  const auto holder = locks.holder(folder / "lock");
  const auto started = control.process(folder);
  const std::string progress = progress_text(last);
  const double done = number_in(last, "done").value_or(0);
  const auto with_progress = [&](std::string_view word) {
    return progress.empty() ? std::string(word) : fmt::format("{}: {}", word, progress);
  };
  if (holder || started) {
    status.running = true;
    const bool halting = control.is_halting(holder.value_or(started.value_or(0)));
    if (halting)
      status.state = "stopping";
    else if (!holder)
      status.state = RunFolder::holds_run(folder) ? "starting" : "being tried for some seconds";
    else
      status.state = with_progress("running");
    const double seconds = number_in(last, "seconds").value_or(0);
    if (!halting && done > 0.005 && done < 1) status.seconds_left = seconds * (1 - done) / done;
    return status;
  }
  if (!std::filesystem::exists(folder))
    status.state = "deleted";
  else if (std::string why = control.failure(folder); !why.empty())
    status.state = "failed: " + why;
  else if (!RunFolder::holds_run(folder))
    status.state = "failed: " + last_log_line(folder);
  else
    status.state = with_progress(done >= 1 ? "finished" : "stopped");
  return status;
}

std::string variant_of_run(const std::filesystem::path& folder) {
  try {
    if (const auto state = RunFolder::state_in(folder)) return state->variant;
  } catch (const RunError&) {
    // Then its configuration says it.
  }
  for (const char* name : {"config.toml", kStartName})
    try {
      return canonical_variant(load_config(folder / name));
    } catch (const std::exception&) {
      continue;
    }
  return "";
}

}  // namespace faultline::web
