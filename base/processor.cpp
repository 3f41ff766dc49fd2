// The processor's name, for figures that depend on it.
#include "base/processor.h"

#include <algorithm>
#include <fstream>
#include <thread>

#include "base/text.h"

namespace faultline {

std::string processor_name() {
  std::string model = "unknown processor";
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);) {
    const auto colon = line.find(": ");
    if (!line.starts_with("model name") || colon == std::string::npos) continue;
    model = line.substr(colon + 2);
    break;
  }
  return model + ", " + counted(std::max(1U, std::thread::hardware_concurrency()), "core");
}

}  // namespace faultline
