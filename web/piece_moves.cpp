// Diagrams of pieces.
#include "web/piece_moves.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rules/data/game_picture.h"
#include "rules/position.h"
#include "web/position_setup.h"

namespace faultline::web {
namespace {

struct Reach {
  std::set<Square> moves;
  std::set<Square> captures;
};

ReportJson piece_json(const PieceKind& kind, const std::string& text, const BoardPicture& picture,
                      const Reach& reach, PictureTable& table) {
  ReportJson moves = ReportJson::array(), captures = moves, both = moves;
  for (const Square square : reach.moves)
    (reach.captures.contains(square) ? both : moves).push_back(square);
  for (const Square square : reach.captures)
    if (!reach.moves.contains(square)) captures.push_back(square);
  return {{"letter", kind.letter},
          {"name", kind.name},
          {"shape", std::string(1, table.letter_of(kind))},
          {"text", text},
          {"value", json_number(kind.value / 100.0, 4)},
          {"frame", placement_json(table.place(picture), nullptr)},
          {"moves", std::move(moves)},
          {"captures", std::move(captures)},
          {"both", std::move(both)}};
}

/// What pieces of the families do, for people who know a board and no pieces. What is special about
/// them in a family is among its rulings.
std::string words_for(const std::string& name) {
  static const std::map<std::string, std::string> kWords = {
      {"pawn", "Steps one square straight ahead and captures one square diagonally ahead."},
      {"crab",
       "Steps one square straight or diagonally ahead and captures one square diagonally ahead."},
      {"knight", "Leaps one square straight and one more diagonally outwards, over anything."},
      {"bishop", "Slides diagonally."},
      {"rook", "Slides along ranks and files."},
      {"queen", "Slides along ranks, files and diagonals."},
      {"king", "Steps one square in any direction. It must not be left in check."},
      {"chancellor", "Moves as a rook or as a knight."},
      {"ultra", "Goes one or two squares in any direction, over anything."}};
  const auto found = kWords.find(name);
  return found == kWords.end() ? "" : found->second;
}

/// A game's boards with few pieces on them.
class EmptyBoards {
 public:
  explicit EmptyBoards(const Game& game)
      : game_(&game), cells_(cells_of(game)), start_(game.start()), text_(start_->fen()) {
    text_.drop_rights();
    text_.set_field(0, "w");
    picture_ = start_->board_picture();
    const PicturePoint middle = picture_.levels.front().box.middle();
    for (const PictureSquare& square : picture_.squares) {
      const std::optional<std::size_t> cell = cells_.cell_of(square.square);
      if (!cell || square.level != 0) continue;  // the kings of other levels stay
      text_.put(*cell, "");
      const PicturePoint by = square.centre - middle;
      squares_.emplace_back(by.x * by.x + by.y * by.y, square.square);
    }
    std::ranges::sort(squares_);  // from the middle outwards
  }

  const BoardPicture& picture() const { return picture_; }

  /// The square nearest the middle from which a piece moves most there, and what it reaches from
  /// it; nothing if it does not move.
  std::optional<std::pair<Square, Reach>> reach_of(const PieceKind& kind) const {
    constexpr std::size_t kTried = 16;  // of the squares: others are the same, turned
    std::optional<std::pair<Square, Reach>> best;
    for (std::size_t i = 0; i < std::min(kTried, squares_.size()); ++i) {
      const Square square = squares_[i].second;
      Reach reach{.moves = moves_from(kind, square), .captures = {}};
      if (best && reach.moves.size() <= best->second.moves.size()) continue;
      best = {square, std::move(reach)};
    }
    if (!best || best->second.moves.empty()) return std::nullopt;
    best->second.captures = captures_from(kind, best->first);
    return best;
  }

 private:
  using Pieces = std::map<Square, std::string>;

  static bool is_king(const PieceKind& kind) { return kind.name == "king"; }

  std::unique_ptr<GamePosition> position(const Pieces& pieces) const {
    PositionText text = text_;
    for (const auto& [square, letter] : pieces)
      text.put(*cells_.cell_of(square), letter);
    try {
      return game_->from_fen(text.text());
    } catch (const FenError&) {
      return nullptr;
    }
  }

