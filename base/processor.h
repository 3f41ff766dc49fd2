// The processor: its name, and how much of it this process may use.
#pragma once

#include <string>

#include "base/control_groups.h"

namespace faultline {

/// Returns how many threads can run at the same time: the least of the machine's logical cores,
/// those that this process may run on (`taskset`), and the quotas of its control groups, rounded up
/// (a container with 1.5 processors keeps two threads busy, one of them half of the time). At
/// least 1. Everything that starts "one thread per core" asks here.
int available_processors(const ControlGroupFiles& groups = {});

/// "AMD EPYC 9555, 2 cores": the model as the system names it, and available_processors(); "unknown
/// processor, 2 cores" where the system does not say.
std::string processor_name();

}  // namespace faultline
