// Reports of training runs.
#include <cmath>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/text.h"
#include "lab/experiment.h"
#include "lab/strength.h"
#include "record/config.h"
#include "record/replay_store.h"
#include "record/run_folder.h"
#include "report/run_curves.h"
#include "report/run_games.h"
#include "report/sources.h"
#include "report/text_games.h"

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

/// Empty, and not shown, if it is unknown.
Cell count_of(double value) {
  return std::isfinite(value) && value >= 0 ? count_cell(static_cast<std::int64_t>(value)) : Cell{};
}

/// Adds a fact unless its number is unknown.
void add_number(Facts& facts, const std::string& name, double value, int decimals,
                const std::string& remark = "") {
  if (std::isfinite(value)) facts.push_back({name, number_cell(value, decimals), remark});
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

Section figures(const Run& run) {
  const Metrics& metrics = run.metrics;
  Facts facts;
  const auto total = [&](double of_state, std::string_view key) {
    return std::isnan(metrics.last(key)) ? of_state : metrics.last(key);
  };
  const RunState state = run.state.value_or(RunState{});
  const double seconds = total(state.seconds, "seconds");
  const double cpu = total(state.cpu_seconds, "cpu_seconds");
  facts.push_back({"Trained for",
                   {clock_text(seconds), seconds},
                   cpu > 0 ? clock_text(cpu) + " of processor time" : ""});
  const auto count = [&](const std::string& name, double of_state, std::string_view key,
                         const std::string& remark = "") {
    facts.push_back({name, count_of(total(of_state, key)), remark});
  };
  count("Games", static_cast<double>(state.games), "games");
  count("Positions", static_cast<double>(state.positions), "positions", "that were trained on");
  count("Steps", static_cast<double>(state.steps), "steps");
  count("Evaluations", static_cast<double>(state.evaluations), "evaluations",
        "positions evaluated in self-play");
  if (run.config) facts.push_back({"Net", {net_text(run.config->net)}});
  if (!state.inference.empty()) {
    const InferenceChoice& choice = state.inference.back().choice;
    facts.push_back({"Games computed in",
                     {std::string(name(choice.precision))},
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
    facts.push_back(
        {"Elo while training",
         elo_cell(elo, metrics.last("strength.elo_95.0"), metrics.last("strength.elo_95.1")),
         "95 % interval"});
  add_number(facts, "Length of games", metrics.last("mean_plies"), 1, "plies, last interval");
  return {"Final figures", std::move(facts), seed_text(state)};
}

/// The settings that differ from their defaults.
Section settings(const Config& config) {
  using enum Column::Kind;
  Config own = config;
  Config defaults;
  const auto sections = options(own), default_sections = options(defaults);
  Table table{{{"key", Code}, {"value", Code}, {"default", Code}, {"meaning"}}};
  for (std::size_t s = 0; s < sections.size(); ++s)
    for (std::size_t i = 0; i < sections[s].options.size(); ++i) {
      const Option& option = sections[s].options[i];
      const std::string value = value_text(option);
      const std::string usual = value_text(default_sections[s].options[i]);
      if (value != usual)
        table.rows.push_back(
            {{sections[s].name + "." + option.name}, {value}, {usual}, {std::string(option.help)}});
    }
  return {"Settings", std::move(table),
          "Keys of config.toml whose values are not the defaults of this version."};
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
  const std::string newest = grouped(log.newest().size());
  const OpeningTree& openings = games->newest_openings();
  add_game_sections(
      {.log = log,
       .read =
           [&](std::uint64_t number) {
             const std::string name = fmt::format("game {}", grouped(games->run_number(number)));
             TextGame game = games->read(number);
             std::string title = fmt::format("{}, {}", name, game.white);
             return ShownGame{std::move(game), name, std::move(title)};
           },
       .groups = groups,
       .variant = run.variant,
       .openings = openings.games() > 0 ? &openings : nullptr,
       .games_note = groups.size() > 1
                         ? fmt::format("Chosen from the newest {}, but the first game of all and "
                                       "one of each way to end from all {}.",
                                       newest, grouped(log.games().size()))
                         : "",
       .openings_note = fmt::format("The first moves of {} of the newest {}: those that began at "
                                    "the start position with a move of the net, not a random one.",
                                    counted(openings.games(), "game"), newest)},
      options.games, report);
}

void fill(const fs::path& folder, const ReportOptions& options, Report& report) {
  const Run run = read_run(folder, report);
  report.subtitle = run.variant.empty() ? "training run" : "training run of " + run.variant;
  report.add(figures(run));
  if (run.metrics.lines() > 0) report.add(curves_section(run.metrics));
  if (const auto curve = strength_section(run.metrics)) report.add(*curve);
  if (const fs::path file = folder / "strength.json"; fs::exists(file))
    if (const auto table = unless_damaged<ExperimentError>(
            report, [&] { return StrengthTable::load(file).document(); }))
      report.add(*table);
  if (run.variant.empty())
    report.notices.emplace_back("No file names the run's variant: its games cannot be read.");
  else
    add_games(run, options, report);
  if (run.config) report.add(settings(*run.config));
}

}  // namespace

ReportSource run_report_source() {
  return {.name = "run",
          .description = "a run's folder (with config.toml or state.json)",
          .is_one = is_run,
          .fill = fill};
}

}  // namespace faultline
