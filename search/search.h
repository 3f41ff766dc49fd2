// PUCT tree search (Silver et al. 2018) over any Position; leaves are evaluated in batches that may
// hold leaves of many searches.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <random>
#include <span>
#include <utility>
#include <vector>

#include "rules/history.h"
#include "search/budgeted_tree.h"
#include "search/evaluator.h"
#include "search/exact_sums.h"
#include "search/expansion.h"
#include "search/line_end.h"
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
/// In a BudgetedTree, a descent that would need more memory than there is ends where it is, and the
/// mean of that node counts once more, as if further visits there would find the same: the search
/// continues in the tree that it has. Such a search also keeps proofs of wins and losses
/// (search/proof.h) and the lengths of its descents.
template <Position P, class TreeType = Tree<P::MoveList::capacity()>>
class Search {
 public:
  static constexpr bool kBudgeted = TreeType::kBudgeted;

  /// set_position() must be called before anything else.
  explicit Search(const SearchParams& params, TreeType tree = TreeType{})
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
      position.play(tree_.node(child->node).move);
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
    Node& root = tree_.node(root_.node);
    if (root.state == NodeState::Pending) return Gathered::Nothing;
    path_.clear();
    P position = history_.position();
    if (root.state != NodeState::Expanded) {
      position.legal_moves(moves_);
      if constexpr (kBudgeted) tree_.try_reserve_edges(root, moves_.size());  // the tree is empty
      add_leaf(batch, pending, root_.node, position, history_.repetitions());
      return Gathered::Leaf;
    }

