// What each move of a game lost.
#include "analysis/game_review.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include <fmt/format.h>

#include "base/quote.h"
#include "play/san.h"

namespace faultline {
namespace {

/// The expected score of the side to move.
double expected_score(const GamePosition& position, const PositionAnalysis& analysis) {
  if (is_over(analysis.outcome))
    return (1.0 + score_for(analysis.outcome, position.side_to_move())) / 2;
  return analysis.report.value.win + analysis.report.value.draw / 2.0;
}

const MistakeMark* mark_of(double loss) {
  constexpr double kRounding = 1e-6;  // 0.1 in floating point
  const auto* const found = std::ranges::find_if(
      kMistakeMarks, [&](const MistakeMark& mark) { return loss >= mark.loss - kRounding; });
  return found != kMistakeMarks.end() ? found : nullptr;
}

}  // namespace

std::vector<std::unique_ptr<GamePosition>> positions_of(const Game& rules, const TextGame& game) {
  std::vector<std::unique_ptr<GamePosition>> positions;
  positions.push_back(game.start_fen.empty() ? rules.start() : rules.from_fen(game.start_fen));
  for (const std::string& text : game.moves) {
    const auto move = positions.back()->parse_move(text);
    if (!move)
      throw GameTextError(
          fmt::format("{} is not legal in {}", quote(text), positions.back()->fen()));
    positions.push_back(positions.back()->clone());
    positions.back()->play(*move);
  }
  return positions;
}

GameReview review_game(const TextGame& game,
                       const std::vector<std::unique_ptr<GamePosition>>& positions,
                       const std::vector<PositionAnalysis>& analyses) {
  GameReview review;
  for (std::size_t i = 0; i + 1 < positions.size(); ++i) {
    const PositionAnalysis& before = analyses[i];
    if (!before.done || !analyses[i + 1].done) break;
    const GamePosition& position = *positions[i];
    PlyReview ply;
    ply.mover = position.side_to_move();
    ply.number =
        fmt::format("{}{}", position.full_move_number(), ply.mover == Colour::White ? "." : "...");
    ply.played = game.moves[i];
    const Move played = position.parse_move(ply.played).value();  // positions_of has checked it
    ply.played_notation = san_text(position, played);
    ply.announcement = position.board_effects(played).announcement;
    ply.opening = i < static_cast<std::size_t>(std::max(game.opening_plies, 0));
    ply.before = expected_score(position, before);
    const GamePosition& next = *positions[i + 1];
    const double score = expected_score(next, analyses[i + 1]);
    ply.after = next.side_to_move() == ply.mover ? score : 1 - score;
    if (!is_over(before.outcome)) {
      const Move best = before.report.lines.front().moves.front();
      ply.best = position.move_text(best);
      ply.best_notation = san_text(position, best);
      ply.value = before.report.value;
      ply.visits = before.report.visits;
      if (ply.best != ply.played) ply.loss = std::max(0.0, ply.before - ply.after);
      if (!ply.opening) {
        SideSummary& side = review.sides.at(static_cast<std::size_t>(index(ply.mover)));
        ++side.moves;
        side.best += ply.best == ply.played ? 1 : 0;
        side.loss += ply.loss;
        ply.mistake = mark_of(ply.loss);
        if (ply.mistake != nullptr)
          ++side.mistakes.at(static_cast<std::size_t>(ply.mistake - kMistakeMarks.data()));
      }
    }
    review.plies.push_back(std::move(ply));
  }
  return review;
}

TextGame annotated(TextGame game, const GameReview& review) {
  game.comments.resize(game.moves.size());
  for (std::size_t i = 0; i < review.plies.size(); ++i) {
    const PlyReview& ply = review.plies[i];
    if (ply.best.empty()) continue;
    MoveComment comment{.value = ply.value, .visits = ply.visits};
    comment.text = std::move(game.comments[i].text);
    comment.glyph = ply.mistake != nullptr ? ply.mistake->glyph : 0;
    if (ply.mistake != nullptr) {
      if (!comment.text.empty()) comment.text += "; ";
      comment.text += fmt::format("loses {:.0f} %, best was {}", 100 * ply.loss, ply.best_notation);
    }
    game.comments[i] = std::move(comment);
  }
  return game;
}

}  // namespace faultline
