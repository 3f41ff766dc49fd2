// Zip archives by libzip.
#include "model/export/archive.h"

#include <algorithm>
#include <ctime>
#include <fstream>

#include <zip.h>

namespace faultline {
namespace {

constexpr std::time_t kEpochOfZip = 315'532'800;  // 1980-01-01: no clock in the archive

[[noreturn]] void refuse(const std::string& what, const char* reason) {
  throw ExportError(what + ": " + reason);
}

struct Discard {
  void operator()(zip_t* zip) const { zip_discard(zip); }
};
struct CloseFile {
  void operator()(zip_file_t* file) const { zip_fclose(file); }
};
struct FreeSource {
  void operator()(zip_source_t* source) const { zip_source_free(source); }
};
using Zip = std::unique_ptr<zip_t, Discard>;
using Source = std::unique_ptr<zip_source_t, FreeSource>;

/// Weights hardly shrink, and programs may map them.
bool is_worth_compressing(const std::string& name) {
  return name.ends_with(".json") || name.ends_with(".jsonl");
}

void add(zip_t* zip, const std::string& name, const std::string& content) {
  zip_source_t* const source = zip_source_buffer(zip, content.data(), content.size(), 0);
  if (source == nullptr) refuse("archive", zip_strerror(zip));
  const zip_int64_t index = zip_file_add(zip, name.c_str(), source, ZIP_FL_ENC_UTF_8);
  if (index < 0) {
    zip_source_free(source);
    refuse("archive", zip_strerror(zip));
  }
  const auto number = static_cast<zip_uint64_t>(index);
  zip_set_file_compression(zip, number, is_worth_compressing(name) ? ZIP_CM_DEFLATE : ZIP_CM_STORE,
                           0);
  zip_file_set_mtime(zip, number, kEpochOfZip, 0);
}

}  // namespace

std::string write_archive(const std::vector<std::pair<std::string, std::string>>& files) {
  zip_error_t error;
  zip_error_init(&error);
  const Source source(zip_source_buffer_create(nullptr, 0, 0, &error));
  if (!source) refuse("archive", zip_error_strerror(&error));
  Zip zip(zip_open_from_source(source.get(), ZIP_TRUNCATE, &error));
  if (!zip) refuse("archive", zip_error_strerror(&error));
  zip_source_keep(source.get());  // the archive frees its own
  for (const auto& [name, content] : files)
    add(zip.get(), name, content);
  if (zip_close(zip.get()) != 0) refuse("archive", zip_strerror(zip.get()));
  static_cast<void>(zip.release());  // closed

  zip_stat_t stat;
  if (zip_source_stat(source.get(), &stat) != 0 || zip_source_open(source.get()) != 0)
    refuse("archive", "cannot be read back");
  std::string bytes(stat.size, '\0');
  const zip_int64_t count = zip_source_read(source.get(), bytes.data(), bytes.size());
  zip_source_close(source.get());
  if (count != static_cast<zip_int64_t>(bytes.size())) refuse("archive", "cannot be read back");
  return bytes;
}

bool is_archive(const std::filesystem::path& file) {
  std::string start(4, '\0');
  std::ifstream in(file, std::ios::binary);
  return in.read(start.data(), static_cast<std::streamsize>(start.size())) && start == "PK\3\4";
}

struct ArchiveReader::Impl {
  Zip zip;
};

ArchiveReader::ArchiveReader(const std::filesystem::path& file) {
  int code = 0;
  Zip zip(zip_open(file.c_str(), ZIP_RDONLY | ZIP_CHECKCONS, &code));
  if (!zip) {
    if (code == ZIP_ER_EXISTS) throw ExportError("has two files of the same name");
    zip_error_t error;
    zip_error_init_with_code(&error, code);
    const std::string reason = zip_error_strerror(&error);
    zip_error_fini(&error);
    throw ExportError("is not an intact zip archive: " + reason);
  }
  const auto count = static_cast<zip_uint64_t>(zip_get_num_entries(zip.get(), 0));
  for (zip_uint64_t i = 0; i < count; ++i) {
    zip_stat_t stat;
    if (zip_stat_index(zip.get(), i, 0, &stat) != 0 || (stat.valid & ZIP_STAT_NAME) == 0 ||
        (stat.valid & ZIP_STAT_SIZE) == 0)
      throw ExportError(std::string("is not an intact zip archive: ") + zip_strerror(zip.get()));
    members_[stat.name] = {.index = i, .bytes = stat.size};
  }
  impl_ = std::make_unique<Impl>(Impl{std::move(zip)});
}

ArchiveReader::~ArchiveReader() = default;

std::string ArchiveReader::read(const std::string& name) const {
  const auto found = members_.find(name);
  if (found == members_.end()) throw ExportError("has no " + name);
  const auto [index, bytes] = found->second;
  const auto damaged = [&](const std::string& reason) -> DamagedMember {
    return DamagedMember(name + " is damaged: " + reason);
  };
  const std::unique_ptr<zip_file_t, CloseFile> file(zip_fopen_index(impl_->zip.get(), index, 0));
  if (!file) throw damaged(zip_strerror(impl_->zip.get()));
  // In steps: the archive may claim any size.
  std::string content;
  constexpr std::uint64_t kStep = 16U << 20;
  while (content.size() < bytes) {
    const std::size_t before = content.size();
    const auto step = static_cast<std::size_t>(std::min<std::uint64_t>(kStep, bytes - before));
    content.resize(before + step);
    const zip_int64_t count = zip_fread(file.get(), content.data() + before, step);
    if (count <= 0) throw damaged(count < 0 ? zip_file_strerror(file.get()) : "it is cut off");
    content.resize(before + static_cast<std::size_t>(count));
  }
  // The checksum is compared when the end is read.
  char rest = 0;
  if (zip_fread(file.get(), &rest, 1) != 0) throw damaged("its checksum is wrong");
  return content;
}

}  // namespace faultline
