// `faultline new-game NAME`: begins a game's file.
#include <array>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "app/commands.h"
#include "app/output_file.h"
#include "rules/data/game_file.h"
#include "rules/data/known_tables.h"
#include "rules/data/refusal.h"

namespace faultline {
namespace new_game_command {
namespace {

struct Options {
  std::string name;
  std::string from = "chess";
  std::string out;
};

/// What is often wanted besides what the base says: tables and their keys.
constexpr std::array<std::pair<std::string_view, std::string_view>, 11> kOthers = {
    {{"board", "void"},
     {"board", "barrier"},
     {"board", "wrap"},
     {"hands", "captured"},
     {"rules", "capture_forced"},
     {"rules", "checks_forbidden"},
     {"rules", "explode"},
     {"ends", "reach"},
     {"ends", "checks"},
     {"ends", "extinct"},
     {"ends", "bare_king"}}};

/// The tables of the game as comments, and examples of other keys.
std::string comments(const data::GameFile& game, const std::string& base) {
  std::string text = fmt::format(
      "\n# What {} says. A line without its # says it anew; \"none\" takes a piece away.\n", base);
  std::string_view rest = std::string_view(game.text).substr(game.text.find("\n["));
  while (!rest.empty()) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    text += fmt::format("#{}{}\n", line.empty() ? "" : " ", line);
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
  }
  text += "\n# Other keys, among many in docs/games-as-data.md:\n";
  for (const auto& [table, key] : kOthers)
    text += fmt::format("#   [{}]{:<{}}{}\n", table, "", 8 - table.size(),
                        data::known_table(table).find(key)->example);
  text += "#   [pieces]  A = { moves = \"bishop + knight\", name = \"archbishop\" }\n";
  return text;
}

void begin(const Options& options) {
  const std::filesystem::path out = options.out.empty() ? options.name + ".toml" : options.out;
  std::string text = fmt::format(
      "# `faultline check {}` says what is wrong; with --explain, what the pieces do.\n"
      "format = 1\nname = \"{}\"\ntitle = \"{}\"\nbase = \"{}\"\n",
      out.string(), options.name, options.name, options.from);
  const data::LoadedGame loaded =
      data::load_game_text(text, out.string(), data::usual_game_folders());
  if (!loaded.game) throw UsageError(loaded.errors());
  if (const std::string refused = data::refusal(*loaded.game, out.string()); !refused.empty())
    throw UsageError(refused);
  require_new_output(out);
  write_new_output(out, text + comments(*loaded.game, options.from));
  fmt::print("{}: begun as {}. Change it, then: faultline check {}\n", out.string(), options.from,
             out.string());
}

}  // namespace
}  // namespace new_game_command

void add_new_game(CLI::App& app) {
  using namespace new_game_command;
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("new-game", "begin a game's file from another game's");
  command->add_option("name", options->name, "of small letters, digits and -")->required();
  command->add_option("--from", options->from,
                      "the game to change: a file of games/ without its .toml (default: chess)");
  command->add_option("-o,--out", options->out,
                      "the file to write; it must not exist (default: NAME.toml)");
  command->footer(
      "The file plays as the game that it is based on, until you change it; what that game says\n"
      "stands in it as comments. Games are looked for in the file's folder, in games of the\n"
      "current folder, and where the program is.\n\n"
      "Examples:\n"
      "  faultline new-game my-chess\n"
      "  faultline new-game ten-files --from capablanca -o games/ten-files.toml");
  command->callback([options] { begin(*options); });
}

}  // namespace faultline
