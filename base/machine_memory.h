// How much memory this machine has, and this process has had.
#pragma once

#include <cstddef>

#include "base/control_groups.h"

namespace faultline {

/// Bytes that this process may use: the machine's memory, or less where a control group (a
/// container) limits it. 0 if the system does not say.
std::size_t machine_memory(const ControlGroupFiles& groups = {});

/// The most bytes that this process has had in memory. 0 if the system does not say.
std::size_t most_process_memory();

}  // namespace faultline
