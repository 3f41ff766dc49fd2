// The client's side of UCI, against an engine that misbehaves in every way.
#include "engine/uci_client.h"

#include <chrono>
#include <csignal>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include "base/machine_shortage.h"
#include "base/stop_signals.h"
#include "search/searcher.h"
#include "tests/engine/fake_engine_spec.h"
#include "tests/temporary_folder.h"

namespace faultline {
namespace {

using namespace std::chrono_literals;
using test::fake_engine;
using test::impatient;
using testing::StartsWith;

/// The message of the SearcherFailure that `action` ends in.
template <class Action>
std::string failure_of(const Action& action) {
  try {
    action();
  } catch (const SearcherFailure& failure) {
    return failure.what();
  }
  return "no failure";
}

std::string spec_error_of(const UciEngineSpec& spec, std::string_view variant = "chess") {
  try {
    const UciClient client(spec, variant);
  } catch (const UciSpecError& error) {
    return error.what();
  }
  return "no error";
}

UciEngineSpec with_option(const std::string& name, const std::string& value,
                          const std::string& arguments = "") {
  UciEngineSpec spec = fake_engine(arguments);
  spec.options.emplace_back(name, value);
  return spec;
}

std::string failure_in_search(const UciEngineSpec& spec, const UciLimits& limits = {.nodes = 100}) {
  return failure_of([&] {
    UciClient client(spec, "chess");
    client.search("startpos", limits);
  });
}

TEST(UciClient, PlaysAMove) {
  UciClient client(fake_engine("'report=depth 4 seldepth 6 score cp 25 nodes 100 pv a2a3'"),
                   "chess");
  EXPECT_EQ(client.name(), "Fake Engine");
  client.new_game();
  const UciAnswer answer = client.search("startpos moves e2e4", {.nodes = 100});
  EXPECT_EQ(answer.move.size(), 4U);
  EXPECT_EQ(answer.info.depth, 4);
  EXPECT_EQ(answer.info.centipawns, 25);
  EXPECT_EQ(client.search("fen 7k/5Q2/8/6K1/8/8/8/8 b - - 0 1", {.depth = 1}).move, "(none)");
}

TEST(UciClient, SpeaksTheProtocol) {
  const test::TemporaryFolder folder;
  const std::string log = (folder.path() / "log").string();
  {
    UciEngineSpec spec = fake_engine("log=" + log + " variants=chess,gardner");
    spec.options = {{"skill level", "3"}, {"Clear Hash", ""}, {"Style", "Very Risky"}};
    UciClient client(spec, "gardner");
    client.new_game();
    client.search("startpos moves a2a3",
                  {.nodes = 5, .depth = 2, .movetime = 70ms, .search_moves = {"b4a3", "b4b3"}});
  }
  EXPECT_EQ(test::read_text(log),
            "uci\n"
            "setoption name Skill Level value 3\n"
            "setoption name Clear Hash\n"
            "setoption name Style value Very Risky\n"
            "setoption name UCI_ShowWDL value true\n"
            "setoption name UCI_Variant value gardner\n"
            "isready\n"
            "ucinewgame\n"
            "isready\n"
            "position startpos moves a2a3\n"
            "isready\n"
            "go nodes 5 depth 2 movetime 70 searchmoves b4a3 b4b3\n"
            "quit\n");
}

TEST(UciClient, LeavesTheWdlOptionToTheSpecification) {
  const test::TemporaryFolder folder;
  const std::string log = (folder.path() / "log").string();
  { const UciClient client(with_option("UCI_ShowWDL", "false", "log=" + log), "chess"); }
  EXPECT_EQ(test::read_text(log), "uci\nsetoption name UCI_ShowWDL value false\nisready\nquit\n");
}

TEST(UciClient, RefusesOptionsThatTheEngineDoesNotHave) {
  EXPECT_EQ(spec_error_of(with_option("Skil Level", "3")),
            "Fake Engine has no option 'Skil Level'; did you mean 'Skill Level'?");
  EXPECT_EQ(spec_error_of(with_option("node", "3")),
            "Fake Engine has no option 'node'; did you mean 'nodes'?");
  EXPECT_EQ(spec_error_of(with_option("Skill Level", "21")),
            "Fake Engine: Skill Level=21: expected a whole number from 0 to 20");
  EXPECT_EQ(spec_error_of(with_option("Style", "Risky")),
            "Fake Engine: Style=Risky: expected one of Solid, Very Risky");
  EXPECT_EQ(spec_error_of(with_option("Ponder", "yes")),
            "Fake Engine: Ponder=yes: expected true or false");
  EXPECT_EQ(spec_error_of(with_option("UCI_Variant", "chess")),
            "Fake Engine: 'UCI_Variant' is set to the variant that is played; it can be named for "
            "games of files");
  EXPECT_EQ(spec_error_of(with_option("uci_variant", "chess")),
            "Fake Engine: 'uci_variant' is spelled 'UCI_Variant'");
}

TEST(UciClient, NamesGamesOfFilesAsTheEngineDoes) {
  UciEngineSpec spec = fake_engine("variants=chess,mini");
  EXPECT_EQ(spec_error_of(spec, "data:my-mini"),
            "Fake Engine cannot play 'data:my-mini': its UCI_Variant takes one of chess, mini");
  spec.options = {{"UCI_Variant", "mini"}};
  EXPECT_EQ(spec_error_of(spec, "data:my-mini"), "no error");
  spec.options = {{"UCI_Variant", "maxi"}};
  EXPECT_EQ(spec_error_of(spec, "data:my-mini"),
            "Fake Engine cannot play 'maxi': its UCI_Variant takes one of chess, mini");
}

TEST(UciClient, RefusesVariantsThatTheEngineDoesNotPlay) {
  EXPECT_EQ(
      spec_error_of(fake_engine(), "escher"),
      "Fake Engine cannot play 'escher': it has no option UCI_Variant, so it plays chess only");
  EXPECT_EQ(spec_error_of(fake_engine("variants=chess,gardner"), "escher"),
            "Fake Engine cannot play 'escher': its UCI_Variant takes one of chess, gardner");
}

TEST(UciClient, AsksForOptionSetsThatAnEngineOfOurNamesDoesNotList) {
  const UciEngineSpec spec = fake_engine("variants=chess,slanted,slanted:board=mini");
  EXPECT_EQ(spec_error_of(spec, "slanted:first=black"), "no error");
  EXPECT_THAT(spec_error_of(spec, "shifting:gaps=1"), StartsWith("Fake Engine cannot play"));
  EXPECT_THAT(spec_error_of(fake_engine("variants=chess,slanted"), "slanted:first=black"),
              StartsWith("Fake Engine cannot play"));
}

TEST(UciClient, SaysWhereAProgramIsMissing) {
  EXPECT_EQ(spec_error_of({.command = "no-such-engine --uci"}),
            "there is no program 'no-such-engine' in the folders of PATH or in /usr/games");
  EXPECT_EQ(spec_error_of({.command = "/nowhere/engine"}), "there is no program '/nowhere/engine'");
}

TEST(UciClient, FailsIfTheEngineEndsAtItsStart) {
  EXPECT_EQ(failure_in_search(fake_engine("start=exit 'stderr=no network found'")),
            "test_fake_uci_engine crashed: it exited with status 3; the last lines of its stderr: "
            "no network found");
}

TEST(UciClient, FailsIfTheEngineNeverSaysUciok) {
  EXPECT_EQ(failure_in_search(impatient(fake_engine("start=silent 'stderr=loading'"))),
            "test_fake_uci_engine did not answer 'uci' by 'uciok' within 2 s; the last lines of "
            "its stderr: loading");
}

TEST(UciClient, IsNotWaitedForWhenTheProgramIsToStop) {
  {
    const StopSignals signals;
    std::raise(SIGTERM);
    UciEngineSpec silent = fake_engine("start=silent");
    silent.timeout = std::chrono::hours(1);
    EXPECT_EQ(failure_in_search(silent),
              "test_fake_uci_engine is not waited for, as the program is to stop");
  }
  const StopSignals none;  // of the tests that follow
}

TEST(UciClient, AShortageOfTheMachineIsNotTheEnginesFault) {
  // Nothing sends itself SIGKILL, but for this test.
  EXPECT_THROW(UciClient({.command = "/bin/sh -c 'kill -9 $$'"}, "chess"), MachineShortage);
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &before), 0);
  rlimit none = before;
  none.rlim_cur = 3;
  setrlimit(RLIMIT_NOFILE, &none);
  EXPECT_THROW(UciClient(fake_engine(), "chess"), MachineShortage);
  setrlimit(RLIMIT_NOFILE, &before);
}

