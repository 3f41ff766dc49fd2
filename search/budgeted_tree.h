// A search tree in a fixed amount of memory: for analyses, which must stop growing at a budget.
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
#include <new>
#include <optional>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "search/tree.h"

namespace faultline {

/// Nodes, edges and children as in Tree, in one block of memory that is reserved at once and never
/// grows; the operating system provides its pages as they are first used. Whatever would not fit
/// is refused, and the search goes on with what it has.
///
/// Memory is divided into units of 8 bytes, and a Handle counts units. Freed blocks are listed by
/// their size, each list running through the blocks themselves. When the root moves, the nodes that
/// stay are marked in place (begin_marking, mark, sweep), and everything else is free again:
/// nothing is copied, so that no second tree needs room. Sweeping joins neighbouring free blocks.
template <std::size_t MaxMoves>
class BudgetedTree {
 public:
  static constexpr bool kBudgeted = true;
  static constexpr std::size_t kLeastBytes = std::size_t{1} << 20;

  /// `bytes`: for everything, this object included; more than 32 GiB are not used. Throws
  /// std::invalid_argument below kLeastBytes, std::runtime_error if the system has not so much.
  explicit BudgetedTree(std::size_t bytes) {
    if (bytes < kLeastBytes)
      throw std::invalid_argument("a search tree cannot have " + std::to_string(bytes) +
                                  " bytes of memory; it needs at least " +
                                  std::to_string(kLeastBytes));
    // Each group of 64 units has a word of marks.
    constexpr std::size_t kGroup = 64 * kUnit + sizeof(std::uint64_t);
    const std::size_t groups = std::min((bytes - sizeof(*this)) / kGroup, kMostUnits / 64);
    units_ = 64 * groups;
    try {
      memory_ = std::make_unique_for_overwrite<std::byte[]>(units_ * kUnit);
      marks_ = std::make_unique_for_overwrite<std::uint64_t[]>(groups);
    } catch (const std::bad_alloc&) {
      throw std::runtime_error("there is not enough memory for a search tree of " +
                               std::to_string(bytes >> 20) + " MB");
    }
    clear();
  }

  Node& node(Handle h) { return *at<Node>(h); }
  const Node& node(Handle h) const { return *at<Node>(h); }
  EdgeView edges(const Node& n) {
    return {n.edge_count ? at<std::uint16_t>(n.edges) : nullptr, n.edge_count};
  }
  ConstEdgeView edges(const Node& n) const {
    return {n.edge_count ? at<std::uint16_t>(n.edges) : nullptr, n.edge_count};
  }
  ChildEdge* children(const Node& n) { return n.child_count ? at<ChildEdge>(n.children) : nullptr; }
  const ChildEdge* children(const Node& n) const {
    return n.child_count ? at<ChildEdge>(n.children) : nullptr;
  }

  /// Nothing if there is no room.
  std::optional<Handle> try_add_node() {
    const Handle h = allocate(kNodeUnits);
    if (h == kNone) return std::nullopt;
    std::construct_at(at<Node>(h));
    ++node_count_;
    return h;
  }

  /// Keeps room for `count` edges of a node that has none; false if there is none. Edges are
  /// reserved before the node is evaluated, so that expanding it cannot fail.
  bool try_reserve_edges(Node& n, std::size_t count) {
    assert(n.edge_count == 0);
    const Handle h = allocate(edge_units(count));
    if (h == kNone) return false;
    n.edges = h;
    return true;
  }
  /// Gives up the room that was reserved for `count` edges.
  void release_edges(Node& n, std::size_t count) {
    assert(n.edge_count == 0);
    release(n.edges, edge_units(count));
  }
  /// The node's edges, in the room reserved for at least so many.
  EdgeView add_edges(Node& n, std::size_t count) {
    n.edge_count = static_cast<std::uint16_t>(count);
    return edges(n);
  }

