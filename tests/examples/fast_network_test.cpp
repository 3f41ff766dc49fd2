// The examples that evaluate fast networks from the description in their file alone.
#include <filesystem>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "model/export/fast_export.h"
#include "model/export/safetensors.h"
#include "model/fast/fast_file.h"
#include "tests/examples/example_programs.h"
#include "tests/model/export/networks_to_export.h"

namespace faultline {
namespace {

namespace fs = std::filesystem;

using testing::AllOf;
using testing::HasSubstr;

const fs::path kExamples = fs::path(FAULTLINE_SOURCE_DIR) / "examples";
constexpr const char* kStart = "rnbqk/ppppp/5/PPPPP/RNBQK w - - 0 1";

TEST(FastNetworkExampleSource, IncludesNothingOfOursAndNamesNoFamily) {
  test::expect_no_include_of_ours("fast_network/run_fast_network.cpp");
  test::expect_no_family(kExamples / "fast_network/run_fast_network.cpp",
                         test::families_to_export());
}

/// The language of the program.
class FastNetworkExample : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    if (GetParam() == "javascript") {
      if (test::run("node --version", "/dev/null") == 0) return;
      if (test::outsiders_are_required()) FAIL() << "node is required";
      GTEST_SKIP() << "node is not installed";
    }
    ASSERT_TRUE(fs::exists(FAULTLINE_FAST_NETWORK_EXAMPLE))
        << "not built: ctest -R fast_network_example does it first";
  }

  std::string file(const std::string& variant) const {
    return folder_.write("fast.safetensors",
                         write_fast_export(test::fast_network_to_export(variant)));
  }
  /// A file whose golden scores of all positions from `first` on are one more than they should be.
  std::string forged(std::size_t first) const {
    const FastNetwork network = test::fast_network_to_export("gardner");
    ExportMetadata metadata = read_safetensors(write_fast_export(network), "file").metadata;
    auto golden = nlohmann::json::parse(metadata.at("golden"));
    for (std::size_t i = first; i < golden.size(); ++i)
      golden[i]["score"] = golden[i]["score"].get<int>() + 1;
    metadata["golden"] = golden.dump();
    return folder_.write("forged", fast_network_file(network, metadata));
  }
  /// Runs the program; what it printed is in `out_`.
  int run_example(const std::vector<std::string>& arguments) {
    const std::string program =
        GetParam() == "javascript" ? "node " + test::in_quotes(kExamples / "javascript/run_fast.js")
                                   : test::in_quotes(FAULTLINE_FAST_NETWORK_EXAMPLE);
    return test::run_example(program, arguments, out_);
  }

  test::TemporaryFolder folder_;
  std::string out_;
};

TEST_P(FastNetworkExample, GetsTheGoldenScoresOfEveryFamily) {
  std::vector<std::string> variants = test::families_to_export();
  for (const char* board : {"earthquake:dx=3,aftershock=2", "earthquake:every=2,axis=both",
                            "slanted:board=mini", "slanted:board=standard"})
    variants.emplace_back(board);
  for (const std::string& variant : variants) {
    EXPECT_EQ(run_example({file(variant)}), 0) << variant << ": " << out_;
    EXPECT_THAT(out_, HasSubstr(" positions: good\n")) << variant;
  }
}

TEST_P(FastNetworkExample, EvaluatesAPosition) {
  const FastNetwork network = test::fast_network_to_export("gardner");
  const FastGolden golden = fast_golden_positions(network).back();
  EXPECT_EQ(run_example({file("gardner"), golden.fen}), 0) << out_;
  EXPECT_THAT(out_, testing::StartsWith(std::to_string(golden.score) + " centipawns for "));
}

TEST_P(FastNetworkExample, NamesThePositionsThatDiffer) {
  const FastGolden last = fast_golden_positions(test::fast_network_to_export("gardner")).back();
  EXPECT_EQ(run_example({forged(0)}), 1);
  EXPECT_THAT(
      out_, AllOf(HasSubstr(", expected "), HasSubstr("more\n"), HasSubstr("positions: not good")));
  const std::size_t count = fast_golden_positions(test::fast_network_to_export("gardner")).size();
  EXPECT_EQ(run_example({forged(count - 1)}), 1);
  EXPECT_THAT(out_, HasSubstr(last.fen + ": " + std::to_string(last.score) + ", expected " +
                              std::to_string(last.score + 1)));
}

TEST_P(FastNetworkExample, SaysWhatIsWrongWithItsInput) {
  const std::string good = file("gardner"), bytes = test::read_text(good);
  const FastNetwork network = test::fast_network_to_export("gardner");
  struct Fault {
    std::vector<std::string> arguments;
    std::string message;
  };
  for (const auto& [arguments, message] : std::vector<Fault>{
           {{}, "usage: "},
           {{good, kStart, "more"}, "usage: "},
           {{(folder_.path() / "absent").string()}, "absent"},
           {{folder_.write("text", "hello, this is no file of tensors")}, "no safetensors file"},
           {{folder_.write("cut", bytes.substr(0, bytes.size() - 8))}, "is cut off"},
           {{folder_.write("alone", fast_network_file(network))},
            "it is not an exported fast network"},
           {{good, "rnbqk/ppppp/5/PPPPP/RNBQK w"}, "fields"},
           {{good, "rnbqk/ppppp/5/PPPPP/RNBQK x - - 0 1"}, "side to move is"},
           {{good, "rnbqk/ppppp/6/PPPPP/RNBQK w - - 0 1"}, "squares"},
           {{good, "rnbqk/ppppp/PPPPP/RNBQK w - - 0 1"}, "4 rows"}}) {
    EXPECT_EQ(run_example(arguments), 2) << message;
    EXPECT_THAT(out_, AllOf(HasSubstr("error: "), HasSubstr(message)));
  }
}

INSTANTIATE_TEST_SUITE_P(In, FastNetworkExample, testing::Values("cpp", "javascript"),
                         [](const auto& language) { return language.param; });

}  // namespace
}  // namespace faultline
