// What a plane shows, as a term of a small closed vocabulary (docs/export.md).
#pragma once

#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "model/encoding/encoding_details.h"
#include "rules/piece_kinds.h"

namespace faultline {

/// White's letter of a piece ("queen": "Q") in FENs; "" for no piece. `kinds`: those of a game of a
/// file; null: of a family that is compiled.
std::string letter_of_piece(std::string_view piece, const PieceKinds* kinds = nullptr);

/// {"name", "divisor", "perspective", "source": {"term", …}} of the plane with this name. Throws
/// ExportError for a name that the vocabulary does not have: a new family's planes are named from
/// it, or extend it here and in docs/export.md. Games of files, whose pieces are `kinds`, have
/// other planes, too: their term is "undescribed", and only the name says what they show.
nlohmann::ordered_json describe_plane(const std::string& name, const EncodingDetails& details,
                                      const PieceKinds* kinds = nullptr);

}  // namespace faultline
