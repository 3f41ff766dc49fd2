// Transposition table: what earlier visits of a position found, for the alpha-beta search.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <optional>
#include <span>

#include "rules/move.h"
#include "search/centipawns.h"
#include "search/huge_pages.h"

namespace faultline {

/// What a stored score says about the true one.
enum class Bound : std::uint8_t { None, Upper, Lower, Exact };

/// The table of one search, in buckets of four entries. Entries of earlier games are never found
/// and do not influence which entries of this one are kept, so that a game does not depend on those
/// before it. The threads of a search share it: all of them may call find() and store() at once.
class TranspositionTable {
 public:
  //  | key 32 | move 32 | score 16 | evaluation 16 | search 16 | depth 8 | bound 8 |
  struct Entry {
    std::uint32_t key = 0;   // the upper half of the position's; the lower half selects the bucket
    std::uint32_t move = 0;  // Move::bits(); 0: none
    std::int16_t score = 0;  // mates are counted from this position
    std::int16_t evaluation = 0;  // static
    std::uint16_t search = 0;     // the number of the search that wrote it; 0: empty
    std::int8_t depth = 0;
    Bound bound = Bound::None;
  };
  static_assert(sizeof(Entry) == 16);

  bool is_allocated() const { return memory_ != nullptr; }
  /// Throws std::bad_alloc.
  void allocate(std::size_t megabytes) {
    const std::size_t count = std::bit_floor(
        std::max<std::size_t>(megabytes * 1024 * 1024, sizeof(Bucket)) / sizeof(Bucket));
    memory_.reset();  // first, so that there are never two tables
    memory_ = allocate_pages(count * sizeof(Bucket));
    if (!memory_) throw std::bad_alloc();
    auto* const first = reinterpret_cast<Bucket*>(memory_.get());
    std::uninitialized_default_construct_n(first, count);
    buckets_ = {first, count};
    search_ = first_search_ = 0;
  }
  std::size_t bytes() const { return buckets_.size() * sizeof(Bucket); }

  /// The next search begins; `same_game`: entries written since the game's first search stay valid.
  void begin_search(bool same_game) {
    if (search_ == kMostSearches) {
      for (Bucket& bucket : buckets_)
        for (Slot& slot : bucket.slots)
          slot.store({});
      search_ = 0;
      same_game = false;
    }
    ++search_;
    if (!same_game) first_search_ = search_;
  }

  /// The entry of a position, if there is one.
  std::optional<Entry> find(std::uint64_t key) const {
    for (const Slot& slot : buckets_[index_of(key)].slots) {
      const Entry entry = slot.load();
      if (entry.key == upper_half(key) && is_current(entry)) return entry;
    }
    return std::nullopt;
  }

  /// Begins to load what find() will read.
  void prefetch(std::uint64_t key) const { __builtin_prefetch(&buckets_[index_of(key)]); }

  /// `score` is counted from the root, `ply` plies above the position.
  void store(std::uint64_t key, Move move, int score, int evaluation, int depth, Bound bound,
             int ply) {
    Slot* replaced = nullptr;
    int least = 0;
    for (Slot& slot : buckets_[index_of(key)].slots) {
      const Entry entry = slot.load();
      if (entry.key == upper_half(key) && is_current(entry)) {
        // A shallow bound must not displace a deep result of the same search.
        if (bound != Bound::Exact && entry.search == search_ && depth < entry.depth - 3) return;
        replaced = &slot;
        if (move == Move::none()) move = Move::from_bits(entry.move);
        break;
      }
      // Anything of another game first, then what is shallow or old.
      const int worth =
          is_current(entry) ? std::max(0, 1000 + entry.depth - 4 * (search_ - entry.search)) : -1;
      if (replaced == nullptr || worth < least) {
        replaced = &slot;
        least = worth;
      }
    }
    replaced->store({.key = upper_half(key),
                     .move = move.bits(),
                     .score = static_cast<std::int16_t>(from_here(score, ply)),
                     .evaluation = static_cast<std::int16_t>(evaluation),
                     .search = search_,
                     .depth = static_cast<std::int8_t>(depth),
                     .bound = bound});
  }

  /// An entry's score, counted from a root `ply` plies above.
  static int score_at(const Entry& entry, int ply) {
    if (entry.score >= kMinMate) return entry.score - ply;
    if (entry.score <= -kMinMate) return entry.score + ply;
    return entry.score;
  }

 private:
  static constexpr std::uint16_t kMostSearches = 65535;

  /// An entry that threads read and write without a lock, as two words. Where a reader gets the
  /// words of two writes, their key comes out wrong, but once in 2^32 times: the first word, which
  /// has the key, is stored xor a hash of the second. All 0: the empty entry.
  class Slot {
   public:
    Entry load() const {
      const std::uint64_t second = second_.load(std::memory_order_relaxed);
      const std::uint64_t first = first_.load(std::memory_order_relaxed) ^ hash(second);
      return std::bit_cast<Entry>(std::array{first, second});
    }
    void store(const Entry& entry) {
      const auto words = std::bit_cast<std::array<std::uint64_t, 2>>(entry);
      first_.store(words[0] ^ hash(words[1]), std::memory_order_relaxed);
      second_.store(words[1], std::memory_order_relaxed);
    }

   private:
    static std::uint64_t hash(std::uint64_t word) {
      word *= 0x9e3779b97f4a7c15;
      return word ^ word >> 32;
    }

    std::atomic<std::uint64_t> first_ = 0;
    std::atomic<std::uint64_t> second_ = 0;
  };
  struct alignas(64) Bucket {
    std::array<Slot, 4> slots;
  };

  static int from_here(int score, int ply) {
    if (score >= kMinMate) return score + ply;
    if (score <= -kMinMate) return score - ply;
    return score;
  }
  static std::uint32_t upper_half(std::uint64_t key) {
    return static_cast<std::uint32_t>(key >> 32);
  }
  bool is_current(const Entry& entry) const { return entry.search >= first_search_; }
  std::size_t index_of(std::uint64_t key) const { return key & (buckets_.size() - 1); }

  Pages memory_;
  std::span<Bucket> buckets_;
  std::uint16_t search_ = 0;
  std::uint16_t first_search_ = 0;  // of the current game
};

}  // namespace faultline
