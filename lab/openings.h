// Openings for matches: random moves, moves of a policy, or a file's.
#pragma once

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <numeric>
#include <optional>
#include <random>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "lab/opening_file.h"
#include "lab/opening_source.h"
#include "rules/history.h"
#include "rules/position.h"
#include "search/searcher.h"

namespace faultline {

template <Position P>
struct Opening {
  std::string start_fen;           // "" for the variant's start
  std::vector<std::string> moves;  // as text
  PositionHistory<P> history;      // the start with `moves` played
};

/// A uniformly random legal move; there must be at least one.
template <Position P>
Move random_move(const P& position, std::mt19937_64& rng) {
  typename P::MoveList moves;
  position.legal_moves(moves);
  // The bias of the remainder is below 2^-55.
  return moves[static_cast<std::size_t>(rng() % moves.size())];
}

/// Whether the side to move has a move that wins immediately.
template <Position P>
bool wins_at_once(const P& position) {
  typename P::MoveList moves;
  position.legal_moves(moves);
  for (const Move move : moves) {
    P next = position;
    next.play(move);
    const Outcome outcome = next.outcome(next.count_legal_moves() > 0);
    if (score_for(outcome, position.side_to_move()) > 0) return true;
  }
  return false;
}

/// Whether the side to move can win immediately, or loses immediately whatever it plays.
template <Position P>
bool is_decided(const P& position) {
  if (wins_at_once(position)) return true;
  typename P::MoveList moves;
  position.legal_moves(moves);
  for (const Move move : moves) {
    P next = position;
    next.play(move);
    if (!wins_at_once(next)) return false;
  }
  return true;
}

/// The openings of a match by number, made when they are first asked for; the same for the same
/// source and seed. Where they are drawn, those in which the game is over or decided, or that are
/// not balanced, and positions that an earlier opening led to, are drawn again; if not enough
/// different ones are found, some are repeated. They are shorter where games are over before. A
/// file's repeat in the same order. Thread-safe.
template <Position P>
class OpeningBook {
 public:
  /// `policy`: for OpeningSource::Kind::Policy. Throws OpeningError for a file that read_openings()
  /// refuses.
  OpeningBook(const typename P::Variant& variant, OpeningSource source, std::uint64_t seed,
              std::shared_ptr<Evaluator<P>> policy = nullptr)
      : variant_(&variant), source_(std::move(source)), rng_(seed), policy_(std::move(policy)) {
    switch (source_.kind) {
      case OpeningSource::Kind::Random:
        break;
      case OpeningSource::Kind::Balanced:
        searcher_ = make_alpha_beta_searcher<P>({});
        break;
      case OpeningSource::Kind::Policy:
        searcher_ = make_policy_searcher<P>();
        break;
      case OpeningSource::Kind::File:
        read_file();
        break;
    }
  }

  const typename P::Variant& variant() const { return *variant_; }

  /// The reference stays valid until the opening is forgotten; none must be asked for that was.
  /// Throws OpeningError if no more can be found.
  const Opening<P>& at(std::size_t number) {
    const std::scoped_lock lock(mutex_);
    if (source_.kind == OpeningSource::Kind::File) return openings_[number % openings_.size()];
    assert(number >= forgotten_);
    while (forgotten_ + openings_.size() <= number)
      openings_.push_back(draw());
    return openings_[number - forgotten_];
  }

  /// Forgets the openings that were made with lower numbers: those after them can still be made,
  /// without making these again. A file's are kept.
  void forget_before(std::size_t number) {
    const std::scoped_lock lock(mutex_);
    if (source_.kind == OpeningSource::Kind::File) return;
    for (; forgotten_ < number && !openings_.empty(); ++forgotten_)
      openings_.pop_front();
  }
  /// How many were forgotten.
  std::size_t forgotten() const {
    const std::scoped_lock lock(mutex_);
    return forgotten_;
  }
  /// Memory, roughly.
  std::size_t bytes() const {
    constexpr std::size_t kOpening = 4096;
    constexpr std::size_t kSeen = 48;
    constexpr std::size_t kTable = std::size_t{16} << 20U;  // AlphaBetaParams::table_mb
    const std::scoped_lock lock(mutex_);
    return openings_.size() * kOpening + seen_.size() * kSeen +
           (source_.kind == OpeningSource::Kind::Balanced ? kTable : 0);
  }

