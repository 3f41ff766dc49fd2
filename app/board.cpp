// `faultline board`: a picture of a position and its data.
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/core.h>

#include "app/commands.h"
#include "app/position_options.h"

namespace faultline {

void add_board(CLI::App& app) {
  auto options = std::make_shared<PositionOptions>();
  CLI::App* command = app.add_subcommand("board", "draw a position and print its data");
  add_position_options(*command, *options);
  command->footer(
      "An illegal move in --moves is refused with the legal moves of that square.\n\n"
      "Examples:\n"
      "  faultline board escher\n"
      "  faultline board escher --moves \"e2e4 e7e5 f1c4 c7c5 c3a5\"\n"
      "  faultline board chess --fen \"8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1\"");
  command->callback([options] {
    with_history(*options, [](const auto& history, const auto&) {
      const auto& position = history.position();
      std::string picture = position.picture();
      while (picture.ends_with('\n'))
        picture.pop_back();
      const Outcome outcome = history.outcome();
      fmt::print("{}\n\n", picture);
      fmt::print("fen      {}\n", position.fen());
      fmt::print("to move  {}{}\n", name(position.side_to_move()),
                 position.in_check() ? ", in check" : "");
      fmt::print("key      {:016x}\n", position.key());
      fmt::print("outcome  {}\n", is_over(outcome) ? name(outcome) : "play goes on");
    });
  });
}

}  // namespace faultline
