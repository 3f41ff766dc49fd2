// Game files as pages edit them.
#pragma once

#include <mutex>
#include <set>
#include <string>

#include "rules/data/game_file.h"
#include "web/lab_folder.h"
#include "web/request.h"

namespace faultline::web {

/// Thread-safe. A text that is a game can be played at once: by its own name where the program
/// knows this game by it, else as a draft, "data:draft-0123abcd". The program never forgets a game,
/// so that there is a limit to drafts.
class GameEditor {
 public:
  /// `position`: the desk's; null: replies have none.
  GameEditor(const LabFolder& lab, Handler position) : lab_(&lab), position_(std::move(position)) {}

  /// The request `gameFile`; `name` may also be the path of a game file in the lab's folder.
  /// Warnings are among the mistakes, and begin with "warning: "; line 0: of the text as a whole.
  ReportJson game_file(const ReportJson& request);
  /// The request `gamePage`: writes the page that plays a game file without a server beside it.
  ReportJson page(const ReportJson& request);
  /// The request `saveGame`: a text without errors, into a file that is new or one of a game.
  ReportJson save(const ReportJson& request);

 private:
  /// The name by which it can be played, with "data:". Throws VariantError.
  std::string playable_name(const data::GameFile& game);

  const LabFolder* lab_;
  Handler position_;
  std::mutex mutex_;
  std::set<std::string> drafts_;  // guarded by mutex_
};

}  // namespace faultline::web
