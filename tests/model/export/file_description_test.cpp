// The descriptions of games of files are enough to encode positions and to number moves.
#include <algorithm>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "model/encoding/attack_planes.h"
#include "model/encoding/encoding_details.h"
#include "model/export/encoding_description.h"
#include "rules/data/known_games.h"
#include "rules/families.h"
#include "tests/model/export/described_games.h"

namespace faultline {
namespace {

class DescriptionOfFile : public testing::TestWithParam<std::string> {};

TEST_P(DescriptionOfFile, IsEnoughForPositionsAndMoves) {
  with_family(parse_variant_name("data:" + GetParam()),
              []<class P>(std::type_identity<P>, const typename P::Variant& variant) {
                const EncodingInfo info = with_attack_planes(Encoder<P>::info(variant));
                test::expect_planes<P>(variant, info, 2, 80);
                test::expect_slots<P>(variant, 60);
              });
}

/// Makes small games known; their names.
std::vector<std::string> own_games() {
  std::vector<std::string> names;
  for (const auto& [name, rest] : std::vector<std::pair<std::string, std::string>>{
           // Squares that are attacked in several ways.
           {"described-bent",
            "base = \"chess\"\n[board]\nwrap = \"files\"\n[pieces]\nN = \"[W?B]\"\nB = "
            "\"[F?R]\"\nK = \"K\"\n[start]\nfen = "
            "\"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1\"\n"},
           {"described-forks",
            "base = \"slanted-standard\"\n[pieces]\nN = \"[F?B]\"\nB = \"nNnA\"\n"},
           // Slides that are limited.
           {"described-slides",
            "base = \"shifting\"\n[board.sectors]\nslide = { undo = false, uses = 5 }\n"}}) {
    const data::LoadedGame loaded = data::load_game_text(
        "format = 1\nname = \"" + name + "\"\n" + rest, name, data::usual_game_folders());
    EXPECT_TRUE(loaded.game) << loaded.errors();
    if (loaded.game) data::offer_game(loaded.game->text, name);
    names.push_back(name);
  }
  return names;
}

class DescriptionOfOwnFile : public testing::TestWithParam<std::string> {};

TEST_P(DescriptionOfOwnFile, HasNothingUndescribed) {
  with_family(parse_variant_name("data:" + GetParam()),
              []<class P>(std::type_identity<P>, const typename P::Variant& variant) {
                const EncodingInfo info = with_attack_planes(Encoder<P>::info(variant));
                EXPECT_EQ(describe_encoding(info).dump().find("undescribed"), std::string::npos);
                test::expect_planes<P>(variant, info, 3, 80);
                test::expect_slots<P>(variant, 60);
              });
}

INSTANTIATE_TEST_SUITE_P(Games, DescriptionOfOwnFile, testing::ValuesIn(own_games()),
                         [](const auto& game) {
                           std::string name = game.param;
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });
INSTANTIATE_TEST_SUITE_P(Games, DescriptionOfFile, testing::ValuesIn(data::shipped_game_names()),
                         [](const auto& game) {
                           std::string name = game.param;
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace faultline
