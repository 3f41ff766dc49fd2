// Where the program is.
#pragma once

#include <filesystem>
#include <vector>

namespace faultline {

/// The folder of the running program's file; empty where the system does not name it.
std::filesystem::path program_folder();

/// The folder and all that it is in, absolute, from the inside to the outside; none for "".
std::vector<std::filesystem::path> folders_above(const std::filesystem::path& folder);

}  // namespace faultline