TEST(UciClient, FailsIfTheEngineDoesNotRead) {
  EXPECT_THAT(failure_in_search(impatient(fake_engine("start=deaf"))),
              StartsWith("test_fake_uci_engine did not answer 'uci'"));
}

TEST(UciClient, SkipsGarbage) {
  UciClient client(fake_engine("start=garbage move=garbage"), "chess");
  EXPECT_EQ(client.name(), "Fake Engine");
  for (int i = 0; i < 3; ++i)
    EXPECT_NE(client.search("startpos", {.nodes = 100}).move, "a1a1");
}

TEST(UciClient, ReportsACrashWithTheEnginesLastWords) {
  EXPECT_EQ(
      failure_in_search(fake_engine("move=crash 'stderr=assertion failed: a < b'")),
      "Fake Engine crashed: it was ended by signal 6 (Aborted); the last lines of its stderr: "
      "assertion failed: a < b");
}

TEST(UciClient, ReportsSilence) {
  EXPECT_EQ(failure_in_search(impatient(fake_engine("move=silent"))),
            "Fake Engine reported neither a move nor progress for 2 s after 'go nodes 100'");
  EXPECT_EQ(failure_in_search(impatient(fake_engine("move=silent")), {.movetime = 50ms}),
            "Fake Engine did not move within 2.050 s of 'go movetime 50'");
}

