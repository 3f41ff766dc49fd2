// PUCT tree search (Silver et al. 2018) over any Position; leaves are evaluated in batches that may
// hold leaves of many searches.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <new>
#include <optional>
#include <random>
#include <span>
#include <utility>
#include <vector>

#include "rules/history.h"
#include "search/evaluator.h"
#include "search/exact_sums.h"
#include "search/expansion.h"
#include "search/line_end.h"
#include "search/look_ahead.h"
#include "search/params.h"
#include "search/pending_leaves.h"
#include "search/proof.h"
#include "search/puct_selection.h"
#include "search/root_moves.h"
#include "search/tree.h"
#include "search/tree_reuse.h"
#include "search/tree_statistics.h"

namespace faultline {

/// One tree, used by one thread at a time. The caller gathers leaves, has them evaluated, and
/// applies the results:
///
///     while (search.root_visits() < visits) {
///       search.gather(batch);                 // of one or many searches
///       if (batch is full) { evaluator.evaluate(batch); search.apply(batch); batch.clear(); }
///     }
///
/// The root's game must not be over. Several batches may be gathered before the first is applied,
/// by several threads that take turns (search/parallel_search.h), if each has its own
/// PendingLeaves.
///
/// A descent that would need more memory than the tree may have ends where it is, and the mean of
/// that node counts once more, as if further visits there would find the same: the search continues
/// in the tree that it has.
///
/// `for_analysis`: also keeps proofs of wins and losses (search/proof.h) and the lengths of the
/// descents, and moves the root in place, so that no second tree needs memory.
template <Position P, bool for_analysis = false>
class Search {
 public:
  /// set_position() must be called before anything else.
  explicit Search(const SearchParams& params, Tree tree = Tree{})
      : params_(params), history_(P{}), tree_(std::move(tree)) {}
  Search(const SearchParams& params, const PositionHistory<P>& history) : Search(params) {
    set_position(history);
  }

  /// Starts from the last position of `history` with an empty tree.
  void set_position(const PositionHistory<P>& history) {
    assert(pending_.empty());
    history_ = history;
    clear_tree();
  }

  /// Only these moves are searched at the root, which must not be expanded yet; empty: all.
  void restrict_root(std::vector<Move> moves) {
    assert(moves.empty() || tree_.node(root_.node).state == NodeState::Fresh);
    root_moves_ = std::move(moves);
  }

  /// Plays `move` at the root and keeps the subtree below it.
  void advance(Move move) {
    assert(pending_.empty());
    const std::optional<ChildEdge> kept = find_child(tree_, root_.node, move);
    history_.play(move);
    move_root(kept);
  }

  /// Advances to the last position of `next`, keeping the subtree below it, if `next` continues the
  /// current game and was reached by moves that were searched; otherwise changes nothing and
  /// returns false. `same_root`: what to return if `next` is the current game.
  bool continue_with(const PositionHistory<P>& next, bool same_root) {
    assert(pending_.empty());
    const std::size_t known = history_.keys().size();
    if (tree_.node_count() == 0 || next.keys().size() < known) return false;
    for (std::size_t i = known; i-- > 0;)
      if (next.keys()[i] != history_.keys()[i]) return false;
    ChildEdge reached = root_;
    P position = history_.position();
    for (std::size_t i = known; i < next.keys().size(); ++i) {
      const std::optional<ChildEdge> child =
          find_child_by_key(reached.node, position, next.keys()[i]);
      if (!child) return false;
      position.play(child->move);
      reached = *child;
    }
    if (position.halfmove_clock() != next.position().halfmove_clock() ||
        position.repetition_window() != next.position().repetition_window() ||
        position.full_move_number() != next.position().full_move_number())
      return false;  // a different game through the same positions
    if (next.keys().size() == known) return same_root;
    history_ = next;
    move_root(reached);
    return true;
  }

  enum class Gathered {
    Leaf,      // a leaf was added to the batch
    Terminal,  // the descent reached the end of the game, or there is no room for what it reached:
               // scored and backed up at once
    Nothing    // the descent reached a leaf that is waiting for its evaluation
  };

