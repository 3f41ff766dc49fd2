// Legal moves with what distinguishes them for a page that knows squares alone.
#include "web/legal_moves.h"

#include <array>
#include <cctype>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "base/json_text.h"
#include "play/san.h"
#include "report/game_frames.h"
#include "web/attacked_squares.h"

namespace faultline::web {
namespace {

bool has_origin(Move move) {
  return !move.moves_board() && !move.is_drop();
}
int from_of(Move move) {
  return has_origin(move) ? move.from() : -1;
}
int to_of(Move move) {
  return move.moves_board() ? -1 : move.to();
}

const PieceKind& kind_of(const GamePosition& position, PieceType type) {
  return position.piece_kinds()[static_cast<std::size_t>(index(type))];
}

/// From where to where a part of the board moves: the arrow of its picture, or else from one of its
/// squares to where that is carried.
std::optional<std::array<PicturePoint, 2>> arrow_of(const GamePosition& position,
                                                    const BoardPicture& picture, Move move) {
  BoardPicture marked = picture;
  position.mark_move(move, marked);
  for (const PictureMark& mark : marked.marks)
    if (mark.kind == PictureMark::Kind::BoardMove)
      return std::array<PicturePoint, 2>{mark.points.front(), mark.points.back()};
  if (!move.has_squares()) return std::nullopt;
  const PictureSquare* const from = picture.find(move.from());
  const PictureSquare* const to = picture.find(move.to());
  if (from == nullptr || to == nullptr) return std::nullopt;
  return std::array<PicturePoint, 2>{from->centre, to->centre};
}

ReportJson arrow_json(const std::array<PicturePoint, 2>& arrow) {
  ReportJson json = ReportJson::array();
  for (const PicturePoint point : arrow) {
    json.push_back(json_number(point.x, 4));
    json.push_back(json_number(point.y, 4));
  }
  return json;
}

/// What a move does that others between the same squares do not.
std::string choice_of(const GamePosition& position, Move move) {
  switch (move.kind()) {
    case MoveKind::Promotion:
      return kind_of(position, move.promotion()).name;
    case MoveKind::Castling:
      return "castling";
    case MoveKind::EnPassant:
      return "en passant";
    case MoveKind::DoubleStep:
      return "double step";
    case MoveKind::SectorShift:
    case MoveKind::Aftershock:
      return position.move_text(move);
    case MoveKind::Normal:
      break;
  }
  return "stays a " + kind_of(position, position.piece_at(move.from()).type).name;
}

}  // namespace

ReportJson legal_move_json(const GamePosition& position, const BoardPicture& picture, Move move) {
  ReportJson json = {{"text", position.move_text(move)},
                     {"san", san_text(position, move)},
                     {"from", from_of(move)},
                     {"to", to_of(move)}};
  if (move.moves_board())
    if (const auto points = arrow_of(position, picture, move)) json["arrow"] = arrow_json(*points);
  return json;
}

ReportJson legal_moves_json(const GamePosition& position, PictureTable& table) {
  ReportJson list = ReportJson::array();
  if (is_over(position.outcome())) return list;
  const BoardPicture picture = position.board_picture();
  const std::vector<Move> moves = position.legal_moves();
  // By what a page can point at: squares, piece (of drops) and arrow.
  std::map<std::tuple<int, int, std::string, std::string>, std::vector<std::size_t>> alike;
  for (const Move move : moves) {
    ReportJson json = legal_move_json(position, picture, move);
    std::string piece;
    bool captures = false;
    if (!move.moves_board()) {
      piece = table.letter_of(kind_of(position, position.piece_at(move.from()).type));
      captures = move.kind() == MoveKind::EnPassant ||
                 (move.kind() != MoveKind::Castling && !move.is_drop() &&
                  position.piece_at(move.to()).exists());
    }
    if (move.kind() == MoveKind::Promotion) table.letter_of(kind_of(position, move.promotion()));
    json["piece"] = piece;
    json["capture"] = captures;
    json["choice"] = "";
    json["note"] = position.board_effects(move).announcement;
    const std::string arrow = json.contains("arrow") ? json_text(json["arrow"]) : "";
    alike[{from_of(move), to_of(move), move.is_drop() ? piece : "", arrow}].push_back(list.size());
    list.push_back(std::move(json));
  }
  for (const auto& [key, group] : alike) {
    if (group.size() == 1) continue;
    std::map<std::string, int> count;
    for (const std::size_t i : group)
      ++count[choice_of(position, moves[i])];
    for (const std::size_t i : group) {
      const std::string choice = choice_of(position, moves[i]);
      list[i]["choice"] =
          count[choice] == 1 ? choice : choice + ", " + list[i]["text"].get<std::string>();
    }
  }
  return list;
}

ReportJson previews_json(const Game& game, const GamePosition& position, int from) {
  PictureTable table;
  ReportJson frames = ReportJson::object(), attacked = ReportJson::object();
  const Colour opponent = ~position.side_to_move();
  std::vector<Move> moves;
  if (!is_over(position.outcome())) moves = position.legal_moves();
  for (const Move move : moves) {
    if (from_of(move) != from) continue;
    const auto after = position.clone();
    after->play(move);
    const std::string text = position.move_text(move);
    PicturePlacement placement;
    frames[text] = frame_json(table, *after, placement, &position, move);
    ReportJson squares = ReportJson::array();
    for (const Square square : attacks_of(game, *after, opponent).squares)
      squares.push_back(square);
    attacked[text] = std::move(squares);
  }
  return {{"frames", std::move(frames)},
          {"boards", table.boards()},
          {"shapes", table.shapes()},
          {"attacked", std::move(attacked)}};
}

ReportJson hands_json(const GamePosition& position, PictureTable& table) {
  const std::string fen = position.fen();
  const std::string pieces = fen.substr(0, fen.find(' '));
  const std::size_t open = pieces.find('[');
  if (open == std::string::npos) return nullptr;
  std::array<std::string, 2> hands;
  for (const char c : std::string_view(pieces).substr(open + 1)) {
    const bool white = std::isupper(static_cast<unsigned char>(c)) != 0;
    const std::string letter(1, static_cast<char>(std::toupper(static_cast<unsigned char>(c))));
    for (const PieceKind& kind : position.piece_kinds())
      if (kind.letter == letter) hands.at(white ? 0 : 1) += table.letter_of(kind);
  }
  return ReportJson::array({hands[0], hands[1]});
}

}  // namespace faultline::web
