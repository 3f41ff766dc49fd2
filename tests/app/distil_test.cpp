// `faultline distil`, alone and at the end of a run.
#include <filesystem>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/checkpoint.h"
#include "model/checkpoint_file.h"
#include "model/fast/fast_choice.h"
#include "model/fast/fast_network.h"
#include "record/config.h"
#include "record/run_folder.h"
#include "tests/app/run_program.h"
#include "tests/temporary_folder.h"

namespace faultline {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;

/// Trains gardner for a moment, with a fast network at the end.
ProgramResult train(const fs::path& run, const std::string& fast = "after") {
  std::vector<std::string> arguments = {
      "train",      FAULTLINE_SOURCE_DIR "/configs/gardner-quick.toml",
      "--no-check", "--resume",
      "--run",      run.string()};
  for (const std::string& setting :
       {std::string("run.minutes=0"), std::string("run.games=6"), "fast.network=" + fast,
        std::string("selfplay.threads=1"), std::string("selfplay.games_per_thread=2"),
        std::string("search.visits=2"), std::string("search.reduced_visits=2"),
        std::string("learner.batch=8"), std::string("net.channels=16"),
        std::string("selfplay.max_plies=40"), std::string("selfplay.random_plies=4"),
        std::string("learner.min_positions=10"), std::string("run.report_seconds=1")})
    arguments.insert(arguments.end(), {"--set", setting});
  return run_faultline(arguments);
}

TEST(Distil, ARunEndsWithBothNetworksAndAnExportHasThem) {
  const test::TemporaryFolder folder;
  const fs::path run = folder.path() / "run";
  // Too short a time for a step of distilling, whose least positions take longer.
  const ProgramResult first = train(run);
  ASSERT_EQ(first.exit_code, 0) << first.err;
  EXPECT_THAT(first.out, HasSubstr("too short a time for a step; 'faultline distil "));
  const std::vector<std::string> more = {"distil",    run.string(),
                                         "--minutes", "0",
                                         "--set",     "run.games=30",
                                         "--set",     "learner.min_positions=100",
                                         "--set",     "selfplay.max_plies=40",
                                         "--set",     "fast.nodes=10"};
  const ProgramResult distilled = run_faultline(more);
  ASSERT_EQ(distilled.exit_code, 0) << distilled.err << distilled.out;
  const fs::path net = find_network(run.string(), "net");
  EXPECT_THAT(distilled.out, AllOf(HasSubstr("taught by"), HasSubstr(net.string() + ": has both"),
                                   HasSubstr("the fast network scores ")));
  const auto match = stored_fast_match(net);
  ASSERT_TRUE(match);
  EXPECT_EQ(match->milliseconds, 20);
  EXPECT_EQ(fast_is_stronger(net), match->score >= 0.5);
  const FastNetwork fast = load_fast_network(net);
  EXPECT_EQ(fast.variant, "gardner");
  EXPECT_GT(fast.steps, 0);
  // The run goes on from it, and begins no second time with what is done.
  const ProgramResult again = train(run);
  EXPECT_EQ(again.exit_code, 0) << again.err;
  EXPECT_THAT(again.out, testing::Not(HasSubstr("taught by")));

  const std::string file = (folder.path() / "both.pt").string();
  const ProgramResult exported =
      run_faultline({"export", run.string(), "--format", "net", "-o", file, "--note", "a note"});
  ASSERT_EQ(exported.exit_code, 0) << exported.err;
  EXPECT_LT(fs::file_size(file), fs::file_size(net) / 2);
  EXPECT_EQ(load_fast_network(file), fast);
  EXPECT_EQ(stored_fast_match(file), match);
  EXPECT_EQ(read_checkpoint_info(file).weights_hash, read_checkpoint_info(net).weights_hash);
  const auto about = CheckpointFile::read(file).header["about"];
  EXPECT_EQ(about["note"], "a note");
  EXPECT_FALSE(about.contains("strength")) << "nothing is known";
  EXPECT_THAT(about["config"].get<std::string>(), HasSubstr("variant = \"gardner\""));
  // How the fast network was trained, with what the command line said of it.
  const auto header = CheckpointFile::read(file).header;
  const auto& origin = header["fast_network"]["origin"];
  const Config config = parse_config(origin["config"].get<std::string>(), "origin");
  EXPECT_EQ(config.fast.nodes, 10);
  EXPECT_EQ(config.learner.root_value_share, 1) << "as distil has it";
  EXPECT_EQ(config.fast.teacher, net.string());
  EXPECT_GE(origin["run"]["games"].get<int>(), 30);
  EXPECT_GT(origin["run"]["cpu_seconds"].get<double>(), 0);
  EXPECT_EQ(about["weights"]["network"], read_checkpoint_info(net).weights());
  EXPECT_EQ(about["weights"]["fast"].get<std::string>().size(), 16U);
  for (const std::string& player : {file, "alphabeta?eval=" + file + "&nodes=10"}) {
    const ProgramResult played = run_faultline({"match", player, "random", "--games", "2",
                                                "--visits", "4", "--max-plies", "10", "--json"});
    EXPECT_EQ(played.exit_code, 0) << played.err;
  }
}

TEST(Distil, ASelfTaughtOneLearnsFromItsGamesAlone) {
  const test::TemporaryFolder folder;
  const fs::path run = folder.path() / "run";
  const ProgramResult first = train(run, "self-taught");
  ASSERT_EQ(first.exit_code, 0) << first.err;
  EXPECT_THAT(first.out, HasSubstr("too short a time for a step"));
  std::vector<std::string> more = {"distil", run.string(), "--minutes", "0"};
  for (const char* setting : {"run.games=30", "learner.min_positions=100", "selfplay.max_plies=40",
                              "replay.min_window=100", "fast.nodes=10"})
    more.insert(more.end(), {"--set", setting});
  const ProgramResult learned = run_faultline(more);
  ASSERT_EQ(learned.exit_code, 0) << learned.err << learned.out;
  EXPECT_THAT(learned.out, AllOf(HasSubstr(": has both"), HasSubstr("the fast network scores "),
                                 testing::Not(HasSubstr("taught by"))));
  const fs::path net = find_network(run.string(), "net");
  EXPECT_GT(load_fast_network(net).steps, 0);
  EXPECT_TRUE(stored_fast_match(net));
  // What has begun without a teacher does not go on with one.
  more.insert(more.end(), {"--set", "fast.teacher=" + net.string()});
  const ProgramResult taught = run_faultline(more);
  EXPECT_EQ(taught.exit_code, 2);
  EXPECT_THAT(taught.err, HasSubstr("learns from no other network, not "));
}

TEST(Distil, SaysWhatItCannotDo) {
  const test::TemporaryFolder folder;
  const std::string golden = FAULTLINE_SOURCE_DIR "/tests/model/golden/chess.pt";
  const ProgramResult nowhere = run_faultline({"distil", golden});
  EXPECT_EQ(nowhere.exit_code, 2);
  EXPECT_THAT(nowhere.err, HasSubstr("is in no run's folder; --run DIR says where"));
  EXPECT_EQ(run_faultline({"distil", (folder.path() / "none").string()}).exit_code, 2);
  EXPECT_EQ(run_faultline({"distil", "alphabeta"}).exit_code, 2);
  // A run that learns from another network, or from none.
  const std::string other = folder.path().string() + "/other";
  fs::create_directory(other);
  folder.write("other/config.toml", "[run]\nvariant = \"chess\"\n[fast]\nnetwork = \"alone\"\n");
  const ProgramResult taken = run_faultline({"distil", golden, "--run", other});
  EXPECT_EQ(taken.exit_code, 2);
  EXPECT_THAT(taken.err, HasSubstr("the run in it learns from no other network, not "));
  const ProgramResult key = run_faultline(
      {"distil", golden, "--run", folder.path().string() + "/r", "--set", "fast.nodes=none"});
  EXPECT_EQ(key.exit_code, 2);
  EXPECT_THAT(key.err, HasSubstr("fast.nodes"));
}

}  // namespace
}  // namespace faultline