  /// Descends from the root to a leaf.
  Gathered gather(EvalBatch<P>& batch) { return gather(batch, pending_); }
  Gathered gather(EvalBatch<P>& batch, PendingLeaves& pending) {
    path_.clear();
    look_ahead_.stop();
    P position = history_.position();
    Handle at = root_.node;
    SelectionSite site = root_site();
    while (true) {
      switch (tree_.node(at).state) {
        case NodeState::Expanded:
          break;
        case NodeState::Pending:
          return Gathered::Nothing;
        case NodeState::Fresh:
          return visit_fresh(batch, pending, at, position);
        default:
          return end_game(at);
      }
      const std::size_t i = choose(at, site);
      if (i == tree_.child_count(at)) return visit_new_child(batch, pending, at, site, position);
      const ChildEdge child = tree_.child(at, i);
      position.play(child.move);
      path_.push_back(
          {.key = position.key(), .parent = at, .edge_index = static_cast<std::uint16_t>(i)});
      at = child.node;
      site = site_of(child, path_.size());
    }
  }

  /// Expands and backs up all leaves that this search has added to `batch` since the last apply().
  void apply(const EvalBatch<P>& batch) { apply(batch, pending_); }
  void apply(const EvalBatch<P>& batch, PendingLeaves& pending) {
    for (const PendingLeaves::Leaf& leaf : pending.leaves()) {
      look_ahead();
      const std::span<const std::uint16_t> path = pending.path(leaf);
      expand(leaf.node, batch.moves(leaf.index), batch.priors(leaf.index),
             batch.evaluation(leaf.index),
             path.empty() ? std::span<const Move>(root_moves_) : std::span<const Move>{});
      look_ahead();
      back_up(path, batch.evaluation(leaf.index), params_.virtual_loss);
    }
    pending.clear();
  }

  /// Takes the leaves in `pending` back, as if they had not been gathered: they could not be
  /// evaluated.
  void abandon(PendingLeaves& pending) {
    for (const PendingLeaves::Leaf& leaf : pending.leaves()) {
      const std::span<const std::uint16_t> path = pending.path(leaf);
      tree_.node(leaf.node).state = NodeState::Fresh;
      Handle at = root_.node;
      for (const std::uint16_t i : path) {
        take_back_virtual_loss(Tree::children(tree_.parent(at)).in_flight[i]);
        at = tree_.child(at, i).node;
      }
      take_back_virtual_loss(root_.in_flight);
    }
    pending.clear();
  }

  /// Mixes Dirichlet noise into the root's priors (AlphaZero). The root must be expanded.
  void add_root_noise(std::mt19937_64& rng) {
    assert(tree_.node(root_.node).state == NodeState::Expanded);
    if (params_.dirichlet_weight <= 0) return;
    EdgeView edges = tree_.edges(root_.node);
    const std::vector<float> noise =
        dirichlet(edges.size(),
                  params_.dirichlet_alpha > 0 ? params_.dirichlet_alpha
                                              : 10.0F / static_cast<float>(edges.size()),
                  rng);
    const float weight = params_.dirichlet_weight;
    for (std::size_t i = 0; i < edges.size(); ++i)
      edges.set_prior(i,
                      pack_prior((1 - weight) * unpack_prior(edges.prior(i)) + weight * noise[i]));
    order_.sort_again(edges, tree_.child_count(root_.node));
    tree_.update_visited_prior(root_.node);
    forget_next(root_.node);
  }

  const PositionHistory<P>& history() const { return history_; }
  const SearchParams& params() const { return params_; }
  std::uint32_t root_visits() const { return root_.visits; }
  bool has_pending() const { return !pending_.empty(); }
  /// Leaves that are waiting for their evaluation.
  std::size_t pending() const { return pending_.size(); }

  /// All legal moves at the root, in legal_moves() order. Unvisited ones have the root's value.
  std::vector<RootMove> root_moves() const {
    typename P::MoveList legal;
    history_.position().legal_moves(legal);
    return root_statistics(tree_, root_.node, {legal.begin(), legal.end()}, root_evaluation());
  }

  /// The mean over the whole search, for the side to move at the root; a draw before any visit.
  Evaluation root_evaluation() const {
    return root_.visits == 0 ? Evaluation{} : mean_of(tree_, root_);
  }

  Move best_move() const { return faultline::best_move(root_moves()); }

  /// The most visited line that starts with `first` at the root, `first` included; empty if it was
  /// not searched. Where a win or a loss is proven, it follows the proof.
  std::vector<Move> principal_variation(Move first, std::size_t longest = 12) const {
    return most_visited_line(tree_, root_.node, first, longest);
  }

