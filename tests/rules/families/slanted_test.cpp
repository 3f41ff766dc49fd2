// The Slanted Escalator family: links, pieces and every ruling of docs/rules.md.
#include "rules/families/slanted.h"

#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/rules/families/move_texts.h"

namespace faultline {
namespace {

using test::after;
using Names = std::set<std::string>;

const SlantedVariant& variant(const std::string& options) {
  return SlantedPosition::variant(
      parse_variant_name(options.empty() ? "slanted" : "slanted:" + options));
}

SlantedPosition at(const std::string& options, const std::string& fen) {
  return SlantedPosition::from_fen(variant(options), fen);
}

Names names(const SlantedBoard& board, WideBitboard set) {
  Names result;
  for_each_square(set, [&](Square s) { result.insert(board.name(s)); });
  return result;
}

/// The destinations of the piece on `square`.
Names targets(const SlantedPosition& p, const std::string& square) {
  SlantedPosition::MoveList moves;
  p.legal_moves(moves);
  Names result;
  for (const Move m : moves)
    if (p.variant().board().name(m.from()) == square)
      result.insert(p.variant().board().name(m.to()));
  return result;
}

std::string refusal(const std::string& options) {
  return test::refusal<SlantedPosition>("slanted:" + options);
}

bool contains_text(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// The neighbours of a square in one direction, "ab4,bc4".
std::string linked(const SlantedBoard& board, const std::string& square, Direction d) {
  Names result;
  for (const Square to : board.graph().neighbours(board.find(square), d))
    result.insert(board.name(to));
  std::string text;
  for (const std::string& name : result)
    text += (text.empty() ? "" : ",") + name;
  return text;
}

TEST(Slanted, TheBoardsHave84And60And44Squares) {
  EXPECT_EQ(variant("").board().size(), 84U);
  EXPECT_EQ(variant("board=standard").board().size(), 60U);
  EXPECT_EQ(variant("board=mini").board().size(), 44U);
}

TEST(Slanted, StartsAsTheInventorSpecifiesWithCrabs) {
  EXPECT_EQ(SlantedPosition::start(variant("")).fen(),
            "urnbqkbnru/cccccccccc/10/8/8/8/10/CCCCCCCCCC/URNBQKBNRU w KQkq - 0 1");
  EXPECT_EQ(SlantedPosition::start(variant("board=standard")).fen(),
            "rnbqkbnr/cccccccc/8/6/6/8/CCCCCCCC/RNBQKBNR w KQkq - 0 1");
  EXPECT_EQ(SlantedPosition::start(variant("board=mini")).fen(),
            "rnbqkbnr/cccccccc/6/6/CCCCCCCC/RNBQKBNR b KQkq - 0 1")
      << "black moves first on the mini board";
  EXPECT_EQ(SlantedPosition::start(variant("army=sort-of-almost,first=black")).fen(),
            "urnbqkbnru/cccccccccc/10/8/8/8/10/CCCCCCCCCC/URNBMKBNRU b KQkq - 0 1");
  EXPECT_EQ(SlantedPosition::start(variant("army=almost-for-black")).fen(),
            "urnbmkbnru/cccccccccc/10/8/8/8/10/CCCCCCCCCC/URNBQKBNRU w KQkq - 0 1");
}

TEST(Slanted, CanonicalNamesListNonDefaultsInTheOrderOfTheRules) {
  EXPECT_EQ(variant("jumpcheck=off,first=black,army=almost,board=ultra").canonical_name(),
            "slanted:army=almost,first=black,jumpcheck=off");
  EXPECT_EQ(variant("board=mini,first=black").canonical_name(), "slanted:board=mini");
  EXPECT_EQ(variant("board=mini,first=white").canonical_name(), "slanted:board=mini,first=white");
  EXPECT_EQ(&variant("jumpcheck=off"), &variant("jumpcheck=off")) << "one object per name";
}

TEST(Slanted, OptionErrorsStateWhatIsAllowed) {
  EXPECT_TRUE(contains_text(refusal("board=big"), "ultra, standard, mini"));
  EXPECT_TRUE(
      contains_text(refusal("army=none"), "standard, almost, sort-of-almost, almost-for-black"));
  EXPECT_TRUE(contains_text(refusal("first=red"), "white, black"));
  EXPECT_TRUE(contains_text(refusal("jumpcheck=1"), "on, off"));
  EXPECT_TRUE(contains_text(refusal("board=mini,army=almost"), "board=ultra only"));
  EXPECT_TRUE(contains_text(refusal("size=9"), "no option 'size'"));
}

TEST(Slanted, TheSeamIsLinkedAsInTheRules) {
  using enum Direction;
  const SlantedBoard& board = variant("").board();
  EXPECT_EQ(linked(board, "a3", N), "ab4");
  EXPECT_EQ(linked(board, "a3", NE), "ab4");
  EXPECT_EQ(linked(board, "a3", NW), "");
  EXPECT_EQ(linked(board, "b3", N), "ab4,bc4");
  EXPECT_EQ(linked(board, "b3", NW), "ab4");
  EXPECT_EQ(linked(board, "b3", NE), "bc4");
  EXPECT_EQ(linked(board, "c3", N), "bc4,cd4");
  EXPECT_EQ(linked(board, "d3", N), "cd4");
  EXPECT_EQ(linked(board, "d3", NW), "cd4");
  EXPECT_EQ(linked(board, "d3", NE), "e4");
  EXPECT_EQ(linked(board, "e4", SW), "d3");
  EXPECT_EQ(linked(board, "e3", N), "e4");
  EXPECT_EQ(linked(board, "e3", NE), "f4");
  EXPECT_EQ(linked(board, "e3", NW), "");
  EXPECT_EQ(linked(board, "ab4", S), "a3,b3");
  EXPECT_EQ(linked(board, "ab4", SW), "a3");
  EXPECT_EQ(linked(board, "ab4", SE), "b3");
  EXPECT_EQ(linked(board, "j3", N), "ij4");
  EXPECT_EQ(linked(board, "i3", N), "hi4,ij4");
  EXPECT_EQ(linked(board, "g3", NW), "f4");
}

TEST(Slanted, AboveTheEscalatorsTheGridIsOrdinaryAndBarriersHaveNoNeighbours) {
  using enum Direction;
  const SlantedBoard& board = variant("").board();
  EXPECT_EQ(linked(board, "ab6", N), "a7");
  EXPECT_EQ(linked(board, "bc6", N), "b7");
  EXPECT_EQ(linked(board, "cd6", NE), "d7");
  EXPECT_EQ(linked(board, "d7", S), "");
  EXPECT_EQ(linked(board, "d7", SE), "e6");
  EXPECT_EQ(linked(board, "c7", SW), "bc6");
  EXPECT_EQ(linked(board, "cd5", E), "");
  EXPECT_EQ(linked(board, "e5", W), "");
}

TEST(Slanted, KnightsLeapAsInTheRules) {
  const SlantedBoard& board = variant("").board();
  const auto upwards = [&](const std::string& from) {
    Names result;
    for (const std::string& name : names(board, board.tables().knight(board.find(from))))
      if (name.back() == '4') result.insert(name);
    return result;
  };
  EXPECT_EQ(upwards("a2"), (Names{"ab4", "bc4"}));
  EXPECT_EQ(upwards("b2"), (Names{"ab4", "bc4", "cd4"}));
  EXPECT_EQ(upwards("c2"), (Names{"ab4", "bc4", "cd4"}));
  EXPECT_EQ(upwards("d2"), (Names{"bc4", "cd4", "e4"}));
  const Names jumps = names(board, board.tables().knight(board.find("cd5")));
  EXPECT_TRUE(jumps.contains("e4")) << "over the barrier";
  EXPECT_TRUE(jumps.contains("e6"));
}

TEST(Slanted, KnightsLeapsAreSymmetric) {
  for (const std::string options : {"", "board=standard", "board=mini"}) {
    const SlantedBoard& board = variant(options).board();
    for (Square a = 0; a < board.size(); ++a)
      for (Square b = 0; b < board.size(); ++b) {
        EXPECT_EQ(contains(board.tables().knight(a), b), contains(board.tables().knight(b), a))
            << board.name(a) << " " << board.name(b);
        EXPECT_EQ(contains(board.tables().ultra(a), b), contains(board.tables().ultra(b), a))
            << board.name(a) << " " << board.name(b);
      }
  }
}

TEST(Slanted, NoTwoSquaresAreJoinedByTwoLinesWithSomethingBetween) {
  // Checks and pins rely on this: count the paths of every pair.
  for (const std::string options : {"", "board=standard", "board=mini"}) {
    const SlantedBoard& board = variant(options).board();
    for (Square from = 0; from < board.size(); ++from) {
      std::vector<int> paths(board.size());
      for (int d = 0; d < kDirections; ++d) {
        std::vector<std::pair<Square, int>> open{{from, 0}};
        while (!open.empty()) {
          const auto [s, length] = open.back();
          open.pop_back();
          if (length > 1) ++paths[s];
          for (const Square next : board.graph().neighbours(s, static_cast<Direction>(d)))
            open.emplace_back(next, length + 1);
        }
      }
      for (Square to = 0; to < board.size(); ++to)
        EXPECT_LE(paths[to], 1) << board.name(from) << " " << board.name(to);
    }
  }
}

TEST(Slanted, ALineForksAtAnEscalatorsFoot) {
  const auto p = at("", "9k/10/10/8/8/8/10/10/1R7K w - - 0 1");
  const Names rook = targets(p, "b1");
  for (const std::string square : {"b3", "ab4", "ab6", "a9", "bc4", "bc6", "b9"})
    EXPECT_TRUE(rook.contains(square)) << square;
  EXPECT_FALSE(rook.contains("c7"));
}

TEST(Slanted, APieceBelowAForkIsPinnedByBothBranches) {
  // Both rooks attack the king through b2: the rook there may only go where it blocks both.
  const auto p = at("", "9k/10/10/1r6/r7/8/10/1R8/1K8 w - - 0 1");
  EXPECT_EQ(targets(p, "b2"), (Names{"b3"}));
}

TEST(Slanted, OneSquareBelowAForkBlocksTwoChecks) {
  const auto p = at("", "9k/10/10/1r6/r7/8/10/4R5/1K8 w - - 0 1");
  EXPECT_TRUE(p.in_check());
  EXPECT_EQ(targets(p, "e2"), (Names{"b2"}));
}

TEST(Slanted, CrabsStepStraightAndDiagonallyAndCaptureDiagonally) {
  const auto p = at("", "9k/10/10/8/8/8/2c7/1C8/9K w - - 0 1");
  EXPECT_EQ(targets(p, "b2"), (Names{"a3", "b3", "c3", "ab4", "bc4"}));
  const auto blocked = at("", "9k/10/10/8/8/8/1c8/1C8/9K w - - 0 1");
  EXPECT_EQ(targets(blocked, "b2"), (Names{"a3", "c3"})) << "no capture straight ahead";
}

TEST(Slanted, ADoubleStepForksButNotOnTheMiniBoard) {
  EXPECT_TRUE(SlantedPosition::start(variant("")).parse_move("b2ab4"));
  EXPECT_TRUE(SlantedPosition::start(variant("")).parse_move("b2bc4"));
  EXPECT_EQ(targets(SlantedPosition::start(variant("board=mini,first=white")), "b2"),
            (Names{"ab3", "bc3"}));
}

TEST(Slanted, ADoubleStepAtAForkIsTakenOnTheSquarePassedWhicheverBranchItTook) {
  // The captured crab is on whichever of ab4 and bc4 holds an enemy crab.
  auto p = at("", "9k/10/10/8/8/1c6/10/1C8/9K w - - 0 1");
  p = after(p, {"b2ab4"});
  EXPECT_EQ(p.fen(), "9k/10/10/8/8/Cc6/10/10/9K b - b3 0 1");
  EXPECT_EQ(after(p, {"bc4b3"}).fen(), "9k/10/10/8/8/8/1c8/10/9K w - - 0 2");
  p = after(at("", "9k/10/10/8/8/c7/10/1C8/9K w - - 0 1"), {"b2bc4", "ab4b3"});
  EXPECT_EQ(p.fen(), "9k/10/10/8/8/8/1c8/10/9K w - - 0 2");
}

TEST(Slanted, AStepOntoTheSquarePassedOverIsNeverQuiet) {
  // bc4 reaches b3 straight and diagonally: one move, and it captures.
  const auto p = at("", "9k/10/10/8/8/Cc6/10/10/9K b - b3 0 1");
  SlantedPosition::MoveList moves;
  p.legal_moves(moves);
  int onto = 0;
  for (const Move m : moves)
    if (p.move_text(m) == "bc4b3") {
      ++onto;
      EXPECT_EQ(m.kind(), MoveKind::EnPassant);
    }
  EXPECT_EQ(onto, 1);
}

TEST(Slanted, UltrasGoOneOrTwoLinksOverAnything) {
  const auto p = at("", "9k/10/10/8/8/8/10/CC8/UB7K w - - 0 1");
  EXPECT_EQ(targets(p, "a1"), (Names{"a3", "c1", "c3"}));
}

TEST(Slanted, UltrasCrossBarriersSidewaysOnly) {
  const SlantedBoard& board = variant("").board();
  const auto reach = [&](const std::string& from) {
    return names(board, board.tables().ultra(board.find(from)));
  };
  EXPECT_TRUE(reach("cd6").contains("e6"));
  EXPECT_TRUE(reach("f6").contains("gh6"));
  EXPECT_TRUE(reach("cd4").contains("e4"));
  EXPECT_FALSE(reach("cd5").contains("e6"));
  EXPECT_FALSE(reach("cd5").contains("f5")) << "two links, the barrier being one";
  EXPECT_FALSE(reach("bc5").contains("e5"));
}

TEST(Slanted, WithoutJumpcheckAPieceBetweenStopsAnUltrasCheck) {
  const std::string fen = "9k/10/10/8/8/8/2u7/1N8/K9 w - - 0 1";
  EXPECT_TRUE(at("", fen).in_check());
  const auto off = at("jumpcheck=off", fen);
  EXPECT_FALSE(off.in_check());
  EXPECT_EQ(targets(off, "b2"), (Names{})) << "the knight is pinned";
  // It may be answered by interposing a piece; over a barrier nothing blocks it.
  const auto open = at("jumpcheck=off", "9k/10/10/8/8/8/2u7/7R2/K9 w - - 0 1");
  EXPECT_TRUE(open.in_check());
  EXPECT_EQ(targets(open, "h2"), (Names{"b2"}));
  const SlantedBoard& board = off.variant().board();
  EXPECT_FALSE(any(board.tables().ultra_obstacles(board.find("cd6"), board.find("e6"))));
}

TEST(Slanted, CastlingOnTheUltraBoardIsCheckedAgainAfterTheRooksMove) {
  const auto p = at("", "u8k/10/10/8/8/8/10/CCCCCCCCCC/1R3K2R1 w KQ - 0 1");
  EXPECT_EQ(targets(p, "f1"), (Names{"d1", "e1", "g1", "h1"}));
  EXPECT_EQ(after(p, {"f1h1"}).fen(), "u8k/10/10/8/8/8/10/CCCCCCCCCC/1R4RK2 b - - 1 1");
  EXPECT_EQ(after(p, {"f1d1"}).fen(), "u8k/10/10/8/8/8/10/CCCCCCCCCC/3KR3R1 b - - 1 1");
  // A rook on a1 attacks d1 once the castling rook has left b1.
  const auto uncovered = at("", "9k/10/10/8/8/8/10/CCCCCCCCCC/rR3K2R1 w KQ - 0 1");
  EXPECT_FALSE(targets(uncovered, "f1").contains("d1"));
  EXPECT_TRUE(targets(uncovered, "f1").contains("h1"));
}

TEST(Slanted, CrabsPromoteToTheirArmysPieces) {
  const auto promotions = [](const std::string& options, Colour c) {
    std::string letters;
    for (const PieceType t : variant(options).promotions(c))
      letters += piece_letter({t, Colour::Black});
    return letters;
  };
  EXPECT_EQ(promotions("", Colour::White), "qurbn");
  EXPECT_EQ(promotions("army=almost", Colour::Black), "murbn");
  EXPECT_EQ(promotions("army=sort-of-almost", Colour::White), "murbn");
  EXPECT_EQ(promotions("army=sort-of-almost", Colour::Black), "qurbn");
  EXPECT_EQ(promotions("board=standard", Colour::White), "qrbn");
}

TEST(Slanted, TheFullMoveNumberGrowsAfterTheSecondPlayersTurn) {
  const auto p = after(SlantedPosition::start(variant("board=mini")), {"a5ab4"});
  EXPECT_EQ(p.full_move_number(), 1);
  EXPECT_EQ(after(p, {"a2ab3"}).full_move_number(), 2);
}

TEST(Slanted, TheParserRefusesWhatTheVariantDoesNotHave) {
  const auto refused = [](const std::string& options, const std::string& fen) {
    try {
      at(options, fen);
      return false;
    } catch (const FenError&) {
      return true;
    }
  };
  EXPECT_FALSE(refused("", "9k/10/10/8/8/8/10/10/U8K w - - 0 1"));
  EXPECT_TRUE(refused("", "9k/10/10/8/8/8/10/10/M8K w - - 0 1")) << "a chancellor";
  EXPECT_TRUE(refused("army=almost", "9k/10/10/8/8/8/10/10/Q8K w - - 0 1")) << "a queen";
  EXPECT_TRUE(refused("army=sort-of-almost", "m8k/10/10/8/8/8/10/10/9K w - - 0 1"));
  EXPECT_FALSE(refused("army=sort-of-almost", "9k/10/10/8/8/8/10/10/M8K w - - 0 1"));
  EXPECT_TRUE(refused("board=standard", "7k/8/8/6/6/8/8/U6K w - - 0 1")) << "an ultra";
  EXPECT_TRUE(refused("", "9k/10/10/10/8/8/10/10/9K w - - 0 1")) << "an escalator rank has eight";
  EXPECT_TRUE(refused("board=mini", "7k/8/6/1c4/1C6/7K w - b4 0 1"))
      << "no double steps on this board";
  EXPECT_TRUE(refused("", "9k/10/10/8/8/8/10/10/4K5 w K - 0 1")) << "castling without a rook";
  EXPECT_TRUE(refused("", "9k/10/10/8/8/8/10/10/9K w - d4 0 1")) << "a barrier";
}

TEST(Slanted, PicturesAreSlanted) {
  const std::string picture = SlantedPosition::start(variant("")).picture();
  EXPECT_TRUE(contains_text(picture,
                            "5   .   .   .       .   .       .   .   .\n"
                            "4     .   .   .     .   .     .   .   .\n"))
      << picture;
  EXPECT_TRUE(contains_text(picture, "3   .   .   .   .   .   .   .   .   .   .\n")) << picture;
}

}  // namespace
}  // namespace faultline
