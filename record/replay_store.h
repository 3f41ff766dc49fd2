// The finished games of a run on disk: games/000000.chunk, 000001.chunk, ... (chunk.h).
//
// A game is written with one append the moment it is finished, so that a killed process loses no
// finished game; collecting games into files that are renamed when complete would keep up to a
// chunk of them in memory. The price is that the last frame can be torn: the lengths and checksums
// reveal it, and the reader drops it. Files are only ever appended to, and only by the session that
// created them. Files are synced (which protects against a power failure; a kill needs no sync)
// when a chunk is full and when the run saves its state.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "record/game_record.h"
#include "record/number_set.h"

namespace faultline {

/// What is remembered of the games in a folder of chunks: some bytes per chunk, and none per game
/// (StoredGames in stored_games.h reads them again).
struct GamesOnDisk {
  struct Chunk {
    std::string name;                       // in the folder
    std::uint64_t first = 0;                // games in the chunks before it
    std::size_t intact = 0;                 // of its games
    std::vector<std::size_t> duplicates{};  // those of them whose numbers an earlier one has
  };

  std::filesystem::path folder;
  std::string variant;                     // canonical name
  std::vector<Chunk> chunks = {};          // with at least one game that is counted
  NumberSet numbers = {};                  // of all games
  std::uint64_t targets = 0;               // of all games
  std::vector<std::string> messages = {};  // what had to be dropped, and where
  std::vector<std::string> refused = {};   // why files are not chunks of the variant
  std::uint64_t run_id = 0;                // of the newest chunk that names one; 0: none does
  std::uint64_t next_chunk = 0;            // number of the next file

  std::uint64_t size() const { return numbers.size(); }
};

/// The chunks in `folder` in order; none if it does not exist.
std::vector<std::filesystem::path> chunks_in(const std::filesystem::path& folder);

/// Scans all chunks in `folder`; none if it does not exist. `variant`: canonical name. `run_id`:
/// games of other runs are skipped, with a message; 0: all are accepted. Chunks of another variant
/// or of a later version are left out, and `refused` says so.
GamesOnDisk scan_games(const std::filesystem::path& folder, const std::string& variant,
                       std::uint64_t run_id = 0);

/// Used by one thread at a time.
class ReplayStore {
 public:
  /// Opens the folder, creating it if necessary, and scans all its chunks. `variant`: canonical
  /// name. `run_id`: the run's id; 0: the one in the chunks or, if there is none, a new one. Throws
  /// ReplayError for a chunk of another variant.
  ReplayStore(std::filesystem::path folder, std::string variant, int chunk_games,
              std::uint64_t run_id = 0);
  ~ReplayStore();
  ReplayStore(const ReplayStore&) = delete;
  ReplayStore& operator=(const ReplayStore&) = delete;

  /// The games that it found when it was opened.
  const GamesOnDisk& found() const { return found_; }
  /// The id of the run whose games these are; never 0.
  std::uint64_t run_id() const { return found_.run_id; }

  /// Writes the game; once it returns, killing the process cannot lose it. Throws ReplayError
  /// naming the file if writing fails (what was written then counts as torn).
  void append(const GameRecord& game);
  /// Protects all games so far against a power failure.
  void sync();

 private:
  void open_chunk();
  void close_chunk();

  std::filesystem::path folder_;
  std::string variant_;
  int chunk_games_;
  GamesOnDisk found_;
  std::filesystem::path file_;
  int descriptor_ = -1;  // of the chunk being written, -1: none
  int games_in_chunk_ = 0;
};

}  // namespace faultline
