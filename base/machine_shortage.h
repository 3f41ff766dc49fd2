// What this machine, or its limits, do not have enough of.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <system_error>

namespace faultline {

/// The machine cannot go on: the message says what is short and what to do. It is never the fault
/// of a player or a file.
class MachineShortage : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Returns what to do about open files, processes, threads, memory or space that have run out;
/// empty for all other errors.
std::string shortage_advice(const std::error_code& error);

/// Throws MachineShortage if this process cannot open `more` files. Raises its limit if that is
/// allowed.
void require_files(std::size_t more);

/// Throws MachineShortage if `more` threads or processes cannot be started: starts as many threads,
/// which do nothing, as that depends on the user, the control groups and the system.
void require_tasks(std::size_t more);

}  // namespace faultline
