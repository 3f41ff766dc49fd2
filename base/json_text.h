// Writing JSON: the one place that turns a value of nlohmann's library into text.
#pragma once

#include <string>

namespace faultline {

/// `json` as text: in one line, or with `indent` spaces for each level. Bytes that are not UTF-8,
/// which names of players, tags of games and paths may have, become U+FFFD: dump() alone would
/// throw, often after the work that the text reports.
template <class Json>
std::string json_text(const Json& json, int indent = -1, bool ascii = false) {
  return json.dump(indent, ' ', ascii, Json::error_handler_t::replace);
}

}  // namespace faultline
