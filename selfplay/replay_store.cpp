// Reads and writes chunks of finished games; replay_store.h shows their layout.
#include "selfplay/replay_store.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <optional>
#include <span>
#include <unordered_set>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>
#include <xxhash.h>
#include <zstd.h>

namespace faultline {
namespace {

constexpr std::string_view kMagic = "FLGAMES\n";
constexpr std::uint32_t kVersion = 1;
constexpr std::size_t kFrameHeader = 40;
constexpr std::uint32_t kLargestGame = 1U << 28;  // bytes; far above any, against nonsense
constexpr int kCompression = 3;                   // zstd's own default

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

Bytes chunk_header(const std::string& variant) {
  Bytes out;
  for (const char c : kMagic)
    out.push_back(static_cast<std::byte>(c));
  put(out, kVersion);
  put(out, static_cast<std::uint32_t>(variant.size()));
  for (const char c : variant)
    out.push_back(static_cast<std::byte>(c));
  put(out, hash(out));
  return out;
}

Bytes read_file(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary | std::ios::ate);
  if (!in) throw ReplayError(file.string() + ": cannot be read");
  Bytes bytes(static_cast<std::size_t>(in.tellg()));
  in.seekg(0);
  in.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  if (!in) throw ReplayError(file.string() + ": cannot be read to its end");
  return bytes;
}

struct FrameHeader {
  std::uint32_t compressed;
  std::uint32_t raw;
  std::uint64_t number;
  std::uint32_t targets;
  std::uint32_t plies;
  std::uint64_t payload_hash;
};

/// Nothing if the header's own checksum is wrong.
std::optional<FrameHeader> read_header(View bytes) {
  if (get<std::uint64_t>(bytes, 32) != hash(bytes.first(32))) return std::nullopt;
  const FrameHeader header{get<std::uint32_t>(bytes, 0),  get<std::uint32_t>(bytes, 4),
                           get<std::uint64_t>(bytes, 8),  get<std::uint32_t>(bytes, 16),
                           get<std::uint32_t>(bytes, 20), get<std::uint64_t>(bytes, 24)};
  if (header.raw > kLargestGame || header.compressed > kLargestGame) return std::nullopt;
  return header;
}

Bytes make_frame(const GameRecord& game) {
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

void write_all(int descriptor, View bytes, const std::filesystem::path& file) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0)
      throw ReplayError(
          fmt::format("{}: cannot be written: {}", file.string(), std::strerror(errno)));
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
}

void sync_folder(const std::filesystem::path& folder) {
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  ::fsync(descriptor);
  ::close(descriptor);
}

/// The number in "000012.chunk", or nothing.
std::optional<std::uint64_t> chunk_number(const std::filesystem::path& file) {
  const std::string stem = file.stem().string();
  if (file.extension() != ".chunk" || stem.empty() || stem.size() > 18 ||
      stem.find_first_not_of("0123456789") != std::string::npos)
    return std::nullopt;
  return std::stoull(stem);
}

}  // namespace

ChunkContents scan_chunk(const std::filesystem::path& file, const std::string& variant) {
  ChunkContents contents;
  const auto report = [&](const std::string& message) {
    contents.messages.push_back(file.string() + ": " + message);
  };
  const Bytes bytes = read_file(file);
  const View all(bytes);
  const Bytes expected = chunk_header(variant);
  const std::size_t compared = std::min(expected.size(), bytes.size());
  const bool same = std::equal(
      expected.begin(), expected.begin() + static_cast<std::ptrdiff_t>(compared), bytes.begin());
  if (same && bytes.size() < expected.size()) {
    if (!bytes.empty()) report("holds a torn header and no game");
    return contents;
  }
  if (!same) {
    const bool magic = bytes.size() >= 16 && std::equal(kMagic.begin(), kMagic.end(), bytes.begin(),
                                                        [](char c, std::byte b) {
                                                          return static_cast<std::byte>(c) == b;
                                                        });
    if (!magic) throw ReplayError(file.string() + ": is no chunk of games");
    const auto version = get<std::uint32_t>(all, 8);
    const auto length = get<std::uint32_t>(all, 12);
    const std::size_t end = 16 + static_cast<std::size_t>(length);
    if (bytes.size() < end + 8 || get<std::uint64_t>(all, end) != hash(all.first(end)))
      throw ReplayError(file.string() +
                        ": its header is damaged; move the file away to go on without its games");
    if (version != kVersion)
      throw ReplayError(fmt::format("{}: has format version {}, this program knows {}",
                                    file.string(), version, kVersion));
    const std::string found(reinterpret_cast<const char*>(bytes.data()) + 16, length);
    throw ReplayError(
        fmt::format("{}: holds games of '{}', not of '{}'", file.string(), found, variant));
  }
  std::size_t at = expected.size();
  while (at < bytes.size()) {
    const std::size_t left = bytes.size() - at;
    if (left < kFrameHeader) {
      report(fmt::format("the last {} bytes are a torn game, dropped", left));
      break;
    }
    const auto header = read_header(all.subspan(at, kFrameHeader));
    if (!header) {
      report(fmt::format("damaged at byte {}; the {} bytes from there are dropped", at, left));
      break;
    }
    if (left - kFrameHeader < header->compressed) {
      report(fmt::format("the last {} bytes are a torn game (number {}), dropped", left,
                         header->number));
      break;
    }
    const View payload = all.subspan(at + kFrameHeader, header->compressed);
    if (hash(payload) == header->payload_hash)
      contents.games.push_back({header->number, header->targets, header->plies, file, at});
    else
      report(fmt::format("game {} at byte {} is damaged, dropped", header->number, at));
    at += kFrameHeader + header->compressed;
  }
  return contents;
}

