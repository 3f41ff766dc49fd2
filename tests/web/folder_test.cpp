// What pages are told of the lab's folder, and what they may do there.
#include "web/folder.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "base/file_lock.h"
#include "play/game.h"
#include "play/game_text.h"
#include "record/chunk.h"
#include "record/run_folder.h"
#include "tests/web/lab_runs.h"
#include "web/game_filter.h"
#include "web/lab_folder.h"
#include "web/processes.h"
#include "web/static_page.h"

namespace faultline::web {
namespace {

namespace fs = std::filesystem;

using test::TemporaryFolder;
using test::write_text;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

struct FolderTest : testing::Test {
  TemporaryFolder outside;
  fs::path root = outside.path() / "lab";
  std::unique_ptr<Folder> folder;
  Handlers handlers;

  FolderTest() {
    fs::create_directories(root);
    open(false);
  }
  void open(bool may_start) {
    folder = std::make_unique<Folder>(
        FolderOptions{.root = root,
                      .program = "/bin/false",
                      .may_start = may_start,
                      .position = [](const ReportJson& request) { return request; }});
    handlers = folder->handlers();
  }
  ReportJson ask(const std::string& name, const ReportJson& request) {
    return handlers.at(name)(request);
  }
  /// The field and the message of the refusal.
  std::pair<std::string, std::string> refusal(const std::string& name, const ReportJson& request) {
    try {
      return {"", "not refused: " + ask(name, request).dump()};
    } catch (const RequestError& error) {
      return {error.field(), error.what()};
    }
  }
  std::vector<std::string> listed(const std::string& path = "") {
    std::vector<std::string> all;
    const ReportJson reply = ask("folder", {{"path", path}});
    for (const ReportJson& entry : reply["entries"])
      all.push_back(entry["kind"].get<std::string>() + " " + entry["path"].get<std::string>());
    std::sort(all.begin(), all.end());
    return all;
  }
  /// A file of games: White wins by mate, and Black resigns in every second game.
  void write_games(const std::string& name, int games) {
    fs::create_directories((root / name).parent_path());
    std::ofstream out(root / name);
    for (int i = 0; i < games; ++i) {
      TextGame game{.variant = "chess",
                    .white = "net \"a\"",
                    .black = "material",
                    .moves = {"e2e4", "e7e5", "d1h5", "b8c6", "f1c4", "g8f6", "h5f7"},
                    .result = GameResult::WhiteWins,
                    .termination = Termination::Normal,
                    .reason = "checkmate",
                    .tags = {{"Event", "test"}, {"Round", std::to_string(i + 1)}}};
      if (i % 2 == 1) {
        game.moves = {"d2d4", "d7d5"};
        game.termination = Termination::Resigned;
        game.reason = "";
      }
      write_game(out, game);
    }
  }
  ReportJson games_of(const std::string& path, const std::string& filter = "", int from = 0,
                      int count = 10) {
    return ask("gamesOf", {{"path", path}, {"from", from}, {"count", count}, {"filter", filter}});
  }
};

TEST_F(FolderTest, ListsRunsExperimentsGamesNetsAndGameFiles) {
  test::make_run(root / "runs", "a", 5);
  test::make_run(root, "b", 0);
  write_games("tournaments/t/games.pgn", 2);
  write_text(root / "tournaments/t/tournament.json", "{}");
  fs::create_directories(root / "s");
  write_text(root / "s/study.json", "{\"title\": \"Which is better?\"}");
  write_games("more/deep/own.pgn", 1);
  write_text(root / "net.pt", "x");
  write_text(root / "mine.toml", "# a game\nformat = 1\nname = \"mine\"\n");
  write_text(root / "train.toml", "# of no format = 1\n[run]\nvariant = \"chess\"\n");
  fs::create_directories(root / ".hidden");
  write_text(root / ".hidden/net.pt", "x");
  write_text(root / "readme.txt", "x");
  EXPECT_THAT(listed(), ElementsAre("game mine.toml", "games more/deep/own.pgn", "net net.pt",
                                    "run b", "run runs/a", "study s", "tournament tournaments/t"));
  EXPECT_THAT(listed("runs"), ElementsAre("run runs/a"));
  EXPECT_THAT(listed("runs/a"), ElementsAre("run runs/a"));
  const ReportJson reply = ask("folder", {{"path", "."}});
  for (const ReportJson& entry : reply["entries"]) {
    EXPECT_FALSE(entry["running"]);
    EXPECT_GT(entry["changed"], 1e9);
    EXPECT_EQ(entry["title"] == "Which is better?", entry["path"] == "s");
    EXPECT_EQ(entry["state"] == "stopped: 0 %, step 5", entry["path"] == "runs/a");
  }
}

TEST_F(FolderTest, ShowsARunAsRunningWhileItsLockIsHeld) {
  const fs::path run = test::make_run(root, "a", 400);
  const FileLock lock(run / "lock");
  const ReportJson entry = ask("folder", {{"path", ""}})["entries"][0];
  EXPECT_TRUE(entry["running"]);
  EXPECT_EQ(entry["state"], "running: 40 %, step 400");
  EXPECT_EQ(HeldLocks().holder(run / "lock"), getpid());
  EXPECT_EQ(HeldLocks(root / "none").holder(run / "lock"), std::nullopt);
}

TEST_F(FolderTest, RefusesPathsThatLeadOutOfIt) {
  write_text(outside.path() / "secret.pgn", "[Event \"x\"]\n\n1. e4 *\n");
  fs::create_directory_symlink(outside.path(), root / "link");
  fs::create_symlink(outside.path() / "secret.pgn", root / "linked.pgn");
  fs::create_directories(root / "sub");
  fs::create_directory_symlink(root / "sub", root / "inner");
  EXPECT_THAT(listed(), IsEmpty());
  for (const char* path : {"..", "../secret.pgn", "sub/../../secret.pgn", "/etc", "link",
                           "link/secret.pgn", "linked.pgn", "./..", "none"})
    for (const char* name : {"folder", "document", "gamesOf", "wall"})
      EXPECT_EQ(refusal(name, {{"path", path}, {"from", 0}, {"count", 5}}).first, "path")
          << name << ' ' << path;
  EXPECT_THAT(listed("inner"), IsEmpty());
  const std::string game = "format = 1\nname = \"x-chess\"\nbase = \"chess\"\n";
  for (const char* path : {"../x.toml", "/tmp/x.toml", "link/x.toml", "sub/../../x.toml", ""})
    EXPECT_EQ(refusal("saveGame", {{"text", game}, {"path", path}}).first, "path") << path;
  EXPECT_FALSE(fs::exists(outside.path() / "x.toml"));
  EXPECT_EQ(refusal("folder", {{"path", std::string("a\0b", 3)}}).first, "path");
  EXPECT_EQ(refusal("folder", {{"path", std::string(5000, 'a')}}).first, "path");
}

TEST_F(FolderTest, RefusesMalformedRequestsWithTheField) {
  test::make_run(root, "a", 3, 3);
  EXPECT_EQ(refusal("folder", ReportJson::object()).first, "path");
  EXPECT_EQ(refusal("folder", {{"path", 3}}).first, "path");
  EXPECT_EQ(refusal("gamesOf", {{"path", "a"}, {"count", 5}}).first, "from");
  EXPECT_EQ(refusal("gamesOf", {{"path", "a"}, {"from", -1}, {"count", 5}}).first, "from");
  EXPECT_EQ(refusal("gamesOf", {{"path", "a"}, {"from", 0}, {"count", "x"}}).first, "count");
  EXPECT_EQ(refusal("gamesOf", {{"path", "a"}, {"from", 0}, {"count", 5}, {"filter", 1}}).first,
            "filter");
  EXPECT_EQ(refusal("wall", {{"path", "a"}}).first, "count");
  EXPECT_EQ(refusal("config", {{"text", nullptr}}).first, "text");
  EXPECT_EQ(refusal("gameFile", ReportJson::object()).first, "name");
  EXPECT_EQ(refusal("saveGame", {{"path", "x.toml"}}).first, "text");
  RunWatches watches(*folder, [](const std::string&, const ReportJson&) {});
  EXPECT_THROW(watches.watch({{"path", "none"}, {"have", 0}}), RequestError);
  EXPECT_THROW(watches.watch({{"path", ""}, {"have", 0}}), RequestError);
  EXPECT_THROW(watches.watch({{"path", "a"}}), RequestError);
  EXPECT_THROW(watches.watch({{"path", "a"}, {"have", -1}}), RequestError);
  EXPECT_THROW(watches.unwatch(ReportJson::object()), RequestError);
}

TEST_F(FolderTest, PagesGamesOfARunTheNewestFirst) {
  test::make_run(root, "a", 3, 25);
  ReportJson page = games_of("a", "", 0, 4);
  EXPECT_EQ(page["total"], 25);
  ASSERT_EQ(page["games"].size(), 4U);
  EXPECT_EQ(page["games"][0]["name"], "game 24");
  EXPECT_EQ(page["games"][3]["name"], "game 21");
  EXPECT_EQ(page["games"][0]["game"], "gardner");
  EXPECT_EQ(page["games"][0]["white"], "net after 100 steps");
  EXPECT_FALSE(page["games"][0]["moves"].empty());
  EXPECT_FALSE(page["games"][0]["values"].empty());
  page = games_of("a", "", 18, 10);
  ASSERT_EQ(page["games"].size(), 7U);
  EXPECT_EQ(page["games"][6]["name"], "game 0");
  EXPECT_THAT(games_of("a", "", 100, 10)["games"], IsEmpty());

  {
    ReplayStore store(root / "a/games", "gardner", 10);
    store.append(test::random_record("gardner", 25, 30, 0));
  }
  test::append_text(root / "a/games/000003.chunk", "torn");
  EXPECT_EQ(games_of("a")["total"], 26) << "a game was added, and another one half";
  EXPECT_EQ(games_of("a")["games"][0]["name"], "game 25");
}

TEST_F(FolderTest, FiltersGamesOfARun) {
  test::make_run(root, "a", 3, 40);
  const auto total = [&](const std::string& filter) {
    return games_of("a", filter)["total"].get<int>();
  };
  EXPECT_EQ(total("player=100"), 40);
  EXPECT_EQ(total("player=200"), 0);
  EXPECT_EQ(total("1-0") + total("0-1") + total("1/2-1/2") + total("*"), 40);
  EXPECT_EQ(total("plies>20") + total("plies<21"), 40);
  EXPECT_GT(total("end=cut"), 0);
  EXPECT_EQ(total("cut") + total("checkmate") + total("stalemate") + total("material") +
                total("repetition"),
            40);
  const std::string first = games_of("a")["games"][0]["moves"][0];
  const int with_first = total("opening=" + first);
  EXPECT_GE(with_first, 1);
  EXPECT_LT(with_first, 40);
  const ReportJson page = games_of("a", "opening=" + first);
  for (const ReportJson& game : page["games"])
    EXPECT_EQ(game["moves"][0], first);
  EXPECT_EQ(refusal("gamesOf", {{"path", "a"}, {"from", 0}, {"count", 1}, {"filter", "opening=e9"}})
                .first,
            "filter");
}

TEST_F(FolderTest, PagesAndFiltersGamesOfFiles) {
  write_games("own.pgn", 31);
  EXPECT_EQ(games_of("own.pgn")["total"], 31);
  const ReportJson page = games_of("own.pgn", "", 29, 10);
  ASSERT_EQ(page["games"].size(), 2U);
  EXPECT_EQ(page["games"][0]["name"], "round 30");
  EXPECT_EQ(page["games"][1]["moves"].size(), 7U);
  EXPECT_EQ(games_of("own.pgn", "resignation")["total"], 15);
  EXPECT_EQ(games_of("own.pgn", "end=checkmate 1-0")["total"], 16);
  EXPECT_EQ(games_of("own.pgn", "plies>2")["total"], 16);
  EXPECT_EQ(games_of("own.pgn", "opening=e4,e5,Qh5")["total"], 16);
  EXPECT_EQ(games_of("own.pgn", "opening=d2d4 black=MATERIAL white=net")["total"], 15);
  EXPECT_EQ(games_of("own.pgn", "0-1")["total"], 0);
  EXPECT_FALSE(page.contains("searched"));
  test::append_text(root / "own.pgn", "\n[Event \"x\"]\n[Variant \"chess\"]\n\n1. e4 e");
  EXPECT_EQ(games_of("own.pgn")["total"], 32);
  EXPECT_EQ(games_of("own.pgn", "", 30, 5)["games"].size(), 1U) << "the last one is damaged";
  write_text(root / "x.pt", "x");
  EXPECT_EQ(refusal("gamesOf", {{"path", "x.pt"}, {"from", 0}, {"count", 1}}).first, "path");
}

TEST_F(FolderTest, SaysHowFarAFilterHasLooked) {
  write_games("many.pgn", 2500);
  const ReportJson page = games_of("many.pgn", "plies>2");
  EXPECT_EQ(page["searched"], 2000);
  EXPECT_EQ(page["total"], 1000);
  EXPECT_EQ(games_of("many.pgn", "resignation")["total"], 1250);
  test::make_run(root, "run", 3, 12);
  EXPECT_EQ(games_of("run", "number=7")["games"][0]["name"], "game 7");
}

TEST(GameFilter, RefusesWhatItDoesNotKnow) {
  for (const char* text : {"plies>x", "plies>", "number=x", "number>3", "colour=white", "white>3",
                           "\"open", "=", "plies=-1"})
    EXPECT_THROW(GameFilter{text}, RequestError) << text;
  EXPECT_TRUE(GameFilter("  ").is_empty());
  const TextGame game{.variant = "chess",
                      .white = "A b",
                      .black = "c",
                      .result = GameResult::Draw,
                      .termination = Termination::Normal,
                      .reason = "draw by repetition"};
  EXPECT_TRUE(GameFilter("end=\"by repetition\" \"a B\" 1/2-1/2").lets_pass(game));
  EXPECT_FALSE(GameFilter("white=c").lets_pass(game));
  EXPECT_TRUE(GameFilter("number=3").lets_pass(game, 3));
  EXPECT_FALSE(GameFilter("number=3").lets_pass(game, 4));
  EXPECT_FALSE(GameFilter("black=\"a b\"").lets_pass(game));
}

/// Games of a strength curve: the net after `steps` steps wins all but `lost` of ten.
std::string curve_lines(int steps, const std::string& against, int lost) {
  std::string lines;
  for (int game = 0; game < 10; ++game) {
    const bool white = game % 2 == 0;
    const std::string net = fmt::format("net {}", steps);
    lines += fmt::format(
        R"({{"steps":{},"checkpoint":"{:06}.pt","white":"{}","black":"{}","result":"{}",)"
        R"("opening":"{}/{}"}})"
        "\n",
        steps, steps, white ? net : against, white ? against : net,
        white == (game >= lost) ? "1-0" : "0-1", steps, game / 2);
  }
  return lines;
}

TEST_F(FolderTest, RatesTheNetsOfARunByItsStrengthCurve) {
  const fs::path run = test::make_run(root / "runs", "a", 2);
  const auto scales = [&](const char* game) {
    return ask("ratings", {{"game", game}})["scales"].get<std::vector<ReportJson>>();
  };
  const auto of_run = [&] {
    for (const ReportJson& scale : scales("gardner"))
      if (scale["of"] == "runs/a") return scale;
    return ReportJson();
  };
  EXPECT_TRUE(of_run().is_null());
  write_text(run / "nets/000100.pt", "x");
  write_text(run / "nets/000300.pt", "x");
  write_text(run / "strength_curve.jsonl", curve_lines(100, "alphabeta?depth=1", 3) +
                                               curve_lines(200, "alphabeta?depth=1", 2) +
                                               curve_lines(200, "net 100", 4));
  const ReportJson scale = of_run();
  ASSERT_TRUE(scale.is_object());
  EXPECT_EQ(scale["zero"], "alphabeta?depth=1");
  const ReportJson& players = scale["players"];
  ASSERT_EQ(players.size(), 2U) << "the net after 200 steps is gone: " << players;
  EXPECT_EQ(players[0]["name"], "net 100");
  EXPECT_EQ(players[0]["player"], "runs/a/nets/000100.pt?visits=60");
  EXPECT_GT(players[0]["elo"], 50);
  EXPECT_LT(players[0]["low"], players[0]["elo"]);
  EXPECT_GT(players[0]["high"], players[0]["elo"]);
  EXPECT_EQ(players[1]["player"], "alphabeta?depth=1");
  EXPECT_EQ(players[1]["elo"], 0);
  test::append_text(run / "strength_curve.jsonl", curve_lines(300, "alphabeta?depth=1", 1));
  EXPECT_EQ(of_run()["players"][0]["name"], "net 300") << "the file has grown";
  for (const ReportJson& other : scales("escher"))
    EXPECT_NE(other["of"], "runs/a");
  EXPECT_EQ(refusal("ratings", {{"game", "nonsense"}}).first, "game");
}

TEST_F(FolderTest, RatesThePlayersOfATournament) {
  const auto settings = [&](const std::string& more) {
    write_text(
        root / "t/tournament.json",
        R"({"variant":"chess","visits":50,"players":[{"name":"net \"a\"","player":"uniform"},)"
        R"({"name":"material","player":"material"}, "gone.pt"])" +
            more + "}");
  };
  write_games("t/games.pgn", 4);
  settings("");
  const auto first = [&] { return ask("ratings", {{"game", "chess"}})["scales"][0]; };
  const ReportJson scale = first();
  EXPECT_EQ(scale["of"], "t");
  EXPECT_EQ(scale["zero"], "");
  ASSERT_EQ(scale["players"].size(), 2U);
  EXPECT_EQ(scale["players"][0]["name"], "net \"a\"");
  EXPECT_EQ(scale["players"][0]["player"], "uniform?visits=50");
  EXPECT_EQ(scale["players"][1]["player"], "material?visits=50");
  EXPECT_EQ(scale["players"][0]["elo"], -scale["players"][1]["elo"].get<int>());
  // Players that searched otherwise than here are none that one could play against.
  settings(R"(,"search_settings":["search.cpuct=2"])");
  write_games("t/games.pgn", 6);
  EXPECT_NE(first()["of"], "t");
}

