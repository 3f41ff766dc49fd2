// libFuzzer target: texts of games. scripts/fuzz builds and runs it. With FAULTLINE_SEEDS=FOLDER in
// the environment it first writes seed inputs.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <string>
#include <string_view>

#include "tests/fuzz/games.h"

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  const char* folder = std::getenv("FAULTLINE_SEEDS");
  if (folder == nullptr) return 0;
  int number = 0;
  for (const std::string& input : faultline::fuzz::sample_games()) {
    const std::string file = std::string(folder) + "/games-" + std::to_string(++number);
    std::ofstream out(file, std::ios::binary);
    if (!(out << input)) std::abort();
  }
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  faultline::fuzz::check_games(std::string_view(reinterpret_cast<const char*>(data), size));
  return 0;
}
