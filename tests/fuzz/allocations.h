// How much memory a program allocates.
#pragma once

#include <cstddef>

namespace faultline::fuzz {

/// Bytes requested from operator new since program start. Single-threaded.
std::size_t allocated_bytes();

}  // namespace faultline::fuzz
