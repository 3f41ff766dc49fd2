// Planes with left and right exchanged; for the sources of model/encoding/ only.
#pragma once

#include <algorithm>
#include <span>

namespace faultline::detail {

/// Exchanges left and right of the first `used` columns of all planes.
inline void mirror_files(std::span<float> all, int width, int used) {
  for (auto row = all.begin(); row < all.end(); row += width)
    std::reverse(row, row + used);
}

}  // namespace faultline::detail
