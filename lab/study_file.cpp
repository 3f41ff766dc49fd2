// Studies as TOML.
#include "lab/study_file.h"

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <iterator>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "base/nearest_name.h"
#include "base/quote.h"
#include "base/toml_node.h"
#include "lab/run_match.h"
#include "model/checkpoint.h"
#include "model/fast/fast_network.h"
#include "play/game.h"
#include "strategy/strategy.h"

namespace faultline {
namespace {

namespace fs = std::filesystem;

std::string read_text(const fs::path& file) {
  errno = 0;
  std::ifstream in(file, std::ios::binary);
  std::error_code ignored;
  if (!in || fs::is_directory(file, ignored))
    throw ExperimentError(
        fmt::format("{}: cannot be read: {}", file.string(),
                    in ? "it is a folder" : std::generic_category().message(errno)));
  std::string text{std::istreambuf_iterator<char>(in), {}};
  if (in.bad()) throw ExperimentError(file.string() + ": cannot be read to its end");
  return text;
}

/// A net's label, variant and weights; likewise of an alpha-beta search.
StudyNet net_of(const std::string& text) {
  const Entrant entrant = parse_entrant(text);
  const PlayerSpec player = find_player(entrant.player);
  StudyNet net{.label = entrant.name, .player = player_text(entrant.player)};
  if (!player.can_follow_strategy())
    throw ExperimentError(
        fmt::format("nets: {} follows no strategies; a net, uniform, material and alphabeta do",
                    quote(text, 80)));
  net.counts_visits = player.uses_tree_search();
  if (!player.strategy.empty())
    throw ExperimentError(
        fmt::format("nets: {} has a strategy, which belongs to [[arms]]", quote(text, 80)));
  if (net.counts_visits && player.limits.any())
    throw ExperimentError(
        fmt::format("nets: {} has its own limits; the study's are in visits", quote(text, 80)));
  if (player.kind == PlayerKind::AlphaBeta) {
    if (player.limits.nodes == 0 && player.limits.depth == 0)
      throw ExperimentError(
          fmt::format("nets: {} needs a limit of its own, such as nodes=10000; the study's are in "
                      "visits",
                      quote(text, 80)));
    // A study ends with the same games however often it is interrupted.
    if (!plays_alike(player))
      throw ExperimentError(fmt::format(
          "nets: {} has a limit of time or several threads, so that its games could not be played "
          "again; nodes= or depth= and one thread can",
          quote(text, 80)));
    const auto network = fast_network_of(player);
    if (network) net.variant = network->variant;
    if (entrant.name == entrant.player)
      net.label = network ? player.evaluation.stem().string() : "alphabeta";
  }
  if (player.uses_net()) {
    const CheckpointInfo info = read_checkpoint_info(player.net);
    net.variant = info.encoding.variant;
    net.weights = info.weights();
    net.shares_levels = info.net.share_levels;
    if (entrant.name == entrant.player) net.label = player.net.stem().string();
  }
  return net;
}

/// Reads one file.
class Reader {
 public:
  Reader(std::string source, fs::path folder)
      : source_(std::move(source)), folder_(std::move(folder)) {}

  StudySettings read(const toml::table& root, const GivenValues& given) {
    std::vector<std::string> net_texts;
    std::vector<Option> table = options(settings_);
    table.push_back({"nets", &net_texts, Anything{}, "Who plays."});
    read_options(root, table, source_, {"arms", "behaviour"},
                 [&](const std::string& name, const toml::node& node) {
                   for (const toml::table* one : tables(node, name))
                     name == "arms" ? read_arm(*one) : read_habit(*one);
                 });
    for (const char* needed : {"title", "variants", "arms"})
      if (!root.contains(needed)) refuse_missing(needed);
    try {
      canonise(settings_.variants);
      const std::vector<std::string> variants = settings_.variants;
      assign_given(table, given);
      canonise(settings_.variants);
      for (const std::string& variant : settings_.variants)
        if (std::ranges::find(variants, variant) == variants.end())
          throw ExperimentError(fmt::format("--variants {}: is not one of the study's, {}", variant,
                                            fmt::join(variants, ", ")));
      // Where no arm searches with it, it gives the cells their name only.
      const auto has_net = [](const StudyArm& arm) { return arm.net.has_value(); };
      if (net_texts.empty())
        net_texts.emplace_back(std::ranges::all_of(settings_.arms, has_net) ? "own-nets=uniform"
                                                                            : "uniform");
      for (const std::string& text : net_texts)
        settings_.nets.push_back(net_of(text));
      if (!counts_visits(settings_))
        settings_.visits.clear();
      else if (settings_.visits.empty())
        refuse_missing("visits");
      check(settings_);
    } catch (const ExperimentError& error) {
      throw ExperimentError(fmt::format("{}: {}", source_, error.what()));
    } catch (const OptionError& error) {
      throw ExperimentError(fmt::format("{}: {}", source_, error.what()));
    }
    return std::move(settings_);
  }

