// The searches behind the bench signature.
#include "search/bench_signature.h"

#include <bit>
#include <chrono>
#include <optional>
#include <random>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "rules/families.h"
#include "search/hash_evaluator.h"
#include "search/searcher.h"

namespace faultline {
namespace {

constexpr int kPositions = 8;           // per variant, the start included
constexpr int kPliesBetween = 9;        // odd, so that both sides are to move
constexpr std::uint32_t kVisits = 250;  // below 307 the search calls no library function but sqrt
constexpr std::uint32_t kLeaves = 4;    // per batch, in the second search of a position

/// Folds numbers into one (the multiplication of FNV-1a, on 64-bit words, and a shift).
class Folded {
 public:
  void add(std::uint64_t word) {
    value_ = (value_ ^ word) * 0x100000001b3U;
    value_ ^= value_ >> 29;
  }
  void add(float number) { add(std::uint64_t{std::bit_cast<std::uint32_t>(number)}); }
  std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0xcbf29ce484222325U;
};

void fold(const SearchResult& result, Folded& signature) {
  for (const float number :
       {result.value.win, result.value.draw, result.value.loss, result.value.moves_left})
    signature.add(number);
  for (const RootMove& move : result.root_moves) {
    signature.add(std::uint64_t{move.move.bits()} << 32 | move.visits);
    signature.add(move.value);
  }
}

/// The positions to search: every kPliesBetween plies of games whose moves a fixed generator picks.
template <Position P>
std::vector<PositionHistory<P>> bench_positions(const typename P::Variant& variant) {
  std::vector<PositionHistory<P>> positions;
  PositionHistory<P> history(P::start(variant));
  std::uint64_t state = 1;
  typename P::MoveList moves;
  while (positions.size() < kPositions) {
    positions.push_back(history);
    for (int ply = 0; ply < kPliesBetween; ++ply) {
      history.position().legal_moves(moves);
      state = state * 6364136223846793005U + 1442695040888963407U;  // Knuth's MMIX
      PositionHistory<P> next = history;
      next.play(moves[static_cast<std::size_t>(state >> 33) % moves.size()]);
      history = is_over(next.outcome()) ? PositionHistory<P>(P::start(variant)) : next;
    }
  }
  return positions;
}

bool is_set(const std::atomic<bool>* stop) {
  return stop != nullptr && stop->load(std::memory_order_relaxed);
}

/// Nothing if it was stopped.
template <Position P>
std::optional<BenchPart> bench(const typename P::Variant& variant, const std::atomic<bool>* stop) {
  BenchPart part;
  part.variant = variant.canonical_name();
  Folded signature;
  HashEvaluator<P> evaluator;
  EvalBatch<P> batch;
  std::mt19937_64 rng;
  const auto searcher = make_puct_searcher<P>(SearchParams{});
  const auto begin = std::chrono::steady_clock::now();
  for (PositionHistory<P> history : bench_positions<P>(variant)) {
    if (is_set(stop)) return std::nullopt;
    const SearchResult first =
        run_search<P>(*searcher, &evaluator, batch, history, {.visits = kVisits}, rng);
    fold(first, signature);
    part.visits += first.new_visits;
    history.play(first.move);
    if (is_over(history.outcome())) continue;
    const SearchResult second = run_search<P>(*searcher, &evaluator, batch, history,
                                              {.visits = kVisits, .leaves = kLeaves}, rng);
    fold(second, signature);
    part.visits += second.new_visits;
  }
  part.signature = signature.value();
  part.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return part;
}

}  // namespace

BenchResult run_bench(const std::atomic<bool>* stop) {
  BenchResult result;
  Folded signature;
  std::vector<std::string> variants;
  for (const FamilyInfo* family : all_families())
    variants.push_back(family->name);
  variants.insert(variants.end(), {"data:crazyhouse", "data:carousel"});
  for (const std::string& name : variants) {
    std::optional<BenchPart> part =
        with_family(parse_variant_name(name),
                    [&]<class P>(std::type_identity<P>, const typename P::Variant& variant) {
                      return bench<P>(variant, stop);
                    });
    result.stopped = !part;
    if (!part) break;
    result.parts.push_back(std::move(*part));
    signature.add(result.parts.back().signature);
  }
  result.signature = signature.value();
  return result;
}

}  // namespace faultline
