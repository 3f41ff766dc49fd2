// Chunks and records that are mutated, truncated, spliced or malicious, with wrong and with valid
// checksums: refused or reported, within bounded memory.
#include "tests/fuzz/chunks.h"

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "record/chunk.h"
#include "tests/fuzz/allocations.h"
#include "tests/fuzz/texts.h"

namespace faultline::fuzz {
namespace {

using Bytes = std::vector<std::byte>;

std::byte as_byte(std::uint64_t value) {
  return static_cast<std::byte>(value & 0xff);
}

/// One to four changes: a bit, a byte, an extreme byte, a truncation, a part repeated, a part
/// removed.
void mutate(Bytes& bytes, std::mt19937_64& random) {
  for (auto changes = 1 + random() % 4; changes > 0 && !bytes.empty(); --changes) {
    const std::size_t at = random() % bytes.size();
    const auto here = bytes.begin() + static_cast<std::ptrdiff_t>(at);
    const auto length =
        static_cast<std::ptrdiff_t>(1 + random() % std::min<std::size_t>(bytes.size() - at, 40));
    switch (random() % 8) {
      case 0:
        bytes.resize(at);
        break;
      case 1: {
        const Bytes part(here, here + length);
        bytes.insert(here, part.begin(), part.end());
        break;
      }
      case 2:
        bytes.erase(here, here + length);
        break;
      case 3:
        *here = random() % 2 == 0 ? std::byte{0xff} : std::byte{0};
        break;
      case 4:
        *here = as_byte(random());
        break;
      default:
        *here ^= as_byte(1U << random() % 8);
    }
  }
}

/// Runs `check`, which must hold and allocate no more than `most` bytes.
template <class F>
auto within(std::size_t most, F&& check) {
  const std::size_t before = allocated_bytes();
  const auto result = check();
  EXPECT_LE(allocated_bytes() - before, most);
  return result;
}

// Reading five games of ten plies allocates a quarter of a megabyte in total.
constexpr std::size_t kSmall = 4'000'000;

TEST(FuzzChunks, TheSamplesAreSound) {
  EXPECT_EQ(within(kSmall, [] { return check_chunk(sample_chunk()); }), 5);
  for (const Bytes& record : sample_records())
    EXPECT_TRUE(check_record(record, kRecordVersion));
}

TEST(FuzzChunks, MutatedChunksAreRefusedOrLoseOnlyGames) {
  const Bytes sample = sample_chunk();
  std::mt19937_64 random(1);
  int whole = 0;
  for (int i = 0; i < 5'000; ++i) {
    Bytes bytes = sample;
    mutate(bytes, random);
    whole += within(kSmall, [&] { return check_chunk(bytes); });
  }
  EXPECT_GT(whole, 1'000);  // games untouched by the damage
}

TEST(FuzzChunks, MutatedChunksWithValidChecksumsAreRefusedOrRead) {
  const Bytes sample = sample_chunk();
  std::mt19937_64 random(2);
  int whole = 0;
  for (int i = 0; i < 5'000; ++i) {
    Bytes bytes = sample;
    mutate(bytes, random);
    restore_checksums(bytes);
    // A length may state 64 MB, the maximum of a frame, for four frames.
    whole += within(300'000'000, [&] { return check_chunk(bytes); });
  }
  EXPECT_GT(whole, 1'000);
}

TEST(FuzzChunks, MutatedRecordsAreRefusedOrObeyTheRules) {
  std::mt19937_64 random(3);
  int sound = 0;
  for (const Bytes& sample : sample_records())
    for (int i = 0; i < 3'000; ++i) {
      Bytes bytes = sample;
      mutate(bytes, random);
      for (std::uint32_t version = 1; version <= kRecordVersion; ++version)
        sound += within(kSmall, [&] { return check_record(bytes, version); }) ? 1 : 0;
    }
  EXPECT_GT(sound, 100);  // a policy weight, for example
  EXPECT_LT(sound, 10'000);
}

TEST(FuzzChunks, MutatedRecordsInValidFramesAreRefusedOrObeyTheRules) {
  std::mt19937_64 random(4);
  for (const Bytes& sample : sample_records())
    for (int i = 0; i < 500; ++i) {
      Bytes record = sample;
      mutate(record, random);
      const Bytes chunk = chunk_around(record, static_cast<std::uint32_t>(record.size()));
      within(kSmall, [&] { return check_chunk(chunk); });
    }
}

TEST(FuzzChunks, RandomBytesAreNeitherChunkNorRecord) {
  std::mt19937_64 random(5);
  for (int i = 0; i < 2'000; ++i) {
    Bytes bytes(random() % 3'000);
    std::ranges::generate(bytes, [&] { return as_byte(random()); });
    EXPECT_EQ(within(kSmall, [&] { return check_chunk(bytes); }), 0);
    for (std::uint32_t version = 1; version <= kRecordVersion; ++version)
      EXPECT_FALSE(within(kSmall, [&] { return check_record(bytes, version); }));
  }
}

TEST(FuzzChunks, AFrameThatOverstatesItsSizeAllocatesNoMemory) {
  const Bytes record = sample_records().front();
  for (const std::uint32_t promised : {0U, 1U, 1U << 20, 1U << 26, 1U << 27, 0xffffffffU}) {
    const Bytes chunk = chunk_around(record, promised);
    EXPECT_EQ(within(kSmall, [&] { return check_chunk(chunk); }), 0) << promised;
  }
}

TEST(FuzzChunks, AFrameThatUnpacksToGigabytesIsRefused) {
  // 100 MB of zeros take some kilobytes; the largest frame is 64 MB.
  const Bytes zeros(100'000'000);
  const Bytes chunk = chunk_around(zeros, static_cast<std::uint32_t>(zeros.size()));
  ASSERT_LT(chunk.size(), 1'000'000U);
  EXPECT_EQ(within(kSmall, [&] { return check_chunk(chunk); }), 0);
}

TEST(FuzzChunks, CountsBeyondTheRecordAreRefusedBeforeAllocating) {
  // number 0, steps 0, hash, then a start FEN, or plies, of 2^62 or 2^35 bytes.
  for (const int continuation : {5, 9}) {
    Bytes text(10, std::byte{0});
    for (int i = 0; i + 1 < continuation; ++i)
      text.push_back(std::byte{0xff});
    text.push_back(std::byte{0x3f});
    text.resize(text.size() + 100, std::byte{1});
    EXPECT_FALSE(within(kSmall, [&] { return check_record(text, kRecordVersion); }));
    Bytes plies(12, std::byte{0});  // no FEN, outcome 0
    plies.insert(plies.end(), text.begin() + 10, text.end());
    EXPECT_FALSE(within(kSmall, [&] { return check_record(plies, kRecordVersion); }));
  }
}

TEST(FuzzChunks, ChunksOfTheFirstVersionAreMutatedToo) {
  std::ifstream in(std::string(FAULTLINE_SOURCE_DIR) + "/tests/record/data/version-1.chunk",
                   std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  Bytes sample(text.size());
  std::ranges::transform(text, sample.begin(), [](char c) { return static_cast<std::byte>(c); });
  ASSERT_EQ(check_chunk(sample), 2);
  std::mt19937_64 random(6);
  for (int i = 0; i < 5'000; ++i) {
    Bytes bytes = sample;
    mutate(bytes, random);
    if (i % 2 == 0) restore_checksums(bytes);
    within(300'000'000, [&] { return check_chunk(bytes); });
  }
}

}  // namespace
}  // namespace faultline::fuzz
