// Games and their rules.
#include "web/game_rules.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <set>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "base/text.h"
#include "play/game.h"
#include "play/game_text.h"
#include "report/game_frames.h"
#include "report/picture_table.h"
#include "rules/data/game_picture.h"
#include "rules/data/known_games.h"
#include "rules/families.h"
#include "rules/position.h"
#include "web/piece_moves.h"
#include "web/places.h"

namespace faultline::web {
namespace {

std::string capitalised(std::string text) {
  if (!text.empty()) text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  return text;
}

/// Null for families that are compiled.
const data::GameFile* file_of(const std::string& variant) {
  if (!variant.starts_with(data::kDataPrefix)) return nullptr;
  return &data::known_game(variant.substr(data::kDataPrefix.size()));
}

/// "Earthquake (dx=2)", or a file's title.
std::string title_of(const Game& game) {
  if (const data::GameFile* const file = file_of(game.variant())) return file->title;
  const std::string& name = game.variant();
  const std::size_t colon = name.find(':');
  if (colon == std::string::npos) return capitalised(name);
  return fmt::format("{} ({})", capitalised(name.substr(0, colon)), name.substr(colon + 1));
}

std::string board_text(std::size_t files, std::size_t ranks, std::size_t levels) {
  return fmt::format("{}×{}{}", files, ranks, levels > 1 ? fmt::format(", {} levels", levels) : "");
}

/// "8×8": the longest row of the first level and the number of its rows.
std::string board_text(const BoardPicture& picture) {
  std::map<long, std::size_t> rows;  // by height, in hundredths
  std::size_t longest = 0;
  for (const PictureSquare& square : picture.squares)
    if (square.level == 0) longest = std::max(longest, ++rows[std::lround(100 * square.centre.y)]);
  return board_text(longest, rows.size(), picture.levels.size());
}

std::string board_text(const data::GameFile& file) {
  const std::size_t files = file.board.rows.empty() ? 0 : file.board.rows.front().size();
  return board_text(files, file.board.rows.size(),
                    static_cast<std::size_t>(std::max(1, file.board.levels.count)));
}

/// The values of an option as FamilyInfo tells them ("1 to 6", "on, off"), the default first. Of
/// others, which stand for too many, those that are named.
std::vector<std::string> values_of(const OptionInfo& option) {
  std::vector<std::string> values = {option.default_value};
  const auto add = [&](const std::string& value) {
    if (std::ranges::find(values, value) == values.end()) values.push_back(value);
  };
  const std::string_view allowed = option.allowed;
  const std::size_t to = allowed.find(" to ");
  int low = 0, high = 0;
  const auto number = [](std::string_view text, int& value) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size();
  };
  if (to != std::string_view::npos && number(allowed.substr(0, to), low) &&
      number(allowed.substr(to + 4), high)) {
    for (int value = low; value <= high; ++value)
      add(std::to_string(value));
    return values;
  }
  constexpr std::string_view kTwoOf = "two different ones of ";
  const bool pairs = allowed.starts_with(kTwoOf);
  std::vector<std::string> names;
  std::string name;
  const std::string_view list = pairs ? allowed.substr(kTwoOf.size()) : allowed;
  for (const char c : std::string(list) + ',') {
    if (c == ' ' && name.empty()) continue;
    if (c != ',') {
      name += c;
      continue;
    }
    if (name.find(' ') == std::string::npos && !name.empty()) names.push_back(name);
    name.clear();
  }
  if (!pairs) {
    for (const std::string& one : names)
      add(one);
    return values;
  }
  for (std::size_t i = 0; i < names.size(); ++i)
    for (std::size_t j = i + 1; j < names.size(); ++j)
      add(names[i] + "+" + names[j]);
  return values;
}

ReportJson options_json(const FamilyInfo& family) {
  ReportJson options = ReportJson::array();
  for (const OptionInfo& option : family.options)
    options.push_back(
        {{"name", option.name}, {"values", values_of(option)}, {"help", option.help}});
  return options;
}

// ----------------------------------------------------------------------------------------- rules

std::string rules_text(const Game& game) {
  const VariantDescription about = game.description();
  std::string text = about.summary;
  const FamilyInfo& family = game.family();
  if (!family.inventor.empty()) text += "\nInventor: " + family.inventor;
  for (const std::string& ruling : about.rulings)
    text += "\n- " + ruling;
  return text + "\nMoves as text: " + about.move_examples;
}

/// Whether a move does something to the board, or leads to another level.
bool moves_board(const GamePosition& position, Move move) {
  if (move.moves_board() || !position.board_effects(move).announcement.empty()) return true;
  const auto after = position.clone();
  after->play(move);
  BoardPicture picture = after->board_picture();
  const PictureSquare* const from = picture.find(move.from());
  const PictureSquare* const to = picture.find(move.to());
  if (from != nullptr && to != nullptr && from->level != to->level) return true;
  position.mark_move(move, picture);
  return std::ranges::any_of(picture.marks, [](const PictureMark& mark) { return mark.moved; });
}

/// A short game in which the board moves as often as it can, the moves else chosen by a search of
/// two plies; nothing if it does not move.
std::optional<TextGame> example_of(const Game& game) {
  constexpr std::size_t kPlies = 8;
  TextGame text{.variant = game.variant()};
  const auto position = game.start();
  const auto searcher = game.alpha_beta_searcher({.table_mb = 1}, nullptr, nullptr);
  std::mt19937_64 rng(1);
  bool any = false;
  while (text.moves.size() < kPlies && !is_over(position->outcome())) {
    const std::vector<Move> legal = position->legal_moves();
    std::vector<Move> moving;
    // Every other turn a piece moves, where the board can be moved in its stead.
    for (const Move move : legal)
      if (move.moves_board() == (text.moves.size() % 4 < 2) && moves_board(*position, move))
        moving.push_back(move);
    any = any || !moving.empty();
    const auto result = searcher->run(
        *position,
        {.depth = 2, .search_moves = moving.size() < legal.size() ? moving : std::vector<Move>{}},
        rng, nullptr);
    text.moves.push_back(position->move_text(result->move));
    position->play(result->move);
  }
  return any ? std::optional(std::move(text)) : std::nullopt;
}

/// The legal first moves among the examples of a description that move the board.
std::vector<TextGame> first_moves(const Game& game) {
  std::vector<TextGame> games;
  const auto start = game.start();
  for (std::string word : split_words(game.description().move_examples)) {
    if (word.ends_with(',')) word.pop_back();
    const std::optional<Move> move = start->parse_move(word);
    if (move && moves_board(*start, *move))
      games.push_back({.variant = game.variant(), .moves = {start->move_text(*move)}});
  }
  return games;
}

ReportJson examples_json(const Game& game, PictureTable& table) {
  ReportJson examples = ReportJson::array();
  for (const TextGame& one : first_moves(game))
    examples.push_back(game_json(table, one, "example", "One move"));
  if (const std::optional<TextGame> one = example_of(game))
    examples.push_back(game_json(table, *one, "example", "Some moves"));
  return examples;
}

}  // namespace

