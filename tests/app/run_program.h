// Runs a program and collects what it printed.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace faultline {

struct ProgramResult {
  int exit_code = 0;  // 128 + the signal's number if one ended it, as a shell says
  std::string out;
  std::string err;
};

/// Runs the `faultline` of this build with `input` as its standard input.
ProgramResult run_faultline(const std::vector<std::string>& arguments, std::string_view input = "");

/// A folder that is removed with everything in it.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  /// Writes a file into the folder; gives its path.
  std::string write(const std::string& name, std::string_view text) const;

 private:
  std::filesystem::path path_;
};

}  // namespace faultline
