// Which build of the program this is, and where it is.
#pragma once

#include <filesystem>
#include <string>

namespace faultline {

/// Differs between builds of one version: the size and the time of the running program's file;
/// empty where the system does not name it.
std::string program_build();

/// The folder of the running program's file; empty where the system does not name it.
std::filesystem::path program_folder();

}  // namespace faultline