  /// Gives the node's next edge a child; null if there is no room.
  ChildEdge* try_add_child(Handle parent) {
    Node& n = node(parent);
    if (n.child_count == 0) {
      const Handle block = allocate(child_units(0));
      if (block == kNone) return nullptr;
      n.child_capacity_log = 0;
      n.children = block;
    } else if (n.child_count == std::size_t{1} << n.child_capacity_log) {
      const auto wider = static_cast<std::uint8_t>(n.child_capacity_log + 1);
      const Handle block = allocate(child_units(wider));
      if (block == kNone) return nullptr;
      std::copy_n(at<ChildEdge>(n.children), n.child_count, at<ChildEdge>(block));
      release(n.children, child_units(n.child_capacity_log));
      n.children = block;
      n.child_capacity_log = wider;
    }
    const std::optional<Handle> added = try_add_node();
    if (!added) {
      if (n.child_count == 0) release(n.children, child_units(0));
      return nullptr;
    }
    ChildEdge& child = at<ChildEdge>(n.children)[n.child_count];
    child = ChildEdge{.node = *added,
                      .visits = 0,
                      .value_sum = 0,
                      .in_flight = 0,
                      .prior = edges(n).prior(n.child_count)};
    ++n.child_count;
    return &child;
  }
  /// Takes back the child that was added last; it must have neither edges nor children.
  void remove_last_child(Handle parent) {
    Node& n = node(parent);
    release(at<ChildEdge>(n.children)[n.child_count - 1].node, kNodeUnits);
    --node_count_;
    if (--n.child_count == 0) release(n.children, child_units(n.child_capacity_log));
  }

  void clear() {
    forget_free_blocks();
    run_begin_ = 0;
    run_end_ = static_cast<Handle>(units_);
    used_units_ = 0;
    node_count_ = 0;
  }

  /// Starts to free everything but what is marked until sweep().
  void begin_marking() {
    std::fill_n(marks_.get(), units_ / 64, 0);
    used_units_ = 0;
    node_count_ = 0;
  }
  /// Keeps a node, its edges and its block of children.
  void mark(Handle h) {
    const Node& n = node(h);
    ++node_count_;
    mark_units(h, kNodeUnits);
    if (n.edge_count > 0) mark_units(n.edges, edge_units(n.edge_count));
    if (n.child_count > 0) mark_units(n.children, child_units(n.child_capacity_log));
  }
  void sweep() {
    forget_free_blocks();
    run_begin_ = run_end_ = 0;
    for (std::size_t begin = next_unit(0, false); begin < units_;) {
      const std::size_t end = next_unit(begin, true);
      add_free(static_cast<Handle>(begin), static_cast<Handle>(end - begin));
      begin = next_unit(end, false);
    }
  }

  std::size_t node_count() const { return node_count_; }
  std::size_t used_bytes() const { return used_units_ * kUnit; }
  /// What the nodes, edges and children can have together.
  std::size_t capacity_bytes() const { return units_ * kUnit; }
  /// All memory that the tree will ever hold, this object included.
  std::size_t reserved_bytes() const {
    return sizeof(*this) + units_ * kUnit + units_ / 64 * sizeof(std::uint64_t);
  }

 private:
  static constexpr std::size_t kUnit = 8;  // bytes
  static constexpr Handle kNone = std::numeric_limits<Handle>::max();
  static constexpr std::size_t kMostUnits = (std::size_t{1} << 32) - 64;
  static constexpr Handle kNodeUnits = sizeof(Node) / kUnit + (sizeof(Node) % kUnit ? 1 : 0);
  static constexpr Handle kListedUnits = 512;  // free blocks of up to so many have lists by size
  static_assert(alignof(Node) <= kUnit && alignof(ChildEdge) <= kUnit);
  static_assert(std::is_trivially_copyable_v<Node> && std::is_trivially_copyable_v<ChildEdge>);
  // The root of any position must fit.
  static_assert(kLeastBytes > 4 * (kListedUnits * sizeof(Handle) + MaxMoves * sizeof(ChildEdge)));

  /// At the beginning of every free block.
  struct FreeBlock {
    Handle next;
    Handle units;
  };
  static_assert(sizeof(FreeBlock) == kUnit);

  static Handle edge_units(std::size_t count) {
    const std::size_t bytes = EdgeView::units_for(count) * sizeof(std::uint16_t);
    return static_cast<Handle>((bytes + kUnit - 1) / kUnit);
  }
  static Handle child_units(std::uint8_t capacity_log) {
    return static_cast<Handle>((sizeof(ChildEdge) / kUnit) << capacity_log);
  }

