// `export` and `verify` as commands: files, messages, exit codes; bundles in place of nets.
#include <filesystem>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "model/checkpoint_file.h"
#include "model/export/archive.h"
#include "model/export/bundle.h"
#include "tests/app/run_program.h"

namespace faultline {
namespace {

namespace fs = std::filesystem;

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

/// The folder of a run that trained a fast network alone, for a moment.
std::string fast_run(const TemporaryFolder& folder) {
  const fs::path run = folder.path() / "run";
  std::vector<std::string> arguments = {"train", FAULTLINE_SOURCE_DIR "/configs/fast.toml", "--run",
                                        run.string()};
  for (const char* setting :
       {"run.variant=gardner", "run.minutes=0", "run.games=8", "selfplay.threads=1",
        "selfplay.games_per_thread=4", "fast.nodes=20", "fast.aside_nodes=10",
        "selfplay.max_plies=40", "selfplay.random_plies=4", "learner.min_positions=20"})
    arguments.insert(arguments.end(), {"--set", setting});
  const ProgramResult trained = run_faultline(arguments);
  EXPECT_EQ(trained.exit_code, 0) << trained.err;
  return run.string();
}

TEST(Export, WritesFastNetworksThatPlayAndVerify) {
  const TemporaryFolder folder;
  const std::string run = fast_run(folder);
  const std::string file = (folder.path() / "fast.safetensors").string();
  const ProgramResult other = run_faultline(export_arguments(run, "safetensors", file));
  EXPECT_EQ(other.exit_code, 2);
  EXPECT_THAT(other.err, HasSubstr("has a fast network alone, which --format fast exports"));
  const ProgramResult written = run_faultline(export_arguments(run, "fast", file));
  ASSERT_EQ(written.exit_code, 0) << written.err;
  EXPECT_THAT(test::read_text(file), AllOf(HasSubstr("direct_divisor"), HasSubstr("golden")));
  const ProgramResult match =
      run_faultline({"match", "alphabeta?eval=" + file + "&nodes=20", "alphabeta?nodes=20",
                     "--games", "2", "--max-plies", "10", "--json"});
  EXPECT_EQ(match.exit_code, 0) << match.err;
  const ProgramResult analysed = run_faultline(
      {"analyse", "startpos", "--net", "alphabeta?eval=" + file, "--visits", "100", "--json"});
  ASSERT_EQ(analysed.exit_code, 0) << analysed.err;
  EXPECT_EQ(nlohmann::json::parse(analysed.out)["variant"], "gardner");
  const ProgramResult other_game = run_faultline(
      {"analyse", "startpos", "--variant", "chess", "--net", "alphabeta?eval=" + file});
  EXPECT_EQ(other_game.exit_code, 2);
  EXPECT_THAT(other_game.err, HasSubstr("gardner"));
  const ProgramResult uci =
      run_faultline({"uci", "--net", file}, "uci\nposition startpos\ngo depth 1\nisready\nquit\n");
  EXPECT_EQ(uci.exit_code, 0) << uci.err;
  EXPECT_THAT(uci.out, AllOf(HasSubstr("Evaluator auto: fast of "), HasSubstr("bestmove "),
                             HasSubstr("info depth 1 "),
                             testing::Not(HasSubstr("uniform evaluator is used"))));
  const ProgramResult as_net = run_faultline({"match", file, "random", "--visits", "2"});
  EXPECT_EQ(as_net.exit_code, 2);
  EXPECT_THAT(as_net.err, HasSubstr("has a fast network alone, which alphabeta?eval="));
  const ProgramResult good = run_faultline({"verify", file});
  EXPECT_EQ(good.exit_code, 0) << good.err << good.out;
  EXPECT_THAT(good.out, HasSubstr(" positions: good\n"));
  std::string bytes = test::read_text(file);
  bytes.back() = static_cast<char>(bytes.back() ^ 64);
  const ProgramResult bad = run_faultline({"verify", folder.write("bad", bytes)});
  EXPECT_EQ(bad.exit_code, 1) << bad.err;
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
            "choose one of onnx, torchscript, safetensors, bundle, fast"},
           {export_arguments(net("chess"), "fast", out), "has no fast network"},
           {export_arguments(net("chess"), "fast", out, {"--policy", "full"}),
            "a fast network has no policy"},
           {export_arguments(net("chess"), "fast", out, {"--precision", "fp16"}),
            "computed in whole numbers"},
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
           {export_arguments(net("chess") + "?precision=bf16", "safetensors", out),
            "leave out '?precision=bf16' (and use --precision"},
           {export_arguments(net("chess") + "?visits=5", "safetensors", out),
            "leave out '?visits=5'"},
           {export_arguments(std::string(5000, 'n'), "safetensors", out),
            "there is no such file or folder"},
           {export_arguments(net("chess"), "safetensors", std::string(5000, 'n')),
            "File name too long"},
           {export_arguments(net("chess"), "safetensors", out + "/no/such/folder"),
            "there is no folder"}}) {
    const ProgramResult result = run_faultline(arguments);
    EXPECT_EQ(result.exit_code, 2) << message;
    EXPECT_THAT(result.err, HasSubstr(message));
    EXPECT_FALSE(fs::exists(out));
  }
  EXPECT_EQ(test::read_text(existing), "precious");
}

