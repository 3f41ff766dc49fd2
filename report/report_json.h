// The JSON that a report's page draws (docs/reports.md), and the sections that it consists of.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

namespace faultline {

/// Keys stay in the order in which they are set.
using ReportJson = nlohmann::ordered_json;

/// A number rounded to so many significant digits, or null if it is not finite: a page needs no
/// more, and shorter numbers make smaller pages.
ReportJson shown_number(double value, int digits = 4);

/// A section: an object whose "type" says how it is drawn; `note` is text below its title.
ReportJson report_section(std::string_view type, std::string_view title,
                          std::string_view note = "");

/// One of a "facts" section's items: a figure with its name, and a remark.
struct ReportFact {
  std::string name;
  std::string value;
  std::string remark = {};
};
ReportJson facts_section(std::string_view title, const std::vector<ReportFact>& facts,
                         std::string_view note = "");

/// A column of a "table" section.
struct ReportColumn {
  enum class Kind : std::uint8_t {
    Text,
    Code,      // text as it is typed: keys, names of players
    Number,    // aligned on the right; text that is ready to be shown
    Interval,  // cells made by interval_cell(), drawn on an axis from `low` to `high`
  };
  std::string title;
  Kind kind = Kind::Text;
  double low = 0;
  double high = 1;
  std::optional<double> reference = std::nullopt;  // a line across the axis
};
/// An estimate with its interval; `text` is shown beside it. Ends that are not finite are cut off.
ReportJson interval_cell(double value, double low, double high, std::string_view text);
/// `rows`: arrays with a cell per column.
ReportJson table_section(std::string_view title, const std::vector<ReportColumn>& columns,
                         ReportJson rows, std::string_view note = "");

/// Names networks by run and file in all texts: "/path/to/runs/a/nets/000500.pt" becomes
/// "a/nets/000500.pt". A page may be given to others, to whom the folders say nothing and whose
/// business they are not. Relative paths stay.
void leave_out_folders_of_nets(ReportJson& json);

/// A share in percent: "41.3 %".
std::string percent_text(double share, int decimals = 1);

}  // namespace faultline
