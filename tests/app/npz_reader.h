// Reads NumPy archives, for tests of the code that writes them.
#pragma once

#include <cstddef>
#include <cstring>
#include <filesystem>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include <zip.h>

namespace faultline::test {

struct NpyArray {
  std::string type;  // NumPy's type code: "<f4"
  std::vector<std::size_t> shape;
  std::string bytes;

  template <class T>
  std::vector<T> values() const {
    std::vector<T> result(bytes.size() / sizeof(T));
    std::memcpy(result.data(), bytes.data(), result.size() * sizeof(T));
    return result;
  }
};

/// The text between `from` and `to` in a header; throws if they are missing.
inline std::string between(const std::string& header, const std::string& from,
                           const std::string& to) {
  const auto begin = header.find(from);
  if (begin == std::string::npos) throw std::runtime_error("no " + from + " in " + header);
  const auto end = header.find(to, begin + from.size());
  if (end == std::string::npos) throw std::runtime_error("no " + to + " in " + header);
  return header.substr(begin + from.size(), end - begin - from.size());
}

/// Version 1.0 of the format, in C order.
inline NpyArray parse_npy(const std::string& file) {
  if (!file.starts_with(std::string("\x93NUMPY\x01\x00", 8))) throw std::runtime_error("no array");
  const auto length = static_cast<std::size_t>(static_cast<unsigned char>(file[8])) +
                      256 * static_cast<std::size_t>(static_cast<unsigned char>(file[9]));
  const std::string header = file.substr(10, length);
  if ((10 + length) % 64 != 0 || header.back() != '\n')
    throw std::runtime_error("a header that numpy would not align: " + header);
  if (between(header, "'fortran_order': ", ",") != "False") throw std::runtime_error(header);
  NpyArray array;
  array.type = between(header, "'descr': '", "'");
  const std::string shape = between(header, "'shape': (", ")");
  for (std::size_t at = 0; at < shape.size();) {
    const auto comma = shape.find(',', at);
    array.shape.push_back(std::stoul(shape.substr(at, comma - at)));
    at = comma + 1;
  }
  array.bytes = file.substr(10 + length);
  std::size_t bytes = static_cast<std::size_t>(array.type.back() - '0');
  for (const std::size_t size : array.shape)
    bytes *= size;
  if (bytes != array.bytes.size()) throw std::runtime_error("not as long as its shape: " + header);
  return array;
}

/// Every array of the archive, by name.
inline std::map<std::string, NpyArray> read_npz(const std::filesystem::path& file) {
  int error = 0;
  zip_t* zip = zip_open(file.c_str(), ZIP_RDONLY | ZIP_CHECKCONS, &error);
  if (zip == nullptr) throw std::runtime_error(file.string() + ": is no archive");
  std::map<std::string, NpyArray> arrays;
  for (zip_int64_t i = 0; i < zip_get_num_entries(zip, 0); ++i) {
    zip_stat_t stat;
    zip_stat_index(zip, static_cast<zip_uint64_t>(i), 0, &stat);
    std::string content(stat.size, '\0');
    zip_file_t* entry = zip_fopen_index(zip, static_cast<zip_uint64_t>(i), 0);
    const auto read = zip_fread(entry, content.data(), content.size());
    zip_fclose(entry);
    if (read != static_cast<zip_int64_t>(content.size())) throw std::runtime_error("cut off");
    const std::string name = stat.name;
    arrays[name.substr(0, name.rfind(".npy"))] = parse_npy(content);
  }
  zip_discard(zip);
  return arrays;
}

}  // namespace faultline::test
