// JSON in exported files, which is not trusted.
#pragma once

#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

namespace faultline {

/// The value that `text` is. Throws ExportError "WHAT: ..." for text that is not JSON, or nests
/// deeper than any of the exported files (copies of a value take stack by its depth).
nlohmann::json parse_json(std::string_view text, const std::string& what);

}  // namespace faultline
