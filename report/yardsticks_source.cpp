// Reports of yardsticks.
#include <filesystem>

#include "lab/experiment.h"
#include "lab/yardsticks/yardsticks.h"
#include "report/sources.h"

namespace faultline {
namespace {

bool holds_yardsticks(const std::filesystem::path& folder) {
  return std::filesystem::is_regular_file(folder / kYardsticksFile);
}

void fill_from_yardsticks(const std::filesystem::path& folder, const ReportOptions&,
                          Report& report) {
  const std::filesystem::path file = folder / kYardsticksFile;
  try {
    const ReportJson document = read_json_file(file);
    if (!is_document(document, "yardsticks"))
      throw ReportError(file.string() + ": is not what 'faultline yardsticks --out' writes");
    report.title = document.at("title");
    for (const ReportJson& notice : document.at("notices"))
      report.notices.push_back(notice);
    report.sections = document.at("sections");
  } catch (const ExperimentError& error) {
    throw ReportError(error.what());
  } catch (const nlohmann::json::exception& error) {
    throw ReportError(file.string() + ": " + error.what());
  }
}

}  // namespace

ReportSource yardsticks_report_source() {
  return {.name = "yardsticks",
          .description = "a folder of yardsticks (with yardsticks.json)",
          .is_one = holds_yardsticks,
          .fill = fill_from_yardsticks};
}

}  // namespace faultline
