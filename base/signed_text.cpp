// Numbers with their sign, for people.
#include "base/signed_text.h"

#include <fmt/core.h>

namespace faultline {

std::string signed_text(double value, int decimals) {
  std::string text = fmt::format("{:+.{}f}", value, decimals);
  if (text.find_first_not_of("-0.") == std::string::npos) text.front() = '+';
  return text;
}

}  // namespace faultline
