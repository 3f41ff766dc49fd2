// Properties of chunks and records.
#include "tests/fuzz/chunks.h"

#include <algorithm>
#include <cstring>
#include <string_view>

#include <xxhash.h>
#include <zstd.h>

#include "record/chunk.h"
#include "selfplay/game_samples.h"
#include "tests/fuzz/texts.h"
#include "tests/record/games.h"

namespace faultline::fuzz {
namespace {

using Bytes = std::vector<std::byte>;
using View = std::span<const std::byte>;

constexpr std::size_t kFrameHeader = 40;
constexpr std::size_t kLongest = 1000;  // characters of a message

void require(bool holds, const std::string& what) {
  if (!holds) throw BrokenProperty(what);
}

void require_short(std::string_view message) {
  require(message.size() <= kLongest, "messages are short");
}

template <class T>
void put(std::span<std::byte> at, T value) {
  std::memcpy(at.data(), &value, sizeof value);
}
template <class T>
T get(View at) {
  T value;
  std::memcpy(&value, at.data(), sizeof value);
  return value;
}
std::uint64_t hash(View bytes) {
  return XXH3_64bits(bytes.data(), bytes.size());
}

std::vector<GameRecord> sample_games() {
  std::vector<GameRecord> games;
  for (std::uint64_t number = 0; number < 4; ++number)
    games.push_back(test::random_game<ChessPosition>(test::chess(), number, 10));
  const ChessPosition start = ChessPosition::start(test::chess());
  games[0].plies[0].asides = {
      {.moves = {*start.parse_move("e2e4")}, .win = 30'000, .draw = 10'000}};
  games.push_back(
      test::random_game<ChessPosition>(test::chess(), 4, 10, "4k3/P7/8/8/8/8/4P3/4K3 w - - 0 1"));
  return games;
}

/// True if the record obeys the rules; then it must also survive a round trip.
bool is_sound(const GameRecord& game) {
  try {
    static const GameDecoder decoder("chess", {.root_value_share = 0.5F});
    const GameSamples samples = decoder.decode(game);
    require(samples.size() == game.target_count(), "each target is a sample");
    std::size_t policies = 0, asides = 0;
    for (const PlyRecord& ply : game.plies)
      asides += ply.asides.size();
    for (std::size_t i = 0; i < samples.size(); ++i) {
      const Sample sample = samples[i];
      policies += sample.policy.empty() ? 0 : 1;
      for (const float value : sample.wdl)
        require(value >= 0 && value <= 1, "each value is a probability");
    }
    require(policies + asides == samples.size(), "each target but the asides teaches a policy");
  } catch (const ReplayError& error) {
    require_short(error.what());
    return false;
  }
  require(decode_game(encode_game(game)) == game, "what was read can be written and read");
  return true;
}

}  // namespace

std::vector<std::byte> sample_chunk() {
  Bytes chunk = chunk_header("chess", 0x0123456789abcdefU);
  for (const GameRecord& game : sample_games()) {
    const Bytes frame = chunk_frame(game);
    chunk.insert(chunk.end(), frame.begin(), frame.end());
  }
  return chunk;
}

std::vector<std::vector<std::byte>> sample_records() {
  std::vector<Bytes> records;
  for (const GameRecord& game : sample_games())
    records.push_back(encode_game(game));
  return records;
}

std::vector<std::byte> chunk_around(View record, std::uint32_t raw_size) {
  Bytes payload(ZSTD_compressBound(record.size()));
  payload.resize(ZSTD_compress(payload.data(), payload.size(), record.data(), record.size(), 1));
  Bytes frame(kFrameHeader);
  const std::span<std::byte> head(frame);
  put(head, static_cast<std::uint32_t>(payload.size()));
  put(head.subspan(4), raw_size);
  Bytes chunk = chunk_header("chess", 1);
  chunk.insert(chunk.end(), frame.begin(), frame.end());
  chunk.insert(chunk.end(), payload.begin(), payload.end());
  restore_checksums(chunk);
  return chunk;
}

void restore_checksums(std::span<std::byte> chunk) {
  if (chunk.size() < 16) return;
  const std::size_t name = get<std::uint32_t>(chunk.subspan(12));
  const std::size_t run_id = get<std::uint32_t>(chunk.subspan(8)) == 1 ? 0 : 8;
  std::size_t at = 16 + name + run_id;
  if (at + 8 > chunk.size()) return;
  put(chunk.subspan(at), hash(chunk.first(at)));
  at += 8;
  while (at + kFrameHeader <= chunk.size()) {
    const std::span<std::byte> frame = chunk.subspan(at);
    const std::size_t compressed =
        std::min<std::size_t>(get<std::uint32_t>(frame), frame.size() - kFrameHeader);
    put(frame.subspan(24), hash(frame.subspan(kFrameHeader, compressed)));
    put(frame.subspan(32), hash(frame.first(32)));
    at += kFrameHeader + compressed;
  }
}

int check_chunk(View bytes) {
  ChunkContents contents;
  try {
    contents = scan_chunk(bytes, "x.chunk", "chess");
  } catch (const ReplayError& error) {
    require_short(error.what());
    return 0;
  }
  for (const std::string& message : contents.messages) {
    require(message.starts_with("x.chunk: "), "messages name the file");
    require_short(message);
  }
  int sound = 0;
  for (const StoredGame& game : contents.games) {
    try {
      const GameRecord record = read_frame(bytes.subspan(game.offset), game);
      require(record.number == game.number, "a game is the one that the scan found");
      if (is_sound(record)) ++sound;
    } catch (const ReplayError& error) {
      require(std::string_view(error.what()).starts_with("x.chunk, byte "),
              "messages name the file and the position");
      require_short(error.what());
    }
  }
  return sound;
}

bool check_record(View bytes, std::uint32_t version) {
  try {
    return is_sound(decode_game(bytes, version));
  } catch (const ReplayError& error) {
    require_short(error.what());
    return false;
  }
}

}  // namespace faultline::fuzz
