// A run's folder: which checkpoints are deleted, and which never.
#include "record/run_folder.h"

#include <functional>
#include <initializer_list>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/record/games.h"

namespace faultline {
namespace {

namespace fs = std::filesystem;

TEST(RunOfNet, IsFoundFromAnyFolder) {
  const test::TemporaryFolder place;
  const fs::path run = place.path() / "run";
  fs::create_directories(run / "nets");
  EXPECT_EQ(run_of_net(run / "nets/000000.pt"), run);
  EXPECT_EQ(run_of_net("runs/a/nets/000000.pt"), fs::path("runs/a"));
  EXPECT_EQ(run_of_net(place.path() / "net.pt"), std::nullopt);
  const fs::path before = fs::current_path();
  fs::current_path(run / "nets");
  const auto from_nets = run_of_net("000000.pt"), from_here = run_of_net("./000000.pt");
  fs::current_path(run);
  const auto from_run = run_of_net("nets/000000.pt");
  fs::current_path(before);
  EXPECT_EQ(from_nets, fs::path(".."));
  EXPECT_EQ(from_here, fs::path(".."));
  EXPECT_EQ(from_run, fs::path("."));
}

TEST(RunFolder, IsTriedBeforeItIsNeeded) {
  const test::TemporaryFolder place;
  RunFolder::require_creatable(place.path() / "a" / "b");
  EXPECT_TRUE(fs::is_empty(place.path()));
  fs::create_directories(place.path() / "empty");
  RunFolder::require_creatable(place.path() / "empty");
  EXPECT_TRUE(fs::is_empty(place.path() / "empty"));
  EXPECT_THROW(RunFolder::require_creatable(place.path() / "c" / std::string(300, 'd')), RunError);
  EXPECT_FALSE(fs::exists(place.path() / "c"));
  test::write_text(place.path() / "file", "");
  EXPECT_THROW(RunFolder::require_creatable(place.path() / "file"), RunError);
  EXPECT_THROW(RunFolder::require_creatable(place.path() / "file" / "run"), RunError);
  EXPECT_EQ(test::read_text(place.path() / "file"), "");
}

class Checkpoints : public testing::Test {
 protected:
  void write(std::initializer_list<std::int64_t> steps) {
    for (const std::int64_t s : steps)
      test::write_text(folder_.path() / RunFolder::checkpoint_name(s), "a network");
  }
  std::vector<std::int64_t> left() const {
    std::vector<std::int64_t> steps;
    for (const NamedCheckpoint& c : checkpoints_in(folder_.nets()))
      steps.push_back(c.steps);
    return steps;
  }
  /// Prunes after the state that names the network of `steps`.
  std::vector<std::string> prune(std::int64_t steps, int keep, std::int64_t every) {
    RunState state;
    state.steps = steps;
    state.checkpoint = RunFolder::checkpoint_name(steps);
    folder_.write_state(state);
    return folder_.prune_checkpoints(state, keep, every);
  }

