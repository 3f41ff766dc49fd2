// A variant's encoding described so that a program can encode positions and number moves without
// knowing the game: `encoding.json` of a bundle, and the metadata of every exported file.
#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include "model/encoding/encoding.h"

namespace faultline {

/// docs/export.md explains every key. Throws ExportError if this program encodes the variant
/// differently from `trained`, VariantError if it does not know it.
nlohmann::ordered_json describe_encoding(const EncodingInfo& trained);

/// This program's own encoding of a variant. Throws VariantError if it does not know it.
const EncodingInfo& encoding_of(const std::string& variant);

}  // namespace faultline
