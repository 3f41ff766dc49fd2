// The bench signature in the build under test.
#include "search/bench_signature.h"

#include <cstdint>
#include <random>
#include <set>
#include <tuple>

#include <gtest/gtest.h>

#include "base/seeds.h"
#include "rules/families.h"
#include "search/searcher.h"

namespace faultline {
namespace {

/// Change it only with an intended change of the rules or the search, and state so in the commit.
constexpr std::uint64_t kSignature = 0x3d7cd05247e3e03c;

TEST(BenchSignature, MatchesTheRecordedOne) {
  const BenchResult result = run_bench();
  EXPECT_EQ(result.signature, kSignature) << std::hex << "it is now 0x" << result.signature;
  EXPECT_EQ(result.parts.size(), all_families().size() + 2) << "and two games of files";
  std::set<std::uint64_t> different;
  for (const BenchPart& part : result.parts) {
    EXPECT_GE(part.visits, 8U * 250U) << part.variant;
    different.insert(part.signature);
  }
  EXPECT_EQ(different.size(), result.parts.size());
}

/// What alpha-beta finds in positions of a random game, and in how many nodes.
template <Position P>
std::uint64_t alpha_beta_signature() {
  const auto searcher = make_alpha_beta_searcher<P>();
  PositionHistory<P> history(P::start(P::variant(VariantName{P::info().name, {}})));
  std::uint64_t signature = 0;
  std::mt19937_64 rng(1);
  typename P::MoveList moves;
  for (int n = 0; n < 10; ++n) {
    for (int ply = 0; ply < 7; ++ply) {
      history.position().legal_moves(moves);
      PositionHistory<P> next = history;
      next.play(moves[static_cast<std::size_t>(rng()) % moves.size()]);
      if (!is_over(next.outcome())) history = next;
    }
    EvalBatch<P> no_leaves;
    searcher->start(history, {.nodes = 4'000}, rng);
    while (searcher->gather(no_leaves)) {
    }
    const SearchResult result = searcher->decide();
    for (const std::uint64_t number :
         {result.nodes, std::uint64_t{result.move.bits()}, std::uint64_t(result.depth)})
      signature = splitmix64(signature ^ number);
  }
  return signature;
}

/// Tables of strength compare networks with it over the years: whoever changes the search or its
/// evaluation by material and placement leaves a copy behind under this name.
TEST(AlphaBeta1, IsTheSameOpponentForEver) {
  std::uint64_t signature = 0;
  std::apply(
      [&]<class... P>(const P&...) {
        ((signature = splitmix64(signature ^ alpha_beta_signature<P>())), ...);
      },
      CompiledFamilies{});
  EXPECT_EQ(signature, 0x49a94f501dac2aebU) << std::hex << "it is now 0x" << signature;
}

TEST(BenchSignature, IsReproducible) {
  EXPECT_EQ(run_bench().signature, run_bench().signature);
}

}  // namespace
}  // namespace faultline
