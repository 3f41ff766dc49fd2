// PUCT tree search (Silver et al. 2018) over any Position; leaves are evaluated in batches that may
// hold leaves of many searches.
#pragma once

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <random>
#include <span>
#include <utility>
#include <vector>

#include "rules/history.h"
#include "search/budgeted_tree.h"
#include "search/evaluator.h"
#include "search/large_sums.h"
#include "search/params.h"
#include "search/proof.h"
#include "search/root_moves.h"
#include "search/tree.h"
#include "search/tree_reuse.h"

namespace faultline {

/// A child by its index, since child edges move as their blocks grow.
struct PathStep {
  std::uint64_t key;  // of the position after the move
  ChildEdge* child;   // valid only during the descent: edges move as their blocks grow
  Handle parent;
  std::uint16_t edge_index;
};

/// The leaves of one batch that wait for their evaluation, and their paths.
class PendingLeaves {
 public:
  bool empty() const { return leaves_.empty(); }
  std::size_t size() const { return leaves_.size(); }

 private:
  template <Position P, class TreeType>
  friend class Search;
  struct Leaf {
    std::size_t index;  // in the batch
    Handle node;
    std::size_t path_begin;
    std::size_t path_length;
  };
  std::span<const PathStep> path(const Leaf& leaf) const {
    return {path_.data() + leaf.path_begin, leaf.path_length};
  }
  void clear() {
    leaves_.clear();
    path_.clear();
  }

