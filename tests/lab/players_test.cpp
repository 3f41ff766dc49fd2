// Players as they are named on the command line.
#include "lab/players.h"

#include <filesystem>
#include <string>

#include <gtest/gtest.h>

#include "tests/record/games.h"

namespace faultline {
namespace {

std::string refusal(const std::string& player) {
  try {
    find_player(player);
  } catch (const PlayerError& error) {
    return error.what();
  }
  return "";
}

TEST(Players, AreANetARunItsUntrainedNetOrNone) {
  const test::TemporaryFolder folder;
  const auto nets = folder.path() / "nets";
  std::filesystem::create_directories(nets);
  for (const char* name : {"000000.pt", "000900.pt", "001000000.pt", "best.pt", "002000000.pt.tmp"})
    test::write_text(nets / name, "");
  const std::string run = folder.path().string();
  EXPECT_EQ(find_player("random").kind, PlayerKind::Random);
  EXPECT_EQ(find_player("uniform").kind, PlayerKind::Uniform);
  EXPECT_EQ(find_player("material").kind, PlayerKind::Material);
  EXPECT_EQ(find_player(run).net, nets / "001000000.pt");
  EXPECT_EQ(find_player("untrained:" + run).net, nets / "000000.pt");
  EXPECT_EQ(find_player("policy:" + run).kind, PlayerKind::Policy);
  EXPECT_EQ(find_player("policy:untrained:" + run).net, nets / "000000.pt");
  const std::string one = (nets / "000900.pt").string();
  EXPECT_EQ(find_player(one).kind, PlayerKind::Net);
  EXPECT_EQ(find_player(one).name, one);
  const PlayerSpec changed = find_player(one + "?visits=800&cpuct=2.5&temperature=0.3");
  EXPECT_EQ(changed.net, one);
  EXPECT_EQ(changed.limits, MoveLimits{.visits = 800});
  EXPECT_EQ(changed.temperature, 0.3F);
  EXPECT_FALSE(changed.precision);
  EXPECT_EQ(find_player(one + "?precision=int8").precision, Precision::Int8);
  EXPECT_EQ(find_player("policy:" + one + "?precision=fp32").precision, Precision::Fp32);
  EXPECT_THROW(find_player(one + "?precision=fp64"), PlayerError);
  EXPECT_THROW(find_player("uniform?precision=int8"), PlayerError);
  EXPECT_EQ(changed.search_settings, std::vector<std::string>{"cpuct=2.5"});
  EXPECT_EQ(changed.name, one + "?visits=800&cpuct=2.5&temperature=0.3");
}

TEST(Players, HaveLimitsAndSettingsOfTheirOwn) {
  EXPECT_EQ(find_player("uniform?evaluations=500&ms=20").limits,
            (MoveLimits{.evaluations = 500, .time_ms = 20}));
  EXPECT_EQ(find_player("alphabeta?depth=4").limits, MoveLimits{.depth = 4});
  for (const std::string form :
       {"alphabeta?nodes=10000&table_mb=4", "alphabeta:nodes=10000,table_mb=4"}) {
    const PlayerSpec player = find_player(form);
    EXPECT_EQ(player.kind, PlayerKind::AlphaBeta);
    EXPECT_EQ(player.name, form);
    EXPECT_EQ(player.limits, MoveLimits{.nodes = 10000});
    EXPECT_EQ(player.search_settings, std::vector<std::string>{"table_mb=4"});
    EXPECT_EQ(player_text(form), "alphabeta?nodes=10000&table_mb=4");
  }
  EXPECT_EQ(find_player("alphabeta?ms=100").limits, MoveLimits{.time_ms = 100});
  EXPECT_THROW(find_player("alphabeta?ms=100&threads=0"), PlayerError);
  EXPECT_THROW(find_player("alphabeta-1?ms=100&threads=2"), PlayerError);
  const PlayerSpec engine = find_player("uci:some engine?nodes=1000&Skill Level=3");
  EXPECT_EQ(engine.kind, PlayerKind::Uci);
  EXPECT_EQ(engine.engine, "some engine?nodes=1000&Skill Level=3");
  EXPECT_EQ(engine.limits, MoveLimits{.nodes = 1000});
}

TEST(Players, AreRefusedWithTheValidForms) {
  const test::TemporaryFolder folder;
  const std::string run = folder.path().string();
  EXPECT_NE(refusal("unifrom").find("did you mean 'uniform'?"), std::string::npos);
  EXPECT_NE(refusal(run + "/no.pt").find("there is no such file or folder"), std::string::npos);
  EXPECT_NE(refusal(run).find("contains no nets"), std::string::npos);
  std::filesystem::create_directories(folder.path() / "nets");
  test::write_text(folder.path() / "nets" / "000500.pt", "");
  EXPECT_NE(refusal("untrained:" + run).find("has no net of step 0"), std::string::npos);
  EXPECT_NE(refusal("untrained:").find("there is no such run"), std::string::npos);
  EXPECT_NE(refusal("uniform?vists=3").find("did you mean 'visits'?"), std::string::npos);
  EXPECT_NE(refusal("uniform?visits=0").find("'visits' is '0'"), std::string::npos);
  EXPECT_NE(refusal("uniform?depth=3").find("keys are visits, nodes, evaluations, ms"),
            std::string::npos);
  EXPECT_NE(refusal("alphabeta:visits=3").find("keys are depth, nodes, ms"), std::string::npos);
  EXPECT_NE(refusal("random?visits=3").find("has no settings"), std::string::npos);
  EXPECT_NE(refusal("uniform?dirichlet_weight=1").find("there is no key 'dirichlet_weight'"),
            std::string::npos);
}

std::string shipped(const std::string& name) {
  return (std::filesystem::path(FAULTLINE_SOURCE_DIR) / "configs/strategies" / (name + ".toml"))
      .string();
}

TEST(Players, FollowAStrategyIfTheySearch) {
  const std::string hold_back = shipped("inferno-hold-back");
  for (const std::string kind : {"uniform", "material"}) {
    const PlayerSpec player = find_player(kind + "?visits=9&strategy=" + hold_back);
    EXPECT_EQ(player.strategy, hold_back);
    EXPECT_EQ(player.limits, MoveLimits{.visits = 9});
    EXPECT_EQ(player.name, kind + "?visits=9&strategy=" + hold_back);
    EXPECT_TRUE(player.search_settings.empty());
    EXPECT_NO_THROW(check_strategy_of(player, "inferno:levels=2"));
    EXPECT_THROW(check_strategy_of(player, "inferno:levels=1"), PlayerError);
    EXPECT_THROW(check_strategy_of(player, "chess"), PlayerError);
  }
  EXPECT_TRUE(find_player("uniform").strategy.empty());
  EXPECT_EQ(find_player("alphabeta?depth=2&strategy=" + hold_back).strategy, hold_back);
  for (const std::string player :
       {"random?strategy=x", "alphabeta-1?depth=2&strategy=x", "uci:engine?nodes=3&strategy=x"})
    EXPECT_NE(refusal(player).find("cannot follow a strategy; nets, uniform, material and"),
              std::string::npos)
        << player << ": " << refusal(player);
  EXPECT_NE(refusal("uniform?strategy=no-such").find("there is no strategy 'no-such'"),
            std::string::npos);
  const test::TemporaryFolder folder;
  test::write_text(folder.path() / "s.toml",
                   "[[rules]]\nwhen = { captures = true }\nforbd = true\n");
  const std::string broken = "uniform?strategy=" + (folder.path() / "s.toml").string();
  EXPECT_NE(refusal(broken).find("s.toml:3: there is no key 'forbd'"), std::string::npos);
}

TEST(Players, UseTheMatchsLimitsUnlessTheyHaveTheirOwn) {
  const MoveLimits match{.visits = 100, .nodes = 50};
  EXPECT_EQ(limits_of(find_player("uniform"), match), match);
  EXPECT_EQ(limits_of(find_player("uniform?evaluations=7"), match), MoveLimits{.evaluations = 7});
  EXPECT_EQ(limits_of(find_player("alphabeta"), match), MoveLimits{.nodes = 50});
  EXPECT_EQ(limits_of(find_player("alphabeta:depth=3"), match), MoveLimits{.depth = 3});
  EXPECT_EQ(limits_of(find_player("random"), match), MoveLimits{});
  EXPECT_THROW(limits_of(find_player("alphabeta"), MoveLimits{.visits = 100}), PlayerError);
  EXPECT_EQ(limits_text(match), "100 visits or 50 nodes");
}

}  // namespace
}  // namespace faultline
