// The last move on the text boards of the families.
#include "analysis/marked_board.h"

#include <string>

#include <gtest/gtest.h>

namespace faultline {
namespace {

TEST(MarkedBoard, ShowsWhatTheMoveHasLeftAndReached) {
  const std::string before = "2  P P P\n1  K . R\n   a b c\n",
                    after = "2  P . P\n1  . K R\n   a b c\n";
  EXPECT_EQ(marked_board(before, after, BoardMarks::Brackets), "2  P[.]P\n1 [.|K]R\n   a b c\n");
  EXPECT_EQ(marked_board("1  K .\n", "1  . K\n", BoardMarks::Colour),
            "1  \x1b[30;43m.\x1b[0m \x1b[30;43mK\x1b[0m\n");
  EXPECT_EQ(marked_board(before, after, BoardMarks::None), after);
}

TEST(MarkedBoard, EnclosesArrowsAndLeavesOtherTextAlone) {
  EXPECT_EQ(marked_board("1  R↑   .\n", "1  .↑   R\n", BoardMarks::Brackets), "1 [.↑] [R]\n");
  EXPECT_EQ(marked_board("left: white 1\n", "left: white 0\n", BoardMarks::Brackets),
            "left: white 0\n");
  EXPECT_EQ(marked_board("1  R\n", "1  R\n2  .\n", BoardMarks::Brackets), "1  R\n2  .\n");
}

}  // namespace
}  // namespace faultline
