// libFuzzer target: chunks of games and records. scripts/fuzz builds and runs it. With
// FAULTLINE_SEEDS=FOLDER in the environment it first writes inputs to start from.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <span>
#include <string>
#include <vector>

#include "tests/fuzz/chunks.h"

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  using namespace faultline::fuzz;
  const char* folder = std::getenv("FAULTLINE_SEEDS");
  if (folder == nullptr) return 0;
  int number = 0;
  const auto write = [&](char kind, const std::vector<std::byte>& bytes) {
    std::ofstream out(std::string(folder) + "/chunk-" + std::to_string(++number), std::ios::binary);
    out.put(kind);
    out.write(reinterpret_cast<const char*>(bytes.data()),
              static_cast<std::streamsize>(bytes.size()));
    if (!out.flush()) std::abort();
  };
  for (const char kind : {0, 1})
    write(kind, sample_chunk());
  for (const std::vector<std::byte>& record : sample_records())
    for (const char kind : {2, 3})
      write(kind, record);
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  faultline::fuzz::check_bytes(std::as_bytes(std::span(data, size)));
  return 0;
}
