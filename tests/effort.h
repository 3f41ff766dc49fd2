// How much the long tests of random positions do.
#pragma once

#include <algorithm>

namespace faultline::test {

/// A quarter of a number of games or positions, at least 1, in the builds with sanitizers, where
/// code takes five to twenty times as long; all of it in others.
constexpr int effort(int full) {
#ifdef FAULTLINE_SANITIZED
  return std::max(1, full / 4);
#else
  return full;
#endif
}

}  // namespace faultline::test
