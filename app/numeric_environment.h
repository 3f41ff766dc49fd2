// The environment variables that the numerical libraries read while they load, with reasons.
#pragma once

#include <string>
#include <vector>

namespace faultline {

struct EnvironmentSetting {
  const char* name;
  const char* value;
  const char* why;  // one line
};

/// The table of them, for this processor.
std::vector<EnvironmentSetting> numeric_environment();

/// Sets those that the user has not set.
void set_numeric_environment();

/// The table as shell commands with the same effect, each below its reason.
std::string environment_script();

}  // namespace faultline
