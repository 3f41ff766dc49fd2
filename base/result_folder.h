// What a folder of results holds, so that no command writes among another's files.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace faultline {

enum class FolderContents : std::uint8_t { Run, Tournament, Survey, Study };

/// "FOLDER: contains a survey (survey.json); give a run a folder of its own" if it holds results of
/// another kind than `wanted`; nothing if it does not, or does not exist.
std::optional<std::string> why_taken(const std::filesystem::path& folder, FolderContents wanted);

}  // namespace faultline