  /// Placements of the kings that White's piece does not need for itself, far from it: they stand
  /// in the way of some moves, in each elsewhere.
  std::vector<Pieces> kings_beside(const PieceKind& kind, Square square) const {
    constexpr std::size_t kFar = 10;
    std::vector<Square> far;
    for (auto i = squares_.rbegin(); i != squares_.rend() && far.size() < kFar; ++i)
      if (i->second != square) far.push_back(i->second);
    std::vector<Pieces> placements;
    for (const Square black : far) {
      Pieces pieces = {{black, "k"}};
      if (is_king(kind)) {
        placements.push_back(pieces);
        continue;
      }
      for (const Square white : far)
        if (white != black) {
          pieces[white] = "K";
          placements.push_back(pieces);
          pieces.erase(white);
        }
    }
    return placements;
  }

  void add_destinations(const GamePosition& position, Square from, std::set<Square>& found) const {
    for (const Move move : position.legal_moves())
      if (!move.moves_board() && move.from() == from && move.kind() != MoveKind::Castling)
        found.insert(move.to());
  }

  std::set<Square> moves_from(const PieceKind& kind, Square square) const {
    std::set<Square> found;
    for (Pieces pieces : kings_beside(kind, square)) {
      pieces[square] = kind.letter;
      if (const auto at = position(pieces)) add_destinations(*at, square, found);
    }
    return found;
  }

  std::set<Square> captures_from(const PieceKind& kind, Square square) const {
    std::set<Square> found;
    const std::vector<Pieces> kings = kings_beside(kind, square);
    for (const PictureSquare& target : picture_.squares) {
      if (target.square == square || !cells_.cell_of(target.square)) continue;
      if (target.level != 0 && target.piece.exists()) continue;
      for (Pieces pieces : kings) {
        if (found.contains(target.square)) break;
        if (pieces.contains(target.square)) continue;
        pieces[square] = kind.letter;
        for (const char* enemy : {"n", "p", "c"}) {
          pieces[target.square] = enemy;
          const auto at = position(pieces);
          if (at == nullptr) continue;
          std::set<Square> reached;
          add_destinations(*at, square, reached);
          if (reached.contains(target.square)) found.insert(target.square);
          break;
        }
      }
    }
    return found;
  }

  const Game* game_;
  CellSquares cells_;
  std::unique_ptr<GamePosition> start_;
  PositionText text_;  // of the empty board
  BoardPicture picture_;
  std::vector<std::pair<double, Square>> squares_;  // of the first level, with distances
};

}  // namespace

ReportJson drawn_pieces_json(const Game& game, const data::GameFile& file, PictureTable& table) {
  ReportJson list = ReportJson::array();
  const auto start = game.start();
  const PieceKinds& kinds = start->piece_kinds();
  for (std::size_t t = 0; t < file.pieces.size() && t < kinds.size(); ++t) {
    BoardPicture picture =
        data::piece_diagram(file, static_cast<data::TypeIndex>(t), Colour::White, kinds);
    Reach reach;
    for (const PictureHighlight& highlight : picture.highlights) {
      using Kind = PictureHighlight::Kind;
      if (highlight.kind != Kind::Captures) reach.moves.insert(highlight.square);
      if (highlight.kind != Kind::Moves) reach.captures.insert(highlight.square);
    }
    std::erase_if(picture.labels, [](const PictureLabel& label) {
      return label.kind == PictureLabel::Kind::Note;  // the sentences are the text
    });
    std::string text;
    for (std::string sentence : file.pieces[t].sides[0].sentences) {
      if (!sentence.empty())
        sentence[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(sentence[0])));
      text += (text.empty() ? "" : " ") + sentence + ".";
    }
    list.push_back(piece_json(kinds[t], text, picture, reach, table));
  }
  return list;
}

ReportJson generated_pieces_json(const Game& game, PictureTable& table) {
  ReportJson list = ReportJson::array();
  const EmptyBoards boards(game);
  std::set<PieceType> types;
  for (const PictureSquare& square : boards.picture().squares)
    if (square.piece.exists()) types.insert(square.piece.type);
  const auto start = game.start();
  for (const PieceType type : types) {
    const PieceKind& kind = start->piece_kinds()[static_cast<std::size_t>(index(type))];
    const auto reach = boards.reach_of(kind);
    BoardPicture picture = boards.picture();
    picture.highlights.clear();
    for (PictureSquare& square : picture.squares) {
      square.piece = {};
      if (reach && square.square == reach->first) square.piece = {type, Colour::White};
    }
    for (PictureInset& inset : picture.insets)
      inset.piece = {};
    list.push_back(
        piece_json(kind, words_for(kind.name), picture, reach ? reach->second : Reach{}, table));
  }
  return list;
}

}  // namespace faultline::web