  test::TemporaryFolder place_;
  RunFolder folder_{place_.path() / "run"};
};

using Steps = std::vector<std::int64_t>;

TEST_F(Checkpoints, AreNotReplacedBecauseTheStateIsMissing) {
  write({0, 500});  // as a session leaves them that is killed before its first state
  EXPECT_FALSE(folder_.read_state());
  write({1000});
  EXPECT_THROW(folder_.read_state(), RunError);
}

TEST_F(Checkpoints, AreListedInOrderOfTheirSteps) {
  write({1'000'000, 500, 0, 20'500});
  test::write_text(folder_.nets() / "000700.pt.tmp", "half a network");
  test::write_text(folder_.nets() / "best.pt", "somebody's copy");
  EXPECT_EQ(left(), (Steps{0, 500, 20'500, 1'000'000}));
  EXPECT_TRUE(checkpoints_in(folder_.path() / "nowhere").empty());
}

TEST_F(Checkpoints, AllAreKeptByDefault) {
  write({0, 500, 1000, 1500});
  EXPECT_TRUE(prune(1500, 0, 10'000).empty());
  EXPECT_EQ(left(), (Steps{0, 500, 1000, 1500}));
}

TEST_F(Checkpoints, TheUntrainedAndEveryNthOfTheOlderOnesAreKept) {
  write({0, 500, 1000, 1500, 2000, 2500, 3000, 3500});
  EXPECT_TRUE(prune(3500, 2, 1000).empty());
  EXPECT_EQ(left(), (Steps{0, 1000, 2000, 3000, 3500}));
  EXPECT_TRUE(prune(3500, 2, 0).empty());
  EXPECT_EQ(left(), (Steps{0, 3000, 3500}));
}

TEST_F(Checkpoints, TheOneNamedByTheStateIsKept) {
  write({0, 500, 1000});
  RunState state;
  state.steps = 1000;
  state.checkpoint = RunFolder::checkpoint_name(500);
  EXPECT_TRUE(folder_.prune_checkpoints(state, 1, 0).empty());
  EXPECT_EQ(left(), (Steps{0, 500, 1000}));
}

TEST_F(Checkpoints, LaterOnesOfAKilledSessionAreNeitherDeletedNorCounted) {
  write({0, 500, 1000, 1500, 2000});
  EXPECT_TRUE(prune(1000, 2, 0).empty());
  EXPECT_EQ(left(), (Steps{0, 500, 1000, 1500, 2000}));
  EXPECT_TRUE(prune(1000, 1, 0).empty());
  EXPECT_EQ(left(), (Steps{0, 1000, 1500, 2000}));
}

TEST_F(Checkpoints, OtherFilesAreLeftAlone) {
  write({500, 1000});
  test::write_text(folder_.nets() / "best.pt", "somebody's copy");
  test::write_text(folder_.nets() / "000100.txt", "notes");
  EXPECT_TRUE(prune(1000, 1, 0).empty());
  EXPECT_EQ(left(), Steps{1000});
  EXPECT_TRUE(fs::exists(folder_.nets() / "best.pt"));
  EXPECT_TRUE(fs::exists(folder_.nets() / "000100.txt"));
}

TEST_F(Checkpoints, ThoseThatCannotBeDeletedAreNamed) {
  write({1000, 1500});
  // A non-empty folder, which remove() refuses for every user.
  const fs::path stuck = folder_.path() / RunFolder::checkpoint_name(500);
  fs::create_directories(stuck / "inside");
  const std::vector<std::string> failures = prune(1500, 1, 0);
  ASSERT_EQ(failures.size(), 1U);
  EXPECT_EQ(failures.front().rfind(stuck.string() + ": cannot be deleted: ", 0), 0U);
  EXPECT_EQ(left(), (Steps{500, 1500}));
}

TEST(RunFolder, TemporaryFilesOfAKilledSessionAreDeletedAtTheStart) {
  const test::TemporaryFolder place;
  fs::create_directories(place.path() / "nets");
  for (const char* name : {"nets/000700.pt.tmp", "nets/best.pt.tmp", "nets/000500.pt",
                           "config.toml.tmp", "state.json.tmp", "notes.tmp"})
    test::write_text(place.path() / name, "half");
  const RunFolder folder(place.path());
  EXPECT_FALSE(fs::exists(folder.nets() / "000700.pt.tmp"));
  EXPECT_FALSE(fs::exists(place.path() / "config.toml.tmp"));
  EXPECT_FALSE(fs::exists(place.path() / "state.json.tmp"));
  EXPECT_TRUE(fs::exists(folder.nets() / "best.pt.tmp"));
  EXPECT_TRUE(fs::exists(folder.nets() / "000500.pt"));
  EXPECT_TRUE(fs::exists(place.path() / "notes.tmp"));
}

/// The message of the RunError, or "".
std::string refusal(const std::function<void()>& action) {
  try {
    action();
  } catch (const RunError& error) {
    return error.what();
  }
  return "";
}

TEST(RunFolder, AStateThatCountsRoundsIsReadIfThereAreNone) {
  const auto state = [](int rounds) {
    return R"({"format": 1, "variant": "escher", "checkpoint": "nets/000000.pt", "steps": 1,)"
           R"( "games": 2, "positions": 3, "seconds": 4, "rounds": )" +
           std::to_string(rounds) + "}";
  };
  EXPECT_EQ(run_state_from_json(state(0), "s.json").games, 2U);
  EXPECT_NE(refusal([&] { run_state_from_json(state(1), "s.json"); }).find("earlier version"),
            std::string::npos);
}

/// A state as earlier versions wrote it.
std::string without_checksum(const RunState& state) {
  auto json = nlohmann::json::parse(to_json_text(state));
  json.erase("checksum");
  return json.dump();
}

TEST(RunFolder, AMalformedRunIdIsRefusedWithFileAndKey) {
  std::string text = without_checksum(RunState{});
  text.replace(text.find("0000000000000000"), 16, "xyz");
  EXPECT_EQ(refusal([&] { run_state_from_json(text, "s.json"); }),
            "s.json: 'run_id' is 'xyz', but must be 16 hexadecimal digits");
}

TEST(RunFolder, AStateOfALaterFormatIsRefused) {
  std::string text = without_checksum(RunState{});
  text.replace(text.find("\"format\":2"), 10, "\"format\":3");
  EXPECT_EQ(refusal([&] { run_state_from_json(text, "s.json"); }),
            "s.json: has format 3; this program reads 1 to 2");
}

TEST(RunFolder, StatesReadBackAndMalformedInputIsRefused) {
  const RunState state{
      .variant = "escher",
      .checkpoint = "nets/000012.pt",
      .steps = 12,
      .games = 34,
      .positions = 567,
      .in_rounds = 8,
      .seconds = 9.5,
      .cpu_seconds = 17.25,
      .evaluations = 123'456'789,
      .run_id = 0xfedcba9876543210U,
      .init_from = "a.pt (3 steps)",
      .games_from = "runs/b",
      .inherited_games = 21,
      .inference = {{.choice = {.backend = "onednn", .precision = Precision::Int8, .batch = 32},
                     .reason = "timed",
                     .processor = "a processor"},
                    {.choice = {.backend = "libtorch",
                                .device = "cuda:0",
                                .precision = Precision::Bf16,
                                .batch = 512},
                     .from_step = 12,
                     .reason = "--set device.device=cuda"}}};
  EXPECT_EQ(run_state_from_json(to_json_text(state), "x"), state);
  EXPECT_EQ(refusal([] { run_state_from_json("{}", "s.json"); }),
            "s.json: key 'format' is missing");
  EXPECT_EQ(refusal([] { run_state_from_json("null", "s.json"); }),
            "s.json: expected a JSON object");
  EXPECT_EQ(refusal([] { run_state_from_json("{", "s.json"); }),
            "s.json: is not the state of a run: it is not JSON");
}

TEST(RunFolder, OneOfOtherResultsIsRefusedAndLeftAsItIs) {
  const test::TemporaryFolder folder;
  folder.write("tournament.json", "{}");
  EXPECT_EQ(refusal([&] { RunFolder run(folder.path()); }),
            folder.path().string() +
                ": contains a tournament (tournament.json); give a run a folder of its own");
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "nets"));
}

TEST(RunFolder, AMalformedChoiceOfInferenceIsRefusedWithFileAndKey) {
  RunState state;
  state.inference.push_back({.choice = {.backend = "onednn", .batch = 32}});
  const auto changed = [&](const std::string& from, const std::string& to) {
    std::string text = without_checksum(state);
    EXPECT_NE(text.find(from), std::string::npos) << from;
    return refusal(
        [&] { run_state_from_json(text.replace(text.find(from), from.size(), to), "s.json"); });
  };
  EXPECT_EQ(changed("\"fp32\"", "\"fp8\""),
            "s.json: 'inference': key 'precision': unknown precision 'fp8'; there are fp32, bf16, "
            "int8");
  EXPECT_EQ(changed("\"batch\":32", "\"batch\":0"),
            "s.json: 'inference': key 'batch' is out of range (0)");
  EXPECT_EQ(changed("\"device\"", "\"place\""), "s.json: 'inference': key 'device' is missing");
}

TEST(RunFolder, AStateFromBeforeChoicesWereStoredHasNone) {
  EXPECT_EQ(to_json_text(RunState{}).find("inference"), std::string::npos);
  EXPECT_TRUE(run_state_from_json(to_json_text(RunState{}), "s.json").inference.empty());
}

}  // namespace
}  // namespace faultline