 private:
  void read_file() {
    std::vector<OpeningText> texts =
        read_openings(source_.file, variant_->canonical_name(), source_.strict).openings;
    // Fisher and Yates's shuffle; the standard library's differs between implementations.
    if (source_.shuffled)
      for (std::size_t i = texts.size(); i > 1; --i)
        std::swap(texts[i - 1], texts[static_cast<std::size_t>(rng_() % i)]);
    for (OpeningText& text : texts) {
      PositionHistory<P> history(text.start_fen.empty() ? P::start(*variant_)
                                                        : P::from_fen(*variant_, text.start_fen));
      for (const std::string& move : text.moves)
        history.play(*history.position().parse_move(move));
      openings_.push_back({std::move(text.start_fen), std::move(text.moves), std::move(history)});
    }
  }

  Opening<P> draw() {
    constexpr int kAttempts = 200;  // at an opening that is different and not decided
    constexpr int kMostAttempts = 2000;
    bool is_long = true;  // too long for the game, so far
    for (int attempt = 1; attempt <= kMostAttempts; ++attempt) {
      std::optional<Opening<P>> opening = draw_moves();
      is_long = is_long && !opening;
      if (is_long && attempt == kAttempts && plies_ > 0) {
        --plies_;
        attempt = 0;
      }
      if (!opening) continue;
      const P& position = opening->history.position();
      const bool fresh = !seen_.contains(position.key());
      if (attempt < kAttempts && (!fresh || is_decided(position))) continue;
      if (!is_balanced(opening->history)) continue;
      seen_.insert(position.key());
      return *std::move(opening);
    }
    throw OpeningError(fmt::format(
        "--openings {}: none was found in {} attempts{}", text(source_), kMostAttempts,
        source_.kind == OpeningSource::Kind::Balanced ? "; allow a larger value= or fewer plies"
                                                      : "; use fewer plies"));
  }

  /// None if the game is over.
  std::optional<Opening<P>> draw_moves() {
    Opening<P> opening{{}, {}, PositionHistory<P>(P::start(*variant_))};
    for (int ply = 0; ply < plies_ && !is_over(opening.history.outcome()); ++ply) {
      const Move move = next_move(opening.history);
      opening.moves.push_back(opening.history.position().move_text(move));
      opening.history.play(move);
    }
    if (is_over(opening.history.outcome())) return std::nullopt;
    return opening;
  }

  Move next_move(const PositionHistory<P>& history) {
    if (source_.kind != OpeningSource::Kind::Policy) return random_move(history.position(), rng_);
    const SearchResult result =
        run_search(*searcher_, policy_.get(), batch_, history, SearchLimits{}, rng_);
    return pick_move(result, source_.temperature, rng_);
  }

  bool is_balanced(const PositionHistory<P>& history) {
    if (source_.kind != OpeningSource::Kind::Balanced) return true;
    const SearchResult result = run_search<P>(*searcher_, nullptr, batch_, history,
                                              SearchLimits{.depth = source_.depth}, rng_);
    return std::abs(static_cast<double>(result.value.value())) <= source_.max_value;
  }

  const typename P::Variant* variant_;
  OpeningSource source_;
  mutable std::mutex mutex_;  // guards the following
  std::mt19937_64 rng_;
  std::shared_ptr<Evaluator<P>> policy_;
  std::unique_ptr<Searcher<P>> searcher_;
  EvalBatch<P> batch_;
  std::unordered_set<std::uint64_t> seen_;
  int plies_ = source_.plies;
  std::size_t forgotten_ = 0;
  std::deque<Opening<P>> openings_;  // after those
};

}  // namespace faultline
