// The options of the UCI engine: their values, and how they are announced and set.
#include "engine/uci_options.h"

#include <algorithm>
#include <array>
#include <variant>

#include <fmt/core.h>

#include "base/nearest_name.h"
#include "base/quote.h"
#include "engine/engine_strength.h"
#include "rules/data/known_games.h"
#include "rules/families.h"

namespace faultline {
namespace {

constexpr std::string_view kVariantOption = "UCI_Variant";

/// Option sets that people play, besides every family's default. Canonical, which a test checks.
constexpr std::array<std::string_view, 36> kOptionSets = {"slanted:board=standard",
                                                          "slanted:board=mini",
                                                          "slanted:army=almost",
                                                          "slanted:army=sort-of-almost",
                                                          "slanted:army=almost-for-black",
                                                          "slanted:first=black",
                                                          "slanted:jumpcheck=off",
                                                          "earthquake:dx=-3",
                                                          "earthquake:dx=-2",
                                                          "earthquake:dx=-1",
                                                          "earthquake:dx=0",
                                                          "earthquake:dx=2",
                                                          "earthquake:dx=3",
                                                          "earthquake:dx=4",
                                                          "earthquake:dy=1",
                                                          "earthquake:dy=2",
                                                          "earthquake:dx=2,dy=1",
                                                          "earthquake:fly=on",
                                                          "earthquake:dy=-1,fly=on",
                                                          "earthquake:dy=-2,fly=on",
                                                          "earthquake:aftershock=1",
                                                          "earthquake:aftershock=3",
                                                          "earthquake:aftershock=3,shock=2",
                                                          "earthquake:aftershock=3,axis=both",
                                                          "earthquake:every=12",
                                                          "inferno:levels=1",
                                                          "inferno:levels=2",
                                                          "inferno:levels=3",
                                                          "inferno:levels=4",
                                                          "inferno:levels=6",
                                                          "inferno:colours=listed",
                                                          "shifting:gaps=AII+DIII",
                                                          "shifting:gaps=BII+CIII",
                                                          "shifting:gaps=BIII+CII",
                                                          "shifting:gaps=CII+CIII",
                                                          "shifting:knights=blocked"};

/// The value as the protocol writes it.
std::string shown_value(const Option& option) {
  std::string text = value_text(option);
  if (text.size() >= 2 && text.front() == '"') text = text.substr(1, text.size() - 2);
  return text.empty() ? "<empty>" : text;
}

std::string type_of(const Option& option) {
  if (std::holds_alternative<bool*>(option.field)) return "check";
  if (std::holds_alternative<int*>(option.field)) return "spin";
  return std::holds_alternative<Choices>(option.allowed) ? "combo" : "string";
}

}  // namespace

std::vector<Option> uci_options(UciSettings& s, const std::vector<std::string>& backends) {
  std::vector<std::string> backend_names = {kAuto};
  backend_names.insert(backend_names.end(), backends.begin(), backends.end());
  return {
      {std::string(kVariantOption), &s.variant, Anything{},
       "The game; setting it returns to its start position."},
      {"Threads", &s.threads, Range{1, 512}, "Threads that search together."},
      {"Hash", &s.hash, Range{1, 1 << 20},
       "MiB that the tree and its caches may use; a full one is searched on without growing."},
      {"MultiPV", &s.multi_pv, Range{1, 256}, "Lines to report."},
      {"Net", &s.net, Anything{}, "A net's file, a bundle, or a run's folder for its newest net."},
      {"Evaluator", EnumField(&s.evaluator),
       Choices{{"auto", "net", "uniform", "material", "alphabeta", "fast"}},
       "What finds the moves; setting Net selects auto: what its file says is stronger, net or "
       "fast "
       "(alpha-beta with its fast network)."},
      {"Backend", &s.backend, Choices{backend_names}, "What computes the net."},
      {"Precision", EnumField(&s.precision), Choices{precision_choice_names()},
       "Number format in which the net is computed; auto: by the processor."},
      {"Temperature", &s.temperature, Range{0, 10},
       "Moves are played with probability ~ visits^(1/temperature); 0: the most visited one."},
      {"PolicyTemperature", &s.policy_temperature, Range{0, 10},
       "Temperature of the net's policy in the search; above 1: flatter priors; 0: what the net "
       "says."},
      {"UCI_ShowWDL", &s.show_wdl, Anything{}, "Report win, draw and loss in permille."},
      {"UCI_LimitStrength", &s.limit_strength, Anything{}, "Play as UCI_Elo says."},
      {"UCI_Elo", &s.elo, Range{kWeakestElo, kStrongestElo}, "Strength if it is limited."},
      {"Ponder", &s.ponder, Anything{}, "Whether 'go ponder' will be used; changes nothing."},
      {"MoveOverhead", &s.move_overhead, Range{0, 5000},
       "Milliseconds lost on every move between the engine and the clock."},
  };
}

std::vector<std::string> announced_variants() {
  std::vector<std::string> names;
  for (const FamilyInfo* family : all_families()) {
    names.push_back(family->name);
    for (const std::string_view set : kOptionSets)
      if (set.starts_with(family->name + ":")) names.emplace_back(set);
  }
  for (const std::string& name : data::shipped_game_names())
    names.push_back(std::string(data::kDataPrefix) + name);
  return names;
}

std::string option_lines(const std::vector<Option>& options, const std::string& variant) {
  std::string lines;
  for (const Option& option : options) {
    if (option.name == kVariantOption) {
      lines += fmt::format("option name {} type combo default {}", option.name, variant);
      for (const std::string& name : announced_variants())
        lines += " var " + name;
    } else {
      const std::string type = type_of(option);
      lines +=
          fmt::format("option name {} type {} default {}", option.name, type, shown_value(option));
      if (type == "combo")
        for (const std::string& choice : std::get<Choices>(option.allowed).values)
          lines += " var " + choice;
      if (type == "spin") {
        const auto& range = std::get<Range>(option.allowed);
        lines += fmt::format(" min {:.0f} max {:.0f}", range.low, range.high);
      }
    }
    lines += '\n';
  }
  return lines + "option name Clear Hash type button\n";
}

std::string plain_option_name(std::string_view name) {
  std::string text;
  for (const char c : name)
    if (c != ' ' && c != '\t') text += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return text;
}

const Option& find_uci_option(const std::vector<Option>& options, std::string_view name) {
  std::vector<std::string> names;
  for (const Option& option : options) {
    if (plain_option_name(option.name) == plain_option_name(name)) return option;
    names.push_back(option.name);
  }
  throw OptionError("there is no option " + quote(name) + did_you_mean(nearest_name(name, names)));
}

void set_uci_option(const Option& option, std::string_view value) {
  std::string word(value);
  if (type_of(option) == "string" && word == "<empty>") word.clear();
  if (type_of(option) == "check") word = plain_option_name(word);
  assign(option, option.name, parse_value(option, word), quote(value));
}

}  // namespace faultline
