// Trying and opening output files.
#include "app/output_file.h"

#include <cerrno>
#include <filesystem>
#include <stdexcept>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "app/commands.h"
#include "base/atomic_file.h"
#include "base/quote.h"

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

void require_new_output(const fs::path& out) {
  std::error_code error;
  const fs::path folder = out.has_parent_path() ? out.parent_path() : fs::path(".");
  const std::string shown = quote(out.string(), 200);
  const fs::file_status status = fs::symlink_status(out, error);
  if (status.type() == fs::file_type::none)  // unknown: the name is too long, for instance
    throw UsageError(fmt::format("-o {}: {}", shown, error.message()));
  if (fs::exists(status))
    throw UsageError(fmt::format("-o {}: exists already; delete it or choose another name", shown));
  if (!fs::is_directory(folder, error))
    throw UsageError(
        fmt::format("-o {}: there is no folder {}", shown, quote(folder.string(), 200)));
}

void write_new_output(const fs::path& out, std::string_view bytes) {
  try {
    write_new_file(out, bytes);
  } catch (const std::system_error& error) {
    if (error.code() != std::errc::file_exists) throw;
    throw UsageError(
        fmt::format("-o {}: appeared meanwhile; it was left as it is", quote(out.string(), 200)));
  }
}

}  // namespace faultline
