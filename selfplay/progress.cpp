// Progress reports for people and programs: the terminal and metrics.jsonl.
#include "selfplay/progress.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <stdexcept>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/json_text.h"
#include "base/signed_text.h"
#include "base/text.h"

namespace faultline {
namespace {

double rate(double amount, double seconds) {
  return seconds > 0 ? amount / seconds : 0;
}

double evaluator_share(const RunReport& r) {
  return rate(r.evaluator_seconds, r.interval * r.actor_threads);
}

double share(std::uint64_t part, std::uint64_t whole) {
  return whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : 0;
}

std::string cannot_write(const std::filesystem::path& file) {
  return file.string() + ": cannot be written: " + std::generic_category().message(errno);
}

/// Truncates the file after its last newline: a killed process or a full disk can leave part of a
/// line.
void cut_torn_line(const std::filesystem::path& file) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(file, error)) return;
  constexpr std::uintmax_t kLongest = 1 << 16;  // far longer than any line
  const std::uintmax_t size = std::filesystem::file_size(file, error);
  if (error) return;
  const std::uintmax_t begin = size - std::min(size, kLongest);
  std::ifstream in(file, std::ios::binary);
  in.seekg(static_cast<std::streamoff>(begin));
  const std::string tail{std::istreambuf_iterator<char>(in), {}};
  const auto newline = tail.rfind('\n');
  const std::uintmax_t keep = newline == std::string::npos ? begin : begin + newline + 1;
  if (in.bad() || tail.size() != size - begin || keep == size) return;
  std::filesystem::resize_file(file, keep, error);
}

}  // namespace

namespace {

/// "  4%" and the time left, of the nearest limit; the time of runs without limits.
std::vector<std::string> done_parts(const RunReport& r) {
  if (r.done <= 0) return {clock_text(r.now.seconds)};
  // 100 % only at the end: the learner may have to catch up when all games are played.
  const double percent = std::floor(100 * r.done);
  std::vector<std::string> parts = {
      fmt::format("{:3.0f}%", r.finished ? percent : std::min(percent, 99.0))};
  if (r.done > 0.005 && r.done < 1)
    parts.push_back(fmt::format("  {} left", time_left(r.now.seconds, r.done)));
  return parts;
}

/// The games that ended since the last report.
std::vector<std::string> game_parts(const RunReport& r) {
  std::vector<std::string> parts;
  if (r.games > 0) {
    parts.push_back(fmt::format("  W/D/B {:.0f}/{:.0f}/{:.0f}%", 100 * share(r.white_wins, r.games),
                                100 * share(r.games - r.white_wins - r.black_wins, r.games),
                                100 * share(r.black_wins, r.games)));
    std::string plies = fmt::format("  {:.0f} plies", share(r.plies, r.games));
    if (r.cut > 0) plies += fmt::format(", {:.0f}% cut", std::ceil(100 * share(r.cut, r.games)));
    parts.push_back(plies);
  }
  if (r.resign_tests > 0)
    parts.push_back(
        fmt::format("  resignations wrong {:.0f}%", 100 * share(r.resign_errors, r.resign_tests)));
  return parts;
}

}  // namespace

std::vector<std::string> progress_parts(const RunReport& r) {
  std::vector<std::string> parts = done_parts(r);
  const auto add = [&]<class... Values>(fmt::format_string<Values...> format, Values&&... values) {
    parts.push_back(fmt::format(format, std::forward<Values>(values)...));
  };
  add("  games {}", grouped(r.now.games));
  add("  positions {}", grouped(r.now.positions));
  add("  step {}", grouped(static_cast<std::uint64_t>(r.now.steps)));
  if (r.losses.total > 0) {
    add("  loss {:.3f}", r.losses.total);
    add(" (policy {:.3f}, value {:.3f})", r.losses.policy, r.losses.value);
  }
  if (r.strength)
    add("  Elo {} ({} to {})", signed_text(r.strength->elo), signed_text(r.strength->elo_95[0]),
        signed_text(r.strength->elo_95[1]));
  if (r.held_out.positions > 0)
    add("  held out: policy {:.3f}, value {:.3f} (constant {:.3f})", r.held_out.policy,
        r.held_out.value, r.held_out.constant_value());
  add("  {:.0f} evals/s", rate(static_cast<double>(r.evaluations), r.interval));
  add(" ({:.0f}% of the actors' time)", 100 * evaluator_share(r));
  add("  {:.1f} moves/s", rate(static_cast<double>(r.moves), r.interval));
  add("  window {}", grouped(r.window));
  std::ranges::move(game_parts(r), std::back_inserter(parts));
  return parts;
}

