// Reads, checks and writes configurations, and prints their reference; options() declares the keys.
#include "record/config.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <fstream>
#include <iterator>
#include <optional>
#include <string_view>
#include <system_error>

#include <fmt/format.h>

#include "base/nearest_name.h"
#include "base/processor.h"
#include "base/quote.h"
#include "base/toml_node.h"
#include "record/run_folder.h"

namespace faultline {
namespace {

/// An option with its section.
struct Found {
  std::string section;
  Option option;

  std::string key() const { return section + "." + option.name; }
};

std::vector<Found> all_options(Config& config) {
  std::vector<Found> all;
  for (OptionSection& section : options(config))
    for (Option& option : section.options)
      all.push_back({section.name, std::move(option)});
  return all;
}

/// The key that the user who wrote `section.key` probably meant, or "".
std::string suggestion(const std::string& section, const std::string& key,
                       const std::vector<Found>& all) {
  std::vector<std::string> in_section;
  std::vector<std::string> everywhere;
  for (const Found& f : all) {
    if (f.section == section) in_section.push_back(f.option.name);
    everywhere.push_back(f.section + "." + f.option.name);
  }
  for (const Found& f : all)  // the right name in the wrong section
    if (f.option.name == key) return f.section + "." + key;
  if (const std::string near = nearest_name(key, in_section); !near.empty())
    return section + "." + near;
  if (section.empty()) {
    std::vector<std::string> names;
    for (const Found& f : all)
      names.push_back(f.option.name);
    const std::string near = nearest_name(key, names);
    for (const Found& f : all)
      if (!near.empty() && f.option.name == near) return f.section + "." + near;
    return {};
  }
  return nearest_name(section + "." + key, everywhere);
}

[[noreturn]] void refuse_unknown(const std::string& place, const std::string& section,
                                 const std::string& key, const std::vector<Found>& all) {
  const std::string full = section.empty() ? key : section + "." + key;
  throw ConfigError(fmt::format("{}: unknown key {}{}", place, quote(full),
                                did_you_mean(suggestion(section, key, all))));
}

/// A key that the configurations of earlier runs have, and that no longer exists: what it did was
/// measured and left out (docs/worth.md).
struct RemovedKey {
  std::string_view section;
  std::string_view name;
  std::string_view needs;  // the key of the section without which it had no effect
  double off = 0;          // the value of that key with which it had none
};
constexpr RemovedKey kRemovedKeys[] = {
    {"learner", "ema", "ema"},
    {"learner", "ema_decay", "ema_decay"},
    {"learner", "surprise_share", "surprise_share"},
    {"search", "final_visits", "final_visits"},
    {"search", "draw_score", "draw_score"},
    {"search", "moves_left_weight", "moves_left_weight"},
    {"search", "moves_left_plies", "moves_left_weight"},
    {"search", "least_kl_gain", "least_kl_gain"},
    {"search", "solver", "solver"},
    {"search", "least_new_share", "least_new_share", 1},
    {"selfplay", "odds_share", "odds_share"},
    {"selfplay", "fewer_levels_share", "fewer_levels_share"},
    {"selfplay", "archive_share", "archive_share"},
    {"selfplay", "archive_games", "archive_share"},
    {"selfplay", "archive_plies", "archive_share"},
    {"selfplay", "archive_levels", "archive_share"},
    {"selfplay", "resign_false_positives", "resign_below"},
};

const RemovedKey* removed_key(std::string_view section, std::string_view name) {
  const auto found = std::ranges::find_if(kRemovedKeys, [&](const RemovedKey& key) {
    return key.section == section && key.name == name;
  });
  return found == std::end(kRemovedKeys) ? nullptr : found;
}

/// Values of that kind.
struct RemovedValue {
  std::string_view section;
  std::string_view name;
  std::string_view value;
};
constexpr RemovedValue kRemovedValues[] = {{"fast", "network", "beside"}};

bool is_removed(const std::string& section, const std::string& name, const toml::node& node) {
  return std::ranges::any_of(kRemovedValues, [&](const RemovedValue& removed) {
    return removed.section == section && removed.name == name &&
           node.value<std::string_view>() == removed.value;
  });
}

/// Whether a value is missing, `off` or false: what switches a method off.
bool is_off(toml::node_view<const toml::node> value, double off) {
  return !value || value.value<double>() == off || value.value_exact<bool>() == false;
}

/// The option of `section` with this name or former name; refuses another one.
const Found& find(const std::vector<Found>& all, const std::string& section,
                  const std::string& name, const std::string& place) {
  for (const Found& f : all)
    if (f.section == section && f.option.has_name(name)) return f;
  if (removed_key(section, name) != nullptr)
    throw ConfigError(
        fmt::format("{}: '{}.{}' no longer exists (docs/worth.md)", place, section, name));
  refuse_unknown(place, section, name, all);
}

/// Sets an option that was given as `name` at `place`, and adds a notice for a former name. nullopt
/// stands for a value of a type that no option has.
void set(const Found& found, const std::string& name, const std::optional<OptionValue>& value,
         const std::string& shown, const std::string& place, Config& config) {
  const std::string written = found.section + "." + name;
  try {
    if (!value) refuse_value(found.option, written, shown);
    assign(found.option, written, *value, shown);
  } catch (const OptionError& error) {
    throw ConfigError(place + ": " + error.what());
  }
  config.sources[found.key()] = place;
  if (name != found.option.name)
    config.notices.push_back(
        fmt::format("{}: '{}' is now called '{}'", place, written, found.key()));
}

std::string place_of(const std::string& source, const toml::source_region& region) {
  return fmt::format("{}:{}", source, region.begin.line);
}

void read_section(const std::string& section, const toml::table& table,
                  const std::vector<Found>& all, const std::string& source, Config& config) {
  for (const auto& [key, node] : table) {
    const std::string name(key.str());
    const std::string place = place_of(source, node.source());
    if (const RemovedKey* const removed = removed_key(section, name)) {
      if (!is_off(table[removed->needs], removed->off) &&
          (name == removed->needs || !is_off(table[name], 0)))
        config.notices.push_back(
            fmt::format("{}: '{}.{}' no longer exists and has no effect (docs/worth.md)", place,
                        section, name));
      continue;
    }
    if (is_removed(section, name, node)) {
      config.notices.push_back(fmt::format("{}: '{}.{}' = {} no longer exists and has no effect",
                                           place, section, name, shown_node(node)));
      continue;
    }
    const Found& found = find(all, section, name, place);
    if (const std::string other = config.source(found.key()); !other.empty())
      throw ConfigError(fmt::format("{}: '{}' is given under two names, also at {}; keep '{}'",
                                    place, found.key(), other, found.option.name));
    set(found, name, value_of(node), shown_node(node), place, config);
  }
}

/// A command-line argument unchanged, or in quotes where it is long or not printable.
std::string plain(std::string_view text) {
  const std::string in_quotes = quote(text);
  return in_quotes.size() == text.size() + 2 && in_quotes.find(text) == 1 ? std::string(text)
                                                                          : in_quotes;
}

}  // namespace

Config parse_config(std::string_view text, const std::string& source) {
  toml::table root;
  try {
    root = parse_toml(text, source);
  } catch (const TomlTextError& error) {
    throw ConfigError(error.what());
  }
  Config config;
  const std::vector<Found> all = all_options(config);
  std::vector<std::string> sections;
  for (const OptionSection& section : options(config))
    sections.push_back(section.name);
  for (const auto& [key, node] : root) {
    const std::string name(key.str());
    const std::string place = place_of(source, node.source());
    const bool known = std::find(sections.begin(), sections.end(), name) != sections.end();
    if (const auto* table = node.as_table(); table != nullptr && known)
      read_section(name, *table, all, source, config);
    else if (table != nullptr)
      throw ConfigError(fmt::format("{}: unknown section {}{}", place, quote(name),
                                    did_you_mean(nearest_name(name, sections))));
    else if (known)
      throw ConfigError(fmt::format("{}: '{}' is {}, but must be a section: [{}]", place, name,
                                    shown_node(node), name));
    else
      refuse_unknown(place, "", name, all);
  }
  return config;
}

Config load_config(const std::filesystem::path& file) {
  const auto refuse = [&](const std::string& reason) {
    throw ConfigError(file.string() + ": " + reason);
  };
  std::error_code ignored;
  if (std::filesystem::is_directory(file, ignored))
    refuse("is a folder; a configuration is a TOML file");
  errno = 0;
  std::ifstream in(file, std::ios::binary);
  if (!in) refuse("cannot be read: " + std::generic_category().message(errno));
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  if (in.bad()) refuse("cannot be read to its end");
  if (text.empty()) refuse("is empty; see docs/config.md for the keys");
  if (file.filename() == "config.toml") try {  // a run's own, perhaps
      RunFolder::offer_game(file.parent_path());
    } catch (const RunError& error) {
      throw ConfigError(error.what());
    }
  return parse_config(text, file.string());
}

void set_option(Config& config, std::string_view assignment, const std::string& source) {
  const std::string place = source.empty() ? "--set " + plain(assignment) : source;
  const auto equals = assignment.find('=');
  if (equals == std::string_view::npos)
    throw ConfigError(place + ": must be section.key=value, like search.visits=200");
  const std::string full(assignment.substr(0, equals));
  const std::string value(assignment.substr(equals + 1));
  const auto dot = full.find('.');
  const std::string section = dot == std::string::npos ? "" : full.substr(0, dot);
  const std::string key = dot == std::string::npos ? full : full.substr(dot + 1);
  const std::vector<Found> all = all_options(config);
  const Found& found = find(all, section, key, place);
  set(found, key, parse_value(found.option, value), value.empty() ? "empty" : plain(value), place,
      config);
}

std::vector<std::string> missing_keys(const Config& config) {
  Config copy = config;
  std::vector<std::string> missing;
  for (const Found& f : all_options(copy))
    if (config.source(f.key()).empty()) missing.push_back(f.key());
  return missing;
}

std::string to_toml(const Config& config) {
  Config copy = config;
  std::string text;
  for (const OptionSection& section : options(copy)) {
    text += fmt::format("{}[{}]\n", text.empty() ? "" : "\n", section.name);
    for (const Option& option : section.options)
      text += fmt::format("{} = {}\n", option.name, value_text(option));
  }
  return text;
}

std::string config_reference() {
  Config defaults;
  std::string text =
      "# Configuration keys\n\n"
      "Every key of a run's TOML file, with its default. `faultline train CONFIG --set "
      "section.key=value` overrides\nkeys, which a resumed run then keeps, and `faultline train "
      "--keys` prints this page. Unknown keys, wrong types and\nvalues that are not allowed are "
      "errors. Renamed keys are still accepted under their former names, with a notice.\n";
  for (const OptionSection& section : options(defaults)) {
    text +=
        fmt::format("\n## [{}]\n\n{}\n\n| key | default | allowed | meaning |\n|---|---|---|---|\n",
                    section.name, section.help);
    for (const Option& option : section.options) {
      text += fmt::format("| `{}` | `{}` | {} | {}", option.name, value_text(option),
                          allowed_text(option), option.help);
      for (const std::string& former : option.former_names)
        text += fmt::format(" Formerly `{}`.", former);
      text += " |\n";
    }
  }
  return text;
}

TreeSearchSettings playing_search(const SearchConfig& config) {
  TreeSearchSettings search{.params = config.params, .tree_reuse = config.tree_reuse};
  if (config.match_policy_temperature > 0)
    search.params.policy_temperature = config.match_policy_temperature;
  return search;
}

int most_plies(const SelfPlayConfig& config, const FamilyInfo& family) {
  return config.max_plies > 0 ? config.max_plies : family.most_plies;
}

void settle_older_run(Config& config) {
  if (config.sources.try_emplace("net.attack_planes", "the run, older than the key").second)
    config.net.attack_planes = false;
}

int actor_threads(const Config& config) {
  if (config.run.deterministic) return 1;
  if (config.selfplay.threads > 0) return config.selfplay.threads;
  const int cores = available_processors();
  return config.on_gpu ? std::max(1, cores - 1) : cores;
}

}  // namespace faultline