TEST_F(FolderTest, RatesTheNetworkThatComesWithTheProgram) {
  const ReportJson reply = ask("ratings", {{"game", "gardner"}});
  const auto& scales = reply["scales"].get_ref<const ReportJson::array_t&>();
  ASSERT_EQ(scales.size(), 2U);
  EXPECT_EQ(scales[0]["zero"], "alphabeta-1?nodes=1000");
  EXPECT_EQ(scales[1]["of"], "gardner.pt");
  EXPECT_EQ(scales[1]["zero"], "alphabeta-1?depth=1");
  const ReportJson& network = scales[1]["players"][0];
  EXPECT_EQ(network["name"], "gardner network");
  EXPECT_THAT(network["player"].get<std::string>(), HasSubstr("gardner.pt?visits=100"));
  EXPECT_EQ(network["elo"], 191) << "75.0 %";
}

TEST_F(FolderTest, ShowsTheLastGamesOnAWall) {
  test::make_run(root, "a", 3, 12);
  const ReportJson wall = ask("wall", {{"path", "a"}, {"count", 5}});
  ASSERT_EQ(wall["games"].size(), 5U);
  EXPECT_EQ(wall["games"][0]["name"], "game 11");
  EXPECT_EQ(wall["games"][4]["name"], "game 7");
  EXPECT_EQ(wall["games"][0]["frames"].size(), wall["games"][0]["moves"].size() + 1);
  EXPECT_EQ(wall["boards"].size(), 1U);
  EXPECT_TRUE(wall["shapes"].contains("K"));
  write_games("own.pgn", 3);
  const ReportJson own = ask("wall", {{"path", "own.pgn"}, {"count", 2}});
  EXPECT_EQ(own["games"][0]["name"], "round 3");
  EXPECT_EQ(own["games"].size(), 2U);
}

