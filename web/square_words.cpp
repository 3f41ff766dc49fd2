// Words for squares, and their neighbours.
#include "web/square_words.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/text.h"
#include "web/attacked_squares.h"

namespace faultline::web {
namespace {

// Left, right, up, down.
constexpr std::array<PicturePoint, 4> kWays = {{{-1, 0}, {1, 0}, {0, 1}, {0, -1}}};

/// The nearest square whose direction differs from `way` by 45 degrees at most; null: none.
/// `other_levels`: of those alone, instead of the square's own level.
const PictureSquare* nearest(const BoardPicture& picture, const PictureSquare& from,
                             PicturePoint way, bool other_levels) {
  constexpr double kTolerance = 1e-6;
  const PictureSquare* best = nullptr;
  double least = 0;
  for (const PictureSquare& square : picture.squares) {
    if (square.square == from.square || (square.level != from.level) != other_levels) continue;
    const PicturePoint by = square.centre - from.centre;
    const double along = by.x * way.x + by.y * way.y;
    const double across = std::abs(by.x * way.y - by.y * way.x);
    if (along < kTolerance || across > along + kTolerance) continue;
    const double distance = along + 2 * across;
    if (best != nullptr && distance > least - kTolerance) continue;
    best = &square;
    least = distance;
  }
  return best;
}

/// Where the four arrow keys lead from a square: to the nearest square of its level, else along a
/// link of the board (around a cylinder), else to the next level; -1: nowhere.
ReportJson neighbours(const BoardPicture& picture, const PictureSquare& square,
                      const std::vector<std::array<Square, 4>>& links) {
  ReportJson next = ReportJson::array();
  for (std::size_t way = 0; way < kWays.size(); ++way) {
    const PictureSquare* found = nearest(picture, square, kWays.at(way), false);
    if (found == nullptr && square.square < links.size())
      if (const Square to = links[square.square].at(way); to != kNoSquare) found = picture.find(to);
    if (found == nullptr) found = nearest(picture, square, kWays.at(way), true);
    next.push_back(found == nullptr ? -1 : static_cast<int>(found->square));
  }
  return next;
}

bool is_at(PicturePoint a, PicturePoint b) {
  constexpr double kClose = 1e-3;
  return std::abs(a.x - b.x) < kClose && std::abs(a.y - b.y) < kClose;
}

/// "", or ", carried to a4, b3 by staircases": where the staircases through the square lead.
std::string staircase_words(const BoardPicture& picture, const PictureSquare& square) {
  std::string words;
  for (const PictureMark& mark : picture.marks) {
    if (mark.kind != PictureMark::Kind::Staircase) continue;
    for (std::size_t i = 0; i < mark.points.size(); ++i) {
      if (!is_at(mark.points[i], square.centre)) continue;
      const PicturePoint next = mark.points[(i + 1) % mark.points.size()];
      for (const PictureSquare& other : picture.squares)
        if (is_at(other.centre, next)) words += (words.empty() ? "" : " and ") + other.name;
    }
  }
  return words.empty() ? "" : ", staircase to " + words;
}

/// What both sides attack, in words.
class AttackWords {
 public:
  AttackWords(const Game& game, const GamePosition& position)
      : attacks_{attacks_of(game, position, Colour::White),
                 attacks_of(game, position, Colour::Black)} {}

  std::string of(const PictureSquare& square) const {
    const auto by = [&](Colour c, const std::string& name) {
      const Attacks& attacks = attacks_.at(static_cast<std::size_t>(index(c)));
      if (!std::ranges::binary_search(attacks.squares, square.square)) return std::string();
      return name + (std::ranges::binary_search(attacks.twice, square.square) ? " twice" : "");
    };
    const std::string white = by(Colour::White, "white"), black = by(Colour::Black, "black");
    if (!square.piece.exists()) {
      if (white.empty() && black.empty()) return "";
      return ", attacked by " + white + (white.empty() || black.empty() ? "" : " and ") + black;
    }
    const bool is_white = square.piece.colour == Colour::White;
    const std::string& enemy = is_white ? black : white;
    return (enemy.empty() ? "" : ", attacked by " + enemy) +
           ((is_white ? white : black).empty() ? "" : ", protected");
  }

 private:
  std::array<Attacks, 2> attacks_;
};

}  // namespace

ReportJson squares_json(const Game& game, const GamePosition& position) {
  const BoardPicture picture = position.board_picture();
  const std::vector<std::array<Square, 4>> links = links_of(game);
  const AttackWords attacks(game, position);
  std::map<Square, int> moves;  // of the pieces of the side to move
  std::map<Square, std::vector<std::string>> takers;
  if (!is_over(position.outcome()))
    for (const Move move : position.legal_moves()) {
      if (move.moves_board() || move.is_drop()) continue;
      ++moves[move.from()];
      if (move.kind() == MoveKind::Castling || !position.piece_at(move.to()).exists()) continue;
      std::vector<std::string>& of_square = takers[move.to()];
      const std::string taker = picture.kind(position.piece_at(move.from())).name + " " +
                                position.square_text(move.from());
      if (std::ranges::find(of_square, taker) == of_square.end()) of_square.push_back(taker);
    }
  ReportJson list = ReportJson::array();
  for (const PictureSquare& square : picture.squares) {
    std::string says = "empty";
    if (square.piece.exists())
      says = std::string(name(square.piece.colour)) + " " + picture.kind(square.piece).name;
    says += attacks.of(square);
    if (const auto found = takers.find(square.square); found != takers.end()) {
      std::string names;
      for (const std::string& taker : found->second)
        names += (names.empty() ? "" : ", ") + taker;
      says += ", can be taken by " + names;
    }
    if (const auto found = moves.find(square.square); found != moves.end())
      says += ", " + counted(found->second, "move");
    for (const PictureHighlight& highlight : picture.highlights)
      if (highlight.square == square.square && highlight.kind == PictureHighlight::Kind::Check)
        says += ", in check";
    says += staircase_words(picture, square);
    list.push_back({{"number", square.square},
                    {"name", square.name},
                    {"says", std::move(says)},
                    {"next", neighbours(picture, square, links)}});
  }
  return {{"squares", std::move(list)}};
}

}  // namespace faultline::web
