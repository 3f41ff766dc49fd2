// A search tree: nodes, their edges and their children, one block of memory for each node.
#pragma once

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "rules/move.h"
#include "search/exact_sums.h"
#include "search/node_memory.h"

namespace faultline {

/// A prior in 16 bits: a float below 2 without its sign, top exponent bit and low 14 mantissa bits.
/// Relative error below 1/1000, order preserved.
constexpr std::uint16_t pack_prior(float p) {
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(p) + (1U << 13);
  return static_cast<std::uint16_t>(bits >> 14);
}
constexpr float unpack_prior(std::uint16_t packed) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(packed) << 14);
}

/// A node's legal moves as stored in the tree, best prior first: each one's prior and its move
/// index in legal_moves(). The moves themselves are generated again when a child is added; a leaf
/// that is never visited again, as most are, costs three bytes per move.
///
/// `count` priors, then `count` indices, of 8 bits where they fit. `Unit` is std::uint16_t or const
/// std::uint16_t.
template <class Unit>
class BasicEdgeView {
 public:
  BasicEdgeView(Unit* units, std::size_t count) : units_(units), count_(count) {}

  static constexpr std::size_t bytes_for(std::size_t count) {
    return count * (fits_bytes(count) ? 3 : 4);
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

enum class NodeState : std::uint8_t {
  Fresh,     // not evaluated: the root of a new tree, or a draw by repetition that no longer counts
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

/// The beginning of every node's block. A node without children is followed by its edges; one with
/// children by its children, an array for each of their fields (so that selection reads and
/// computes several at a time), and then its edges. The first edges have the children.
//
//   without children, 16 bytes               with children, 40 bytes
//  +------------------------------+         +---------------------------------------------+
//  | edge_count 16 | state | flag |         | edge_count 16 | state | flag                |
//  | value 32                     |         | child_count 16 | capacity 16                |
//  | draw 32                      |         | sums: value 64 | draw 64 | moves_left 64    |
//  | moves_left 32                |         | proof 16 | next 16 | visited_prior f32      |
//  +------------------------------+         +---------------------------------------------+
//  | priors 16 × edge_count       |         | visits 32 × capacity                        |
//  | move indices 8 × edge_count  |         | value sums f32 × capacity                   |
//  +------------------------------+         | (node 32 | move 32) × capacity              |
//                                           | virtual losses 16 × capacity                |
//                                           | priors and move indices                     |
//                                           +---------------------------------------------+
struct Node {
  std::uint16_t edge_count;  // legal moves; 0 until they are known
  NodeState state;
  bool has_children;
};

/// Each visit has added the same evaluation, as in FixedEvaluation.
struct ChildlessNode : Node {
  std::int32_t value;
  std::uint32_t draw;
  std::uint32_t moves_left;
};
static_assert(sizeof(ChildlessNode) == 16);

struct ParentNode : Node {
  std::uint16_t child_count;
  std::uint16_t capacity;  // for children
  EvaluationSum sums;      // value: for the mover of the node's parent
  Proof proof;             // kept by analyses only
  std::uint16_t next;      // the edge that selection will follow; kUnknown until it is computed
  float visited_prior;     // of all edges with children

  static constexpr std::uint16_t kUnknown = 0xffff;
};
static_assert(sizeof(ParentNode) == 40);

struct ChildLink {
  Handle node;
  Move move;
};

/// The children of a node. `values`: sums of win - loss for the node's mover, rounded.
struct ChildArrays {
  std::uint32_t* visits;  // evaluations backed up through the edge
  float* values;
  ChildLink* links;
  std::uint16_t* in_flight;  // virtual losses: leaves below that are waiting for evaluation

  static constexpr std::size_t kBytes = 4 + 4 + sizeof(ChildLink) + 2;  // per child
};

/// What a parent stores of one child, or a search of its root.
struct ChildEdge {
  Handle node = kNoHandle;
  Move move = Move::none();
  std::uint32_t visits = 0;
  float value_sum = 0;
  std::uint16_t in_flight = 0;
};

/// Owned and used by one thread at a time. Nodes move when they get more children: their handle is
/// in one place, at their parent, and descents are remembered as edge indices. Whatever would not
/// fit into the memory is refused, and the tree stays as it is.
class Tree {
 public:
  using Reserve = NodeMemory::Reserve;
  /// The root of any position fits.
  static constexpr std::size_t kLeastBytes = std::size_t{1} << 20;

  /// `bytes`: for everything; more than 32 GiB are not used. Throws std::invalid_argument below
  /// kLeastBytes, and std::runtime_error if they are reserved at once and the system has not so
  /// much.
  explicit Tree(std::size_t bytes = NodeMemory::kMostBytes, Reserve reserve = Reserve::AsNeeded);

  Node& node(Handle h) { return *memory_.at<Node>(h); }
  const Node& node(Handle h) const { return *memory_.at<Node>(h); }
  ChildlessNode& childless(Handle h) { return *memory_.at<ChildlessNode>(h); }
  const ChildlessNode& childless(Handle h) const { return *memory_.at<ChildlessNode>(h); }
  ParentNode& parent(Handle h) { return *memory_.at<ParentNode>(h); }
  const ParentNode& parent(Handle h) const { return *memory_.at<ParentNode>(h); }

  std::size_t child_count(Handle h) const {
    return node(h).has_children ? parent(h).child_count : 0;
  }
  ChildEdge child(Handle h, std::size_t i) const {
    const ChildArrays arrays = children(const_cast<ParentNode&>(parent(h)));
    return {.node = arrays.links[i].node,
            .move = arrays.links[i].move,
            .visits = arrays.visits[i],
            .value_sum = arrays.values[i],
            .in_flight = arrays.in_flight[i]};
  }
  static ChildArrays children(ParentNode& node) {
    auto* const begin = reinterpret_cast<std::byte*>(&node) + sizeof(ParentNode);
    const std::size_t n = node.capacity;
    return {reinterpret_cast<std::uint32_t*>(begin), reinterpret_cast<float*>(begin + 4 * n),
            reinterpret_cast<ChildLink*>(begin + 8 * n),
            reinterpret_cast<std::uint16_t*>(begin + (8 + sizeof(ChildLink)) * n)};
  }
  static std::uint16_t* priors(ParentNode& node) {
    return reinterpret_cast<std::uint16_t*>(reinterpret_cast<std::byte*>(&node) +
                                            sizeof(ParentNode) +
                                            ChildArrays::kBytes * node.capacity);
  }
  EdgeView edges(Handle h) { return {edge_units(node(h)), node(h).edge_count}; }
  ConstEdgeView edges(Handle h) const {
    return {edge_units(const_cast<Node&>(node(h))), node(h).edge_count};
  }
  /// The sum of all evaluations backed up to a node, which has `visits`.
  EvaluationSum sums(Handle h, std::uint32_t visits) const;

  /// A node without children and with room for so many edges; kNoHandle if there is none. Edges
  /// have room before the node is evaluated, so that expanding it cannot fail.
  Handle add_node(NodeState state, std::size_t edge_count) {
    const Handle h = memory_.allocate(childless_units(edge_count));
    if (h == kNoHandle) return kNoHandle;
    ChildlessNode& added = childless(h);
    added = {};
    added.state = state;
    added.edge_count = static_cast<std::uint16_t>(edge_count);
    ++node_count_;
    return h;
  }
  /// Removes a node without children.
  void remove_node(Handle h) {
    assert(!node(h).has_children);
    memory_.release(h, childless_units(node(h).edge_count));
    --node_count_;
  }
  /// Makes room for one more child of a node that has `visits`. The node may move: returns its
  /// handle, or kNoHandle if there is no room.
  Handle make_room_for_child(Handle h, std::uint32_t visits) {
    if (node(h).has_children && parent(h).child_count < parent(h).capacity) return h;
    return widen(h, visits);
  }
  /// Gives the node's next edge a child without visits. There must be room.
  void add_child(Handle h, Handle child, Move move) {
    ParentNode& n = parent(h);
    const ChildArrays arrays = children(n);
    const std::size_t i = n.child_count++;
    arrays.visits[i] = 0;
    arrays.values[i] = 0;
    arrays.links[i] = {.node = child, .move = move};
    arrays.in_flight[i] = 0;
    n.visited_prior += unpack_prior(priors(n)[i]);
  }
  /// Recomputes what follows from the priors of the edges with children.
  void update_visited_prior(Handle h);

  /// Loads a node's block into the caches; `visits` tells its size.
  void prefetch(Handle h, std::uint32_t visits) const {
    const auto* const block = memory_.at<std::byte>(h);
    const std::size_t lines = visits < 24 ? 2 + visits / 4 : 8;
    for (std::size_t line = 0; line < lines; ++line)
      __builtin_prefetch(block + 64 * line, 0);
  }

  void clear() {
    memory_.clear();
    node_count_ = 0;
  }
  /// A copy of a block of another tree, with room for its present children only; kNoHandle if there
  /// is no room. Handles in it are still those of the other tree.
  Handle copy_node(const Tree& from, Handle h);

  /// Starts to free everything but what is marked until sweep().
  void begin_marking() {
    memory_.begin_marking();
    node_count_ = 0;
  }
  void mark(Handle h) {
    ++node_count_;
    memory_.mark(h, units(node(h)));
  }
  void sweep() { memory_.sweep(); }

  std::size_t node_count() const { return node_count_; }
  std::size_t used_bytes() const { return memory_.used_bytes(); }
  /// What nodes have taken, with the free memory between them.
  std::size_t footprint_bytes() const { return memory_.footprint_bytes(); }
  /// The limit that it was made with.
  std::size_t limit_bytes() const { return limit_bytes_; }
  /// What the nodes can have together.
  std::size_t capacity_bytes() const { return memory_.capacity_bytes(); }
  /// All memory that the tree holds now.
  std::size_t reserved_bytes() const { return memory_.reserved_bytes(); }

 private:
  static constexpr Handle childless_units(std::size_t edge_count) {
    return NodeMemory::units_for(sizeof(ChildlessNode) + EdgeView::bytes_for(edge_count));
  }
  static constexpr Handle parent_units(std::size_t edge_count, std::size_t capacity) {
    return NodeMemory::units_for(sizeof(ParentNode) + ChildArrays::kBytes * capacity +
                                 EdgeView::bytes_for(edge_count));
  }
  Handle units(const Node& n) const {
    return n.has_children ? parent_units(n.edge_count, static_cast<const ParentNode&>(n).capacity)
                          : childless_units(n.edge_count);
  }
  static std::uint16_t* edge_units(Node& n) {
    if (n.has_children) return priors(static_cast<ParentNode&>(n));
    return reinterpret_cast<std::uint16_t*>(reinterpret_cast<std::byte*>(&n) +
                                            sizeof(ChildlessNode));
  }
  Handle widen(Handle h, std::uint32_t visits);
  /// Copies everything but the capacity from a node, which has `visits`, to a block with room for
  /// more children.
  static void copy_parent(Node& from, std::uint32_t visits, ParentNode& into, std::size_t capacity);

  NodeMemory memory_;
  std::size_t node_count_ = 0;
  std::size_t limit_bytes_;
};

}  // namespace faultline