TEST_F(FolderTest, ShowsGamesInProgressOfARunThatGoesOn) {
  const fs::path run = test::make_run(root, "a", 3, 12);
  std::vector<std::byte> bytes = chunk_header("gardner", 1);
  for (const std::uint64_t number : {11U, 14U}) {  // game 11 has ended since
    GameRecord game = test::random_record("gardner", number, 3, 0);
    game.outcome = Outcome::Ongoing;
    const auto position = find_game("gardner").start();
    for (PlyRecord& ply : game.plies) {
      ply.target = true;
      ply.policy.assign(position->legal_moves().size(), 0);
      ply.policy.front() = 1, ply.policy.back() = 3;
      position->play(ply.move);
    }
    const std::vector<std::byte> frame = chunk_frame(game);
    bytes.insert(bytes.end(), frame.begin(), frame.end());
  }
  const std::string text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  write_text(RunFolder::live_games(run), text);
  const auto wall = [&] {
    return ask("wall", {{"path", "a"}, {"count", 4}, {"large", "game 14"}})["games"];
  };
  EXPECT_FALSE(wall()[0].contains("live")) << "nothing holds the run's lock";
  EXPECT_FALSE(fs::exists(RunFolder::watched(run)));
  const FileLock lock(run / "lock");
  const ReportJson games = wall();
  ASSERT_EQ(games.size(), 4U);
  EXPECT_TRUE(games[0].contains("live") && games[1].contains("live"));
  EXPECT_EQ(games[1]["name"], "game 14");
  EXPECT_EQ(games[1]["frames"].size(), 4U);
  const ReportJson search = games[1]["searches"][2];
  ASSERT_EQ(search.size(), 2U) << "what the search of a ply preferred";
  EXPECT_EQ(search[0]["share"], 750);
  EXPECT_FALSE(search[0]["san"].get<std::string>().empty());
  EXPECT_FALSE(games[0].contains("searches")) << "of the large one alone";
  EXPECT_EQ(games[2]["name"], "game 10") << "no game twice";
  EXPECT_TRUE(fs::exists(RunFolder::watched(run)));
  write_text(RunFolder::live_games(run), text.substr(0, text.size() - 5));
  EXPECT_EQ(wall()[1]["name"], "game 10") << "a torn game is left out";
  write_text(RunFolder::live_games(run), "no chunk");
  EXPECT_EQ(wall()[0]["name"], "game 11");
  write_text(RunFolder::live_games(run), text);
  fs::last_write_time(RunFolder::live_games(run),
                      fs::file_time_type::clock::now() - std::chrono::seconds(30));
  EXPECT_FALSE(wall()[0].contains("live")) << "left by a session that was killed";
}

