// Structures of faultline.h that begin with their size: callers may have been compiled with an
// earlier or a later version of the header.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <string>
#include <type_traits>

#include "library/errors.h"

namespace faultline {

/// Throws LibraryError if a structure is smaller than in the first version of the header, whose
/// size is `least`.
inline void check_size(std::size_t size, std::size_t least, const char* name) {
  if (size >= least) return;
  throw LibraryError(FAULTLINE_ERROR_ARGUMENT, std::string("'") + name + "->size' is " +
                                                   std::to_string(size) +
                                                   "; it should be sizeof(faultline_" + name + ")");
}

/// A copy of what the caller gave: what it does not know is 0. What this library does not know must
/// be 0.
template <class Struct>
Struct read_sized(const Struct* argument, std::size_t least, const char* name) {
  static_assert(std::is_trivially_copyable_v<Struct>);
  const std::size_t size = given(argument, name).size;
  check_size(size, least, name);
  Struct result{};
  std::memcpy(&result, argument, std::min(size, sizeof(Struct)));
  const auto* const bytes = reinterpret_cast<const unsigned char*>(argument);
  if (size > sizeof(Struct) &&
      std::any_of(bytes + sizeof(Struct), bytes + size, [](unsigned char b) { return b != 0; }))
    throw LibraryError(FAULTLINE_ERROR_ARGUMENT,
                       std::string("'") + name + "' has fields that this version (" +
                           faultline_version() + ") of the library does not know");
  return result;
}

/// Gives the caller as much as it knows.
template <class Struct>
void write_sized(Struct found, Struct* argument, std::size_t least, const char* name) {
  static_assert(std::is_trivially_copyable_v<Struct>);
  found.size = given(argument, name).size;
  check_size(found.size, least, name);
  auto* const bytes = reinterpret_cast<unsigned char*>(argument);
  const std::size_t known = std::min(found.size, sizeof(Struct));
  std::fill(bytes + known, bytes + found.size, static_cast<unsigned char>(0));
  std::memcpy(argument, &found, known);
}

}  // namespace faultline