  template <class T>
  T* at(Handle h) {
    return reinterpret_cast<T*>(memory_.get() + std::size_t{h} * kUnit);
  }
  template <class T>
  const T* at(Handle h) const {
    return reinterpret_cast<const T*>(memory_.get() + std::size_t{h} * kUnit);
  }
  FreeBlock free_block(Handle h) const {
    FreeBlock block;
    std::memcpy(&block, memory_.get() + std::size_t{h} * kUnit, sizeof block);
    return block;
  }
  void write_free_block(Handle h, const FreeBlock& block) {
    std::memcpy(memory_.get() + std::size_t{h} * kUnit, &block, sizeof block);
  }

  /// kNone if there is no room.
  Handle allocate(Handle units) {
    const Handle h = find_room(units);
    if (h != kNone) used_units_ += units;
    return h;
  }
  void release(Handle h, Handle units) {
    used_units_ -= units;
    add_free(h, units);
  }

  /// A free block of exactly this size, the current run, the next run, or a larger block's part.
  Handle find_room(Handle units) {
    if (units <= kListedUnits && free_[units] != kNone) return take_first(free_[units]);
    if (run_end_ - run_begin_ < units) {
      Handle run = take_run(units);
      if (run != kNone) {
        const Handle run_units = free_block(run).units;
        if (run_end_ > run_begin_) add_free(run_begin_, run_end_ - run_begin_);
        run_begin_ = run;
        run_end_ = run + run_units;
      } else {
        for (Handle larger = units + 1; larger <= kListedUnits; ++larger) {
          if (free_[larger] == kNone) continue;
          const Handle block = take_first(free_[larger]);
          add_free(block + units, larger - units);
          return block;
        }
        return kNone;
      }
    }
    const Handle h = run_begin_;
    run_begin_ += units;
    return h;
  }
  Handle take_first(Handle& list) {
    const Handle h = list;
    list = free_block(h).next;
    return h;
  }
  /// Takes the first run with so many units off its list; kNone if there is none.
  Handle take_run(Handle units) {
    Handle before = kNone;
    for (Handle run = runs_; run != kNone; before = run, run = free_block(run).next) {
      const FreeBlock block = free_block(run);
      if (block.units < units) continue;
      if (before == kNone)
        runs_ = block.next;
      else
        write_free_block(before, {.next = block.next, .units = free_block(before).units});
      return run;
    }
    return kNone;
  }
  void add_free(Handle h, Handle units) {
    Handle& list = units <= kListedUnits ? free_[units] : runs_;
    write_free_block(h, {.next = list, .units = units});
    list = h;
  }
  void forget_free_blocks() {
    free_.fill(kNone);
    runs_ = kNone;
  }

  void mark_units(Handle h, Handle units) {
    used_units_ += units;
    for (std::size_t unit = h, end = unit + units; unit < end;) {
      const std::size_t bit = unit % 64;
      const std::size_t count = std::min(64 - bit, end - unit);
      marks_[unit / 64] |= (~std::uint64_t{0} >> (64 - count)) << bit;
      unit += count;
    }
  }
  /// The first unit from `unit` on that is marked, or not; units_ if there is none.
  std::size_t next_unit(std::size_t unit, bool marked) const {
    while (unit < units_) {
      const std::uint64_t word = marked ? marks_[unit / 64] : ~marks_[unit / 64];
      const std::uint64_t rest = word >> unit % 64;
      if (rest != 0) return unit + static_cast<std::size_t>(std::countr_zero(rest));
      unit += 64 - unit % 64;
    }
    return units_;
  }

  std::size_t units_ = 0;
  std::unique_ptr<std::byte[]> memory_;        // units_ units
  std::unique_ptr<std::uint64_t[]> marks_;     // a bit per unit
  std::array<Handle, kListedUnits + 1> free_;  // the first free block of each size
  Handle runs_ = kNone;                        // the first larger one
  Handle run_begin_ = 0;                       // the run that new blocks are cut from
  Handle run_end_ = 0;
  std::size_t used_units_ = 0;
  std::size_t node_count_ = 0;
};

}  // namespace faultline
