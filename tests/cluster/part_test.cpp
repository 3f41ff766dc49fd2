// Parts from an actor's folder into the run: whole, torn at every byte, of others, and against the
// rules.
#include <filesystem>
#include <memory>
#include <set>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cluster/part_intake.h"
#include "cluster/part_writer.h"
#include "record/chunk.h"
#include "tests/cluster/fake_cluster.h"

namespace faultline {
namespace {

namespace fs = std::filesystem;
using test::random_game;
using test::TemporaryFolder;
using testing::HasSubstr;

GameRecord game_of(std::uint64_t number) {
  return random_game<EscherPosition>(test::escher(), number, 12);
}

std::string part_bytes(const std::vector<std::uint64_t>& numbers, std::uint64_t run_id,
                       const std::string& variant = "escher") {
  std::vector<std::byte> bytes = chunk_header(variant, run_id);
  for (const std::uint64_t number : numbers) {
    const auto frame = chunk_frame(game_of(number));
    bytes.insert(bytes.end(), frame.begin(), frame.end());
  }
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// A run's folder into which parts are taken.
struct Intake {
  Intake()
      : persistence(config, "escher", {.folder = place.path() / "run", .out = &out}),
        decoder("escher", {}),
        arrivals(persistence, decoder),
        run_id(persistence.state().run_id),
        intake("escher", run_id, decoder, arrivals, numbers, check) {
    arrivals.finish_in(numbers);
  }
  TakenPart take(const std::string& bytes) {
    return intake.take(place.write("000001.part", bytes));
  }
  std::set<std::uint64_t> stored() const { return test::stored_numbers(place.path() / "run"); }

  TemporaryFolder place;
  Config config = test::fake_config();
  std::ostringstream out;
  RunPersistence persistence;
  GameDecoder decoder;
  LocalArrivals arrivals;
  GameNumbers numbers{{}, 0};
  std::uint64_t run_id;
  GameCheck check{config, nullptr, {}};
  PartIntake intake;
};

TEST(Part, IsTakenOnceWhoeverSendsItAgain) {
  Intake run;
  const std::string part = part_bytes({4, 5, 6}, run.run_id);
  EXPECT_EQ(run.take(part).stored, 3U);
  const TakenPart again = run.take(part);
  EXPECT_EQ(again.stored, 0U);
  EXPECT_EQ(again.known, 3U);
  EXPECT_TRUE(again.faults.empty());
  const TakenPart overlapping = run.take(part_bytes({6, 7}, run.run_id));
  EXPECT_EQ(overlapping.stored, 1U);
  EXPECT_EQ(overlapping.known, 1U);
  EXPECT_EQ(run.stored(), (std::set<std::uint64_t>{4, 5, 6, 7}));
  EXPECT_EQ(run.arrivals.take({}).size(), 4U);
}

TEST(Part, TornAtAnyByteItGivesItsWholeGamesAndSaysSo) {
  Intake run;
  const std::string part = part_bytes({0, 1}, run.run_id);
  const std::size_t header = chunk_header("escher", 1).size();
  const std::size_t first = header + chunk_frame(game_of(0)).size();
  for (std::size_t bytes = 0; bytes < part.size(); ++bytes) {
    const TakenPart taken = run.take(part.substr(0, bytes));
    EXPECT_EQ(taken.stored + taken.known, bytes < first ? 0U : 1U) << bytes;
    EXPECT_EQ(taken.faults.empty(), bytes == 0 || bytes == header || bytes == first) << bytes;
  }
  EXPECT_EQ(run.stored(), (std::set<std::uint64_t>{0}));
}

TEST(Part, ADamagedByteCostsNoOtherGame) {
  Intake run;
  std::string part = part_bytes({0, 1, 2}, run.run_id);
  const std::size_t second = chunk_header("escher", 1).size() + chunk_frame(game_of(0)).size();
  part[second + 60] = static_cast<char>(part[second + 60] ^ 1);
  const TakenPart taken = run.take(part);
  EXPECT_EQ(taken.stored, 2U);
  ASSERT_EQ(taken.faults.size(), 1U);
  EXPECT_THAT(taken.faults[0], HasSubstr("game 1 at byte"));
}

TEST(Part, OfAnotherRunOrVariantOrProgramIsRefused) {
  Intake run;
  EXPECT_THAT(run.take(part_bytes({0}, run.run_id + 1)).faults.at(0),
              HasSubstr("has games of another run"));
  EXPECT_THAT(run.take(part_bytes({0}, run.run_id, "chess")).faults.at(0),
              HasSubstr("contains games of 'chess', not of 'escher'"));
  EXPECT_THAT(run.take("no chunk at all").faults.at(0), HasSubstr("not a chunk of games"));
  EXPECT_TRUE(run.stored().empty());
}

TEST(Part, AGameAgainstTheRulesIsLeftOutAndNamed) {
  Intake run;
  GameRecord game = game_of(1);
  game.plies[1].move = game.plies[0].move;
  const auto frame = chunk_frame(game);
  const TakenPart taken =
      run.take(part_bytes({0}, run.run_id) +
               std::string(reinterpret_cast<const char*>(frame.data()), frame.size()));
  EXPECT_EQ(taken.stored, 1U);
  ASSERT_EQ(taken.faults.size(), 1U);
  EXPECT_THAT(taken.faults[0], HasSubstr("game 1, ply 1: move"));
  EXPECT_EQ(run.stored(), (std::set<std::uint64_t>{0}));
}

TEST(PartWriter, FinishedGamesGetAPartsNameWhenItIsFullAndSurviveUntilThen) {
  const TemporaryFolder place;
  PostSettings settings = test::quick_settings();
  settings.part_games = 2;
  std::vector<std::uint64_t> parts;
  PartWriter writer(place.path() / "a", "escher", 7, settings,
                    [&](std::uint64_t, std::uint64_t part) { parts.push_back(part); });
  for (std::uint64_t number = 0; number < 3; ++number)
    writer.put(game_of(number));
  EXPECT_EQ(parts, (std::vector<std::uint64_t>{1, 1, 2}));
  EXPECT_EQ(scan_chunk(place.path() / "a/000001.part", "escher").games.size(), 2U);
  EXPECT_EQ(scan_chunk(place.path() / "a/000002.part.tmp", "escher").games.size(), 1U);
  EXPECT_EQ(writer.confirmed_below(), 1U);
  fs::remove(place.path() / "a/000001.part");
  EXPECT_EQ(writer.confirmed_below(), 2U);
  EXPECT_EQ(writer.unconfirmed(), 1U);
  writer.send(true);
  EXPECT_EQ(scan_chunk(place.path() / "a/000002.part", "escher").header.run_id, 7U);
}

TEST(PartWriter, WaitsWhileTheDiskIsFullAndLosesNothing) {
  const TemporaryFolder place;
  fs::create_symlink("/dev/full", place.path() / "000001.part.tmp");
  PartWriter writer(place.path(), "escher", 7, test::quick_settings(), [](auto, auto) {});
  std::thread writing([&] { writer.put(game_of(3)); });
  EXPECT_TRUE(test::soon([&] { return !writer.trouble().empty(); }));
  EXPECT_THAT(writer.trouble(), HasSubstr("No space left on device"));
  fs::remove(place.path() / "000001.part.tmp");
  writing.join();
  EXPECT_EQ(writer.trouble(), "");
  writer.send(true);
  EXPECT_EQ(scan_chunk(place.path() / "000001.part", "escher").games.size(), 1U);
}

TEST(PartWriter, GoesOnInANewFolderIfALearnerTookItForDead) {
  const TemporaryFolder place;
  PartWriter writer(place.path() / "a", "escher", 7, test::quick_settings(), [](auto, auto) {});
  writer.put(game_of(0));
  fs::remove_all(place.path() / "a");  // with its first game, which was taken
  writer.put(game_of(1));
  writer.send(true);
  EXPECT_EQ(scan_chunk(place.path() / "a/000002.part", "escher").games.size(), 1U);
}

}  // namespace
}  // namespace faultline
