// Inferno Chess: every rule and ruling of docs/rules.md.
#include "rules/families/inferno.h"

#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "rules/attack_tables.h"
#include "rules/history.h"
#include "rules/perft.h"
#include "tests/rules/families/move_texts.h"

namespace faultline {
namespace {

using test::legal;
using test::moves_from;

const InfernoVariant& variant(int levels) {
  return InfernoPosition::variant(parse_variant_name("inferno:levels=" + std::to_string(levels)));
}
InfernoPosition inferno(int levels, const std::string& fen) {
  return InfernoPosition::from_fen(variant(levels), fen);
}
InfernoPosition after(const InfernoPosition& p, const std::string& text) {
  return test::after(p, std::vector{text});
}
std::string refused_field(int levels, const std::string& fen) {
  return test::refused_field<InfernoPosition>(variant(levels), fen);
}

TEST(Inferno, OneLevelIsChess) {
  const InfernoPosition p = InfernoPosition::start(variant(1));
  EXPECT_EQ(p.fen(), "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
  EXPECT_EQ(perft(p, 4), 197281U);
  EXPECT_EQ(
      perft(inferno(1, "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"), 3),
      97862U);
}

TEST(Inferno, LevelsAreOneToSixAndFiveIsTheDefault) {
  EXPECT_EQ(InfernoPosition::variant(parse_variant_name("inferno")).canonical_name(), "inferno");
  EXPECT_EQ(variant(5).canonical_name(), "inferno");
  EXPECT_EQ(variant(6).canonical_name(), "inferno:levels=6");
  for (const std::string value : {"0", "7", "05", "five", "-1"})
    EXPECT_THROW(InfernoPosition::variant(parse_variant_name("inferno:levels=" + value)),
                 VariantError)
        << value;
}

TEST(Inferno, AHoleSquareStandsForTheFourBelowAndTheirsInTurn) {
  const auto targets_of = [](const std::string& name) {
    const auto s = static_cast<Square>((name[1] - '1') * 8 + (name[0] - 'a'));
    std::vector<int> counts;
    // Five levels: squares in the hole of a level that has one stand for deeper squares.
    const InfernoPosition p = InfernoPosition::start(variant(5));
    for (int depth = 1; depth < 5; ++depth)
      counts.push_back(count(InfernoPosition::targets_below(s, depth) & ~p.hole(depth)));
    return counts;
  };
  // Half of the targets by geometry: the other half has the wrong colour.
  EXPECT_EQ(targets_of("d3"), (std::vector{2, 0, 0, 0}));
  EXPECT_EQ(targets_of("d4"), (std::vector{0, 6, 6, 8}));
}

TEST(Inferno, APieceSeesAtMostSevenSquaresOfAHoleAndTwoOfItsMiddle) {
  // The size of InfernoPosition::MoveList is based on this.
  const AttackTables& tables = square_board_tables();
  const Bitboard hole = InfernoPosition::start(variant(2)).hole(0);
  const Bitboard middle = 0x0000001818000000;
  for (Square s = 0; s < kLevelSquares; ++s) {
    if (contains(hole, s)) continue;
    for (const Bitboard seen :
         {tables.orthogonal(s, 0) | tables.diagonal(s, 0), tables.knight(s)}) {
      EXPECT_LE(count(seen & hole), 7) << s;
      EXPECT_LE(count(seen & middle), 2) << s;
    }
  }
}

TEST(Inferno, WithColoursListedOnlyRooksAndQueensMayDescendToEitherColour) {
  const auto targets = [](const std::string& piece, const std::string& option) {
    // 1d3 is above 2c1 2d1 2c2 2d2.
    const auto p = InfernoPosition::from_fen(
        InfernoPosition::variant(parse_variant_name("inferno:levels=2" + option)),
        "4k3/8/8/8/8/8/3" + piece + "4/K7|4k3/8/8/8/8/8/8/6K1 w -|- - 0 1");
    std::string found;
    for (const std::string to : {"2c1", "2d1", "2c2", "2d2"})
      if (legal(p, "1d2-" + to)) found += to;
    return found;
  };
  for (const std::string piece : {"R", "Q"}) {
    EXPECT_EQ(targets(piece, ""), "2d12c2");
    EXPECT_EQ(targets(piece, ",colours=all"), "2d12c2");
    EXPECT_EQ(targets(piece, ",colours=listed"), "2c12d12c22d2");
  }
  EXPECT_EQ(targets("P", ",colours=listed"), "2d12c2");
  EXPECT_EQ(InfernoPosition::variant(parse_variant_name("inferno:colours=listed,levels=2"))
                .canonical_name(),
            "inferno:levels=2,colours=listed");
  EXPECT_THROW(InfernoPosition::variant(parse_variant_name("inferno:colours=none")), VariantError);
}

TEST(Inferno, ADescentKeepsTheColourOfTheHolesSquare) {
  // 1d3 is light and above 2c1 2d1 2c2 2d2, of which d1 and c2 are light.
  const InfernoPosition p = inferno(2, "4k3/8/8/8/8/8/3R4/K7|4k3/8/8/8/8/8/8/6K1 w -|- - 0 1");
  EXPECT_TRUE(legal(p, "1d2-2d1"));
  EXPECT_TRUE(legal(p, "1d2-2c2"));
  EXPECT_FALSE(legal(p, "1d2-2c1"));
  EXPECT_FALSE(legal(p, "1d2-1d3")) << "no piece can be on a hole";
  EXPECT_TRUE(legal(p, "1d2-1d8")) << "lines pass over it";
}

TEST(Inferno, ADescentCapturesButNotAKingOrItsOwn) {
  const InfernoPosition p = inferno(2, "4k3/8/8/8/8/8/3R4/K7|8/8/6k1/8/8/8/2q5/3B1K2 w -|- - 0 1");
  EXPECT_TRUE(legal(p, "1d2-2c2"));
  EXPECT_FALSE(legal(p, "1d2-2d1")) << "its own bishop";
  const InfernoPosition king = inferno(2, "4k3/8/8/8/8/8/3R4/K7|8/8/8/8/8/8/2k5/5K2 w -|- - 0 1");
  EXPECT_FALSE(legal(king, "1d2-2c2"));
}

TEST(Inferno, KingsNeverDescend) {
  const InfernoPosition p = inferno(2, "4k3/8/8/8/8/8/3K4/8|4k3/8/8/8/8/8/8/6K1 w -|- - 0 1");
  EXPECT_EQ(moves_from(p, "1d2"),
            (std::set<std::string>{"1d2-1c2", "1d2-1e2", "1d2-1c1", "1d2-1d1", "1d2-1e1"}));
}

TEST(Inferno, APawnDescendsStraightOntoTheEmptyAndDiagonallyOntoAnEnemy) {
  // 1d3 (light) over 2d1 and 2c2, 1d4 (dark) over 2c3 and 2d4, 1c3 (dark) over 2a1 and 2b2, 1e3
  // (dark) over 2e1 and 2f2.
  const InfernoPosition p =
      inferno(2, "4k3/8/8/8/8/8/3P4/K7|7k/8/8/8/3n4/8/1nn2p2/6K1 w -|- - 0 1");
  EXPECT_TRUE(p.in_check()) << "f2 attacks g1";
  EXPECT_EQ(moves_from(p, "1d2"), (std::set<std::string>{"1d2-2f2"})) << "the only answer";
  const InfernoPosition q = inferno(2, "4k3/8/8/8/8/8/3P4/K7|7k/8/8/8/3n4/8/1nn5/6K1 w -|- - 0 1");
  EXPECT_EQ(moves_from(q, "1d2"), (std::set<std::string>{"1d2-2d1", "1d2-2c3", "1d2-2b2"}));
}

TEST(Inferno, APawnThatDescendsOntoItsLastRowPromotes) {
  // 1c6 (light) is above 2a7, 2b7, 2a8 and 2b8; a8 and b7 are light.
  const InfernoPosition p = inferno(2, "4k3/8/8/1P6/8/8/8/K7|4k3/8/8/8/8/8/8/6K1 w -|- - 0 1");
  EXPECT_EQ(moves_from(p, "1b5"), (std::set<std::string>{"1b5-1b6"}));
  const InfernoPosition q = inferno(2, "4k3/8/8/1P6/8/8/8/K7|n3k3/1n6/8/8/8/8/8/6K1 w -|- - 0 1");
  EXPECT_EQ(moves_from(q, "1b5"), (std::set<std::string>{"1b5-1b6", "1b5-2b7", "1b5-2a8q",
                                                         "1b5-2a8r", "1b5-2a8b", "1b5-2a8n"}));
}

TEST(Inferno, APawnOnItsSecondRowMayAdvanceTwoOnItsFirstOne) {
  const InfernoPosition p = inferno(2, "4k3/8/8/8/8/8/P7/1P5K|4k3/8/8/8/8/8/3P4/3P3K w -|- - 0 1");
  EXPECT_EQ(moves_from(p, "1a2"), (std::set<std::string>{"1a2-1a3", "1a2-1a4"}));
  EXPECT_EQ(moves_from(p, "1b1"), (std::set<std::string>{"1b1-1b2"}));
  EXPECT_EQ(moves_from(p, "2d2"), (std::set<std::string>{"2d2-2d3", "2d2-2d4"}));
  EXPECT_EQ(moves_from(p, "2d1"), (std::set<std::string>{}));
}

TEST(Inferno, EnPassantAnswersOnlyADoubleStepThatStaysOnItsLevel) {
  InfernoPosition p =
      after(inferno(2, "4k3/8/8/8/1p6/8/P7/7K|4k3/8/8/8/8/8/8/7K w -|- - 0 1"), "1a2-1a4");
  EXPECT_EQ(p.fen(), "4k3/8/8/8/Pp6/8/8/7K|4k3/8/8/8/8/8/8/7K b -|- 1a3 0 1");
  p = after(p, "1b4-1a3");
  EXPECT_EQ(p.fen(), "4k3/8/8/8/8/p7/8/7K|4k3/8/8/8/8/8/8/7K w -|- - 0 2");
  // 1c2 steps two onto 1c4 and descends to 2a3, beside the pawn on b4.
  p = after(inferno(2, "4k3/8/8/8/8/8/2P5/7K|4k3/8/8/8/1p6/8/8/7K w -|- - 0 1"), "1c2-2b3");
  EXPECT_EQ(p.en_passant(), kNoSquare);
}

TEST(Inferno, CastlingIsPossibleOnEveryLevel) {
  InfernoPosition p = inferno(2, "4k3/8/8/8/8/8/8/R3K2R|4k3/8/8/8/8/8/8/R3K2R w KQ|KQ - 0 1");
  EXPECT_TRUE(legal(p, "1e1-1g1"));
  p = after(p, "2e1-2c1");
  EXPECT_EQ(p.fen(), "4k3/8/8/8/8/8/8/R3K2R|4k3/8/8/8/8/8/8/2KR3R b KQ|- - 1 1");
}

TEST(Inferno, ADescentCanRemoveTheEnemysCastlingRight) {
  const InfernoPosition p = inferno(2, "4k3/8/8/1P6/8/8/8/K7|r3k3/8/8/8/8/8/8/6K1 w -|q - 0 1");
  EXPECT_EQ(after(p, "1b5-2a8n").fen(), "4k3/8/8/8/8/8/8/K7|N3k3/8/8/8/8/8/8/6K1 b -|- - 0 1");
}

TEST(Inferno, CheckComesOnlyFromTheSameLevelAndAcrossTheHole) {
  EXPECT_TRUE(inferno(2, "4k3/8/8/8/8/8/8/4RK2|4k3/8/8/8/8/8/8/4K3 b -|- - 0 1").in_check());
  EXPECT_FALSE(inferno(2, "4k3/8/8/8/8/8/8/5K2|8/4k3/8/8/8/8/3R4/4K3 b -|- - 0 1").in_check());
}

TEST(Inferno, AnyMoveMayAnswerACheckADescentToo) {
  // The rook on 2a1 checks along the row; from 1b2 the hole's c3 (dark) is above 2a1.
  const InfernoPosition p = inferno(2, "4k3/8/8/8/8/8/1B6/K7|4k3/8/8/8/8/8/5PPP/r5K1 w -|- - 0 1");
  ASSERT_TRUE(p.in_check());
  EXPECT_EQ(moves_from(p, "1b2"), (std::set<std::string>{"1b2-2a1"}));
}

TEST(Inferno, APinnedPieceMayNotDescend) {
  const InfernoPosition p = inferno(2, "4k3/8/8/8/8/8/r2R2K1/8|4k3/8/8/8/8/8/8/6K1 w -|- - 0 1");
  for (const std::string& text : moves_from(p, "1d2"))
    EXPECT_EQ(text.substr(0, 5), "1d2-1") << text;
}

TEST(Inferno, ChecksOnTwoLevelsAtOnceWinTheDeeperOne) {
  // The knight descends from a2, where it blocked a rook, and checks the king on 2a4. That king
  // could step away, but the other would stay in check. The knight rises again; the white king
  // meets its own.
  const InfernoPosition p =
      after(inferno(2, "k7/8/8/8/8/8/N7/R6K|8/8/8/8/k7/8/8/7K w -|- - 5 1"), "1a2-2b2");
  EXPECT_EQ(p.fen(), "k7/8/8/8/8/8/1N6/R6K b - - 0 1");
  EXPECT_TRUE(p.in_check());
  EXPECT_GT(p.count_legal_moves(), 0U) << "one check can be answered";
}

TEST(Inferno, AMateOnALevelIsResolvedAtOnceAndTheWinnersPiecesRise) {
  const std::string level = "6k1/5ppp/8/8/8/8/5PPP/R5K1";
  const InfernoPosition p = after(inferno(2, level + "|" + level + " w -|- - 5 9"), "2a1-2a8");
  // The rook rises to a8 and mates on the level left; the king and the pawns meet their own.
  EXPECT_EQ(p.fen(), "R5k1/5ppp/8/8/8/8/5PPP/R5K1 b - - 0 9");
  EXPECT_EQ(p.count_legal_moves(), 0U);
  EXPECT_EQ(p.outcome(false), Outcome::WhiteWins);
}

TEST(Inferno, AKingThatRisesStaysRoyal) {
  const InfernoPosition p =
      after(inferno(2, "7k/6pp/8/8/8/8/8/K7|6k1/5ppp/8/8/8/8/5PPP/R5K1 w -|- - 5 9"), "2a1-2a8");
  EXPECT_EQ(p.fen(), "R6k/6pp/8/8/8/8/5PPP/K5K1 b - - 0 9");
  EXPECT_EQ(p.outcome(p.count_legal_moves() > 0), Outcome::WhiteWins);
}

TEST(Inferno, BothKingsOfALevelMustBeSafe) {
  // The rook on a8 would check the king on a1, the one on d8 the king on d1.
  const InfernoPosition p = inferno(2, "3r3k/8/8/8/8/8/3N4/K2K4 w - - 0 1");
  EXPECT_EQ(moves_from(p, "1d2"), (std::set<std::string>{}))
      << "it blocks a check to the king on d1";
  const InfernoPosition two_checks = inferno(2, "r2r3k/8/8/8/8/8/1Q6/K2K4 w - - 0 1");
  EXPECT_EQ(two_checks.count_legal_moves(), 0U) << "no move answers both";
}

TEST(Inferno, AKingThatRoseBesideTheEnemysIsInCheckFromIt) {
  const InfernoPosition p = inferno(3, "8/8/1k6/1K6/8/8/7R/7K w - - 0 1");
  EXPECT_TRUE(p.in_check());
  EXPECT_FALSE(legal(p, "1h2-1h6")) << "only the king's own step answers";
  EXPECT_TRUE(legal(p, "1b5-1b4"));
}

TEST(Inferno, ARisingPieceCapturesEnemiesAndIsLostOntoOwnPiecesOrAKing) {
  // On level 2 the queen mates on b7, guarded by the king on c6. It rises onto the knight.
  const InfernoPosition p =
      after(inferno(2, "7k/1n6/8/8/8/8/8/7K|k7/8/2K5/8/8/8/1Q6/8 w -|- - 3 7"), "2b2-2b7");
  EXPECT_EQ(p.fen(), "7k/1Q6/2K5/8/8/8/8/7K b - - 0 7");
}

TEST(Inferno, TheFirstLevelVanishesWithAllItsPieces) {
  const InfernoPosition p =
      after(inferno(2, "6k1/5ppp/8/8/8/8/5PPP/R5K1|4k3/8/8/8/8/8/8/4K3 w -|- - 5 9"), "1a1-1a8");
  EXPECT_EQ(p.fen(), "4k3/8/8/8/8/8/8/4K3 b - - 0 9");
  EXPECT_EQ(p.outcome(true), Outcome::BareKings);
}

TEST(Inferno, ARookTakenByARisingPieceLosesItsRight) {
  const InfernoPosition p =
      after(inferno(2, "r3k2r/8/8/8/8/8/8/4K3|6k1/5ppp/8/8/8/8/5PPP/R5K1 w kq|- - 5 9"), "2a1-2a8");
  EXPECT_EQ(p.fen(), "R3k2r/8/8/8/8/8/5PPP/4K1K1 b k - 0 9");
}

// A king that rose into check while the other side is to move is mated by any move that leaves it
// so.
constexpr const char* kMatedIfToMove = "R5k1/5ppp/8/8/8/8/8/4K3";
constexpr const char* kDoubleStep = "4k3/8/8/8/1p6/8/P7/4K3";

TEST(Inferno, AnEnPassantSquareGoesUpWithItsLevel) {
  const InfernoPosition p = after(
      inferno(3, std::string(kMatedIfToMove) + "|" + kDoubleStep + " w -|- - 5 9"), "2a2-2a4");
  EXPECT_EQ(p.fen(), "4k3/8/8/8/Pp6/8/8/4K3 b - 1a3 0 9");
}

TEST(Inferno, AnEnPassantSquareStaysOnTheLevelAboveUnlessSomethingRisesOntoIt) {
  InfernoPosition p = after(
      inferno(3, std::string(kDoubleStep) + "|" + kMatedIfToMove + " w -|- - 5 9"), "1a2-1a4");
  EXPECT_EQ(p.fen(), "R3k3/8/8/8/Pp6/8/8/4K3 b - 1a3 0 9");
  p = after(inferno(3, std::string(kDoubleStep) + "|R5k1/5ppp/8/8/8/N7/8/4K3 w -|- - 5 9"),
            "1a2-1a4");
  EXPECT_EQ(p.fen(), "R3k3/8/8/8/Pp6/N7/8/4K3 b - - 0 9");
  p = after(inferno(3, std::string(kDoubleStep) + "|R5k1/5ppp/8/8/8/8/N7/4K3 w -|- - 5 9"),
            "1a2-1a4");
  EXPECT_EQ(p.fen(), "R3k3/8/8/8/Pp6/8/N7/4K3 b - 1a3 0 9") << "the pawn's origin is empty";
  EXPECT_EQ(inferno(3, p.fen()).fen(), p.fen());
}

TEST(Inferno, StalemateConsidersAllLevels) {
  const std::string stuck = "7k/5Q2/8/8/8/8/8/K7";
  EXPECT_EQ(inferno(2, stuck + "|" + stuck + " b -|- - 0 1").outcome(false), Outcome::Stalemate);
  EXPECT_GT(inferno(2, stuck + "|7k/8/8/8/8/8/8/K7 b -|- - 0 1").count_legal_moves(), 0U);
}

TEST(Inferno, InvalidPositionsAreRefusedNamingTheField) {
  const std::string kings = "4k3/8/8/8/8/8/8/4K3";
  EXPECT_EQ(refused_field(2, kings + "|" + kings + "|" + kings + " w -|-|- - 0 1"), "pieces");
  EXPECT_EQ(refused_field(2, kings + "| w -|- - 0 1"), "pieces");
  EXPECT_EQ(refused_field(2, "4k3/8/8/3N4/8/8/8/4K3|" + kings + " w -|- - 0 1"), "pieces")
      << "a knight on the hole";
  EXPECT_EQ(refused_field(2, kings + "|4k3/8/8/3N4/8/8/8/4K3 w -|- - 0 1"),
            "accepted as " + kings + "|4k3/8/8/3N4/8/8/8/4K3 w -|- - 0 1");
  EXPECT_EQ(refused_field(2, "4k3/8/8/8/8/8/8/8|" + kings + " w -|- - 0 1"), "pieces");
  EXPECT_EQ(refused_field(1, "4k3/8/8/8/8/8/8/K3K3 w - - 0 1"), "pieces") << "more than levels";
  EXPECT_EQ(refused_field(2, kings + "|" + kings + " w - - 0 1"), "castling");
  EXPECT_EQ(refused_field(2, kings + "|" + kings + " w -|K - 0 1"), "castling");
  EXPECT_EQ(refused_field(2, kings + "|" + kings + " w -|- e3 0 1"), "en passant");
  EXPECT_EQ(refused_field(2, kings + "|" + kings + " w -|- 3e6 0 1"), "en passant");
  EXPECT_EQ(refused_field(2, kings + "|R5k1/5ppp/8/8/8/8/8/4K3 b -|- - 0 1"), "pieces")
      << "a level is already won";
  EXPECT_EQ(refused_field(2, "R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1").substr(0, 8), "accepted")
      << "the last level is won: the game is over";
  EXPECT_EQ(refused_field(2, kings + "|4k3/8/8/8/8/8/4R3/4K3 w -|- - 0 1").substr(0, 8), "accepted")
      << "a risen king may be in check while the other side moves";
}

TEST(Inferno, ThePictureShowsBoardsSideBySideWithTheirHolesEmpty) {
  const std::string picture = InfernoPosition::start(variant(2)).picture();
  EXPECT_NE(picture.find("5  : .         : .     5  : . : . : . : .\n"), std::string::npos)
      << picture;
}

}  // namespace
}  // namespace faultline
