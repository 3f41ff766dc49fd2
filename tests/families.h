// Every family as tests see it, for typed tests over all of them.
#pragma once

#include <tuple>

#include <gtest/gtest.h>

#include "rules/families.h"
#include "tests/rules/families/all.h"  // made from rules/families/families.list

namespace faultline::test {

template <class Tuple>
struct AsTestTypes;
template <class... P>
struct AsTestTypes<std::tuple<P...>> {
  using type = testing::Types<P...>;
};
/// TYPED_TEST_SUITE(Suite, EveryFamily);
using EveryFamily = AsTestTypes<CompiledFamilies>::type;

}  // namespace faultline::test
