// The example in C++: TorchScript run by LibTorch, without a line of this project.
#include <filesystem>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "model/export/golden_positions.h"
#include "model/export/torchscript_export.h"
#include "tests/examples/example_programs.h"
#include "tests/model/export/networks_to_export.h"

namespace faultline {
namespace {

namespace fs = std::filesystem;

using testing::AllOf;
using testing::HasSubstr;

TEST(TorchScriptExampleSource, IncludesNothingOfOurs) {
  test::expect_no_include_of_ours("torchscript/run_network.cpp");
}

class TorchScriptExample : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(fs::exists(FAULTLINE_TORCHSCRIPT_EXAMPLE))
        << "not built: ctest -R torchscript_example does it first";
  }
  /// A model and its golden positions, as in a bundle.
  void export_network(const std::string& variant, const ExportOptions& options = {}) {
    const ExportSource source = test::source_to_export(variant);
    model_ =
        folder_.write("model.torchscript.pt",
                      write_torchscript(source.network, options, export_metadata(source, options)));
    lines_.clear();
    for (const GoldenPosition& position : test::positions_to_export(source, 100))
      lines_.push_back(to_json(position, source.info.encoding));
    lines_.resize(100);
  }
  std::string golden() const {
    std::string text;
    for (const auto& line : lines_)
      text += line.dump() + "\n";
    return folder_.write("golden.jsonl", text);
  }
  /// Runs the program; what it printed is in `out_`.
  int run_example(const std::vector<std::string>& arguments) {
    return test::run_example(test::in_quotes(FAULTLINE_TORCHSCRIPT_EXAMPLE), arguments, out_);
  }

  test::TemporaryFolder folder_;
  std::string model_;
  std::vector<nlohmann::ordered_json> lines_;
  std::string out_;
};

TEST_F(TorchScriptExample, GetsTheGoldenOutputs) {
  for (const char* variant : {"escher", "inferno"})
    for (const PolicyForm policy : {PolicyForm::Legal, PolicyForm::Full}) {
      export_network(variant, {.policy = policy});
      EXPECT_EQ(run_example({model_, golden()}), 0) << variant << ": " << out_;
      EXPECT_THAT(out_, AllOf(HasSubstr("100 positions"), HasSubstr(": good\n")));
    }
}

TEST_F(TorchScriptExample, GetsThemRoughlyInFp16) {
  export_network("gardner", {.precision = ExportPrecision::Fp16});
  EXPECT_EQ(run_example({model_, golden(), "1", "1e-2"}), 0) << out_;
  EXPECT_EQ(run_example({model_, golden(), "1", "1e-8"}), 1) << out_;
}

TEST_F(TorchScriptExample, PrintsThePositionThatIsAskedFor) {
  export_network("gardner");
  EXPECT_EQ(run_example({model_, golden(), "70"}), 0) << out_;
  EXPECT_THAT(out_, AllOf(HasSubstr(lines_[69]["fen"].get<std::string>() + "\nwin "),
                          HasSubstr("plies left\n")));
}

TEST_F(TorchScriptExample, NamesTheLineThatDiffers) {
  export_network("gardner");
  lines_[69]["moves"][0][2] = lines_[69]["moves"][0][2].get<double>() + 0.001;
  EXPECT_EQ(run_example({model_, golden()}), 1);
  EXPECT_THAT(out_, AllOf(HasSubstr("line 70 (" + lines_[69]["fen"].get<std::string>()),
                          HasSubstr("not good")));
  lines_[69]["moves"][0][2] = 0.0;
  lines_[80]["moves_left"] = 1000;
  EXPECT_EQ(run_example({model_, golden()}), 1);
  EXPECT_THAT(out_, AllOf(HasSubstr("line 70 ("), HasSubstr("line 81 (")));
}

TEST_F(TorchScriptExample, SaysWhatIsWrongWithItsInput) {
  export_network("gardner");
  const std::string good = golden();
  const std::string absent = (folder_.path() / "absent").string();
  auto other = lines_.front();
  other["planes"][0][0] = 99;
  struct Fault {
    std::vector<std::string> arguments;
    std::string message;
  };
  for (const auto& [arguments, message] : std::vector<Fault>{
           {{model_}, "usage: "},
           {{absent, good}, "absent cannot be loaded"},
           {{good, good}, "golden.jsonl cannot be loaded"},
           {{model_, absent}, "absent cannot be read"},
           {{model_, folder_.write("empty", "")}, "has no positions"},
           {{model_, folder_.write("other", other.dump())}, "line 1: there is no such plane"},
           {{model_, folder_.write("text", "{}\n")}, "line 1: "},
           {{model_, good, "101"}, "POSITION '101' is not in 1 ... 100"},
           {{model_, good, "0.5"}, "POSITION '0.5' is not in 1 ... 100"},
           {{model_, good, "1", "small"}, "TOLERANCE 'small' is not a positive number"}}) {
    EXPECT_EQ(run_example(arguments), 2) << message;
    EXPECT_THAT(out_, AllOf(HasSubstr("error: "), HasSubstr(message)));
  }
}

}  // namespace
}  // namespace faultline
