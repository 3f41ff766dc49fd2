// The example in JavaScript: positions encoded and moves numbered from encoding.json alone,
// networks run by ONNX Runtime.
#include <algorithm>
#include <cctype>
#include <filesystem>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "model/export/bundle.h"
#include "model/export/bundle_writer.h"
#include "model/export/onnx_export.h"
#include "tests/examples/example_programs.h"
#include "tests/model/export/networks_to_export.h"

namespace faultline {
namespace {

namespace fs = std::filesystem;

using testing::AllOf;
using testing::HasSubstr;

const fs::path kExample = fs::path(FAULTLINE_SOURCE_DIR) / "examples/javascript";

TEST(JavaScriptExampleSource, NamesNoFamily) {
  int files = 0;
  for (const auto& entry : fs::directory_iterator(kExample)) {
    if (!entry.is_regular_file()) continue;
    ++files;
    test::expect_no_family(entry.path(), test::families_to_export());
  }
  EXPECT_GE(files, 4);
}

class JavaScriptExample : public testing::Test {
 protected:
  void SetUp() override {
    if (test::has_onnx_runtime() && has_onnx()) return;
    if (test::outsiders_are_required()) FAIL() << "libonnx, node and onnxruntime-node are required";
    GTEST_SKIP() << "onnxruntime-node is not installed; scripts/setup --exports does it";
  }

  static std::string bundle_bytes(const std::string& variant, PolicyForm policy) {
    // The example reads the ONNX file: the test does without LibTorch.
    const auto no_torchscript = [](const auto&...) { return std::string("none"); };
    return write_bundle(test::source_to_export(variant), {.policy = policy}, {{"run", nullptr}},
                        no_torchscript);
  }
  std::string bundle(const std::string& variant, PolicyForm policy = PolicyForm::Legal) const {
    return folder_.write("net.zip", bundle_bytes(variant, policy));
  }
  /// The files of a bundle in a folder.
  fs::path unpacked(const std::string& variant) const {
    const fs::path to = folder_.path() / "unpacked";
    fs::remove_all(to);
    fs::create_directories(to);
    for (const auto& [name, content] : test::files_of(bundle(variant)))
      test::write_text(to / name, content);
    return to;
  }

  /// Runs the program; what it printed is in `out_`.
  int run_example(const std::vector<std::string>& arguments) {
    return test::run_example("NODE_PATH=" + test::in_quotes(test::node_modules()) + " node " +
                                 test::in_quotes(kExample / "run_bundle.js"),
                             arguments, out_);
  }

