// The descriptions are enough to encode positions and to number moves.
#include "model/export/encoding_description.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "model/encoding/attack_planes.h"
#include "model/encoding/encoders.h"
#include "model/export/bundle.h"
#include "model/export/export_options.h"
#include "model/export/plane_source.h"
#include "tests/families.h"
#include "tests/model/export/described_games.h"

namespace faultline {
namespace {

template <class P>
class EncodingDescription : public testing::Test {};
TYPED_TEST_SUITE(EncodingDescription, test::EveryFamily);

TYPED_TEST(EncodingDescription, IsEnoughToEncodePositionsFromTheirFens) {
  using P = TypeParam;
  for (const std::string& name : test::option_sets<P>()) {
    const auto& variant = test::variant<P>(name);
    test::expect_planes<P>(variant, with_attack_planes(Encoder<P>::info(variant)), 3, 150);
  }
}

TYPED_TEST(EncodingDescription, IsEnoughToNumberMovesByTheirTexts) {
  using P = TypeParam;
  for (const std::string& name : test::option_sets<P>())
    test::expect_slots<P>(test::variant<P>(name), 100);
}

TYPED_TEST(EncodingDescription, GivesTheEncodingBack) {
  using P = TypeParam;
  for (const std::string& name : test::option_sets<P>()) {
    const EncodingInfo& info = Encoder<P>::info(test::variant<P>(name));
    for (const EncodingInfo& either : {info, with_attack_planes(info)})
      EXPECT_EQ(encoding_from_description(describe_encoding(either)), either) << name;
  }
}

TEST(EncodingDescriptions, RefuseAnotherEncodingOfTheVariant) {
  EncodingInfo other = Encoder<ChessPosition>::info({});
  other.version += 1;
  EXPECT_THROW(describe_encoding(other), ExportError);
}

TEST(PlaneSources, RefuseANameThatTheVocabularyDoesNotHave) {
  EXPECT_THROW(describe_plane("own dragon", {}), ExportError);
  EXPECT_THROW(describe_plane("", {}), ExportError);
  EXPECT_THROW(describe_plane("level 1", {}), ExportError);
  EXPECT_EQ(describe_plane("level 2: own king", {}).at("source").at("level"), 2);
}

}  // namespace
}  // namespace faultline
