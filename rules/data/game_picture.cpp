// Diagrams of how a piece moves.
#include "rules/data/game_picture.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "rules/data/board_build.h"
#include "rules/data/board_layout.h"
#include "rules/data/routes.h"

namespace faultline::data {
namespace {

struct Range {
  SquareSet moves;
  SquareSet captures;
  std::size_t count() const { return (moves | captures).count(); }
};

/// By the square, of the first level. `missing`: squares that do not exist.
std::vector<Range> ranges(const GameFile& file, const PieceType& type, const PieceSide& side,
                          const SquareSet& missing) {
  const CellBoard cells = build_cells(file.board);
  std::vector<Range> ranges(static_cast<std::size_t>(file.board.squares));
  for (const Leg& leg : side.legs)
    for (const Route& route :
         routes_of(file.board, cells, leg, type.crosses_barriers_sideways, 0)) {
      if (std::ranges::any_of(route.empty, [&](Square s) { return missing[s]; })) continue;
      Range& range = ranges[route.from];
      if (leg.moves && route.hurdle.empty()) range.moves.set(route.to);
      if (leg.captures || leg.en_passant) range.captures.set(route.to);
    }
  return ranges;
}

/// Lines of at most so many characters.
std::vector<std::string> wrapped(const std::string& text, std::size_t width) {
  std::vector<std::string> lines = {""};
  std::size_t begin = 0;
  while (begin < text.size()) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    const std::string word = text.substr(begin, end - begin);
    if (!lines.back().empty() && lines.back().size() + 1 + word.size() > width)
      lines.emplace_back();
    lines.back() += (lines.back().empty() ? "" : " ") + word;
    begin = end + 1;
  }
  return lines;
}

}  // namespace

BoardPicture piece_diagram(const GameFile& file, TypeIndex type, Colour colour,
                           const PieceKinds& kinds) {
  const PieceType& piece = file.pieces[type];
  const PieceSide& side = piece.sides[static_cast<std::size_t>(index(colour))];
  const BoardGraph graph = build_graph(file.board, build_cells(file.board));
  BoardState state{.missing = {}, .levels = 1, .places = {}};
  for (const Part& part : file.board.parts)
    state.places.push_back({part.files, part.ranks});
  state.missing |= build_cells(file.board).covered;
  if (file.board.sectors)
    for (const int gap : file.board.sectors->gaps)
      for (const Square s : file.board.sectors->areas[static_cast<std::size_t>(gap)])
        state.missing.set(s);
  BoardPicture picture = BoardLayout(file, graph, state).draw();
  std::erase_if(picture.marks,
                [](const PictureMark& mark) { return mark.kind == PictureMark::Kind::Staircase; });
  picture.kinds = &kinds;

  const std::vector<Range> from = ranges(file, piece, side, state.missing);
  const PicturePoint middle = picture.levels.front().box.middle();
  // Where it ranges most of what the board allows, the nearest to the middle.
  const PictureSquare* best = nullptr;
  double nearest = 0;
  for (const PictureSquare& square : picture.squares) {
    if (from[square.square].count() == 0) continue;
    const PicturePoint by = square.centre - middle;
    const double distance = by.x * by.x + by.y * by.y;
    if (best != nullptr && distance >= nearest) continue;
    best = &square;
    nearest = distance;
  }
  if (best == nullptr) return picture;
  const Square on = best->square;
  const Range& range = from[on];
  for (PictureSquare& square : picture.squares) {
    if (square.square == on) square.piece = {static_cast<faultline::PieceType>(type), colour};
    if (square.square == on) continue;
    using enum PictureHighlight::Kind;
    const bool moves = range.moves[square.square];
    const bool captures = range.captures[square.square];
    if (moves || captures)
      picture.highlights.push_back({square.square, moves && captures ? Both
                                                   : moves           ? Moves
                                                                     : Captures});
  }
  const PictureBox& box = picture.levels.front().box;
  constexpr double kLine = 0.5;
  constexpr double kCharactersOfSquare = 4.2;
  double y = box.low.y - (file.board.parts.empty() ? 1.1 : 1.5);
  const auto width =
      static_cast<std::size_t>(std::max(24.0, (box.high.x - box.low.x) * kCharactersOfSquare));
  const auto add = [&](const std::string& text) {
    for (const std::string& line : wrapped(text, width)) {
      picture.labels.push_back({PictureLabel::Kind::Note, 0, line, {box.low.x, y}});
      y -= kLine;
    }
  };
  add(piece.name + " (" + piece.letter + ")");
  for (const std::string& sentence : side.sentences)
    add(sentence);
  return picture;
}

}  // namespace faultline::data
