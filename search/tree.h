// A search tree: nodes, their edges and their children, one block of memory for each node.
#pragma once

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
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
/// index in legal_moves(). The moves themselves are generated again when the first child is added,
/// and the second: a leaf that is never visited again, as most are, costs three bytes per move.
///
/// `count` priors, then `count` indices, of 8 bits or, in positions with more legal moves than
/// those can number, `wide`, then, in nodes that have them, `count` bonuses of 16 bits. `Unit` is
/// std::uint16_t or const std::uint16_t.
template <class Unit>
class BasicEdgeView {
 public:
  BasicEdgeView(Unit* units, std::size_t count, bool wide)
      : units_(units), count_(count), wide_(wide) {}

  static constexpr bool needs_wide(std::size_t legal_moves) { return legal_moves > 256; }
  static constexpr std::size_t bytes_for(std::size_t count, bool wide, bool bonuses = false) {
    return count * ((wide ? 4 : 3) + (bonuses ? sizeof(std::int16_t) : 0));
  }
  std::size_t size() const { return count_; }
  std::uint16_t prior(std::size_t i) const { return units_[i]; }
  void set_prior(std::size_t i, std::uint16_t prior) { units_[i] = prior; }
  std::size_t move_index(std::size_t i) const { return wide_ ? units_[count_ + i] : bytes()[i]; }
  void set_move_index(std::size_t i, std::size_t move_index) {
    if (wide_)
      units_[count_ + i] = static_cast<std::uint16_t>(move_index);
    else
      bytes()[i] = static_cast<unsigned char>(move_index);
  }
  /// What selection adds to the move's value, -kMostBonus … kMostBonus; of nodes with bonuses only.
  float bonus(std::size_t i) const {
    std::int16_t fixed = 0;
    std::memcpy(&fixed, bonus_at(i), sizeof fixed);
    return static_cast<float>(fixed) / kBonusUnits;
  }
  void set_bonus(std::size_t i, float bonus) {
    const auto fixed = static_cast<std::int16_t>(
        std::lround(kBonusUnits * std::clamp(bonus, -kMostBonus, kMostBonus)));
    std::memcpy(bonus_at(i), &fixed, sizeof fixed);
  }
  static constexpr float kMostBonus = 4;
  Unit* units() const { return units_; }