TEST(Export, TouchesNoOtherFile) {
  const TemporaryFolder folder;
  const std::string out = (folder.path() / "net").string();
  const std::string neighbour = folder.write("net.tmp", "precious");
  const ProgramResult result = run_faultline(export_arguments(net("chess"), "safetensors", out));
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(test::read_text(neighbour), "precious");

  // A link to nowhere is a file, too.
  const fs::path link = folder.path() / "link", elsewhere = folder.path() / "elsewhere";
  fs::create_symlink(elsewhere, link);
  const ProgramResult refused =
      run_faultline(export_arguments(net("chess"), "safetensors", link.string()));
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(refused.err, HasSubstr("exists already"));
  EXPECT_FALSE(fs::exists(elsewhere));
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
  EXPECT_THAT(good.out, AllOf(HasSubstr(" positions; largest"), HasSubstr(": good\n")));

  // The same evaluation as the checkpoint's.
  const auto analysed = [](const std::string& of) {
    return run_faultline({"analyse", "startpos", "--net", of, "--visits", "20", "--json",
                          "--precision", "fp32", "--backend", "cpu", "--threads", "1"});
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
      run_faultline(export_arguments(bundle, "onnx", (folder.path() / "again").string()));
  EXPECT_EQ(again.exit_code, 2);
  EXPECT_THAT(again.err, AllOf(HasSubstr("is a bundle"), HasSubstr("an export already"),
                               HasSubstr("holds model.onnx")));

  const std::string bytes = test::read_text(bundle);
  const ProgramResult cut =
      run_faultline({"verify", folder.write("cut.zip", bytes.substr(0, bytes.size() / 2))});
  EXPECT_EQ(cut.exit_code, 2);
  EXPECT_THAT(cut.err, HasSubstr("is not an intact zip archive"));

  // Damaged, not cut: it is a bundle, but not a good one.
  std::string damaged = bytes;
  const std::size_t inside = damaged.find("policy.kind_queries");
  ASSERT_NE(inside, std::string::npos);
  damaged[inside] = 'P';
  const ProgramResult bad = run_faultline({"verify", folder.write("damaged.zip", damaged)});
  EXPECT_EQ(bad.exit_code, 1) << bad.err;
  EXPECT_THAT(bad.out, AllOf(HasSubstr("is damaged: "), testing::Not(HasSubstr(": good"))));
}

TEST(Export, SaysInABundleOfWhichRunTheNetIs) {
  const TemporaryFolder folder;
  const fs::path run = folder.path() / "my-run";
  fs::create_directories(run / "nets");
  fs::copy_file(net("chess"), run / "nets/000000.pt");
  test::write_text(run / "state.json", "{}");
  const std::string bundle = (folder.path() / "net.zip").string();
  const fs::path before = fs::current_path();
  fs::current_path(run);
  const ProgramResult written = run_faultline(export_arguments(".", "bundle", bundle));
  fs::current_path(before);
  ASSERT_EQ(written.exit_code, 0) << written.err;
  const auto model = nlohmann::json::parse(ArchiveReader(bundle).read(kBundleModel));
  EXPECT_EQ(model["run"]["name"], "my-run");
  EXPECT_EQ(model["run"]["net"], "000000.pt");
  EXPECT_THAT(model["program"].get<std::string>(), HasSubstr("faultline "));
}

TEST(Export, RefusesABundleInBf16WithTheReason) {
  const TemporaryFolder folder;
  const std::string out = (folder.path() / "net.zip").string();
  const ProgramResult result =
      run_faultline(export_arguments(net("chess"), "bundle", out, {"--precision", "bf16"}));
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("no convolution in bf16"));
}

