// What a plane shows, as a term of a small closed vocabulary (docs/export.md).
#pragma once

#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "model/encoding/encoding_details.h"

namespace faultline {

/// White's letter of a piece ("queen": 'Q') in FENs; 0 for no piece.
char letter_of_piece(std::string_view piece);

/// {"name", "divisor", "perspective", "source": {"term", …}} of the plane with this name. Throws
/// ExportError for a name that the vocabulary does not have: a new family's planes are named from
/// it, or extend it here and in docs/export.md.
nlohmann::ordered_json describe_plane(const std::string& name, const EncodingDetails& details);

}  // namespace faultline
