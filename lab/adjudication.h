// Ends games early when both players agree about the result.
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>

#include "rules/types.h"
#include "search/evaluation.h"

namespace faultline {

/// Scores are expected points, 0 … 1: win + draw / 2.
struct Adjudication {
  double win_score = 0;    // a side wins that both players give at least this; 0: never
  int win_moves = 5;       // … for so many consecutive moves of each
  double draw_score = -1;  // a draw if both are within this of ½; below 0: never
  int draw_moves = 10;
  int draw_after = 80;  // plies from the start of the game

  bool any() const { return win_score > 0 || draw_score >= 0; }
};

/// "score=0.95,moves=5": all keys are optional. Throws std::invalid_argument that names the key and
/// what is valid.
void parse_win_adjudication(std::string_view text, Adjudication& rules);
/// "score=0.05,moves=10,after=80".
void parse_draw_adjudication(std::string_view text, Adjudication& rules);
/// "won at 95 % for 5 moves, drawn within 5 % of even for 10 moves from ply 80"; "" if none.
std::string adjudication_text(const Adjudication& rules);

/// The state of one game.
class Adjudicator {
 public:
  explicit Adjudicator(const Adjudication& rules) : rules_(rules) {}

  /// A move of `mover` was played; `value`: what its search found, nothing if it has no opinion,
  /// which is agreement with nobody. `plies`: of the game, with this move. Returns the outcome once
  /// the game is adjudicated: a win, or Outcome::Adjudicated for a draw.
  std::optional<Outcome> after_move(Colour mover, const std::optional<Evaluation>& value,
                                    int plies) {
    if (!value) {
      white_ = black_ = even_ = 0;
      return std::nullopt;
    }
    const double own = value->win + 0.5 * value->draw;
    const double score = mover == Colour::White ? own : 1 - own;
    const auto count = [](int& run, bool holds) { run = holds ? run + 1 : 0; };
    count(white_, rules_.win_score > 0 && score >= rules_.win_score);
    count(black_, rules_.win_score > 0 && score <= 1 - rules_.win_score);
    count(even_, std::abs(score - 0.5) <= rules_.draw_score);
    if (white_ >= 2 * rules_.win_moves) return Outcome::WhiteWins;
    if (black_ >= 2 * rules_.win_moves) return Outcome::BlackWins;
    if (even_ >= 2 * rules_.draw_moves && plies >= rules_.draw_after) return Outcome::Adjudicated;
    return std::nullopt;
  }

 private:
  Adjudication rules_;
  int white_ = 0;  // consecutive plies after which White was winning …
  int black_ = 0;
  int even_ = 0;
};

}  // namespace faultline
