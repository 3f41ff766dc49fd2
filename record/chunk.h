// A chunk: the bytes of one file of finished games.
//
// A header, then one frame per game; numbers are little-endian:
//
//   header   "FLGAMES\n" | version u32 | name length u32 | variant name | run id u64 |
//            xxh3 of all this u64
//   frame    compressed bytes u32 | raw bytes u32 | game number u64 | targets u32 | plies u32 |
//            xxh3 of the payload u64 | xxh3 of the 32 bytes before u64 | payload (zstd)
//
// The payload is a record (game_record.cpp) of the chunk's version. Version 1 has no run id.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "record/game_record.h"

namespace faultline {

/// The location of a stored game, and what is known about it without reading it.
struct StoredGame {
  std::uint64_t number = 0;
  std::uint32_t targets = 0;
  std::uint32_t plies = 0;
  std::shared_ptr<const std::filesystem::path> file;  // one for all games of a chunk
  std::uint64_t offset = 0;                           // of its frame, in bytes
  std::uint32_t version = kRecordVersion;
};

/// A file whose header is not, or no longer, that of a chunk.
class DamagedChunk : public ReplayError {
  using ReplayError::ReplayError;
};

struct ChunkHeader {
  std::uint32_t version = kRecordVersion;
  std::uint64_t run_id = 0;  // 0: unknown (version 1)
  std::string variant;       // canonical name
  std::size_t bytes = 0;     // of the header
};

struct ChunkContents {
  ChunkHeader header;             // bytes is 0 if the file has none, or a torn one
  std::vector<StoredGame> games;  // complete, with correct checksums; in the file's order
  /// What was dropped and why: "games/000003.chunk: the last 51 bytes are a torn game, dropped".
  std::vector<std::string> messages;
};

/// The header of a new chunk.
std::vector<std::byte> chunk_header(const std::string& variant, std::uint64_t run_id);
/// A game as stored in a chunk. Throws ReplayError if it cannot be compressed.
std::vector<std::byte> chunk_frame(const GameRecord& game);

/// The header at the start of `bytes`; nullopt if there are too few of them. `file` names them in
/// messages. Throws DamagedChunk for bytes that are not a chunk and a damaged header, ReplayError
/// for an unsupported version.
std::optional<ChunkHeader> read_chunk_header(std::span<const std::byte> bytes,
                                             const std::filesystem::path& file);

/// Reads the header of a file, of which only the start is read.
std::optional<ChunkHeader> read_chunk_header_of(const std::filesystem::path& file);

/// The bytes of a file. Throws ReplayError if it cannot be read.
std::vector<std::byte> read_chunk_file(const std::filesystem::path& file);

/// Checks a complete chunk. A torn or damaged game is skipped, with a message; the others are kept.
/// A file with a damaged header is left out as a whole, with a message. Throws ReplayError for a
/// chunk of another variant than `variant` (its canonical name), or of an unsupported version.
ChunkContents scan_chunk(std::span<const std::byte> bytes, const std::filesystem::path& file,
                         const std::string& variant);
/// Reads the file completely and checks it; one that cannot be read is left out with a message.
ChunkContents scan_chunk(const std::filesystem::path& file, const std::string& variant);

/// The complete games of a chunk by the headers of their frames alone, without a check of what they
/// hold; none if it cannot be read, or is one of another variant.
std::vector<StoredGame> list_games(const std::filesystem::path& file, const std::string& variant);

/// The game whose frame is at the start of `bytes`, after it was scanned as `game`. Throws
/// ReplayError if it is missing or damaged.
GameRecord read_frame(std::span<const std::byte> bytes, const StoredGame& game);
/// Reads a game from its file.
GameRecord read_game(const StoredGame& game);

}  // namespace faultline
