// The report of a check of a device: Markdown from the rows of a results file.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace faultline::bench {

/// Rows as Results writes them; later rows replace earlier ones with the same key. Rows of an
/// unknown part are ignored. Beside the measured rates stand the limits: the measured ones
/// ("limits"), and for known devices the vendor's. Throws std::invalid_argument for rows of two
/// devices.
std::string device_report(const std::vector<nlohmann::ordered_json>& rows);

/// The rows of a file's lines; lines that are no JSON objects with a key are left out.
std::vector<nlohmann::ordered_json> read_rows(const std::string& text);

}  // namespace faultline::bench