    Handle at = root_.node;
    const ChildEdge* from = &root_;
    while (true) {
      const std::uint16_t edge_index =
          params_.draw_score == 0 ? select<false>(at, *from) : select_with_draws(at, *from);
      if (edge_index == tree_.node(at).child_count) {
        if constexpr (kBudgeted)
          if (full_) return count_mean_again();
        position.legal_moves(moves_);
        const std::size_t move_index = tree_.edges(tree_.node(at)).move_index(edge_index);
        if constexpr (kBudgeted) {
          const ChildEdge* const added = tree_.try_add_child(at);
          full_ = added == nullptr;
          if (full_) return count_mean_again();
          tree_.node(added->node).move = moves_[move_index];
        } else {
          tree_.node(tree_.add_child(at).node).move = moves_[move_index];
        }
      }
      ChildEdge& child = tree_.children(tree_.node(at))[edge_index];
      position.play(tree_.node(child.node).move);
      path_.push_back(
          {.key = position.key(), .child = &child, .parent = at, .edge_index = edge_index});
      at = child.node;
      from = &child;
      Node& node = tree_.node(at);
      switch (node.state) {
        case NodeState::Expanded:
          break;
        case NodeState::Pending:
          return Gathered::Nothing;
        case NodeState::Fresh: {
          position.legal_moves(moves_);
          const LineEnd end = find_line_end(position, !moves_.empty(), path_, history_.keys(),
                                            params_.two_fold_draws);
          node.state = end.state;
          if (!is_terminal(node.state)) {
            if constexpr (kBudgeted)
              if (!tree_.try_reserve_edges(node, moves_.size())) return leave_unexpanded();
            add_leaf(batch, pending, at, position, end.repetitions);
            return Gathered::Leaf;
          }
          [[fallthrough]];
        }
        default:
          if constexpr (kBudgeted) {
            count_descent();
            prove_path(tree_, path_, node.state, root_moves_.empty());
          }
          back_up(path_, terminal_evaluation(node.state), 0);
          return Gathered::Terminal;
      }
    }
  }

  /// Expands and backs up all leaves that this search has added to `batch` since the last apply().
  void apply(const EvalBatch<P>& batch) { apply(batch, pending_); }
  void apply(const EvalBatch<P>& batch, PendingLeaves& pending) {
    for (const PendingLeaves::Leaf& leaf : pending.leaves()) {
      expand(
          tree_.node(leaf.node), batch.moves(leaf.index), batch.priors(leaf.index),
          leaf.node == root_.node ? std::span<const Move>(root_moves_) : std::span<const Move>{});
      back_up(pending.path(leaf), batch.evaluation(leaf.index), params_.virtual_loss);
    }
    pending.clear();
  }

  /// Takes the leaves in `pending` back, as if they had not been gathered: they could not be
  /// evaluated.
  void abandon(const EvalBatch<P>& batch, PendingLeaves& pending) requires(kBudgeted) {
    for (const PendingLeaves::Leaf& leaf : pending.leaves()) {
      Node& node = tree_.node(leaf.node);
      tree_.release_edges(node, batch.moves(leaf.index).size());
      node.state = NodeState::Fresh;
      for (const PathStep& step : pending.path(leaf))
        take_back_virtual_loss(child_of(step));
      take_back_virtual_loss(root_);
    }
    pending.clear();
  }

  /// Mixes Dirichlet noise into the root's priors (AlphaZero). The root must be expanded.
  void add_root_noise(std::mt19937_64& rng) {
    Node& root = tree_.node(root_.node);
    assert(root.state == NodeState::Expanded);
    if (params_.dirichlet_weight <= 0) return;
    const std::vector<float> noise =
        dirichlet(root.edge_count,
                  params_.dirichlet_alpha > 0 ? params_.dirichlet_alpha
                                              : 10.0F / static_cast<float>(root.edge_count),
                  rng);
    const float weight = params_.dirichlet_weight;
    EdgeView edges = tree_.edges(root);
    for (std::size_t i = 0; i < edges.size(); ++i) {
      edges.set_prior(i,
                      pack_prior((1 - weight) * unpack_prior(edges.prior(i)) + weight * noise[i]));
      if (i < root.child_count) tree_.children(root)[i].prior = edges.prior(i);
    }
    order_.sort_again(edges, root.child_count);
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
    return root_statistics(tree_, tree_.node(root_.node), {legal.begin(), legal.end()},
                           root_evaluation());
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
    return mate_plies(parent_proof(tree_.node(child->node).proof));
  }

  /// What the descents since the last reset_descents() reached.
  struct Descents {
    std::uint64_t count = 0;
    std::uint64_t total_plies = 0;
    std::size_t longest = 0;
  };
  const Descents& descents() const requires(kBudgeted) { return descents_; }
  void reset_descents() requires(kBudgeted) {
    descents_ = {};
  }

  const TreeType& tree() const { return tree_; }
  const ChildEdge& root() const { return root_; }
  /// Whether the tree has no room left and no longer grows.
  bool is_full() const { return full_; }
  std::size_t node_count() const { return tree_.node_count(); }
  /// Bytes of the tree's nodes, edges and children.
  std::size_t memory_bytes() const { return tree_.used_bytes(); }

 private:
  /// The index of the edge to follow from a node; child_count for the best one that has no child
  /// yet. `from` leads to the node.
  template <bool with_draws>
  std::uint16_t select(Handle at, const ChildEdge& from) const {
    const bool even = path_.size() % 2 == 0;  // the root's mover is to move
    return select_edge<with_draws>(
        params_, tree_, tree_.node(at), from,
        {.fpu_reduction = at == root_.node ? params_.fpu_root : params_.fpu_reduction,
         .draw_worth = even ? params_.draw_score : -params_.draw_score,
         .may_grow = !kBudgeted || !full_});
  }
  /// The same for draw_score other than 0. Out of line: it is rarely used, and the common path
  /// should stay small.
  [[gnu::noinline]] std::uint16_t select_with_draws(Handle at, const ChildEdge& from) const {
    return select<true>(at, from);
  }

  /// Adds the position with moves_ to the batch and marks the path as in flight.
  void add_leaf(EvalBatch<P>& batch, PendingLeaves& pending, Handle node, const P& position,
                int repetitions) {
    if constexpr (kBudgeted) count_descent();
    const std::size_t index = batch.add(position, repetitions, {moves_.begin(), moves_.end()});
    tree_.node(node).state = NodeState::Pending;
    pending.add(index, node, path_);
    for (const PathStep& step : path_) {
      step.child->in_flight =
          static_cast<std::uint16_t>(step.child->in_flight + params_.virtual_loss);
    }
    root_.in_flight = static_cast<std::uint16_t>(root_.in_flight + params_.virtual_loss);
  }

  /// Gives an evaluated node its edges, best prior first: those in `allowed`, or all if that is
  /// empty.
  void expand(Node& node, std::span<const Move> moves, std::span<const float> priors,
              std::span<const Move> allowed) {
    order_.assign(priors, params_.policy_temperature);
    if (!allowed.empty()) order_.restrict_to(allowed, moves);
    order_.write(tree_.add_edges(node, order_.size()));
    node.state = NodeState::Expanded;
  }

  ChildEdge& child_of(const PathStep& step) {
    return tree_.children(tree_.node(step.parent))[step.edge_index];
  }
  /// Adds a leaf's evaluation to every node on the path to it, and removes `virtual_loss` from
  /// them. The side to move alternates.
  void back_up(std::span<const PathStep> path, const Evaluation& leaf, int virtual_loss) {
    FixedEvaluation visit(leaf);  // for the mover of the leaf's parent
    visit.value = -visit.value;
    for (std::size_t i = path.size(); i-- > 0;) {
      add_visit(child_of(path[i]), visit, virtual_loss);
      visit.step_back();
    }
    add_visit(root_, visit, virtual_loss);
  }
  /// `visit`: for the mover of the node's parent.
  void add_visit(ChildEdge& child, const FixedEvaluation& visit, int virtual_loss) {
    ++child.visits;
    child.in_flight = static_cast<std::uint16_t>(child.in_flight - virtual_loss);
    EvaluationSum& sums = tree_.node(child.node).sums;
    sums.add(visit);
    child.value_sum = sums.value_sum();
  }

  void take_back_virtual_loss(ChildEdge& child) const {
    child.in_flight = static_cast<std::uint16_t>(child.in_flight - params_.virtual_loss);
  }
  void count_descent() {
    ++descents_.count;
    descents_.total_plies += path_.size();
    descents_.longest = std::max(descents_.longest, path_.size());
  }

  /// Ends a descent at a node that has no room for a child: backs up the node's own mean. On the
  /// way to a node without visits, that of the last one that has any.
  Gathered count_mean_again() {
    count_descent();
    const auto visited = std::find_if(path_.rbegin(), path_.rend(),
                                      [](const PathStep& step) { return step.child->visits > 0; });
    const ChildEdge& edge = visited == path_.rend() ? root_ : *visited->child;
    Evaluation mean = mean_of(tree_, edge);
    const auto below = visited - path_.rbegin();
    if (below % 2 != 0) std::swap(mean.win, mean.loss);
    mean.moves_left = std::max(0.0F, mean.moves_left - static_cast<float>(below));
    back_up(path_, mean, 0);
    return Gathered::Terminal;
  }
  /// Ends a descent at a node whose edges have no room. A child that was added for it is removed.
  Gathered leave_unexpanded() {
    full_ = true;
    const PathStep& last = path_.back();
    if (last.child->visits == 0 && last.edge_index + 1 == tree_.node(last.parent).child_count) {
      tree_.remove_last_child(last.parent);
      path_.pop_back();
    }
    return count_mean_again();
  }

  /// The most visited child of the node, which holds `position`, whose position has `key`.
  std::optional<ChildEdge> find_child_by_key(Handle at, const P& position,
                                             std::uint64_t key) const {
    const Node& node = tree_.node(at);
    std::optional<ChildEdge> found;
    for (std::size_t i = 0; i < node.child_count; ++i) {
      const ChildEdge& child = tree_.children(node)[i];
      P next = position;
      next.play(tree_.node(child.node).move);
      if (next.key() == key && (!found || child.visits > found->visits)) found = child;
    }
    return found;
  }

  /// Starts an empty tree.
  void clear_tree() {
    tree_.clear();
    full_ = false;
    Handle root{};
    if constexpr (kBudgeted)
      root = tree_.try_add_node().value();
    else
      root = tree_.add_node();
    root_ = ChildEdge{.node = root, .visits = 0, .value_sum = 0, .in_flight = 0, .prior = 0};
  }

  /// Makes the node that `kept` leads to the root of the tree, or starts an empty one.
  void move_root(const std::optional<ChildEdge>& kept) {
    root_moves_.clear();
    if (!kept || tree_.node(kept->node).state != NodeState::Expanded) return clear_tree();
    root_ = *kept;
    if constexpr (kBudgeted) {
      root_.visits -= keep_subtree(tree_, *kept);
      full_ = false;
    } else {
      TreeType fresh;
      const CopiedSubtree copied = copy_subtree(tree_, *kept, fresh);
      root_.node = copied.node;
      root_.visits -= copied.taken_back.visits;
      tree_ = std::move(fresh);
    }
  }

  SearchParams params_;
  PositionHistory<P> history_;
  TreeType tree_;
  ChildEdge root_{};
  std::vector<Move> root_moves_;  // the only ones searched at the root; empty: all

  PendingLeaves pending_;  // of callers that have no other
  bool full_ = false;      // the tree may not grow
  Descents descents_;
  // Scratch buffers, kept to reuse their memory.
  std::vector<PathStep> path_;
  EdgeOrder order_;
  typename P::MoveList moves_;
};

}  // namespace faultline
