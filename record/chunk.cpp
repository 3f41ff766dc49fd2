// Reads and writes chunks; chunk.h documents their layout.
#include "record/chunk.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <memory>
#include <string_view>

#include <fmt/format.h>
#include <xxhash.h>
#include <zstd.h>

#include "base/quote.h"
#include "base/text.h"
#include "base/unreadable_file.h"

namespace faultline {
namespace {

constexpr std::string_view kMagic = "FLGAMES\n";
constexpr std::size_t kFrameHeader = 40;
constexpr std::size_t kHash = 8;  // bytes of a checksum
constexpr std::uint32_t kLargestGame =
    1U << 26;                    // bytes; far above any real one; against malformed input
constexpr int kCompression = 3;  // zstd's own default

using Bytes = std::vector<std::byte>;
using View = std::span<const std::byte>;

template <class T>
void put(Bytes& out, T value) {
  for (std::size_t i = 0; i < sizeof(T); ++i)
    out.push_back(static_cast<std::byte>(value >> (8 * i) & 0xff));
}

template <class T>
T get(View bytes, std::size_t at) {
  T value = 0;
  for (std::size_t i = 0; i < sizeof(T); ++i)
    value = static_cast<T>(value | static_cast<T>(std::to_integer<T>(bytes[at + i])) << (8 * i));
  return value;
}

std::uint64_t hash(View bytes) {
  return XXH3_64bits(bytes.data(), bytes.size());
}

/// The start of a header: everything before the run id or, in version 1, the checksum.
Bytes header_begin(std::uint32_t version, const std::string& variant) {
  Bytes out;
  for (const char c : kMagic)
    out.push_back(static_cast<std::byte>(c));
  put(out, version);
  put(out, static_cast<std::uint32_t>(variant.size()));
  for (const char c : variant)
    out.push_back(static_cast<std::byte>(c));
  return out;
}

std::size_t run_id_bytes(std::uint32_t version) {
  return version == 1 ? 0 : sizeof(std::uint64_t);
}

/// Whether `bytes` are an incomplete header of `variant`.
bool is_torn_header(View bytes, const std::string& variant) {
  for (std::uint32_t version = 1; version <= kRecordVersion; ++version) {
    const Bytes begin = header_begin(version, variant);
    if (bytes.size() >= begin.size() + run_id_bytes(version) + kHash) continue;
    const std::size_t compared = std::min(begin.size(), bytes.size());
    if (std::equal(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(compared),
                   begin.begin()))
      return true;
  }
  return false;
}

struct FrameHeader {
  std::uint32_t compressed;
  std::uint32_t raw;
  std::uint64_t number;
  std::uint32_t targets;
  std::uint32_t plies;
  std::uint64_t payload_hash;
};

/// nullopt if the header's own checksum is wrong.
std::optional<FrameHeader> read_header(View bytes) {
  if (get<std::uint64_t>(bytes, 32) != hash(bytes.first(32))) return std::nullopt;
  const FrameHeader header{get<std::uint32_t>(bytes, 0),  get<std::uint32_t>(bytes, 4),
                           get<std::uint64_t>(bytes, 8),  get<std::uint32_t>(bytes, 16),
                           get<std::uint32_t>(bytes, 20), get<std::uint64_t>(bytes, 24)};
  if (header.raw > kLargestGame || header.compressed > kLargestGame) return std::nullopt;
  return header;
}

}  // namespace

Bytes chunk_header(const std::string& variant, std::uint64_t run_id) {
  Bytes out = header_begin(kRecordVersion, variant);
  put(out, run_id);
  put(out, hash(out));
  return out;
}

Bytes chunk_frame(const GameRecord& game) {
  const Bytes raw = encode_game(game);
  Bytes payload(ZSTD_compressBound(raw.size()));
  const std::size_t size =
      ZSTD_compress(payload.data(), payload.size(), raw.data(), raw.size(), kCompression);
  if (ZSTD_isError(size) != 0)
    throw ReplayError(fmt::format("game {}: {}", game.number, ZSTD_getErrorName(size)));
  payload.resize(size);
  Bytes frame;
  put(frame, static_cast<std::uint32_t>(payload.size()));
  put(frame, static_cast<std::uint32_t>(raw.size()));
  put(frame, game.number);
  put(frame, game.target_count());
  put(frame, static_cast<std::uint32_t>(game.plies.size()));
  put(frame, hash(payload));
  put(frame, hash(frame));
  frame.insert(frame.end(), payload.begin(), payload.end());
  return frame;
}

std::optional<ChunkHeader> read_chunk_header(View bytes, const std::filesystem::path& file) {
  constexpr std::size_t kName = 16;  // where the variant's name begins
  const std::size_t compared = std::min(kMagic.size(), bytes.size());
  if (!std::equal(kMagic.begin(), kMagic.begin() + compared, bytes.begin(),
                  [](char c, std::byte b) { return static_cast<std::byte>(c) == b; }))
    throw DamagedChunk(file.string() + ": is not a chunk of games");
  if (bytes.size() < kName) return std::nullopt;
  ChunkHeader header;
  header.version = get<std::uint32_t>(bytes, 8);
  const auto length = get<std::uint32_t>(bytes, 12);
  const std::size_t end = kName + std::size_t{length} + run_id_bytes(header.version);
  if (bytes.size() < end + kHash) return std::nullopt;
  if (get<std::uint64_t>(bytes, end) != hash(bytes.first(end)))
    throw DamagedChunk(file.string() + ": its header is damaged");
  if (header.version < 1 || header.version > kRecordVersion)
    throw ReplayError(fmt::format("{}: has format version {}; this program reads 1 to {}",
                                  file.string(), header.version, kRecordVersion));
  header.variant.assign(reinterpret_cast<const char*>(bytes.data()) + kName, length);
  if (header.version > 1) header.run_id = get<std::uint64_t>(bytes, kName + length);
  header.bytes = end + kHash;
  return header;
}

std::optional<ChunkHeader> read_chunk_header_of(const std::filesystem::path& file) {
  constexpr std::size_t kEnough = 4096;  // for any variant's name
  std::ifstream in(file, std::ios::binary);
  if (!in) throw ReplayError(file.string() + ": cannot be read");
  Bytes bytes(kEnough);
  in.read(reinterpret_cast<char*>(bytes.data()), kEnough);
  return read_chunk_header(View(bytes).first(static_cast<std::size_t>(in.gcount())), file);
}

Bytes read_chunk_file(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary | std::ios::ate);
  if (!in) throw ReplayError(file.string() + ": cannot be read");
  Bytes bytes(static_cast<std::size_t>(in.tellg()));
  in.seekg(0);
  in.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  if (!in) throw ReplayError(file.string() + ": cannot be read to its end");
  return bytes;
}

