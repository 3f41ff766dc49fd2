// Handles of faultline.h that free themselves.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "library/faultline.h"

namespace faultline::test {

struct Free {
  void operator()(faultline_position* handle) const { faultline_position_free(handle); }
  void operator()(faultline_evaluator* handle) const { faultline_evaluator_free(handle); }
  void operator()(faultline_search* handle) const { faultline_search_free(handle); }
};
using PositionHandle = std::unique_ptr<faultline_position, Free>;
using EvaluatorHandle = std::unique_ptr<faultline_evaluator, Free>;
using SearchHandle = std::unique_ptr<faultline_search, Free>;

inline const faultline_variant* variant(const std::string& name) {
  const faultline_variant* const found = faultline_variant_find(name.c_str());
  EXPECT_NE(found, nullptr) << faultline_last_error();
  return found;
}
inline PositionHandle start(const std::string& name) {
  PositionHandle position(faultline_position_start(variant(name)));
  EXPECT_NE(position, nullptr) << faultline_last_error();
  return position;
}
inline PositionHandle from_fen(const std::string& name, const std::string& fen) {
  PositionHandle position(faultline_position_from_fen(variant(name), fen.c_str()));
  EXPECT_NE(position, nullptr) << faultline_last_error();
  return position;
}
inline void play(const PositionHandle& position, const std::vector<std::string>& moves) {
  for (const std::string& move : moves)
    ASSERT_EQ(faultline_position_play(position.get(), move.c_str()), FAULTLINE_OK)
        << faultline_last_error();
}
inline EvaluatorHandle builtin(const std::string& game, const char* name) {
  EvaluatorHandle evaluator(faultline_evaluator_builtin(variant(game), name));
  EXPECT_NE(evaluator, nullptr) << faultline_last_error();
  return evaluator;
}
inline SearchHandle search_with(const EvaluatorHandle& evaluator, int threads = 1) {
  SearchHandle search(faultline_search_new(evaluator.get(), threads, 16));
  EXPECT_NE(search, nullptr) << faultline_last_error();
  return search;
}
inline std::string last_error() {
  return faultline_last_error();
}

}  // namespace faultline::test
