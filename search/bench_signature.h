// The bench signature: a number determined by the rules and the search of every family. As in
// Stockfish, only a change that is meant to alter play may change it.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace faultline {

/// One variant's part of the bench.
struct BenchPart {
  std::string variant;          // canonical name
  std::uint64_t signature = 0;  // of every root move's visits and value in every search
  std::uint64_t visits = 0;     // in all its searches
  double seconds = 0;
};

struct BenchResult {
  std::vector<BenchPart> parts;  // of all families, unless it was stopped
  bool stopped = false;
  std::uint64_t signature = 0;  // of the parts' signatures, in order
};

/// Searches fixed positions of every family (the start and positions along fixed random games),
/// each with one leaf per batch and then, after the best move, with several leaves per batch in the
/// subtree that is kept. Leaves are evaluated by HashEvaluator. One thread; about a second in a
/// release build. The signature is the same in every build on every machine with IEEE floats and
/// without contraction to fused multiply-adds (the build sets -ffp-contract=off except for the
/// network's kernels). Once `stop` is true, which may be null, it ends within milliseconds.
BenchResult run_bench(const std::atomic<bool>* stop = nullptr);

}  // namespace faultline