TEST_F(FolderTest, MakesReportsOnce) {
  const fs::path run = test::make_run(root, "a", 3, 3);
  const ReportJson first = ask("document", {{"path", "a"}})["document"];
  EXPECT_EQ(first["kind"], "run");
  EXPECT_EQ(first["title"], "a");
  write_games("own.pgn", 3);
  EXPECT_EQ(ask("document", {{"path", "own.pgn"}})["document"]["kind"], "games");
  write_text(root / "x.txt", "no game");
  EXPECT_EQ(refusal("document", {{"path", "x.txt"}}).first, "path");
  EXPECT_EQ(refusal("document", {{"path", ""}}).first, "path");
  test::append_text(run / "metrics.jsonl", test::metrics_row(77));
  bool changed = false;
  for (int i = 0; i < 200 && !changed; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    changed = ask("document", {{"path", "a"}})["document"]["sections"] != first["sections"];
  }
  EXPECT_TRUE(changed) << "a report is made anew once the last one has served for a while";
}

TEST_F(FolderTest, SaysAllThatIsWrongWithAConfiguration) {
  const ReportJson reply = ask("config", {{"text",
                                           "[run]\n"
                                           "variant = \"gardner\"\n"
                                           "minuts = 5\n"
                                           "[search]\n"
                                           "visits = -3\n"
                                           "tree_reuse = 7\n"
                                           "reduced_visits = 20\n"}});
  const ReportJson& mistakes = reply["mistakes"];
  ASSERT_EQ(mistakes.size(), 3U) << mistakes.dump(1);
  EXPECT_EQ(mistakes[0]["line"], 3);
  EXPECT_THAT(mistakes[0]["text"].get<std::string>(), HasSubstr("did you mean"));
  EXPECT_EQ(mistakes[1]["line"], 5);
  EXPECT_THAT(mistakes[1]["text"].get<std::string>(), HasSubstr("'search.visits' is -3"));
  EXPECT_EQ(mistakes[2]["line"], 6);
  std::map<std::string, ReportJson> keys;
  for (const ReportJson& key : reply["keys"])
    keys[key["name"]] = key;
  EXPECT_EQ(keys.at("run.variant")["value"], "\"gardner\"");
  EXPECT_EQ(keys.at("search.reduced_visits")["value"], "20");
  EXPECT_EQ(keys.at("search.visits")["value"], "32");
  EXPECT_FALSE(keys.at("search.visits")["help"].get<std::string>().empty());
}

