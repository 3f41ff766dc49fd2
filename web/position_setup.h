// Positions set up by hand: which part of a position's text says what stands on which square is
// found out by reading texts that differ in it, so that every game's texts will do.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "play/game.h"
#include "report/report_json.h"

namespace faultline::web {

/// A position's text with its pieces one by one. The text need not be one of a position.
class PositionText {
 public:
  explicit PositionText(const std::string& fen);

  std::string text() const;
  std::size_t size() const { return cells_.size(); }
  /// "" of an empty cell, "*" of one without a square, else letters as in FEN: "P", "+r".
  const std::string& at(std::size_t cell) const { return cells_[cell].piece; }
  void put(std::size_t cell, std::string piece) { cells_[cell].piece = std::move(piece); }
  /// Of the fields after the pieces, from 0: side, castling, en passant; "" if there is none.
  std::string field(std::size_t number) const;
  void set_field(std::size_t number, std::string text);
  /// How often a side holds a piece in hand, by its letter in FEN, "P" or "p".
  int held(char letter) const;
  /// Takes it in hand once more, or puts one away, if there is any.
  void hold(char letter, bool more);
  /// No castling and no en passant: rights need pieces where they stood.
  void drop_rights();

 private:
  struct Cell {
    std::string piece;
    char after = 0;  // '/' or '|': ends a row or a board
  };
  std::vector<Cell> cells_;
  std::optional<std::string> hands_;  // what is in brackets
  std::vector<std::string> fields_;
};

/// The square of each cell of a game's texts; kNoSquare where there is none (holes).
class CellSquares {
 public:
  /// Learns from a position; what is not known afterwards has no square in it.
  void learn(const Game& game, const GamePosition& position);
  std::optional<std::size_t> cell_of(Square square) const;
  Square square_of(std::size_t cell) const {
    return cell < squares_.size() ? squares_[cell] : kNoSquare;
  }

 private:
  std::vector<Square> squares_;
};

/// The cells' squares of a game, learnt from its start once.
CellSquares cells_of(const Game& game);

/// The reply to `setup`.
ReportJson setup_json(const ReportJson& request);

}  // namespace faultline::web