 private:
  static void canonise(std::vector<std::string>& variants) {
    for (std::string& variant : variants)
      variant = find_game(variant).variant();
  }
  [[noreturn]] void refuse_missing(const char* key) const {
    throw ExperimentError(
        fmt::format("{}: '{}' is missing; docs/studies.md lists the keys", source_, key));
  }
  [[noreturn]] void refuse(const toml::node& node, const std::string& reason) const {
    throw ExperimentError(fmt::format("{}:{}: {}", source_, line_of(node), reason));
  }
  std::vector<const toml::table*> tables(const toml::node& node, const std::string& key) const {
    std::vector<const toml::table*> tables;
    if (const auto* list = node.as_array())
      for (const toml::node& one : *list)
        tables.push_back(one.as_table());
    if (!node.is_array() || std::ranges::count(tables, nullptr) > 0)
      refuse(node, wrong_value_text(node, key, fmt::format("a list of tables: [[{}]]", key)));
    return tables;
  }

  void read_arm(const toml::table& table) {
    StudyArm arm;
    std::string strategy, net;
    read_options(table,
                 {{"name", &arm.name, Anything{}, "Its name."},
                  {"strategy", &strategy, Anything{}, "The strategy that it follows."},
                  {"net", &net, Anything{}, "Its own net."}},
                 source_);
    if (!is_plain_name(arm.name))
      refuse(table,
             fmt::format(
                 "an entry of [[arms]] needs a 'name' of letters, digits, '-', '_', '+' and '.', "
                 "not {}",
                 quote(arm.name)));
    if (table.contains("strategy")) arm.strategy = strategy_text(table, strategy);
    if (table.contains("net")) arm.net = net_of(net);
    settings_.arms.push_back(std::move(arm));
  }

  std::string strategy_text(const toml::table& arm, const std::string& name) const {
    try {
      const fs::path file = find_strategy(name, folder_);
      load_strategy(file);
      return read_text(file);
    } catch (const StrategyError& error) {
      refuse(arm, error.what());
    }
  }

  void read_habit(const toml::table& table) {
    HabitText habit;
    read_options(table,
                 {{"name", &habit.name, Anything{}, "Its name."},
                  {"when", &habit.when, Anything{}, "When a move is counted."}},
                 source_);
    if (habit.name.empty() || habit.when.empty())
      refuse(table, "behaviour needs a 'name' and a 'when', as in when = \"captures = true\"");
    settings_.behaviour.push_back(std::move(habit));
  }

  std::string source_;
  fs::path folder_;
  StudySettings settings_;
};

}  // namespace

StudySettings parse_study(std::string_view text, const std::string& source, const fs::path& folder,
                          const GivenValues& given) {
  try {
    return Reader(source, folder).read(parse_toml(text, source), given);
  } catch (const TomlTextError& error) {
    throw ExperimentError(error.what());
  } catch (const OptionError& error) {
    throw ExperimentError(error.what());
  }
}

StudySettings read_study(const fs::path& file, const GivenValues& given) {
  return parse_study(read_text(file), file.string(),
                     file.has_parent_path() ? file.parent_path() : fs::path("."), given);
}

}  // namespace faultline