 private:
  using Byte = std::conditional_t<std::is_const_v<Unit>, const unsigned char, unsigned char>;
  static constexpr float kBonusUnits = 8000;
  Byte* bytes() const { return reinterpret_cast<Byte*>(units_ + count_); }
  Byte* bonus_at(std::size_t i) const {
    return bytes() + count_ * (wide_ ? 2 : 1) + i * sizeof(std::int16_t);
  }
  Unit* units_;
  std::size_t count_;
  bool wide_;
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
/// children by its children and then its edges. The first edges have the children.
//
//   without children, 16 bytes               with children, 40 bytes
//  +------------------------------+         +---------------------------------------------+
//  | edge_count 16 | state | flag |         | edge_count 16 | state | flag                |
//  | value 32                     |         | child_count 16 | capacity 16                |
//  | draw 32                      |         | sums: value 64 | draw 64 | moves_left 64    |
//  | moves_left 32                |         | proof 16 | in_flight 16 | visited_prior f32 |
//  +------------------------------+         +---------------------------------------------+
//  | priors 16 × edge_count       |         | (mean f32 | exploration f32 |               |
//  | move indices 8 × edge_count  |         |    node 32 | visits 32) × capacity          |
//  +------------------------------+         | move 32, or from 2 children on 32 × edges   |
//                                           | priors and move indices                     |
//                                           +---------------------------------------------+
struct Node {
  std::uint16_t edge_count;  // moves that are searched; 0 until they are known
  NodeState state;
  bool has_children : 1;
  bool wide_indices : 1;   // of moves: see BasicEdgeView
  bool has_bonuses : 1;    // its moves have them (search/move_bias.h): few nodes
  bool has_all_moves : 1;  // every legal move has an edge
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
  std::uint16_t capacity;   // for children
  EvaluationSum sums;       // value: for the mover of the node's parent
  Proof proof;              // kept by analyses and by searches with SearchParams::solver
  std::uint16_t in_flight;  // virtual losses: leaves below that are waiting for evaluation
  float visited_prior;      // of all edges with children
};
static_assert(sizeof(ParentNode) == 40);

/// What a node stores of one child. Selection at the node compares mean + c × exploration, where c
/// is the same for all children: what it would have to divide is divided when a child changes, of
/// which there is one for each visit of the node.
struct Child {
  float mean;         // of win - loss for the node's mover; leaves in flight count as lost, and
                      // the move's bonus is added. ±kProvenMean if a proof decides
  float exploration;  // the prior : 1 + visits and leaves in flight
  Handle node;
  std::uint32_t visits;  // evaluations backed up through the edge
};
static_assert(sizeof(Child) == 16);
/// A mean above all that exploration can add to one.
inline constexpr float kProvenMean = 1e6F;

/// The way to a node: from its parent, or to the root.
struct ChildEdge {
  Handle node = kNoHandle;
  Move move = Move::none();
  std::uint32_t visits = 0;
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
    auto& n = const_cast<ParentNode&>(parent(h));
    return {.node = children(n)[i].node, .move = moves(n)[i], .visits = children(n)[i].visits};
  }
  static Child* children(ParentNode& node) {
    return reinterpret_cast<Child*>(reinterpret_cast<std::byte*>(&node) + sizeof(ParentNode));
  }
  static const Child* children(const ParentNode& node) {
    return children(const_cast<ParentNode&>(node));
  }
  /// The moves of the first edges, of at least those with children.
  static Move* moves(ParentNode& node) {
    return reinterpret_cast<Move*>(children(node) + node.capacity);
  }
  static const Move* moves(const ParentNode& node) { return moves(const_cast<ParentNode&>(node)); }
  static std::uint16_t* priors(ParentNode& node) {
    return reinterpret_cast<std::uint16_t*>(moves(node) + move_count(node));
  }
  static const std::uint16_t* priors(const ParentNode& node) {
    return priors(const_cast<ParentNode&>(node));
  }
  EdgeView edges(Handle h) {
    Node& n = node(h);
    return {edge_units(n), n.edge_count, n.wide_indices};
  }
  ConstEdgeView edges(Handle h) const {
    auto& n = const_cast<Node&>(node(h));
    return {edge_units(n), n.edge_count, n.wide_indices};
  }
  /// The sum of all evaluations backed up to a node, which has `visits`.
  EvaluationSum sums(Handle h, std::uint32_t visits) const;
  /// The sum of a node's values, as a float.
  static float value_sum(const Node& node, std::uint32_t visits) {
    if (node.has_children) return static_cast<const ParentNode&>(node).sums.value_sum();
    EvaluationSum sum;
    sum.value = std::int64_t{static_cast<const ChildlessNode&>(node).value} * visits;
    return sum.value_sum();
  }
  /// Virtual losses at a node, each of whose leaves in flight counts as so many.
  std::uint32_t in_flight(Handle h, int virtual_loss) const {
    if (node(h).has_children) return parent(h).in_flight;
    return node(h).state == NodeState::Pending ? static_cast<std::uint32_t>(virtual_loss) : 0;
  }
  /// Whether selection goes by what is proven of a move instead of its mean, wherever something is.
  void let_proofs_decide(bool decide) { proofs_decide_ = decide; }
  bool proofs_decide() const { return proofs_decide_; }
  /// What is proven for a node's mover. Ends of games are proofs.
  Proof proof(Handle h) const {
    if (node(h).has_children) return parent(h).proof;
    const NodeState state = node(h).state;
    return state == NodeState::Win ? Proof{1} : state == NodeState::Loss ? Proof{-1} : kUnproven;
  }
  /// Instead of a move's mean: what is proven of it, for a child with this proof.
  static float proven_mean(Proof child) { return child < 0 ? kProvenMean : -kProvenMean; }

  /// Recomputes what selection compares of child i, below which `in_flight` leaves wait.
  /// `may_have_bonuses`: false in searches without a strategy, which are not to pay for them.
  template <bool may_have_bonuses>
  void update_score(ParentNode& node, std::size_t i, std::uint32_t in_flight) {
    Child& child = children(node)[i];
    const auto lost = static_cast<float>(in_flight);
    const float n = static_cast<float>(child.visits) + lost;
    child.mean = (value_sum(this->node(child.node), child.visits) - lost) / std::max(n, 1.0F);
    if constexpr (may_have_bonuses)
      if (node.has_bonuses) child.mean += bonus(node, i);
    if (proofs_decide_) {
      const Proof proven = proof(child.node);
      if (proven != kUnproven) child.mean = proven_mean(proven);
    }
    child.exploration = unpack_prior(priors(node)[i]) / (1 + n);
  }

  /// The bonus of edge i of a node that has bonuses.
  static float bonus(const ParentNode& node, std::size_t i) {
    return ConstEdgeView(priors(node), node.edge_count, node.wide_indices).bonus(i);
  }

