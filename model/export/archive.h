// Zip archives in memory.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace faultline {

/// The bytes of an archive with these files (name, content), the same bytes for the same files.
/// Throws ExportError.
std::string write_archive(const std::vector<std::pair<std::string, std::string>>& files);

/// Whether a file begins as zip archives do.
bool is_archive(const std::filesystem::path& file);

/// Those of the named files that the archive has; all if none is named. Throws ExportError for one
/// that cannot be read, is damaged, or would need more than 4 GiB.
std::map<std::string, std::string> read_archive(const std::filesystem::path& file,
                                                const std::vector<std::string>& names = {});

}  // namespace faultline