  /// Plies to a proven mate after `move` at the root, the move included: positive if it mates,
  /// negative if its player is mated. The shortest that was found: the shortest there is may be
  /// shorter.
  std::optional<int> mate_after(Move move) const {
    const std::optional<ChildEdge> child = find_child(tree_, root_.node, move);
    if (!child) return std::nullopt;
    return mate_plies(parent_proof(proof_of(tree_, child->node)));
  }

  /// What the descents since the last reset_descents() reached.
  struct Descents {
    std::uint64_t count = 0;
    std::uint64_t total_plies = 0;
    std::size_t longest = 0;
  };
  const Descents& descents() const requires(for_analysis) { return descents_; }
  void reset_descents() requires(for_analysis) {
    descents_ = {};
  }

  const Tree& tree() const { return tree_; }
  const ChildEdge& root() const { return root_; }
  /// Whether the tree has no room left and no longer grows.
  bool is_full() const { return full_; }
  std::size_t node_count() const { return tree_.node_count(); }
  /// Bytes that the tree's nodes have taken, with the free memory between them.
  std::size_t memory_bytes() const { return tree_.footprint_bytes(); }

  /// From how many bytes of the tree on the next descent is prefetched; does not change what is
  /// found.
  void look_ahead_from(std::size_t bytes) { large_tree_ = bytes; }

 private:
  SelectionSite site_of(const ChildEdge& edge, std::size_t depth) const {
    return {.visits = edge.visits,
            .in_flight = edge.in_flight,
            .value_sum = edge.value_sum,
            .fpu_reduction = depth == 0 ? params_.fpu_root : params_.fpu_reduction,
            .draw_worth = depth % 2 == 0 ? params_.draw_score : -params_.draw_score,
            .may_grow = !full_};
  }
  SelectionSite root_site() const { return site_of(root_, 0); }

  /// The edge to follow from an expanded node; child_count for the best one that has no child yet.
  /// Looks up what looking ahead has selected, which holds until the node is visited: now.
  std::size_t choose(Handle at, const SelectionSite& site) {
    if (tree_.node(at).has_children) {
      ParentNode& node = tree_.parent(at);
      const std::size_t next = node.next;
      node.next = ParentNode::kUnknown;
      if (next < node.child_count || (next == node.child_count && site.may_grow)) return next;
    }
    return select_edge(params_, tree_, at, site);
  }
  void forget_next(Handle at) {
    if (tree_.node(at).has_children) tree_.parent(at).next = ParentNode::kUnknown;
  }
  void look_ahead() {
    look_ahead_.advance(tree_, [this](const ChildEdge& edge, std::size_t depth) {
      ParentNode& node = tree_.parent(edge.node);
      if (node.next != ParentNode::kUnknown) return std::size_t{node.next};
      const std::size_t i = select_edge(params_, tree_, edge.node, site_of(edge, depth));
      // With leaves in flight below it, the node is going to change before it is visited again.
      if (edge.in_flight == 0) node.next = static_cast<std::uint16_t>(i);
      return i;
    });
  }

  /// Where a node's handle is stored that the path leads to.
  Handle& link_to_end() {
    if (path_.empty()) return root_.node;
    return Tree::children(tree_.parent(path_.back().parent)).links[path_.back().edge_index].node;
  }

  /// Adds a child to the node at the end of the path, which is at `position`.
  Gathered visit_new_child(EvalBatch<P>& batch, PendingLeaves& pending, Handle at,
                           const SelectionSite& site, P& position) {
    const Handle widened = full_ ? kNoHandle : tree_.make_room_for_child(at, site.visits);
    if (widened == kNoHandle) return end_full();
    link_to_end() = widened;
    position.legal_moves(moves_);
    const std::size_t i = tree_.child_count(widened);
    const Move move = moves_[tree_.edges(widened).move_index(i)];
    position.play(move);
    path_.push_back(
        {.key = position.key(), .parent = widened, .edge_index = static_cast<std::uint16_t>(i)});
    position.legal_moves(moves_);
    const LineEnd end = line_end(position);
    const bool is_over = is_terminal(end.state);
    const Handle child =
        tree_.add_node(is_over ? end.state : NodeState::Pending, is_over ? 0 : moves_.size());
    if (child == kNoHandle) {
      path_.pop_back();
      return end_full();
    }
    tree_.add_child(widened, child, move);
    if (is_over) return end_game(child);
    add_leaf(batch, pending, child, position, end.repetitions);
    return Gathered::Leaf;
  }

