// `export` and `verify` as commands: files, messages, exit codes; bundles in place of nets.
#include <filesystem>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/app/run_program.h"

namespace faultline {
namespace {

using testing::AllOf;
using testing::HasSubstr;

std::string net(const std::string& family) {
  return FAULTLINE_SOURCE_DIR "/tests/model/golden/" + family + ".pt";
}

std::vector<std::string> export_arguments(const std::string& of, const std::string& format,
                                          const std::string& out,
                                          const std::vector<std::string>& more = {}) {
  std::vector<std::string> arguments = {"export", of, "--format", format, "-o", out};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

TEST(Export, WritesSafetensorsWithTheirDescription) {
  const TemporaryFolder folder;
  const std::string file = (folder.path() / "net.safetensors").string();
  const ProgramResult result =
      run_faultline(export_arguments(net("inferno"), "safetensors", file, {"--precision", "bf16"}));
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, AllOf(HasSubstr(file), HasSubstr("bytes")));
  EXPECT_THAT(test::read_text(file), AllOf(HasSubstr("BF16"), HasSubstr("stem.conv.weight"),
                                           HasSubstr("en-passant-square")));
}

TEST(Export, SaysWhatItCannotDo) {
  const TemporaryFolder folder;
  const std::string out = (folder.path() / "out").string();
  const std::string existing = folder.write("existing", "precious");
  struct Refusal {
    std::vector<std::string> arguments;
    std::string message;
  };
  for (const auto& [arguments, message] : std::vector<Refusal>{
           {export_arguments(net("chess"), "onx", out), "did you mean 'onnx'?"},
           {export_arguments(net("chess"), "tflite", out),
            "choose one of onnx, torchscript, safetensors, bundle"},
           {export_arguments(net("chess"), "onnx", out, {"--precision", "fp8"}),
            "choose one of fp32, fp16, bf16"},
           {export_arguments(net("chess"), "onnx", out, {"--policy", "some"}),
            "choose one of legal, full"},
           {export_arguments(net("chess"), "onnx", out, {"--batch", "0"}), "--batch '0'"},
           {export_arguments(net("chess"), "onnx", out, {"--batch", "8x"}), "--batch '8x'"},
           {export_arguments(net("chess"), "safetensors", out, {"--batch", "8"}),
            "only ONNX can have a fixed batch"},
           {export_arguments(net("chess"), "safetensors", out, {"--policy", "full"}),
            "safetensors hold weights alone"},
           {export_arguments(net("chess"), "safetensors", existing), "exists already"},
           {export_arguments("uniform", "safetensors", out), "is no net"},
           {export_arguments(out, "safetensors", out), "there is no such file or folder"},
           {export_arguments(existing, "safetensors", out), "is not a checkpoint"},
           {export_arguments(net("chess"), "safetensors", out + "/no/such/folder"),
            "cannot be written"}}) {
    const ProgramResult result = run_faultline(arguments);
    EXPECT_NE(result.exit_code, 0) << message;
    EXPECT_THAT(result.err, HasSubstr(message));
    EXPECT_FALSE(std::filesystem::exists(out));
  }
  EXPECT_EQ(test::read_text(existing), "precious");
}

#ifdef FAULTLINE_WITH_ONNX
TEST(Export, WritesOnnxInFp16ButRefusesBf16WithTheReason) {
  const TemporaryFolder folder;
  const std::string file = (folder.path() / "net.onnx").string();
  const ProgramResult refused =
      run_faultline(export_arguments(net("chess"), "onnx", file, {"--precision", "bf16"}));
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(refused.err, HasSubstr("opset 17 has no convolution in bf16"));
  const ProgramResult result = run_faultline(
      export_arguments(net("chess"), "onnx", file, {"--precision", "fp16", "--batch", "8"}));
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(test::read_text(file), AllOf(HasSubstr("move_slots"), HasSubstr("moves_left")));
}
#else
TEST(Export, SaysThatItWasBuiltWithoutOnnx) {
  const TemporaryFolder folder;
  const ProgramResult result =
      run_faultline(export_arguments(net("chess"), "onnx", (folder.path() / "net.onnx").string()));
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("libonnx-dev"));
}
#endif

#if defined(FAULTLINE_WITH_ONNX) && defined(FAULTLINE_WITH_TORCH)
TEST(Export, WritesBundlesThatVerifyAndPlay) {
  const TemporaryFolder folder;
  const std::string bundle = (folder.path() / "chess.zip").string();
  const ProgramResult written = run_faultline(export_arguments(net("chess"), "bundle", bundle));
  ASSERT_EQ(written.exit_code, 0) << written.err;
  const ProgramResult good = run_faultline({"verify", bundle});
  EXPECT_EQ(good.exit_code, 0) << good.err << good.out;
  EXPECT_THAT(good.out, AllOf(HasSubstr("256 positions"), HasSubstr(": good\n")));

  // The same evaluation as the checkpoint's.
  const auto analysed = [](const std::string& of) {
    return run_faultline({"analyse", "startpos", "--net", of, "--visits", "20", "--json",
                          "--precision", "fp32", "--backend", "cpu"});
  };
  const ProgramResult by_bundle = analysed(bundle);
  ASSERT_EQ(by_bundle.exit_code, 0) << by_bundle.err;
  EXPECT_EQ(nlohmann::json::parse(by_bundle.out)["lines"],
            nlohmann::json::parse(analysed(net("chess")).out)["lines"]);

  const ProgramResult match = run_faultline({"match", bundle, "policy:" + bundle, "--games", "2",
                                             "--visits", "2", "--max-plies", "10", "--json"});
  EXPECT_EQ(match.exit_code, 0) << match.err;
  const ProgramResult uci = run_faultline({"uci", "--net", bundle},
                                          "uci\nposition startpos\ngo nodes 10\nisready\nquit\n");
  EXPECT_EQ(uci.exit_code, 0) << uci.err;
  EXPECT_THAT(uci.out, HasSubstr("bestmove "));
  EXPECT_THAT(uci.out, testing::Not(HasSubstr("uniform evaluator is used")));
  const ProgramResult play = run_faultline({"play", bundle, "--visits", "2"}, "quit\n");
  EXPECT_EQ(play.exit_code, 0) << play.err;

  // It cannot be exported or trained again: the batch norms are folded.
  const ProgramResult again =
      run_faultline(export_arguments(bundle, "safetensors", (folder.path() / "again").string()));
  EXPECT_EQ(again.exit_code, 2);
  EXPECT_THAT(again.err, HasSubstr("is a bundle"));

  const std::string bytes = test::read_text(bundle);
  const ProgramResult cut =
      run_faultline({"verify", folder.write("cut.zip", bytes.substr(0, bytes.size() / 2))});
  EXPECT_EQ(cut.exit_code, 2);
  EXPECT_THAT(cut.err, HasSubstr("is not an intact zip archive"));
}

TEST(Export, RefusesABundleInBf16WithTheReason) {
  const TemporaryFolder folder;
  const std::string out = (folder.path() / "net.zip").string();
  const ProgramResult result =
      run_faultline(export_arguments(net("chess"), "bundle", out, {"--precision", "bf16"}));
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("no convolution in bf16"));
}

TEST(Verify, NamesAFileThatIsNoBundle) {
  const TemporaryFolder folder;
  const ProgramResult text = run_faultline({"verify", folder.write("text", "hello")});
  EXPECT_EQ(text.exit_code, 2);
  EXPECT_THAT(text.err, HasSubstr("is not a bundle"));
  const ProgramResult absent = run_faultline({"verify", (folder.path() / "absent").string()});
  EXPECT_EQ(absent.exit_code, 2);
  EXPECT_THAT(absent.err, HasSubstr("there is no such file"));
}
#endif

}  // namespace
}  // namespace faultline
