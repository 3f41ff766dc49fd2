// Reads and checks openings by the rules of the variant.
#include "lab/opening_file.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <memory>
#include <optional>
#include <sstream>
#include <utility>

#include <fmt/format.h>

#include "base/quote.h"
#include "base/text_lines.h"
#include "lab/opening_source.h"
#include "play/game.h"
#include "play/game_text.h"
#include "play/san.h"
#include "rules/position.h"

namespace faultline {
namespace {

/// Plays moves up to the opening's end; `where` begins messages.
/// The moves are then texts of their own family.
void play_moves(GamePosition& position, std::vector<std::string>& moves, const std::string& where) {
  for (std::size_t i = 0; i < moves.size(); ++i) {
    const auto move = parse_san(position, moves[i]);
    if (is_over(position.outcome()) || !move)
      throw OpeningError(fmt::format("{}: move {}, {}, is not legal in {}", where, i + 1,
                                     quote(moves[i]), position.fen()));
    moves[i] = position.move_text(*move);
    position.play(*move);
  }
  if (is_over(position.outcome()))
    throw OpeningError(where + ": the game is over after this opening");
}

/// The line without its comment and the blanks around the rest.
std::string without_comment(const std::string& line) {
  std::string text = line.substr(0, line.starts_with('#') ? 0 : line.find(" #"));
  const std::size_t end = text.find_last_not_of(" \t\r");
  text.erase(end == std::string::npos ? 0 : end + 1);
  text.erase(0, std::min(text.find_first_not_of(" \t"), text.size()));
  return text;
}

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream in(text);
  return {std::istream_iterator<std::string>(in), std::istream_iterator<std::string>()};
}

OpeningText read_line(const Game& game, const std::string& line, const std::string& where) {
  OpeningText opening = split_position_line(line);
  auto position = game.start();
  try {
    if (!opening.start_fen.empty()) position = game.from_fen(opening.start_fen);
  } catch (const FenError& error) {
    throw OpeningError(fmt::format("{}: {}", where, error.what()));
  }
  if (!opening.start_fen.empty()) opening.start_fen = position->fen();
  play_moves(*position, opening.moves, where);
  return opening;
}

/// Collects the openings of a file, and what is said of those that cannot be read.
class Book {
 public:
  explicit Book(bool strict) : strict_(strict) {}

  /// Adds what `read` returns. Throws OpeningError only if the book is strict.
  template <class Read>
  void add(const Read& read) {
    try {
      file_.openings.push_back(read());
    } catch (const OpeningError& error) {
      if (strict_) throw;
      file_.refused.add(error.what());
    }
  }
  OpeningFile& file() { return file_; }

 private:
  bool strict_;
  OpeningFile file_;
};

void read_lines(const Game& game, std::istream& in, const std::string& name, Book& book) {
  TextLines lines(in);
  std::string line;
  for (int number = 1; lines.next(line); ++number) {
    const std::string text = without_comment(line);
    if (text.empty()) continue;
    book.add([&] { return read_line(game, text, fmt::format("{}:{}", name, number)); });
  }
}

OpeningText opening_of(const Game& game, const TextGame& text, const std::string& where) {
  if (text.variant != game.variant())
    throw OpeningError(
        fmt::format("{} is of {}, the match of {}", where, text.variant, game.variant()));
  OpeningText opening{.start_fen = text.start_fen, .moves = text.moves};
  if (text.opening_plies > 0)
    opening.moves.resize(
        std::min(opening.moves.size(), static_cast<std::size_t>(text.opening_plies)));
  auto position = opening.start_fen.empty() ? game.start() : game.from_fen(opening.start_fen);
  play_moves(*position, opening.moves, where);
  return opening;
}

void read_games(const Game& game, std::istream& in, const std::string& name, Book& book) {
  GameReader reader(in, name, game.variant());
  bool more = true;
  for (int number = 1; more; ++number) {
    std::optional<TextGame> text;
    std::string error;
    try {
      text = reader.next();
      more = text.has_value();
    } catch (const GameTextError& caught) {
      error = caught.what();
    }
    if (!more) break;
    book.add([&] {
      if (!text) throw OpeningError(error);
      return opening_of(game, *text, fmt::format("{}: game {}", name, number));
    });
  }
}

}  // namespace

OpeningText split_position_line(const std::string& line) {
  const std::vector<std::string> words = words_of(line);
  if (words.empty()) return {};
  // The text of a move names a square or is castling; the first field of a FEN has slashes.
  const std::string& first = words.front();
  const bool is_move =
      first.find('/') == std::string::npos &&
      (first.starts_with("O-O") || first.find_first_of("0123456789") != std::string::npos);
  if (is_move) return {.start_fen = {}, .moves = words};
  const auto end = std::ranges::find(words, "moves");
  OpeningText text;
  if (first != "startpos") text.start_fen = fmt::format("{}", fmt::join(words.begin(), end, " "));
  if (end != words.end()) text.moves.assign(end + 1, words.end());
  return text;
}

OpeningFile read_openings(const std::filesystem::path& file, const std::string& variant,
                          bool strict) {
  const Game& game = find_game(variant);
  const std::string name = file.string();
  std::ifstream in(file, std::ios::binary);
  if (!in) throw OpeningError(name + ": cannot be read");
  Book book(strict);
  if (holds_games(in, name))
    read_games(game, in, name, book);
  else
    read_lines(game, in, name, book);
  OpeningFile& read = book.file();
  if (read.openings.empty())
    throw OpeningError(read.refused.count() > 0 ? read.refused.first()
                                                : name + ": contains no openings");
  return std::move(read);
}

}  // namespace faultline
