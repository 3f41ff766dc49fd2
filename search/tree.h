// The parts of a search tree: nodes, edges and children, and their memory pools.
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
#include "search/exact_sums.h"

namespace faultline {

/// Index of an object in its pool.
using Handle = std::uint32_t;

/// Grows in chunks, so that objects never move and a small tree stays small; contiguous runs (a
/// node's edges) lie in one chunk. Owned and used by one thread.
template <class T, std::size_t ChunkSize>
class Pool {
  static_assert(std::has_single_bit(ChunkSize));
  static constexpr unsigned kShift = std::countr_zero(ChunkSize);

 public:
  /// The first of `count` new contiguous objects; their values are unspecified.
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

  /// Discards all objects and keeps the memory.
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

/// An expanded node's legal moves as stored in the tree, best prior first: each one's prior and its
/// move index in legal_moves(). The moves themselves are generated again when a child is added; a
/// leaf that is never visited again, as most are, costs three bytes per move.
///
/// In a pool of 16-bit units: `count` priors, then `count` indices, of 8 bits where they fit.
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
  std::size_t move_index(std::size_t i) const {
    return fits_bytes(count_) ? bytes()[i] : units_[count_ + i];
  }
  void set_move_index(std::size_t i, std::size_t move_index) {
    if (fits_bytes(count_))
      bytes()[i] = static_cast<unsigned char>(move_index);
    else
      units_[count_ + i] = static_cast<std::uint16_t>(move_index);
  }
  Unit* units() const { return units_; }

 private:
  using Byte = std::conditional_t<std::is_const_v<Unit>, const unsigned char, unsigned char>;
  static constexpr bool fits_bytes(std::size_t count) { return count <= 256; }
  Byte* bytes() const { return reinterpret_cast<Byte*>(units_ + count_); }
  Unit* units_;
  std::size_t count_;
};
using EdgeView = BasicEdgeView<std::uint16_t>;
using ConstEdgeView = BasicEdgeView<const std::uint16_t>;

/// A visited child as stored in its parent: everything that selection reads, four per cache line.
//   0        4          8           12          14       16
//  +--------+----------+-----------+-----------+--------+
//  |  node  |  visits  | value_sum | in_flight | prior  |
//  +--------+----------+-----------+-----------+--------+
struct ChildEdge {
  Handle node;
  std::uint32_t visits;     // evaluations backed up through it
  float value_sum;          // of win - loss for the parent's mover: the node's sum, rounded
  std::uint16_t in_flight;  // virtual losses: leaves below that are waiting for evaluation
  std::uint16_t prior;      // the edge's, with the root's noise
};
static_assert(sizeof(ChildEdge) == 16);

enum class NodeState : std::uint8_t {
  Fresh,     // not evaluated: new, or a draw by repetition that has to be re-evaluated
  Pending,   // in a batch
  Expanded,  // has edges
  Win,       // the game is over and the side to move has won
  Loss,      // … has lost
  Draw,      // … drawn by a rule
  TwoFold,   // occurred once before in the tree; scored as a draw while that line is searched
};
constexpr bool is_terminal(NodeState s) {
  return s >= NodeState::Win;
}

/// That the mover wins in proof - 1 plies at most (above 0), or loses in -proof - 1 (below).
using Proof = std::int16_t;
inline constexpr Proof kUnproven = 0;

//  0      24      28         32     36           38            40     41      42      44
// +------+-------+----------+------+------------+-------------+------+-------+-------+
// | sums | edges | children | move | edge_count | child_count | log2 | state | proof |
// +------+-------+----------+------+------------+-------------+------+-------+-------+ 48
struct Node {
  EvaluationSum sums;   // value: for the mover of the node's parent
  Handle edges = 0;     // EdgeView::units_for(edge_count) units
  Handle children = 0;  // child_count of 2^child_capacity_log contiguous: the first edges' children
  Move move = Move::none();  // the move that led here
  std::uint16_t edge_count = 0;
  std::uint16_t child_count = 0;
  std::uint8_t child_capacity_log = 0;
  NodeState state = NodeState::Fresh;
  Proof proof = kUnproven;  // kept by analyses only
};
static_assert(sizeof(Node) == 48);

/// The pools of one tree over positions of at most `MaxMoves` legal moves.
template <std::size_t MaxMoves>
class Tree {
 public:
  static constexpr bool kBudgeted = false;  // it grows as needed

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
  /// The node's children, null while it has none.
  ChildEdge* children(const Node& n) { return n.child_count ? &children_[n.children] : nullptr; }
  const ChildEdge* children(const Node& n) const {
    return n.child_count ? &children_[n.children] : nullptr;
  }

  EdgeView add_edges(Node& n, std::size_t count) {
    n.edges = edges_.allocate(EdgeView::units_for(count));
    n.edge_count = static_cast<std::uint16_t>(count);
    return edges(n);
  }

  /// Reserves `count` children at once, where the number is known.
  void reserve_children(Node& n, std::size_t count) {
    n.child_capacity_log = static_cast<std::uint8_t>(std::bit_width(count - 1));
    n.children = take_children(n.child_capacity_log);
  }

  /// Gives the node's next edge a child. Child edges move when their block is full: keep edge
  /// indices, not pointers.
  ChildEdge& add_child(Handle parent) {
    Node& n = nodes_[parent];
    if (n.child_count == 0) {
      n.child_capacity_log = 0;
      n.children = take_children(0);
    } else if (n.child_count == std::size_t{1} << n.child_capacity_log) {
      const auto wider = static_cast<std::uint8_t>(n.child_capacity_log + 1);
      const Handle block = take_children(wider);
      std::copy_n(&children_[n.children], n.child_count, &children_[block]);
      free_[n.child_capacity_log].push_back(n.children);
      n.children = block;
      n.child_capacity_log = wider;
    }
    ChildEdge& child = (&children_[n.children])[n.child_count];
    child = ChildEdge{.node = add_node(),
                      .visits = 0,
                      .value_sum = 0,
                      .in_flight = 0,
                      .prior = edges(n).prior(n.child_count)};
    ++n.child_count;
    return child;
  }

  void clear() {
    nodes_.clear();
    edges_.clear();
    children_.clear();
    for (auto& list : free_)
      list.clear();
    node_count_ = 0;
  }
  std::size_t node_count() const { return node_count_; }
  std::size_t used_bytes() const {
    return nodes_.used_bytes() + edges_.used_bytes() + children_.used_bytes();
  }
  std::size_t reserved_bytes() const {
    return nodes_.reserved_bytes() + edges_.reserved_bytes() + children_.reserved_bytes();
  }

 private:
  // A chunk holds the largest node's edges or children.
  static constexpr std::size_t kChunk = std::bit_ceil(std::max<std::size_t>(MaxMoves, 1024));
  static constexpr std::size_t kBlockSizes = std::bit_width(kChunk);

  Handle take_children(std::uint8_t log) {
    auto& list = free_[log];
    if (list.empty()) return children_.allocate(std::size_t{1} << log);
    const Handle block = list.back();
    list.pop_back();
    return block;
  }

  Pool<Node, 1024> nodes_;
  Pool<std::uint16_t, 2 * kChunk> edges_;
  Pool<ChildEdge, kChunk> children_;
  std::array<std::vector<Handle>, kBlockSizes> free_;  // outgrown blocks of children by size
  std::size_t node_count_ = 0;
};

}  // namespace faultline
