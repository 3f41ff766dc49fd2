// Chunks, runs and marks of a search tree's memory.
#include "search/node_memory.h"

#include <new>
#include <stdexcept>
#include <string>
#include <utility>

namespace faultline {

NodeMemory::NodeMemory(std::size_t bytes, Reserve reserve) : at_once_(reserve == Reserve::AtOnce) {
  bytes = std::min(bytes, kMostBytes);
  if (at_once_) {
    // Each group of 64 units has a word of marks.
    constexpr std::size_t kGroup = 64 * kUnit + sizeof(std::uint64_t);
    const std::size_t groups = (bytes - sizeof(*this)) / kGroup;
    limit_ = static_cast<Handle>(64 * groups);
    const std::size_t block_bytes = std::size_t{limit_} * kUnit;
    allocations_[0] = allocate_pages(block_bytes);
    marks_.reset(new (std::nothrow) std::uint64_t[groups]);
    marks_words_ = groups;
    if (allocations_[0] == nullptr || marks_ == nullptr)
      throw std::runtime_error("there is not enough memory for a search tree of " +
                               std::to_string(bytes >> 20) + " MB");
    held_bytes_ = block_bytes + groups * sizeof(std::uint64_t);
    for (std::size_t i = 0; i < kMostChunks; ++i) {
      const std::size_t first = i == 0 ? 0 : std::size_t{1} << (kFirstLog + i - 1);
      if (first >= limit_) break;
      set_chunk(static_cast<Handle>(first), allocations_[0].get() + first * kUnit);
    }
  } else {
    limit_ = static_cast<Handle>(bytes / kUnit);
  }
  clear();
}

void NodeMemory::forget_free_blocks() {
  free_.fill(kNoHandle);
  not_empty_.fill(0);
  runs_ = kNoHandle;
}

void NodeMemory::clear() {
  forget_free_blocks();
  run_begin_ = run_end_ = 0;
  fresh_ = 0;
  high_water_ = 0;
  used_units_ = 0;
}

Handle NodeMemory::allocate_elsewhere(Handle units) {
  if (take_run(units) || take_fresh(units)) return cut_from_run(units);
  // The last resort leaves small rests.
  const Handle larger = larger_list(units + 1);
  if (larger == kNoHandle) return kNoHandle;
  const Handle h = take_first(larger);
  add_free(h + units, larger - units);
  return h;
}

/// Lists the rest of the current run.
void NodeMemory::leave_run() {
  if (run_end_ == run_begin_) return;
  high_water_ = std::max(high_water_, run_end_);
  add_free(run_begin_, run_end_ - run_begin_);
  run_begin_ = run_end_;
}

/// Makes the first run with so many units the current one.
bool NodeMemory::take_run(Handle units) {
  Handle before = kNoHandle;
  for (Handle run = runs_; run != kNoHandle; before = run, run = free_block(run).next) {
    const FreeBlock block = free_block(run);
    if (block.units < units) continue;
    if (before == kNoHandle)
      runs_ = block.next;
    else
      write_free_block(before, {.next = block.next, .units = free_block(before).units});
    leave_run();
    run_begin_ = run;
    run_end_ = run + block.units;
    return true;
  }
  return false;
}

/// Makes what was never used of one chunk the current run: the first where so many units fit.
bool NodeMemory::take_fresh(Handle units) {
  while (fresh_ < limit_) {
    const Handle end = at_once_ ? limit_ : chunk_end(fresh_);
    if (end - fresh_ >= units) break;
    // Too small for this block, but not for others.
    if (has_chunk(fresh_)) {
      add_free(fresh_, end - fresh_);
      high_water_ = end;
    }
    fresh_ = end;
  }
  if (fresh_ >= limit_ || limit_ - fresh_ < units) return false;
  const Handle end = at_once_ ? limit_ : chunk_end(fresh_);
  const unsigned index = chunk_of(fresh_);
  if (!has_chunk(fresh_)) {
    const std::size_t bytes = std::size_t{end - fresh_} * kUnit;
    allocations_[index] = allocate_pages(bytes);
    if (allocations_[index] == nullptr) {
      limit_ = fresh_;  // the system has no more
      return false;
    }
    held_bytes_ += bytes;
    set_chunk(fresh_, allocations_[index].get());
  }
  leave_run();
  run_begin_ = fresh_;
  run_end_ = end;
  fresh_ = end;
  return true;
}

void NodeMemory::begin_marking() {
  const std::size_t words = (std::size_t{high_water_} + 63) / 64;
  if (words > marks_words_) {
    marks_ = std::make_unique_for_overwrite<std::uint64_t[]>(words);
    marks_words_ = words;
  }
  std::fill_n(marks_.get(), words, 0);
  used_units_ = 0;
}

void NodeMemory::mark(Handle h, Handle units) {
  used_units_ += units;
  for (std::size_t unit = h, end = unit + units; unit < end;) {
    const std::size_t bit = unit % 64;
    const std::size_t count = std::min(64 - bit, end - unit);
    marks_[unit / 64] |= (~std::uint64_t{0} >> (64 - count)) << bit;
    unit += count;
  }
}

void NodeMemory::sweep() {
  forget_free_blocks();
  // What was never used stays the current run if it was that.
  const Handle was_used = high_water_;
  if (run_begin_ != was_used) run_begin_ = run_end_ = 0;
  for (std::size_t begin = next_unit(0, false); begin < was_used;) {
    std::size_t end = next_unit(begin, true);
    if (!at_once_) end = std::min<std::size_t>(end, chunk_end(static_cast<Handle>(begin)));
    if (has_chunk(static_cast<Handle>(begin)))
      add_free(static_cast<Handle>(begin), static_cast<Handle>(end - begin));
    begin = next_unit(end, false);
  }
}

/// The first unit from `unit` on that is marked, or not; the end of what was used if there is none.
std::size_t NodeMemory::next_unit(std::size_t unit, bool marked) const {
  while (unit < high_water_) {
    const std::uint64_t word = marked ? marks_[unit / 64] : ~marks_[unit / 64];
    const std::uint64_t rest = word >> unit % 64;
    if (rest != 0)
      return std::min<std::size_t>(high_water_,
                                   unit + static_cast<std::size_t>(std::countr_zero(rest)));
    unit += 64 - unit % 64;
  }
  return high_water_;
}

}  // namespace faultline
