// Golden positions show what a reader of encoding.json may get wrong: every plane and kind of move.
#include "model/export/golden_positions.h"

#include <algorithm>
#include <cstddef>
#include <set>
#include <span>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "model/export/export_options.h"
#include "tests/families.h"
#include "tests/model/export/networks_to_export.h"

namespace faultline {
namespace {

/// The default and one other option set, if there is one.
template <class P>
std::vector<std::string> two_option_sets() {
  std::vector<std::string> names = test::option_sets<P>();
  names.resize(std::min<std::size_t>(names.size(), 2));
  return names;
}

template <class P>
class GoldenPositions : public testing::Test {};
TYPED_TEST_SUITE(GoldenPositions, test::EveryFamily);

TYPED_TEST(GoldenPositions, LightEveryPlaneAndHaveMovesOfEveryKind) {
  for (const std::string& name : test::option_sets<TypeParam>()) {
    const ExportSource source = test::source_to_export(name);
    const EncodingInfo& encoding = source.info.encoding;
    const auto cells = static_cast<std::size_t>(encoding.cells());
    std::set<std::string> missing(encoding.planes.begin(), encoding.planes.end());
    missing.insert(encoding.policy_kinds.begin(), encoding.policy_kinds.end());
    const auto positions = test::positions_to_export(source, 256);
    EXPECT_GE(positions.size(), 256U);
    for (const GoldenPosition& position : positions) {
      for (std::size_t plane = 0; plane < encoding.planes.size(); ++plane)
        if (std::ranges::any_of(std::span(position.planes).subspan(plane * cells, cells),
                                [](float value) { return value != 0.0F; }))
          missing.erase(encoding.planes[plane]);
      for (const std::int64_t slot : position.slots)
        missing.erase(
            encoding.policy_kinds[static_cast<std::size_t>(slot) % encoding.policy_kinds.size()]);
    }
    std::string m;
    for (const auto& x : missing)
      m += x + "; ";
    std::cout << name << " " << positions.size() << " missing " << m << "\n";
    EXPECT_EQ(missing, std::set<std::string>()) << name;
  }
}

}  // namespace
}  // namespace faultline