ChunkContents scan_chunk(View bytes, const std::filesystem::path& file,
                         const std::string& variant) {
  ChunkContents contents;
  const auto report = [&](const std::string& message) {
    contents.messages.push_back(file.string() + ": " + message);
  };
  if (is_torn_header(bytes, variant)) {
    if (!bytes.empty()) report("has a torn header and no games");
    return contents;
  }
  std::optional<ChunkHeader> found;
  try {
    found = read_chunk_header(bytes, file);
  } catch (const DamagedChunk&) {
  }
  if (!found) {
    report(fmt::format("is damaged or not a chunk of games; its {} bytes are left out",
                       grouped(bytes.size())));
    return contents;
  }
  contents.header = *found;
  if (found->variant != variant)
    throw ReplayError(fmt::format("{}: contains games of {}, not of {}", file.string(),
                                  quote(found->variant, 100), quote(variant, 100)));
  const auto shared_file = std::make_shared<const std::filesystem::path>(file);
  std::size_t at = found->bytes;
  while (at < bytes.size()) {
    const std::size_t left = bytes.size() - at;
    if (left < kFrameHeader) {
      report(fmt::format("the last {} bytes are a torn game, dropped", left));
      break;
    }
    const auto header = read_header(bytes.subspan(at, kFrameHeader));
    if (!header) {
      report(fmt::format("damaged at byte {}; the {} bytes from there are dropped", at, left));
      break;
    }
    if (left - kFrameHeader < header->compressed) {
      report(fmt::format("the last {} bytes are a torn game (number {}), dropped", left,
                         header->number));
      break;
    }
    const View payload = bytes.subspan(at + kFrameHeader, header->compressed);
    if (hash(payload) == header->payload_hash)
      contents.games.push_back({header->number, header->targets, header->plies, shared_file, at,
                                contents.header.version});
    else
      report(fmt::format("game {} at byte {} is damaged, dropped", header->number, at));
    at += kFrameHeader + header->compressed;
  }
  return contents;
}

