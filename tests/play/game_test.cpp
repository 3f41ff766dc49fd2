// Every family behind the type-erased interface.
#include "play/game.h"

#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "rules/families.h"

namespace faultline {
namespace {

class EveryGame : public testing::TestWithParam<std::string> {
 protected:
  const Game& game_ = find_game(GetParam());
};

TEST_P(EveryGame, PlaysARandomGameAndReadsItsTextsBack) {
  std::mt19937_64 rng(1);
  const auto position = game_.start();
  std::vector<float> planes(game_.encoding().floats());
  for (int ply = 0; ply < 120 && !is_over(position->outcome()); ++ply) {
    ASSERT_EQ(position->plies(), ply);
    ASSERT_EQ(game_.from_fen(position->fen())->fen(), position->fen());
    ASSERT_FALSE(position->picture().empty());
    for (const PictureSquare& square : position->board_picture().squares)
      ASSERT_EQ(square.piece, position->piece_at(square.square)) << square.name;
    position->encode(game_.encoding(), planes);
    const std::vector<Move> moves = position->legal_moves();
    ASSERT_EQ(moves.size(), position->perft(1));
    for (const Move move : moves) {
      ASSERT_EQ(position->parse_move(position->move_text(move)), move);
      const PolicyIndex index = position->policy_index(move);
      ASSERT_LT(index.from, game_.encoding().policy_cells());
      ASSERT_LT(index.to, game_.encoding().policy_cells());
    }
    const auto copy = position->clone();
    const Move move = moves[rng() % moves.size()];
    position->play(move);
    ASSERT_EQ(copy->plies(), ply) << "a copy is independent";
    copy->play(move);
    ASSERT_EQ(copy->key(), position->key());
  }
}

TEST_P(EveryGame, IsTheSameObjectForTheSameName) {
  EXPECT_EQ(&find_game(GetParam()), &game_);
  EXPECT_EQ(&find_game(game_.variant()), &game_);
  EXPECT_EQ(game_.family().name, GetParam());
}

/// Records a session's events.
class Notes final : public GameWatcher {
 public:
  void on_ply(const GamePosition& before, Move move, const SearchResult* result) override {
    EXPECT_EQ(before.plies(), static_cast<int>(searched.size()));
    EXPECT_TRUE(before.parse_move(before.move_text(move)));
    searched.push_back(result != nullptr);
  }
  void on_end(const GamePosition&, const GameEnd& end) override { ends.push_back(end); }

  std::vector<bool> searched;
  std::vector<GameEnd> ends;
};

TEST_P(EveryGame, PlaysASearchAgainstRandomMovesAndMovesFromOutside) {
  const GamePlayer search{.searcher = game_.puct_searcher({}, game_.uniform_evaluator(), nullptr),
                          .budget = {.full = {.visits = 16, .leaves = 4}}};
  const GamePlayer chance{.searcher = game_.random_searcher()};
  Notes notes;
  auto session =
      game_.begin(*game_.start(), {search, chance}, {.max_plies = 30}, std::mt19937_64(1), &notes);
  while (session->step()) {
  }
  ASSERT_TRUE(session->is_over());
  EXPECT_EQ(notes.ends.size(), 1U);
  EXPECT_EQ(session->position().plies(), static_cast<int>(notes.searched.size()));

  Notes outside;
  session = game_.begin(*game_.start(), {GamePlayer{}, search}, {}, std::mt19937_64(1), &outside);
  EXPECT_FALSE(session->step());
  ASSERT_TRUE(session->awaits_move());
  session->play(session->position().legal_moves().front());
  while (session->step()) {
  }
  EXPECT_EQ(session->position().plies(), 2);
  EXPECT_EQ(outside.searched, (std::vector<bool>{false, true}));
}

TEST_P(EveryGame, SearchesOnePosition) {
  std::mt19937_64 rng(1);
  const auto start = game_.start();
  const auto puct = game_.puct_searcher({}, game_.uniform_evaluator(), nullptr);
  const auto result = puct->run(*start, {.visits = 50}, rng, nullptr);
  ASSERT_TRUE(result);
  EXPECT_EQ(result->visits, 50U);
  const auto interrupted = puct->run(*start, {.visits = 500}, rng, [] { return true; });
  EXPECT_FALSE(interrupted);
  const auto policy = game_.policy_searcher(game_.uniform_evaluator());
  EXPECT_EQ(policy->run(*start, {}, rng, nullptr)->evaluations, 1U);
}

std::vector<std::string> family_names() {
  std::vector<std::string> names;
  for (const FamilyInfo* family : all_families())
    names.push_back(family->name);
  return names;
}
INSTANTIATE_TEST_SUITE_P(Families, EveryGame, testing::ValuesIn(family_names()),
                         [](const auto& family) { return family.param; });

TEST(FindGame, RefusesInvalidVariants) {
  EXPECT_THROW(find_game("ches"), VariantError);
  EXPECT_THROW(find_game("inferno:levels=99"), VariantError);
}

TEST(FindGame, DistinguishesOptionSets) {
  EXPECT_NE(&find_game("inferno:levels=2"), &find_game("inferno:levels=3"));
}

}  // namespace
}  // namespace faultline
