// `faultline variants`: the games, their options and what a chess player must know about them.
#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/core.h>

#include "app/commands.h"
#include "rules/families.h"

namespace faultline {
namespace {

constexpr std::size_t kWidth = 88;

/// `text` in lines of at most kWidth columns, each after the first indented by `indent` blanks.
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

void print_all() {
  for (const FamilyInfo* family : all_families()) {
    fmt::print("{:<10}{}\n", family->name, wrapped(family->summary, 10));
    for (const OptionInfo& option : family->options)
      fmt::print("{:<10}{}={}\n", "", option.name, option.allowed);
  }
  fmt::print("\n`faultline variants NAME` tells more about one.\n");
}

/// "White: 8 pawns (P), 2 knights (N), ...", from a start position's text.
std::string piece_list(std::string_view fen) {
  struct Name {
    char letter;
    std::string_view word;
  };
  constexpr std::array<Name, 9> kNames = {{{'P', "pawn"},
                                           {'C', "crab"},
                                           {'N', "knight"},
                                           {'B', "bishop"},
                                           {'R', "rook"},
                                           {'Q', "queen"},
                                           {'M', "chancellor"},
                                           {'U', "ultra"},
                                           {'K', "king"}}};
  const std::string_view pieces = fen.substr(0, fen.find(' '));
  std::string text;
  for (const Name& name : kNames) {
    const auto count = std::count(pieces.begin(), pieces.end(), name.letter);
    if (count == 0) continue;
    text += fmt::format("{}{} {}{} ({})", text.empty() ? "White: " : ", ", count, name.word,
                        count == 1 ? "" : "s", name.letter);
  }
  return text;
}

template <class P>
void print_one(const typename P::Variant& variant) {
  const FamilyInfo& family = P::info();
  const P start = P::start(variant);
  fmt::print("{} ({})\n{}\n\n{}\n{}\n", variant.canonical_name(), family.inventor,
             wrapped(family.summary, 0), start.picture(), wrapped(piece_list(start.fen()), 7));
  if (family.options.empty()) {
    fmt::print("\nNo options.\n");
  } else {
    fmt::print("\nOptions, as in `{}:{}={}`:\n", family.name, family.options.front().name,
               family.options.front().default_value);
    for (const OptionInfo& option : family.options)
      fmt::print("  {:<12}{} (default {})\n{:14}{}\n", option.name, option.allowed,
                 option.default_value, "", wrapped(option.help, 14));
  }
  if (!family.rulings.empty()) fmt::print("\nComing from chess:\n");
  for (const std::string& ruling : family.rulings)
    fmt::print("  - {}\n", wrapped(ruling, 4));
  if (!family.move_examples.empty())
    fmt::print("\nMoves as text: {}\n", wrapped(family.move_examples, 15));
}

}  // namespace

void add_variants(CLI::App& app) {
  auto name = std::make_shared<std::string>();
  CLI::App* command = app.add_subcommand("variants", "list the games, or explain one");
  command->add_option("NAME", *name, "the game to explain");
  command->footer(
      "Examples:\n"
      "  faultline variants\n"
      "  faultline variants escher");
  command->callback([name] {
    if (name->empty()) return print_all();
    // The whole name is checked, options too, so that this also answers "is this name right?".
    with_family(parse_variant_name(*name),
                []<class P>(std::type_identity<P>, const auto& variant) { print_one<P>(variant); });
  });
}

}  // namespace faultline