TEST_F(FolderTest, ChecksKeysOfAConfigurationAgainstEachOther) {
  const auto mistakes = [&](const std::string& text) {
    return ask("config", {{"text", text}})["mistakes"];
  };
  EXPECT_THAT(mistakes(""), IsEmpty());
  EXPECT_EQ(mistakes("[run\n")[0]["line"], 1);
  EXPECT_EQ(mistakes("[run]\nvariant = \"ches\"\n")[0]["line"], 2);
  const ReportJson pair =
      mistakes("[search]\nvisits = 8\nfull_search_probability = 0.5\nreduced_visits = 20\n");
  ASSERT_EQ(pair.size(), 1U);
  EXPECT_EQ(pair[0]["line"], 4);
  EXPECT_THAT(pair[0]["text"].get<std::string>(), testing::Not(HasSubstr("text:4")));
  EXPECT_EQ(mistakes("[nosuch]\nx = 1\n").size(), 1U);
}

TEST_F(FolderTest, OffersConfigurations) {
  const auto before = fs::current_path();
  fs::current_path(FAULTLINE_SOURCE_DIR);
  const ReportJson configs = ask("configs", ReportJson::object())["configs"];
  fs::current_path(before);
  bool found = false;
  for (const ReportJson& config : configs) {
    found = found || config["name"] == "quickstart";
    EXPECT_THAT(ask("config", {{"text", config["text"]}})["mistakes"], IsEmpty()) << config["name"];
  }
  EXPECT_TRUE(found);
}

