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
#include "search/evaluator.h"
#include "search/params.h"
#include "search/root_moves.h"
#include "search/tree.h"

namespace faultline {

/// One tree, used by one thread at a time. The caller gathers leaves, has them evaluated, and
/// applies the results:
///
///     while (search.root_visits() < visits) {
///       search.gather(batch);                 // of one or many searches
///       if (batch is full) { evaluator.evaluate(batch); search.apply(batch); batch.clear(); }
///     }
///
/// The root's game must not be over.
template <Position P>
class Search {
 public:
  /// set_position() must be called before anything else.
  explicit Search(const SearchParams& params) : params_(params), history_(P{}) {}
  Search(const SearchParams& params, const PositionHistory<P>& history) : Search(params) {
    set_position(history);
  }

  /// Starts from the last position of `history` with an empty tree.
  void set_position(const PositionHistory<P>& history) {
    assert(pending_.empty());
    history_ = history;
    tree_.clear();
    root_ = ChildEdge{
        .node = tree_.add_node(), .visits = 0, .value_sum = 0, .in_flight = 0, .prior = 0};
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
    Terminal,  // the descent reached the end of the game: scored and backed up at once
    Nothing    // the descent reached a leaf that is waiting for its evaluation
  };

  /// Descends from the root to a leaf.
  Gathered gather(EvalBatch<P>& batch) {
    Node& root = tree_.node(root_.node);
    if (root.state == NodeState::Pending) return Gathered::Nothing;
    path_.clear();
    P position = history_.position();
    if (root.state != NodeState::Expanded) {
      position.legal_moves(moves_);
      add_leaf(batch, root_.node, position, history_.repetitions());
      return Gathered::Leaf;
    }

    Handle at = root_.node;
    const ChildEdge* from = &root_;
    while (true) {
      const std::uint16_t edge_index =
          params_.draw_score == 0 ? select<false>(at, *from, 0) : select_with_draws(at, *from);
      if (edge_index == tree_.node(at).child_count) {
        position.legal_moves(moves_);
        const std::size_t move_index = tree_.edges(tree_.node(at)).move_index(edge_index);
        tree_.node(tree_.add_child(at).node).move = moves_[move_index];
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
            add_leaf(batch, at, position, repetitions);
            return Gathered::Leaf;
          }
          [[fallthrough]];
        }
        default:
          back_up(path_, terminal_evaluation(node.state), 0);
          return Gathered::Terminal;
      }
    }
  }

  /// Expands and backs up all leaves that this search has added to `batch` since the last apply().
  void apply(const EvalBatch<P>& batch) {
    for (const PendingLeaf& leaf : pending_) {
      const std::span<const PathStep> path(pending_path_.data() + leaf.path_begin,
                                           leaf.path_length);
      expand(
          tree_.node(leaf.node), batch.moves(leaf.index), batch.priors(leaf.index),
          leaf.node == root_.node ? std::span<const Move>(root_moves_) : std::span<const Move>{});
      back_up(path, batch.evaluation(leaf.index), params_.virtual_loss);
    }
    pending_.clear();
    pending_path_.clear();
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
  Evaluation root_evaluation() const {
    if (root_.visits == 0) return {};
    const Node& root = tree_.node(root_.node);
    const auto visits = static_cast<float>(root_.visits);
    const float value = -root_.value_sum / visits;
    const float draw = std::clamp(root.draw_sum / visits, 0.0F, 1.0F);
    const float decided = 1 - draw;
    const float lead = std::clamp(value, -decided, decided);
    return {.win = (decided + lead) / 2,
            .draw = draw,
            .loss = (decided - lead) / 2,
            .moves_left = root.moves_left_sum / visits};
  }

  Move best_move() const { return faultline::best_move(root_moves()); }

  /// The most visited line that starts with `first` at the root, `first` included; empty if it was
  /// not searched.
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
          children, children + node.child_count,
          [](const ChildEdge& a, const ChildEdge& b) { return a.visits < b.visits; });
      at = best->node;
      moves.push_back(tree_.node(at).move);
    }
    return moves;
  }

  std::size_t node_count() const { return tree_.node_count(); }
  /// Bytes of the tree's nodes, edges and children.
  std::size_t memory_bytes() const { return tree_.used_bytes(); }

 private:
  using TreeType = Tree<P::MoveList::capacity()>;

  /// A child by its index, since child edges move as their blocks grow.
  struct PathStep {
    std::uint64_t key;  // of the position after the move
    ChildEdge* child;   // valid only during the descent: edges move as their blocks grow
    Handle parent;
    std::uint16_t edge_index;
  };
  struct PendingLeaf {
    std::size_t index;  // in the batch
    Handle node;
    std::size_t path_begin;
    std::size_t path_length;
  };

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
    if (node.child_count < node.edge_count) {
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
  void add_leaf(EvalBatch<P>& batch, Handle node, const P& position, int repetitions) {
    const std::size_t index = batch.add(position, repetitions, {moves_.begin(), moves_.end()});
    tree_.node(node).state = NodeState::Pending;
    pending_.push_back({.index = index,
                        .node = node,
                        .path_begin = pending_path_.size(),
                        .path_length = path_.size()});
    for (const PathStep& step : path_) {
      step.child->in_flight =
          static_cast<std::uint16_t>(step.child->in_flight + params_.virtual_loss);
    }
    pending_path_.insert(pending_path_.end(), path_.begin(), path_.end());
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

  /// Adds a leaf's evaluation to every node on the path to it, and removes `virtual_loss` from
  /// them. The side to move alternates.
  void back_up(std::span<const PathStep> path, const Evaluation& leaf, int virtual_loss) {
    float value = leaf.value();  // for the leaf's mover
    float moves_left = leaf.moves_left;
    for (std::size_t i = path.size(); i-- > 0;) {
      ChildEdge& child = tree_.children(tree_.node(path[i].parent))[path[i].edge_index];
      add_visit(child, value, leaf.draw, moves_left, virtual_loss);
      value = -value;
      moves_left += 1;
    }
    add_visit(root_, value, leaf.draw, moves_left, virtual_loss);
  }
  /// `value`: for the mover at the child's node.
  void add_visit(ChildEdge& child, float value, float draw, float moves_left, int virtual_loss) {
    ++child.visits;
    child.value_sum -= value;
    child.in_flight = static_cast<std::uint16_t>(child.in_flight - virtual_loss);
    Node& node = tree_.node(child.node);
    node.draw_sum += draw;
    node.moves_left_sum += moves_left;
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

  /// Makes the node that `kept` leads to the root of a new tree, or starts an empty tree.
  void move_root(const std::optional<ChildEdge>& kept) {
    root_moves_.clear();
    TreeType fresh;
    if (kept && tree_.node(kept->node).state == NodeState::Expanded) {
      const Copied copied = copy_subtree(kept->node, fresh);
      root_ = *kept;
      root_.node = copied.node;
      root_.visits -= copied.taken_back.visits;
    } else {
      root_ = ChildEdge{
          .node = fresh.add_node(), .visits = 0, .value_sum = 0, .in_flight = 0, .prior = 0};
    }
    tree_ = std::move(fresh);
  }

  /// Visits that no longer count, as they enter a node's sums.
  struct TakenBack {
    std::uint32_t visits = 0;
    float draws = 0;
    float moves_left = 0;
  };
  struct Copied {
    Handle node;
    TakenBack taken_back;
  };
  /// Copies the subtree below a node of tree_ into another tree, children without slack. Whether a
  /// twofold repetition counts as a draw depends on the root: such nodes are re-evaluated on the
  /// next visit, and what they contributed to their ancestors (draws of value 0) is subtracted.
  Copied copy_subtree(Handle old_handle, TreeType& into) {
    Copied copy{into.add_node(), {}};
    const Node old = tree_.node(old_handle);
    Node renewed = old;
    TakenBack& taken_back = copy.taken_back;
    if (old.edge_count > 0)
      std::copy_n(tree_.edges(old).units(), EdgeView::units_for(old.edge_count),
                  into.add_edges(renewed, old.edge_count).units());
    if (old.child_count > 0) {
      into.reserve_children(renewed, old.child_count);
      for (std::size_t i = 0; i < old.child_count; ++i) {
        ChildEdge child = tree_.children(old)[i];
        const Copied below = copy_subtree(child.node, into);
        child.node = below.node;
        child.visits -= below.taken_back.visits;
        into.children(renewed)[i] = child;
        taken_back.visits += below.taken_back.visits;
        taken_back.draws += below.taken_back.draws;
        // A node is one ply further from the end than its child.
        taken_back.moves_left +=
            below.taken_back.moves_left + static_cast<float>(below.taken_back.visits);
      }
    }
    if (old.state == NodeState::TwoFold) {  // no children; each visit was one draw
      renewed.state = NodeState::Fresh;
      taken_back = {static_cast<std::uint32_t>(old.draw_sum), old.draw_sum, old.moves_left_sum};
    }
    if (taken_back.visits > 0) {
      renewed.draw_sum = std::max(0.0F, renewed.draw_sum - taken_back.draws);
      renewed.moves_left_sum = std::max(0.0F, renewed.moves_left_sum - taken_back.moves_left);
    }
    into.node(copy.node) = renewed;
    return copy;
  }

  SearchParams params_;
  PositionHistory<P> history_;
  TreeType tree_;
  ChildEdge root_{};
  std::vector<Move> root_moves_;  // the only ones searched at the root; empty: all

  std::vector<PendingLeaf> pending_;
  std::vector<PathStep> pending_path_;
  // Scratch buffers, kept to reuse their memory.
  std::vector<PathStep> path_;
  std::vector<std::uint32_t> order_;
  typename P::MoveList moves_;
};

}  // namespace faultline
