// The settings of adjudication.
#include "lab/adjudication.h"

#include <fmt/format.h>

#include "base/options.h"
#include "base/settings_text.h"
#include "base/text.h"

namespace faultline {
namespace {

/// More moves than any game has would never adjudicate.
constexpr double kMostMoves = 10'000;

}  // namespace

void parse_win_adjudication(std::string_view text, Adjudication& rules) {
  rules.win_score = 0.95;
  assign_settings({{"score", &rules.win_score, Range{0.5, 1},
                    "Expected score that both players must give the winner."},
                   {"moves", &rules.win_moves, Range{1, kMostMoves},
                    "Consecutive moves of each player for which they must agree."}},
                  text, ',', "--adjudicate-win");
}

void parse_draw_adjudication(std::string_view text, Adjudication& rules) {
  rules.draw_score = 0.05;
  assign_settings({{"score", &rules.draw_score, Range{0, 0.5},
                    "Largest distance from 1/2 of the expected scores of both players."},
                   {"moves", &rules.draw_moves, Range{1, kMostMoves},
                    "Consecutive moves of each player for which they must agree."},
                   {"after", &rules.draw_after, Range{0, 100'000},
                    "Plies from the start of the game before which no game is drawn."}},
                  text, ',', "--adjudicate-draw");
}

std::string adjudication_text(const Adjudication& rules) {
  std::string text;
  if (rules.win_score > 0)
    text = fmt::format("won at {:g} % for {}", 100 * rules.win_score,
                       counted(rules.win_moves, "move"));
  if (rules.draw_score >= 0)
    text +=
        fmt::format("{}drawn within {:g} % of even for {} from ply {}", text.empty() ? "" : ", ",
                    100 * rules.draw_score, counted(rules.draw_moves, "move"), rules.draw_after);
  return text;
}

}  // namespace faultline
