// The kinds of folders and files that reports are made of (ReportSource in report/report.h).
#pragma once

#include "report/report.h"

namespace faultline {

ReportSource run_report_source();
ReportSource study_report_source();
ReportSource tournament_report_source();
ReportSource survey_report_source();
ReportSource yardsticks_report_source();
ReportSource games_report_source();

}  // namespace faultline
