// libFuzzer target: checkpoint files. scripts/fuzz builds and runs it. Each input is read as it is
// and again with a correct hash, which no mutation would ever find. With FAULTLINE_SEEDS=FOLDER in
// the environment it first writes seed inputs.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <string>
#include <string_view>

#include "tests/fuzz/checkpoints.h"

extern "C" int LLVMFuzzerInitialize(int*, char***) {
  using namespace faultline::fuzz;
  const char* folder = std::getenv("FAULTLINE_SEEDS");
  if (folder == nullptr) return 0;
  std::ofstream out(std::string(folder) + "/small", std::ios::binary);
  if (!(out << small_checkpoint())) std::abort();
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  faultline::fuzz::check_checkpoint(bytes);
  faultline::fuzz::check_checkpoint(faultline::fuzz::rehashed(bytes));
  return 0;
}
