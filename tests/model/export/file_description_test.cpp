// The descriptions of games of files are enough to encode positions and to number moves.
#include <algorithm>
#include <string>
#include <type_traits>

#include <gtest/gtest.h>

#include "model/encoding/attack_planes.h"
#include "model/encoding/encoding_details.h"
#include "rules/data/known_games.h"
#include "rules/families.h"
#include "tests/model/export/described_games.h"

namespace faultline {
namespace {

class DescriptionOfFile : public testing::TestWithParam<std::string> {};

TEST_P(DescriptionOfFile, IsEnoughForPositionsAndMoves) {
  with_family(parse_variant_name("data:" + GetParam()),
              []<class P>(std::type_identity<P>, const typename P::Variant& variant) {
                // Planes of attacks, unless a piece attacks a square in several ways.
                const EncodingInfo& plain = Encoder<P>::info(variant);
                const EncodingInfo& info = Encoder<P>::details(variant).attacks.empty()
                                               ? plain
                                               : with_attack_planes(plain);
                test::expect_planes<P>(variant, info, 2, 80);
                test::expect_slots<P>(variant, 60);
              });
}

INSTANTIATE_TEST_SUITE_P(Games, DescriptionOfFile, testing::ValuesIn(data::shipped_game_names()),
                         [](const auto& game) {
                           std::string name = game.param;
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace faultline
