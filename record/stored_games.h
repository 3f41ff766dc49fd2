// Reads the games of a folder of chunks one at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "record/chunk.h"
#include "record/replay_store.h"

namespace faultline {

/// The games that a scan found, in the order in which they were finished. Keeps one chunk in
/// memory, so that games should be taken nearly in their order or against it. Used by one thread at
/// a time.
class StoredGames {
 public:
  explicit StoredGames(GamesOnDisk found)
      : found_(std::move(found)), size_(found_.size()), targets_(found_.targets) {}

  /// Orders them by their numbers and keeps those below `end`, as deterministic runs count them.
  /// From then on each takes eight bytes. Throws as operator[].
  void order_by_number(std::uint64_t end);

  std::uint64_t size() const { return size_; }
  /// Training positions of all of them.
  std::uint64_t targets() const { return targets_; }
  const GamesOnDisk& found() const { return found_; }

  /// The game's place and numbers; valid until another game is accessed. Throws ReplayError if its
  /// file has changed since the scan.
  const StoredGame& operator[](std::uint64_t i);
  /// The game itself. Throws ReplayError if it is damaged.
  GameRecord read(std::uint64_t i);

 private:
  /// Reads the chunk that contains the i-th of the games in their original order.
  void load_chunk_of(std::uint64_t i);

  GamesOnDisk found_;
  std::uint64_t size_;
  std::uint64_t targets_;
  std::vector<std::uint64_t> order_;  // empty: the original one
  std::uint64_t first_ = 0;           // of the games of the chunk in memory
  std::vector<StoredGame> games_;     // of that chunk
  std::vector<std::byte> bytes_;      // of that chunk
};

/// All games at once, some 48 bytes each: for measurements and tests.
std::vector<StoredGame> all_games(GamesOnDisk found);

}  // namespace faultline