TEST(Verify, SaysWhatACheckpointIs) {
  const std::string file = FAULTLINE_SOURCE_DIR "/nets/inferno.pt";
  const ProgramResult good = run_faultline({"verify", file});
  ASSERT_EQ(good.exit_code, 0) << good.err;
  EXPECT_THAT(good.out, AllOf(HasSubstr("variant: inferno:levels=2\n"), HasSubstr("weights:\n"),
                              HasSubstr("  config: "), HasSubstr(": good\n"),
                              testing::Not(HasSubstr("[learner]"))));
  EXPECT_THAT(run_faultline({"verify", file, "--whole"}).out, HasSubstr("[learner]"));

  const TemporaryFolder folder;
  CheckpointFile checkpoint = CheckpointFile::read(file);
  checkpoint.arrays["fast/parameters"][0] += 1;
  checkpoint.header["about"]["note"] = "a\x1b[2Jnote";
  const std::string other = (folder.path() / "other.pt").string();
  checkpoint.write(other);
  const ProgramResult changed = run_faultline({"verify", other});
  EXPECT_EQ(changed.exit_code, 1);
  EXPECT_THAT(changed.out, AllOf(HasSubstr("its networks are not those"), HasSubstr("a?[2Jnote")));
  std::string bytes = test::read_text(file);
  bytes[bytes.size() / 2] ^= 1;
  const ProgramResult damaged = run_faultline({"verify", folder.write("damaged.pt", bytes)});
  EXPECT_EQ(damaged.exit_code, 1);
  EXPECT_THAT(damaged.out, HasSubstr("damaged"));
}

TEST(Verify, NamesAFileThatIsNoBundle) {
  const TemporaryFolder folder;
  const ProgramResult text = run_faultline({"verify", folder.write("text", "hello")});
  EXPECT_EQ(text.exit_code, 2);
  EXPECT_THAT(text.err, HasSubstr("is neither a bundle"));
  const ProgramResult absent = run_faultline({"verify", (folder.path() / "absent").string()});
  EXPECT_EQ(absent.exit_code, 2);
  EXPECT_THAT(absent.err, HasSubstr("there is no such file"));
  const ProgramResult long_name = run_faultline({"verify", std::string(5000, 'n')});
  EXPECT_EQ(long_name.exit_code, 2);
  EXPECT_THAT(long_name.err, HasSubstr("there is no such file"));
  const ProgramResult place = run_faultline({"verify", folder.path().string()});
  EXPECT_EQ(place.exit_code, 2);
  EXPECT_THAT(place.err, HasSubstr("is a folder"));
  const ProgramResult device = run_faultline({"verify", "/dev/null"});
  EXPECT_EQ(device.exit_code, 2);
  EXPECT_THAT(device.err, HasSubstr("is not a regular file"));
}
#endif

}  // namespace
}  // namespace faultline
