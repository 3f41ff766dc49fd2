// Declares the options behind PositionOptions, and words the error for an illegal move.
#include "app/position_options.h"

#include <algorithm>

#include <CLI/CLI.hpp>
#include <fmt/core.h>
#include <fmt/format.h>

#include "analysis/play_text.h"
#include "app/commands.h"
#include "base/quote.h"
#include "base/text.h"

namespace faultline {

void add_position_options(CLI::App& command, PositionOptions& options) {
  command.add_option("VARIANT", options.variant, kVariantHelp)->required();
  command.add_option("--fen", options.fen, "the position, in quotes (default: the start)");
  command.add_option("--moves", options.moves,
                     "moves to play from there, in quotes, e.g. \"e2e4 e7e5\" or \"e4 e5\"");
}

void refuse_move(const std::string& text, std::size_t index, const std::string& fen,
                 const std::vector<std::string>& legal) {
  constexpr std::size_t kLongestSquare = 6;
  std::string_view origin = origin_of(text);
  if (origin.size() > kLongestSquare) origin = {};
  std::vector<std::string> near;
  for (const std::string& move : legal)
    if (!origin.empty() && origin_of(move) == origin) near.push_back(move);

  std::string hint;
  if (legal.empty())
    hint = "there are no legal moves, the game is over";
  else if (!near.empty())
    hint = fmt::format("legal from {}: {}", origin, fmt::join(near, " "));
  else
    hint = fmt::format("{}the legal moves are: {}",
                       origin.empty() ? "" : fmt::format("no legal move leaves {}; ", origin),
                       fmt::join(legal, " "));
  throw UsageError(fmt::format("move {} of --moves, {}, is not legal in {}\n  {}", index,
                               quote(text), fen, hint));
}

std::vector<std::string> sorted_move_texts(const GamePosition& position) {
  std::vector<std::string> texts;
  for (const Move move : position.legal_moves())
    texts.push_back(position.move_text(move));
  std::ranges::sort(texts);
  return texts;
}

NamedPosition find_position(const PositionOptions& options) {
  const Game& game = find_game(options.variant);
  NamedPosition named{.game = &game,
                      .position = options.fen.empty() ? game.start() : game.from_fen(options.fen),
                      .before_last = nullptr};
  const auto start = named.position->clone();
  std::vector<Move> moves;
  for (const std::string& text : split_words(options.moves)) {
    const auto move = parse_san(*named.position, text);
    if (!move)
      refuse_move(text, moves.size() + 1, named.position->fen(),
                  sorted_move_texts(*named.position));
    named.before_last = named.position->clone();
    named.last = *move;
    named.position->play(*move);
    moves.push_back(*move);
  }
  named.played = describe_moves(*start, moves);
  return named;
}

}  // namespace faultline
