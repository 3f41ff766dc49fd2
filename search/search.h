// PUCT tree search (Silver et al. 2018) over any Position; leaves are evaluated in batches that may
// hold leaves of many searches.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <optional>
#include <random>
#include <span>
#include <utility>
#include <vector>

#include "rules/history.h"
#include "search/back_up.h"
#include "search/evaluator.h"
#include "search/expansion.h"
#include "search/game_continuation.h"
#include "search/line_end.h"
#include "search/move_bias.h"
#include "search/params.h"
#include "search/pending_leaves.h"
#include "search/proof.h"
#include "search/puct_selection.h"
#include "search/root_moves.h"
#include "search/root_noise.h"
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
/// `for_analysis`: keeps proofs of wins and losses (search/proof.h) even if they decide nothing,
/// because SearchParams::solver is off, and the lengths of the descents, and moves the root in
/// place, so that no second tree needs memory.
///
/// `biased`: one side may follow a strategy (set_bias). It has other priors and fewer edges at its
/// nodes, and selection there adds bonuses to the children's means; what is backed up, and the
/// other side's nodes, know nothing of it. Other searches do not pay for any of it.
template <Position P, bool for_analysis = false, bool biased = false>
class Search {
 public:
  /// set_position() must be called before anything else.
  explicit Search(const SearchParams& params, Tree tree = Tree{})
      : params_(params), history_(P{}), tree_(std::move(tree)) {
    tree_.let_proofs_decide(params.solver);
  }
  Search(const SearchParams& params, const PositionHistory<P>& history) : Search(params) {
    set_position(history);
  }

  /// The moves of `follower` are biased wherever that side is to move; the other side's are not.
  /// Null: nobody's are. To be followed by set_position(), if it changes anything.
  void set_bias(std::shared_ptr<const MoveBias<P>> bias, Colour follower) requires(biased) {
    bias_ = std::move(bias);
    follower_ = follower;
  }
  Colour follower() const requires(biased) { return follower_; }

  /// Starts from the last position of `history` with an empty tree.
  void set_position(const PositionHistory<P>& history) {
    assert(pending_.empty());
    history_ = history;
    aim_ = kAnyMove;
    clear_tree();
  }

  /// Lets only these moves be searched at the root, which must not be expanded yet; empty: all.
  void restrict_root(std::vector<Move> moves) {
    assert(moves.empty() || tree_.node(root_.node).state == NodeState::Fresh);
    root_moves_ = std::move(moves);
  }

  /// Whether unvisited moves at the root have fpu_root instead of fpu_reduction: in searches that
  /// are to find out rather than to play well.
  void explore_root(bool explores) { explores_root_ = explores; }

