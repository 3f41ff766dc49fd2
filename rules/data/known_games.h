// The games of files that this program knows, by name.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "rules/data/game_file.h"

namespace faultline::data {

/// What names of such games begin with: "data:grand".
inline constexpr std::string_view kDataPrefix = "data:";

/// The game of that name, without the prefix, or of that file: "grand", "games/grand.toml". A name
/// that is not known yet is looked for in usual_game_folders(). It lives until the program ends.
/// Throws VariantError: there is no such file, something is wrong with it, this program cannot
/// play it, or a game that differs is known by its name.
const GameFile& known_game(const std::string& name_or_file);

/// Makes a game known by its canonical text (GameFile::text), as a run, a network or another
/// program has it, unless a game of its name is known. Throws VariantError for a text that is none.
void offer_game(std::string_view text, const std::string& source);

/// What a run's folder has beside its configuration if its game is one of a file: the game's text.
inline constexpr const char* kGameCopyName = "game.toml";
/// Offers the game of which a folder has such a copy, if it has one. Throws VariantError.
void offer_game_in(const std::filesystem::path& folder);
/// Whether a folder has a copy of another game than the one known by this canonical name.
bool has_copy_of_another(const std::filesystem::path& folder, const std::string& canonical_name);

/// Whether two canonical texts are the same game: what they say for people (title, inventor, year,
/// source, summary) may differ.
bool is_same_game(std::string_view a, std::string_view b);

/// The text of a game known by its canonical name, "data:grand"; "" for other variants.
std::string game_text(const std::string& canonical_name);

/// The names of the files in usual_game_folders(), sorted.
std::vector<std::string> shipped_game_names();

}  // namespace faultline::data
