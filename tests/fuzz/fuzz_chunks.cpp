// libFuzzer target: chunks of recorded games. scripts/fuzz builds and runs it. Each input is read
// as it is and once more with the checksums that it should have, since no mutation would ever find
// those. With FAULTLINE_SEEDS=FOLDER in the environment it first writes an input to start from.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <span>
#include <string>
#include <vector>

#include "tests/fuzz/chunks.h"

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  const char* folder = std::getenv("FAULTLINE_SEEDS");
  if (folder == nullptr) return 0;
  const std::vector<std::byte> chunk = faultline::fuzz::sample_chunk();
  std::ofstream out(std::string(folder) + "/chunk", std::ios::binary);
  out.write(reinterpret_cast<const char*>(chunk.data()),
            static_cast<std::streamsize>(chunk.size()));
  if (!out) std::abort();
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto* begin = reinterpret_cast<const std::byte*>(data);
  std::vector<std::byte> bytes(begin, begin + size);
  faultline::fuzz::check_chunk(bytes);
  faultline::fuzz::restore_checksums(bytes);
  faultline::fuzz::check_chunk(bytes);
  return 0;
}