  std::vector<Leaf> leaves_;
  std::vector<PathStep> path_;
};

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
    const std::optional<ChildEdge> kept = find_child(root_.node, move);
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
      const std::optional<ChildEdge> child = find_child(reached.node, position, next.keys()[i]);
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
          params_.draw_score == 0 ? select<false>(at, *from, 0) : select_with_draws(at, *from);
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
          const int repetitions = detect_end(node, position);
          if (!is_terminal(node.state)) {
            if constexpr (kBudgeted)
              if (!tree_.try_reserve_edges(node, moves_.size())) return leave_unexpanded();
            add_leaf(batch, pending, at, position, repetitions);
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
    for (const PendingLeaves::Leaf& leaf : pending.leaves_) {
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
    for (const PendingLeaves::Leaf& leaf : pending.leaves_) {
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
    order_.clear();
    for (std::size_t i = root.child_count; i < edges.size(); ++i)
      order_.push_back(sort_key(edges.prior(i), edges.move_index(i)));
    std::sort(order_.begin(), order_.end(), std::greater<>{});
    for (std::size_t i = root.child_count; i < edges.size(); ++i)
      set_edge(edges, i, order_[i - root.child_count]);
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
    const Node& root = tree_.node(root_.node);
    const Evaluation mean = root_evaluation();
    std::vector<RootMove> result;
    result.reserve(legal.size());
    for (const Move move : legal)
      result.push_back({.move = move,
                        .visits = 0,
                        .prior = 0,
                        .value = mean.value(),
                        .draw = mean.draw,
                        .moves_left = mean.moves_left,
                        .wins = false});
    const ConstEdgeView edges = tree_.edges(root);
    for (std::size_t i = 0; i < edges.size(); ++i) {
      RootMove& found = result[edges.move_index(i)];
      found.prior = unpack_prior(edges.prior(i));
      if (i >= root.child_count) continue;
      const ChildEdge& edge = tree_.children(root)[i];
      if (edge.visits == 0) continue;
      const Node& child = tree_.node(edge.node);
      const auto visits = static_cast<float>(edge.visits);
      found.visits = edge.visits;
      found.value = edge.value_sum / visits;
      found.draw = child.draw_sum / visits;
      found.moves_left = child.moves_left_sum / visits + 1;
      found.wins = child.state == NodeState::Loss;
    }
    return result;
  }

  /// The mean over the whole search, for the side to move at the root; a draw before any visit.
  Evaluation root_evaluation() const { return root_.visits == 0 ? Evaluation{} : mean_of(root_); }

  Move best_move() const { return faultline::best_move(root_moves()); }

  /// The most visited line that starts with `first` at the root, `first` included; empty if it was
  /// not searched. Where a win or a loss is proven, it follows the proof.
  std::vector<Move> principal_variation(Move first, std::size_t longest = 12) const {
    std::vector<Move> moves;
    const std::optional<ChildEdge> child = find_child(root_.node, first);
    if (!child) return moves;
    moves.push_back(first);
    Handle at = child->node;
    while (moves.size() < longest) {
      const Node& node = tree_.node(at);
      if (node.state != NodeState::Expanded || node.child_count == 0) break;
      const ChildEdge* children = tree_.children(node);
      const ChildEdge* best = std::max_element(
          children, children + node.child_count, [&](const ChildEdge& a, const ChildEdge& b) {
            return std::pair(keeps_proof(tree_, node, a), a.visits) <
                   std::pair(keeps_proof(tree_, node, b), b.visits);
          });
      if (best->visits == 0) break;
      at = best->node;
      moves.push_back(tree_.node(at).move);
    }
    return moves;
  }

  /// Plies to a proven mate after `move` at the root, the move included: positive if it mates,
  /// negative if its player is mated. The shortest that was found: the shortest there is may be
  /// shorter.
  std::optional<int> mate_after(Move move) const {
    const std::optional<ChildEdge> child = find_child(root_.node, move);
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
  /// Selects the next edge by PUCT, child_count for the best one that has no child yet. `from`
  /// leads to the node. With draws, a draw is worth `draw_worth` to the node's mover: the sums hold
  /// only wins and losses, so that its sign can change with the side to move at the root.
  template <bool with_draws>
  std::uint16_t select(Handle at, const ChildEdge& from, [[maybe_unused]] float draw_worth) {
    const Node& node = tree_.node(at);
    const ChildEdge* children = tree_.children(node);
    const auto waiting = static_cast<float>(from.in_flight);
    const float visits = static_cast<float>(from.visits) + waiting;
    const float growth = visits / params_.cpuct_base;
    const float cpuct = params_.cpuct + log_growth(growth);
    const float scale = cpuct * std::sqrt(std::max(visits, 1.0F));

    float best_score = -1e30F;
    std::size_t best = node.child_count;
    float visited_prior = 0;
    for (std::size_t i = 0; i < node.child_count; ++i) {
      const ChildEdge& child = children[i];
      const auto lost = static_cast<float>(child.in_flight);
      const float n = static_cast<float>(child.visits) + lost;
      const float prior = unpack_prior(child.prior);
      visited_prior += prior;
      float wins = child.value_sum - lost;
      if constexpr (with_draws) wins += draw_worth * tree_.node(child.node).draw_sum;
      const float q = wins / std::max(n, 1.0F);
      const float score = q + scale * prior / (1 + n);
      if (score > best_score) {
        best_score = score;
        best = i;
      }
    }
    bool may_add = node.child_count < node.edge_count;
    if constexpr (kBudgeted) may_add = may_add && !full_;
    if (may_add) {
      const bool is_root = at == root_.node;
      const float reduction = is_root ? params_.fpu_root : params_.fpu_reduction;
      float wins = -from.value_sum;
      if constexpr (with_draws) wins += draw_worth * node.draw_sum;
      const float mean = from.visits ? wins / static_cast<float>(from.visits) : 0.0F;
      const float q = mean - reduction * std::sqrt(visited_prior);
      const float prior = unpack_prior(tree_.edges(node).prior(node.child_count));
      if (q + scale * prior > best_score) best = node.child_count;
    }
    return static_cast<std::uint16_t>(best);
  }

  /// The same for draw_score other than 0. Out of line: it is rarely used, and the common path
  /// should stay small.
  [[gnu::noinline]] std::uint16_t select_with_draws(Handle at, const ChildEdge& from) {
    return select<true>(at, from, path_.size() % 2 == 0 ? params_.draw_score : -params_.draw_score);
  }

  /// log(1 + growth), to within 1/8000: the library function would cost noticeable time at every
  /// node of the upper tree.
  static float log_growth(float growth) {
    if (growth < 1.0F / 64) return growth;
    if (growth < 1.0F / 8) return growth * (1 - growth * (0.5F - growth * (1.0F / 3)));
    return std::log1p(growth);
  }

  /// Determines whether the game ends at a new node (moves_ holds its legal moves) and sets its
  /// state; returns how often the position occurred before.
  int detect_end(Node& node, const P& position) {
    const Outcome outcome = position.outcome(!moves_.empty());
    if (is_over(outcome)) {
      const int score = score_for(outcome, position.side_to_move());
      node.state = score > 0 ? NodeState::Win : score < 0 ? NodeState::Loss : NodeState::Draw;
      return 0;
    }
    // Counted in plies from the root: 0 is the root, path_ holds the positions below it (this one
    // last), and the game's keys those played before it.
    const KeyHistory& played = history_.keys();
    const int root_at = static_cast<int>(played.size()) - 1;
    const int here = static_cast<int>(path_.size());
    const int first = std::max(here - position.repetition_window(), -root_at);
    int in_tree = 0;
    int before = 0;
    for (int ply = here - 2; ply >= first; ply -= 2) {
      const std::uint64_t key = ply > 0 ? path_[static_cast<std::size_t>(ply - 1)].key
                                        : played[static_cast<std::size_t>(root_at + ply)];
      if (key == path_.back().key) ++(ply >= 0 ? in_tree : before);
    }
    const int repetitions = in_tree + before;
    if (repetitions >= 2)
      node.state = NodeState::Draw;
    else if (in_tree > 0 && params_.two_fold_draws)
      node.state = NodeState::TwoFold;
    return repetitions;
  }

  Evaluation terminal_evaluation(NodeState state) const {
    switch (state) {
      case NodeState::Win:
        return {.win = 1, .draw = 0, .loss = 0, .moves_left = 0};
      case NodeState::Loss:
        return {.win = 0, .draw = 0, .loss = 1, .moves_left = 0};
      default:
        return {.win = 0, .draw = 1, .loss = 0, .moves_left = 0};
    }
  }

  /// Adds the position with moves_ to the batch and marks the path as in flight.
  void add_leaf(EvalBatch<P>& batch, PendingLeaves& pending, Handle node, const P& position,
                int repetitions) {
    if constexpr (kBudgeted) count_descent();
    const std::size_t index = batch.add(position, repetitions, {moves_.begin(), moves_.end()});
    tree_.node(node).state = NodeState::Pending;
    pending.leaves_.push_back({.index = index,
                               .node = node,
                               .path_begin = pending.path_.size(),
                               .path_length = path_.size()});
    for (const PathStep& step : path_) {
      step.child->in_flight =
          static_cast<std::uint16_t>(step.child->in_flight + params_.virtual_loss);
    }
    pending.path_.insert(pending.path_.end(), path_.begin(), path_.end());
    root_.in_flight = static_cast<std::uint16_t>(root_.in_flight + params_.virtual_loss);
  }

  /// Gives an evaluated node its edges, best prior first: those in `allowed`, or all if that is
  /// empty.
  void expand(Node& node, std::span<const Move> moves, std::span<const float> priors,
              std::span<const Move> allowed) {
    order_.resize(moves.size());
    if (params_.policy_temperature == 1) {
      for (std::size_t i = 0; i < moves.size(); ++i)
        order_[i] = sort_key(pack_prior(priors[i]), i);
    } else {
      order_by_softened_priors(priors);
    }
    if (!allowed.empty())
      std::erase_if(order_, [&](std::uint32_t key) {
        return std::ranges::find(allowed, moves[move_index_of(key)]) == allowed.end();
      });
    if (!std::is_sorted(order_.begin(), order_.end(), std::greater<>{}))
      std::sort(order_.begin(), order_.end(), std::greater<>{});
    EdgeView edges = tree_.add_edges(node, order_.size());
    for (std::size_t i = 0; i < order_.size(); ++i)
      set_edge(edges, i, order_[i]);
    node.state = NodeState::Expanded;
  }
  /// order_ with every prior raised to 1 / policy_temperature, normalised.
  void order_by_softened_priors(std::span<const float> priors) {
    std::vector<float> softened(priors.size());
    float total = 0;
    for (std::size_t i = 0; i < priors.size(); ++i)
      total += softened[i] = std::pow(priors[i], 1 / params_.policy_temperature);
    for (std::size_t i = 0; i < priors.size(); ++i)
      order_[i] = sort_key(pack_prior(softened[i] / total), i);
  }
  // Edges are sorted as numbers: the prior in the upper half, the move_index in legal_moves() in
  // the lower, reversed so that equal priors keep their order.
  static std::uint32_t sort_key(std::uint16_t prior, std::size_t move_index) {
    return static_cast<std::uint32_t>(prior) << 16 |
           static_cast<std::uint32_t>(0xffff - move_index);
  }
  static std::size_t move_index_of(std::uint32_t key) { return 0xffff - (key & 0xffff); }
  static void set_edge(EdgeView& edges, std::size_t i, std::uint32_t key) {
    edges.set_prior(i, static_cast<std::uint16_t>(key >> 16));
    edges.set_move_index(i, move_index_of(key));
  }

  ChildEdge& child_of(const PathStep& step) {
    return tree_.children(tree_.node(step.parent))[step.edge_index];
  }
  /// Adds a leaf's evaluation to every node on the path to it, and removes `virtual_loss` from
  /// them. The side to move alternates.
  void back_up(std::span<const PathStep> path, const Evaluation& leaf, int virtual_loss) {
    float value = leaf.value();  // for the leaf's mover
    float moves_left = leaf.moves_left;
    for (std::size_t i = path.size(); i-- > 0;) {
      add_visit(child_of(path[i]), value, leaf.draw, moves_left, virtual_loss);
      value = -value;
      moves_left += 1;
    }
    add_visit(root_, value, leaf.draw, moves_left, virtual_loss);
  }
  /// `value`: for the mover at the child's node.
  void add_visit(ChildEdge& child, float value, float draw, float moves_left, int virtual_loss) {
    ++child.visits;
    child.in_flight = static_cast<std::uint16_t>(child.in_flight - virtual_loss);
    Node& node = tree_.node(child.node);
    if constexpr (kBudgeted) {
      if (child.visits > kExactVisits) [[unlikely]] {
        add_rounding_at_random(child.value_sum, -value, child.visits);
        add_rounding_at_random(node.draw_sum, draw, child.visits);
        add_rounding_at_random(node.moves_left_sum, moves_left, child.visits);
        return;
      }
    }
    child.value_sum -= value;
    node.draw_sum += draw;
    node.moves_left_sum += moves_left;
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
    Evaluation mean = mean_of(edge);
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

  /// The mean at the node that a visited edge leads to, for the side to move there.
  Evaluation mean_of(const ChildEdge& edge) const {
    const Node& node = tree_.node(edge.node);
    const auto visits = static_cast<float>(edge.visits);
    return mean_evaluation(-edge.value_sum / visits, node.draw_sum / visits,
                           node.moves_left_sum / visits);
  }

  std::optional<ChildEdge> find_child(Handle at, Move move) const {
    const Node& node = tree_.node(at);
    for (std::size_t i = 0; i < node.child_count; ++i)
      if (tree_.node(tree_.children(node)[i].node).move == move) return tree_.children(node)[i];
    return std::nullopt;
  }
  /// The most visited child of the node, which holds `position`, whose position has `key`.
  std::optional<ChildEdge> find_child(Handle at, const P& position, std::uint64_t key) const {
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
      root_.visits -= keep_subtree(tree_, kept->node);
      full_ = false;
    } else {
      TreeType fresh;
      const CopiedSubtree copied = copy_subtree(tree_, kept->node, fresh);
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
  std::vector<std::uint32_t> order_;
  typename P::MoveList moves_;
};

}  // namespace faultline
