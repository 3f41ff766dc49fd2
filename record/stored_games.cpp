// Reads the games of a folder of chunks one at a time.
#include "record/stored_games.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <span>
#include <utility>

namespace faultline {

void StoredGames::order_by_number(std::uint64_t end) {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> kept;  // numbers and places
  targets_ = 0;
  for (std::uint64_t i = 0; i < found_.size(); ++i) {
    load_chunk_of(i);
    const StoredGame& game = games_[i - first_];
    if (game.number >= end) continue;
    kept.emplace_back(game.number, i);
    targets_ += game.targets;
  }
  std::ranges::sort(kept);
  order_.clear();
  for (const auto& [number, place] : kept)
    order_.push_back(place);
  size_ = order_.size();
}

const StoredGame& StoredGames::operator[](std::uint64_t i) {
  const std::uint64_t place = order_.empty() ? i : order_[i];
  load_chunk_of(place);
  return games_[place - first_];
}

GameRecord StoredGames::read(std::uint64_t i) {
  const StoredGame& game = (*this)[i];
  return read_frame(std::span(bytes_).subspan(game.offset), game);
}

void StoredGames::load_chunk_of(std::uint64_t i) {
  if (i >= first_ && i - first_ < games_.size()) return;
  const auto chunk = std::prev(
      std::ranges::upper_bound(found_.chunks, i, {}, [](const auto& one) { return one.first; }));
  const std::filesystem::path file = found_.folder / chunk->name;
  games_.clear();
  bytes_ = read_chunk_file(file);
  std::vector<StoredGame> games = scan_chunk(bytes_, file, found_.variant).games;
  if (games.size() < chunk->intact)
    throw ReplayError(file.string() + ": has been changed since it was scanned");
  games.resize(chunk->intact);  // a run may have added some meanwhile
  auto duplicate = chunk->duplicates.begin();
  for (std::size_t place = 0; place < games.size(); ++place)
    if (duplicate != chunk->duplicates.end() && *duplicate == place)
      ++duplicate;
    else
      games_.push_back(std::move(games[place]));
  first_ = chunk->first;
}

std::vector<StoredGame> all_games(GamesOnDisk found) {
  StoredGames games(std::move(found));
  std::vector<StoredGame> all;
  for (std::uint64_t i = 0; i < games.size(); ++i)
    all.push_back(games[i]);
  return all;
}

}  // namespace faultline