ChunkContents scan_chunk(const std::filesystem::path& file, const std::string& variant) {
  if (const auto reason = why_unreadable(file))
    return {.header = {}, .games = {}, .messages = {*reason + "; left out"}};
  return scan_chunk(read_chunk_file(file), file, variant);
}

std::vector<StoredGame> list_games(const std::filesystem::path& file, const std::string& variant) {
  std::vector<StoredGame> games;
  std::ifstream in(file, std::ios::binary | std::ios::ate);
  if (!in) return games;
  const auto size = static_cast<std::uint64_t>(in.tellg());
  std::optional<ChunkHeader> found;
  try {
    found = read_chunk_header_of(file);
  } catch (const ReplayError&) {
    return games;
  }
  if (!found || found->variant != variant) return games;
  const auto shared_file = std::make_shared<const std::filesystem::path>(file);
  Bytes bytes(kFrameHeader);
  for (std::uint64_t at = found->bytes; at + kFrameHeader <= size;) {
    in.seekg(static_cast<std::streamoff>(at));
    if (!in.read(reinterpret_cast<char*>(bytes.data()), kFrameHeader)) break;
    const auto header = read_header(bytes);
    if (!header || size - at - kFrameHeader < header->compressed) break;
    games.push_back(
        {header->number, header->targets, header->plies, shared_file, at, found->version});
    at += kFrameHeader + header->compressed;
  }
  return games;
}

GameRecord read_frame(View bytes, const StoredGame& game) {
  const auto refuse = [&](const std::string& reason) {
    throw ReplayError(fmt::format("{}, byte {}: {}", game.file->string(), game.offset, reason));
  };
  if (bytes.size() < kFrameHeader) refuse("cannot be read");
  const auto header = read_header(bytes.first(kFrameHeader));
  if (!header || header->number != game.number) refuse("is no longer the game that was scanned");
  if (bytes.size() - kFrameHeader < header->compressed) refuse("cannot be read");
  const View payload = bytes.subspan(kFrameHeader, header->compressed);
  if (hash(payload) != header->payload_hash) refuse("is damaged");
  // Before memory is allocated: both lengths must agree.
  if (ZSTD_getFrameContentSize(payload.data(), payload.size()) != header->raw)
    refuse("does not have the length that its header gives");
  Bytes raw(header->raw);
  const std::size_t size = ZSTD_decompress(raw.data(), raw.size(), payload.data(), payload.size());
  if (ZSTD_isError(size) != 0 || size != raw.size()) refuse("cannot be decompressed");
  GameRecord record;
  try {
    record = decode_game(raw, game.version);
  } catch (const ReplayError& error) {
    refuse(error.what());
  }
  if (record.number != header->number) refuse("contains a different game than its header says");
  return record;
}

GameRecord read_game(const StoredGame& game) {
  std::ifstream in(*game.file, std::ios::binary);
  in.seekg(static_cast<std::streamoff>(game.offset));
  Bytes frame(kFrameHeader);
  const auto read = [&](std::size_t at, std::size_t bytes) {
    frame.resize(at + bytes);
    if (!in.read(reinterpret_cast<char*>(frame.data()) + at, static_cast<std::streamsize>(bytes)))
      throw ReplayError(
          fmt::format("{}, byte {}: cannot be read", game.file->string(), game.offset));
  };
  read(0, kFrameHeader);
  if (const auto header = read_header(frame)) read(kFrameHeader, header->compressed);
  return read_frame(frame, game);
}

}  // namespace faultline
