// The recorded games of a run, for its report.
#include "report/run_games.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <span>
#include <utility>

#include <fmt/format.h>

namespace faultline {
namespace {

namespace fs = std::filesystem;

GameResult result_in(const GameRecord& game) {
  return result_of(game.outcome);
}

std::string_view ending_in(const GameRecord& game) {
  if (game.resigned) return "resignation";
  if (game.outcome == Outcome::Adjudicated) return "cut at the ply limit";
  return reason_of(game.outcome);
}

/// Which side is to move before each ply follows from the first one: sides alternate.
float lowest_hope(const GameRecord& game, Colour first) {
  float lowest = 1;
  for (std::size_t ply = 0; ply < game.plies.size(); ++ply) {
    const PlyRecord& record = game.plies[ply];
    const Colour mover = ply % 2 == 0 ? first : ~first;
    if (!record.searched || score_for(game.outcome, mover) <= 0) continue;
    lowest = std::min(lowest, unpack_probability(record.win) + unpack_probability(record.draw) / 2);
  }
  return lowest;
}

/// The plies before the first searched one.
std::size_t random_plies(const GameRecord& game) {
  const auto searched = std::ranges::find_if(game.plies, &PlyRecord::searched);
  return static_cast<std::size_t>(searched - game.plies.begin());
}

Evaluation evaluation_of(const PlyRecord& ply) {
  const float win = unpack_probability(ply.win), draw = unpack_probability(ply.draw);
  return {.win = win, .draw = draw, .loss = std::max(0.0F, 1 - win - draw)};
}

}  // namespace

TextGame text_of_record(const GameRecord& game, const Game& rules) {
  TextGame text;
  text.variant = rules.variant();
  text.white = text.black = fmt::format("net after {} steps", game.net.steps);
  text.start_fen = game.start_fen;
  text.opening_plies = static_cast<int>(random_plies(game));
  text.result = result_in(game);
  text.termination = game.resigned                          ? Termination::Resigned
                     : game.outcome == Outcome::Adjudicated ? Termination::Cut
                                                            : Termination::Normal;
  text.reason = ending_in(game);
  auto position = game.start_fen.empty() ? rules.start() : rules.from_fen(game.start_fen);
  for (const PlyRecord& ply : game.plies) {
    const std::vector<Move> legal = position->legal_moves();
    if (std::ranges::find(legal, ply.move) == legal.end())
      throw ReplayError(
          fmt::format("game {}, ply {}: the move is not legal", game.number, text.moves.size()));
    text.moves.push_back(position->move_text(ply.move));
    text.comments.emplace_back();
    if (ply.searched) text.comments.back().value = evaluation_of(ply);
    position->play(ply.move);
  }
  return text;
}

RunGames::RunGames(const fs::path& folder, const std::string& variant, std::uint64_t run_id)
    : game_(find_game(variant)),
      games_(scan_games(folder, game_.variant(), run_id)),
      messages_(games_.found().messages) {
  std::ranges::copy(games_.found().refused, std::back_inserter(messages_));
  read_log();
  read_openings();
}

void RunGames::read_log() {
  const Colour first = game_.start()->side_to_move();
  log_.reserve(games_.size());
  for (std::uint64_t place = 0; place < games_.size(); ++place)
    try {
      const GameRecord game = games_.read(place);
      const Colour starts =
          game.start_fen.empty() ? first : game_.from_fen(game.start_fen)->side_to_move();
      log_.add({.number = place,
                .plies = static_cast<std::uint32_t>(game.plies.size()),
                .ending = log_.ending_number(ending_in(game)),
                .result = result_in(game),
                .lowest_hope = lowest_hope(game, starts),
                .decided_by_opening = decided_by_opening(random_plies(game), game.plies.size(),
                                                         lowest_hope(game, starts))});
    } catch (const std::runtime_error& error) {  // damaged, or a start that is no position
      messages_.push_back(fmt::format("a game is left out: {}", error.what()));
    }
}

void RunGames::read_openings() {
  for (const LoggedGame& logged : log_.newest()) {
    const GameRecord game = games_.read(logged.number);
    if (!game.start_fen.empty() || random_plies(game) > 0) continue;
    std::vector<Move> moves;
    for (const PlyRecord& ply :
         std::span(game.plies).first(std::min(game.plies.size(), OpeningTree::kDepth)))
      moves.push_back(ply.move);
    openings_.add(moves, 0, logged.result);
  }
}

TextGame RunGames::read(std::uint64_t place) {
  return text_of_record(games_.read(place), game_);
}

}  // namespace faultline
