// Games of files and what is found in them, for tests.
#pragma once

#include <algorithm>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "rules/data/game_file.h"

namespace faultline::data::texts {

namespace fs = std::filesystem;

inline const fs::path kSources = FAULTLINE_SOURCE_DIR;
inline const fs::path kGames = kSources / "games";

inline LoadedGame load(std::string_view text) {
  return load_game_text(text, "test.toml", {kGames});
}

/// What was found, with the folders of files left out.
inline std::vector<std::string> messages(const LoadedGame& loaded) {
  std::vector<std::string> texts;
  for (const Finding& finding : loaded.findings) {
    std::string text = finding.message();
    for (const fs::path& folder : {kGames, kSources / "tests/rules/data/wrong"}) {
      const std::string prefix = folder.string() + "/";
      for (std::size_t at = 0; (at = text.find(prefix)) != std::string::npos;)
        text.erase(at, prefix.size());
    }
    texts.push_back(text);
  }
  return texts;
}

inline std::string joined(const std::vector<std::string>& texts) {
  std::string text;
  for (const std::string& one : texts)
    text += one + "\n";
  return text;
}

inline GameFile game(std::string_view text) {
  LoadedGame loaded = load(text);
  EXPECT_TRUE(loaded.game.has_value()) << joined(messages(loaded));
  return loaded.game ? std::move(*loaded.game) : GameFile{};
}

inline GameFile shipped(const std::string& name) {
  LoadedGame loaded = load_game_file(kGames / (name + ".toml"));
  EXPECT_TRUE(loaded.game.has_value()) << joined(messages(loaded));
  return loaded.game ? std::move(*loaded.game) : GameFile{};
}

/// A file based on chess with more lines.
inline std::string chess_with(std::string_view lines) {
  return "format = 1\nname = \"test\"\nbase = \"chess\"\n" + std::string(lines);
}

inline void expect_message(std::string_view file, const std::string& part, bool is_error = true) {
  const LoadedGame loaded = load(file);
  const std::vector<std::string> all = messages(loaded);
  const bool found = std::ranges::any_of(
      all, [&](const std::string& text) { return text.find(part) != std::string::npos; });
  EXPECT_TRUE(found) << "in\n" << file << "\n" << part << "\nis not among\n" << joined(all);
  EXPECT_EQ(loaded.has_errors(), is_error) << file << "\n" << joined(all);
}

inline std::vector<std::string> names(const GameFile& game, const SquareSet& zone) {
  std::vector<std::string> squares;
  for (int s = 0; s < game.board.all_squares(); ++s)
    if (zone[static_cast<std::size_t>(s)])
      squares.push_back(game.square_name(static_cast<Square>(s)));
  return squares;
}
inline std::vector<std::string> names(const GameFile& game, const std::vector<Square>& squares) {
  std::vector<std::string> texts;
  for (const Square square : squares)
    texts.push_back(game.square_name(square));
  return texts;
}
using Names = std::vector<std::string>;

inline const PieceSide& side(const GameFile& game, std::string_view letter, Colour colour) {
  return game.pieces.at(game.find_type(letter)).sides[static_cast<std::size_t>(index(colour))];
}

inline std::vector<fs::path> shipped_files() {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(kGames))
    if (entry.path().extension() == ".toml") files.push_back(entry.path());
  std::ranges::sort(files);
  return files;
}

}  // namespace faultline::data::texts
