// A match's games as text.
#include "lab/match_game_text.h"

#include <fmt/format.h>

#include "play/game.h"

namespace faultline {
namespace {

std::string reason_text(const MatchGame& game, bool cut_is_draw) {
  switch (game.ending) {
    case MatchEnding::Forfeit:
      return game.failure;
    case MatchEnding::Adjudicated:
      return "adjudicated: both players agreed";
    case MatchEnding::Cut:
      return fmt::format("cut after {} plies{}", game.plies(),
                         cut_is_draw ? ", which counts as a draw" : "");
    case MatchEnding::Rules:
      break;
  }
  return std::string(reason_of(game.outcome));
}

}  // namespace

TextGame text_of(const MatchGame& game, const std::string& variant,
                 const std::array<std::string, 2>& names, const std::string& event, CutGames cut) {
  const std::size_t white = game.first_colour == Colour::White ? 0 : 1;
  const bool cut_is_draw = cut == CutGames::Draws;
  TextGame text{.variant = variant,
                .white = names[white],
                .black = names[1 - white],
                .start_fen = game.start_fen,
                .moves = game.opening,
                .opening_plies = static_cast<int>(game.opening.size())};
  text.moves.insert(text.moves.end(), game.moves.begin(), game.moves.end());
  text.comments.resize(game.opening.size());
  text.comments.insert(text.comments.end(), game.comments.begin(), game.comments.end());
  text.result = game.outcome == Outcome::WhiteWins   ? GameResult::WhiteWins
                : game.outcome == Outcome::BlackWins ? GameResult::BlackWins
                                                     : GameResult::Draw;
  text.reason = reason_text(game, cut_is_draw);
  switch (game.ending) {
    case MatchEnding::Rules:
      text.termination = Termination::Normal;
      break;
    case MatchEnding::Adjudicated:
      text.termination = Termination::Adjudicated;
      break;
    case MatchEnding::Forfeit:
      text.termination = Termination::Forfeit;
      break;
    case MatchEnding::Cut:
      text.termination = cut_is_draw ? Termination::Adjudicated : Termination::Cut;
      if (!cut_is_draw) text.result = GameResult::None;
      break;
  }
  text.tags = {{"Event", event},
               {"Round", fmt::format("{}.{}", game.number / 2 + 1, game.number % 2 + 1)}};
  for (std::size_t i = 0; i < 2; ++i)
    if (game.strategies.at(i).follows)
      text.tags.emplace_back(i == white ? "WhiteLimitsLifted" : "BlackLimitsLifted",
                             fmt::format("{}", game.strategies.at(i).lifted));
  return text;
}

}  // namespace faultline
