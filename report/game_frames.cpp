// Games as data that a page can step through.
#include "report/game_frames.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/quote.h"
#include "play/pgn_lexer.h"
#include "play/san.h"

namespace faultline {
namespace {

void add_highlights(ReportJson& frame, const BoardPicture& picture, const Move* move) {
  using Kind = PictureHighlight::Kind;
  std::vector<int> left, reached, checked;
  for (const PictureHighlight& highlight : picture.highlights) {
    std::vector<int>& squares = highlight.kind == Kind::Check      ? checked
                                : highlight.kind == Kind::MoveFrom ? left
                                                                   : reached;
    squares.push_back(highlight.square);
  }
  const bool as_the_move = move != nullptr && !move->moves_board() &&
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
      frame["a"].push_back({json_number(from.x, 4), json_number(from.y, 4), json_number(to.x, 4),
                            json_number(to.y, 4)});
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

/// The mark of a move, "?!"; null for a glyph without one.
ReportJson mark_json(int glyph) {
  const auto number = static_cast<std::size_t>(glyph);
  if (number == 0 || number >= kGlyphMarks.size()) return nullptr;
  return kGlyphMarks[number];
}

/// Adds an array with one entry per ply, unless all are null.
void add_by_ply(ReportJson& game, const char* key, const TextGame& text, auto&& json_of) {
  ReportJson values = ReportJson::array();
  for (const MoveComment& comment : text.comments)
    values.push_back(json_of(comment));
  if (std::ranges::any_of(values, [](const ReportJson& one) { return !one.is_null(); }))
    game[key] = std::move(values);
}

void add_annotations(ReportJson& game, const TextGame& text) {
  if (!text.comment.empty()) game["comment"] = text.comment;
  add_by_ply(game, "marks", text,
             [](const MoveComment& comment) { return mark_json(comment.glyph); });
  add_by_ply(game, "comments", text, [](const MoveComment& comment) {
    return comment.text.empty() ? ReportJson(nullptr) : ReportJson(comment.text);
  });
}

}  // namespace

std::string ending_of(const TextGame& game) {
  switch (game.termination) {
    case Termination::Normal:
      return game.reason.empty() ? "by the rules" : game.reason;
    case Termination::Resigned:
      return "resignation";
    case Termination::Adjudicated:
      return "adjudication";
    case Termination::Cut:
      return "cut at the ply limit";
    case Termination::Forfeit:
      return "forfeit";
    case Termination::TimeForfeit:
      return "time forfeit";
    case Termination::Unfinished:
      break;
  }
  return "unfinished";
}

ReportJson frame_json(PictureTable& table, const GamePosition& now, PicturePlacement& placement,
                      const GamePosition* before, Move move) {
  BoardPicture picture = now.board_picture();
  if (before != nullptr) before->mark_move(move, picture);
  const PicturePlacement last = placement;
  placement = table.place(picture);
  ReportJson frame = placement_json(placement, last.board < 0 ? nullptr : &last);
  if (before != nullptr && !move.moves_board()) frame["m"] = {move.from(), move.to()};
  if (before != nullptr)
    if (std::string news = before->board_effects(move).announcement; !news.empty())
      frame["e"] = std::move(news);
  add_highlights(frame, picture, before != nullptr ? &move : nullptr);
  add_board_movements(frame, picture);
  return frame;
}

ReportJson game_json(PictureTable& table, const TextGame& text, const std::string& name,
                     const std::string& label) {
  const Game& game = find_game(text.variant);
  auto position = text.start_fen.empty() ? game.start() : game.from_fen(text.start_fen);
  const Colour first = position->side_to_move();
  ReportJson json = {{"name", name},
                     {"label", label},
                     {"variant", text.variant},
                     {"white", text.white},
                     {"black", text.black},
                     {"result", faultline::text(text.result)},
                     {"ending", ending_of(text)},
                     {"opening", text.opening_plies},
                     {"first", first == Colour::White ? "white" : "black"},
                     {"number", position->full_move_number()}};
  if (!text.start_fen.empty()) json["fen"] = text.start_fen;
  PicturePlacement placement;
  ReportJson frames = ReportJson::array(), moves = ReportJson::array();
  frames.push_back(frame_json(table, *position, placement, nullptr, Move::none()));
  for (const std::string& played : text.moves) {
    const std::optional<Move> move = position->parse_move(played);
    if (!move) throw GameTextError(name + ": the move " + quote(played) + " is not legal");
    const auto before = position->clone();
    moves.push_back(san_text(*before, *move));
    position->play(*move);
    frames.push_back(frame_json(table, *position, placement, before.get(), *move));
  }
  json["moves"] = std::move(moves);
  Colour mover = first;
  add_by_ply(json, "values", text, [&](const MoveComment& comment) {
    return value_json(comment.value, std::exchange(mover, ~mover));
  });
  add_annotations(json, text);
  json["frames"] = std::move(frames);
  return json;
}

}  // namespace faultline
