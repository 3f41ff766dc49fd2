// Reads what people paste: games, positions, lists of moves.
#include "web/game_reading.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <memory>
#include <optional>
#include <sstream>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "base/quote.h"
#include "base/text.h"
#include "play/game.h"
#include "play/pgn_lexer.h"
#include "play/san.h"
#include "rules/families.h"
#include "rules/position.h"
#include "web/chances.h"
#include "web/places.h"

namespace faultline::web {
namespace {

constexpr const char* kField = "text";
constexpr std::string_view kDefaultGame = "chess";

/// A word of a line, with its column from 1.
struct Word {
  std::string text;
  std::size_t column = 1;
};

std::vector<Word> words_of(std::string_view line) {
  std::vector<Word> words;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (std::isspace(static_cast<unsigned char>(line[i])) != 0) continue;
    if (i == 0 || std::isspace(static_cast<unsigned char>(line[i - 1])) != 0)
      words.push_back({.text = {}, .column = i + 1});
    words.back().text += line[i];
  }
  return words;
}

/// Lines that are not empty, with their numbers from 1.
std::vector<std::pair<std::size_t, std::string>> lines_of(const std::string& text) {
  std::vector<std::pair<std::size_t, std::string>> lines;
  std::istringstream in(text);
  std::size_t number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    if (!split_words(line).empty()) lines.emplace_back(number, line);
  }
  return lines;
}

[[noreturn]] void refuse(std::size_t line, std::size_t column, const std::string& reason) {
  throw RequestError(fmt::format("line {}, column {}: {}", line, column, reason), kField);
}

std::string_view mark_of(int glyph) {
  const auto number = static_cast<std::size_t>(glyph);
  return glyph > 0 && number < kGlyphMarks.size() ? kGlyphMarks.at(number) : "";
}

/// Adds an array with one entry per ply, unless all are null.
void add_by_ply(ReportJson& game, const char* key, ReportJson values) {
  if (std::ranges::any_of(values, [](const ReportJson& one) { return !one.is_null(); }))
    game[key] = std::move(values);
}

ReportJson text_or_null(std::string_view text) {
  return text.empty() ? ReportJson(nullptr) : ReportJson(std::string(text));
}

/// What is said of a line's moves, of which `mover` makes the first.
void add_comments(ReportJson& line, const std::vector<MoveComment>& said, Colour mover) {
  ReportJson values = ReportJson::array(), marks = values, comments = values;
  for (const MoveComment& comment : said) {
    values.push_back(comment.value ? chances_json(*comment.value, mover) : ReportJson(nullptr));
    marks.push_back(text_or_null(mark_of(comment.glyph)));
    comments.push_back(text_or_null(comment.text));
    mover = ~mover;
  }
  add_by_ply(line, "values", std::move(values));
  add_by_ply(line, "marks", std::move(marks));
  add_by_ply(line, "comments", std::move(comments));
}

/// Where each line of a game begins, and its moves from there on.
struct ReadLine {
  std::unique_ptr<GamePosition> start;
  std::vector<Move> moves;
};

ReadLine read_line(std::unique_ptr<GamePosition> start, const std::vector<std::string>& texts) {
  ReadLine line{.start = std::move(start), .moves = {}};
  const auto position = line.start->clone();
  for (const std::string& text : texts) {
    line.moves.push_back(position->parse_move(text).value());  // the reader has checked it
    position->play(line.moves.back());
  }
  return line;
}

ReportJson variations_json(const TextGame& game, const GamePosition& start) {
  ReportJson variations = ReportJson::array();
  std::vector<ReadLine> lines;
  lines.push_back(read_line(start.clone(), game.moves));
  for (const Variation& one : game.variations) {
    const ReadLine& left = lines[one.line];
    auto position = left.start->clone();
    for (std::size_t i = 0; i < one.ply; ++i)
      position->play(left.moves[i]);
    ReadLine line = read_line(std::move(position), one.moves);
    ReportJson& json =
        variations.emplace_back(ReportJson{{"line", one.line},
                                           {"ply", one.ply},
                                           {"moves", one.moves},
                                           {"san", san_texts(*line.start, line.moves)}});
    add_comments(json, one.comments, line.start->side_to_move());
    lines.push_back(std::move(line));
  }
  return variations;
}

// ------------------------------------------------------------------------------------ positions

