// Reads strategies from TOML.
#include "strategy/strategy_text.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstddef>
#include <fstream>
#include <iterator>
#include <system_error>

#include <fmt/format.h>

#include "base/nearest_name.h"
#include "base/program_identity.h"
#include "base/quote.h"
#include "base/toml_node.h"

namespace faultline {
namespace {

constexpr double kLeastPrior = 0.001;
constexpr double kMostPrior = 1000;
constexpr double kMostBonus = 2;
constexpr std::int64_t kMostPlies = 10'000;

/// Reads one file.
class Reader {
 public:
  explicit Reader(const std::string& source) { strategy_.file = source; }

  StrategyText read(const toml::table& root) {
    for (const auto& [key, node] : root) {
      const std::string name(key.str());
      if (name == "description")
        strategy_.description = text(node, name);
      else if (name == "rules")
        read_rules(node);
      else
        refuse_key(node, name, {"description", "rules"});
    }
    if (strategy_.rules.empty())
      throw StrategyError(strategy_.file + ": has no rules; a strategy is a list of [[rules]]");
    return std::move(strategy_);
  }

  /// Those of "when = { … }", all of the file.
  std::vector<ConditionText> read_conditions(const toml::table& root) const {
    std::vector<ConditionText> conditions;
    const toml::table* when = root["when"].as_table();
    if (when == nullptr || root.size() != 1)
      throw StrategyError(strategy_.file + ": must be predicates, as in captures = true");
    read_conditions(*when, conditions, false);
    if (conditions.empty())
      throw StrategyError(strategy_.file + ": is empty; predicates are as in captures = true");
    return conditions;
  }

 private:
  [[noreturn]] void refuse(const toml::node& node, const std::string& reason) const {
    throw StrategyError(strategy_.place(line_of(node)) + ": " + reason);
  }
  [[noreturn]] void refuse_key(const toml::node& node, const std::string& name,
                               const std::vector<std::string>& known) const {
    refuse(node, unknown_key_text(name, known));
  }
  [[noreturn]] void refuse_value(const toml::node& node, const std::string& key,
                                 const std::string& allowed) const {
    refuse(node, wrong_value_text(node, key, allowed));
  }

  std::string text(const toml::node& node, const std::string& key) const {
    if (const auto* value = node.as_string()) return value->get();
    refuse_value(node, key, "text");
  }
  double number(const toml::node& node, const std::string& key, double low, double high) const {
    const std::optional<double> value = node.is_number() ? node.value<double>() : std::nullopt;
    if (!value || !(*value >= low && *value <= high))
      refuse_value(node, key, fmt::format("a number, {} to {}", low, high));
    return *value;
  }
  const toml::table& table(const toml::node& node, const std::string& key,
                           const std::string& example) const {
    if (const auto* found = node.as_table()) return *found;
    refuse_value(node, key, "a table, as in " + example);
  }

  void read_rules(const toml::node& node) {
    const auto* list = node.as_array();
    if (list == nullptr) refuse_value(node, "rules", "a list of tables: [[rules]]");
    for (const toml::node& rule : *list)
      strategy_.rules.push_back(read_rule(table(rule, "rules", "[[rules]]"), rule));
  }

  RuleText read_rule(const toml::table& table, const toml::node& at) const {
    RuleText rule{.line = line_of(at)};
    bool acts = false;
    for (const auto& [key, node] : table) {
      const std::string name(key.str());
      if (name == "when") {
        read_conditions(this->table(node, name, "when = { captures = true }"), rule.when, false);
      } else if (name == "prior") {
        rule.prior = number(node, name, kLeastPrior, kMostPrior);
        acts = true;
      } else if (name == "bonus") {
        rule.bonus = number(node, name, -kMostBonus, kMostBonus);
        acts = true;
      } else if (name == "forbid") {
        read_limit(node, rule);
        acts = true;
      } else {
        refuse_key(node, name, {"when", "prior", "bonus", "forbid"});
      }
    }
    if (rule.when.empty())
      refuse(at, "the rule has no 'when': it must say which moves it is about");
    if (!acts) refuse(at, "the rule does nothing: it needs a 'prior', a 'bonus' or a 'forbid'");
    return rule;
  }

  void read_limit(const toml::node& node, RuleText& rule) const {
    rule.forbids = true;
    if (const auto* always = node.as_boolean(); always != nullptr && always->get()) return;
    const toml::table* limit = node.as_table();
    if (limit == nullptr || limit->empty())
      refuse_value(node, "forbid",
                   "true, { until_ply = N } or { until = { a predicate over positions } }");
    for (const auto& [key, value] : *limit) {
      const std::string name(key.str());
      if (name == "until_ply") {
        const auto* ply = value.as_integer();
        if (ply == nullptr || ply->get() < 1 || ply->get() > kMostPlies)
          refuse_value(value, "forbid.until_ply",
                       fmt::format("a whole number, 1 to {}", kMostPlies));
        rule.until_ply = static_cast<int>(ply->get());
      } else if (name == "until") {
        read_conditions(table(value, "forbid.until", "until = { in_check = true }"), rule.until,
                        false);
        if (rule.until.empty()) refuse(value, "'forbid.until' is empty: no condition would end it");
      } else {
        refuse_key(value, name, {"until_ply", "until"});
      }
    }
  }