ReportJson games_json(const std::vector<std::string>& data_games) {
  ReportJson games = ReportJson::array();
  const auto add = [&](const std::string& name, const std::string& title,
                       const std::string& summary, const std::string& board, const char* kind,
                       ReportJson options) {
    games.push_back({{"name", name},
                     {"title", title},
                     {"summary", summary},
                     {"board", board},
                     {"kind", kind},
                     {"options", std::move(options)}});
  };
  for (const FamilyInfo* family : all_families())
    add(family->name, capitalised(family->name), family->summary,
        board_text(find_game(family->name).start()->board_picture()), "family",
        options_json(*family));
  for (const std::string& name : data_games)
    try {
      const data::GameFile& file = data::known_game(name);
      add(std::string(data::kDataPrefix) + file.name, file.title,
          file.summary.empty() ? file.title : file.summary, board_text(file), "file",
          ReportJson::array());
    } catch (const VariantError&) {
      continue;  // `faultline check` says what is wrong with it
    }
  return {{"games", std::move(games)}};
}

ReportJson rules_json(const ReportJson& request) {
  const Game& game = find_named_game(text_field(request, "game"));
  PictureTable table;
  ReportJson pieces = file_of(game.variant()) != nullptr
                          ? drawn_pieces_json(game, *file_of(game.variant()), table)
                          : generated_pieces_json(game, table);
  ReportJson examples = examples_json(game, table);
  return {{"game", game.variant()},         {"title", title_of(game)},  {"text", rules_text(game)},
          {"pieces", std::move(pieces)},    {"boards", table.boards()}, {"shapes", table.shapes()},
          {"examples", std::move(examples)}};
}

}  // namespace faultline::web