/// The column of a field of a position's text, by the name that errors give it.
std::size_t column_of(std::string_view fen, const std::string& field, std::size_t first) {
  constexpr std::array<std::string_view, 6> kNames = {"pieces",     "side",  "castling",
                                                      "en passant", "plies", "move"};
  const auto* const found = std::ranges::find(kNames, field);
  std::size_t at = 0;
  for (auto i = found - kNames.begin(); found != kNames.end() && i > 0; --i) {
    const std::size_t space = fen.find(' ', at);
    if (space == std::string_view::npos) break;
    at = space + 1;
  }
  return first + at;
}

bool reads(const std::string& game, const std::string& fen) {
  try {
    find_game(game).from_fen(fen);
    return true;
  } catch (const FenError&) {
    return false;
  } catch (const VariantError&) {
    return false;
  }
}

/// The first game in which the text is a position; "" if there is none.
std::string game_of(const std::string& fen, const std::vector<std::string>& data_games) {
  for (const FamilyInfo* family : all_families())
    if (reads(family->name, fen)) return family->name;
  for (const std::string& name : data_games)
    if (reads("data:" + name, fen)) return "data:" + name;
  return "";
}

/// Reads lines of positions and moves.
class LineReader {
 public:
  LineReader(std::string game, const std::vector<std::string>& data_games)
      : game_(std::move(game)), data_games_(&data_games) {}

  /// "position startpos moves e2e4", "startpos moves e2e4", "FEN moves e2e4", "e4 e5".
  TextGame read(std::size_t number, const std::string& line) const {
    std::vector<Word> words = words_of(line);
    const auto drop = [&](std::string_view word) {
      if (words.empty() || words.front().text != word) return false;
      words.erase(words.begin());
      return true;
    };
    const bool is_command = drop("position");
    if (drop("startpos") || (!is_command && !looks_like_position(words))) {
      drop("moves");
      const Game& game = find_named_game(game_.empty() ? std::string(kDefaultGame) : game_);
      return with_moves(game, game.start(), words, number);
    }
    drop("fen");
    if (words.empty()) refuse(number, line.size() + 1, "a position's text (FEN) is missing");
    const auto moves = std::ranges::find(words, "moves", &Word::text);
    std::string fen;
    for (auto word = words.begin(); word != moves; ++word)
      fen += (fen.empty() ? "" : " ") + word->text;
    const std::size_t column = words.front().column;
    words.erase(words.begin(), moves == words.end() ? moves : moves + 1);
    const Game& game = game_for(fen, number, column);
    return with_moves(game, game.from_fen(fen), words, number);
  }

 private:
  static bool looks_like_position(const std::vector<Word>& words) {
    return !words.empty() &&
           (words.front().text == "fen" || std::ranges::count(words.front().text, '/') > 1);
  }

  const Game& game_for(const std::string& fen, std::size_t line, std::size_t column) const {
    std::string name = game_.empty() ? game_of(fen, *data_games_) : game_;
    if (name.empty()) name = kDefaultGame;
    const Game& game = find_named_game(name);
    try {
      game.from_fen(fen);
    } catch (const FenError& error) {
      const std::string other = game_.empty() ? "" : game_of(fen, *data_games_);
      refuse(
          line, column_of(fen, error.field(), column),
          fmt::format("{}{}", error.what(), other.empty() ? "" : "; it is a position of " + other));
    }
    return game;
  }

  static TextGame with_moves(const Game& game, std::unique_ptr<GamePosition> position,
                             const std::vector<Word>& words, std::size_t line) {
    TextGame text{.variant = game.variant()};
    if (const std::string fen = position->fen(); fen != game.start()->fen()) text.start_fen = fen;
    for (const Word& word : words) {
      std::string_view move = word.text;
      const std::size_t digits = std::min(move.find_first_not_of("0123456789"), move.size());
      if (digits > 0 && digits < move.size() && move[digits] == '.')  // a number, "12..."
        move.remove_prefix(std::min(move.find_first_not_of('.', digits), move.size()));
      if (move.empty()) continue;
      if (move == "1-0" || move == "0-1" || move == "1/2-1/2" || move == "*") {
        text.result = move == "1-0"   ? GameResult::WhiteWins
                      : move == "0-1" ? GameResult::BlackWins
                      : move == "*"   ? GameResult::None
                                      : GameResult::Draw;
        continue;
      }
      std::optional<Move> found = parse_san(*position, move);
      if (!found) found = position->parse_move(move);
      if (!found)
        refuse(line, word.column,
               fmt::format("{} is not a legal move of {} in {}", quote(move), game.variant(),
                           position->fen()));
      text.moves.push_back(position->move_text(*found));
      position->play(*found);
    }
    return text;
  }

  std::string game_;
  const std::vector<std::string>* data_games_;
};

