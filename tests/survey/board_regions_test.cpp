// Partitions of boards.
#include "survey/board_regions.h"

#include <algorithm>
#include <set>
#include <string>
#include <type_traits>

#include <gtest/gtest.h>

#include "rules/families.h"
#include "survey/families.h"

namespace faultline {
namespace {

/// The region's name of a piece of `colour` on a square of a variant.
std::string region(const std::string& variant, Colour colour, const std::string& square) {
  return with_family(parse_variant_name(variant),
                     [&]<Position P>(std::type_identity<P>, const typename P::Variant& v) {
                       const auto& names = P::graph(v).names();
                       const auto at = std::ranges::find(names, square) - names.begin();
                       const BoardRegions regions = survey_regions<P>(v);
                       return regions.names.at(regions.region(colour, static_cast<Square>(at)));
                     });
}

TEST(BoardRegions, AreHalvesAsEachSideSeesThem) {
  EXPECT_EQ(region("chess", Colour::White, "a4"), "own half");
  EXPECT_EQ(region("chess", Colour::White, "a5"), "enemy half");
  EXPECT_EQ(region("chess", Colour::Black, "h4"), "enemy half");
  EXPECT_EQ(region("chess", Colour::Black, "h5"), "own half");
}

TEST(BoardRegions, HaveARankBetweenHalvesOfUnequalNumbers) {
  EXPECT_EQ(region("gardner", Colour::White, "c2"), "own half");
  EXPECT_EQ(region("gardner", Colour::White, "c3"), "middle rank");
  EXPECT_EQ(region("gardner", Colour::Black, "c3"), "middle rank");
  EXPECT_EQ(region("gardner", Colour::Black, "c4"), "own half");
}

TEST(BoardRegions, AreTheFamilysOwnPartsWhereItHasSome) {
  EXPECT_EQ(region("inferno:levels=3", Colour::Black, "1e4"), "level 1, outermost");
  EXPECT_EQ(region("inferno:levels=3", Colour::White, "3e4"), "level 3");
  EXPECT_EQ(region("inferno:levels=1", Colour::White, "1e4"), "own half");
  EXPECT_EQ(region("escher", Colour::White, "c5"), "on a staircase");
  EXPECT_EQ(region("escher", Colour::White, "d5"), "elsewhere");
  EXPECT_EQ(region("slanted", Colour::White, "ab4"), "on an escalator");
  EXPECT_EQ(region("slanted", Colour::White, "e4"), "elsewhere");
}

TEST(BoardRegions, CoverEverySquareOfEveryFamily) {
  for (const FamilyInfo* family : all_families())
    with_family(parse_variant_name(family->name),
                [&]<Position P>(std::type_identity<P>, const typename P::Variant& v) {
                  const BoardRegions regions = survey_regions<P>(v);
                  const std::size_t squares = P::graph(v).size();
                  for (const auto& of : regions.of) {
                    ASSERT_EQ(of.size(), squares) << family->name;
                    const std::set<std::uint8_t> used(of.begin(), of.end());
                    EXPECT_EQ(used.size(), regions.names.size()) << family->name;
                    EXPECT_LT(*used.rbegin(), regions.names.size()) << family->name;
                  }
                });
}

}  // namespace
}  // namespace faultline
