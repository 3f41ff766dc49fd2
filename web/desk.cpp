// The handlers of requests about positions.
#include "web/desk.h"

#include <algorithm>
#include <utility>

#include "analysis/play_text.h"
#include "play/san.h"
#include "report/game_frames.h"
#include "web/game_reading.h"
#include "web/game_rules.h"
#include "web/legal_moves.h"
#include "web/places.h"
#include "web/position_setup.h"
#include "web/square_words.h"

namespace faultline::web {
namespace {

ReportJson ending_json(const GamePosition& position) {
  const Outcome outcome = position.outcome();
  const bool mate = position.in_check() && position.legal_moves().empty();
  return {{"result", result_text(outcome)}, {"why", outcome_sentence(outcome, mate)}};
}

ReportJson position_json(const ReportJson& request) {
  const PlayedLine line = played_line(request);
  PictureTable table;
  PicturePlacement placement;
  ReportJson frames = ReportJson::array();
  const auto at = line.start->clone();
  frames.push_back(frame_json(table, *at, placement, nullptr, Move::none()));
  for (const Move move : line.moves) {
    const auto before = at->clone();
    at->play(move);
    frames.push_back(frame_json(table, *at, placement, before.get(), move));
  }
  ReportJson legal = legal_moves_json(*line.end, table);
  ReportJson hands = hands_json(*line.end, table);
  ReportJson reply = {{"game", line.game->variant()},
                      {"start", line.start->fen()},
                      {"fen", line.end->fen()},
                      {"turn", name(line.end->side_to_move())},
                      {"first", name(line.start->side_to_move())},
                      {"number", line.start->full_move_number()},
                      {"check", line.end->in_check()},
                      {"san", san_texts(*line.start, line.moves)},
                      {"legal", std::move(legal)}};
  if (is_over(line.end->outcome())) reply["ending"] = ending_json(*line.end);
  if (!hands.is_null()) reply["hands"] = std::move(hands);
  reply["boards"] = table.boards();
  reply["shapes"] = table.shapes();
  reply["frames"] = std::move(frames);
  return reply;
}

}  // namespace

Handlers desk_handlers(const DeskOptions& options) {
  Handlers handlers;
  handlers["games"] = [games = options.data_games](const ReportJson&) { return games_json(games); };
  handlers["players"] = [players = options.players](const ReportJson& request) {
    const std::string variant = find_named_game(text_field(request, "game")).variant();
    return ReportJson{
        {"players", players ? players(variant) : std::vector<std::string>{"alphabeta"}}};
  };
  handlers["position"] = position_json;
  handlers["previews"] = [](const ReportJson& request) {
    const PlayedLine line = played_line(request);
    return previews_json(*line.game, *line.end,
                         static_cast<int>(number_field(request, "from", -1, kMaxSquares - 1)));
  };
  handlers["squares"] = [](const ReportJson& request) {
    const PlayedLine line = played_line(request);
    return squares_json(*line.game, *line.end);
  };
  handlers["read"] = [games = options.data_games](const ReportJson& request) {
    return read_json(request, games);
  };
  handlers["write"] = write_json;
  handlers["rules"] = rules_json;
  handlers["setup"] = setup_json;
  return handlers;
}

}  // namespace faultline::web
