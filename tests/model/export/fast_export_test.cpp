// Fast networks for other programs: what is in their files, and what a check of them finds.
#include "model/export/fast_export.h"

#include <cstddef>
#include <functional>
#include <set>
#include <string>
#include <type_traits>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "model/export/export_options.h"
#include "model/export/safetensors.h"
#include "model/fast/fast_encoder.h"
#include "model/fast/fast_file.h"
#include "rules/families.h"
#include "tests/model/export/networks_to_export.h"

namespace faultline {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// Every family, and boards that move otherwise.
std::vector<std::string> variants() {
  std::vector<std::string> names = test::families_to_export();
  for (const char* name :
       {"earthquake:dx=3,aftershock=2", "earthquake:every=2,axis=both", "slanted:board=mini",
        "slanted:army=sort-of-almost", "data:minixiangqi", "data:crazyhouse"})
    names.emplace_back(name);
  return names;
}

/// The file with one text of its metadata changed.
std::string changed(const FastNetwork& network, const std::string& key,
                    const std::function<void(nlohmann::json&)>& change) {
  ExportMetadata metadata = read_safetensors(write_fast_export(network), "file").metadata;
  auto json = nlohmann::json::parse(metadata.at(key));
  change(json);
  metadata[key] = json.dump();
  return fast_network_file(network, metadata);
}

/// Without whose view of the board it is, where the sides have inputs of their own.
std::string without_view(const std::string& group) {
  const std::size_t colon = group.find(": ");
  return colon == std::string::npos ? group : group.substr(colon + 2);
}

/// The names of the groups that have an input in one of the positions.
std::set<std::string> lit_groups(const FastNetwork& network,
                                 const std::vector<FastGolden>& positions) {
  std::vector<std::string> names;  // by input
  for (const FastInputGroup& group : network.layout.groups)
    names.insert(names.end(), static_cast<std::size_t>(group.size), without_view(group.name));
  std::set<std::string> lit;
  with_family(parse_variant_name(network.variant),
              [&]<class P>(std::type_identity<P>, const typename P::Variant& variant) {
                for (const FastGolden& golden : positions)
                  for (const Colour view : {Colour::White, Colour::Black}) {
                    std::vector<std::uint16_t> inputs;
                    FastEncoder<P>::inputs(P::from_fen(variant, golden.fen), view, false, inputs);
                    for (const std::uint16_t input : inputs)
                      lit.insert(names.at(input));
                  }
              });
  return lit;
}

TEST(FastExport, IsGoodInEveryFamilyAndReadAsTheNetwork) {
  for (const std::string& variant : variants()) {
    const FastNetwork network = test::fast_network_to_export(variant);
    const std::string bytes = write_fast_export(network);
    EXPECT_EQ(read_fast_network(bytes, "file"), network) << variant;
    EXPECT_TRUE(is_fast_export(bytes));
    const FastExportCheck check = check_fast_export(bytes);
    EXPECT_THAT(check.faults, IsEmpty()) << variant;
    EXPECT_GE(check.positions, kFastGoldenPositions) << variant;
  }
}

TEST(FastExport, HasInputsOfTheDocumentedTermsAlone) {
  std::set<std::string> terms;
  for (const std::string& variant : variants()) {
    const auto evaluation = describe_fast_network(test::fast_network_to_export(variant));
    for (const auto& group : evaluation["inputs"])
      terms.insert(group["source"]["term"]);
  }
  EXPECT_THAT(terms, ElementsAre("fen-number", "hand", "levels", "missing-squares", "piece"));
}

TEST(FastExport, OfAGameOfFewPositionsHasAll) {
  const FastNetwork network = test::fast_network_to_export(test::game_of_plies(2));
  const FastExportCheck check = check_fast_export(write_fast_export(network));
  EXPECT_THAT(check.faults, IsEmpty());
  EXPECT_EQ(check.positions, 6U);
}

TEST(FastExport, HasGoldenPositionsWithInputsOfEveryGroupAndDifferentScores) {
  for (const std::string& variant : variants()) {
    const FastNetwork network = test::fast_network_to_export(variant);
    const std::vector<FastGolden> positions = fast_golden_positions(network);
    const std::set<std::string> lit = lit_groups(network, positions);
    for (const FastInputGroup& group : network.layout.groups) {
      // No army of this option set has chancellors.
      if (variant == "slanted" && group.name.ends_with("chancellor")) continue;
      EXPECT_TRUE(lit.contains(without_view(group.name))) << variant << ": " << group.name;
    }
    std::set<int> scores;
    for (const FastGolden& golden : positions)
      scores.insert(golden.score);
    EXPECT_GT(scores.size(), positions.size() / 2) << variant;
  }
}

TEST(FastExport, DescribesTheInputsInTermsOfTheEncoding) {
  const auto inputs_of = [](const std::string& variant) {
    return describe_fast_network(test::fast_network_to_export(variant))["inputs"];
  };
  const auto chess = inputs_of("chess");
  ASSERT_EQ(chess.size(), 12U);
  EXPECT_EQ(chess[7], nlohmann::ordered_json::parse(
                          R"({"name": "enemy knight", "first": 448, "size": 64,
                              "source": {"term": "piece", "side": "enemy", "letter": "N"}})"));
  const auto slanted = inputs_of("slanted");
  EXPECT_EQ(slanted[0]["view"], "white");
  EXPECT_EQ(slanted[16]["view"], "black");
  EXPECT_EQ(slanted[16]["source"], slanted[0]["source"]);
  const auto inferno = inputs_of("inferno:levels=3");
  EXPECT_EQ(inferno.back(), nlohmann::ordered_json::parse(
                                R"({"name": "levels", "first": 2304, "size": 3,
                                    "source": {"term": "levels"}, "least": 1, "most": 3})"));
  const auto shifting = inputs_of("shifting");
  EXPECT_EQ(shifting.back()["source"]["term"], "missing-squares");
  const auto earthquake = inputs_of("earthquake");
  EXPECT_EQ(earthquake.back()["source"]["term"], "fen-number");
  EXPECT_EQ(earthquake.back()["least"], -8);
  EXPECT_EQ(earthquake.back()["most"], 8);
}

TEST(FastExport, NamesTheGoldenPositionWhoseScoreIsAnother) {
  const FastNetwork network = test::fast_network_to_export("gardner");
  std::string fen;
  const std::string bytes = changed(network, "golden", [&](nlohmann::json& golden) {
    fen = golden[5]["fen"];
    golden[5]["score"] = golden[5]["score"].get<int>() + 1;
  });
  EXPECT_THAT(check_fast_export(bytes).faults, ElementsAre(HasSubstr("golden[5] (" + fen)));
}

TEST(FastExport, WhoseDescriptionsAreOthersIsRefused) {
  const FastNetwork network = test::fast_network_to_export("gardner");
  const auto faults = [&](const std::string& key,
                          const std::function<void(nlohmann::json&)>& change) {
    return check_fast_export(changed(network, key, change)).faults;
  };
  EXPECT_THAT(faults("evaluation", [](auto& json) { json["hidden_divisor"] = 1; }),
              ElementsAre(HasSubstr("'evaluation' is not what this program says of 'gardner'")));
  EXPECT_THAT(faults("encoding", [](auto& json) { json["width"] = 9; }),
              ElementsAre(HasSubstr("'encoding' is not what")));
  EXPECT_THAT(faults("golden", [](auto& json) { json = nlohmann::json::array({json[0]}); }),
              ElementsAre(HasSubstr("'golden' has 1 different positions; expected at least 64")));
  EXPECT_THAT(faults("golden", [](auto& json) { json[3]["fen"] = "x"; }),
              ElementsAre(HasSubstr("golden[3]: ")));
}

TEST(FastExport, WithoutDescriptionsIsTheNetworkAlone) {
  const FastNetwork network = test::fast_network_to_export("gardner");
  const std::string alone = fast_network_file(network);
  EXPECT_TRUE(is_fast_export(alone));
  EXPECT_THAT(check_fast_export(alone).faults,
              ElementsAre(HasSubstr("'evaluation' is not in the metadata")));
  EXPECT_FALSE(is_fast_export("hello"));
}

TEST(FastExport, RefusesInputsThatAreNotThisPrograms) {
  FastNetwork network = test::fast_network_to_export("gardner");
  network.layout.groups[0].name = "own dragon";
  EXPECT_THROW(write_fast_export(network), ExportError);
}

}  // namespace
}  // namespace faultline
