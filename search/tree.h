// What a search tree is made of: nodes, edges and slots, and the pools they live in.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "rules/move.h"

namespace faultline {

/// Index of an object in its pool.
using Handle = std::uint32_t;

/// Grows in chunks, so that objects never move and a small tree stays small; runs of neighbours
/// (a node's edges) lie in one chunk. Owned and used by one thread.
template <class T, std::size_t ChunkSize>
class Pool {
  static_assert(std::has_single_bit(ChunkSize));
  static constexpr unsigned kShift = std::countr_zero(ChunkSize);

 public:
  /// The first of `count` fresh neighbours; their values are unspecified.
  Handle allocate(std::size_t count) {
    assert(count > 0 && count <= ChunkSize);
    const std::size_t offset = used_ % ChunkSize;
    if (offset + count > ChunkSize) used_ += ChunkSize - offset;
    if (used_ / ChunkSize == chunks_.size())
      chunks_.push_back(std::make_unique_for_overwrite<T[]>(ChunkSize));
    const auto handle = static_cast<Handle>(used_);
    used_ += count;
    return handle;
  }
  T& operator[](Handle h) { return chunks_[h >> kShift][h & (ChunkSize - 1)]; }
  const T& operator[](Handle h) const { return chunks_[h >> kShift][h & (ChunkSize - 1)]; }

  /// Forgets all objects and keeps the memory.
  void clear() { used_ = 0; }
  std::size_t used_bytes() const { return used_ * sizeof(T); }
  std::size_t reserved_bytes() const { return chunks_.size() * ChunkSize * sizeof(T); }

 private:
  std::vector<std::unique_ptr<T[]>> chunks_;
  std::size_t used_ = 0;
};

/// A prior in 16 bits: a float below 2 without its sign, top exponent bit and low 14 mantissa bits.
/// Relative error below 1/1000, order preserved.
constexpr std::uint16_t pack_prior(float p) {
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(p) + (1U << 13);
  return static_cast<std::uint16_t>(bits >> 14);
}
constexpr float unpack_prior(std::uint16_t packed) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(packed) << 14);
}

/// An expanded node's legal moves as a search keeps them, best prior first: for each its prior and
/// its place in legal_moves(). The moves themselves are generated again when a child is added; a
/// leaf that is never visited twice, as most are, has paid three bytes a move.
///
/// In a pool of 16-bit units: `count` priors, then `count` places, of 8 bits where they fit.
/// `Unit` is std::uint16_t or const std::uint16_t.
template <class Unit>
class BasicEdgeView {
 public:
  BasicEdgeView(Unit* units, std::size_t count) : units_(units), count_(count) {}

  static std::size_t units_for(std::size_t count) {
    return count + (fits_bytes(count) ? (count + 1) / 2 : count);
  }
  std::size_t size() const { return count_; }
  std::uint16_t prior(std::size_t i) const { return units_[i]; }
  void set_prior(std::size_t i, std::uint16_t prior) { units_[i] = prior; }
  std::size_t place(std::size_t i) const {
    const Unit* places = units_ + count_;
    if (!fits_bytes(count_)) return places[i];
    return places[i / 2] >> (i % 2 * 8) & 0xffU;
  }
  void set_place(std::size_t i, std::size_t place) {
    std::uint16_t* places = units_ + count_;
    if (!fits_bytes(count_)) {
      places[i] = static_cast<std::uint16_t>(place);
      return;
    }
    const unsigned shift = i % 2 * 8;
    places[i / 2] =
        static_cast<std::uint16_t>((places[i / 2] & (0xff00U >> shift)) | place << shift);
  }
  Unit* units() const { return units_; }

 private:
  static constexpr bool fits_bytes(std::size_t count) { return count <= 256; }
  Unit* units_;
  std::size_t count_;
};
using EdgeView = BasicEdgeView<std::uint16_t>;
using ConstEdgeView = BasicEdgeView<const std::uint16_t>;

/// A visited child as its parent sees it: all that selection reads, four to a cache line.
//   0        4          8           12          14       16
//  +--------+----------+-----------+-----------+--------+
//  |  node  |  visits  | value_sum | in_flight | prior  |
//  +--------+----------+-----------+-----------+--------+
struct Slot {
  Handle node;
  std::uint32_t visits;     // evaluations backed up through it
  float value_sum;          // of win - loss for the parent's mover
  std::uint16_t in_flight;  // virtual losses: leaves below that wait for their evaluation
  std::uint16_t prior;      // the edge's, with the root's noise
};
static_assert(sizeof(Slot) == 16);

enum class NodeState : std::uint8_t {
  Fresh,     // not judged: new, or a draw by repetition that has to be looked at again
  Pending,   // in a batch
  Expanded,  // has edges
  Win,       // the game is over and its mover has won
  Loss,      // … has lost
  Draw,      // … drawn by a rule
  TwoFold,   // stood once before in the tree; counted as drawn while that line is searched
};
constexpr bool is_terminal(NodeState s) {
  return s >= NodeState::Win;
}

