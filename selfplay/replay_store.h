// The finished games of a run on disk: games/000000.chunk, 000001.chunk, ...
//
// A chunk is a header and then one frame a game:
//
//   header   "FLGAMES\n" | version u32 | name length u32 | variant name | xxh3 of all this u64
//   frame    compressed bytes u32 | raw bytes u32 | game number u64 | targets u32 | plies u32 |
//            xxh3 of the payload u64 | xxh3 of the 32 bytes before u64 | payload (zstd)
//
// Numbers are little-endian. A game is written with one append the moment it is finished, so that
// a killed process loses no finished game; collecting games into files that are renamed into place
// would hold up to a chunk of them back in memory. The price is a last frame that can be torn: the
// lengths and checksums show it, and the reader drops it. Files are only ever appended to, and
// only by the session that began them. The disk is asked to sync (which guards against a power
// cut, not against a kill) when a chunk is full and when the run saves its state.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "selfplay/game_record.h"

namespace faultline {

/// Where a stored game lies, and what can be known of it without reading it.
struct StoredGame {
  std::uint64_t number = 0;
  std::uint32_t targets = 0;
  std::uint32_t plies = 0;
  std::filesystem::path file;
  std::uint64_t offset = 0;  // of its frame
};

struct ChunkContents {
  std::vector<StoredGame> games;  // whole, with right checksums; in the file's order
  /// What was dropped and why: "games/000003.chunk: the last 51 bytes are a torn game, dropped".
  std::vector<std::string> messages;
};

/// Checks a chunk from end to end. A torn or damaged game is left out, with a message; the others
/// remain. Throws ReplayError if the file is no chunk of `variant` (its canonical name) at all.
ChunkContents scan_chunk(const std::filesystem::path& file, const std::string& variant);

/// Throws ReplayError if the file no longer holds that game.
GameRecord read_game(const StoredGame& game);

/// Used by one thread at a time.
class ReplayStore {
 public:
  /// Opens the folder, making it if it is not there, and scans all its chunks. `variant`: canonical
  /// name. Throws ReplayError for a chunk of another variant.
  ReplayStore(std::filesystem::path folder, std::string variant, int chunk_games);
  ~ReplayStore();
  ReplayStore(const ReplayStore&) = delete;
  ReplayStore& operator=(const ReplayStore&) = delete;

  /// All games, those appended since included.
  const std::vector<StoredGame>& games() const { return games_; }
  /// What the scan had to drop.
  const std::vector<std::string>& messages() const { return messages_; }

  /// Writes the game; when it returns, a kill of the process cannot lose it. Throws ReplayError
  /// naming the file if the disk refuses (what was written then counts as torn).
  void append(const GameRecord& game);
  /// Makes all games so far safe against a power cut.
  void sync();

 private:
  void open_chunk();
  void close_chunk();

  std::filesystem::path folder_;
  std::string variant_;
  int chunk_games_;
  std::vector<StoredGame> games_;
  std::vector<std::string> messages_;
  std::uint64_t next_chunk_ = 0;
  std::filesystem::path file_;
  int descriptor_ = -1;     // of the chunk being written, -1: none
  std::uint64_t size_ = 0;  // its bytes
  int games_in_chunk_ = 0;
};

}  // namespace faultline
