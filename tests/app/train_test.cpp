// `train` and `check` as commands: what they refuse and what they forecast.
#include <cstdlib>
#include <filesystem>
#include <iterator>
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
using testing::StartsWith;

#ifdef FAULTLINE_WITH_TORCH
TEST(Train, HelpComesFromTheProgramWithLibTorch) {
  const ProgramResult result = run_faultline({"train", "--help"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, AllOf(HasSubstr("--run"), HasSubstr("--resume")));
}
TEST(Train, AFolderWithoutItsConfigurationIsNamed) {
  const TemporaryFolder folder;
  const std::string state = folder.write("state.json", "{}");
  const std::string run = state.substr(0, state.rfind('/'));
  EXPECT_THAT(run_faultline({"train", "--run", run, "--resume"}).err,
              HasSubstr("/config.toml is missing: "));
  EXPECT_THAT(run_faultline({"train"}).err, StartsWith("faultline train: which configuration?"));
}
TEST(Train, IsNotEndedByAReaderThatGoesAway) {
  const TemporaryFolder folder;
  const std::string config = folder.write(
      "mine.toml",
      "[run]\nvariant = 'gardner'\ngames = 6\nreport_seconds = 0.1\n[net]\nblocks = 1\n"
      "channels = 8\n[search]\nvisits = 8\n[selfplay]\nthreads = 1\ngames_per_thread = 3\n"
      "batch = 3\nmax_plies = 40\n[learner]\nprecision = 'fp32'\nmin_positions = 20\nbatch = 16\n");
  const std::string run = folder.path() / "run", code = folder.path() / "code";
  const std::string line = "(" FAULTLINE_PROGRAM " train " + config + " --run " + run +
                           " --device cpu --backend cpu; echo $? > " + code + ") 2>&1 | true";
  EXPECT_EQ(std::system(line.c_str()), 0);
  EXPECT_EQ(test::read_text(code), "0\n");
  EXPECT_EQ(nlohmann::json::parse(test::read_text(run + "/state.json"))["games"], 6);
}
/// A run of many games whose steps two processes make.
std::string config_of_two_ranks(const TemporaryFolder& folder) {
  return folder.write(
      "two.toml",
      "[run]\nvariant = 'gardner'\ngames = 12\nreport_seconds = 0.1\n[net]\nblocks = 1\n"
      "channels = 8\n[search]\nvisits = 8\n[selfplay]\nthreads = 1\ngames_per_thread = 3\n"
      "batch = 3\nmax_plies = 40\n[learner]\nprecision = 'fp32'\nmin_positions = 20\nbatch = 16\n"
      "ranks = 2\n[device]\ndevice = 'cpu'\nbackend = 'cpu'\n");
}
TEST(Train, TwoProcessesMakeItsSteps) {
  const TemporaryFolder folder;
  const ProgramResult result = run_faultline(
      {"train", config_of_two_ranks(folder), "--run", (folder.path() / "run").string()});
  if (result.err.find("libgloo-dev") != std::string::npos) GTEST_SKIP() << result.err;
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr(" by 2 processes"));
  const auto state = nlohmann::json::parse(test::read_text(folder.path() / "run/state.json"));
  EXPECT_EQ(state["games"], 12);
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "run/ranks.pt"));
}
TEST(Train, EndsWhenAProcessOfItsStepsDiesAndIsResumed) {
  const TemporaryFolder folder;
  const std::string config = config_of_two_ranks(folder), run = (folder.path() / "run").string(),
                    place = folder.path().string();
  const std::string script = FAULTLINE_PROGRAM " train " + config + " --run " + run +
                             " --set run.games=0 >" + place + "/out 2>" + place +
                             "/err & until grep -qs '\"steps\": *[1-9]' " + run +
                             "/metrics.jsonl; do kill -0 $! || exit 9; sleep 0.1; done; "
                             "pkill -KILL -P $!; wait $!";
  const int status = std::system(script.c_str());
  if (test::read_text(folder.path() / "err").find("libgloo-dev") != std::string::npos) GTEST_SKIP();
  EXPECT_EQ(WEXITSTATUS(status), 2);
  EXPECT_THAT(test::read_text(folder.path() / "err"),
              AllOf(HasSubstr("training process 1 of 'learner.ranks' has ended with signal 9"),
                    HasSubstr("--resume")));
  const auto games = [&] {
    return nlohmann::json::parse(test::read_text(run + "/state.json"))["games"].get<int>();
  };
  const int before = games();
  const ProgramResult resumed = run_faultline(
      {"train", "--run", run, "--resume", "--set", "run.games=" + std::to_string(before + 20)});
  EXPECT_EQ(resumed.exit_code, 0) << resumed.err;
  EXPECT_GE(games(), before + 20);
}
TEST(Train, BeginsWithTheGamesOfAnotherRun) {
  const TemporaryFolder folder;
  const std::string config = folder.write(
      "mine.toml",
      "[run]\nvariant = 'gardner'\ngames = 6\n[net]\nblocks = 1\nchannels = 8\n[search]\n"
      "visits = 8\n[selfplay]\nthreads = 1\ngames_per_thread = 3\nbatch = 3\nmax_plies = 40\n"
      "[learner]\nprecision = 'fp32'\nmin_positions = 20\nbatch = 16\n");
  const auto train = [&](const std::string& run, std::vector<std::string> more) {
    std::vector<std::string> words = {
        "train",    config, "--run",     (folder.path() / run).string(),
        "--device", "cpu",  "--backend", "cpu"};
    words.insert(words.end(), more.begin(), more.end());
    return run_faultline(words);
  };
  const std::string first = (folder.path() / "first").string();
  EXPECT_EQ(train("first", {"--no-check"}).exit_code, 0);
  const ProgramResult second =
      train("second", {"--games-from", first, "--set", "run.games=8", "--set", "net.channels=16"});
  EXPECT_EQ(second.exit_code, 0) << second.err;
  EXPECT_THAT(
      second.out,
      AllOf(HasSubstr("\ninherited    games of the other run: learning from them"),
            HasSubstr("\nfirst step   after 0"),
            HasSubstr("\nLearning first from 6 games of " + first), HasSubstr(": 8 games, ")));
  const auto refusal = [&](const std::string& run, std::vector<std::string> more) {
    const ProgramResult result = train(run, more);
    EXPECT_EQ(result.exit_code, 2) << result.err;
    EXPECT_FALSE(std::filesystem::exists(folder.path() / "third"));
    return result.err;
  };
  EXPECT_THAT(refusal("third", {"--games-from", first}),
              HasSubstr("run.games = 6 leaves none to play"));
  EXPECT_THAT(refusal("third", {"--games-from", "nowhere"}), HasSubstr("there is no such folder"));
  EXPECT_THAT(refusal("second", {"--games-from", first, "--set", "run.games=20"}),
              HasSubstr("already contains a run"));
  EXPECT_THAT(run_faultline({"train", "--run", first, "--resume", "--games-from", first}).err,
              HasSubstr("to resume such a run, use --resume alone"));
  EXPECT_THAT(refusal("mine.toml", {}), HasSubstr("cannot be created: "));
  const std::string bundle = (folder.path() / "net").string();
  EXPECT_EQ(run_faultline({"export", first, "--format", "bundle", "-o", bundle}).exit_code, 0);
  EXPECT_THAT(refusal("third", {"--init-from", bundle}), HasSubstr("which cannot be trained"));
}
TEST(Check, ForecastsARunAndWritesNothing) {
  const TemporaryFolder folder;
  const std::string config =
      folder.write("mine.toml",
                   "[run]\nvariant = 'gardner'\nminutes = 5\n[net]\nblocks = "
                   "1\nchannels = 8\n[learner]\nprecision = 'fp32'\n[search]\nvisits = 20\n"
                   "reduced_visits = 10\n[selfplay]\ngames_per_thread = 8\n");
  const ProgramResult text =
      run_faultline({"check", config, "--seconds", "0.6", "--device", "cpu", "--backend", "cpu"});
  EXPECT_EQ(text.exit_code, 0) << text.err;
  EXPECT_THAT(text.out, AllOf(HasSubstr("\ngames "), HasSubstr("\nmemory "), HasSubstr("\ndisk "),
                              HasSubstr("\nend          after 5:00 (run.minutes)")));
  const ProgramResult object = run_faultline(
      {"check", config, "--seconds", "0.6", "--device", "cpu", "--backend", "cpu", "--json"});
  const auto json = nlohmann::json::parse(object.out);
  EXPECT_EQ(json.at("limit"), "run.minutes");
  EXPECT_GT(json.at("positions_per_second").get<double>(), 0);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1);
}
TEST(Check, ComputesWhatAGpuWouldDoWhereThereIsNone) {
  if (run_faultline({"version"}).out.find(" cuda\n") != std::string::npos)
    GTEST_SKIP() << "there is one";
  const TemporaryFolder folder;
  const std::string config =
      folder.write("mine.toml",
                   "[run]\nvariant = 'gardner'\nminutes = 5\n[device]\ndevice = 'cuda:1'\n"
                   "precision = 'bf16'\n[net]\nblocks = 1\nchannels = 8\n[search]\nvisits = 20\n");
  const ProgramResult result = run_faultline({"check", config, "--seconds", "0.3"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, AllOf(HasSubstr("There is no device 'cuda:1' here"), HasSubstr("H200"),
                                HasSubstr("\nspeed "), HasSubstr(" trained in fp32")));
  const ProgramResult trained = run_faultline({"train", config, "--run", folder.path() / "run"});
  EXPECT_EQ(trained.exit_code, 2);
  EXPECT_EQ(trained.out, "");
  EXPECT_THAT(trained.err, HasSubstr("device 'cuda:1'"));
}

TEST(Check, TellsOfGamesWithFewerLevels) {
  const TemporaryFolder folder;
  const std::string config =
      folder.write("mine.toml",
                   "[run]\nvariant = 'inferno:levels=3'\nminutes = 600\n[net]\nblocks = 1\n"
                   "channels = 8\nshare_levels = true\n[search]\nvisits = 4\n[selfplay]\n"
                   "games_per_thread = 8\nrandom_plies = 60\nmax_plies = 80\n"
                   "one_level_games = 10\nrising_level_games = 5\n[learner]\nprecision = 'fp32'\n");
  const auto check = [&](std::vector<std::string> more) {
    std::vector<std::string> words = {"check",    config, "--seconds", "1",
                                      "--device", "cpu",  "--backend", "cpu"};
    words.insert(words.end(), more.begin(), more.end());
    const ProgramResult result = run_faultline(words);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return result.out;
  };
  EXPECT_THAT(check({}), HasSubstr("\nwith 1 level "));
  const auto json = nlohmann::json::parse(check({"--json"}));
  EXPECT_GT(json.at("first_games").at("evaluations_per_second").get<double>(), 0);
  EXPECT_THAT(check({"--set", "run.games=15", "--set", "learner.min_positions=1000"}),
              HasSubstr("\nwarning: run.games ends the run before its first game with all levels"));
}
TEST(Check, RefusesWhatNeverTrainsAsTrainDoes) {
  const TemporaryFolder folder;
  const std::string config =
      folder.write("mine.toml",
                   "[run]\nvariant = 'gardner'\nminutes = 0.001\n[net]\nblocks = 1\nchannels = "
                   "8\n[learner]\nprecision = 'fp32'\n");
  const ProgramResult checked =
      run_faultline({"check", config, "--seconds", "0.3", "--device", "cpu", "--backend", "cpu"});
  EXPECT_EQ(checked.exit_code, 1);
  EXPECT_THAT(checked.out, HasSubstr("\nerror: the first step comes after"));
  const std::string run = (folder.path() / "run").string();
  const ProgramResult trained =
      run_faultline({"train", config, "--run", run, "--device", "cpu", "--backend", "cpu"});
  EXPECT_EQ(trained.exit_code, 2);
  EXPECT_THAT(trained.err, HasSubstr("--no-check starts it all the same"));
  EXPECT_FALSE(std::filesystem::exists(run));
  EXPECT_EQ(run_faultline({"check", folder.write("bad.toml", "[serach]\n")}).exit_code, 2);
  EXPECT_EQ(run_faultline({"check"}).exit_code, 2);
}
TEST(Train, AProgramOfAnotherBuildIsNamed) {
  const std::string net = FAULTLINE_PROGRAM "-net";
  const std::string command =
      "FAULTLINE_LAUNCHER_RULES=chess: " + net +
      " train --help 2>&1 >/dev/null | grep -q 'faultline-net .* is of another build'";
  EXPECT_EQ(std::system(command.c_str()), 0);
}
#else
TEST(Train, WithoutLibTorchExplainsHowToGetIt) {
  const ProgramResult result = run_faultline({"train", "some.toml"});
  EXPECT_EQ(result.exit_code, 1);
  EXPECT_THAT(result.err, AllOf(HasSubstr("built without LibTorch"), HasSubstr("scripts/setup"),
                                HasSubstr("-DFAULTLINE_TORCH=ON")));
}
#endif

}  // namespace
}  // namespace faultline
