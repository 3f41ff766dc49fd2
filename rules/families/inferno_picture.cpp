// Inferno Chess (docs/rules.md): pictures of its levels, side by side.
#include <string>
#include <utility>

#include "rules/board_picture.h"
#include "rules/families/inferno.h"
#include "rules/generator.h"
#include "rules/square_text.h"

namespace faultline {

namespace {

// From one level's corner to the next one's: with space for labels and a title.
constexpr double kAcross = 9.5;
constexpr double kDown = 10.1;
constexpr double kSide = 8;

/// Up to three side by side, four as two by two. The first level is at the top left.
PicturePoint corner_of(int level, int levels) {
  const int columns = levels == 4 ? 2 : levels < 3 ? levels : 3;
  const int column = level % columns;
  const int row = level / columns;
  return {column * kAcross, -row * kDown};
}

PicturePoint at(PicturePoint corner, int file, int rank) {
  return corner + PicturePoint{static_cast<double>(file), static_cast<double>(rank)};
}

}  // namespace

BoardPicture InfernoPosition::board_picture() const {
  constexpr int kHoleStart = 2;  // the hole begins at file c and rank 3
  constexpr double kTitleDistance = 0.45;
  BoardPicture picture;
  for (int level = 0; level < levels_; ++level) {
    const PicturePoint corner = corner_of(level, levels_);
    const auto first_of_level = static_cast<Square>(level * kLevelSquares);
    const std::string digit = std::to_string(level + 1);
    picture.levels.push_back({{corner, corner + PicturePoint{kSide, kSide}}});
    for (Square s = 0; s < kLevelSquares; ++s) {
      const int file = s % 8;
      const int rank = s / 8;
      const PicturePoint low = at(corner, file, rank);
      if (!contains(hole(level), s)) {
        picture.add_square(static_cast<Square>(first_of_level + s), digit + square_name(s), level,
                           low, checkered(file, rank), board(level).at(s));
        continue;
      }
      picture.areas.push_back({PictureArea::Kind::Hole, digit + square_name(s), level,
                               rectangle_at(low), checkered(file, rank)});
      for (const int right : {0, 1})
        for (const int up : {0, 1}) {
          const int below_file = 2 * (file - kHoleStart) + right;
          const int below_rank = 2 * (rank - kHoleStart) + up;
          const auto below = static_cast<Square>(below_rank * 8 + below_file);
          const bool falls_on = contains(hole(level + 1), below);
          const auto global = static_cast<Square>(first_of_level + kLevelSquares + below);
          picture.insets.push_back(
              {falls_on ? kNoSquare : global, level,
               rectangle_at(low + PicturePoint{0.5 * right, 0.5 * up}, 0.5, 0.5),
               checkered(below_file, below_rank), falls_on ? Piece{} : board(level + 1).at(below)});
        }
    }
    picture.add_files(level, 8, corner + PicturePoint{0.5, -kPictureLabelDistance});
    picture.add_ranks(level, 1, 8, corner + PicturePoint{-kPictureLabelDistance, 0.5});
    const std::string title = "level " + digit +
                              (levels_ == 1        ? ""
                               : level == 0        ? ", the outermost"
                               : is_deepest(level) ? ", the deepest"
                                                   : "");
    picture.labels.push_back({PictureLabel::Kind::Title, level, title,
                              corner + PicturePoint{0, kSide + kTitleDistance}});

    const OrthodoxBoard& here = board(level);
    for_each_square(here.of(side_, PieceType::King), [&](Square king) {
      if (any(attackers(square_board_tables(), here, king, ~side_, here.occupied())))
        picture.highlight(static_cast<Square>(first_of_level + king),
                          PictureHighlight::Kind::Check);
    });
  }
  if (levels_ < start_levels_) {
    const PicturePoint corner = corner_of(levels_ - 1, levels_);
    picture.labels.push_back(
        {PictureLabel::Kind::Note,
         levels_ - 1,
         std::to_string(levels_) + " of " + std::to_string(start_levels_) + " levels left",
         {0, corner.y - 1.1}});
  }
  return picture;
}

void InfernoPosition::mark_move(Move move, BoardPicture& after) const {
  // If levels vanish the others are renumbered, and the pieces may be gone.
  if (after.levels.size() != levels_) return;
  after.highlight(move.from(), PictureHighlight::Kind::MoveFrom);
  after.highlight(move.to(), PictureHighlight::Kind::MoveTo);
}

}  // namespace faultline
