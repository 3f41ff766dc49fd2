// Parts of documents, for looking at what they say.
#pragma once

#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

#include "base/document.h"

namespace faultline::test {

inline const Section& section_of(const Document& document, const std::string& title) {
  for (const Section& section : document.sections)
    if (section.title == title) return section;
  throw std::runtime_error("no section " + title);
}

/// The texts of a table's rows.
inline std::vector<std::vector<std::string>> rows_in(const Document& document,
                                                     const std::string& title) {
  std::vector<std::vector<std::string>> rows;
  for (const auto& row : std::get<Table>(section_of(document, title).content).rows) {
    rows.emplace_back();
    for (const Cell& cell : row)
      rows.back().push_back(cell.text);
  }
  return rows;
}

/// "12 (a remark)"; "" if there is no such fact.
inline std::string fact_in(const Document& document, const std::string& title,
                           const std::string& name) {
  for (const Fact& fact : std::get<Facts>(section_of(document, title).content))
    if (fact.name == name)
      return fact.value.text + (fact.remark.empty() ? "" : " (" + fact.remark + ")");
  return "";
}

}  // namespace faultline::test