  /// Visits a node at the end of the path that has a place in the tree, but no evaluation: the
  /// root, a draw that no longer counts, or a leaf that could not be evaluated.
  Gathered visit_fresh(EvalBatch<P>& batch, PendingLeaves& pending, Handle at, const P& position) {
    position.legal_moves(moves_);
    LineEnd end{NodeState::Fresh, history_.repetitions()};
    if (!path_.empty()) end = line_end(position);
    if (is_terminal(end.state)) {
      tree_.node(at).state = end.state;
      return end_game(at);
    }
    const std::size_t edges = path_.empty() ? count_root_edges() : moves_.size();
    if (tree_.node(at).edge_count != edges) {
      const Handle roomy = tree_.add_node(NodeState::Fresh, edges);
      if (roomy == kNoHandle) {
        path_.pop_back();  // an empty tree has room for the root
        return end_full();
      }
      tree_.remove_node(at);
      link_to_end() = at = roomy;
    }
    tree_.node(at).state = NodeState::Pending;
    add_leaf(batch, pending, at, position, end.repetitions);
    return Gathered::Leaf;
  }

  /// Of moves_, how many may be searched at the root.
  std::size_t count_root_edges() const {
    if (root_moves_.empty()) return moves_.size();
    return static_cast<std::size_t>(std::ranges::count_if(moves_, [this](Move move) {
      return std::ranges::find(root_moves_, move) != root_moves_.end();
    }));
  }

  LineEnd line_end(const P& position) const {
    return find_line_end(position, !moves_.empty(), std::span<const PathStep>(path_),
                         history_.keys(), params_.two_fold_draws);
  }

  /// Ends a descent at a terminal node.
  Gathered end_game(Handle at) {
    const NodeState state = tree_.node(at).state;
    if constexpr (for_analysis) {
      count_descent();
      prove_path(tree_, path_, state, root_moves_.empty());
    }
    set_evaluation(tree_.childless(at), terminal_evaluation(state));
    back_up(terminal_evaluation(state));
    return Gathered::Terminal;
  }

  /// Adds the position with moves_ to the batch and marks the path as in flight.
  void add_leaf(EvalBatch<P>& batch, PendingLeaves& pending, Handle leaf, const P& position,
                int repetitions) {
    if constexpr (for_analysis) count_descent();
    const std::size_t index = batch.add(position, repetitions, {moves_.begin(), moves_.end()});
    pending.add(index, leaf, path_);
    for (const PathStep& step : path_)
      add_virtual_loss(Tree::children(tree_.parent(step.parent)).in_flight[step.edge_index]);
    add_virtual_loss(root_.in_flight);
    if (tree_.used_bytes() >= large_tree_) {
      look_ahead_.start(root_);
      look_ahead();
    }
  }

  /// Gives an evaluated node its edges, best prior first: those in `allowed`, or all if that is
  /// empty.
  void expand(Handle h, std::span<const Move> moves, std::span<const float> priors,
              const Evaluation& evaluation, std::span<const Move> allowed) {
    order_.assign(priors, params_.policy_temperature);
    if (!allowed.empty()) order_.restrict_to(allowed, moves);
    assert(order_.size() == tree_.node(h).edge_count);
    order_.write(tree_.edges(h));
    tree_.node(h).state = NodeState::Expanded;
    set_evaluation(tree_.childless(h), evaluation);
  }
  /// Every visit of the node will add it until it has children.
  static void set_evaluation(ChildlessNode& node, const Evaluation& evaluation) {
    const FixedEvaluation own(evaluation);
    node.value = static_cast<std::int32_t>(-own.value);  // for the mover of the parent
    node.draw = static_cast<std::uint32_t>(own.draw);
    node.moves_left = static_cast<std::uint32_t>(own.moves_left);
  }

