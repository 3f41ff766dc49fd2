// Files that commands write results to.
#pragma once

#include <fstream>
#include <ios>
#include <string>

namespace faultline {

/// A file that is opened for its first output: a command that fails before leaves it as it is. That
/// it can be written is tried at once. Pipes and devices are opened at once, too.
class OutputFile {
 public:
  OutputFile() = default;
  /// `name` empty: not wanted. Throws UsageError if it cannot be written.
  OutputFile(std::string name, std::ios::openmode mode);

  bool wanted() const { return !name_.empty(); }
  /// Opens the file if it is not open. Throws std::runtime_error if that fails.
  std::ofstream& stream();
  /// Throws std::system_error if something could not be written.
  void flush();

 private:
  std::string name_;
  std::ios::openmode mode_ = std::ios::out;
  std::ofstream stream_;
};

}  // namespace faultline
