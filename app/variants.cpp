// `faultline variants`: the games, their options and how they differ from chess.
#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/core.h>

#include "app/commands.h"
#include "app/position_options.h"
#include "base/text.h"
#include "base/toml_text.h"
#include "base/toml_tree.h"
#include "rules/data/known_games.h"
#include "rules/families.h"
#include "strategy/strategy.h"

namespace faultline {
namespace variants_command {
namespace {

constexpr std::size_t kWidth = 80;

/// `text` in lines of at most kWidth columns, each after the first indented by `indent` spaces.
std::string wrapped(std::string_view text, std::size_t indent) {
  std::string result;
  std::size_t column = indent;
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    const std::string_view word = text.substr(at, end - at);
    if (column > indent && column + 1 + word.size() > kWidth) {
      result += '\n' + std::string(indent, ' ');
      column = indent;
    } else if (column > indent) {
      result += ' ';
      ++column;
    }
    result += word;
    column += word.size();
    at = end + 1;
  }
  return result;
}

/// A line of two columns: `name`, and `text` starting at column `indent`.
std::string row(std::size_t margin, std::string_view name, std::size_t indent,
                std::string_view text) {
  return fmt::format("{:{}}{:<{}}{}\n", "", margin, name, indent - margin, wrapped(text, indent));
}

/// The width of the longest name in `infos` (families or options).
template <class Infos, class Name>
std::size_t longest(const Infos& infos, Name name) {
  std::size_t width = 0;
  for (const auto& info : infos)
    width = std::max(width, name(info).size());
  return width;
}

/// Allowed values and default of every option; `help` adds their help texts.
void print_options(const FamilyInfo& family, std::size_t margin, bool help) {
  const auto name = [](const OptionInfo& option) { return std::string_view(option.name); };
  const std::size_t indent = margin + longest(family.options, name) + 2;
  for (const OptionInfo& option : family.options) {
    const std::string values = fmt::format("{} (default {})", option.allowed, option.default_value);
    fmt::print("{}", row(margin, option.name, indent, values));
    if (help) fmt::print("{}", row(margin, "", indent, option.help));
  }
}

/// The title in a game's file; "" if it cannot be read. Reads nothing else of the game.
std::string title_of(const std::string& game) {
  for (const std::filesystem::path& folder : data::usual_game_folders()) {
    std::ifstream file(folder / (game + ".toml"), std::ios::binary);
    if (!file) continue;
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    try {
      const TomlValue heading = parse_toml_tree(text.substr(0, text.find("\n[")), game);
      const TomlValue* title = heading.find("title");
      return title != nullptr && title->is_text() ? title->text : "";
    } catch (const TomlTextError&) {
      return "";  // `check` says what is wrong
    }
  }
  return "";
}

void print_games_of_files() {
  const std::vector<std::string> names = data::shipped_game_names();
  const std::size_t indent =
      longest(names, [](const std::string& name) { return std::string_view(name); }) + 4;
  fmt::print("\nGames of files (docs/games-as-data.md), each as data:NAME:\n");
  for (const std::string& name : names)
    fmt::print("{}", row(2, name, indent, title_of(name)));
}

void print_all() {
  const std::vector<const FamilyInfo*> families = all_families();
  const auto name = [](const FamilyInfo* family) { return std::string_view(family->name); };
  const std::size_t indent = longest(families, name) + 2;
  for (const FamilyInfo* family : families) {
    fmt::print("{}", row(0, family->name, indent, family->summary));
    print_options(*family, indent, false);
  }
  print_games_of_files();
  fmt::print(
      "\n"
      "A variant is named by its family alone, or with options that differ from their\n"
      "defaults: family:option=value,option=value. Its canonical name, which files and\n"
      "reports use, has only those options, in the order above:\n"
      "  slanted:board=mini\n"
      "  earthquake:dx=2,dy=1      also for earthquake:dy=1,fly=off,dx=2\n"
      "A game of a file is data:NAME for games/NAME.toml, or a file's name: mine.toml.\n\n"
      "'faultline variants NAME' shows the board, the pieces and the rules of one.\n");
}

/// "8 pawns (P), 2 knights (N), ...": a side's pieces in a position.
template <class P>
std::string piece_list(const P& position, Colour side) {
  const PieceKinds& kinds = position.piece_kinds();
  std::vector<int> counts(kinds.size());
  position.for_each_piece([&](Colour c, PieceType t, Square) {
    if (c == side) ++counts[static_cast<std::size_t>(index(t))];
  });
  std::string text;
  for (std::size_t t = 0; t < kinds.size(); ++t)
    if (counts[t] > 0)
      text += fmt::format("{}{} ({})", text.empty() ? "" : ", ", counted(counts[t], kinds[t].name),
                          kinds[t].letter);
  return text;
}

template <class P>
void print_one(const typename P::Variant& variant) {
  const FamilyInfo& family = family_of<P>(variant);
  const VariantDescription about = P::describe(variant);
  const P start = P::start(variant);
  fmt::print("{}{}\n{}\n\n{}\n", variant.canonical_name(),
             family.inventor.empty() ? "" : " (inventor: " + family.inventor + ")",
             wrapped(about.summary, 0), start.picture());
  const std::string white = piece_list(start, Colour::White);
  const std::string black = piece_list(start, Colour::Black);
  if (white == black) {
    fmt::print("{}", row(0, "Each side:", 11, white));
  } else {
    fmt::print("{}", row(0, "White:", 7, white));
    fmt::print("{}", row(0, "Black:", 7, black));
  }
  if (start.side_to_move() == Colour::Black) fmt::print("Black moves first.\n");
  if (family.options.empty()) {
    fmt::print("\nNo options.\n");
  } else {
    fmt::print("\nOptions, as in '{}:{}={}':\n", family.name, family.options.front().name,
               family.options.front().default_value);
    print_options(family, 2, true);
  }
  if (!about.rulings.empty()) fmt::print("\nComing from chess:\n");
  for (const std::string& ruling : about.rulings)
    fmt::print("  - {}\n", wrapped(ruling, 4));
  fmt::print("\nMoves as text: {}\n", wrapped(about.move_examples, 15));
}

void print_predicates(std::string_view heading, const std::vector<PredicateInfo>& predicates) {
  fmt::print("{}\n", heading);
  const auto name = [](const PredicateInfo& info) { return std::string_view(info.name); };
  const std::size_t indent = 2 + longest(predicates, name) + 2;
  for (const PredicateInfo& info : predicates) {
    const bool situation = info.subject == PredicateSubject::Situation;
    fmt::print("{}", row(2, info.name, indent,
                         fmt::format("{}{}", situation ? "[position] " : "", info.help)));
    if (!info.impossible.empty())
      fmt::print("{}", row(2, "", indent, "impossible here: " + info.impossible));
    else if (!info.parameters.empty())
      fmt::print("{}", row(2, "", indent, parameters_text(info.parameters)));
  }
}

void print_predicates(const std::string& variant) {
  const auto own = own_predicate_infos(variant);
  print_predicates("Predicates of all families:", general_predicate_infos(variant));
  if (!own.empty()) {
    fmt::print("\n");
    print_predicates(fmt::format("Predicates of {}:", variant), own);
  }
  fmt::print(
      "\n[position]: about the position, not the move. docs/strategies.md explains how\n"
      "strategies are made of them.\n");
}

}  // namespace
}  // namespace variants_command