  /// The next descents begin with the root's move of this index in legal_moves(), which must be
  /// one of those that are searched; kAnyMove: with the one that PUCT selects. The root must be
  /// expanded.
  static constexpr std::size_t kAnyMove = static_cast<std::size_t>(-1);
  void aim(std::size_t move_index) { aim_ = move_index; }

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
    if (tree_.node_count() == 0) return false;
    const std::optional<ChildEdge> reached = node_reached(tree_, root_, history_, next);
    if (!reached) return false;
    if (next.keys().size() == history_.keys().size()) return same_root;
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
    mark_last_descent();
    path_.clear();
    P position = history_.position();
    Handle at = root_.node;
    std::uint32_t visits = root_.visits;
    const std::size_t first = aim_ == kAnyMove ? kAnyMove : aimed_edge();
    while (true) {
      const Node& node = tree_.node(at);
      switch (node.state) {
        case NodeState::Expanded:
          break;
        case NodeState::Pending:
          return Gathered::Nothing;
        case NodeState::Fresh:
          return visit_fresh(batch, pending, at, position);
        default:
          return end_game(at);
      }
      const bool aimed = first != kAnyMove && path_.empty();
      if constexpr (biased)
        if (node.has_bonuses && !aimed) raise_best_edge(params_, tree_, at, visits);
      if (!node.has_children) return visit_new_child(batch, pending, at, visits, position);
      const auto& parent = static_cast<const ParentNode&>(node);
      const std::size_t i =
          aimed ? first : select_edge<biased>(params_, parent, site(visits, path_.size()));
      if (i == parent.child_count) return visit_new_child(batch, pending, at, visits, position);
      const Child& child = Tree::children(parent)[i];
      tree_.prefetch(child.node);
      position.play(Tree::moves(parent)[i]);
      path_.push_back(
          {.key = position.key(), .parent = at, .edge_index = static_cast<std::uint16_t>(i)});
      at = child.node;
      visits = child.visits;
    }
  }

  /// Expands and backs up all leaves that this search has added to `batch` since the last apply().
  void apply(const EvalBatch<P>& batch) { apply(batch, pending_); }
  void apply(const EvalBatch<P>& batch, PendingLeaves& pending) {
    for (const PendingLeaves::Leaf& leaf : pending.leaves()) {
      const std::span<const std::uint16_t> path = pending.path(leaf);
      if (!expand_by_strategy(leaf, batch, pending))
        expand(leaf.node, batch.moves(leaf.index), batch.priors(leaf.index),
               batch.evaluation(leaf.index),
               path.empty() ? std::span<const Move>(root_moves_) : std::span<const Move>{});
      faultline::back_up<biased>(tree_, root_, path, batch.evaluation(leaf.index),
                                 take_mark(leaf) ? params_.virtual_loss : 0);
    }
    pending.clear();
    if constexpr (biased) pending.clear_verdicts();
  }

  /// Takes the leaves in `pending` back, as if they had not been gathered: they could not be
  /// evaluated.
  void abandon(PendingLeaves& pending) {
    for (const PendingLeaves::Leaf& leaf : pending.leaves()) {
      tree_.node(leaf.node).state = NodeState::Fresh;
      if (take_mark(leaf))
        add_virtual_losses<biased>(tree_, root_.node, pending.path(leaf), -params_.virtual_loss,
                                   params_.virtual_loss);
    }
    pending.clear();
    if constexpr (biased) pending.clear_verdicts();
  }

  /// Raises the temperature of the root's priors and mixes Dirichlet noise into them (AlphaZero).
  /// The root must be expanded.
  void add_root_noise(std::mt19937_64& rng) {
    assert(tree_.node(root_.node).state == NodeState::Expanded);
    if (!params_.has_root_noise()) return;
    mark_last_descent();
    EdgeView edges = tree_.edges(root_.node);
    faultline::add_root_noise(edges, params_, rng);
    order_.sort_again(edges, tree_.child_count(root_.node));
    history_.position().legal_moves(moves_);
    if constexpr (biased) {
      path_.clear();
      if (judge(history_.position()) && tree_.node(root_.node).has_bonuses)
        write_bonuses(edges, judgement_.verdicts);
    }
    tree_.update_edges(root_.node, {moves_.begin(), moves_.end()}, params_.virtual_loss);
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

  /// The root's own evaluation, for the side to move; the root must have been visited.
  Evaluation own_root_evaluation() const { return own_evaluation(tree_, root_); }

  /// Whether the strategy's limits forbid every move at the root.
  bool lifts_limits_at_root() requires(biased) {
    mark_last_descent();
    path_.clear();
    history_.position().legal_moves(moves_);
    return judge(history_.position()) && judgement_.lifted;
  }
  /// Positions below a root where that was so, since the search was made.
  std::uint32_t lifted_nodes() const requires(biased) { return lifted_nodes_; }

  Move best_move() const { return faultline::best_move(root_moves()); }

  /// Whether the game's result from the root is proven and decides: nothing is left to find out.
  bool is_solved() const {
    return params_.solver && root_.visits > 0 && tree_.proof(root_.node) != kUnproven;
  }

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
    return mate_plies(parent_proof(tree_.proof(child->node)));
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

 private:
  SelectionSite site(std::uint32_t visits, std::size_t depth) const {
    return {
        .visits = visits,
        .fpu_reduction = depth == 0 && explores_root_ ? params_.fpu_root : params_.fpu_reduction,
        .may_grow = !full_};
  }

  /// The root's edge of the move that descents are to begin with. One without a child becomes the
  /// next to get one.
  std::size_t aimed_edge() {
    const ConstEdgeView edges = std::as_const(tree_).edges(root_.node);
    std::size_t edge = 0;
    while (edges.move_index(edge) != aim_)
      ++edge;
    const std::size_t next = tree_.child_count(root_.node);
    if (edge <= next) return edge;
    tree_.swap_edges(root_.node, edge, next);
    return next;
  }

  /// What the strategy says of moves_, all legal moves of `position`, which is at the end of the
  /// path; false if nothing, because there is none or it is the other side's move.
  bool judge(const P& position) {
    if constexpr (!biased) return false;
    if (!bias_ || position.side_to_move() != follower_) return false;
    bias_->judge(position, LineKeys(history_.keys(), path_), {moves_.begin(), moves_.end()},
                 judgement_.verdicts);
    judgement_.settle([this](std::size_t i) {
      return path_.empty() && !root_moves_.empty() &&
             std::ranges::find(root_moves_, moves_[i]) == root_moves_.end();
    });
    return true;
  }

  /// The place where the handle of the node is stored that the path leads to.
  Handle& link_to_end() {
    if (path_.empty()) return root_.node;
    return Tree::children(tree_.parent(path_.back().parent))[path_.back().edge_index].node;
  }

  /// Adds a child to the node at the end of the path, which is at `position`.
  Gathered visit_new_child(EvalBatch<P>& batch, PendingLeaves& pending, Handle at,
                           std::uint32_t visits, P& position) {
    if (full_) return end_full();
    if (!tree_.knows_next_move(at)) position.legal_moves(moves_);
    const Handle widened = tree_.make_room_for_child(at, visits, {moves_.begin(), moves_.end()});
    if (widened == kNoHandle) return end_full();
    link_to_end() = widened;
    const std::size_t i = tree_.child_count(widened);
    const Move move = Tree::moves(tree_.parent(widened))[i];
    position.play(move);
    path_.push_back(
        {.key = position.key(), .parent = widened, .edge_index = static_cast<std::uint16_t>(i)});
    position.legal_moves(moves_);
    const LineEnd end = line_end(position);
    const bool is_over = is_terminal(end.state);
    const bool judged = !is_over && judge(position);
    const Handle child = judged ? tree_.add_node(NodeState::Pending, judgement_.allowed,
                                                 moves_.size(), judgement_.has_bonuses)
                                : tree_.add_node(is_over ? end.state : NodeState::Pending,
                                                 is_over ? 0 : moves_.size());
    if (child == kNoHandle) {
      path_.pop_back();
      return end_full();
    }
    tree_.add_child(widened, child);
    if (is_over) return end_game(child);
    if (judged) count_lifted();
    add_leaf(batch, pending, child, position, end.repetitions, judged);
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
    const bool judged = judge(position);
    const std::size_t edges = judged          ? judgement_.allowed
                              : path_.empty() ? count_root_edges()
                                              : moves_.size();
    const bool bonuses = judged && judgement_.has_bonuses;
    if (tree_.node(at).edge_count != edges || bonuses) {
      const Handle roomy = tree_.add_node(NodeState::Fresh, edges, moves_.size(), bonuses);
      if (roomy == kNoHandle) {
        path_.pop_back();  // an empty tree has room for the root
        return end_full();
      }
      tree_.remove_node(at);
      link_to_end() = at = roomy;
    }
    tree_.node(at).state = NodeState::Pending;
    if (judged) count_lifted();
    add_leaf(batch, pending, at, position, end.repetitions, judged);
    return Gathered::Leaf;
  }

  /// How many of moves_ may be searched at the root.
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
    if constexpr (for_analysis) count_descent();
    if (for_analysis || params_.solver) prove_path(tree_, path_, state);
    set_evaluation(tree_.childless(at), terminal_evaluation(state));
    back_up(terminal_evaluation(state));
    return Gathered::Terminal;
  }

  /// Adds the position with moves_ to the batch. The path is marked as in flight later. `judged`:
  /// whether judgement_ is of this position.
  void add_leaf(EvalBatch<P>& batch, PendingLeaves& pending, Handle leaf, const P& position,
                int repetitions, bool judged) {
    if constexpr (for_analysis) count_descent();
    const std::size_t index = batch.add(position, repetitions, {moves_.begin(), moves_.end()});
    pending.add(index, leaf, path_);
    if constexpr (biased)
      pending.add_verdicts(judged ? std::span<const MoveVerdict>(judgement_.verdicts)
                                  : std::span<const MoveVerdict>{});
    unmarked_ = leaf;
  }

  /// Marks the path of the last descent as in flight, if its leaf still waits: the next descent
  /// goes elsewhere. Where each leaf is evaluated before the next descent, nothing is ever marked.
  void mark_last_descent() {
    if (unmarked_ == kNoHandle) return;
    unmarked_ = kNoHandle;
    add_virtual_losses<biased>(tree_, root_.node, path_indices(), params_.virtual_loss,
                               params_.virtual_loss);
  }
  /// Whether the path of a leaf, which no longer waits, is marked.
  bool take_mark(const PendingLeaves::Leaf& leaf) {
    if (leaf.node != unmarked_) return true;
    unmarked_ = kNoHandle;
    return false;
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

  /// Expands a leaf whose mover follows a strategy; false for others.
  bool expand_by_strategy(const PendingLeaves::Leaf& leaf, const EvalBatch<P>& batch,
                          const PendingLeaves& pending) {
    if constexpr (!biased) return false;
    const auto number = static_cast<std::size_t>(&leaf - pending.leaves().data());
    const std::span<const MoveVerdict> verdicts = pending.verdicts(number);
    if (verdicts.empty()) return false;
    order_.assign(batch.priors(leaf.index), params_.policy_temperature, verdicts);
    assert(order_.size() == tree_.node(leaf.node).edge_count);
    order_.write(tree_.edges(leaf.node));
    if (tree_.node(leaf.node).has_bonuses) write_bonuses(tree_.edges(leaf.node), verdicts);
    tree_.node(leaf.node).state = NodeState::Expanded;
    set_evaluation(tree_.childless(leaf.node), batch.evaluation(leaf.index));
    return true;
  }

  void count_lifted() {
    if (judgement_.lifted && !path_.empty()) ++lifted_nodes_;
  }

  /// Edge indices of the present descent.
  std::span<const std::uint16_t> path_indices() {
    indices_.clear();
    for (const PathStep& step : path_)
      indices_.push_back(step.edge_index);
    return indices_;
  }
  /// Backs up along the present descent, which is not in flight.
  void back_up(const Evaluation& leaf) {
    faultline::back_up<biased>(tree_, root_, path_indices(), leaf, 0);
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

  /// Starts an empty tree.
  void clear_tree() {
    tree_.clear();
    full_ = false;
    root_ = ChildEdge{.node = tree_.add_node(NodeState::Fresh, 0)};
    if (root_.node == kNoHandle) throw std::bad_alloc();
  }

  /// Makes the node that `kept` leads to the root of the tree, or starts an empty one.
  void move_root(const std::optional<ChildEdge>& kept) {
    root_moves_.clear();
    aim_ = kAnyMove;
    if (!kept || tree_.node(kept->node).state != NodeState::Expanded) return clear_tree();
    if constexpr (for_analysis) {
      root_ = keep_subtree(tree_, *kept);
    } else {
      Tree fresh(tree_.limit_bytes());
      fresh.let_proofs_decide(params_.solver);
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
  std::shared_ptr<const MoveBias<P>> bias_;
  Colour follower_ = Colour::White;
  std::uint32_t lifted_nodes_ = 0;
  bool explores_root_ = false;
  std::size_t aim_ = kAnyMove;

  PendingLeaves pending_;        // of callers that have no other
  bool full_ = false;            // the tree may not grow
  Handle unmarked_ = kNoHandle;  // the last descent's leaf, until path_ is marked as in flight
  Descents descents_;
  // Scratch buffers, kept to reuse their memory.
  std::vector<PathStep> path_;
  std::vector<std::uint16_t> indices_;
  EdgeOrder order_;
  Judgement judgement_;
  typename P::MoveList moves_;
};

}  // namespace faultline
