// Files that are there and cannot be read, as opposed to files that are not there.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace faultline {

/// "FILE: cannot be read: REASON", also for a link to nothing; nullopt for a file that can be read
/// or is not there.
std::optional<std::string> why_unreadable(const std::filesystem::path& file);

}  // namespace faultline
