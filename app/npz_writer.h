// Writes an .npz file row by row: NumPy arrays in a zip archive, which `numpy.load` reads.
//
// Arrays may be larger than memory: each grows in a temporary file next to the .npz and is packed
// at the end. Format: NumPy's NEP 1 (version 1.0 headers), little-endian, C order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace faultline {

/// A file that cannot be written. The message names the file and the reason.
class NpzError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

class NpzWriter;

/// One array of shape [rows, row_shape...]; rows grow. Belongs to its NpzWriter.
template <class T>
class NpzArray {
 public:
  /// Whole rows, in C order. Throws NpzError if writing fails.
  void append(std::span<const T> values);
  void append(const T& value) { append(std::span(&value, 1)); }

 private:
  friend class NpzWriter;
  NpzArray(NpzWriter& writer, std::size_t index) : writer_(&writer), index_(index) {}
  NpzWriter* writer_;
  std::size_t index_;
};

class NpzWriter {
 public:
  /// Nothing appears at `file` before finish().
  explicit NpzWriter(std::filesystem::path file);
  /// Deletes an unfinished file.
  ~NpzWriter();
  NpzWriter(const NpzWriter&) = delete;
  NpzWriter& operator=(const NpzWriter&) = delete;

  /// An empty array. T: float, std::int32_t, std::int64_t or std::uint8_t. Throws NpzError.
  template <class T>
  NpzArray<T> add(const std::string& name, const std::vector<std::size_t>& row_shape = {}) {
    return {*this, add_column(name, type_code<T>(), sizeof(T), row_shape)};
  }

  /// Packs all arrays into the file, replacing what was there. Throws NpzError.
  void finish();

 private:
  template <class T>
  friend class NpzArray;

  struct Column {
    std::string name;
    std::string_view type;  // NumPy's type code: "<f4"
    std::vector<std::size_t> row_shape;
    std::size_t row_bytes = 0;
    std::uint64_t bytes = 0;
    std::filesystem::path file;
    std::ofstream out;
  };

  template <class T>
  static constexpr std::string_view type_code();

  std::size_t add_column(const std::string& name, std::string_view type, std::size_t element_bytes,
                         const std::vector<std::size_t>& row_shape);
  void append(std::size_t index, std::span<const std::byte> bytes);
  void write_header(Column& column);

  std::filesystem::path file_;
  std::vector<std::unique_ptr<Column>> columns_;
};

template <>
constexpr std::string_view NpzWriter::type_code<float>() {
  return "<f4";
}
template <>
constexpr std::string_view NpzWriter::type_code<std::int32_t>() {
  return "<i4";
}
template <>
constexpr std::string_view NpzWriter::type_code<std::int64_t>() {
  return "<i8";
}
template <>
constexpr std::string_view NpzWriter::type_code<std::uint8_t>() {
  return "|u1";
}

template <class T>
void NpzArray<T>::append(std::span<const T> values) {
  writer_->append(index_, std::as_bytes(values));
}

}  // namespace faultline
