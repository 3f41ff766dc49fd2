// Paths of the lab's folder, as pages give them.
#pragma once

#include <filesystem>
#include <string>

namespace faultline::web {

/// A folder that no path of a page leads out of. Immutable.
class LabFolder {
 public:
  /// Throws std::system_error if it is no folder.
  explicit LabFolder(const std::filesystem::path& root);

  const std::filesystem::path& root() const { return root_; }
  /// What `text` names, which exists; "" and "." are the root. Throws RequestError with `field` for
  /// a path that is absolute, has "..", leads outside over a link, or to nothing.
  std::filesystem::path existing(const std::string& text, const char* field = "path") const;
  /// A path that may not exist yet, and is not the root. Throws RequestError likewise.
  std::filesystem::path possible(const std::string& text, const char* field = "path") const;
  /// The path of what is in the folder as pages know it: "runs/a"; "" of the root.
  std::string name_of(const std::filesystem::path& path) const;

 private:
  std::filesystem::path root_;  // without links
};

}  // namespace faultline::web
