// A position's planes, and one of them by name.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "model/encoding/encoders.h"

namespace faultline::test {

template <class P>
std::vector<float> encoded(const typename P::Variant& variant, const P& position, int repetitions) {
  // Not zero-initialised: an encoder must write every cell.
  std::vector<float> planes(Encoder<P>::info(variant).floats(), -7.0F);
  Encoder<P>::encode(position, repetitions, planes);
  return planes;
}

inline std::size_t plane_named(const EncodingInfo& info, const std::string& name) {
  const auto found = std::ranges::find(info.planes, name);
  EXPECT_NE(found, info.planes.end()) << name;
  return static_cast<std::size_t>(found - info.planes.begin());
}

}  // namespace faultline::test
