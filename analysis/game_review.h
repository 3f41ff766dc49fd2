// Reviews a game: what each move lost by the analysis of the positions before and after it.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "analysis/position_analysis.h"
#include "play/game.h"
#include "play/game_text.h"

namespace faultline {

/// A mistake's mark, by what it lost of the expected score (win + draw / 2).
struct MistakeMark {
  double loss;       // at least
  const char* mark;  // "?!"
  int glyph;         // as a numeric annotation glyph
};
inline constexpr std::array<MistakeMark, 3> kMistakeMarks = {
    {{0.20, "??", 4}, {0.10, "?", 2}, {0.05, "?!", 6}}};

struct PlyReview {
  std::string number;  // "12." or "12..."
  std::string played;
  std::string best;  // "" if the game was over before, by a rule that other programs do not apply
  std::string played_notation, best_notation;  // as in the game's text (play/san.h)
  std::string announcement;                    // of what the move played did to the board
  Colour mover = Colour::White;
  double before = 0;  // expected score of the mover with the best move
  double after = 0;   // and after the move
  double loss = 0;    // 0 if the best move was played
  const MistakeMark* mistake = nullptr;
  bool opening = false;   // not the player's own move: neither marked nor counted
  Evaluation value = {};  // before the move, for the mover
  std::uint32_t visits = 0;
};

struct SideSummary {
  int moves = 0;
  int best = 0;  // moves that were the best
  std::array<int, kMistakeMarks.size()> mistakes{};
  double loss = 0;  // the sum

  double mean_loss() const { return moves > 0 ? loss / moves : 0; }
};

struct GameReview {
  std::vector<PlyReview> plies;  // fewer than the game's if the analysis was stopped
  std::array<SideSummary, 2> sides;
};

/// All positions of a game, the start first, the final one last; throws GameTextError for moves
/// that are not legal.
std::vector<std::unique_ptr<GamePosition>> positions_of(const Game& rules, const TextGame& game);

/// `analyses`: of positions_of(game), one each.
GameReview review_game(const TextGame& game,
                       const std::vector<std::unique_ptr<GamePosition>>& positions,
                       const std::vector<PositionAnalysis>& analyses);

/// The game with values, marks and better moves as comments.
TextGame annotated(TextGame game, const GameReview& review);

}  // namespace faultline
