// The TOML file that describes a study (docs/studies.md).
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "lab/study_settings.h"

namespace faultline {

/// Reads a study's file, whose strategies are looked for near it (find_strategy). `given`: values
/// that the command line gives instead of the file's, by key; "nets" are texts as in the file, and
/// "variants" some of the file's. The settings are complete and checked. Throws ExperimentError,
/// OptionError, and what find_player, read_checkpoint_info and find_game throw.
StudySettings read_study(const std::filesystem::path& file, const GivenValues& given = {});
/// Reads a study from a text; its strategies are looked for near `folder`.
StudySettings parse_study(std::string_view text, const std::string& source,
                          const std::filesystem::path& folder = {}, const GivenValues& given = {});

}  // namespace faultline
