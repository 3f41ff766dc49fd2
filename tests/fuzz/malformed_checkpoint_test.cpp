// Malformed checkpoints are refused with a clear message and little memory: damaged ones, and ones
// with a valid hash but a false header.
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "model/checkpoint_file.h"
#include "tests/fuzz/allocations.h"
#include "tests/fuzz/checkpoints.h"

namespace faultline {
namespace {

using nlohmann::json;

/// Reads `bytes` and expects a refusal with memory use proportional to their number.
void expect_refused(const std::string& bytes, const std::string& what) {
  const std::size_t before = fuzz::allocated_bytes();
  EXPECT_FALSE(fuzz::check_checkpoint(bytes)) << what;
  EXPECT_LT(fuzz::allocated_bytes() - before, 200 * bytes.size() + (4U << 20)) << what;
}

std::string with_header(const std::function<void(json&)>& change) {
  json header = json::parse(fuzz::small_header());
  change(header);
  return fuzz::checkpoint_with(header.dump(), fuzz::small_arrays());
}

std::string refusal(const std::string& bytes) {
  try {
    const auto file = CheckpointFile::parse(bytes, "FILE");
    read_values(file, "FILE", WeightsPart::Trained);
  } catch (const CheckpointError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(MalformedCheckpoint, TheSmallBaseFileIsValid) {
  EXPECT_TRUE(fuzz::check_checkpoint(fuzz::small_checkpoint()));
  EXPECT_TRUE(fuzz::check_checkpoint(with_header([](json&) {})));
}

TEST(MalformedCheckpoint, EveryLengthIsRefusedWhateverItsHash) {
  const std::string good = fuzz::small_checkpoint();
  for (std::size_t length = 0; length < good.size(); ++length) {
    expect_refused(good.substr(0, length), std::to_string(length) + " bytes");
    expect_refused(fuzz::rehashed(good.substr(0, length)),
                   std::to_string(length) + " bytes, rehashed");
  }
  expect_refused(fuzz::rehashed(good + "1234"), "four bytes more");
}

TEST(MalformedCheckpoint, EveryFlippedBitIsFound) {
  const std::string good = fuzz::small_checkpoint();
  for (std::size_t bit = 0; bit < 8 * good.size(); bit += 3) {
    std::string bad = good;
    bad[bit / 8] = static_cast<char>(bad[bit / 8] ^ (1 << bit % 8));
    expect_refused(bad, "bit " + std::to_string(bit));
  }
}

TEST(MalformedCheckpoint, MutationsWithAValidHashAreReadOrRefused) {
  const std::string good = fuzz::small_checkpoint();
  std::mt19937_64 rng(1);
  int read = 0;
  for (int i = 0; i < 4000; ++i) {
    std::string bad = good;
    const std::uint64_t changes = 1 + rng() % 4;
    for (std::uint64_t n = 0; n < changes; ++n) {
      // Mostly in the header, which has the structure; often in digits, which are the sizes.
      const std::size_t offset = rng() % (rng() % 4 == 0 ? bad.size() : 20 + 600);
      bad[offset % bad.size()] =
          rng() % 2 == 0 ? static_cast<char>(rng()) : static_cast<char>('0' + rng() % 10);
    }
    if (rng() % 4 == 0) bad.erase(rng() % bad.size(), rng() % 8);
    if (rng() % 4 == 0) bad.insert(rng() % bad.size(), std::string(rng() % 8, '['));
    const std::size_t before = fuzz::allocated_bytes();
    if (fuzz::check_checkpoint(fuzz::rehashed(bad))) ++read;
    EXPECT_LT(fuzz::allocated_bytes() - before, 64U << 20);
  }
  EXPECT_GT(read, 0) << "mutations of names and weights leave a network";
  EXPECT_LT(read, 4000);
}

TEST(MalformedCheckpoint, HugeCountsAreRefused) {
  for (const json& count : {json(std::uint64_t{1} << 62), json(UINT64_MAX), json(1e18), json(-1),
                            json(1'000'000'000), json(2.5), json("12"), json(true), json(nullptr)})
    expect_refused(with_header([&](json& h) { h["arrays"][0]["count"] = count; }), count.dump());
  for (std::uint64_t length : {std::uint64_t{0}, std::uint64_t{1} << 40, UINT64_MAX}) {
    std::string bad = fuzz::small_checkpoint();
    std::memcpy(bad.data() + 12, &length, sizeof length);
    expect_refused(fuzz::rehashed(bad), "header of " + std::to_string(length));
  }
}

TEST(MalformedCheckpoint, ImpossibleNetworkSizesAreRefused) {
  for (const char* key : {"height", "width", "levels"})
    for (const json& size : {json(0), json(-8), json(INT32_MAX), json(4'294'967'297), json(1e300),
                             json(2.5), json(true), json(nullptr), json(json::array())})
      expect_refused(with_header([&](json& h) { h["encoding"][key] = size; }),
                     key + (" " + size.dump()));
  for (const char* key :
       {"blocks", "channels", "se_ratio", "policy_dim", "value_channels", "value_hidden"})
    for (const json& size : {json(-1), json(INT32_MAX), json(std::uint64_t{1} << 63), json(1e300),
                             json("6"), json(nullptr)})
      expect_refused(with_header([&](json& h) { h["net"][key] = size; }),
                     key + (" " + size.dump()));
  // The made-up game has no levels.
  for (const json& value : {json(true), json(1), json("true"), json(nullptr)})
    expect_refused(with_header([&](json& h) { h["net"]["share_levels"] = value; }), value.dump());
  for (const json& planes :
       {json({"level 1: squares", "level 2: squares"}), json({"level 1: squares", "level 1: own"}),
        json({"level 1: own", "level 2: own"})})
    expect_refused(with_header([&](json& h) {
                     h["net"]["share_levels"] = true;
                     h["encoding"]["planes"] = planes;
                     h["encoding"]["levels"] = 2;
                   }),
                   planes.dump());
  // Within the limits, but far from the file's content.
  expect_refused(with_header([](json& h) {
                   h["net"]["blocks"] = 80;
                   h["net"]["channels"] = 1024;
                 }),
                 "a large network");
  expect_refused(with_header([](json& h) { h["steps"] = -1; }), "steps");
}

TEST(MalformedCheckpoint, HeadersOfTheWrongShapeAreRefused) {
  for (const char* key : {"arrays", "encoding", "net", "steps"}) {
    expect_refused(with_header([&](json& h) { h.erase(key); }), std::string("no ") + key);
    for (const json& value : {json(nullptr), json("text"), json({{"a", 1}}), json({1, 2}),
                              json({{{"name", 3}, {"count", "x"}}})})
      expect_refused(with_header([&](json& h) { h[key] = value; }), key + (" " + value.dump()));
  }
  expect_refused(with_header([](json& h) { h["encoding"]["planes"] = {1, 2}; }), "planes");
  expect_refused(with_header([](json& h) { h["encoding"]["planes"] = json::array(); }), "planes");
  for (const char* text : {"", "null", "[]", "3", "{", "{\"arrays\": [", "\xff\xfe", "{} {}"})
    expect_refused(fuzz::checkpoint_with(text, fuzz::small_arrays()), text);
}

TEST(MalformedCheckpoint, DeeplyNestedHeadersAreRefused) {
  for (const std::size_t depth : {std::size_t{40}, std::size_t{1'000'000}}) {
    const std::string nested = std::string(depth, '[') + std::string(depth, ']');
    std::string header = fuzz::small_header();
    header.insert(1, "\"deep\":" + nested + ",");
    EXPECT_EQ(refusal(fuzz::checkpoint_with(header, fuzz::small_arrays())),
              "checkpoint FILE: its header nests too deeply");
    expect_refused(fuzz::checkpoint_with(std::string(depth, '['), ""), "unclosed");
  }
}

TEST(MalformedCheckpoint, ADuplicateArrayIsRefused) {
  const std::string bytes =
      with_header([](json& h) { h["arrays"][0]["name"] = h["arrays"][1]["name"]; });
  EXPECT_NE(refusal(bytes).find("appears twice"), std::string::npos) << refusal(bytes);
}

TEST(MalformedCheckpoint, HostileNamesAreEscaped) {
  const std::string bytes = with_header([](json& h) {
    h["arrays"][0]["name"] = h["arrays"][1]["name"] = "\x1b[2J" + std::string(100'000, 'x');
  });
  EXPECT_LT(refusal(bytes).size(), 200U);
  EXPECT_EQ(refusal(bytes).find('\x1b'), std::string::npos);
}

}  // namespace
}  // namespace faultline
