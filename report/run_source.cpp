// Reports of training runs.
#include <cmath>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/signed_text.h"
#include "base/text.h"
#include "lab/strength.h"
#include "record/config.h"
#include "record/replay_store.h"
#include "record/run_folder.h"
#include "report/game_frames.h"
#include "report/opening_section.h"
#include "report/run_curves.h"
#include "report/run_games.h"
#include "report/sources.h"

namespace faultline {
namespace {

namespace fs = std::filesystem;

/// The files of a run, as far as they can be read.
struct Run {
  fs::path folder;
  std::optional<Config> config = std::nullopt;
  std::optional<RunState> state = std::nullopt;
  std::string variant = {};  // canonical name; "" if nothing says it
  Metrics metrics = {};
};

bool is_run(const fs::path& folder) {
  return fs::exists(folder / "config.toml") || fs::exists(folder / "state.json");
}

std::string text_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

/// The result of `read`, or nothing and a notice with the error's message.
template <class Error, class Read>
auto unless_damaged(Report& report, Read read) -> std::optional<decltype(read())> {
  try {
    return read();
  } catch (const Error& error) {
    report.notices.emplace_back(error.what());
    return std::nullopt;
  }
}

std::string variant_of(const Run& run, Report& report) {
  if (run.state) return run.state->variant;
  if (run.config) return run.config->run.variant;
  for (const fs::path& file : chunks_in(run.folder / "games"))
    if (const auto header =
            unless_damaged<ReplayError>(report, [&] { return read_chunk_header_of(file); });
        header && *header)
      return (*header)->variant;
  return "";
}

Run read_run(const fs::path& folder, Report& report) {
  Run run{.folder = folder};
  if (const fs::path file = folder / "config.toml"; fs::exists(file))
    run.config = unless_damaged<ConfigError>(report, [&] { return load_config(file); });
  if (const fs::path file = folder / "state.json"; fs::exists(file))
    run.state = unless_damaged<RunError>(
        report, [&] { return run_state_from_json(text_of(file), file.string()); });
  else
    report.notices.emplace_back("The run has not saved its state yet.");
  run.variant = variant_of(run, report);
  run.metrics = Metrics::of_file(folder / "metrics.jsonl");
  if (run.metrics.lines() == 0)
    report.notices.emplace_back("There are no metrics (metrics.jsonl): no curves can be drawn.");
  if (run.metrics.damaged_lines() > 0)
    report.notices.push_back(fmt::format("metrics.jsonl: {} left out, which are not JSON.",
                                         counted(run.metrics.damaged_lines(), "line")));
  if (run.metrics.replaced_lines() > 0)
    report.notices.push_back(
        fmt::format("The run was resumed from an earlier state: {} of metrics.jsonl about steps "
                    "that were done again left out.",
                    counted(run.metrics.replaced_lines(), "line")));
  return run;
}

std::string count_text(double value) {
  return std::isfinite(value) && value >= 0 ? grouped(static_cast<std::uint64_t>(value)) : "";
}

/// Adds a fact unless its number is unknown.
void add_number(std::vector<ReportFact>& facts, const std::string& name, double value, int decimals,
                const std::string& remark = "") {
  if (std::isfinite(value))
    facts.push_back({name, fmt::format("{:.{}f}", value, decimals), remark});
}

std::string net_text(const NetConfig& net) {
  return fmt::format("{} of {} channels{}", counted(net.blocks, "block"), net.channels,
                     net.share_levels ? ", shared by the levels" : "");
}

std::string seed_text(const RunState& state) {
  std::string text;
  if (!state.init_from.empty()) text = "Started from " + state.init_from + ".";
  if (!state.games_from.empty())
    text += fmt::format("{}Its first {} games are those of {}.", text.empty() ? "" : " ",
                        grouped(state.inherited_games), state.games_from);
  return text;
}

ReportJson figures(const Run& run) {
  const Metrics& metrics = run.metrics;
  std::vector<ReportFact> facts;
  const auto total = [&](double of_state, std::string_view key) {
    return std::isnan(metrics.last(key)) ? of_state : metrics.last(key);
  };
  const RunState state = run.state.value_or(RunState{});
  const double seconds = total(state.seconds, "seconds");
  const double cpu = total(state.cpu_seconds, "cpu_seconds");
  facts.push_back(
      {"Trained for", clock_text(seconds), cpu > 0 ? clock_text(cpu) + " of processor time" : ""});
  const auto count = [&](const std::string& name, double of_state, std::string_view key,
                         const std::string& remark = "") {
    facts.push_back({name, count_text(total(of_state, key)), remark});
  };
  count("Games", static_cast<double>(state.games), "games");
  count("Positions", static_cast<double>(state.positions), "positions", "that were trained on");
  count("Steps", static_cast<double>(state.steps), "steps");
  count("Evaluations", static_cast<double>(state.evaluations), "evaluations",
        "positions evaluated in self-play");
  if (run.config) facts.push_back({"Net", net_text(run.config->net)});
  if (!state.inference.empty()) {
    const InferenceChoice& choice = state.inference.back().choice;
    facts.push_back({"Games computed in", std::string(name(choice.precision)),
                     fmt::format("backend {}, device {}", choice.backend, choice.device)});
  }
  add_number(facts, "Policy loss", metrics.last("loss.policy"), 3,
             "last interval, on training positions");
  add_number(facts, "Value loss", metrics.last("loss.value"), 3,
             "last interval, on training positions");
  add_number(facts, "Held-out policy loss", metrics.last("held_out_policy"), 3);
  const double constant = metrics.last("constant_value");
  add_number(facts, "Held-out value loss", metrics.last("held_out_value"), 3,
             std::isfinite(constant) ? fmt::format("constant predictor: {:.3f}", constant) : "");
  if (const double elo = metrics.last("strength.elo"); std::isfinite(elo))
    facts.push_back({"Elo while training", signed_text(elo),
                     fmt::format("95 %: {} to {}", signed_text(metrics.last("strength.elo_95.0")),
                                 signed_text(metrics.last("strength.elo_95.1")))});
  add_number(facts, "Length of games", metrics.last("mean_plies"), 1, "plies, last interval");
  return facts_section("Final figures", facts, seed_text(state));
}

/// The settings that differ from their defaults.
ReportJson settings(const Config& config) {
  Config own = config;
  Config defaults;
  const auto sections = options(own), default_sections = options(defaults);
  ReportJson rows = ReportJson::array();
  for (std::size_t s = 0; s < sections.size(); ++s)
    for (std::size_t i = 0; i < sections[s].options.size(); ++i) {
      const Option& option = sections[s].options[i];
      const std::string value = value_text(option);
      const std::string usual = value_text(default_sections[s].options[i]);
      if (value != usual)
        rows.push_back({sections[s].name + "." + option.name, value, usual, option.help});
    }
  using enum ReportColumn::Kind;
  return table_section(
      "Settings", {{"key", Code}, {"value", Code}, {"default", Code}, {"meaning", Text}},
      std::move(rows), "Keys of config.toml whose values are not the defaults of this version.");
}

/// "83.2 % (80.0 to 86.0)".
std::string share_text(double value, double low, double high) {
  return fmt::format("{:.1f} % ({:.1f} to {:.1f})", 100 * value, 100 * low, 100 * high);
}

double end_of(const nlohmann::ordered_json& result, const std::string& key, std::size_t end) {
  const auto found = result.find(key);
  if (found == result.end() || !found->is_array() || found->size() != 2 ||
      !(*found)[end].is_number())
    return std::nan("");
  return (*found)[end].get<double>();
}
double number_in(const nlohmann::ordered_json& result, const std::string& key) {
  const auto found = result.find(key);
  return found != result.end() && found->is_number() ? found->get<double>() : std::nan("");
}

std::string elo_text(double value) {
  return std::isfinite(value) ? signed_text(value) : "-";
}

ReportJson strength(const StrengthTable& table) {
  const StrengthSettings& settings = table.settings();
  ReportJson rows = ReportJson::array();
  for (const StrengthRow& row : table.rows()) {
    const auto& r = row.result;
    const double score = number_in(r, "score");
    const double low = end_of(r, "score_95", 0), high = end_of(r, "score_95", 1);
    rows.push_back(
        {row.opponent, count_text(number_in(r, "games")),
         fmt::format("+{} ={} -{}", count_text(number_in(r, "wins")),
                     count_text(number_in(r, "draws")), count_text(number_in(r, "losses"))),
         interval_cell(score, low, high, share_text(score, low, high)),
         fmt::format("{} ({} to {})", elo_text(number_in(r, "elo")),
                     elo_text(end_of(r, "elo_95", 0)), elo_text(end_of(r, "elo_95", 1)))});
  }
  using enum ReportColumn::Kind;
  const std::vector<ReportColumn> columns = {
      {"opponent", Code},     {"games", Number},
      {"result", Number},     {"score (95 %)", Interval, 0, 1, 0.5},
      {"Elo (95 %)", Number},
  };
  return table_section(
      "Strength", columns, std::move(rows),
      fmt::format("{} with {} per move against fixed opponents; openings {}, "
                  "colours swapped, computed in {}.",
                  settings.net, settings.limits, settings.openings, settings.precision));
}

void add_games(const Run& run, const ReportOptions& options, Report& report) {
  const fs::path folder = run.folder / "games";
  auto games = unless_damaged<std::runtime_error>(
      report, [&] { return RunGames(folder, run.variant, run.state ? run.state->run_id : 0); });
  if (!games) return;
  constexpr std::size_t kMostMessages = 5;
  for (std::size_t i = 0; i < games->messages().size(); ++i) {
    if (i == kMostMessages) {
      report.notices.push_back(
          fmt::format("… and {} more damaged games or files.", games->messages().size() - i));
      break;
    }
    report.notices.push_back(games->messages()[i]);
  }
  const GameLog& log = games->log();
  if (log.games().empty()) {
    report.notices.emplace_back("There are no recorded games.");
    return;
  }
  std::vector<GameGroup> groups = {{"all games", log.games()}};
  if (log.newest().size() < log.games().size())
    groups.push_back({fmt::format("newest {}", grouped(log.newest().size())), log.newest()});
  ReportJson shown = report_section(
      "games", "Games",
      groups.size() > 1
          ? fmt::format("Chosen from the newest {}, but the first game of all and one of each way "
                        "to end from all {}.",
                        grouped(log.newest().size()), grouped(log.games().size()))
          : "");
  shown["games"] = ReportJson::array();
  for (const ChosenGame& chosen : choose_games(log, options.games))
    try {
      const std::string name = fmt::format("game {}", grouped(games->run_number(chosen.number)));
      const TextGame game = games->read(chosen.number);
      shown["games"].push_back(
          game_json(report.pictures, game, name,
                    chosen.label.empty() ? fmt::format("{}, {}", name, game.white) : chosen.label));
    } catch (const std::runtime_error& error) {
      report.notices.emplace_back(error.what());
    }
  if (!shown["games"].empty()) report.sections.push_back(std::move(shown));
  if (const OpeningTree& openings = games->newest_openings(); openings.games() > 0) {
    ReportJson section = report_section(
        "openings", "Openings",
        fmt::format("The first moves of {} of the newest {}: those that began at the start "
                    "position with a move of the net, not a random one.",
                    counted(openings.games(), "game"), grouped(log.newest().size())));
    section["tree"] = opening_json(openings, find_game(run.variant), report.pictures);
    if (section["tree"].contains("n")) report.sections.push_back(std::move(section));
  }
  report.sections.push_back(ending_section(log, groups));
  report.sections.push_back(length_section(groups));
}

void fill(const fs::path& folder, const ReportOptions& options, Report& report) {
  const Run run = read_run(folder, report);
  report.subtitle = run.variant.empty() ? "training run" : "training run of " + run.variant;
  report.sections.push_back(figures(run));
  if (run.metrics.lines() > 0) report.sections.push_back(curves_section(run.metrics));
  if (auto curve = strength_section(run.metrics)) report.sections.push_back(std::move(*curve));
  if (const fs::path file = folder / "strength.json"; fs::exists(file))
    if (const auto table =
            unless_damaged<ExperimentError>(report, [&] { return StrengthTable::load(file); }))
      report.sections.push_back(strength(*table));
  if (run.variant.empty())
    report.notices.emplace_back("No file names the run's variant: its games cannot be read.");
  else
    add_games(run, options, report);
  if (run.config) report.sections.push_back(settings(*run.config));
}

}  // namespace

ReportSource run_report_source() {
  return {.name = "run",
          .description = "a run's folder (with config.toml or state.json)",
          .is_one = is_run,
          .fill = fill};
}

}  // namespace faultline
