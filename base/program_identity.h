// Which build of the program this is.
#pragma once

#include <string>

namespace faultline {

/// Differs between builds of one version: the size and the time of the running program's file;
/// empty where the system does not name it.
std::string program_build();

}  // namespace faultline
