// The recorded games of a run, for its report.
#include "report/run_games.h"

#include <algorithm>
#include <cstddef>
#include <fstream>
#include <iterator>
#include <memory>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "selfplay/game_record.h"
#include "selfplay/replay_store.h"

namespace faultline {
namespace {

namespace fs = std::filesystem;

/// Reads games whose files follow each other, each file once.
class GameFiles {
 public:
  GameRecord read(const StoredGame& game) {
    if (game.file != file_) {
      std::ifstream in(game.file, std::ios::binary);
      const std::string text{std::istreambuf_iterator<char>(in), {}};
      const auto bytes = std::as_bytes(std::span(text));
      bytes_.assign(bytes.begin(), bytes.end());
      file_ = game.file;
    }
    const std::size_t offset = std::min<std::size_t>(game.offset, bytes_.size());
    return read_frame(std::span(bytes_).subspan(offset), game);
  }

 private:
  fs::path file_;
  std::vector<std::byte> bytes_;
};

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

RunGames::RunGames(const fs::path& folder, const std::string& variant, std::uint64_t run_id)
    : game_(find_game(variant)) {
  for (const fs::path& file : chunks_in(folder))
    try {
      ChunkContents chunk = scan_chunk(file, game_.variant());
      std::ranges::move(chunk.messages, std::back_inserter(messages_));
      if (run_id != 0 && chunk.header.run_id != 0 && chunk.header.run_id != run_id) {
        messages_.push_back(file.string() + ": is a chunk of another run");
        continue;
      }
      for (StoredGame& game : chunk.games)
        stored_.emplace(game.number, std::move(game));
    } catch (const ReplayError& error) {
      messages_.emplace_back(error.what());
    }
  read_log();
  read_openings();
}

void RunGames::read_log() {
  const Colour first = game_.start()->side_to_move();
  GameFiles files;
  for (const auto& [number, stored] : stored_)
    try {
      const GameRecord game = files.read(stored);
      const Colour starts =
          game.start_fen.empty() ? first : game_.from_fen(game.start_fen)->side_to_move();
      log_.add({.number = number,
                .plies = static_cast<std::uint32_t>(game.plies.size()),
                .ending = log_.ending_number(ending_in(game)),
                .result = result_in(game),
                .lowest_hope = lowest_hope(game, starts),
                .decided_by_opening = decided_by_opening(random_plies(game), game.plies.size(),
                                                         lowest_hope(game, starts))});
    } catch (const std::runtime_error& error) {  // damaged, or a start that is no position
      messages_.push_back(fmt::format("game {}: {}", number, error.what()));
    }
}

void RunGames::read_openings() {
  GameFiles files;
  for (const LoggedGame& logged : log_.newest()) {
    const GameRecord game = files.read(stored_.at(logged.number));
    if (!game.start_fen.empty() || random_plies(game) > 0) continue;
    std::vector<Move> moves;
    for (const PlyRecord& ply :
         std::span(game.plies).first(std::min(game.plies.size(), OpeningTree::kDepth)))
      moves.push_back(ply.move);
    openings_.add(moves, 0, logged.result);
  }
}

TextGame RunGames::read(std::uint64_t number) const {
  const GameRecord game = GameFiles().read(stored_.at(number));
  TextGame text;
  text.variant = game_.variant();
  text.white = text.black = fmt::format("net after {} steps", game.net.steps);
  text.start_fen = game.start_fen;
  text.opening_plies = static_cast<int>(random_plies(game));
  text.result = result_in(game);
  text.termination = game.resigned                          ? Termination::Resigned
                     : game.outcome == Outcome::Adjudicated ? Termination::Cut
                                                            : Termination::Normal;
  text.reason = ending_in(game);
  auto position = game.start_fen.empty() ? game_.start() : game_.from_fen(game.start_fen);
  for (const PlyRecord& ply : game.plies) {
    const std::vector<Move> legal = position->legal_moves();
    if (std::ranges::find(legal, ply.move) == legal.end())
      throw ReplayError(
          fmt::format("game {}, ply {}: the move is not legal", number, text.moves.size()));
    text.moves.push_back(position->move_text(ply.move));
    text.comments.emplace_back();
    if (ply.searched) text.comments.back().value = evaluation_of(ply);
    position->play(ply.move);
  }
  return text;
}

}  // namespace faultline
