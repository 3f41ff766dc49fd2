// The memory of one search tree: blocks of any size, by handles, up to a limit.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>

#include "search/huge_pages.h"

namespace faultline {

/// A block of NodeMemory, counted in its units.
using Handle = std::uint32_t;
inline constexpr Handle kNoHandle = std::numeric_limits<Handle>::max();

/// Memory is divided into units of 8 bytes, and a Handle counts units, so that a tree can have
/// 32 GiB. Units lie in chunks, each as large as all before it: a small tree stays small, blocks
/// never move by themselves, and large chunks are in huge pages where the system has them, because
/// descents read at random. Freed blocks are listed by their size, each list running through the
/// blocks themselves. Owned and used by one thread at a time.
class NodeMemory {
 public:
  static constexpr std::size_t kUnit = 8;  // bytes
  static constexpr std::size_t kMostBytes = ((std::size_t{1} << 32) - 64) * kUnit;

  enum class Reserve : std::uint8_t {
    AsNeeded,  // chunks are allocated as they are first used
    AtOnce,    // all, with what marking needs; the system provides the pages as they are first used
  };
  /// `bytes`: the limit; more than kMostBytes are not used. Reserving at once counts everything,
  /// also what marking needs; throws std::runtime_error if the system has not so much.
  NodeMemory(std::size_t bytes, Reserve reserve);

  template <class T>
  T* at(Handle h) {
    const Chunk& chunk = chunks_[slot_of(h)];
    return reinterpret_cast<T*>(chunk.memory + std::size_t{h - chunk.first} * kUnit);
  }
  template <class T>
  const T* at(Handle h) const {
    return const_cast<NodeMemory*>(this)->at<const T>(h);
  }

  static constexpr Handle units_for(std::size_t bytes) {
    return static_cast<Handle>((bytes + kUnit - 1) / kUnit);
  }
  /// kNoHandle if there is no room within the limit, or the system has no more memory.
  Handle allocate(Handle units) {
    Handle h;
    if (units <= kListedUnits && free_[units] != kNoHandle) {
      h = take_first(units);
    } else if (const Handle larger = larger_list(units + kLeastRest); larger != kNoHandle) {
      h = take_first(larger);
      add_free(h + units, larger - units);
    } else if (run_end_ - run_begin_ >= units) {
      h = cut_from_run(units);
    } else {
      h = allocate_elsewhere(units);
      if (h == kNoHandle) return kNoHandle;
    }
    used_units_ += units;
    return h;
  }
  void release(Handle h, Handle units) {
    used_units_ -= units;
    add_free(h, units);
  }

  /// Frees everything and keeps the memory.
  void clear();

  /// Frees everything but what is marked until sweep(). Takes time in proportion to what was ever
  /// in use since clear(). Marking does not change what blocks hold.
  void begin_marking();
  void mark(Handle h, Handle units);
  void sweep();

  std::size_t used_bytes() const { return used_units_ * kUnit; }
  /// The most that was in use, with the free blocks between.
  std::size_t footprint_bytes() const { return std::size_t{high_water_} * kUnit; }
  std::size_t capacity_bytes() const { return std::size_t{limit_} * kUnit; }
  /// All memory that is held now, this object included.
  std::size_t reserved_bytes() const { return sizeof(*this) + held_bytes_; }

 private:
  static constexpr unsigned kFirstLog = 11;  // units of the first chunk: 16 KiB
  static constexpr std::size_t kMostChunks = 33 - kFirstLog;
  static constexpr Handle kListedUnits = 512;  // free blocks of up to so many have lists by size
  static constexpr Handle kLeastRest = 8;      // a block is not divided for a smaller rest

  struct Chunk {
    std::byte* memory = nullptr;  // null: not allocated, or left out
    Handle first = 0;
  };
  /// What is at the beginning of every free block.
  struct FreeBlock {
    Handle next;
    Handle units;
  };
  static_assert(sizeof(FreeBlock) == kUnit);

  static unsigned chunk_of(Handle h) {
    return static_cast<unsigned>(std::bit_width(h >> kFirstLog));
  }
  /// The place of the handle's chunk in chunks_, the largest first: one instruction.
  static unsigned slot_of(Handle h) {
    return static_cast<unsigned>(std::countl_zero(h >> kFirstLog));
  }
  void set_chunk(Handle first, std::byte* memory) { chunks_[slot_of(first)] = {memory, first}; }
  bool has_chunk(Handle h) const { return chunks_[slot_of(h)].memory != nullptr; }
  /// The end of the chunk that `h` is in, not beyond the limit.
  Handle chunk_end(Handle h) const {
    const std::uint64_t end = std::uint64_t{1} << (kFirstLog + chunk_of(h));
    return static_cast<Handle>(std::min<std::uint64_t>(end, limit_));
  }

  FreeBlock free_block(Handle h) const {
    FreeBlock block;
    std::memcpy(&block, at<std::byte>(h), sizeof block);
    return block;
  }
  void write_free_block(Handle h, const FreeBlock& block) {
    std::memcpy(at<std::byte>(h), &block, sizeof block);
  }
  Handle take_first(Handle units) {
    const Handle h = free_[units];
    free_[units] = free_block(h).next;
    if (free_[units] == kNoHandle)
      not_empty_[units / 64] &= ~(std::uint64_t{1} << units % 64);
    else
      __builtin_prefetch(at<std::byte>(free_[units]), 1);
    return h;
  }
  void add_free(Handle h, Handle units) {
    if (units > kListedUnits) {
      write_free_block(h, {.next = runs_, .units = units});
      runs_ = h;
      return;
    }
    write_free_block(h, {.next = free_[units], .units = units});
    free_[units] = h;
    not_empty_[units / 64] |= std::uint64_t{1} << units % 64;
  }
  /// The size of the smallest free blocks with lists that have at least `units`; or kNoHandle.
  Handle larger_list(Handle units) const {
    for (std::size_t word = units / 64; word < not_empty_.size(); ++word) {
      std::uint64_t bits = not_empty_[word];
      if (word == units / 64) bits &= ~std::uint64_t{0} << units % 64;
      if (bits != 0)
        return static_cast<Handle>(64 * word) + static_cast<Handle>(std::countr_zero(bits));
    }
    return kNoHandle;
  }
  Handle cut_from_run(Handle units) {
    const Handle h = run_begin_;
    run_begin_ += units;
    high_water_ = std::max(high_water_, run_begin_);
    return h;
  }
  Handle allocate_elsewhere(Handle units);
  void leave_run();
  bool take_run(Handle units);
  bool take_fresh(Handle units);
  void forget_free_blocks();
  std::size_t next_unit(std::size_t unit, bool marked) const;

  Handle limit_ = 0;              // units
  std::array<Chunk, 33> chunks_;  // by slot_of()
  std::array<Pages, kMostChunks> allocations_;
  std::unique_ptr<std::uint64_t[]> marks_;  // a bit per unit
  std::size_t marks_words_ = 0;
  bool at_once_ = false;
  std::array<Handle, kListedUnits + 1> free_;                   // the first free block of each size
  std::array<std::uint64_t, kListedUnits / 64 + 1> not_empty_;  // which of free_ have any
  Handle runs_ = kNoHandle;                                     // the first larger one
  Handle run_begin_ = 0;  // the run that new blocks are cut from
  Handle run_end_ = 0;
  Handle fresh_ = 0;       // from here on nothing was ever cut
  Handle high_water_ = 0;  // the end of what was ever cut since clear()
  std::size_t used_units_ = 0;
  std::size_t held_bytes_ = 0;
};

}  // namespace faultline
