// What lies in the lab's folder.
#pragma once

#include "report/report_json.h"
#include "web/lab_folder.h"
#include "web/run_control.h"

namespace faultline::web {

/// The kind of a file or folder, "run", "tournament", "study", "survey", "yardsticks", "games",
/// "net" or "game"; "" for anything else.
std::string kind_of(const std::filesystem::path& path);
/// Whether a file is that of a game, by the tables that only these have.
bool is_game_file(const std::filesystem::path& file);

/// What is in `folder` and some levels below, without what belongs to a run or an experiment, and
/// without hidden folders and links to folders: an array of FolderEntry, the newest first;
/// `changed` is in seconds since 1970.
ReportJson folder_entries(const LabFolder& lab, const std::filesystem::path& folder,
                          RunControl& control);

}  // namespace faultline::web
