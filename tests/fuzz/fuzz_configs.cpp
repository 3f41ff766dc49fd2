// libFuzzer target: configurations. With FAULTLINE_SEEDS=FOLDER in the environment it first writes
// seed inputs, and must run in the repository root.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <string>
#include <string_view>

#include "tests/fuzz/configs.h"

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  const char* folder = std::getenv("FAULTLINE_SEEDS");
  if (folder == nullptr) return 0;
  int number = 0;
  for (const std::string& toml : faultline::fuzz::sample_configs("configs")) {
    const std::string file = std::string(folder) + "/config-" + std::to_string(++number);
    if (!(std::ofstream(file, std::ios::binary) << toml)) std::abort();
  }
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  faultline::fuzz::check_toml(std::string_view(reinterpret_cast<const char*>(data), size));
  return 0;
}