TEST(UciClient, TakesGarbageForSilence) {
  EXPECT_EQ(failure_in_search(impatient(fake_engine("move=babble"))),
            "Fake Engine reported neither a move nor progress for 2 s after 'go nodes 100'");
}

TEST(UciClient, DoesNotWaitForAnEngineThatSearchesForEver) {
  UciEngineSpec spec = impatient(fake_engine("move=endless"));
  EXPECT_EQ(failure_in_search(spec, {.movetime = 50ms}),
            "Fake Engine did not move within 2.050 s of 'go movetime 50'");
  spec.longest_search = 2500ms;
  EXPECT_EQ(failure_in_search(spec), "Fake Engine did not move within 2.500 s of 'go nodes 100'");
}

TEST(UciClient, WaitsForAnEngineThatReportsProgress) {
  UciClient client(impatient(fake_engine("move=busy")), "chess");
  EXPECT_FALSE(client.search("startpos", {.nodes = 100}).move.empty());
}

TEST(UciClient, StopsASearch) {
  UciClient client(fake_engine("move=infinite"), "chess");
  std::atomic<bool> stop{false};
  std::jthread stopper([&] {
    std::this_thread::sleep_for(50ms);
    stop = true;
  });
  EXPECT_EQ(client.search("startpos", {.stop = &stop}).move.size(), 4U);
}

TEST(UciClient, FailsIfTheEngineIgnoresStop) {
  const std::atomic<bool> stop{true};
  EXPECT_EQ(failure_in_search(impatient(fake_engine("move=endless")), {.stop = &stop}),
            "Fake Engine ignored 'stop' for 2 s");
}

TEST(UciClient, EndsAnEngineThatIgnoresQuit) {
  const UciClient client(fake_engine("quit=ignore"), "chess");
  // The destructor would wait for ever.
}

}  // namespace
}  // namespace faultline
