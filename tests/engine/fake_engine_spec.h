// Specifications of the tests' own UCI engine.
#pragma once

#include <chrono>
#include <string>

#include "engine/uci_engine_spec.h"

namespace faultline::test {

/// `arguments`: as fake_uci_engine.cpp describes them. The time-out is long enough for a loaded
/// machine; tests in which it expires shorten it.
inline UciEngineSpec fake_engine(const std::string& arguments = "") {
  return {.command = std::string(FAULTLINE_FAKE_UCI_ENGINE) + " " + arguments,
          .nodes = 100,
          .timeout = std::chrono::seconds(60)};
}

inline UciEngineSpec impatient(UciEngineSpec spec) {
  spec.timeout = std::chrono::seconds(2);
  return spec;
}

}  // namespace faultline::test
