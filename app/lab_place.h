// What `faultline lab` opens: a game, a network, a run, or a folder.
#pragma once

#include <filesystem>
#include <string>

namespace faultline {

struct LabPlace {
  /// The lab's folder: paths in the page are relative to it, and lead no further up. Absolute.
  std::filesystem::path root;
  /// Where the page begins, as its URL's fragment: "g=escher", "run=runs/a"; "": at the library.
  std::string fragment;
};

/// `text` is a game's name or file, a network's file, a run's folder (perhaps without the leading
/// "runs/"), a folder or file with results, or any other folder; "": the current folder. Throws
/// UsageError for what is none of these, with a suggestion where there is one.
LabPlace find_lab_place(const std::string& text);

}  // namespace faultline