TEST_F(FolderTest, ShowsAGameFileOrItsMistakes) {
  const std::string good = "format = 1\nname = \"my-chess\"\ntitle = \"Mine\"\nbase = \"chess\"\n";
  const ReportJson shown = ask("gameFile", {{"text", good}});
  EXPECT_THAT(shown["mistakes"], IsEmpty()) << shown["mistakes"].dump();
  EXPECT_EQ(shown["text"], good);
  const std::string name = shown["game"];
  EXPECT_THAT(name, testing::StartsWith("data:draft-"));
  EXPECT_EQ(shown["position"]["game"], name);
  EXPECT_EQ(find_game(name).start()->legal_moves().size(), 20U);
  // Other texts, which are the same game.
  EXPECT_EQ(ask("gameFile", {{"text", "# mine\n" + good}})["game"], name);
  // Another game of that name.
  const ReportJson other = ask("gameFile", {{"text", good + "[rules]\ncapture_forced = true\n"}});
  EXPECT_NE(other["game"], name);
  EXPECT_THAT(other["mistakes"], IsEmpty());

  const ReportJson wrong =
      ask("gameFile", {{"text", good + "[board]\nfils = 9\n[pieces]\nQ = { moves = \"quen\" }\n"}});
  EXPECT_FALSE(wrong.contains("position"));
  std::vector<int> lines;
  for (const ReportJson& mistake : wrong["mistakes"])
    lines.push_back(mistake["line"]);
  EXPECT_THAT(lines, testing::IsSupersetOf({6, 8}));
  EXPECT_EQ(ask("gameFile", {{"text", "= ="}})["mistakes"][0]["line"], 1);
}

