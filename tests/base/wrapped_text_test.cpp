// Lines of a given width, and what fits into one.
#include "base/wrapped_text.h"

#include <gtest/gtest.h>

namespace faultline {
namespace {

TEST(Wrapped, BreaksBetweenWordsAndIndentsWhatFollows) {
  EXPECT_EQ(wrapped("  --games INT  games of the match\n", 20, 4),
            "  --games INT  games\n    of the match\n");
  EXPECT_EQ(wrapped("fits", 4), "fits");
  EXPECT_EQ(wrapped("a unbreakable", 5), "a\nunbreakable");
  EXPECT_EQ(wrapped("a=1,b=2,c=3", 8, 1), "a=1,\n b=2,c=3");
  EXPECT_EQ(wrapped("\n\na\n", 5), "\n\na\n");
  EXPECT_EQ(wrapped("ä ö ü é", 7), "ä ö ü é");  // columns, not bytes
}

TEST(Wrapped, ParagraphsAreFilledAndExamplesContinued) {
  EXPECT_EQ(wrapped_paragraphs("one two\nthree\n\nExamples:\n  faultline match a b", 15),
            "one two three\n\nExamples:\n  faultline \\\n      match a b");
  EXPECT_EQ(wrapped_paragraphs("  play 'a b c d' e", 14), "  play \\\n      'a b c d' \\\n      e");
}

TEST(Fitting, DropsWholePartsAndCutsOnlyTheFirst) {
  EXPECT_EQ(fitting({"1 of 9", ", a long part", ", 5 s"}, 12), "1 of 9, 5 s");
  EXPECT_EQ(fitting({"äöü"}, 2), "äö");
}

}  // namespace
}  // namespace faultline
