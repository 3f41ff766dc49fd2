// How much memory a program asks for.
#pragma once

#include <cstddef>

namespace faultline::fuzz {

/// Bytes asked of operator new since the program began. One thread.
std::size_t allocated_bytes();

}  // namespace faultline::fuzz
