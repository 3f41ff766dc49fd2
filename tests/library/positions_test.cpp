// faultline.h: positions and moves.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/library/handles.h"

namespace faultline {
namespace {

using test::from_fen;
using test::last_error;
using test::play;
using test::PositionHandle;
using test::start;
using test::variant;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

std::set<std::string> moves_of(const PositionHandle& position) {
  std::set<std::string> moves;
  for (int i = 0; i < faultline_position_moves(position.get()); ++i)
    moves.insert(faultline_position_move(position.get(), i));
  return moves;
}

TEST(LibraryPosition, ListsAndPlaysMoves) {
  const PositionHandle position = start("escher");
  EXPECT_EQ(faultline_position_variant(position.get()), variant("escher"));
  EXPECT_EQ(faultline_position_side_to_move(position.get()), FAULTLINE_WHITE);
  const std::set<std::string> moves = moves_of(position);
  EXPECT_TRUE(moves.contains("e2e4"));
  const int index = faultline_position_find_move(position.get(), "e2e4");
  EXPECT_STREQ(faultline_position_move(position.get(), index), "e2e4");
  // The inventor's sample opening.
  play(position, {"e2e4", "e7e5", "f1c4", "c7c5", "c3a5", "b7b6", "a5c3", "c6a4", "c8a6", "g8f6",
                  "b1c3", "a4c6"});
  EXPECT_STREQ(faultline_position_fen(position.get()),
               "brn1kq1r/p2p1ppp/1pb2n2/4p3/P3P3/R1N5/1PPP2PP/B1QK1NRB w - - 4 7");
  EXPECT_EQ(faultline_position_plies(position.get()), 12);
  EXPECT_NE(moves_of(position), moves);
  EXPECT_THAT(faultline_position_picture(position.get()), HasSubstr("arrows"));
}

TEST(LibraryPosition, RefusesIllegalMovesAndSaysWhichAreLegal) {
  const PositionHandle position = start("gardner");
  const std::string fen = faultline_position_fen(position.get());
  EXPECT_EQ(faultline_position_play(position.get(), "a2a4"), FAULTLINE_ERROR_MOVE);
  EXPECT_THAT(last_error(),
              AllOf(HasSubstr("'a2a4' is not a legal move in rnbqk/ppppp/5/PPPPP/RNBQK w - - 0 1"),
                    HasSubstr("a2a3"), Not(HasSubstr("b2b3"))));
  EXPECT_EQ(faultline_position_find_move(position.get(), "\xff"), FAULTLINE_ERROR_MOVE);
  EXPECT_EQ(faultline_position_play(position.get(), ""), FAULTLINE_ERROR_MOVE);
  EXPECT_EQ(faultline_position_play(position.get(), nullptr), FAULTLINE_ERROR_ARGUMENT);
  EXPECT_EQ(faultline_position_move(position.get(), -1), nullptr);
  EXPECT_EQ(faultline_position_move(position.get(), 7), nullptr);
  EXPECT_THAT(last_error(), HasSubstr("there is no move 7; the position has 7"));
  EXPECT_EQ(faultline_position_fen(position.get()), fen);
  EXPECT_EQ(faultline_position_plies(position.get()), 0);
}

TEST(LibraryPosition, RefusesWhatIsNoFen) {
  EXPECT_EQ(faultline_position_from_fen(variant("chess"), "8/8/8/8/8/8/8/8 w - - 0 1"), nullptr);
  EXPECT_EQ(faultline_last_error_code(), FAULTLINE_ERROR_FEN);
  EXPECT_THAT(last_error(), HasSubstr("FEN field 'pieces'"));
  const char* const start_fen = faultline_variant_start_fen(variant("chess"));
  EXPECT_EQ(faultline_position_from_fen(variant("gardner"), start_fen), nullptr);
  EXPECT_EQ(faultline_last_error_code(), FAULTLINE_ERROR_FEN);
  EXPECT_EQ(faultline_position_from_fen(variant("chess"), nullptr), nullptr);
  EXPECT_EQ(faultline_last_error_code(), FAULTLINE_ERROR_ARGUMENT);
  EXPECT_EQ(faultline_position_from_fen(nullptr, start_fen), nullptr);
  EXPECT_EQ(faultline_last_error_code(), FAULTLINE_ERROR_ARGUMENT);
}

TEST(LibraryPosition, KnowsHowGamesEnd) {
  const PositionHandle mated = start("chess");
  play(mated, {"f2f3", "e7e5", "g2g4"});
  EXPECT_EQ(faultline_position_outcome(mated.get()), FAULTLINE_ONGOING);
  EXPECT_EQ(faultline_position_in_check(mated.get()), 0);
  play(mated, {"d8h4"});
  EXPECT_EQ(faultline_position_outcome(mated.get()), FAULTLINE_BLACK_WINS);
  EXPECT_EQ(faultline_position_in_check(mated.get()), 1);
  EXPECT_EQ(faultline_position_moves(mated.get()), 0);
  EXPECT_EQ(faultline_position_play(mated.get(), "e1f2"), FAULTLINE_ERROR_MOVE);
  EXPECT_THAT(last_error(), HasSubstr("the game is over"));

  const PositionHandle stuck = from_fen("chess", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1");
  EXPECT_EQ(faultline_position_outcome(stuck.get()), FAULTLINE_DRAW_STALEMATE);
  EXPECT_STREQ(faultline_outcome_name(FAULTLINE_DRAW_STALEMATE), "draw:stalemate");
  EXPECT_STREQ(faultline_outcome_name(FAULTLINE_ONGOING), "");
  EXPECT_STREQ(faultline_outcome_name(FAULTLINE_BLACK_WINS), "black");
  EXPECT_EQ(faultline_outcome_name(7), nullptr);
  EXPECT_EQ(faultline_outcome_name(-1), nullptr);
}

TEST(LibraryPosition, CountsRepetitionsOfItsGame) {
  const PositionHandle position = start("chess");
  const std::vector<std::string> there_and_back = {"g1f3", "g8f6", "f3g1", "f6g8"};
  play(position, there_and_back);
  EXPECT_EQ(faultline_position_repetitions(position.get()), 1);
  const PositionHandle copy(faultline_position_copy(position.get()));
  play(copy, there_and_back);
  EXPECT_EQ(faultline_position_outcome(copy.get()), FAULTLINE_DRAW_REPETITION);
  EXPECT_EQ(faultline_position_outcome(position.get()), FAULTLINE_ONGOING) << "copies are apart";
  const PositionHandle without_past = from_fen("chess", faultline_position_fen(copy.get()));
  EXPECT_EQ(faultline_position_repetitions(without_past.get()), 0);
}

TEST(LibraryPosition, CountsMoveSequences) {
  const PositionHandle position = start("chess");
  std::uint64_t count = 0;
  EXPECT_EQ(faultline_position_perft(position.get(), 3, &count), FAULTLINE_OK);
  EXPECT_EQ(count, 8902U);
  EXPECT_EQ(faultline_position_perft(position.get(), 0, &count), FAULTLINE_OK);
  EXPECT_EQ(count, 1U);
  EXPECT_EQ(faultline_position_perft(position.get(), -1, &count), FAULTLINE_ERROR_ARGUMENT);
  EXPECT_EQ(faultline_position_perft(position.get(), 1, nullptr), FAULTLINE_ERROR_ARGUMENT);
}

TEST(LibraryPosition, IsEncodedForNetworks) {
  const faultline_variant* const gardner = variant("gardner");
  const PositionHandle position = start("gardner");
  const std::size_t size = faultline_variant_planes(gardner) * faultline_variant_height(gardner) *
                           faultline_variant_width(gardner);
  const float unset = std::numeric_limits<float>::quiet_NaN();
  std::vector<float> planes(size + 1, unset);
  ASSERT_EQ(faultline_position_encode(position.get(), planes.data(), size), FAULTLINE_OK);
  float own_pawns = 0;
  for (std::size_t cell = 0; cell < 25; ++cell)
    own_pawns += planes[cell];
  EXPECT_EQ(own_pawns, 5.0F);
  EXPECT_NE(planes[size], planes[size]) << "nothing is written behind them";

  EXPECT_EQ(faultline_position_encode(position.get(), planes.data(), size - 1),
            FAULTLINE_ERROR_ARGUMENT);
  EXPECT_EQ(faultline_position_encode(position.get(), nullptr, size), FAULTLINE_ERROR_ARGUMENT);
}

TEST(LibraryPosition, IsEncodedForNetworksThatSeeAttacks) {
  const faultline_variant* const gardner = variant("gardner");
  const PositionHandle position = start("gardner");
  const std::size_t family = faultline_variant_planes(gardner) * 25;
  const std::size_t size = family + faultline_variant_attack_planes(gardner) * 25;
  std::vector<float> planes(size), without(family);
  ASSERT_EQ(faultline_position_encode(position.get(), without.data(), family), FAULTLINE_OK);
  ASSERT_EQ(faultline_position_encode_with_attacks(position.get(), planes.data(), size),
            FAULTLINE_OK);
  EXPECT_TRUE(std::equal(without.begin(), without.end(), planes.begin()));
  // The first rank but a1, where the rook is, and all of the second and third.
  const auto attacked =
      std::accumulate(planes.begin() + static_cast<std::ptrdiff_t>(family),
                      planes.begin() + static_cast<std::ptrdiff_t>(family) + 25, 0.0F);
  EXPECT_EQ(attacked, 14.0F);
  EXPECT_EQ(faultline_position_encode_with_attacks(position.get(), planes.data(), size - 1),
            FAULTLINE_ERROR_ARGUMENT);
}

TEST(LibraryPosition, NumbersMovesAsPoliciesDo) {
  const PositionHandle position = start("chess");
  std::set<std::int64_t> slots;
  for (int i = 0; i < faultline_position_moves(position.get()); ++i)
    slots.insert(faultline_position_move_slot(position.get(), i));
  EXPECT_EQ(slots.size(), 20U);
  EXPECT_GE(*slots.begin(), 0);
  EXPECT_LT(*slots.rbegin(), faultline_variant_slots(variant("chess")));
  EXPECT_LT(faultline_position_move_slot(position.get(), 20), 0);
}

TEST(LibraryPosition, AcceptsNullOnlyToBeFreed) {
  faultline_position_free(nullptr);
  EXPECT_EQ(faultline_position_fen(nullptr), nullptr);
  EXPECT_EQ(faultline_position_copy(nullptr), nullptr);
  EXPECT_EQ(faultline_position_start(nullptr), nullptr);
  EXPECT_EQ(faultline_position_variant(nullptr), nullptr);
  EXPECT_EQ(faultline_position_picture(nullptr), nullptr);
  EXPECT_LT(faultline_position_side_to_move(nullptr), 0);
  EXPECT_LT(faultline_position_in_check(nullptr), 0);
  EXPECT_LT(faultline_position_plies(nullptr), 0);
  EXPECT_LT(faultline_position_repetitions(nullptr), 0);
  EXPECT_LT(faultline_position_outcome(nullptr), 0);
  EXPECT_EQ(faultline_last_error_code(), FAULTLINE_ERROR_ARGUMENT);
}

}  // namespace
}  // namespace faultline
