// Replacing a file so that whoever reads it, even after a power cut, finds it whole.
#pragma once

#include <filesystem>
#include <string_view>

namespace faultline {

/// Where write_file_atomically keeps the new content until it is complete: "FILE.tmp".
std::filesystem::path temporary_of(const std::filesystem::path& file);

/// Writes temporary_of(file), syncs it, renames it to `file` and syncs the folder: `file` holds
/// the whole of `bytes` or what it held before. Throws std::system_error "FILE: cannot be written:
/// REASON", with the reason as its code(), and leaves no temporary file, if the disk refuses.
void write_file_atomically(const std::filesystem::path& file, std::string_view bytes);

}  // namespace faultline