void add_variants(CLI::App& app) {
  using namespace variants_command;
  auto name = std::make_shared<std::string>();
  CLI::App* command = app.add_subcommand("variants", "list the games, or explain one");
  auto predicates = std::make_shared<bool>(false);
  CLI::Option* given = command->add_option("NAME", *name, kVariantHelp);
  command->add_flag("--predicates", *predicates, "list what rules of strategies can be about")
      ->needs(given);
  command->footer(
      "Without NAME: every family with its options, their values and defaults, and the\n"
      "games of files, with those in games/ of this folder. With NAME: the canonical\n"
      "name, the start position, the pieces, the options, what differs from chess, and\n"
      "how moves are written.\n\n"
      "Examples:\n"
      "  faultline variants\n"
      "  faultline variants escher\n"
      "  faultline variants earthquake:dx=2,dy=1\n"
      "  faultline variants data:grand\n"
      "  faultline variants inferno:levels=3 --predicates");
  command->callback([name, given, predicates] {
    if (given->empty()) return print_all();
    if (*predicates) return print_predicates(*name);
    // The whole name is checked, options too, so that this also answers "is this name valid?".
    with_family(parse_variant_name(*name),
                []<class P>(std::type_identity<P>, const auto& variant) { print_one<P>(variant); });
  });
}

}  // namespace faultline
