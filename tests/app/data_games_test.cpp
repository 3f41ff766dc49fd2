// Games of files in the commands, by name and by path.
#include <filesystem>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/app/run_program.h"

namespace faultline {
namespace {

using testing::AllOf;
using testing::HasSubstr;

const std::string kGames = FAULTLINE_SOURCE_DIR "/games/";

void expect_works(const std::vector<std::string>& words, const std::string& says,
                  std::string_view input = "") {
  const ProgramResult result = run_faultline(words, input);
  EXPECT_EQ(result.exit_code, 0) << words[0] << ": " << result.err;
  EXPECT_THAT(result.out, HasSubstr(says)) << words[0];
}

class DataGame : public testing::TestWithParam<const char*> {};

TEST_P(DataGame, IsAVariantInTheCommands) {
  const TemporaryFolder folder;
  const std::string name = std::string("data:") + GetParam();
  expect_works({"board", name}, "to move");
  expect_works({"moves", kGames + GetParam() + ".toml"}, "moves ");
  expect_works({"perft", name, "2"}, "nodes");
  expect_works({"variants", name}, name);
  const std::string games = folder.path() / "games.pgn";
  expect_works({"match", name, "random", "alphabeta?depth=1", "--games", "4", "--pgn", games},
               "Games:");
  EXPECT_THAT(test::read_text(games), HasSubstr("[Variant \"" + name + "\"]"));
  const ProgramResult read =
      run_faultline({"analyse", games, "--net", "material", "--visits", "2", "--lines", "1"});
  EXPECT_EQ(read.exit_code, 0) << read.err;
  EXPECT_EQ(read.err, "");
  expect_works({"report", games, "-o", folder.path() / "games.html"}, "games.html");
  expect_works({"uci", "--evaluator", "alphabeta"}, "bestmove ",
               "setoption name UCI_Variant value " + name +
                   "\nposition startpos\ngo nodes 100\nwait\nquit\n");
}

INSTANTIATE_TEST_SUITE_P(Games, DataGame,
                         testing::Values("crazyhouse", "carousel", "inferno2", "minishogi"));

#ifdef FAULTLINE_WITH_TORCH
std::string game_of(const std::string& more) {
  return "format = 1\nname = \"mine\"\nbase = \"gardner\"\n" + more;
}

TEST(DataGameRun, GoesOnWithoutItsFileAndIsRefusedForAnotherOfItsName) {
  const TemporaryFolder folder;
  const std::string file = folder.write("mine.toml", game_of(""));
  const std::string run = folder.path() / "run";
  const std::string config = folder.write(
      "config.toml", "[run]\nvariant = '" + file +
                         "'\ngames = 6\n[net]\nblocks = 1\nchannels = 8\n[search]\nvisits = 8\n"
                         "[selfplay]\nthreads = 1\ngames_per_thread = 3\nbatch = 3\n"
                         "max_plies = 40\n[learner]\nprecision = 'fp32'\nmin_positions = 20\n"
                         "batch = 16\n");
  const ProgramResult first = run_faultline(
      {"train", config, "--run", run, "--device", "cpu", "--backend", "cpu", "--no-check"});
  ASSERT_EQ(first.exit_code, 0) << first.err;
  EXPECT_TRUE(std::filesystem::exists(run + "/game.toml"));

  std::filesystem::remove(file);
  const ProgramResult resumed =
      run_faultline({"train", "--run", run, "--resume", "--set", "run.games=8", "--device", "cpu",
                     "--backend", "cpu"});
  EXPECT_EQ(resumed.exit_code, 0) << resumed.err;
  expect_works({"games", run}, "data:mine");
  expect_works({"analyse", "startpos", "--net", run, "--visits", "4"}, "visits");
  const std::string bundle = folder.path() / "bundle.zip";
  expect_works({"export", run, "--format", "bundle", "-o", bundle}, "bundle");
  expect_works({"verify", bundle}, "");

  const std::string retitled = folder.write("mine.toml", "title = \"Our game\"\n" + game_of(""));
  for (const std::string& net : {run, bundle})
    expect_works({"match", retitled, net, "random", "--games", "2", "--visits", "2"}, "Games:");

  const std::string other =
      folder.write("mine.toml", game_of("[pieces]\nN = \"knight + camel\"\n"));
  for (const std::string& net : {run, bundle}) {
    const ProgramResult refused =
        run_faultline({"match", other, net, "random", "--games", "2", "--visits", "2"});
    EXPECT_EQ(refused.exit_code, 2) << refused.out;
    EXPECT_THAT(refused.err, HasSubstr("mine"));
  }
}
#endif

}  // namespace
}  // namespace faultline
