// Parsing JSON with a limit to its depth.
#include "model/export/json_text.h"

#include "base/quote.h"
#include "model/export/export_options.h"

namespace faultline {

nlohmann::json parse_json(std::string_view text, const std::string& what) {
  constexpr int kDeepest = 32;
  const auto refuse_depth = [&](int depth, nlohmann::json::parse_event_t, nlohmann::json&) {
    if (depth > kDeepest) throw ExportError(what + ": nests too deeply");
    return true;
  };
  try {
    return nlohmann::json::parse(text.begin(), text.end(), refuse_depth);
  } catch (const nlohmann::json::parse_error& error) {
    std::string_view reason = error.what();  // "[json.exception.parse_error.101] parse error at …"
    if (const std::size_t end = reason.find("] "); end != std::string_view::npos)
      reason.remove_prefix(end + 2);
    throw ExportError(what + ": is not valid JSON: " + printable(reason, 200));
  }
}

}  // namespace faultline
