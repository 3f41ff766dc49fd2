// Golden positions show what a reader of encoding.json may get wrong: every plane and kind of move.
#include "model/export/golden_positions.h"

#include <algorithm>
#include <cstddef>
#include <set>
#include <span>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "model/export/bundle_writer.h"
#include "model/export/export_options.h"
#include "tests/model/export/networks_to_export.h"

namespace faultline {
namespace {

struct OptionSet {
  std::string variant;
  std::set<std::string> never;  // planes that cannot be lit, kinds that no move can have
  std::string reason;
};

/// The default of every family and, where there is one, another option set.
const std::vector<OptionSet> kOptionSets = {
    {"chess", {}, ""},
    {"escher", {}, ""},
    {"slanted",
     {"own chancellor", "enemy chancellor", "promote-chancellor"},
     "no army of this option set has chancellors"},
    {"slanted:army=sort-of-almost", {}, ""},
    {"earthquake",
     {"dy / 8", "own aftershocks left / 8", "enemy aftershocks left / 8", "last shift / 8"},
     "dy is 0 for good, and there are no aftershocks"},
    {"earthquake:dx=8,dy=3,aftershock=3,shock=4", {}, ""},
    {"earthquake:shock=2,every=2,axis=both", {}, ""},
    {"inferno", {}, ""},
    {"inferno:levels=1", {"descent"}, "there is no deeper level"},
    {"shifting", {}, ""},
    {"shifting:gaps=AII+AIII", {}, ""},
    {"gardner", {}, ""}};

/// Names of the planes and kinds that no position shows.
std::set<std::string> missing_in(const std::vector<GoldenPosition>& positions,
                                 const EncodingInfo& encoding) {
  std::set<std::string> missing(encoding.planes.begin(), encoding.planes.end());
  missing.insert(encoding.policy_kinds.begin(), encoding.policy_kinds.end());
  const auto cells = static_cast<std::size_t>(encoding.cells());
  for (const GoldenPosition& position : positions) {
    for (std::size_t plane = 0; plane < encoding.planes.size(); ++plane)
      if (std::ranges::any_of(std::span(position.planes).subspan(plane * cells, cells),
                              [](float value) { return value != 0.0F; }))
        missing.erase(encoding.planes[plane]);
    for (const std::int64_t slot : position.slots)
      missing.erase(
          encoding.policy_kinds[static_cast<std::size_t>(slot) % encoding.policy_kinds.size()]);
  }
  return missing;
}

TEST(GoldenPositions, LightEveryPlaneAndHaveMovesOfEveryKind) {
  std::set<std::string> complete;
  for (const auto& [variant, never, reason] : kOptionSets) {
    const ExportSource source = test::source_to_export(variant);
    const auto positions = test::positions_to_export(source, kGoldenPositions);
    EXPECT_GE(positions.size(), kGoldenPositions) << variant;
    EXPECT_EQ(missing_in(positions, source.info.encoding), never) << variant << ": " << reason;
    if (never.empty()) complete.insert(source.info.encoding.family);
  }
  for (const FamilyInfo* family : all_families())
    EXPECT_TRUE(complete.contains(family->name))
        << family->name << " needs an option set without exceptions";
}

TEST(GoldenPositions, AreDifferentAndTheSameEachTime) {
  const ExportSource source = test::source_to_export("inferno");
  const auto positions = test::positions_to_export(source, kGoldenPositions);
  const auto again = test::positions_to_export(source, kGoldenPositions);
  ASSERT_EQ(positions.size(), again.size());
  std::set<std::string> different;
  for (std::size_t i = 0; i < positions.size(); ++i) {
    EXPECT_EQ(to_json(positions[i], source.info.encoding), to_json(again[i], source.info.encoding));
    different.insert(positions[i].fen + " " + std::to_string(positions[i].repetitions));
  }
  EXPECT_EQ(different.size(), positions.size());
}

}  // namespace
}  // namespace faultline