GameRecord read_game(const StoredGame& game) {
  const auto refuse = [&](const std::string& reason) {
    throw ReplayError(fmt::format("{}, byte {}: {}", game.file.string(), game.offset, reason));
  };
  std::ifstream in(game.file, std::ios::binary);
  in.seekg(static_cast<std::streamoff>(game.offset));
  std::array<std::byte, kFrameHeader> head{};
  if (!in.read(reinterpret_cast<char*>(head.data()), kFrameHeader)) refuse("cannot be read");
  const auto header = read_header(head);
  if (!header || header->number != game.number) refuse("is no longer the game that was there");
  Bytes payload(header->compressed);
  if (!in.read(reinterpret_cast<char*>(payload.data()), header->compressed))
    refuse("cannot be read");
  if (hash(payload) != header->payload_hash) refuse("is damaged");
  Bytes raw(header->raw);
  const std::size_t size = ZSTD_decompress(raw.data(), raw.size(), payload.data(), payload.size());
  if (ZSTD_isError(size) != 0 || size != raw.size()) refuse("cannot be decompressed");
  return decode_game(raw);
}

ReplayStore::ReplayStore(std::filesystem::path folder, std::string variant, int chunk_games)
    : folder_(std::move(folder)), variant_(std::move(variant)), chunk_games_(chunk_games) {
  std::error_code error;
  std::filesystem::create_directories(folder_, error);
  if (error) throw ReplayError(folder_.string() + ": cannot be made: " + error.message());
  std::vector<std::pair<std::uint64_t, std::filesystem::path>> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder_))
    if (const auto number = chunk_number(entry.path())) files.emplace_back(*number, entry.path());
  std::sort(files.begin(), files.end());
  std::unordered_set<std::uint64_t> seen;
  for (const auto& [number, file] : files) {
    ChunkContents contents = scan_chunk(file, variant_);
    for (StoredGame& game : contents.games) {
      if (seen.insert(game.number).second)
        games_.push_back(std::move(game));
      else
        messages_.push_back(
            fmt::format("{}: game {} is there already, left out", file.string(), game.number));
    }
    messages_.insert(messages_.end(), contents.messages.begin(), contents.messages.end());
    next_chunk_ = number + 1;
  }
}

ReplayStore::~ReplayStore() {
  try {
    close_chunk();
  } catch (const std::exception&) {
    // The games are written; only the guard against a power cut could not be had.
  }
}

void ReplayStore::open_chunk() {
  file_ = folder_ / fmt::format("{:06}.chunk", next_chunk_++);
  descriptor_ = ::open(file_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0644);
  if (descriptor_ < 0)
    throw ReplayError(fmt::format("{}: cannot be made: {}", file_.string(), std::strerror(errno)));
  sync_folder(folder_);
  games_in_chunk_ = 0;
  const Bytes header = chunk_header(variant_);
  write_all(descriptor_, header, file_);
  size_ = header.size();
}

void ReplayStore::close_chunk() {
  if (descriptor_ < 0) return;
  const int descriptor = descriptor_;
  descriptor_ = -1;
  const bool synced = ::fsync(descriptor) == 0;
  const int error = errno;
  ::close(descriptor);
  if (!synced)
    throw ReplayError(
        fmt::format("{}: cannot be synced: {}", file_.string(), std::strerror(error)));
}

void ReplayStore::append(const GameRecord& game) {
  const Bytes frame = make_frame(game);
  try {
    if (descriptor_ < 0) open_chunk();
    write_all(descriptor_, frame, file_);
  } catch (const ReplayError&) {
    if (descriptor_ >= 0) ::close(descriptor_);  // nothing may follow a torn frame
    descriptor_ = -1;
    throw;
  }
  games_.push_back({game.number, game.target_count(), static_cast<std::uint32_t>(game.plies.size()),
                    file_, size_});
  size_ += frame.size();
  if (++games_in_chunk_ >= chunk_games_) close_chunk();
}

void ReplayStore::sync() {
  if (descriptor_ >= 0 && ::fsync(descriptor_) != 0)
    throw ReplayError(
        fmt::format("{}: cannot be synced: {}", file_.string(), std::strerror(errno)));
}

}  // namespace faultline
