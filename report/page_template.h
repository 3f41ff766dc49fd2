// The page that reports are put into: page/assets/report.html, as text.
#pragma once

#include <string_view>

namespace faultline {

/// HTML with FAULTLINE_TITLE and FAULTLINE_DATA where the title and the data go.
extern const std::string_view kReportPage;

}  // namespace faultline
