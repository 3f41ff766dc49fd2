// `faultline board`: a picture of a position and its data.
#include <cctype>
#include <cstdio>
#include <fstream>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

#include <CLI/CLI.hpp>
#include <fmt/core.h>

#include "app/commands.h"
#include "app/marked_board.h"
#include "app/position_options.h"
#include "base/quote.h"
#include "picture/svg.h"
#include "play/san.h"
#include "rules/data/game_picture.h"
#include "rules/data/known_games.h"
#include "rules/families.h"

namespace faultline {
namespace board_command {
namespace {

struct BoardOptions {
  PositionOptions position;
  std::string svg;    // "": print text; "-": the picture to standard output
  std::string piece;  // the letter of a piece to draw instead of the position
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

/// The moves of the piece with that letter, lower case for Black's. Throws UsageError.
BoardPicture diagram_of(const Game& game, const std::string& letter) {
  const std::string& variant = game.variant();
  if (!variant.starts_with(data::kDataPrefix))
    throw UsageError("--piece is for games of files; " + variant + " is none");
  const data::GameFile& file = data::known_game(variant.substr(data::kDataPrefix.size()));
  std::string upper = letter;
  for (char& c : upper)
    c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  const data::TypeIndex type = file.find_type(upper);
  if (type == data::kNoType) {
    std::string letters;
    for (const data::PieceType& piece : file.pieces)
      letters += (letters.empty() ? "" : ", ") + piece.letter;
    throw UsageError("--piece " + quote(letter) + " is no piece of " + variant + ": " + letters);
  }
  return data::piece_diagram(file, type, upper == letter ? Colour::White : Colour::Black,
                             piece_kinds_of(variant));
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

}  // namespace
}  // namespace board_command

void add_board(CLI::App& app) {
  using namespace board_command;
  auto options = std::make_shared<BoardOptions>();
  CLI::App* command = app.add_subcommand("board", "draw a position and print its data");
  add_position_options(*command, options->position);
  CLI::Option* svg = command->add_option("--svg", options->svg,
                                         "draw it as SVG into this file (- for standard output)");
  command
      ->add_option("--piece", options->piece,
                   "draw how a piece moves instead, by its letter (lower case: Black's)")
      ->needs(svg);
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
      "  faultline board data:grand --piece A --svg archbishop.svg");
  command->callback([options, svg] {
    const NamedPosition named = find_position(options->position);
    if (svg->empty()) {
      print_text(named);
      return;
    }
    const bool is_diagram = !options->piece.empty();
    BoardPicture picture =
        is_diagram ? diagram_of(*named.game, options->piece) : named.position->board_picture();
    if (named.before_last && !is_diagram) named.before_last->mark_move(named.last, picture);
    if (options->flip) picture = seen_from_black(std::move(picture));
    const std::string title =
        named.game->variant() + ": " + (is_diagram ? options->piece : state_of(*named.position));
    write_svg(options->svg, board_svg(picture, {.title = title}));
  });
}

}  // namespace faultline