//   0          4                8        12       16     20           22           24      25 28
//  +----------+----------------+--------+--------+------+------------+------------+-------+------+
//  | draw_sum | moves_left_sum | edges  | slots  | move | edge_count | slot_count | log2  |state |
//  +----------+----------------+--------+--------+------+------------+------------+-------+------+
struct Node {
  float draw_sum = 0;        // of draw probabilities
  float moves_left_sum = 0;  // of plies to the end
  Handle edges = 0;          // EdgeView::units_for(edge_count) units
  Handle slots = 0;          // slot_count of 2^slot_log neighbours: the first edges' children
  Move move = Move::none();  // that led here
  std::uint16_t edge_count = 0;
  std::uint16_t slot_count = 0;
  std::uint8_t slot_log = 0;
  NodeState state = NodeState::Fresh;
};
static_assert(sizeof(Node) == 28);

/// The pools of one tree over positions of at most `MaxMoves` legal moves.
template <std::size_t MaxMoves>
class Tree {
 public:
  Handle add_node() {
    const Handle h = nodes_.allocate(1);
    nodes_[h] = Node{};
    ++node_count_;
    return h;
  }
  Node& node(Handle h) { return nodes_[h]; }
  const Node& node(Handle h) const { return nodes_[h]; }
  EdgeView edges(const Node& n) {
    return {n.edge_count ? &edges_[n.edges] : nullptr, n.edge_count};
  }
  ConstEdgeView edges(const Node& n) const {
    return {n.edge_count ? &edges_[n.edges] : nullptr, n.edge_count};
  }
  /// The node's slots, null while it has none.
  Slot* slots(const Node& n) { return n.slot_count ? &slots_[n.slots] : nullptr; }
  const Slot* slots(const Node& n) const { return n.slot_count ? &slots_[n.slots] : nullptr; }

  EdgeView add_edges(Node& n, std::size_t count) {
    n.edges = edges_.allocate(EdgeView::units_for(count));
    n.edge_count = static_cast<std::uint16_t>(count);
    return edges(n);
  }

  /// Makes room for `count` slots at once, where the number is known.
  void reserve_slots(Node& n, std::size_t count) {
    n.slot_log = static_cast<std::uint8_t>(std::bit_width(count - 1));
    n.slots = take_slots(n.slot_log);
  }

  /// Gives the node's next edge a child. Slots move when their block is full: keep ordinals, not
  /// pointers.
  Slot& add_slot(Handle parent) {
    Node& n = nodes_[parent];
    if (n.slot_count == 0) {
      n.slot_log = 0;
      n.slots = take_slots(0);
    } else if (n.slot_count == std::size_t{1} << n.slot_log) {
      const auto wider = static_cast<std::uint8_t>(n.slot_log + 1);
      const Handle block = take_slots(wider);
      std::copy_n(&slots_[n.slots], n.slot_count, &slots_[block]);
      free_[n.slot_log].push_back(n.slots);
      n.slots = block;
      n.slot_log = wider;
    }
    Slot& slot = (&slots_[n.slots])[n.slot_count];
    slot = Slot{.node = add_node(),
                .visits = 0,
                .value_sum = 0,
                .in_flight = 0,
                .prior = edges(n).prior(n.slot_count)};
    ++n.slot_count;
    return slot;
  }

  void clear() {
    nodes_.clear();
    edges_.clear();
    slots_.clear();
    for (auto& list : free_)
      list.clear();
    node_count_ = 0;
  }
  std::size_t node_count() const { return node_count_; }
  std::size_t used_bytes() const {
    return nodes_.used_bytes() + edges_.used_bytes() + slots_.used_bytes();
  }
  std::size_t reserved_bytes() const {
    return nodes_.reserved_bytes() + edges_.reserved_bytes() + slots_.reserved_bytes();
  }

 private:
  // A chunk holds the largest node's edges or slots.
  static constexpr std::size_t kChunk = std::bit_ceil(std::max<std::size_t>(MaxMoves, 1024));
  static constexpr std::size_t kBlockSizes = std::bit_width(kChunk);

  Handle take_slots(std::uint8_t log) {
    auto& list = free_[log];
    if (list.empty()) return slots_.allocate(std::size_t{1} << log);
    const Handle block = list.back();
    list.pop_back();
    return block;
  }

  Pool<Node, 1024> nodes_;
  Pool<std::uint16_t, 2 * kChunk> edges_;
  Pool<Slot, kChunk> slots_;
  std::array<std::vector<Handle>, kBlockSizes> free_;  // outgrown blocks of slots by size
  std::size_t node_count_ = 0;
};

}  // namespace faultline