  /// A node without children and with room for so many edges of `legal_moves`, and for their
  /// bonuses if it is to have any; kNoHandle if there is none. Edges have room before the node is
  /// evaluated, so that expanding it cannot fail.
  Handle add_node(NodeState state, std::size_t edge_count, std::size_t legal_moves,
                  bool bonuses = false) {
    const bool wide = EdgeView::needs_wide(legal_moves);
    const Handle h = memory_.allocate(childless_units(edge_count, wide, bonuses));
    if (h == kNoHandle) return kNoHandle;
    ChildlessNode& added = childless(h);
    added = {};
    added.state = state;
    added.edge_count = static_cast<std::uint16_t>(edge_count);
    added.wide_indices = wide;
    added.has_bonuses = bonuses;
    added.has_all_moves = edge_count == legal_moves;
    ++node_count_;
    return h;
  }
  /// All legal moves have edges.
  Handle add_node(NodeState state, std::size_t legal_moves) {
    return add_node(state, legal_moves, legal_moves);
  }
  /// Removes a node without children.
  void remove_node(Handle h) {
    assert(!node(h).has_children);
    memory_.release(h, units(node(h)));
    --node_count_;
  }
  /// Whether the node stores the move of its first edge without a child.
  bool knows_next_move(Handle h) const {
    return node(h).has_children && parent(h).child_count < move_count(parent(h));
  }
  /// Makes room for one more child of a node that has `visits`, so that it has its move. The node
  /// may move: returns its handle, or kNoHandle if there is no room. `legal`: all legal moves,
  /// unless it knows the next one.
  Handle make_room_for_child(Handle h, std::uint32_t visits, std::span<const Move> legal) {
    if (node(h).has_children && parent(h).child_count < parent(h).capacity) return h;
    return widen(h, visits, legal);
  }
  /// Gives the node's next edge a child without visits. There must be room.
  void add_child(Handle h, Handle child) {
    ParentNode& n = parent(h);
    const std::size_t i = n.child_count++;
    const float prior = unpack_prior(priors(n)[i]);
    children(n)[i] = {.mean = 0, .exploration = prior, .node = child, .visits = 0};
    n.visited_prior += prior;
  }
  /// Swaps two edges that have no child yet.
  void swap_edges(Handle h, std::size_t i, std::size_t j);
  /// Recomputes what follows from the edges after they have changed. `legal`: all legal moves.
  void update_edges(Handle h, std::span<const Move> legal, int virtual_loss);

  /// Loads the beginning of a node's block into the caches, and the processor soon finds the rest.
  void prefetch(Handle h) const {
    const auto* const block = memory_.at<std::byte>(h);
    __builtin_prefetch(block);
    __builtin_prefetch(block + 64);
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
  /// How many moves are stored: with a second child all, because more will follow.
  static constexpr std::size_t move_count(std::size_t edge_count, std::size_t capacity) {
    return capacity > 1 ? edge_count : capacity;
  }
  static std::size_t move_count(const ParentNode& node) {
    return move_count(node.edge_count, node.capacity);
  }
  static constexpr Handle childless_units(std::size_t edge_count, bool wide, bool bonuses) {
    return NodeMemory::units_for(sizeof(ChildlessNode) +
                                 EdgeView::bytes_for(edge_count, wide, bonuses));
  }
  static constexpr Handle parent_units(std::size_t edge_count, std::size_t capacity, bool wide,
                                       bool bonuses) {
    return NodeMemory::units_for(sizeof(ParentNode) + sizeof(Child) * capacity +
                                 sizeof(Move) * move_count(edge_count, capacity) +
                                 EdgeView::bytes_for(edge_count, wide, bonuses));
  }
  Handle units(const Node& n) const {
    return n.has_children ? parent_units(n.edge_count, static_cast<const ParentNode&>(n).capacity,
                                         n.wide_indices, n.has_bonuses)
                          : childless_units(n.edge_count, n.wide_indices, n.has_bonuses);
  }
  static std::uint16_t* edge_units(Node& n) {
    if (n.has_children) return priors(static_cast<ParentNode&>(n));
    return reinterpret_cast<std::uint16_t*>(reinterpret_cast<std::byte*>(&n) +
                                            sizeof(ChildlessNode));
  }
  Handle widen(Handle h, std::uint32_t visits, std::span<const Move> legal);
  /// Copies everything but the capacity from a node, which has `visits`, to a block with room for
  /// more children.
  static void copy_parent(Node& from, std::uint32_t visits, ParentNode& into, std::size_t capacity);

  NodeMemory memory_;
  std::size_t node_count_ = 0;
  std::size_t limit_bytes_;
  bool proofs_decide_ = false;
};

}  // namespace faultline
