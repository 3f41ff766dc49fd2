// `faultline board`: a picture of a position and its data.
#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <fstream>
#include <functional>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include <CLI/CLI.hpp>
#include <fmt/core.h>

#include "analysis/marked_board.h"
#include "app/commands.h"
#include "app/position_options.h"
#include "base/quote.h"
#include "picture/svg.h"
#include "play/san.h"
#include "rules/data/game_picture.h"
#include "rules/data/known_games.h"

namespace faultline {
namespace board_command {
namespace {

struct BoardOptions {
  PositionOptions position;
  std::string piece;  // as FEN writes it; "": the position
  std::string svg;    // "": print text; "-": the picture to standard output
  bool flip = false;
};

/// "white to move, in check", or how the game has ended.
std::string state_of(const GamePosition& position) {
  const Outcome outcome = position.outcome();
  if (is_over(outcome)) return "outcome " + std::string(name(outcome));
  return std::string(name(position.side_to_move())) + " to move" +
         (position.in_check() ? ", in check" : "");
}

/// Throws std::runtime_error naming a file that cannot be written.
void write_svg(const std::string& path, const std::string& svg) {
  if (path == "-") {
    fmt::print("{}", svg);
    return;
  }
  std::ofstream file(path, std::ios::binary);
  file << svg << std::flush;
  if (!file)
    throw std::runtime_error(
        "cannot write " + quote(path, 200) +
        "; --svg takes a file in an existing folder, or - for standard output");
}

void print_text(const NamedPosition& named) {
  const GamePosition& position = *named.position;
  std::string picture = position.picture();
  if (named.before_last)
    picture = marked_board(named.before_last->picture(), picture, terminal_marks());
  while (picture.ends_with('\n'))
    picture.pop_back();
  const Outcome outcome = position.outcome();
  fmt::print("{}\n\n", picture);
  if (!named.played.last.empty()) fmt::print("last     {}\n", named.played.last);
  for (const std::string& event : named.played.events)
    fmt::print("event    {}\n", event);
  fmt::print("fen      {}\n", position.fen());
  fmt::print("to move  {}{}\n", name(position.side_to_move()),
             position.in_check() ? ", in check" : "");
  fmt::print("key      {:016x}\n", position.key());
  fmt::print("outcome  {}\n", is_over(outcome) ? name(outcome) : "ongoing");
}

/// How the piece with that letter of FEN moves. Throws UsageError for games and letters without.
BoardPicture diagram_of(const NamedPosition& named, const std::string& letter) {
  const std::string& variant = named.game->variant();
  if (!variant.starts_with(data::kDataPrefix))
    throw UsageError("--piece is for games of files; how the pieces of " + variant +
                     " move is in docs/rules.md");
  const data::GameFile& file = data::known_game(variant.substr(data::kDataPrefix.size()));
  std::string capital = letter;
  std::ranges::transform(capital, capital.begin(),
                         [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  const data::TypeIndex type = file.find_type(capital);
  if (type == data::kNoType) {
    std::string all;
    for (const data::PieceType& piece : file.pieces)
      all += " " + piece.letter;
    throw UsageError(variant + " has no piece " + quote(letter) + "; its pieces are" + all);
  }
  return data::piece_diagram(file, type, letter == capital ? Colour::White : Colour::Black,
                             named.position->piece_kinds());
}

char mark_of(PictureHighlight::Kind kind) {
  switch (kind) {
    case PictureHighlight::Kind::Moves:
      return 'm';
    case PictureHighlight::Kind::Captures:
      return 'c';
    default:
      return '*';
  }
}

/// The squares of a diagram as rows of text, and below them what is written there.
void print_diagram(const BoardPicture& picture) {
  double left = picture.squares.front().centre.x;
  for (const PictureSquare& square : picture.squares)
    left = std::min(left, square.centre.x);
  std::map<double, std::string, std::greater<>> rows;  // by height
  for (const PictureSquare& square : picture.squares) {
    std::string& row = rows[square.centre.y];
    const auto column = static_cast<std::size_t>(std::lround(2 * (square.centre.x - left)));
    row.resize(std::max(row.size(), column + 1), ' ');
    row[column] = '.';
    if (square.piece.exists()) {
      const char letter = picture.kind(square.piece).letter.back();
      row[column] = square.piece.colour == Colour::White
                        ? letter
                        : static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
    }
    for (const PictureHighlight& highlight : picture.highlights)
      if (highlight.square == square.square) row[column] = mark_of(highlight.kind);
  }
  for (const auto& [height, row] : rows)
    fmt::print("  {}\n", row);
  fmt::print("\n* moves and captures, m moves only, c captures only\n\n");
  for (const PictureLabel& label : picture.labels)
    if (label.kind == PictureLabel::Kind::Note) fmt::print("{}\n", label.text);
}

}  // namespace
}  // namespace board_command

void add_board(CLI::App& app) {
  using namespace board_command;
  auto options = std::make_shared<BoardOptions>();
  CLI::App* command = app.add_subcommand("board", "draw a position and print its data");
  add_position_options(*command, options->position);
  command
      ->add_option("--piece", options->piece,
                   "show how this piece of a game of a file moves, on the empty board: A, or a "
                   "for Black's")
      ->excludes("--moves")
      ->excludes("--fen");
  CLI::Option* svg = command->add_option("--svg", options->svg,
                                         "draw it as SVG into this file (- for standard output)");
  command->add_flag("--flip", options->flip, "draw it from Black's side")->needs(svg);
  command->footer(
      "An illegal move in --moves is an error that lists the legal moves from that square. An\n"
      "SVG picture highlights the last of --moves and kings in check. A terminal marks what that "
      "move "
      "has changed: by colour, or by brackets where NO_COLOR is set or TERM is dumb.\n\n"
      "Examples:\n"
      "  faultline board escher\n"
      "  faultline board escher --moves \"e2e4 e7e5 f1c4 c7c5 c3a5\"\n"
      "  faultline board chess --fen \"8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1\"\n"
      "  faultline board earthquake:dx=2 --svg earthquake.svg\n"
      "  faultline board data:grand --piece A");
  command->callback([options, svg] {
    const NamedPosition named = find_position(options->position);
    if (!options->piece.empty()) {
      BoardPicture diagram = diagram_of(named, options->piece);
      if (svg->empty()) return print_diagram(diagram);
      if (options->flip) diagram = seen_from_black(std::move(diagram));
      const std::string title = named.game->variant() + ": piece " + options->piece;
      write_svg(options->svg, board_svg(diagram, {.title = title}));
      return;
    }
    if (svg->empty()) {
      print_text(named);
      return;
    }
    BoardPicture picture = named.position->board_picture();
    if (named.before_last) named.before_last->mark_move(named.last, picture);
    if (options->flip) picture = seen_from_black(std::move(picture));
    const std::string title = named.game->variant() + ": " + state_of(*named.position);
    write_svg(options->svg, board_svg(picture, {.title = title}));
  });
}

}  // namespace faultline
