// Trying and opening output files.
#include "app/output_file.h"

#include <cerrno>
#include <filesystem>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "app/commands.h"

namespace faultline {

namespace fs = std::filesystem;

OutputFile::OutputFile(std::string name, std::ios::openmode mode)
    : name_(std::move(name)), mode_(mode) {
  if (name_.empty()) return;
  std::error_code ignored;
  const fs::file_status status = fs::symlink_status(name_, ignored);
  bool opens = true;
  if (status.type() == fs::file_type::not_found) {
    opens = std::ofstream(name_, std::ios::app).is_open();
    if (opens) fs::remove(name_, ignored);
  } else if (fs::is_regular_file(name_, ignored)) {
    opens = std::ofstream(name_, std::ios::app).is_open();
  } else {
    stream_.open(name_, mode_);
    opens = stream_.is_open();
  }
  if (!opens) throw UsageError(name_ + ": cannot be opened for writing");
}

std::ofstream& OutputFile::stream() {
  if (!stream_.is_open()) stream_.open(name_, mode_);
  if (!stream_.is_open()) throw std::runtime_error(name_ + ": cannot be opened for writing");
  return stream_;
}

void OutputFile::flush() {
  if (stream_.is_open() && !stream_.flush())
    throw std::system_error(errno != 0 ? errno : EIO, std::generic_category(),
                            name_ + ": cannot be written");
}

}  // namespace faultline
