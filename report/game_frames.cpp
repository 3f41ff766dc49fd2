// Games as data that a page can step through.
#include "report/game_frames.h"

#include <cmath>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "base/quote.h"
#include "report/text_games.h"

namespace faultline {
namespace {

bool is_piece_move(Move move) {
  return move.kind() != MoveKind::SectorShift && move.kind() != MoveKind::Aftershock;
}

void add_highlights(ReportJson& frame, const BoardPicture& picture, const Move* move) {
  using Kind = PictureHighlight::Kind;
  std::vector<int> left, reached, checked;
  for (const PictureHighlight& highlight : picture.highlights) {
    std::vector<int>& squares = highlight.kind == Kind::Check      ? checked
                                : highlight.kind == Kind::MoveFrom ? left
                                                                   : reached;
    squares.push_back(highlight.square);
  }
  const bool as_the_move = move != nullptr && is_piece_move(*move) &&
                           left == std::vector<int>{move->from()} &&
                           reached == std::vector<int>{move->to()};
  if (!as_the_move && (!left.empty() || !reached.empty())) frame["h"] = {left, reached};
  if (!checked.empty()) frame["c"] = checked;
}

void add_board_movements(ReportJson& frame, const BoardPicture& picture) {
  int number = 0;
  for (const PictureMark& mark : picture.marks) {
    if (mark.kind == PictureMark::Kind::BoardMove) {
      const PicturePoint from = mark.points.front(), to = mark.points.back();
      frame["a"].push_back(
          {shown_number(from.x), shown_number(from.y), shown_number(to.x), shown_number(to.y)});
      continue;
    }
    if (mark.moved) frame["s"].push_back(number);
    ++number;
  }
}

/// [win, draw] for White in thousandths; null without a search.
ReportJson value_json(const std::optional<Evaluation>& value, Colour mover) {
  if (!value) return nullptr;
  const double win = mover == Colour::White ? value->win : value->loss;
  return {std::lround(1000 * win), std::lround(1000.0 * value->draw)};
}

}  // namespace

ReportJson frame_json(PictureTable& table, const GamePosition& now, PicturePlacement& placement,
                      const GamePosition* before, Move move) {
  BoardPicture picture = now.board_picture();
  if (before != nullptr) before->mark_move(move, picture);
  const PicturePlacement last = placement;
  placement = table.place(picture);
  ReportJson frame = placement_json(placement, last.board < 0 ? nullptr : &last);
  if (before != nullptr && is_piece_move(move)) frame["m"] = {move.from(), move.to()};
  add_highlights(frame, picture, before != nullptr ? &move : nullptr);
  add_board_movements(frame, picture);
  return frame;
}

ReportJson game_json(PictureTable& table, const TextGame& text, const std::string& name,
                     const std::string& label) {
  const Game& game = find_game(text.variant);
  auto position = text.start_fen.empty() ? game.start() : game.from_fen(text.start_fen);
  ReportJson json = {{"name", name},
                     {"label", label},
                     {"variant", text.variant},
                     {"white", text.white},
                     {"black", text.black},
                     {"result", faultline::text(text.result)},
                     {"ending", ending_of(text)},
                     {"opening", text.opening_plies},
                     {"first", position->side_to_move() == Colour::White ? "white" : "black"},
                     {"number", position->full_move_number()}};
  if (!text.start_fen.empty()) json["fen"] = text.start_fen;
  PicturePlacement placement;
  ReportJson frames = ReportJson::array(), values = ReportJson::array();
  frames.push_back(frame_json(table, *position, placement, nullptr, Move::none()));
  bool any_value = false;
  for (std::size_t i = 0; i < text.moves.size(); ++i) {
    const std::optional<Move> move = position->parse_move(text.moves[i]);
    if (!move) throw GameTextError(name + ": the move " + quote(text.moves[i]) + " is not legal");
    if (!text.comments.empty()) {
      values.push_back(value_json(text.comments[i].value, position->side_to_move()));
      any_value = any_value || !values.back().is_null();
    }
    const auto before = position->clone();
    position->play(*move);
    frames.push_back(frame_json(table, *position, placement, before.get(), *move));
  }
  json["moves"] = text.moves;
  if (any_value) json["values"] = std::move(values);
  json["frames"] = std::move(frames);
  return json;
}

}  // namespace faultline
