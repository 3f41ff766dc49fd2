// The bench signature: a number that follows from the rules and the search of every family, and
// that only a change that is meant to alter play may alter (Stockfish's habit).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace faultline {

/// What one variant's part of the bench did.
struct BenchPart {
  std::string variant;          // canonical name
  std::uint64_t signature = 0;  // over every root move's visits and value in every search
  std::uint64_t visits = 0;     // in all its searches
  double seconds = 0;
};

struct BenchResult {
  std::vector<BenchPart> parts;
  std::uint64_t signature = 0;  // over the parts' signatures, in their order
};

/// Searches fixed positions of every family (the start and positions along fixed random games),
/// each with leaves taken one at a time and then, after the best move, several at a time in the
/// subtree that is kept. HashEvaluator evaluates. One thread; about a second in a release build.
/// The signature is the same in every build on every machine with IEEE floats and without
/// contraction to fused multiply-adds (the build sets -ffp-contract=off but for the network's
/// kernels).
BenchResult run_bench();

}  // namespace faultline
