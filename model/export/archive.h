// Zip archives in memory.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "model/export/export_options.h"

namespace faultline {

/// The bytes of an archive with these files (name, content), the same bytes for the same files.
/// Throws ExportError.
std::string write_archive(const std::vector<std::pair<std::string, std::string>>& files);

/// Whether a file begins as zip archives do.
bool is_archive(const std::filesystem::path& file);

/// A member of an archive that is not what it was when it was written.
class DamagedMember : public ExportError {
  using ExportError::ExportError;
};

/// An archive opened for reading. It is not trusted: nothing is unpacked before it is asked for.
class ArchiveReader {
 public:
  /// Throws ExportError, here as everywhere without the archive's name, for a file that is not an
  /// intact zip archive, and for one with two members of the same name.
  explicit ArchiveReader(const std::filesystem::path& file);
  ~ArchiveReader();
  ArchiveReader(const ArchiveReader&) = delete;
  ArchiveReader& operator=(const ArchiveReader&) = delete;

  struct Member {
    std::uint64_t index = 0;
    std::uint64_t bytes = 0;  // unpacked, as the archive's directory says
  };
  const std::map<std::string, Member>& members() const { return members_; }

  /// The content of a member; allocates no more than its `bytes`. Throws DamagedMember, and
  /// ExportError if there is no such member.
  std::string read(const std::string& name) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
  std::map<std::string, Member> members_;
};

}  // namespace faultline