  /// Adds a leaf's evaluation to every node on the path to it, and removes `virtual_loss` from
  /// them.
  void back_up(std::span<const std::uint16_t> path, const Evaluation& leaf, int virtual_loss) {
    FixedEvaluation visit(leaf);  // for the mover of the parent, of every node in turn
    visit.step_back(path.size());
    visit.value = -visit.value;
    add_visit(root_.node, visit, root_.visits, root_.value_sum, root_.in_flight, virtual_loss);
    Handle at = root_.node;
    for (const std::uint16_t i : path) {
      visit.step_forward();
      const ChildArrays children = Tree::children(tree_.parent(at));
      at = children.links[i].node;
      add_visit(at, visit, children.visits[i], children.values[i], children.in_flight[i],
                virtual_loss);
    }
  }
  /// The same for the present descent, which is not in flight.
  void back_up(const Evaluation& leaf) {
    indices_.clear();
    for (const PathStep& step : path_)
      indices_.push_back(step.edge_index);
    back_up(indices_, leaf, 0);
  }
  void add_visit(Handle h, const FixedEvaluation& visit, std::uint32_t& visits, float& value_sum,
                 std::uint16_t& in_flight, int virtual_loss) {
    ++visits;
    in_flight = static_cast<std::uint16_t>(in_flight - virtual_loss);
    if (tree_.node(h).has_children) {
      ParentNode& node = tree_.parent(h);
      node.sums.add(visit);
      value_sum = node.sums.value_sum();
    } else {
      value_sum = tree_.sums(h, visits).value_sum();
    }
  }

  void add_virtual_loss(std::uint16_t& in_flight) const {
    in_flight = static_cast<std::uint16_t>(in_flight + params_.virtual_loss);
  }
  void take_back_virtual_loss(std::uint16_t& in_flight) const {
    in_flight = static_cast<std::uint16_t>(in_flight - params_.virtual_loss);
  }
  void count_descent() {
    ++descents_.count;
    descents_.total_plies += path_.size();
    descents_.longest = std::max(descents_.longest, path_.size());
  }

  /// Ends a descent at a node below which there is no room: backs up the node's own mean. On the
  /// way to a node without visits, that of the last one that has any.
  Gathered end_full() {
    full_ = true;
    if constexpr (for_analysis) count_descent();
    ChildEdge edge = root_;
    std::size_t below = path_.size();
    for (std::size_t length = path_.size(); length > 0; --length) {
      const PathStep& last = path_[length - 1];
      const ChildEdge child = tree_.child(last.parent, last.edge_index);
      if (child.visits == 0) continue;
      edge = child;
      below = path_.size() - length;
      break;
    }
    Evaluation mean = mean_of(tree_, edge);
    if (below % 2 != 0) std::swap(mean.win, mean.loss);
    mean.moves_left = std::max(0.0F, mean.moves_left - static_cast<float>(below));
    back_up(mean);
    return Gathered::Terminal;
  }

  /// The most visited child of the node, which holds `position`, whose position has `key`.
  std::optional<ChildEdge> find_child_by_key(Handle at, const P& position,
                                             std::uint64_t key) const {
    std::optional<ChildEdge> found;
    for (std::size_t i = 0; i < tree_.child_count(at); ++i) {
      const ChildEdge child = tree_.child(at, i);
      P next = position;
      next.play(child.move);
      if (next.key() == key && (!found || child.visits > found->visits)) found = child;
    }
    return found;
  }

  /// Starts an empty tree.
  void clear_tree() {
    look_ahead_.stop();
    tree_.clear();
    full_ = false;
    root_ = ChildEdge{.node = tree_.add_node(NodeState::Fresh, 0)};
    if (root_.node == kNoHandle) throw std::bad_alloc();
  }

  /// Makes the node that `kept` leads to the root of the tree, or starts an empty one.
  void move_root(const std::optional<ChildEdge>& kept) {
    look_ahead_.stop();
    root_moves_.clear();
    if (!kept || tree_.node(kept->node).state != NodeState::Expanded) return clear_tree();
    if constexpr (for_analysis) {
      root_ = keep_subtree(tree_, *kept);
    } else {
      Tree fresh(tree_.limit_bytes());
      root_ = copy_subtree(tree_, *kept, fresh);
      if (root_.node == kNoHandle) return clear_tree();
      tree_ = std::move(fresh);
    }
    full_ = false;
  }

  SearchParams params_;
  PositionHistory<P> history_;
  Tree tree_;
  ChildEdge root_{};
  std::vector<Move> root_moves_;  // the only ones searched at the root; empty: all

  PendingLeaves pending_;  // of callers that have no other
  bool full_ = false;      // the tree may not grow
  Descents descents_;
  LookAhead look_ahead_;
  std::size_t large_tree_ = LookAhead::kLargeTree;
  // Scratch buffers, kept to reuse their memory.
  std::vector<PathStep> path_;
  std::vector<std::uint16_t> indices_;
  EdgeOrder order_;
  typename P::MoveList moves_;
};

}  // namespace faultline
