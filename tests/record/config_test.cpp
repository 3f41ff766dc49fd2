// Configuration: parsing, refusals and their messages, and the reference page.
#include "record/config.h"

#include <algorithm>
#include <filesystem>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/processor.h"
#include "tests/record/games.h"

namespace faultline {
namespace {

/// The message with which `action` is refused, or "".
template <class F>
std::string refusal(F&& action) {
  try {
    action();
  } catch (const ConfigError& error) {
    return error.what();
  }
  return {};
}
std::string refusal_of(const std::string& toml) {
  return refusal([&] { parse_config(toml, "x.toml"); });
}
std::string refusal_of_set(const std::string& assignment) {
  Config config;
  return refusal([&] { set_option(config, assignment); });
}

TEST(Config, AnEmptyFileGivesTheDefaults) {
  EXPECT_EQ(to_toml(parse_config("", "x.toml")), to_toml(Config{}));
}

TEST(Config, EveryKindOfValueIsRead) {
  const Config config = parse_config(R"(
[run]
variant = "chess"
minutes = 2.5
games = 9000000000
deterministic = true
[search]
visits = 77
cpuct = 2
)",
                                     "x.toml");
  EXPECT_EQ(config.run.variant, "chess");
  EXPECT_EQ(config.run.minutes, 2.5);
  EXPECT_EQ(config.run.games, 9'000'000'000);
  EXPECT_TRUE(config.run.deterministic);
  EXPECT_EQ(config.search.visits, 77);
  EXPECT_EQ(config.search.params.cpuct, 2.0F);
}

TEST(Config, AMistypedKeyIsRefusedWithItsLineAndTheNearestName) {
  EXPECT_EQ(refusal_of("[search]\n\nvists = 3\n"),
            "x.toml:3: unknown key 'search.vists'; did you mean 'search.visits'?");
}

TEST(Config, AKeyInTheWrongSectionIsRefusedWithTheRightOne) {
  EXPECT_EQ(refusal_of("[run]\nvisits = 3\n"),
            "x.toml:2: unknown key 'run.visits'; did you mean 'search.visits'?");
}

TEST(Config, AKeyOutsideAnySectionIsRefused) {
  EXPECT_EQ(refusal_of("visits = 3\n"),
            "x.toml:1: unknown key 'visits'; did you mean 'search.visits'?");
}

TEST(Config, AKeyLikeNoOtherGetsNoSuggestion) {
  EXPECT_EQ(refusal_of("[run]\nzzzzzzzzzzzzzzz = 3\n"),
            "x.toml:2: unknown key 'run.zzzzzzzzzzzzzzz'");
}

TEST(Config, AnUnknownSectionIsRefusedWithTheNearestName) {
  EXPECT_EQ(refusal_of("[serch]\nvisits = 3\n"),
            "x.toml:1: unknown section 'serch'; did you mean 'search'?");
}

TEST(Config, AWrongTypeIsRefusedWithTheExpectedOne) {
  EXPECT_EQ(refusal_of("[search]\nvisits = 'many'\n"),
            "x.toml:2: 'search.visits' is 'many', but must be a whole number, 2 to 1000000");
  EXPECT_EQ(refusal_of("[search]\nvisits = 2.5\n"),
            "x.toml:2: 'search.visits' is 2.5, but must be a whole number, 2 to 1000000");
  EXPECT_EQ(refusal_of("[search]\nvisits = [1]\n"),
            "x.toml:2: 'search.visits' is a list, but must be a whole number, 2 to 1000000");
  EXPECT_EQ(refusal_of("[run]\nvariant = 3\n"),
            "x.toml:2: 'run.variant' is 3, but must be a text in quotes");
  EXPECT_EQ(refusal_of("[run]\ndeterministic = 1\n"),
            "x.toml:2: 'run.deterministic' is 1, but must be true or false");
  EXPECT_EQ(refusal_of("search = 3\n"), "x.toml:1: 'search' is 3, but must be a section: [search]");
}

TEST(Config, AValueOutOfRangeIsRefusedWithTheRange) {
  EXPECT_EQ(refusal_of("[search]\nvisits = 1\n"),
            "x.toml:2: 'search.visits' is 1, but must be a whole number, 2 to 1000000");
  EXPECT_EQ(refusal_of("[search]\ndirichlet_weight = 1.5\n"),
            "x.toml:2: 'search.dirichlet_weight' is 1.5, but must be a number, 0 to 1");
  EXPECT_NE(refusal_of("[search]\ncpuct = nan\n"), "");
  EXPECT_NE(refusal_of("[run]\nminutes = inf\n"), "");
  EXPECT_EQ(refusal_of("[learner]\noptimizer = 'adam'\n"),
            "x.toml:2: 'learner.optimizer' is 'adam', but must be one of: sgd, adamw");
}

TEST(Config, BrokenTomlIsRefusedWithItsLine) {
  EXPECT_EQ(refusal_of("[run]\nseed = \n").rfind("x.toml:2: not valid TOML: ", 0), 0U);
}

TEST(Config, AKeyGivenTwiceIsRefusedWithTheSecondLine) {
  const std::string message = refusal_of("[search]\nvisits = 3\n\nvisits = 4\n");
  EXPECT_EQ(message.rfind("x.toml:4: not valid TOML: ", 0), 0U) << message;
  EXPECT_NE(message.find("visits"), std::string::npos) << message;
  const std::string section = refusal_of("[search]\nvisits = 3\n[run]\n[search]\ncpuct = 1\n");
  EXPECT_EQ(section.rfind("x.toml:4: not valid TOML: ", 0), 0U) << section;
}

TEST(Config, NestedTablesAndListsOfTablesAreRefusedWithTheirLine) {
  EXPECT_EQ(refusal_of("[[search]]\nvisits = 3\n"),
            "x.toml:1: 'search' is a list, but must be a section: [search]");
  EXPECT_EQ(refusal_of("[search.visits]\nfull = 3\n"),
            "x.toml:1: 'search.visits' is a table, but must be a whole number, 2 to 1000000");
}

TEST(Config, AnOverlongValueIsTruncatedInTheMessage) {
  const std::string message =
      refusal_of("[run]\nminutes = '" + std::string(1'000'000, 'x') + "'\n");
  EXPECT_EQ(message.rfind("x.toml:2: 'run.minutes' is 'xxx", 0), 0U);
  EXPECT_LT(message.size(), 300U);
}

TEST(Config, AFileThatCannotBeUsedIsRefusedByNameAndReason) {
  const test::TemporaryFolder place;
  EXPECT_EQ(refusal([] { load_config("no/such.toml"); }),
            "no/such.toml: cannot be read: No such file or directory");
  EXPECT_EQ(refusal([&] { load_config(place.path()); }),
            place.path().string() + ": is a folder; a configuration is a TOML file");
  const std::filesystem::path empty = place.path() / "empty.toml";
  test::write_text(empty, "");
  EXPECT_EQ(refusal([&] { load_config(empty); }),
            empty.string() + ": is empty; see docs/config.md for the keys");
  const std::filesystem::path binary = place.path() / "binary.toml";
  test::write_text(binary, std::string("\xff\xfe\0\1", 4));
  EXPECT_EQ(
      refusal([&] { load_config(binary); }).rfind(binary.string() + ":1: not valid TOML: ", 0), 0U);
}

TEST(Config, TheCommandLineSetsKeysWithTheSameChecks) {
  Config config;
  set_option(config, "search.visits=12");
  set_option(config, "run.name=a=b");
  set_option(config, "run.minutes=0.5");
  set_option(config, "search.tree_reuse=false");
  EXPECT_EQ(config.search.visits, 12);
  EXPECT_EQ(config.run.name, "a=b");
  EXPECT_EQ(config.run.minutes, 0.5);
  EXPECT_FALSE(config.search.tree_reuse);
  EXPECT_EQ(refusal_of_set("search.vists=3"),
            "--set search.vists=3: unknown key 'search.vists'; did you mean 'search.visits'?");
  EXPECT_EQ(refusal_of_set("run.minutes=soon"),
            "--set run.minutes=soon: 'run.minutes' is soon, but must be a number, at least 0");
  EXPECT_EQ(refusal_of_set("run.minutes"),
            "--set run.minutes: must be section.key=value, like search.visits=200");
}

TEST(Config, FormerNamesAreReadWithANotice) {
  Config config = parse_config("[learner]\nreuse = 2.5\n\n[search]\nfast_visits = 9\n", "x.toml");
  EXPECT_EQ(config.learner.replay_ratio, 2.5);
  EXPECT_EQ(config.search.reduced_visits, 9);
  EXPECT_EQ(config.notices, (std::vector<std::string>{
                                "x.toml:2: 'learner.reuse' is now called 'learner.replay_ratio'",
                                "x.toml:5: 'search.fast_visits' is now called "
                                "'search.reduced_visits'"}));
  EXPECT_EQ(config.source("search.reduced_visits"), "x.toml:5");
  set_option(config, "learner.reuse=3");
  EXPECT_EQ(config.learner.replay_ratio, 3);
  EXPECT_EQ(config.notices.back(),
            "--set learner.reuse=3: 'learner.reuse' is now called 'learner.replay_ratio'");
  EXPECT_EQ(to_toml(config).find("\nreuse ="), std::string::npos);
  EXPECT_TRUE(parse_config(to_toml(config), "x.toml").notices.empty());
}

TEST(Config, KeysThatHaveBeenRemovedAreLeftOutOfEarlierFiles) {
  EXPECT_TRUE(parse_config("[learner]\nsurprise_share = 0.0\n", "x.toml").notices.empty());
  EXPECT_EQ(parse_config("[learner]\nsurprise_share = 0.5\n", "x.toml").notices,
            (std::vector<std::string>{"x.toml:2: 'learner.surprise_share' no longer exists and has "
                                      "no effect (docs/worth.md)"}));
  EXPECT_TRUE(parse_config("[search]\nleast_new_share = 1.0\n", "x.toml").notices.empty());
  EXPECT_EQ(parse_config("[search]\nleast_new_share = 0\n", "x.toml").notices.size(), 1U);
  EXPECT_EQ(refusal_of_set("learner.surprise_share=0"),
            "--set learner.surprise_share=0: 'learner.surprise_share' no longer exists "
            "(docs/worth.md)");
  EXPECT_EQ(parse_config("[fast]\nnetwork = \"beside\"\n", "x.toml").notices,
            (std::vector<std::string>{
                "x.toml:2: 'fast.network' = 'beside' no longer exists and has no effect"}));
  // A key that had no effect is not mentioned.
  EXPECT_TRUE(
      parse_config("[selfplay]\narchive_games = 9\narchive_share = 0\n", "x.toml").notices.empty());
  EXPECT_EQ(
      parse_config("[selfplay]\narchive_games = 9\narchive_share = 0.5\n", "x.toml").notices.size(),
      2U);
}

TEST(Config, AFormerNameIsCheckedLikeTheCurrentOneAndNotAcceptedTogetherWithIt) {
  EXPECT_EQ(refusal_of("[learner]\nreuse = 0\n"),
            "x.toml:2: 'learner.reuse' is 0, but must be a number, 0.01 to 1000");
  EXPECT_EQ(refusal_of("[learner]\nreuse = 2\nreplay_ratio = 3\n"),
            "x.toml:2: 'learner.replay_ratio' is given under two names, also at x.toml:3; keep "
            "'replay_ratio'");
}

TEST(Config, TheSectionsHaveTheKeysOfTheirStructs) {
  const Config config = parse_config(R"(
[learner]
optimizer = "sgd"
beta2 = 0.95
moves_left_weight = 0.1
[net]
blocks = 80
[device]
precision = "bf16"
)",
                                     "x.toml");
  EXPECT_EQ(config.learner.train.optimizer, OptimizerKind::SgdNesterov);
  EXPECT_EQ(config.learner.train.beta2, 0.95);
  EXPECT_EQ(config.learner.train.moves_left_weight, 0.1);
  EXPECT_EQ(config.net.blocks, 80);
  EXPECT_EQ(config.device.precision, PrecisionChoice::Bf16);
}

TEST(Config, SeveralDevicesAreAList) {
  const Config config = parse_config("[device]\ndevice = ['cuda:0', 'cuda:1']\n", "x.toml");
  EXPECT_EQ(config.device.device, "cuda:0,cuda:1");
  EXPECT_NE(to_toml(config).find("device = [\"cuda:0\",\"cuda:1\"]"), std::string::npos);
  EXPECT_EQ(parse_config(to_toml(config), "y.toml").device.device, config.device.device);
}

TEST(Config, WhatIsWrittenReadsBackTheSame) {
  Config config;
  config.run.name = "back\\slash \"quoted\" 'single'\n";
  config.run.seed = 123'456'789'012'345;
  config.learner.train.learning_rate = 1.0 / 3;
  config.search.params.cpuct = 0.1F;
  const std::string text = to_toml(config);
  EXPECT_EQ(to_toml(parse_config(text, "x.toml")), text);
  const Config back = parse_config(text, "x.toml");
  EXPECT_EQ(back.run.name, config.run.name);
  EXPECT_EQ(back.learner.train.learning_rate, config.learner.train.learning_rate);
  EXPECT_EQ(back.search.params.cpuct, config.search.params.cpuct);
}

TEST(Config, KeysThatAFileDoesNotHaveAreKnown) {
  const Config all = parse_config(to_toml(Config{}), "x.toml");
  EXPECT_TRUE(missing_keys(all).empty());
  std::string text = to_toml(Config{});
  text.erase(text.find("mirror = "), std::string("mirror = false\n").size());
  EXPECT_EQ(missing_keys(parse_config(text, "x.toml")), std::vector<std::string>{"learner.mirror"});
}

TEST(Config, TheDefaultsThemselvesAreAllowed) {
  EXPECT_NO_THROW(parse_config(to_toml(Config{}), "x.toml"));
  EXPECT_NO_THROW(check_config(Config{}));
}

TEST(Config, EveryKeyIsDeclaredOnceWithHelp) {
  Config config;
  std::set<std::string> names;
  for (const OptionSection& section : options(config))
    for (const Option& option : section.options) {
      EXPECT_TRUE(names.insert(section.name + "." + option.name).second) << option.name;
      for (const std::string& former : option.former_names)
        EXPECT_TRUE(names.insert(section.name + "." + former).second) << former;
      EXPECT_FALSE(option.help.empty()) << option.name;
    }
}

std::string check_refusal_of(const std::string& toml) {
  return refusal([&] { check_config(parse_config(toml, "x.toml")); });
}

std::string new_run_refusal_of(const std::string& toml) {
  const Config config = parse_config(toml, "x.toml");
  check_config(config);  // an older run may have it
  return refusal([&] { check_new_run(config); });
}

TEST(Config, AVariantThatDoesNotExistIsRefusedWithItsLineAndWhatIsAllowed) {
  EXPECT_EQ(check_refusal_of("[run]\nseed = 2\nvariant = 'inferno:levels=9'\n"),
            "x.toml:3: 'run.variant': family 'inferno': levels='9' is "
            "not allowed; levels is 1 to 6");
  const std::string unknown = check_refusal_of("[run]\nvariant = 'ches'\n");
  EXPECT_EQ(unknown.rfind("x.toml:2: 'run.variant': unknown family 'ches'", 0), 0U);
  EXPECT_NE(unknown.find("did you mean 'chess'?"), std::string::npos);
  const std::string overlong = std::string(100'000, 'x') + ":" + std::string(100'000, 'y');
  EXPECT_LT(check_refusal_of("[run]\nvariant = '" + overlong + "'\n").size(), 1000U);
}

TEST(Config, AnErrorInACommandLineOverrideNamesTheOverride) {
  Config config = parse_config("[run]\nvariant = 'ches'\n", "x.toml");
  set_option(config, "run.variant=escher:a=1");
  EXPECT_EQ(refusal([&] {
              check_config(config);
            }).rfind("--set run.variant=escher:a=1: 'run.variant': family 'escher' ", 0),
            0U);
}

TEST(Config, BadInputIsShownTruncatedAndWithoutControlCharacters) {
  const std::string bad = "\x1b[31m" + std::string(1000, 'x');
  Config config;
  for (const std::string& words : {bad, "run." + bad + "=1", "run.games=" + bad}) {
    const std::string message = refusal([&] { set_option(config, words); });
    EXPECT_EQ(message.find('\x1b'), std::string::npos) << message;
    EXPECT_LT(message.size(), 300U) << message;
  }
  for (const std::string key : {"run.name", "run.variant"}) {
    set_option(config, key + "=/" + bad);
    const std::string message = refusal([&] { check_config(config); });
    EXPECT_EQ(message.find('\x1b'), std::string::npos) << message;
    EXPECT_LT(message.size(), 500U) << message;
  }
  const std::string text = "\"\\u001b[31m" + std::string(1000, 'x') + "\"";
  for (const std::string& toml : {"[run]\ngames = " + text, "[run]\n" + text + " = 1",
                                  "[" + text + "]\na = 1", text + " = 1"}) {
    const std::string message = refusal([&] { parse_config(toml, "x.toml"); });
    EXPECT_EQ(message.find('\x1b'), std::string::npos) << message;
    EXPECT_LT(message.size(), 300U) << message;
    EXPECT_NE(message, "");
  }
}

TEST(Config, AnInvalidNameOrDeviceIsRefusedWithItsLine) {
  EXPECT_EQ(check_refusal_of("[run]\nname = '../x'\n"),
            "x.toml:2: 'run.name' is '../x', but must be a plain name; `--run` takes a path");
  EXPECT_NE(check_refusal_of("[run]\nname = '.'\n"), "");
  EXPECT_NE(check_refusal_of("[run]\nname = \"a\\u0000b\"\n"), "");
  for (const char* device : {"auto", "cpu", "cuda", "cuda:1"})
    EXPECT_EQ(check_refusal_of(std::string("[device]\ndevice = '") + device + "'\n"), "");
  const std::string allowed = "must be one of: auto, cpu, cuda, cuda:N, or several cuda:N";
  EXPECT_EQ(check_refusal_of("[device]\ndevice = 'gpu'\n"),
            "x.toml:2: 'device.device' is 'gpu', but " + allowed);
  EXPECT_EQ(check_refusal_of("[device]\ndevice = ['cuda:0', 'cpu']\n"),
            "x.toml:2: 'device.device' is 'cuda:0,cpu', but " + allowed);
  EXPECT_NE(check_refusal_of("[device]\ndevice = ['cuda:0', 'cuda:0']\n"), "");
  EXPECT_EQ(check_refusal_of("[device]\ndevice = ['cuda:0', 'cuda:1']\n"), "");
}

TEST(Config, KeysThatContradictEachOtherAreRefusedWithBothLocations) {
  EXPECT_EQ(
      check_refusal_of(
          "[search]\nvisits = 10\nfull_search_probability = 0.5\nreduced_visits = 20\n"),
      "x.toml:4: 'search.reduced_visits' is 20, but must not exceed 'search.visits', which is "
      "10 (x.toml:2)");
  EXPECT_EQ(
      check_refusal_of("[search]\nreduced_visits = 200\nfull_search_probability = 0.5\n"),
      "x.toml:2: 'search.reduced_visits' is 200, but must not exceed 'search.visits', which is "
      "32 by default");
  EXPECT_EQ(check_refusal_of("[search]\nvisits = 10\nfull_search_probability = 0.5\n"),
            "x.toml:2: 'search.reduced_visits' is 32 by default, but must not exceed "
            "'search.visits', which is 10 (x.toml:2)");
  const auto refusal_after = [](const std::string& assignment) {
    Config config;
    set_option(config, assignment);
    return refusal([&] { check_config(config); });
  };
  EXPECT_NE(refusal_after("replay.window=10").find("replay.min_window"), std::string::npos);
  EXPECT_NE(check_refusal_of("[learner]\nmin_positions = 1000000\n").find("x.toml:2: "),
            std::string::npos);
  EXPECT_NE(check_refusal_of("[selfplay]\nrandom_plies = 400\n").find("must be below 400"),
            std::string::npos);
  EXPECT_NE(check_refusal_of("[selfplay]\nrandom_plies = 40\nmax_plies = 30\n").find("max_plies"),
            std::string::npos);
  for (const std::string variant : {"chess", "inferno:levels=1"})
    EXPECT_EQ(
        check_refusal_of("[run]\nvariant = \"" + variant + "\"\n[selfplay]\none_level_games = 5\n"),
        "x.toml:4: 'selfplay.one_level_games': 5 must be 0 for " + variant +
            ": only games of Inferno with two levels or more can start with one");
  EXPECT_EQ(check_refusal_of("[fast]\nteacher = \"runs/x\"\n"),
            "x.toml:2: 'fast.teacher': must be empty without fast.network = \"alone\": only the "
            "values of a fast network's own games are learned from a teacher");
  EXPECT_EQ(check_refusal_of("[run]\ndeterministic = true\n[fast]\nnetwork = \"after\"\n"),
            "x.toml:2: 'run.deterministic': needs fast.network = \"no\" or \"alone\": what is "
            "trained after a run is limited by time");
  EXPECT_THAT(check_refusal_of("[run]\ndeterministic = true\n[fast]\nnetwork = \"self-taught\"\n"),
              testing::HasSubstr("'run.deterministic': needs fast.network"));
  EXPECT_EQ(check_refusal_of("[net]\nshare_levels = true\n"),
            "x.toml:2: 'net.share_levels': true must be false for escher: only Inferno has levels");
  EXPECT_EQ(check_refusal_of("[run]\nvariant = \"inferno:levels=1\"\n[net]\nshare_levels = true\n"),
            "");
  EXPECT_EQ(check_refusal_of("[selfplay]\none_level_games = 9\n[run]\nvariant = \"escher\"\n"),
            "x.toml:2: 'selfplay.one_level_games': 9 must be 0 for escher: only games of Inferno "
            "with two levels or more can start with one");
  EXPECT_EQ(check_refusal_of("[selfplay]\nrising_level_games = 9\n[run]\nvariant = "
                             "\"inferno:levels=2\"\n"),
            "x.toml:2: 'selfplay.rising_level_games': 9 must be 0 for inferno:levels=2: only games "
            "of Inferno with three levels or more have numbers of levels between one and all");
  EXPECT_NE(check_refusal_of("[net]\nchannels = 4\nse_ratio = 8\n").find("x.toml:3: "),
            std::string::npos);
  EXPECT_EQ(check_refusal_of("[run]\ndeterministic = true\n[selfplay]\nthreads = 3\n"),
            "x.toml:2: 'run.deterministic' is true, but needs 0 or 1 for 'selfplay.threads', which "
            "is 3 (x.toml:4)");
}

TEST(Config, WhatCanNeverTrainIsRefused) {
  EXPECT_EQ(new_run_refusal_of("[learner]\nbatch = 5000\nmin_positions = 1000\n[replay]\nwindow = "
                               "4000\nmin_window = 100\n"),
            "x.toml:2: 'learner.batch' is 5000, but must not exceed 'replay.window', which is 4000 "
            "(x.toml:5)");
  EXPECT_EQ(new_run_refusal_of("[run]\ngames = 6\n[learner]\nmin_positions = 2401\n"),
            "x.toml:2: 'run.games': 6 games of at most 400 plies never have the 2401 positions "
            "that the first step needs (learner.min_positions)");
  EXPECT_EQ(new_run_refusal_of("[run]\ngames = 6\n[learner]\nmin_positions = 2400\n"), "");
  EXPECT_EQ(new_run_refusal_of("[selfplay]\ngames_per_thread = 10\nbatch = 11\n"),
            "x.toml:3: 'selfplay.batch': batches of 11 are never full: selfplay.games_per_thread × "
            "search.leaves_per_tree is 10; 0 chooses");
}

TEST(Config, TooLittleMemoryForTheSearchTreesIsRefused) {
  EXPECT_EQ(
      check_refusal_of("[selfplay]\nthreads = 2\ntree_memory = 129\n"),
      "x.toml:3: 'selfplay.tree_memory': 129 MiB are too few for 130 search trees, which need "
      "1 MiB each: one for each of 64 games of 2 actor threads, and one for each thread; 0 "
      "chooses");
  EXPECT_EQ(check_refusal_of("[selfplay]\nthreads = 2\ntree_memory = 130\n"), "");
  EXPECT_EQ(check_refusal_of("[selfplay]\nthreads = 1000\ngames_per_thread = 100000\n"), "");
}

TEST(Config, TheReferencePageListsTheDeclaredKeys) {
  EXPECT_EQ(test::read_text(std::filesystem::path(FAULTLINE_SOURCE_DIR) / "docs/config.md"),
            config_reference())
      << "docs/config.md is out of date: faultline train --keys > docs/config.md";
}

TEST(Config, EveryKeyHasAReason) {
  const std::string page =
      test::read_text(std::filesystem::path(FAULTLINE_SOURCE_DIR) / "docs/research/keys.md");
  std::istringstream table(page.substr(page.find("\n| key | why |\n")));
  std::set<std::string> named;
  for (std::string line, section; std::getline(table, line);) {
    // | `section.key`, `other_key` | why |
    std::istringstream cell(line.substr(0, line.find(" | ")));
    for (std::string text, key; std::getline(cell, text, '`') && std::getline(cell, key, '`');) {
      const std::size_t dot = key.find('.');
      if (dot != std::string::npos) section = key.substr(0, dot + 1);
      named.insert(dot == std::string::npos ? section + key : key);
    }
  }
  Config config;
  std::set<std::string> keys;
  for (const OptionSection& section : options(config))
    for (const Option& option : section.options)
      keys.insert(section.name + "." + option.name);
  EXPECT_EQ(named, keys) << "docs/research/keys.md";
}

TEST(Config, EveryShippedConfigIsValid) {
  int found = 0;
  for (const auto& entry : std::filesystem::directory_iterator(
           std::filesystem::path(FAULTLINE_SOURCE_DIR) / "configs")) {
    if (entry.path().extension() != ".toml") continue;
    ++found;
    EXPECT_NO_THROW(check_config(load_config(entry.path()))) << entry.path();
  }
  EXPECT_GE(found, 4);
}

TEST(Config, EveryShippedExperimentHasValidSettings) {
  const std::filesystem::path root = FAULTLINE_SOURCE_DIR;
  const std::regex config_line("config = \"([^\"]+)\"");
  const std::regex arm_line("(\\w+) = \\[");
  const std::regex setting("\"(\\w+\\.\\w+=[^\"]*)\"");
  int found = 0;
  for (const auto& entry : std::filesystem::directory_iterator(root / "bench" / "experiments")) {
    std::istringstream lines(test::read_text(entry.path()));
    Config base, arm;
    bool in_arms = false;
    const auto check_arm = [&] {
      EXPECT_EQ(refusal([&] { check_config(arm); }), "") << entry.path();
    };
    for (std::string line; std::getline(lines, line);) {
      std::smatch match;
      if (line.starts_with('#')) continue;
      in_arms = in_arms || line == "[arms]" || line == "[factors]";
      if (!in_arms && std::regex_match(line, match, config_line))
        base = arm = load_config(root / match[1].str());
      if (in_arms && std::regex_search(line, match, arm_line)) {
        check_arm();
        arm = base;
      }
      for (std::sregex_iterator each(line.begin(), line.end(), setting), end; each != end; ++each) {
        ++found;
        const std::string assignment = (*each)[1];
        EXPECT_EQ(refusal([&] { set_option(arm, assignment); }), "") << entry.path();
      }
    }
    check_arm();
    EXPECT_TRUE(in_arms) << entry.path();
  }
  EXPECT_GT(found, 100);
}

TEST(OlderRuns, SeeNoAttacksUnlessTheirConfigurationSaysSo) {
  Config older;
  settle_older_run(older);
  EXPECT_FALSE(older.net.attack_planes);
  EXPECT_FALSE(older.source("net.attack_planes").empty());
  Config newer;
  set_option(newer, "net.attack_planes=true");
  settle_older_run(newer);
  EXPECT_TRUE(newer.net.attack_planes);
}

TEST(ActorThreads, LeaveOnAGpuACoreToTheLearner) {
  const int cores = available_processors();
  Config config;
  EXPECT_EQ(actor_threads(config), cores);
  config.on_gpu = true;
  EXPECT_EQ(actor_threads(config), std::max(1, cores - 1));
  config.selfplay.threads = 40;
  EXPECT_EQ(actor_threads(config), 40);
}

}  // namespace
}  // namespace faultline
