// The limits of FEN's counters: positions reached by playing on from there still print texts that
// the parser accepts.
#include <string>

#include <gtest/gtest.h>

#include "tests/families.h"
#include "tests/random_boards.h"

namespace faultline::test {
namespace {

template <class P>
class Counters : public testing::Test {};
TYPED_TEST_SUITE(Counters, EveryFamily);

/// `fen` with `plies` and `move` in its fifth and sixth field.
std::string with_counters(const std::string& fen, const std::string& plies,
                          const std::string& move) {
  auto fields = reference::split(fen, ' ');
  fields[4] = plies;
  fields[5] = move;
  std::string text;
  for (const std::string& field : fields)
    text += (text.empty() ? "" : " ") + field;
  return text;
}

TYPED_TEST(Counters, PlayBeyondTheirLimitsPrintsWhatTheParserAccepts) {
  using P = TypeParam;
  Random rng(7);
  for (const std::string& name : option_sets<P>()) {
    const auto& v = variant<P>(name);
    P position = P::from_fen(v, with_counters(P::start(v).fen(), "9998", "99998"));
    bool at_the_ends = false;
    for (int ply = 0; ply < 40; ++ply) {
      typename P::MoveList moves;
      position.legal_moves(moves);
      if (moves.empty()) break;
      position.play(moves[rng() % moves.size()]);
      const std::string fen = position.fen();
      const P again = P::from_fen(v, fen);
      ASSERT_EQ(again.fen(), fen) << name;
      ASSERT_EQ(again.key(), position.key()) << name << " " << fen;
      ASSERT_EQ(again.halfmove_clock(), position.halfmove_clock()) << name << " " << fen;
      ASSERT_EQ(again.full_move_number(), position.full_move_number()) << name << " " << fen;
      at_the_ends |= position.full_move_number() == 99999;
    }
    EXPECT_TRUE(at_the_ends) << name;
  }
}

TYPED_TEST(Counters, TheHalfmoveClockSaturates) {
  using P = TypeParam;
  Random rng(8);
  // Quiet moves of kings and pieces on sparse boards, from the clock's maximum.
  for (const std::string& name : option_sets<P>()) {
    const auto& v = variant<P>(name);
    int stayed = 0;
    for (int attempt = 0; attempt < 100 && stayed == 0; ++attempt) {
      P position = P::from_fen(v, with_counters(sparse_position<P>(v, rng).fen(), "9999", "99999"));
      typename P::MoveList moves;
      position.legal_moves(moves);
      for (const Move move : moves) {
        P next = position;
        next.play(move);
        ASSERT_TRUE(next.halfmove_clock() == 9999 || next.halfmove_clock() == 0) << next.fen();
        ASSERT_EQ(next.full_move_number(), 99999);
        ASSERT_EQ(P::from_fen(v, next.fen()).fen(), next.fen());
        ASSERT_EQ(next.key(), next.key_from_scratch());
        stayed += next.halfmove_clock() == 9999 ? 1 : 0;
      }
    }
    EXPECT_GT(stayed, 0) << name;
  }
}

}  // namespace
}  // namespace faultline::test
