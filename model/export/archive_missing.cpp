// Instead of archive.cpp where there is no libzip: bundles cannot be read.
#include "model/export/archive.h"

namespace faultline {

struct ArchiveReader::Impl {};

std::string write_archive(const std::vector<std::pair<std::string, std::string>>&) {
  throw ExportError("this program was built without zip archives");
}
bool is_archive(const std::filesystem::path&) {
  return false;
}
ArchiveReader::ArchiveReader(const std::filesystem::path&) {
  throw ExportError("this program was built without zip archives");
}
ArchiveReader::~ArchiveReader() = default;
std::string ArchiveReader::read(const std::string& name) const {
  throw DamagedMember(name + ": this program was built without zip archives");
}

}  // namespace faultline
