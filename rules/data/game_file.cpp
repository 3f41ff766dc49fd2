// Reads a game's file: merges it with its bases, reads its tables, and checks them together.
#include "rules/data/game_file.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <utility>

#include "base/program_identity.h"
#include "base/unreadable_file.h"
#include "rules/data/board_reader.h"
#include "rules/data/ends_reader.h"
#include "rules/data/game_checks.h"
#include "rules/data/merged_file.h"
#include "rules/data/piece_reader.h"
#include "rules/data/reading.h"
#include "rules/data/start_reader.h"
#include "rules/data/words.h"

namespace faultline::data {
namespace {

std::string roman(int number) {
  constexpr std::array<std::pair<int, std::string_view>, 8> kNumerals = {
      {{90, "XC"}, {50, "L"}, {40, "XL"}, {10, "X"}, {9, "IX"}, {5, "V"}, {4, "IV"}, {1, "I"}}};
  std::string text;
  for (const auto& [value, numeral] : kNumerals)
    for (; number >= value; number -= value)
      text += numeral;
  return text;
}

/// What the file says about itself.
void read_heading(const TomlValue& root, const std::string& source, GameFile& game,
                  Findings& findings) {
  constexpr std::size_t kLongestName = 64;
  const TomlValue* name = root.find("name");
  if (name == nullptr)
    findings.error_in(source, 1, "has no name: name = \"my-game\"");
  else if (name->is_text() && (name->text.empty() || name->text.size() > kLongestName ||
                               name->text.find_first_not_of(
                                   "abcdefghijklmnopqrstuvwxyz0123456789-") != std::string::npos))
    findings.error(*name, "name is " + name->shown() + ", but must be of up to " +
                              std::to_string(kLongestName) +
                              " small letters, digits and -: name = \"my-game\"");
  game.name = text_of(root, "name").value_or("");
  game.title = text_of(root, "title").value_or(game.name);
  if (game.title.empty()) game.title = game.name;
  game.inventor = text_of(root, "inventor").value_or("");
  game.source = text_of(root, "source").value_or("");
  game.summary = text_of(root, "summary").value_or("");
  const auto year = whole_of(root, "year");
  game.year = year ? std::to_string(*year) : text_of(root, "year").value_or("");
}

/// Texts are printed, and must not steer a terminal.
void refuse_control_characters(const TomlValue& value, Findings& findings) {
  const auto steers = [](char c) {
    return (c >= 0 && c < ' ' && c != '\n' && c != '\t') || c == 127;
  };
  if (value.is_text() && std::ranges::any_of(value.text, steers))
    findings.error(value, (value.key.empty() ? "a text" : value.key) +
                              " has a control character, which no text of a game may have");
  for (const TomlValue& item : value.items)
    refuse_control_characters(item, findings);
}

/// The places of a table's keys, and of their keys; `path`: what is before their names.
void note_places(const TomlValue& table, const std::string& path,
                 std::map<std::string, std::string>& places) {
  for (const TomlValue& item : table.items) {
    const std::string key = path + item.key;
    places[key] = item.place();
    if (path.empty() && item.is_table()) note_places(item, key + ".", places);
    if (item.is_list())
      for (std::size_t i = 0; i < item.items.size(); ++i)
        places[key + "." + std::to_string(i)] = item.items[i].place();
  }
}

}  // namespace

bool Board::changes() const {
  return (sectors && sectors->slide) || levels.lost ||
         std::ranges::any_of(parts, [](const Part& part) { return part.shift.has_value(); });
}

bool Board::is_hole(Square square) const {
  return square / squares + 1 < levels.count && !levels.below.empty() &&
         !levels.below[square % at(squares)].empty();
}

std::string Sectors::area_name(int area) const {
  return std::string(1, static_cast<char>('A' + area % columns)) + roman(area / columns + 1);
}

TypeIndex GameFile::find_type(std::string_view letter) const {
  const auto found = std::ranges::find(pieces, letter, &PieceType::letter);
  return found == pieces.end() ? kNoType : static_cast<TypeIndex>(found - pieces.begin());
}

std::string GameFile::square_name(Square square) const {
  return Zones(board).name(square);
}

Square GameFile::find_square(std::string_view square) const {
  return Zones(board).find(square);
}

std::string Finding::message() const {
  return file + (line > 0 ? ":" + std::to_string(line) : "") + ": " +
         (is_error ? "" : "warning: ") + text;
}

bool LoadedGame::has_errors() const {
  return std::ranges::any_of(findings, &Finding::is_error);
}

std::string LoadedGame::errors() const {
  std::string text;
  for (const Finding& finding : findings)
    if (finding.is_error) text += (text.empty() ? "" : "\n") + finding.message();
  return text;
}

GameFolders usual_game_folders() {
  return shared_folders("games");
}

LoadedGame load_game_text(std::string_view text, const std::string& source,
                          const GameFolders& folders) {
  Findings findings;
  MergedFile file = merge_files(text, source, folders, findings);
  GameFile game;
  if (!file.root.file)
    return {.game = std::nullopt, .findings = findings.sorted(source)};  // no TOML
  check_tables(file.root, findings);
  read_heading(file.root, source, game, findings);
  refuse_control_characters(file.root, findings);
  if (!file.complete)  // what is missing may be in the base
    return {.game = std::nullopt, .findings = findings.sorted(source)};
  BoardRead board = read_board(file, findings);
  PiecesRead pieces = read_pieces(file, board, findings);
  const bool complete = pieces.complete && !is_misspelt(file.root, "pieces");
  const bool has_hands = file.root.find("hands") != nullptr || is_misspelt(file.root, "hands");
  read_descent(file, pieces.pieces, board.board, findings);
  game.hands = read_hands(file, board, pieces.pieces, findings);
  game.rules = read_rules(file, pieces.pieces, findings);
  game.ends = read_ends(file, board, pieces.pieces, findings);
  game.starts = read_starts(file, board, pieces.pieces, complete, has_hands, findings);
  game.board = std::move(board.board);
  game.pieces = std::move(pieces.pieces);
  const bool whole = board.usable && complete && !game.starts.empty() && !game.pieces.empty();
  if (whole) check_game(game, file, board.zones, findings);
  LoadedGame loaded{.game = std::nullopt, .findings = findings.sorted(source)};
  if (!findings.has_errors() && whole) {
    game.text = to_toml_text(file.root);
    note_places(file.root, "", game.places);
    loaded.game = std::move(game);
  }
  return loaded;
}

LoadedGame load_game_file(const std::filesystem::path& file, const GameFolders& folders) {
  const auto failed = [&](const std::string& why) {
    return LoadedGame{
        .game = std::nullopt,
        .findings = {{.is_error = true, .file = file.string(), .line = 0, .text = why}}};
  };
  if (const auto why = why_unreadable(file))
    return failed(why->substr(file.string().size() + std::string_view(": ").size()));
  std::ifstream in(file, std::ios::binary);
  if (!in) return failed("there is no such file");
  const std::string text((std::istreambuf_iterator<char>(in)), {});
  return load_game_text(text, file.string(), folders);
}

}  // namespace faultline::data