TEST_F(FolderTest, BeginsAGameFileFromAnother) {
  const ReportJson grand = ask("gameFile", {{"name", "grand"}});
  EXPECT_EQ(grand["game"], "data:grand");
  EXPECT_THAT(grand["text"].get<std::string>(), HasSubstr("Freeling"));
  write_text(root / "mine.toml", "format = 1\nname = \"mine2\"\nbase = \"chess\"\n");
  EXPECT_TRUE(ask("gameFile", {{"name", "mine.toml"}}).contains("game"));
  write_text(root / "other.toml", "[run]\n");
  for (const char* name : {"no-such", "other.toml", "../x.toml", "x/y", ""})
    EXPECT_EQ(refusal("gameFile", {{"name", name}}).first, "name") << name;
}

TEST_F(FolderTest, SavesAGameFileWithoutLosingAnother) {
  const std::string text = "format = 1\nname = \"saved-one\"\nbase = \"chess\"\n";
  EXPECT_EQ(ask("saveGame", {{"text", text}, {"path", "games/saved-one.toml"}})["game"],
            "data:saved-one");
  EXPECT_EQ(test::read_text(root / "games/saved-one.toml"), text);
  EXPECT_EQ(find_game("data:saved-one").start()->legal_moves().size(), 20U);
  // Saved again, changed: the game that is known by the name stays, and this one can be played.
  const std::string changed = text + "[rules]\ncapture_forced = true\n";
  const std::string draft =
      ask("saveGame", {{"text", changed}, {"path", "games/saved-one.toml"}})["game"];
  EXPECT_THAT(draft, testing::StartsWith("data:draft-"));
  EXPECT_EQ(test::read_text(root / "games/saved-one.toml"), changed);

  write_text(root / "train.toml", "[run]\nvariant = \"chess\"\n");
  test::make_run(root, "a", 1);
  for (const char* path : {"train.toml", "a", "a/game.toml", "x.txt"})
    EXPECT_EQ(refusal("saveGame", {{"text", text}, {"path", path}}).first, "path") << path;
  EXPECT_EQ(test::read_text(root / "train.toml"), "[run]\nvariant = \"chess\"\n");
  EXPECT_EQ(refusal("saveGame", {{"text", text + "[board]\nfils = 9\n"}, {"path", "y.toml"}}).first,
            "text");
  EXPECT_FALSE(fs::exists(root / "y.toml"));
}