/// "line 12: …" for "text:12: …".
std::string with_line(const GameTextError& error) {
  const std::string prefix = fmt::format("{}:{}: ", kField, error.line());
  std::string what = error.what();
  if (!what.starts_with(prefix)) return what;
  return fmt::format("line {}: {}", error.line(), what.substr(prefix.size()));
}

/// `game`: of moves without tags. Tags that name no game are those of chess (docs/game_format.md).
void read_games(const std::string& text, const std::string& game, ReportJson& games) {
  std::istringstream in(text);
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  const bool tagged = begin != std::string::npos && text[begin] == '[';
  GameReader reader(in, kField, game.empty() || tagged ? std::string(kDefaultGame) : game);
  for (std::size_t number = 1;; ++number)
    try {
      const std::optional<TextGame> found = reader.next_with_variations();
      if (!found) return;
      games.push_back(read_game_json(*found));
    } catch (const GameTextError& error) {
      throw RequestError(fmt::format("game {}, {}", number, with_line(error)), kField);
    }
}

// ---------------------------------------------------------------------------------------- write

/// The entries of a field with one per move, or null; none without the field.
std::vector<const ReportJson*> entries(const ReportJson& request, const char* name,
                                       std::size_t moves) {
  const ReportJson* const field = find_field(request, name);
  std::vector<const ReportJson*> found(moves, nullptr);
  if (field == nullptr) return found;
  if (!field->is_array() || field->size() != moves)
    throw RequestError(fmt::format("{} must have one entry for each of the {} moves", name, moves),
                       name);
  for (std::size_t i = 0; i < moves; ++i)
    if (!(*field)[i].is_null()) found[i] = &(*field)[i];
  return found;
}

std::string entry_text(const ReportJson& entry, const char* name) {
  if (!entry.is_string()) throw RequestError(fmt::format("{} must be texts or null", name), name);
  return entry.get<std::string>();
}

int glyph_of(const ReportJson& entry) {
  const std::string mark = entry_text(entry, "marks");
  const auto* const found = std::ranges::find(kGlyphMarks, mark);
  if (found == kGlyphMarks.end())
    throw RequestError(quote(mark) + " is no mark; marks are ! ? !! ?? !? ?!", "marks");
  return static_cast<int>(found - kGlyphMarks.begin());
}

Evaluation value_of(const ReportJson& entry, Colour mover) {
  constexpr double kMostPlies = 1e6;
  const auto is_number = [&](std::size_t i, double most) {
    return entry[i].is_number() && entry[i].get<double>() >= 0 && entry[i].get<double>() <= most;
  };
  if (!entry.is_array() || entry.size() < 3 || entry.size() > 4 || !is_number(0, 1) ||
      !is_number(1, 1) || !is_number(2, 1) || (entry.size() == 4 && !is_number(3, kMostPlies)))
    throw RequestError(
        "values must be White's [win, draw, loss], each from 0 to 1, and perhaps "
        "the plies that are left, or null",
        "values");
  Evaluation value{.win = entry[0].get<float>(),
                   .draw = entry[1].get<float>(),
                   .loss = entry[2].get<float>(),
                   .moves_left = entry.size() == 4 ? entry[3].get<float>() : 0};
  if (mover == Colour::Black) std::swap(value.win, value.loss);
  return value;
}

/// A line's moves, played one after the other, with what is said of them.
struct SaidLine {
  std::unique_ptr<GamePosition> start;
  std::vector<Move> moves;
  std::vector<std::string> texts;
  std::vector<MoveComment> comments = {};  // one per move, or none
};

SaidLine said_line(const ReportJson& json, const GamePosition& start, std::vector<Move> moves) {
  const std::size_t count = moves.size();
  const auto values = entries(json, "values", count), marks = entries(json, "marks", count),
             comments = entries(json, "comments", count);
  SaidLine line{.start = start.clone(), .moves = std::move(moves), .texts = {}};
  const auto position = start.clone();
  bool any = false;
  for (std::size_t i = 0; i < count; ++i) {
    MoveComment& comment = line.comments.emplace_back();
    if (values[i] != nullptr) comment.value = value_of(*values[i], position->side_to_move());
    if (marks[i] != nullptr) comment.glyph = glyph_of(*marks[i]);
    if (comments[i] != nullptr) comment.text = entry_text(*comments[i], "comments");
    any = any || !comment.empty();
    line.texts.push_back(position->move_text(line.moves[i]));
    position->play(line.moves[i]);
  }
  if (!any) line.comments.clear();
  return line;
}

