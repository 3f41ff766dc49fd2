// Parts of a report's data.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "report/report.h"

namespace faultline::test {

inline std::vector<std::string> titles(const ReportJson& report) {
  std::vector<std::string> found;
  for (const auto& section : report["sections"])
    found.push_back(section["title"]);
  return found;
}

inline const ReportJson& section(const ReportJson& report, const std::string& title) {
  for (const auto& one : report["sections"])
    if (one["title"] == title) return one;
  throw std::runtime_error("no section " + title);
}

inline std::string notices(const ReportJson& report) {
  std::string text;
  for (const auto& notice : report["notices"])
    text += notice.get<std::string>() + "\n";
  return text;
}

}  // namespace faultline::test
