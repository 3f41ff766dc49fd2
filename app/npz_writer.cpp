// Writes .npz files with libzip.
#include "app/npz_writer.h"

#include <bit>
#include <cassert>
#include <cerrno>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <zip.h>

namespace faultline {
namespace {

static_assert(std::endian::native == std::endian::little, "numbers are written as in memory");

constexpr std::size_t kHeader = 128;  // bytes, whatever the shape: it is known only at the end

[[noreturn]] void refuse(const std::filesystem::path& file, const std::string& reason) {
  throw NpzError(file.string() + ": cannot be written: " + reason);
}

std::string error_text(int error) {
  return std::generic_category().message(error);
}

/// An archive that is discarded unless it is closed.
class Archive {
 public:
  explicit Archive(const std::filesystem::path& file) : file_(file) {
    std::error_code ignored;
    if (std::filesystem::is_directory(file, ignored)) refuse(file, "it is a folder");
    int code = 0;
    zip_ = zip_open(file.c_str(), ZIP_CREATE | ZIP_TRUNCATE, &code);
    if (zip_ != nullptr) return;
    zip_error_t error;
    zip_error_init_with_code(&error, code);
    const std::string reason = zip_error_strerror(&error);
    zip_error_fini(&error);
    refuse(file_, reason);
  }
  ~Archive() {
    if (zip_ != nullptr) zip_discard(zip_);
  }
  Archive(const Archive&) = delete;
  Archive& operator=(const Archive&) = delete;

  void add(const std::string& name, const std::filesystem::path& content) {
    constexpr zip_uint32_t kFast = 1;  // planes are mostly zeros: more effort gains little
    zip_source_t* source = zip_source_file(zip_, content.c_str(), 0, 0);
    if (source == nullptr) refuse(file_, zip_strerror(zip_));
    const zip_int64_t index = zip_file_add(zip_, name.c_str(), source, ZIP_FL_ENC_UTF_8);
    if (index < 0) {
      zip_source_free(source);
      refuse(file_, zip_strerror(zip_));
    }
    zip_set_file_compression(zip_, static_cast<zip_uint64_t>(index), ZIP_CM_DEFLATE, kFast);
  }
  /// Writes everything; libzip renames the file into place when it is complete.
  void close() {
    if (zip_close(zip_) != 0) refuse(file_, zip_strerror(zip_));
    zip_ = nullptr;
  }

 private:
  std::filesystem::path file_;
  zip_t* zip_ = nullptr;
};

}  // namespace

NpzWriter::NpzWriter(std::filesystem::path file) : file_(std::move(file)) {}

NpzWriter::~NpzWriter() {
  for (const auto& column : columns_) {
    column->out.close();
    std::error_code ignored;
    std::filesystem::remove(column->file, ignored);
  }
}

std::size_t NpzWriter::add_column(const std::string& name, std::string_view type,
                                  std::size_t element_bytes,
                                  const std::vector<std::size_t>& row_shape) {
  auto column = std::make_unique<Column>();
  column->name = name;
  column->type = type;
  column->row_bytes = element_bytes;
  for (const std::size_t size : row_shape)
    column->row_bytes *= size;
  column->row_shape = row_shape;
  column->file = fmt::format("{}.{}.tmp", file_.string(), name);
  errno = 0;
  column->out.open(column->file, std::ios::binary | std::ios::trunc);
  if (!column->out) refuse(file_, error_text(errno));
  column->out << std::string(kHeader, ' ');
  columns_.push_back(std::move(column));
  return columns_.size() - 1;
}

void NpzWriter::append(std::size_t index, std::span<const std::byte> bytes) {
  Column& column = *columns_[index];
  assert(bytes.size() % column.row_bytes == 0);
  errno = 0;
  column.out.write(reinterpret_cast<const char*>(bytes.data()),
                   static_cast<std::streamsize>(bytes.size()));
  if (!column.out) refuse(column.file, error_text(errno));
  column.bytes += bytes.size();
}

void NpzWriter::write_header(Column& column) {
  std::string shape = fmt::format("{},", column.bytes / column.row_bytes);
  for (const std::size_t size : column.row_shape)
    shape += fmt::format(" {},", size);
  std::string header =
      fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}), }}", column.type, shape);
  constexpr std::size_t kPrefix = 10;  // magic, version, length of what follows
  assert(header.size() < kHeader - kPrefix);
  header.resize(kHeader - kPrefix - 1, ' ');
  header += '\n';
  std::string prefix = "\x93NUMPY";
  for (const int byte : {1, 0, static_cast<int>(header.size()), 0})
    prefix += static_cast<char>(byte);
  errno = 0;
  column.out.seekp(0);
  column.out << prefix << header;
  column.out.close();
  if (!column.out) refuse(column.file, error_text(errno));
}

void NpzWriter::finish() {
  Archive archive(file_);
  for (const auto& column : columns_) {
    write_header(*column);
    archive.add(column->name + ".npy", column->file);
  }
  archive.close();
}

}  // namespace faultline