/// Reads the variations of a game, and what is said of them.
void add_variations(TextGame& game, const ReportJson& request, SaidLine main) {
  const ReportJson* const field = find_field(request, "variations");
  if (field == nullptr) return;
  if (!field->is_array()) throw RequestError("variations must be a list", "variations");
  std::vector<SaidLine> lines;
  lines.push_back(std::move(main));
  for (const ReportJson& one : *field) {
    const auto left = static_cast<std::size_t>(
        number_field(one, "line", 0, static_cast<std::int64_t>(lines.size()) - 1));
    const SaidLine& from = lines[left];
    const auto ply = static_cast<std::size_t>(
        number_field(one, "ply", 0, static_cast<std::int64_t>(from.moves.size()) - 1));
    const auto start = from.start->clone();
    for (std::size_t i = 0; i < ply; ++i)
      start->play(from.moves[i]);
    const auto end = start->clone();
    lines.push_back(said_line(one, *start, played_moves(*end, one)));
    const SaidLine& line = lines.back();
    game.variations.push_back({left, ply, line.texts, line.comments});
  }
}

GameResult result_field(const ReportJson& request) {
  const std::string result = optional_text(request, "result");
  for (const GameResult one :
       {GameResult::WhiteWins, GameResult::BlackWins, GameResult::Draw, GameResult::None})
    if (result == text(one) || (result.empty() && one == GameResult::None)) return one;
  throw RequestError(quote(result) + " is no result; results are 1-0, 0-1, 1/2-1/2 and *",
                     "result");
}

/// How the game ended, as far as its position tells.
void add_ending(TextGame& game, const GamePosition& end) {
  const Outcome outcome = end.outcome();
  if (is_over(outcome) && result_of(outcome) == game.result) {
    game.termination = Termination::Normal;
    game.reason = reason_of(outcome);
  } else if (game.result == GameResult::None) {
    game.termination = Termination::Unfinished;
  } else {
    game.termination =
        game.result == GameResult::Draw ? Termination::Adjudicated : Termination::Resigned;
  }
}

}  // namespace

ReportJson read_game_json(const TextGame& game) {
  ReportJson json = {{"game", game.variant}};
  if (!game.start_fen.empty()) json["fen"] = game.start_fen;
  json["moves"] = game.moves;
  json["white"] = game.white;
  json["black"] = game.black;
  json["result"] = text(game.result);
  if (!game.comment.empty()) json["comment"] = game.comment;
  const Game& rules = find_game(game.variant);
  const auto start = game.start_fen.empty() ? rules.start() : rules.from_fen(game.start_fen);
  add_comments(json, game.comments, start->side_to_move());
  if (!game.variations.empty()) json["variations"] = variations_json(game, *start);
  for (const auto& [tag, value] : game.tags)
    if (tag == "Event" && !value.empty()) json["name"] = value;
  return json;
}

ReportJson read_json(const ReportJson& request, const std::vector<std::string>& data_games) {
  std::string text = text_field(request, kField);
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (text.starts_with(kByteOrderMark)) text.erase(0, kByteOrderMark.size());
  std::string game = optional_text(request, "game");
  if (!game.empty()) game = find_named_game(game).variant();
  ReportJson games = ReportJson::array();
  std::istringstream start(text);
  if (holds_games(start, "")) {
    read_games(text, game, games);
  } else {
    const LineReader reader(game, data_games);
    for (const auto& [number, line] : lines_of(text))
      games.push_back(read_game_json(reader.read(number, line)));
  }
  if (games.empty()) throw RequestError("there is no game or position in the text", kField);
  return {{"games", std::move(games)}};
}

ReportJson write_json(const ReportJson& request) {
  const PlayedLine line = played_line(request);
  TextGame game{.variant = line.game->variant(),
                .white = optional_text(request, "white"),
                .black = optional_text(request, "black"),
                .result = result_field(request),
                .comment = optional_text(request, "comment")};
  if (const std::string fen = line.start->fen(); fen != line.game->start()->fen())
    game.start_fen = fen;
  SaidLine main = said_line(request, *line.start, line.moves);
  game.moves = main.texts;
  game.comments = main.comments;
  add_variations(game, request, std::move(main));
  if (const std::string name = optional_text(request, "name"); !name.empty())
    game.tags.emplace_back("Event", name);
  add_ending(game, *line.end);
  std::ostringstream out;
  try {
    write_game(out, game);
  } catch (const GameTextError& error) {
    throw RequestError(error.what());
  }
  return {{"text", out.str()}};
}

}  // namespace faultline::web
