// What the openings of recorded games come from, so that games that are added have openings of the
// same file or net.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "lab/opening_source.h"

namespace faultline {

struct OpeningOrigin {
  std::string source;  // the file; or the net, as in kPlayerHelp, a run resolved to its net
  std::string hash;    // of the file's bytes or the net's weights: 64 bits, hexadecimal
  friend bool operator==(const OpeningOrigin&, const OpeningOrigin&) = default;
};

/// The file of openings, or the net that the source names; none of openings that need neither or
/// come from a player's net. Throws OpeningError for a file that cannot be read, PlayerError and
/// CheckpointError.
std::vector<OpeningOrigin> opening_origins(const OpeningSource& source);

/// Throws OpeningError that names the file or net which has other contents than `recorded` says, or
/// which is gone. Nothing recorded, as by older programs: nothing is checked. `openings`: the
/// setting that the origins are those of.
void check_origins(const std::vector<OpeningOrigin>& recorded, std::string_view openings);

/// The source with the net that was recorded for it: of a run that is named, this may no longer be
/// the newest one.
OpeningSource with_origins(OpeningSource source, const std::vector<OpeningOrigin>& recorded);

/// The key in the settings of tournaments, studies and surveys: [{"source", "hash"}].
inline constexpr const char* kOpeningOriginsKey = "openings_from";
/// Adds the key, unless there are none.
void write_origins(const std::vector<OpeningOrigin>& origins, nlohmann::ordered_json& settings);
/// None if the key is missing. `source` names the settings' file. Throws std::runtime_error.
std::vector<OpeningOrigin> read_origins(const nlohmann::json& settings, const std::string& source);

}  // namespace faultline
