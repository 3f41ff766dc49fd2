// faultline.h: the library, families and variants.
#include <set>
#include <string>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/library/handles.h"

namespace faultline {
namespace {

using test::last_error;
using test::variant;
using testing::HasSubstr;
using testing::StrEq;

TEST(Library, HasTheVersionOfTheProject) {
  EXPECT_STREQ(faultline_version(), FAULTLINE_PROJECT_VERSION);
}

TEST(Library, KeepsAnErrorForEachThread) {
  ASSERT_EQ(faultline_variant_find("ches"), nullptr);
  EXPECT_EQ(faultline_last_error_code(), FAULTLINE_ERROR_VARIANT);
  std::thread([] {
    EXPECT_STREQ(faultline_last_error(), "");
    EXPECT_EQ(faultline_last_error_code(), FAULTLINE_OK);
    EXPECT_EQ(faultline_position_moves(nullptr), FAULTLINE_ERROR_ARGUMENT);
    EXPECT_THAT(last_error(), StrEq("'position' is a null pointer"));
  }).join();
  EXPECT_NE(faultline_variant_find("chess"), nullptr);
  EXPECT_THAT(last_error(), HasSubstr("unknown family 'ches'")) << "success leaves it";
}

TEST(LibraryVariants, ListsFamiliesWithTheirOptions) {
  std::string families;
  std::set<std::string> options;
  for (std::size_t i = 0; i < faultline_family_count(); ++i) {
    const std::string family = faultline_family_name(i);
    families += (families.empty() ? "" : " ") + family;
    EXPECT_STRNE(faultline_family_inventor(i), "");
    EXPECT_STRNE(faultline_family_summary(i), "");
    for (std::size_t k = 0; k < faultline_option_count(i); ++k) {
      options.insert(family + ":" + faultline_option_name(i, k) + "=" +
                     faultline_option_default(i, k));
      EXPECT_STRNE(faultline_option_allowed(i, k), "");
      EXPECT_STRNE(faultline_option_help(i, k), "");
    }
  }
  EXPECT_EQ(families, FAULTLINE_FAMILIES);
  EXPECT_TRUE(options.contains("inferno:levels=5"));
  EXPECT_TRUE(options.contains("earthquake:fly=off"));
  for (const std::string& option : options)
    EXPECT_NE(faultline_variant_find(option.c_str()), nullptr) << last_error();
}

TEST(LibraryVariants, SaysWhichFamiliesAndOptionsThereAre) {
  const std::size_t none = faultline_family_count();
  EXPECT_EQ(faultline_family_name(none), nullptr);
  EXPECT_THAT(last_error(), HasSubstr("there is no family " + std::to_string(none) +
                                      "; they are numbered 0 to " + std::to_string(none - 1)));
  EXPECT_EQ(faultline_option_count(none), 0U);
  EXPECT_EQ(faultline_option_name(0, 0), nullptr);
  EXPECT_THAT(last_error(), HasSubstr("'chess' has 0 options, no option 0"));
}

TEST(LibraryVariants, AreFoundByEveryNameTheyHave) {
  const faultline_variant* const found = variant("earthquake:dy=1,fly=off,dx=2");
  EXPECT_STREQ(faultline_variant_name(found), "earthquake:dx=2,dy=1");
  EXPECT_STREQ(faultline_variant_family(found), "earthquake");
  EXPECT_STRNE(faultline_variant_summary(found), "");
  EXPECT_EQ(found, variant("earthquake:dx=2,dy=1"));
  EXPECT_NE(found, variant("earthquake"));
  EXPECT_STREQ(faultline_variant_start_fen(variant("escher")),
               "rnbkqbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1");
}

TEST(LibraryVariants, SayWhatIsWrongWithAName) {
  EXPECT_EQ(faultline_variant_find("inferno:levels=9"), nullptr);
  EXPECT_EQ(faultline_last_error_code(), FAULTLINE_ERROR_VARIANT);
  EXPECT_THAT(last_error(), HasSubstr("1 to 6"));
  EXPECT_EQ(faultline_variant_find(""), nullptr);
  EXPECT_EQ(faultline_last_error_code(), FAULTLINE_ERROR_VARIANT);
  EXPECT_EQ(faultline_variant_find(nullptr), nullptr);
  EXPECT_EQ(faultline_last_error_code(), FAULTLINE_ERROR_ARGUMENT);
}

TEST(LibraryVariants, DescribeWhatNetworksSee) {
  const faultline_variant* const slanted = variant("slanted");
  EXPECT_EQ(faultline_variant_height(slanted), 9U);
  EXPECT_EQ(faultline_variant_width(slanted), 10U);
  const std::size_t planes = faultline_variant_planes(slanted);
  EXPECT_GT(planes, 12U);
  EXPECT_STREQ(faultline_variant_plane_name(slanted, 0), "own crab");
  EXPECT_EQ(faultline_variant_attack_planes(slanted), 4U);
  EXPECT_STREQ(faultline_variant_plane_name(slanted, planes), "own attacks");
  EXPECT_EQ(faultline_variant_plane_name(slanted, planes + 4), nullptr);
  EXPECT_THAT(last_error(), HasSubstr("there is no plane"));
  EXPECT_GT(faultline_variant_slots(slanted), 90 * 90);
  EXPECT_EQ(faultline_variant_planes(nullptr), 0U);
  EXPECT_EQ(faultline_variant_attack_planes(nullptr), 0U);
  EXPECT_EQ(faultline_variant_attack_planes(variant("inferno:levels=3")), 12U);
  EXPECT_EQ(faultline_variant_slots(nullptr), 0);
}

}  // namespace
}  // namespace faultline
