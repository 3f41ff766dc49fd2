// Where the program is.
#pragma once

#include <filesystem>

namespace faultline {

/// The folder of the running program's file; empty where the system does not name it.
std::filesystem::path program_folder();

}  // namespace faultline
