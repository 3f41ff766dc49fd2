// Growing nodes of a search tree.
#include "search/tree.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <stdexcept>
#include <string>
#include <utility>

namespace faultline {
namespace {

std::size_t checked(std::size_t bytes) {
  if (bytes < Tree::kLeastBytes)
    throw std::invalid_argument("a search tree cannot have " + std::to_string(bytes) +
                                " bytes of memory; it needs at least " +
                                std::to_string(Tree::kLeastBytes));
  return bytes;
}

/// The evaluation that each visit of a childless node adds.
FixedEvaluation own_evaluation(const ChildlessNode& n) {
  FixedEvaluation own;
  own.value = n.value;
  own.draw = n.draw;
  own.moves_left = n.moves_left;
  return own;
}

}  // namespace

Tree::Tree(std::size_t bytes, Reserve reserve)
    : memory_(checked(bytes), reserve), limit_bytes_(bytes) {}

EvaluationSum Tree::sums(Handle h, std::uint32_t visits) const {
  if (node(h).has_children) return parent(h).sums;
  EvaluationSum sum;
  sum.add(own_evaluation(childless(h)), visits);
  return sum;
}

void Tree::swap_edges(Handle h, std::size_t i, std::size_t j) {
  assert(std::min(i, j) >= child_count(h));
  EdgeView all = edges(h);
  const std::uint16_t prior = all.prior(i);
  const std::size_t move_index = all.move_index(i);
  all.set_prior(i, all.prior(j));
  all.set_move_index(i, all.move_index(j));
  all.set_prior(j, prior);
  all.set_move_index(j, move_index);
  if (node(h).has_bonuses) {
    const float bonus = all.bonus(i);
    all.set_bonus(i, all.bonus(j));
    all.set_bonus(j, bonus);
  }
  if (!node(h).has_children) return;
  ParentNode& n = parent(h);
  if (std::max(i, j) < move_count(n)) std::swap(moves(n)[i], moves(n)[j]);
}

void Tree::update_edges(Handle h, std::span<const Move> legal, int virtual_loss) {
  if (!node(h).has_children) return;
  ParentNode& n = parent(h);
  n.visited_prior = 0;
  for (std::size_t i = 0; i < n.child_count; ++i) {
    n.visited_prior += unpack_prior(priors(n)[i]);
    update_score<true>(n, i, in_flight(children(n)[i].node, virtual_loss));
  }
  for (std::size_t i = 0; i < move_count(n); ++i)
    moves(n)[i] = legal[edges(h).move_index(i)];
}

void Tree::copy_parent(Node& from, std::uint32_t visits, ParentNode& into, std::size_t capacity) {
  into = {};
  into.edge_count = from.edge_count;
  into.state = from.state;
  into.has_children = true;
  into.wide_indices = from.wide_indices;
  into.has_bonuses = from.has_bonuses;
  into.has_all_moves = from.has_all_moves;
  into.capacity = static_cast<std::uint16_t>(capacity);
  if (from.has_children) {
    auto& old = static_cast<ParentNode&>(from);
    const std::size_t count = old.child_count;
    into.child_count = old.child_count;
    into.sums = old.sums;
    into.proof = old.proof;
    into.visited_prior = old.visited_prior;
    into.in_flight = old.in_flight;
    std::copy_n(children(old), count, children(into));
    std::copy_n(moves(old), std::min(move_count(old), move_count(into)), moves(into));
  } else {
    into.sums.add(own_evaluation(static_cast<const ChildlessNode&>(from)), visits);
  }
  std::memcpy(priors(into), edge_units(from),
              EdgeView::bytes_for(from.edge_count, from.wide_indices, from.has_bonuses));
}

Handle Tree::widen(Handle h, std::uint32_t visits, std::span<const Move> legal) {
  const Node& old = node(h);
  const std::size_t now = old.has_children ? parent(h).capacity : 0;
  const std::size_t wider = std::min<std::size_t>(old.edge_count, now + now / 2 + 1);
  const Handle to =
      memory_.allocate(parent_units(old.edge_count, wider, old.wide_indices, old.has_bonuses));
  if (to == kNoHandle) return kNoHandle;
  ParentNode& widened = parent(to);
  copy_parent(node(h), visits, widened, wider);
  for (std::size_t i = move_count(old.edge_count, now); i < move_count(widened); ++i)
    moves(widened)[i] = legal[edges(to).move_index(i)];
  memory_.release(h, units(old));
  return to;
}

Handle Tree::copy_node(const Tree& from, Handle h) {
  auto& old = const_cast<Node&>(from.node(h));
  if (!old.has_children) {
    const std::size_t edge_bytes =
        EdgeView::bytes_for(old.edge_count, old.wide_indices, old.has_bonuses);
    const Handle to =
        memory_.allocate(childless_units(old.edge_count, old.wide_indices, old.has_bonuses));
    if (to == kNoHandle) return kNoHandle;
    std::memcpy(memory_.at<std::byte>(to), &old, sizeof(ChildlessNode) + edge_bytes);
    ++node_count_;
    return to;
  }
  const std::size_t count = from.parent(h).child_count;
  const Handle to =
      memory_.allocate(parent_units(old.edge_count, count, old.wide_indices, old.has_bonuses));
  if (to == kNoHandle) return kNoHandle;
  copy_parent(old, 0, parent(to), count);
  ++node_count_;
  return to;
}

}  // namespace faultline