  test::TemporaryFolder folder_;
  std::string out_;
};

TEST_F(JavaScriptExample, GetsTheGoldenOutputsOfEveryFamily) {
  for (const std::string& family : test::families_to_export()) {
    EXPECT_EQ(run_example({bundle(family)}), 0) << family << ": " << out_;
    EXPECT_THAT(out_, AllOf(HasSubstr(" positions; largest"), HasSubstr(": good\n"))) << family;
  }
}

TEST_F(JavaScriptExample, GetsTheGoldenOutputsOfBoardsThatMove) {
  EXPECT_EQ(run_example({bundle("earthquake:dx=3,aftershock=2")}), 0) << out_;
  EXPECT_EQ(run_example({bundle("earthquake:every=2,axis=both")}), 0) << out_;
}

TEST_F(JavaScriptExample, GetsTheGoldenOutputsOfGamesOfFiles) {
  for (const std::string game :
       {"capablanca", "carousel", "crazyhouse", "minishogi", "three-check"}) {
    EXPECT_EQ(run_example({bundle("data:" + game)}), 0) << game << ": " << out_;
    EXPECT_THAT(out_, HasSubstr(": good\n")) << game;
  }
}

TEST_F(JavaScriptExample, ReadsFullPolicies) {
  EXPECT_EQ(run_example({bundle("inferno", PolicyForm::Full)}), 0) << out_;
}

TEST_F(JavaScriptExample, EvaluatesAPositionThatIsNotInTheBundle) {
  ASSERT_EQ(run_example({bundle("escher"), "rnbkqbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1",
                         "e2e4", "b1c3"}),
            0)
      << out_;
  EXPECT_THAT(out_, AllOf(HasSubstr("white wins "), HasSubstr("  e2e4  "), HasSubstr("  b1c3  "),
                          HasSubstr("plies left")));
}

TEST_F(JavaScriptExample, NamesThePositionAndThePlaneThatDiffer) {
  const fs::path folder = unpacked("gardner");
  const fs::path encoding = folder / kBundleEncoding, golden = folder / kBundleGolden;
  auto json = nlohmann::ordered_json::parse(test::read_text(encoding));
  ASSERT_EQ(run_example({folder.string()}), 0) << out_;

  const std::string good = test::read_text(golden);
  auto line = nlohmann::ordered_json::parse(good.substr(0, good.find('\n')));
  line["wdl"][1] = line["wdl"][1].get<double>() + 0.001;
  test::write_text(golden, line.dump() + good.substr(good.find('\n')));
  EXPECT_EQ(run_example({folder.string()}), 1);
  EXPECT_THAT(
      out_, AllOf(HasSubstr("golden.jsonl, line 1 ("), HasSubstr("draw: "), HasSubstr("not good")));
  test::write_text(golden, good);

  std::swap(json["planes"][1]["source"], json["planes"][2]["source"]);
  test::write_text(encoding, json.dump());
  EXPECT_EQ(run_example({folder.string()}), 1);
  EXPECT_THAT(out_, HasSubstr("plane 'own knight', cell "));
}

TEST_F(JavaScriptExample, SaysWhatIsWrongWithItsInput) {
  const fs::path folder = unpacked("gardner");
  const std::string zip = bundle("gardner"), bytes = test::read_text(zip);
  const std::string start = "rnbqk/ppppp/5/PPPPP/RNBQK w - - 0 1";
  struct Fault {
    std::vector<std::string> arguments;
    std::string message;
  };
  for (const auto& [arguments, message] : std::vector<Fault>{
           {{}, "usage: "},
           {{zip, start}, "usage: "},
           {{(folder_.path() / "absent").string()}, "there is no such file or folder"},
           {{folder_.write("text", "no zip")}, "not a zip archive"},
           {{folder_.write("cut", bytes.substr(0, bytes.size() / 2))}, "zip archive"},
           {{folder_.path().string()}, "it has no encoding.json"},
           {{zip, start, "e2e9"}, "no kind of move is written 'e2e9'"},
           {{zip, start, "a2a3x"}, "no kind of move is written 'a2a3x'"},
           {{zip, "rnbqk/ppppp/5/PPPPP/RNBQK w", "a2a3"}, "2 fields"},
           {{zip, "rnbqk/ppppp/5/PPPPP/RNBQK x - - 0 1", "a2a3"}, "side to move is 'x'"},
           {{zip, "rnbqk/ppppp/5/PPPPP/RNBQK w - - x 1", "a2a3"}, "field 4 is 'x'"},
           {{zip, "rnbqk/ppppp/6/PPPPP/RNBQK w - - 0 1", "a2a3"}, "'6' has 6 squares, not 5"},
           {{zip, "rnbqk/ppppp/PPPPP/RNBQK w - - 0 1", "a2a3"}, "4 rows where there are 5"}}) {
    EXPECT_EQ(run_example(arguments), 2) << message;
    EXPECT_THAT(out_, AllOf(HasSubstr("error: "), HasSubstr(message)));
  }

  const std::string model = test::read_text(folder / kBundleOnnx);
  test::write_text(folder / kBundleOnnx, "no network");
  EXPECT_EQ(run_example({folder.string()}), 2);
  EXPECT_THAT(out_, HasSubstr("error: model.onnx: "));
  test::write_text(folder / kBundleOnnx, model);
  test::write_text(folder / kBundleGolden, "{}\n");
  EXPECT_EQ(run_example({folder.string()}), 2);
  EXPECT_THAT(out_, HasSubstr("error: golden.jsonl, line 1: 'fen' is missing"));

  const fs::path encoding = folder / kBundleEncoding;
  auto json = nlohmann::ordered_json::parse(test::read_text(encoding));
  for (const auto& [pointer, message] : std::map<std::string, std::string>{
           {"/height", "'height' is missing"},
           {"/planes", "'planes' is missing"},
           {"/planes/3/source", "the source of 'planes[3]' is not an object"},
           {"/policy", "'policy' is not an object"},
           {"/policy/kinds", "'policy.kinds' is missing"},
           {"/policy/kinds/1/text", "'policy.kinds[1]' has no 'text'"},
           {"/fen_rows", "'fen_rows' is missing"},
           {"/squares/2/cell", "'cell' of 'squares[2]' is not an object"}}) {
    auto without = json;
    const nlohmann::ordered_json::json_pointer place(pointer);
    without[place.parent_pointer()].erase(place.back());
    test::write_text(encoding, without.dump());
    EXPECT_EQ(run_example({folder.string()}), 2);
    EXPECT_THAT(out_, HasSubstr("error: encoding.json: " + message));
  }
  test::write_text(encoding, "null");
  EXPECT_EQ(run_example({folder.string()}), 2);
  EXPECT_THAT(out_, HasSubstr("error: encoding.json: it is not an object"));
  json["planes"][0]["source"]["term"] = "dragon";
  test::write_text(encoding, json.dump());
  EXPECT_EQ(run_example({folder.string()}), 2);
  EXPECT_THAT(out_, HasSubstr("plane 'own pawn': there is no term 'dragon'"));
  json["format"] = 2;
  test::write_text(encoding, json.dump());
  EXPECT_EQ(run_example({folder.string()}), 2);
  EXPECT_THAT(out_, HasSubstr("its format is 2"));
  test::write_text(encoding, "{");
  EXPECT_EQ(run_example({folder.string()}), 2);
  EXPECT_THAT(out_, HasSubstr("error: encoding.json: "));
}

}  // namespace
}  // namespace faultline
