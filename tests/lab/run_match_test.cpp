// Matches of named players: what they search with, reproducibility, and their games as text.
#include "lab/run_match.h"

#include <algorithm>
#include <exception>
#include <filesystem>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/processor.h"
#include "lab/match_game_text.h"
#include "model/checkpoint.h"
#include "rules/families.h"
#include "rules/history.h"
#include "tests/temporary_folder.h"

namespace faultline {
namespace {

MatchSetup setup_of(const std::string& variant, const std::string& a, const std::string& b,
                    const MatchConfig& config = {}) {
  return {.variant = variant, .players = {find_player(a), find_player(b)}, .config = config};
}

/// A match and its games as text, in the order in which they were passed on.
struct Played {
  MatchResult result;
  std::string text;
};
Played play(const MatchSetup& setup, PlayerResources& resources) {
  Played played;
  std::ostringstream out;
  played.result = run_match(
      setup, resources, {.on_game = [&](const MatchGame& game, const MatchResult&) {
        write_game(out, text_of(game, setup.variant, {setup.players[0].name, setup.players[1].name},
                                "test", setup.config.cut));
      }});
  played.text = out.str();
  return played;
}
Played play(const MatchSetup& setup) {
  PlayerResources resources(cpu_backends(), {.device = "cpu"});
  return play(setup, resources);
}

TEST(RunMatch, PlaysEveryFamily) {
  for (const FamilyInfo* family : all_families()) {
    const Played played = play(setup_of(family->name, "material?visits=8", "alphabeta?depth=1",
                                        {.games = 2, .max_plies = 40}));
    EXPECT_EQ(played.result.finished, 2) << family->name;
    std::istringstream in(played.text);
    GameReader reader(in, family->name);
    for (int game = 0; game < 2; ++game) {
      const auto text = reader.next();
      ASSERT_TRUE(text) << family->name;
      EXPECT_EQ(text->variant.substr(0, family->name.size()), family->name);
      EXPECT_EQ(text->opening_plies, 6);
      EXPECT_GT(text->moves.size(), 6U);
    }
    EXPECT_FALSE(reader.next());
  }
}

TEST(RunMatch, TheSameSeedGivesTheSameTextAtAnyNumberOfThreads) {
  MatchSetup setup = setup_of("gardner", "uniform?visits=40&temperature=1", "alphabeta?depth=2",
                              {.games = 20, .threads = 1, .temperature_plies = 10});
  const Played base = play(setup);
  EXPECT_EQ(base.result.finished, 20);
  setup.config.threads = 3;
  EXPECT_EQ(play(setup).text, base.text);
  setup.config.games_at_once = 2;
  EXPECT_EQ(play(setup).text, base.text);
  setup.config.seed = 2;
  EXPECT_NE(play(setup).text, base.text);
}

TEST(RunMatch, PartsHaveTheOpeningsOfTheWholeMatch) {
  const test::TemporaryFolder folder;
  const std::string net = FAULTLINE_SOURCE_DIR "/tests/model/golden/chess.pt";
  const std::string file = folder.write("book.txt", "e2e4\nd2d4\nc2c4\nb2b4\na2a4\n");
  const std::vector<std::vector<int>> parts = {{0, 1}, {2}, {4, 5}, {3}, {5}, {0, 6}};
  for (const std::string& openings :
       {std::string("random:4"), std::string("balanced:3,depth=2,value=0.3"), "policy:3,net=" + net,
        file + "?order=random"}) {
    MatchSetup setup = setup_of(
        "chess", "random", "random",
        {.games = 14, .openings = parse_opening_source(openings), .threads = 1, .max_plies = 12});
    std::map<std::string, std::vector<std::string>> whole;  // openings by Round
    const auto openings_of = [](const std::string& text) {
      std::map<std::string, std::vector<std::string>> found;
      std::istringstream in(text);
      GameReader reader(in, "match");
      while (const auto game = reader.next())
        for (const auto& [name, value] : game->tags)
          if (name == "Round")
            found[value] = {game->moves.begin(), game->moves.begin() + game->opening_plies};
      return found;
    };
    whole = openings_of(play(setup).text);
    ASSERT_EQ(whole.size(), 14U);
    PlayerResources resources(cpu_backends(), {.device = "cpu"});
    for (const std::vector<int>& pairs : parts) {
      setup.config.pairs = pairs;
      setup.config.games = 2 * static_cast<int>(pairs.size());
      const auto part = openings_of(play(setup, resources).text);
      EXPECT_EQ(part.size(), 2 * pairs.size());
      for (const auto& [round, moves] : part)
        EXPECT_EQ(moves, whole.at(round)) << openings << " " << round;
    }
  }
}

TEST(RunMatch, PlaysNetsAndTheirPolicies) {
  const std::string net = FAULTLINE_SOURCE_DIR "/tests/model/golden/chess.pt";
  MatchSetup setup = setup_of("chess", net + "?evaluations=10", "policy:" + net,
                              {.games = 4, .threads = 2, .max_plies = 40});
  setup.config.openings = parse_opening_source("policy:4,temperature=2");
  const Played played = play(setup);
  EXPECT_EQ(played.result.finished, 4);
  EXPECT_EQ(played.result.openings, 2);
  EXPECT_NE(played.text.find("[White \"policy:" + net), std::string::npos);
}

TEST(RunMatch, FollowsStrategiesAndCountsLiftedLimits) {
  const test::TemporaryFolder folder;
  const auto file = folder.path() / "s.toml";
  test::write_text(file,
                   "[[rules]]\nwhen = { not = { piece = ['king', 'queen'] } }\nforbid = true\n");
  const std::string follower = "uniform?visits=8&strategy=" + file.string();
  PlayerResources resources(cpu_backends(), {.device = "cpu"});
  std::int64_t lifted = 0, moves = 0;
  const MatchSetup setup =
      setup_of("chess", "uniform?visits=8", follower, {.games = 4, .max_plies = 30});
  const MatchResult result = run_match(
      setup, resources, {.on_game = [&](const MatchGame& game, const MatchResult&) {
        EXPECT_FALSE(game.strategies[0].follows);
        EXPECT_TRUE(game.strategies[1].follows);
        EXPECT_EQ(game.strategies[1].moves, 12) << "of 30 plies, six of them the opening's";
        lifted += game.strategies[1].lifted;
        moves += game.strategies[1].moves;
        const Colour follows = ~game.first_colour;
        PositionHistory<ChessPosition> history(ChessPosition::start({}));
        for (const std::string& move : game.opening)
          history.play(history.position().parse_move(move).value());
        std::int64_t forbidden = 0;
        for (const std::string& move : game.moves) {
          const ChessPosition& position = history.position();
          const Move played = position.parse_move(move).value();
          const PieceType type = position.piece_at(played.from()).type;
          if (position.side_to_move() == follows)
            forbidden += type == PieceType::King || type == PieceType::Queen ? 0 : 1;
          history.play(played);
        }
        EXPECT_EQ(forbidden, game.strategies[1].lifted) << "such moves only where all are";
      }});
  EXPECT_EQ(result.strategies[1].moves, moves);
  EXPECT_EQ(result.strategies[1].lifted, lifted);
  EXPECT_GT(lifted, 0) << "after six random plies, kings and queens are often shut in";
  EXPECT_GT(result.games_with_lifted_limits[1], 0);
  EXPECT_FALSE(result.strategies[0].follows);
  EXPECT_THROW(resolved(setup_of("escher", follower,
                                 "uniform?strategy=" + std::string(FAULTLINE_SOURCE_DIR) +
                                     "/configs/strategies/shifting-shift-early.toml"),
                        resources),
               PlayerError);
}

TEST(RunMatch, MoreMaterialBeatsNone) {
  const Played played = play(setup_of("gardner", "alphabeta?depth=2", "random", {.games = 20}));
  EXPECT_GT(estimate(played.result.tally).score_95.low, 0.7);
  EXPECT_NE(played.text.find("[Round \"10.2\"]"), std::string::npos);
}

TEST(RunMatch, LimitsNodesEvaluationsAndTime) {
  const auto comments = [](const std::string& player) {
    PlayerResources resources(cpu_backends(), {.device = "cpu"});
    const MatchSetup setup =
        setup_of("chess", player, "random", {.games = 2, .openings = {.plies = 4}, .max_plies = 8});
    std::vector<MoveComment> own;
    run_match(setup, resources, {.on_game = [&](const MatchGame& game, const MatchResult&) {
                for (std::size_t i = 0; i < game.comments.size(); ++i)
                  if ((i % 2 == 0) == (game.first_colour == Colour::White))
                    own.push_back(game.comments[i]);
              }});
    return own;
  };
  for (const MoveComment& comment : comments("uniform?visits=30")) {
    EXPECT_EQ(comment.visits, 30U);
    EXPECT_EQ(comment.seconds, 0);
  }
  for (const MoveComment& comment : comments("uniform?nodes=30"))
    EXPECT_GE(comment.visits, 30U);
  for (const MoveComment& comment : comments("alphabeta?depth=2"))
    EXPECT_EQ(comment.depth, 2);
  for (const MoveComment& comment : comments("alphabeta?nodes=2000"))
    EXPECT_LT(comment.nodes, 4000U);
  for (const MoveComment& comment : comments("material?ms=5")) {
    EXPECT_GE(comment.seconds, 0.005);
    EXPECT_GT(comment.visits, 0U);
  }
}

TEST(RunMatch, FillsInWhatSuitsThePlayers) {
  const PlayerResources resources(cpu_backends(), {.device = "cpu"});
  const auto fill = [&](const std::string& variant, const std::string& a, const std::string& b) {
    return resolved(setup_of(variant, a, b, {.threads = 0}), resources).config;
  };
  const int cores = available_processors();
  EXPECT_EQ(fill("chess", "uniform", "random").threads, cores);
  EXPECT_EQ(fill("chess", "uniform?ms=10", "random").games_at_once, 1);
  EXPECT_EQ(fill("chess", "uniform", "uci:engine?nodes=10").games_at_once, 8);
  EXPECT_EQ(fill("chess", "uniform", "alphabeta?depth=1").games_at_once, 16);
  EXPECT_EQ(fill("chess", "random", "alphabeta?depth=1&threads=2").threads, std::max(1, cores / 2));
  EXPECT_EQ(fill("chess", "random", "alphabeta?ms=1&threads=512").threads, 1);
  EXPECT_EQ(fill("inferno", "uniform", "random").max_plies, 2000);
  EXPECT_LT(fill("gardner", "uniform", "random").max_plies,
            fill("chess", "uniform", "random").max_plies);
  MatchSetup many = setup_of("chess", "uniform?ms=10", "random", {.threads = 1000});
  EXPECT_EQ(resolved(many, resources).config.threads, cores);
}

TEST(RunMatch, RefusesWhatCannotBePlayed) {
  const auto refusal = [](const MatchSetup& setup) -> std::string {
    try {
      play(setup);
    } catch (const std::exception& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_NE(refusal(setup_of("chess", "alphabeta", "random")).find("nothing limits its searches"),
            std::string::npos);
  EXPECT_NE(refusal(setup_of("chess", "uci:/bin/true?nodes=1", "random")).find("uci:/bin/true"),
            std::string::npos);
  MatchSetup drawn = setup_of("chess", "uniform", "random");
  drawn.config.openings = parse_opening_source("policy:4");
  EXPECT_NE(refusal(drawn).find("no player is a net"), std::string::npos);
  drawn.config.openings.net = "uniform";
  EXPECT_NE(refusal(drawn).find("uniform is not a net"), std::string::npos);
  MatchSetup unknown = setup_of("chess", "uniform", "random");
  unknown.search_settings = {"search.cpcut=2"};
  EXPECT_NE(refusal(unknown).find("did you mean 'cpuct'?"), std::string::npos);
  unknown.search_settings = {"net.blocks=2"};
  EXPECT_NE(refusal(unknown).find("the settings of [search] only"), std::string::npos);
}

/// A run's folder with a net of a version that did not store how it is to be searched.
class PlayerSearchOfAnOldRun : public testing::Test {
 protected:
  PlayerSearchOfAnOldRun() {
    std::filesystem::create_directories(folder.path() / "nets");
    std::filesystem::copy_file(FAULTLINE_SOURCE_DIR "/tests/model/golden/chess.pt",
                               folder.path() / "nets/000100.pt");
  }
  test::TemporaryFolder folder;
};

TEST_F(PlayerSearchOfAnOldRun, IsTheRunsUnlessToldOtherwise) {
  const std::string config =
      folder.write("config.toml", "[search]\ncpuct = 3.5\ntree_reuse = false\n");
  MatchSetup setup = setup_of("chess", folder.path().string(), "uniform");
  const PlayerSearch own = search_of(setup.players[0], setup);
  EXPECT_EQ(own.settings.params.cpuct, 3.5F);
  EXPECT_FALSE(own.settings.tree_reuse);
  EXPECT_EQ(own.source, "[search] of " + config);
  EXPECT_EQ(search_of(setup.players[1], setup).settings.params.cpuct, SearchParams{}.cpuct);

  setup.search_settings = {"search.cpuct_base=100"};
  setup.players[0] = find_player(folder.path().string() + "?fpu_root=0.25");
  const PlayerSearch changed = search_of(setup.players[0], setup);
  EXPECT_EQ(changed.settings.params.cpuct, 3.5F);
  EXPECT_EQ(changed.settings.params.cpuct_base, 100.0F);
  EXPECT_EQ(changed.settings.params.fpu_root, 0.25F);
  EXPECT_EQ(changed.source, "[search] of " + config + ", cpuct_base=100, fpu_root=0.25");

  setup.search_defaults = true;
  EXPECT_EQ(search_of(setup.players[0], setup).settings.params.cpuct, SearchParams{}.cpuct);
}

TEST_F(PlayerSearchOfAnOldRun, MayHaveAPolicyTemperatureForMatches) {
  const std::string run = folder.path().string();
  const auto temperature = [&](const std::string& player, bool defaults = false) {
    MatchSetup setup = setup_of("chess", player, "uniform");
    setup.search_defaults = defaults;
    return search_of(setup.players[0], setup).settings.params.policy_temperature;
  };
  EXPECT_EQ(temperature(run), 1.0F) << "no configuration";
  folder.write("config.toml", "[search]\npolicy_temperature = 3\n");
  EXPECT_EQ(temperature(run), 3.0F) << "that of self-play";
  folder.write("config.toml",
               "[search]\npolicy_temperature = 3\nmatch_policy_temperature = 1.25\n");
  EXPECT_EQ(temperature(run), 1.25F);
  EXPECT_EQ(temperature(run, true), 1.0F);
  EXPECT_EQ(temperature(run + "?policy_temperature=2"), 2.0F);
  EXPECT_EQ(temperature("material"), 1.0F);
  folder.write("config.toml", "[search]\ncpuct = \"much\"\n");
  EXPECT_THROW(temperature(run), CheckpointError);
}

TEST(GameText, StatesHowAGameEnded) {
  MatchGame game;
  game.number = 3;
  game.first_colour = Colour::Black;
  game.opening = {"e2e4"};
  game.moves = {"e7e5", "g1f3"};
  game.comments.resize(2);
  game.comments[1].visits = 40;
  game.outcome = Outcome::Adjudicated;
  game.ending = MatchEnding::Cut;
  const TextGame cut = text_of(game, "chess", {"new", "old"}, "event");
  EXPECT_EQ(cut.white, "old");
  EXPECT_EQ(cut.black, "new");
  EXPECT_EQ(cut.result, GameResult::None);
  EXPECT_EQ(cut.termination, Termination::Cut);
  EXPECT_EQ(cut.moves, (std::vector<std::string>{"e2e4", "e7e5", "g1f3"}));
  ASSERT_EQ(cut.comments.size(), 3U);
  EXPECT_EQ(cut.comments[2].visits, 40U);
  EXPECT_EQ(text_of(game, "chess", {"new", "old"}, "event", CutGames::Draws).result,
            GameResult::Draw);
  game.outcome = Outcome::BlackWins;
  game.ending = MatchEnding::Forfeit;
  game.failure = "it crashed";
  const TextGame forfeit = text_of(game, "chess", {"new", "old"}, "event");
  EXPECT_EQ(forfeit.result, GameResult::BlackWins);
  EXPECT_EQ(forfeit.termination, Termination::Forfeit);
  EXPECT_EQ(forfeit.reason, "it crashed");
}

}  // namespace
}  // namespace faultline
