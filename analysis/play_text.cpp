// The messages of `play`, and the parsing of what the user types.
#include "analysis/play_text.h"

#include <algorithm>
#include <cctype>
#include <utility>

#include <fmt/core.h>
#include <fmt/format.h>

#include "base/nearest_name.h"
#include "base/quote.h"
#include "rules/variant.h"

namespace faultline {
namespace {

const std::vector<std::pair<std::string, std::string>> kCommands = {
    {"moves", "list the legal moves; 'moves e2' those from e2"},
    {"hint", "show the move that the program would play"},
    {"undo", "take back your last move and the reply"},
    {"board", "show the board again"},
    {"fen", "print the position as FEN"},
    {"new", "begin a new game; 'new white', 'new black' to choose your side"},
    {"resign", "resign the game"},
    {"help", "this list"},
    {"quit", "leave"}};

bool is_digit(char c) {
  return std::isdigit(static_cast<unsigned char>(c)) != 0;
}
bool is_letter(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) != 0;
}

}  // namespace

std::string play_help(std::string_view move_examples) {
  std::string text = fmt::format("  a move as text, like {}\n", move_examples);
  text += "  or in algebraic notation, as moves are shown\n";
  for (const auto& [name, meaning] : kCommands)
    text += fmt::format("  {:<13} {}\n", name, meaning);
  return text;
}

std::string outcome_sentence(Outcome outcome, bool mate) {
  switch (outcome) {
    case Outcome::Ongoing:
      return "The game is not over.";
    case Outcome::WhiteWins:
      return mate ? "Checkmate: white wins." : "White wins.";
    case Outcome::BlackWins:
      return mate ? "Checkmate: black wins." : "Black wins.";
    case Outcome::Stalemate:
      return "Stalemate: a draw.";
    case Outcome::BareKings:
      return "Only the kings are left: a draw.";
    case Outcome::FiftyMoveRule:
      return "Too many plies without a capture or a pawn move: a draw.";
    case Outcome::Repetition:
      return "The same position too many times: a draw.";
    case Outcome::Adjudicated:
      return "Cut at the ply limit: a draw.";
  }
  return "";
}

std::string evaluation_text(const Evaluation& evaluation) {
  return fmt::format("win {:.0f} %, draw {:.0f} %, loss {:.0f} %", 100 * evaluation.win,
                     100 * evaluation.draw, 100 * evaluation.loss);
}

std::string_view origin_of(std::string_view text) {
  const auto digit = [&](std::size_t i) { return i < text.size() && is_digit(text[i]); };
  const auto letter = [&](std::size_t i) { return i < text.size() && is_letter(text[i]); };
  std::size_t end = 0;
  while (digit(end))
    ++end;
  const std::size_t file = end;
  while (letter(end))
    ++end;
  const std::size_t rank = end;
  while (digit(end))
    ++end;
  return file == rank || rank == end ? std::string_view() : text.substr(0, end);
}

std::string lower_case(std::string_view typed) {
  std::string text(typed);
  for (char& c : text)
    c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

std::string tidy_move(std::string_view typed) {
  std::string text = lower_case(typed);
  // "e4xd5": no board has a file x.
  std::erase_if(text, [](char c) { return (!is_digit(c) && !is_letter(c)) || c == 'x'; });
  return text;
}

std::vector<std::string> near_moves(std::string_view typed, const std::vector<std::string>& legal) {
  const std::string text = lower_case(typed);
  const auto target_of = [](std::string_view move) {
    move.remove_prefix(origin_of(move).size());
    if (move.starts_with('-')) move.remove_prefix(1);
    return origin_of(move);
  };
  std::vector<std::string> near;
  const std::string_view origin = origin_of(text);
  if (!origin.empty()) {
    for (const std::string& move : legal)
      if (origin_of(move) == origin) near.push_back(move);
    const std::string_view typed_target = target_of(text);
    const std::string_view target = typed_target.empty() ? origin : typed_target;
    if (near.empty())
      for (const std::string& move : legal)
        if (target_of(move) == target) near.push_back(move);
  }
  if (near.empty())
    if (std::string one = nearest_name(text, legal); !one.empty()) near.push_back(std::move(one));
  return near;
}

std::string not_understood(std::string_view typed, const std::vector<std::string>& legal) {
  const std::vector<std::string> near = near_moves(typed, legal);
  if (!origin_of(lower_case(typed)).empty()) {
    if (near.empty())
      return fmt::format("{} is not a legal move here; 'moves' lists those that are.\n",
                         quote(typed));
    return fmt::format("{} is not a legal move here. Near it: {}\n", quote(typed),
                       fmt::join(near, " "));
  }
  std::vector<std::string> names;
  for (const auto& command : kCommands)
    names.push_back(command.first);
  const std::string command = nearest_name(tidy_move(typed), names);
  std::string text = fmt::format("{} is neither a command nor a legal move", quote(typed));
  if (!command.empty())
    text += did_you_mean(command);
  else if (!near.empty())
    text += did_you_mean(near.front());
  else
    text += ".";
  return text + " Type 'help' for the commands, 'moves' for the legal moves.\n";
}

}  // namespace faultline
