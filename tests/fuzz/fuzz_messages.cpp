// libFuzzer target: messages of pages. With FAULTLINE_SEEDS=FOLDER in the environment it first
// writes seed inputs.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <string>
#include <string_view>

#include "tests/fuzz/messages.h"

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  const char* folder = std::getenv("FAULTLINE_SEEDS");
  if (folder == nullptr) return 0;
  int number = 0;
  for (const std::string_view message : faultline::fuzz::sample_messages()) {
    const std::string file = std::string(folder) + "/message-" + std::to_string(++number);
    if (!(std::ofstream(file, std::ios::binary) << message)) std::abort();
  }
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  faultline::fuzz::check_message(std::string_view(reinterpret_cast<const char*>(data), size));
  return 0;
}
