// Numbers with their sign, for people.
#pragma once

#include <string>

namespace faultline {

/// "+35", "-0.25"; "+0" for whatever rounds to zero, which has no sign; "+inf" and "-inf".
std::string signed_text(double value, int decimals = 0);

}  // namespace faultline
