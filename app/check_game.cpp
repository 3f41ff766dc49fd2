// `faultline check GAME.toml`: what is wrong with a game's file, and what its pieces do.
#include "app/check_game.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <fstream>
#include <memory>
#include <string>
#include <string_view>

#include <CLI/CLI.hpp>
#include <fmt/core.h>
#include <fmt/ranges.h>

#include "app/commands.h"
#include "base/text.h"
#include "rules/data/game_description.h"
#include "rules/data/game_file.h"
#include "rules/data/refusal.h"

namespace faultline {
namespace check_game_command {
namespace {

using data::GameFile;
using data::PieceSide;

struct Options {
  std::string file;
  bool explain = false;
};

std::string_view first_word(std::string_view line) {
  if (line.starts_with("\xEF\xBB\xBF")) line.remove_prefix(3);  // a byte order mark
  line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
  return line.substr(0, line.find_first_of(" \t="));
}

void print_side(const PieceSide& side) {
  for (std::size_t i = 0; i < side.texts.size(); ++i)
    fmt::print("     {:<10} {}\n", side.texts[i], side.sentences[i]);
}

void print_pieces(const GameFile& game) {
  const data::GameDescription about(game);
  for (std::size_t type = 0; type < game.pieces.size(); ++type) {
    const data::PieceType& piece = game.pieces[type];
    const int value = about.kinds[type].value;
    const auto& [white, black] = piece.sides;
    const std::array<std::string_view, 3> kRoyal = {"", ", royal",
                                                    ", royal: one of them must be safe"};
    fmt::print("\n{:<4} {}: {}{}{}{}\n", piece.letter, piece.name, fmt::join(white.texts, ""),
               white.castles.empty() ? "" : ", castles",
               kRoyal[static_cast<std::size_t>(white.royal)],
               value == 0 ? "" : fmt::format("; counted as {:.1f} pawns", value / 100.0));
    print_side(white);
    if (white.texts != black.texts || white.sentences != black.sentences) {
      fmt::print("     Black\'s: {}\n", fmt::join(black.texts, ""));
      print_side(black);
    }
    for (const data::Promotion& promotion : white.promotions) {
      std::string to;
      for (const data::TypeIndex other : promotion.to)
        to += (to.empty() ? "" : " ") + game.pieces[other].letter;
      fmt::print("     {:<10} becomes one of {}{}\n", "promotes", to,
                 promotion.must == promotion.on ? ""
                 : promotion.must.none()        ? ", if it likes"
                                                : ", on some squares only if it likes");
    }
  }
}

void check(const Options& options) {
  const data::LoadedGame loaded = data::load_game_file(options.file, data::usual_game_folders());
  for (const data::Finding& finding : loaded.findings)
    fmt::print(stderr, "{}\n", finding.message());
  if (!loaded.game) throw CLI::RuntimeError(2);
  const GameFile& game = *loaded.game;
  if (const std::string refused = data::refusal(game, options.file); !refused.empty()) {
    fmt::print(stderr, "{}\n", refused);
    throw CLI::RuntimeError(2);
  }
  fmt::print("{}: {}, {}, {}. {}\n", game.name, game.title,
             counted(game.board.all_squares(), "square"), counted(game.pieces.size(), "piece"),
             loaded.findings.empty() ? "Nothing is wrong."
                                     : counted(loaded.findings.size(), "warning") + ".");
  if (options.explain) print_pieces(game);
}

}  // namespace
}  // namespace check_game_command

bool checks_game(std::span<char* const> arguments) {
  if (arguments.empty() || std::string_view(arguments[0]) != "check") return false;
  for (const char* argument : arguments.subspan(1)) {
    if (std::string_view(argument).starts_with('-')) continue;
    std::ifstream file(argument);
    for (std::string line; std::getline(file, line);) {
      const std::string_view word = check_game_command::first_word(line);
      if (word == "format" || word == "base" || word.starts_with("[board") ||
          word.starts_with("[[board") || word.starts_with("[pieces") || word.starts_with("[start"))
        return true;
    }
  }
  return false;
}

void add_check_game(CLI::App& app) {
  using namespace check_game_command;
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("check", kCheckSummary);
  command->add_option("file", options->file, "a game's TOML file; docs/games-as-data.md")
      ->required();
  command->add_flag("--explain", options->explain,
                    "say what each piece does, and what searches count it as");
  command->footer(
      "Says at once all that is wrong with a game's file, with lines to paste, and warns of what\n"
      "can hardly be meant. If the file is right, the game's tables and start positions are "
      "built:\n"
      "what this program does not play is told, too. The exit code is 2 if something is wrong.\n\n"
      "Examples:\n"
      "  faultline check games/grand.toml\n"
      "  faultline check games/shogi.toml --explain");
  command->callback([options] { check(*options); });
}

}  // namespace faultline
