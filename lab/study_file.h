// The TOML file that describes a study (docs/studies.md).
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lab/study_settings.h"

namespace faultline {

/// What is said on the command line instead of the file; empty: nothing.
struct StudyOverrides {
  std::vector<std::string> nets = {};  // "LABEL=PLAYER" or "PLAYER" each
  std::vector<int> visits = {};
  std::vector<std::string> variants = {};  // some of the file's
  std::optional<int> games = std::nullopt;
};

/// Reads a study's file, whose strategies are looked for near it (find_strategy). The settings are
/// complete and checked. Throws StudyError, and what find_player, read_checkpoint_info and
/// find_game throw.
StudySettings read_study(const std::filesystem::path& file, const StudyOverrides& overrides = {});
/// Reads a study from a text; its strategies are looked for near `folder`.
StudySettings parse_study(std::string_view text, const std::string& source,
                          const std::filesystem::path& folder = {},
                          const StudyOverrides& overrides = {});

}  // namespace faultline
