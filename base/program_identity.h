// Where the program is, and what comes with it.
#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

namespace faultline {

/// The folder of the running program's file; empty where the system does not name it.
std::filesystem::path program_folder();

/// The folder and all that it is in, absolute, from the inside to the outside; none for "".
std::vector<std::filesystem::path> folders_above(const std::filesystem::path& folder);

/// Folders with what comes with the program, such as "nets": those that exist of NAME in the
/// current folder, then NAME and share/faultline/NAME in the program's folder and each above it.
std::vector<std::filesystem::path> shared_folders(std::string_view name);

}  // namespace faultline
