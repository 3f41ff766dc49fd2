// What `faultline variants NAME` prints for a variant: nothing that its options rule out.
#include <string>

#include <gtest/gtest.h>

#include "tests/families.h"

namespace faultline::test {
namespace {

/// The whole description as one text.
template <class P>
std::string said(const std::string& name) {
  const VariantDescription about = P::describe(variant<P>(name));
  std::string text = about.summary + "\n";
  for (const std::string& ruling : about.rulings)
    text += ruling + "\n";
  return text + about.move_examples;
}

bool mentions(const std::string& text, const std::string& word) {
  return text.find(word) != std::string::npos;
}

TEST(Descriptions, OfEarthquakeFollowItsOptions) {
  for (const std::string& name : option_sets<EarthquakePosition>()) {
    const EarthquakeVariant& v = variant<EarthquakePosition>(name);
    const std::string text = said<EarthquakePosition>(name);
    EXPECT_EQ(mentions(text, "aftershock"), v.shifts()) << name;
    EXPECT_EQ(mentions(text, "@"), v.shifts()) << name;
    EXPECT_EQ(mentions(text, "@-2"), v.shifts() && v.shock() >= 2) << name;
    EXPECT_EQ(mentions(text, "@^1"), v.shifts_by_ranks()) << name;
    EXPECT_EQ(mentions(text, "pass over"), v.fly()) << name;
    EXPECT_EQ(mentions(text, "blocks riders"), !v.fly()) << name;
    EXPECT_EQ(mentions(text, "cover the upper ones"), v.can_cover()) << name;
  }
}

TEST(Descriptions, OfSlantedBoardsFollowTheirPieces) {
  for (const std::string& name : option_sets<SlantedPosition>()) {
    const SlantedVariant& v = variant<SlantedPosition>(name);
    const std::string text = said<SlantedPosition>(name);
    const bool ultra = v.board().shape() == SlantedShape::Ultra;
    const bool mini = v.board().shape() == SlantedShape::Mini;
    EXPECT_EQ(mentions(text, "ultra"), ultra) << name;
    EXPECT_EQ(mentions(text, "chancellor"), v.army() != SlantedArmy::Standard) << name;
    EXPECT_EQ(mentions(text, "a queen"), v.army() != SlantedArmy::Almost) << name;
    EXPECT_EQ(mentions(text, "en passant capture"), !mini) << name;
    EXPECT_EQ(mentions(text, "over a piece between"), ultra && !v.jump_check()) << name;
    // The fork given as an example exists on this board.
    const std::size_t at = text.find("Square ");
    ASSERT_NE(at, std::string::npos) << name;
    EXPECT_NE(v.board().find(text.substr(at + 7, 3)), kNoSquare) << name;
  }
}

TEST(Descriptions, OfInfernoFollowItsLevels) {
  for (const std::string& name : option_sets<InfernoPosition>()) {
    const auto& [levels, colours_listed] = variant<InfernoPosition>(name);
    const std::string text = said<InfernoPosition>(name);
    EXPECT_EQ(mentions(text, "of either colour"), colours_listed) << name;
    EXPECT_EQ(mentions(text, "descen"), levels > 1) << name;
    EXPECT_EQ(mentions(text, "rises"), levels > 1) << name;
  }
  EXPECT_TRUE(mentions(said<InfernoPosition>("inferno"), "Five chessboards"));
  EXPECT_TRUE(mentions(said<InfernoPosition>("inferno:levels=6"), "Six chessboards"));
}

}  // namespace
}  // namespace faultline::test