namespace {

/// The object of metrics.jsonl.
nlohmann::ordered_json metrics(const RunReport& r) {
  nlohmann::ordered_json json = {
      {"seconds", r.now.seconds},
      {"games", r.now.games},
      {"positions", r.now.positions},
      {"steps", r.now.steps},
      {"cpu_seconds", r.now.cpu_seconds},
      {"evaluations", r.now.evaluations},
      {"done", r.done},
      {"window", r.window},
      {"window_capacity", r.window_capacity},
      {"lag", r.lag},
      {"learning_rate", r.learning_rate},
      {"interval", r.interval},
      {"games_per_second", rate(static_cast<double>(r.games), r.interval)},
      {"moves_per_second", rate(static_cast<double>(r.moves), r.interval)},
      {"visits_per_second", rate(static_cast<double>(r.visits), r.interval)},
      {"evaluations_per_second", rate(static_cast<double>(r.evaluations), r.interval)},
      {"steps_per_second", rate(static_cast<double>(r.steps), r.interval)},
      {"mean_batch", share(r.evaluations, r.batches)},
      {"actors_paused", r.actors_paused},
      {"evaluator_share", evaluator_share(r)},
  };
  if (r.resumed_at) json["resumed_at_step"] = *r.resumed_at;
  if (r.searches_cut > 0) json["searches_cut"] = r.searches_cut;
  if (r.held_out.positions > 0) {
    json["held_out_policy"] = r.held_out.policy;
    json["held_out_policy_entropy"] = r.held_out.policy_entropy;
    json["held_out_value"] = r.held_out.value;
    json["constant_value"] = r.held_out.constant_value();
  }
  if (r.games > 0) {
    json["mean_plies"] = share(r.plies, r.games);
    json["white_wins"] = share(r.white_wins, r.games);
    json["black_wins"] = share(r.black_wins, r.games);
    json["draws"] = share(r.games - r.white_wins - r.black_wins, r.games);
    json["cut"] = share(r.cut, r.games);
  }
  if (r.resign_tests > 0) {
    json["resign_tests"] = r.resign_tests;
    json["resign_errors"] = r.resign_errors;
  }
  if (r.strength) {
    json["strength"] = {{"steps", r.strength->steps},
                        {"elo", r.strength->elo},
                        {"elo_95", r.strength->elo_95},
                        {"games", r.strength->games}};
  }
  if (r.steps > 0) {
    const StepLosses& l = r.losses;
    json["loss"] = {{"total", l.total},
                    {"policy", l.policy},
                    {"policy_entropy", l.policy_entropy},
                    {"value", l.value},
                    {"moves_left", l.moves_left},
                    {"policy_accuracy", l.policy_accuracy},
                    {"value_accuracy", l.value_accuracy},
                    {"grad_norm", l.grad_norm}};
  }
  return json;
}

}  // namespace

std::string metrics_line(const RunReport& report) {
  return json_text(metrics(report));
}

ProgressPrinter::ProgressPrinter(std::ostream& out, bool terminal,
                                 const std::filesystem::path& metrics, bool tensorboard)
    : line_(out, terminal), metrics_file_(metrics) {
  if (!open_metrics()) throw std::runtime_error(cannot_write(metrics_file_));
  if (tensorboard) events_.emplace(metrics_file_.parent_path());
}

bool ProgressPrinter::open_metrics() {
  errno = 0;
  cut_torn_line(metrics_file_);
  metrics_.open(metrics_file_, std::ios::app);
  return metrics_.is_open();
}

void ProgressPrinter::write_metrics(const std::string& line) {
  if (metrics_.is_open() || open_metrics()) {
    errno = 0;
    metrics_ << line << std::endl;  // flushed, so that others can follow
    if (metrics_) return;
  }
  if (!warned_) message("warning: " + cannot_write(metrics_file_));
  warned_ = true;
  metrics_.close();
  metrics_.clear();
}

void ProgressPrinter::report(const RunReport& report) {
  const nlohmann::ordered_json json = metrics(report);
  write_metrics(json_text(json));
  if (events_)
    if (const std::string failure = events_->add(json); !failure.empty())
      message("warning: " + failure);
  RunReport shown = report;
  if (report.steps > 0) {
    losses_ = report.losses;
    have_losses_ = true;
  }
  shown.losses = have_losses_ ? losses_ : StepLosses{};
  line_.show(progress_parts(shown));
}

}  // namespace faultline
