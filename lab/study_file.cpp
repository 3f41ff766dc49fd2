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
#include "model/checkpoint.h"
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
    throw StudyError(fmt::format("{}: cannot be read: {}", file.string(),
                                 in ? "it is a folder" : std::generic_category().message(errno)));
  std::string text{std::istreambuf_iterator<char>(in), {}};
  if (in.bad()) throw StudyError(file.string() + ": cannot be read to its end");
  return text;
}

/// A net's label, variant and weights.
StudyNet net_of(const std::string& text) {
  const Entrant entrant = parse_entrant(text);
  const PlayerSpec player = find_player(entrant.player);
  StudyNet net{.label = entrant.name, .player = entrant.player};
  if (!player.uses_tree_search())
    throw StudyError(fmt::format(
        "nets: {} searches no tree with PUCT; strategies can be laid over a net, uniform and "
        "material",
        quote(text, 80)));
  if (!player.strategy.empty())
    throw StudyError(
        fmt::format("nets: {} has a strategy, which belongs to [[arms]]", quote(text, 80)));
  if (player.limits.any())
    throw StudyError(
        fmt::format("nets: {} has its own limits; the study's are in visits", quote(text, 80)));
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

  StudySettings read(const toml::table& root, const StudyOverrides& overrides) {
    const std::vector<Option> scalars = options(settings_);
    std::vector<std::string> net_texts;
    for (const auto& [key, node] : root) {
      const std::string name(key.str());
      const auto scalar = std::ranges::find(scalars, name, &Option::name);
      if (scalar != scalars.end())
        read_scalar(*scalar, node);
      else if (name == "variants")
        settings_.variants = texts(node, name);
      else if (name == "nets")
        net_texts = texts(node, name);
      else if (name == "visits")
        read_visits(node);
      else if (name == "arms")
        read_tables(node, name, [&](const toml::table& table) { read_arm(table); });
      else if (name == "behaviour")
        read_tables(node, name, [&](const toml::table& table) { read_habit(table); });
      else
        refuse_key(node, name, known_keys(scalars));
    }
    for (const char* needed : {"title", "variants", "visits", "arms"})
      if (!root.contains(needed))
        throw StudyError(
            fmt::format("{}: '{}' is missing; docs/studies.md lists the keys", source_, needed));
    try {
      for (std::string& variant : settings_.variants)
        variant = find_game(variant).variant();
      override_variants(overrides.variants);
      if (!overrides.visits.empty()) settings_.visits = overrides.visits;
      if (overrides.games) settings_.games = *overrides.games;
      if (!overrides.nets.empty()) net_texts = overrides.nets;
      // Where no arm searches with it, it gives the cells their name only.
      const auto has_net = [](const StudyArm& arm) { return arm.net.has_value(); };
      if (net_texts.empty())
        net_texts.emplace_back(std::ranges::all_of(settings_.arms, has_net) ? "own-nets=uniform"
                                                                            : "uniform");
      for (const std::string& text : net_texts)
        settings_.nets.push_back(net_of(text));
      check(settings_);
    } catch (const StudyError& error) {
      throw StudyError(fmt::format("{}: {}", source_, error.what()));
    }
    return std::move(settings_);
  }

 private:
  static std::vector<std::string> known_keys(const std::vector<Option>& scalars) {
    std::vector<std::string> keys = {"variants", "nets", "visits", "arms", "behaviour"};
    for (const Option& option : scalars)
      keys.push_back(option.name);
    return keys;
  }

  [[noreturn]] void refuse(const toml::node& node, const std::string& reason) const {
    throw StudyError(fmt::format("{}:{}: {}", source_, line_of(node), reason));
  }
  [[noreturn]] void refuse_key(const toml::node& node, const std::string& name,
                               const std::vector<std::string>& known) const {
    refuse(node, unknown_key_text(name, known));
  }
  [[noreturn]] void refuse_value(const toml::node& node, const std::string& key,
                                 const std::string& allowed) const {
    refuse(node, wrong_value_text(node, key, allowed));
  }

  void read_scalar(const Option& option, const toml::node& node) const {
    const std::optional<OptionValue> value = value_of(node);
    try {
      if (!value) faultline::refuse_value(option, option.name, shown_node(node));
      assign(option, option.name, *value, shown_node(node));
    } catch (const OptionError& error) {
      refuse(node, error.what());
    }
  }

  std::string text(const toml::node& node, const std::string& key) const {
    if (const auto* value = node.as_string()) return value->get();
    refuse_value(node, key, "text");
  }
  std::vector<std::string> texts(const toml::node& node, const std::string& key) const {
    const auto* list = node.as_array();
    if (list == nullptr) refuse_value(node, key, "a list of texts");
    if (list->empty())
      refuse(node, fmt::format("'{}' must not be empty: it is a list of texts", key));
    std::vector<std::string> all;
    for (const toml::node& one : *list)
      all.push_back(text(one, key));
    return all;
  }

  void read_visits(const toml::node& node) {
    const auto* list = node.as_array();
    if (list == nullptr) refuse_value(node, "visits", "a list of numbers, as in [50, 200]");
    if (list->empty())
      refuse(node, "'visits' must not be empty: it is a list of numbers, as in [50, 200]");
    for (const toml::node& one : *list) {
      const auto* number = one.as_integer();
      if (number == nullptr || number->get() < 1 || number->get() > kMostStudyVisits)
        refuse_value(one, "visits", fmt::format("whole numbers, 1 to {}", kMostStudyVisits));
      settings_.visits.push_back(static_cast<int>(number->get()));
    }
  }

  void override_variants(const std::vector<std::string>& variants) {
    std::vector<std::string> chosen;
    for (const std::string& name : variants) {
      chosen.push_back(find_game(name).variant());
      if (std::ranges::find(settings_.variants, chosen.back()) == settings_.variants.end())
        throw StudyError(fmt::format("--variants {}: is not one of the study's, {}", name,
                                     fmt::join(settings_.variants, ", ")));
    }
    if (!chosen.empty()) settings_.variants = std::move(chosen);
  }

  template <class Read>
  void read_tables(const toml::node& node, const std::string& key, const Read& read) const {
    const auto* list = node.as_array();
    if (list == nullptr) refuse_value(node, key, fmt::format("a list of tables: [[{}]]", key));
    for (const toml::node& one : *list) {
      const auto* table = one.as_table();
      if (table == nullptr) refuse_value(one, key, fmt::format("a table: [[{}]]", key));
      read(*table);
    }
  }

  void read_arm(const toml::table& table) {
    StudyArm arm;
    for (const auto& [key, node] : table) {
      const std::string name(key.str());
      if (name == "name")
        arm.name = text(node, name);
      else if (name == "strategy")
        arm.strategy = strategy_text(node);
      else if (name == "net")
        arm.net = net_of(text(node, name));
      else
        refuse_key(node, name, {"name", "strategy", "net"});
    }
    if (!is_plain_name(arm.name))
      refuse(table,
             fmt::format(
                 "an entry of [[arms]] needs a 'name' of letters, digits, '-', '_', '+' and '.', "
                 "not {}",
                 quote(arm.name)));
    settings_.arms.push_back(std::move(arm));
  }

  std::string strategy_text(const toml::node& node) const {
    const std::string name = text(node, "strategy");
    try {
      const fs::path file = find_strategy(name, folder_);
      load_strategy(file);
      return read_text(file);
    } catch (const StrategyError& error) {
      refuse(node, error.what());
    }
  }

  void read_habit(const toml::table& table) {
    HabitText habit;
    for (const auto& [key, node] : table) {
      const std::string name(key.str());
      if (name == "name")
        habit.name = text(node, name);
      else if (name == "when")
        habit.when = text(node, name);
      else
        refuse_key(node, name, {"name", "when"});
    }
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
                          const StudyOverrides& overrides) {
  try {
    return Reader(source, folder).read(parse_toml(text, source), overrides);
  } catch (const TomlTextError& error) {
    throw StudyError(error.what());
  }
}

StudySettings read_study(const fs::path& file, const StudyOverrides& overrides) {
  return parse_study(read_text(file), file.string(),
                     file.has_parent_path() ? file.parent_path() : fs::path("."), overrides);
}

}  // namespace faultline
