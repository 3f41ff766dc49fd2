// The device that tests of training and inference with LibTorch run on: the CPU, or whatever the
// environment variable FAULTLINE_TEST_DEVICE names ("cuda", "cuda:1").
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <span>
#include <string>

#include <gtest/gtest.h>

#include "model/torch_compat.h"

namespace faultline::test {

/// The device as resolve_device() gives it. Throws std::invalid_argument for a device that is
/// absent. Products of floats are computed in full, so that tests can tell a wrong result from a
/// rounded one.
inline const std::string& device() {
  static const std::string resolved = [] {
    allow_tf32(false);
    const char* wanted = std::getenv("FAULTLINE_TEST_DEVICE");
    return resolve_device(wanted != nullptr && *wanted != '\0' ? wanted : "cpu");
  }();
  return resolved;
}
inline bool on_cpu() {
  return device() == "cpu";
}

/// Results of the same computation from the same state: equal bit for bit on a CPU. A GPU adds in
/// any order, and the optimizer amplifies the difference from step to step.
inline void expect_repeated(double a, double b) {
  if (on_cpu())
    EXPECT_EQ(a, b);
  else
    EXPECT_NEAR(a, b, 0.02 * std::max(1.0, std::abs(b)));
}

/// Outputs of the same network: within `on_device` on another device than the CPU, equal on a CPU.
inline void expect_same_outputs(std::span<const float> a, std::span<const float> b,
                                float on_device) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i)
    EXPECT_NEAR(a[i], b[i], on_cpu() ? 0.0F : on_device) << "output " << i;
}

}  // namespace faultline::test
