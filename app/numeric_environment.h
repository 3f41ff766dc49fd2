// The environment variables that the numerical libraries read while they load, with reasons.
#pragma once

#include <string>
#include <vector>

#include "base/processor_features.h"

namespace faultline {

struct EnvironmentSetting {
  const char* name;
  std::string value;
  const char* why;  // one line
};

/// The table of them.
std::vector<EnvironmentSetting> numeric_environment(const ProcessorFeatures& processor);

/// Sets those for this processor that the user has not set.
void set_numeric_environment();

/// The table as shell commands with the same effect, each below its reason.
std::string environment_script();

}  // namespace faultline
