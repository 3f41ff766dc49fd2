// Squares of a board by name, and zones: "rank 2, a1-c3".
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "rules/data/game_file.h"

namespace faultline::data {

/// The squares of a board whose rows are known.
class Zones {
 public:
  Zones() = default;
  explicit Zones(const Board& board);

  /// The squares of a zone, or what is wrong with the text.
  struct Read {
    SquareSet squares;
    std::string error;
  };
  Read read(std::string_view zone) const;
  /// Squares with spaces or commas between, in their order, or what is wrong with the text.
  struct ReadList {
    std::vector<Square> squares;
    std::string error;
  };
  ReadList read_list(std::string_view squares) const;

  /// The zone as it looks from the other side. Cells without squares drop out.
  SquareSet mirrored(const SquareSet& zone) const;
  Square mirrored(Square square) const;
  const SquareSet& all() const { return all_; }
  std::string name(Square square) const;
  /// kNoSquare if there is none.
  Square find(std::string_view name) const;
  /// "a1 b1 c1", or how many there are of more than twelve.
  std::string text(const SquareSet& zone) const;
  std::string text(const std::vector<Square>& squares) const;
  /// "files a to h, ranks 1 to 8".
  std::string description() const;

  struct Place {
    int row = 0;  // from White's side
    int column = 0;
    int level = 0;
  };
  Place place(Square square) const;
  /// kNoSquare if no square is there.
  Square at(Place place) const;
  /// The smallest rectangle around squares, on whatever levels; empty if there are none.
  struct Box {
    int row = 0;  // the lowest
    int column = 0;
    int width = 0;
    int height = 0;
  };
  Box box(const SquareSet& zone) const;
  int rows() const { return static_cast<int>(rows_.size()); }
  int columns() const { return rows_.empty() ? 0 : static_cast<int>(rows_[0].size()); }
  int levels() const { return levels_; }

 private:
  SquareSet where(const std::function<bool(const Cell&, Place)>& wanted) const;
  Read read_item(std::string_view item) const;

  std::vector<std::vector<Cell>> rows_;
  std::vector<Place> places_;  // of the squares of one level
  int squares_ = 0;
  int levels_ = 1;
  bool turned_ = false;
  SquareSet all_;
};

/// The letters at the start of a square's name.
std::string_view file_of(std::string_view name);

}  // namespace faultline::data
