// Prints the document of a result.
#pragma once

#include <string>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "base/document.h"
#include "base/json_text.h"

namespace faultline {

/// Prints the document on standard output, as text or in one line of JSON.
inline void print(const Document& document, bool json) {
  fmt::print("{}", json ? json_text(to_json(document)) + "\n" : document_text(document));
}

}  // namespace faultline
