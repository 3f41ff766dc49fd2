// Atomic file replacement: readers always see a complete file, even after a power failure.
#pragma once

#include <filesystem>
#include <string_view>

namespace faultline {

/// Where write_file_atomically keeps the new content until it is complete: "FILE.tmp".
std::filesystem::path temporary_of(const std::filesystem::path& file);

/// Writes temporary_of(file), syncs it, renames it to `file` and syncs the folder: `file` holds
/// either all of `bytes` or its previous content. On failure throws std::system_error "FILE: cannot
/// be written: REASON", with the reason as its code(), and leaves no temporary file.
void write_file_atomically(const std::filesystem::path& file, std::string_view bytes);

}  // namespace faultline
