// A tournament's settings, and its file of games as far as it goes.
#include "lab/tournament_settings.h"

#include <cstddef>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "lab/tournament_games.h"
#include "tests/lab/tournaments.h"

namespace faultline {
namespace {

using test::message_of;
using test::three_players;
using test::with_carriage_returns;

TEST(TournamentSettings, SurviveJson) {
  TournamentSettings settings = three_players();
  settings.schedule = Schedule::Gauntlet;
  settings.limits = {.nodes = 500, .time_ms = 20};
  settings.search_settings = {"search.cpuct=2"};
  settings.temperature = 0.25;
  const auto json = to_json(settings);
  EXPECT_EQ(json.at("schedule"), "gauntlet");
  EXPECT_EQ(json.at("cut"), "apart");
  EXPECT_EQ(to_json(TournamentSettings::from_json(json, "t")), json);
}

TEST(TournamentSettings, RefuseWhatIsNotValid) {
  const auto refusal = [](const auto& change) {
    TournamentSettings settings = three_players();
    change(settings);
    return message_of([&] { check(settings); });
  };
  EXPECT_EQ(refusal([](TournamentSettings&) {}), "");
  EXPECT_EQ(refusal([](auto& s) { s.games = 3; }),
            "'games' is 3, but must be a whole number, even, 2 to 1000000");
  EXPECT_NE(refusal([](auto& s) { s.challengers = 3; }).find("challengers"), std::string::npos);
  EXPECT_NE(refusal([](auto& s) { s.players.resize(1); }).find("players = 1"), std::string::npos);
  EXPECT_NE(refusal([](auto& s) { s.players[1].name = "a"; }).find("two are called 'a'"),
            std::string::npos);
  for (const char* name : {"a\tb", "a\x01", "\xff", "a\n"})
    EXPECT_NE(refusal([&](auto& s) { s.players[1].name = name; }).find("control characters"),
              std::string::npos);
  EXPECT_EQ(refusal([](auto& s) { s.players[1].name = "caf\xc3\xa9 {2}"; }), "");
  EXPECT_NE(refusal([](auto& s) {
              s.games = 1'000'000;
              s.rounds = 2'200;
            }).find("at most 100000000 games"),
            std::string::npos);
  EXPECT_NE(refusal([](auto& s) { s.max_plies = 6; }).find("the opening's plies"),
            std::string::npos);
  EXPECT_NE(refusal([](auto& s) { s.openings = "random:-1"; }), "");
  EXPECT_NE(refusal([](auto& s) { s.variant = "cess"; }).find("chess"), std::string::npos);
  EXPECT_NE(refusal([](auto& s) { s.search_settings = {"search.cpukt=1"}; }).find("cpuct"),
            std::string::npos);
}

TEST(TournamentSettings, PlayersHaveTheirOwnNamesOrGivenOnes) {
  EXPECT_EQ(parse_entrant("best=uniform?visits=5"), (Entrant{"best", "uniform?visits=5"}));
  EXPECT_EQ(parse_entrant("uniform?visits=5"), (Entrant{"uniform?visits=5", "uniform?visits=5"}));
  EXPECT_EQ(parse_entrant("alphabeta?depth=4"),
            (Entrant{"alphabeta?depth=4", "alphabeta?depth=4"}));
  EXPECT_THROW(parse_entrant("x=nothing"), PlayerError);
}

TEST(TournamentGames, KnowWhereTheLastCompleteGameEnds) {
  const std::string one = "[Event \"e\"]\n\n1. e4 e5 1-0\n\n";
  EXPECT_EQ(end_of_complete_games(""), 0U);
  EXPECT_EQ(end_of_complete_games(one), one.size());
  EXPECT_EQ(end_of_complete_games(one + one), 2 * one.size());
  for (std::size_t cut = 1; cut < one.size(); ++cut)
    EXPECT_EQ(end_of_complete_games(one + one.substr(0, cut)), one.size()) << cut;
}

TEST(TournamentGames, KnowWhatAKilledProcessDoesNotLeave) {
  const std::string one = "[Event \"e\"]\n\n1. e4 e5 1-0\n\n";
  for (std::size_t cut = 0; cut < one.size(); ++cut) {
    EXPECT_FALSE(fault_after_complete_games(one.substr(0, cut), 0)) << cut;
    EXPECT_FALSE(fault_after_complete_games(one + one.substr(0, cut), one.size())) << cut;
  }
  const std::string part = one.substr(0, one.size() - 1);
  EXPECT_TRUE(fault_after_complete_games(part + part, 0));
  EXPECT_TRUE(fault_after_complete_games(one + with_carriage_returns(one), one.size()));
  EXPECT_TRUE(fault_after_complete_games("nonsense", 0));
}

}  // namespace
}  // namespace faultline
