// `faultline game FILE`: a game's file with its bases in it, or in another program's words.
#include <algorithm>
#include <memory>
#include <string>

#include <CLI/CLI.hpp>
#include <fmt/core.h>
#include <fmt/ranges.h>

#include "app/commands.h"
#include "app/output_file.h"
#include "rules/data/fairy_stockfish.h"
#include "rules/data/game_file.h"
#include "rules/data/refusal.h"

namespace faultline {
namespace game_command {
namespace {

struct Options {
  std::string file;
  std::string to;
  std::string out;
};

/// Throws UsageError with all that cannot be said.
std::string in_fairy_stockfish(const data::GameFile& game, const std::string& file) {
  const data::FairyStockfish translated = data::to_fairy_stockfish(game);
  if (translated.refused.empty()) return translated.text;
  std::string refused = "not translated for Fairy-Stockfish:";
  for (const std::string& refusal : translated.refused)
    refused += fmt::format("\n{}: {}", file, refusal);
  throw UsageError(refused);
}

void print(const Options& options) {
  OutputFile out(options.out, std::ios::binary);
  const data::LoadedGame loaded = data::load_game_file(options.file, data::usual_game_folders());
  if (!loaded.game) throw UsageError(loaded.errors());
  if (const std::string refused = data::refusal(*loaded.game, options.file); !refused.empty())
    throw UsageError(refused);
  const std::string text =
      options.to.empty() ? loaded.game->text : in_fairy_stockfish(*loaded.game, options.file);
  if (!out.wanted()) {
    fmt::print("{}", text);
    return;
  }
  out.stream() << text;
  out.flush();
}

}  // namespace
}  // namespace game_command

void add_game(CLI::App& app) {
  using namespace game_command;
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand(
      "game", "print a game's file as a whole, or as Fairy-Stockfish's variants.ini");
  command->add_option("file", options->file, "a game's TOML file; docs/games-as-data.md")
      ->required();
  command->add_option("--to", options->to, "in the words of another program: fairy-stockfish")
      ->check(CLI::IsMember({"fairy-stockfish"}));
  command->add_option("-o,--out", options->out, "write it into this file");
  command->footer(
      "Without --to it prints the game in one fixed form, with the files that it is based on\n"
      "merged into it: equal texts are equal games. Fairy-Stockfish reads the file that its\n"
      "option VariantPath names; the game is then its variant faultline-NAME. What it has no\n"
      "words for is refused, key by key.\n\n"
      "Examples:\n"
      "  faultline game games/grand.toml\n"
      "  faultline game games/grand.toml --to fairy-stockfish -o variants.ini");
  command->callback([options] { print(*options); });
}

}  // namespace faultline
