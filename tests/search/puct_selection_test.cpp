// Selection: several children at a time find the same edge as one after the other, and looking
// ahead finds the same searches.
#include "search/puct_selection.h"

#include <limits>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "rules/families.h"
#include "search/hash_evaluator.h"
#include "search/search.h"

namespace faultline {
namespace {

TEST(PuctSelection, FindsTheFirstBestChildSeveralAtATime) {
  std::mt19937 rng(1);
  for (std::size_t count = 1; count <= 70; ++count)
    for (int round = 0; round < 50; ++round) {
      Tree tree(Tree::kLeastBytes);
      Handle h = tree.add_node(NodeState::Expanded, count);
      for (std::size_t i = 0; i < count; ++i)  // few different ones, so that scores are equal
        tree.edges(h).set_prior(i, pack_prior(0.01F * static_cast<float>(1 + rng() % 3)));
      for (std::size_t i = 0; i < count; ++i) {
        h = tree.make_room_for_child(h, 1);
        tree.add_child(h, tree.add_node(NodeState::Draw, 0), Move::none());
      }
      const ChildArrays children = Tree::children(tree.parent(h));
      for (std::size_t i = 0; i < count; ++i) {
        children.visits[i] = rng() % 3 == 0 ? rng() % (1U << 31) : rng() % 4;
        children.values[i] = static_cast<float>(rng() % 5) - 2.0F;
        children.in_flight[i] = static_cast<std::uint16_t>(rng() % 2);
      }
      const std::uint16_t* const priors = Tree::priors(tree.parent(h));
      const Selected several = puct::best_child(children, priors, count, 3.5F);
      const Selected few = puct::best_child_of_few(children, priors, count, 3.5F, 0,
                                                   [](std::size_t) { return 0.0F; });
      ASSERT_EQ(several.edge, few.edge) << count;
      ASSERT_EQ(several.score, few.score);
    }
}

/// A search, a move, and a search of what is kept.
template <class P>
std::vector<RootMove> two_searches(SearchParams params, std::size_t look_ahead_from,
                                   std::size_t leaves, std::size_t bytes) {
  HashEvaluator<P> evaluator;
  Search<P> search(params, Tree(bytes));
  search.set_position(PositionHistory<P>(P::start({})));
  search.look_ahead_from(look_ahead_from);
  EvalBatch<P> batch;
  std::vector<RootMove> found;
  for (int plies = 0; plies < 3; ++plies) {
    const std::uint32_t visits = search.root_visits() + 15000;
    while (search.root_visits() < visits) {
      while (batch.size() < leaves)
        if (search.gather(batch) != Search<P>::Gathered::Leaf) break;
      if (batch.empty()) continue;
      evaluator.evaluate(batch);
      search.apply(batch);
      batch.clear();
    }
    const auto moves = search.root_moves();
    found.insert(found.end(), moves.begin(), moves.end());
    search.advance(search.best_move());
  }
  return found;
}

TEST(LookAhead, DoesNotChangeWhatIsFound) {
  constexpr std::size_t kNever = std::numeric_limits<std::size_t>::max();
  for (const float draw_score : {0.0F, -0.4F})
    for (const std::size_t leaves : {1U, 3U})
      for (const std::size_t bytes : {Tree::kLeastBytes, 64 * Tree::kLeastBytes}) {
        SearchParams params;
        params.draw_score = draw_score;
        const auto with = two_searches<EscherPosition>(params, 0, leaves, bytes);
        const auto without = two_searches<EscherPosition>(params, kNever, leaves, bytes);
        ASSERT_EQ(with.size(), without.size());
        for (std::size_t i = 0; i < with.size(); ++i) {
          ASSERT_EQ(with[i].visits, without[i].visits);
          ASSERT_EQ(with[i].value, without[i].value);
        }
      }
}

}  // namespace
}  // namespace faultline
