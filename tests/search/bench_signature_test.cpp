// The bench signature in the build under test.
#include "search/bench_signature.h"

#include <set>

#include <gtest/gtest.h>

#include "rules/families.h"

namespace faultline {
namespace {

/// Change it only with an intended change of the rules or the search, and state so in the commit.
constexpr std::uint64_t kSignature = 0x72e273d24db05be9;

TEST(BenchSignature, MatchesTheRecordedOne) {
  const BenchResult result = run_bench();
  EXPECT_EQ(result.signature, kSignature) << std::hex << "it is now 0x" << result.signature;
  EXPECT_EQ(result.parts.size(), all_families().size());
  std::set<std::uint64_t> different;
  for (const BenchPart& part : result.parts) {
    EXPECT_GE(part.visits, 8U * 250U) << part.variant;
    different.insert(part.signature);
  }
  EXPECT_EQ(different.size(), result.parts.size());
}

TEST(BenchSignature, IsReproducible) {
  EXPECT_EQ(run_bench().signature, run_bench().signature);
}

}  // namespace
}  // namespace faultline