TEST_F(FolderTest, WritesThePageOfAGameFile) {
  write_text(root / "forced.toml",
             "format = 1\nname = \"forced\"\nbase = \"chess\"\n[rules]\ncapture_forced = true\n");
  write_text(root / "train.toml", "[run]\nvariant = \"chess\"\n");
  EXPECT_EQ(refusal("gamePage", {{"path", "train.toml"}}).first, "path");
  try {
    browser_program();
  } catch (const NoBrowserProgram&) {
    EXPECT_THAT(refusal("gamePage", {{"path", "forced.toml"}}).second, HasSubstr("--wasm"));
    return;
  }
  EXPECT_EQ(ask("gamePage", {{"path", "forced.toml"}})["path"], "forced.html");
  EXPECT_THAT(test::read_text(root / "forced.html"), HasSubstr("capture_forced = true"));
  EXPECT_EQ(refusal("gamePage", {{"path", "forced.toml"}}).first, "path") << "it is there already";
}

TEST_F(FolderTest, StartsNothingWithoutPermission) {
  test::make_run(root, "a", 1);
  EXPECT_THAT(refusal("start", {{"command", "resume"}, {"path", "a"}}).second,
              HasSubstr("--allow-start"));
  EXPECT_THAT(refusal("halt", {{"path", "a"}}).second, HasSubstr("--allow-start"));
}

}  // namespace
}  // namespace faultline::web
