// Files that commands write results to.
#pragma once

#include <filesystem>
#include <fstream>
#include <ios>
#include <string>
#include <string_view>

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

/// Throws UsageError, before the work is done, if the file that -o names exists or cannot be
/// created.
void require_new_output(const std::filesystem::path& out);
/// Writes it at once. Throws UsageError if it has appeared meanwhile, std::system_error.
void write_new_output(const std::filesystem::path& out, std::string_view bytes);

}  // namespace faultline