  void read_conditions(const toml::table& table, std::vector<ConditionText>& conditions,
                       bool negated) const {
    for (const auto& [key, node] : table) {
      const std::string name(key.str());
      if (name == "not") {
        if (negated) refuse(node, "'not' within 'not': leave both out");
        read_conditions(this->table(node, name, "not = { captures = true }"), conditions, true);
        continue;
      }
      ConditionText condition{.name = name, .line = line_of(node), .negated = negated};
      if (const auto* flag = node.as_boolean()) {
        if (!flag->get()) condition.negated = !condition.negated;
      } else if (const auto* arguments = node.as_table()) {
        for (const auto& [parameter, value] : *arguments)
          condition.arguments.push_back(argument(std::string(parameter.str()), value, name));
      } else {
        condition.arguments.push_back(argument("", node, name));
      }
      conditions.push_back(std::move(condition));
    }
  }

  ArgumentText argument(const std::string& name, const toml::node& node,
                        const std::string& predicate) const {
    ArgumentText argument{
        .name = name, .line = line_of(node), .values = {}, .shown = shown_node(node)};
    const std::string key = name.empty() ? predicate : predicate + "." + name;
    const auto add = [&](const toml::node& value) {
      if (const auto* flag = value.as_boolean())
        argument.values.emplace_back(flag->get());
      else if (const auto* word = value.as_string())
        argument.values.emplace_back(word->get());
      else if (value.is_number())
        argument.values.emplace_back(value.value<double>().value_or(0));
      else
        refuse_value(value, key, "a number, a text, or a list of texts");
    };
    if (const auto* list = node.as_array()) {
      for (const toml::node& value : *list)
        add(value);
      if (list->empty()) refuse(node, fmt::format("'{}' is an empty list", key));
    } else {
      add(node);
    }
    return argument;
  }

  StrategyText strategy_;
};

}  // namespace

std::string StrategyText::place(int line) const {
  return fmt::format("{}:{}", file, line);
}

StrategyText parse_strategy(std::string_view text, const std::string& source) {
  try {
    return Reader(source).read(parse_toml(text, source));
  } catch (const TomlTextError& error) {
    throw StrategyError(error.what());
  }
}

std::vector<ConditionText> parse_conditions(std::string_view text, const std::string& source) {
  try {
    return Reader(source).read_conditions(parse_toml(fmt::format("when = {{ {} }}", text), source));
  } catch (const TomlTextError& error) {
    throw StrategyError(error.what());
  }
}

StrategyText load_strategy(const std::filesystem::path& file) {
  errno = 0;
  std::ifstream in(file, std::ios::binary);
  if (!in)
    throw StrategyError(fmt::format("{}: cannot be read: {}", file.string(),
                                    std::generic_category().message(errno)));
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  if (in.bad()) throw StrategyError(file.string() + ": cannot be read to its end");
  return parse_strategy(text, file.string());
}

namespace {

namespace fs = std::filesystem;

/// The folders that strategies are looked for in, in this order.
std::vector<fs::path> strategy_folders(const fs::path& near) {
  std::vector<fs::path> folders;
  for (const fs::path& folder : folders_above(near)) {
    folders.push_back(folder / "strategies");
    folders.push_back(folder / kStrategyFolder);
  }
  folders.emplace_back(kStrategyFolder);
  for (const fs::path& folder : folders_above(program_folder()))
    folders.push_back(folder / kStrategyFolder);
  return folders;
}

/// The names of the strategies in a folder, sorted.
std::vector<std::string> names_in(const fs::path& folder) {
  std::error_code ignored;
  std::vector<std::string> names;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, ignored))
    if (entry.path().extension() == ".toml") names.push_back(entry.path().stem().string());
  std::ranges::sort(names);
  return names;
}

[[noreturn]] void refuse_unknown(std::string_view name, const fs::path& near) {
  std::error_code ignored;
  std::string searched = fmt::format("neither such a file nor {}.toml in {} of ",
                                     printable(name, 80), kStrategyFolder);
  searched += fmt::format("the current folder ({})", fs::current_path(ignored).string());
  if (const fs::path program = program_folder(); !program.empty())
    searched += fmt::format(", of the program's folder ({}) or one above it", program.string());
  if (!near.empty())
    searched += fmt::format(", or in strategies or {} of {} or a folder above it", kStrategyFolder,
                            fs::absolute(near).lexically_normal().string());
  std::vector<fs::path> seen;
  std::vector<std::string> all;
  for (const fs::path& folder : strategy_folders(near)) {
    const fs::path place = fs::canonical(folder, ignored);
    if (ignored || std::ranges::find(seen, place) != seen.end()) continue;
    seen.push_back(place);
    const std::vector<std::string> names = names_in(place);
    if (!names.empty())
      searched += fmt::format("; {} has {}", place.string(), fmt::join(names, ", "));
    all.insert(all.end(), names.begin(), names.end());
  }
  throw StrategyError(fmt::format("there is no strategy {}: {}{}", quote(name, 80), searched,
                                  did_you_mean(nearest_name(name, all))));
}

}  // namespace

fs::path find_strategy(std::string_view name, const fs::path& near) {
  std::error_code ignored;  // of names that are too long
  if (!near.empty() && fs::is_regular_file(near / name, ignored)) return near / name;
  if (fs::is_regular_file(name, ignored)) return name;
  for (const fs::path& folder : strategy_folders(near)) {
    fs::path file = folder / (std::string(name) + ".toml");
    if (fs::is_regular_file(file, ignored)) return file;
  }
  refuse_unknown(name, near);
}

}  // namespace faultline
