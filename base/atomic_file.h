// Files written at once: readers always see a complete one, even after a power failure.
#pragma once

#include <filesystem>
#include <string_view>

namespace faultline {

/// The file in which write_file_atomically() keeps the new content until it is complete:
/// "FILE.tmp".
std::filesystem::path temporary_of(const std::filesystem::path& file);

/// Writes temporary_of(file), syncs it, renames it to `file` and syncs the folder: `file` holds
/// either all of `bytes` or its previous content. Of a symbolic link the file that it leads to is
/// written. On failure throws std::system_error "FILE: cannot
/// be written: REASON", with the reason as its code(), and leaves no temporary file.
void write_file_atomically(const std::filesystem::path& file, std::string_view bytes);

/// Writes a file that must not exist yet, as write_file_atomically() does: one that appears
/// meanwhile is kept, and the error's code() is then std::errc::file_exists. The temporary file is
/// a new one in the same folder.
void write_new_file(const std::filesystem::path& file, std::string_view bytes);

}  // namespace faultline
