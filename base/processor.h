// The processor's name, for figures that depend on it.
#pragma once

#include <string>

namespace faultline {

/// "AMD EPYC 9555, 2 cores": the model as the system names it, and the number of logical cores
/// available to this process; "unknown processor, 2 cores" where the system does not say.
std::string processor_name();

}  // namespace faultline
