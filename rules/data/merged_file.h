// A game's file with the files that it is based on.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/toml_tree.h"
#include "rules/data/game_file.h"
#include "rules/data/reading.h"

namespace faultline::data {

struct MergedFile {
  std::string source;    // of the file that was asked for
  TomlValue root;        // without `base`
  bool complete = true;  // all files that it is based on are in it
  struct Removal {
    std::string path;  // "pieces.Q"
    TomlValue value;   // the "none" that removed it
  };
  std::vector<Removal> removed;

  /// Where to report what is wrong with a value: at itself, or at a table around it that a file
  /// based on the value's mentions later. `origin` is then " (from chess.toml:19)", else "".
  struct Culprit {
    const TomlValue& at;
    std::string origin;
  };
  static Culprit culprit(const TomlValue& value, const TomlValue& table);
  /// What says how large the board is, if this file does so itself: files, ranks or rows; or null.
  const TomlValue* own_shape() const;
  bool is_own(const TomlValue& value) const { return value.file && *value.file == source; }
  const Removal* find_removal(std::string_view path) const;
};

/// Each file is merged once, after the files that it is based on, in their order. Reports what
/// cannot be read; `root` then has the rest.
MergedFile merge_files(std::string_view text, const std::string& source, const GameFolders& folders,
                       Findings& findings);

}  // namespace faultline::data
