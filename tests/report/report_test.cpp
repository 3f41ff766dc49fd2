// Reports of runs, tournaments, studies and surveys: what is in them, and what is said if something
// is missing.
#include "report/report.h"

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "lab/study.h"
#include "lab/study_file.h"
#include "record/config.h"
#include "record/replay_store.h"
#include "record/run_folder.h"
#include "survey/survey.h"
#include "survey/survey_document.h"
#include "survey/survey_results.h"
#include "tests/report/recorded_games.h"
#include "tests/report/report_parts.h"
#include "tests/temporary_folder.h"

namespace faultline {
namespace {

namespace fs = std::filesystem;

using test::notices;
using test::section;
using test::TemporaryFolder;
using test::titles;
using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;

/// A run's folder with its configuration only.
fs::path new_run(const TemporaryFolder& folder, const std::string& toml) {
  fs::create_directories(folder.path() / "a-run");
  folder.write("a-run/config.toml", toml);
  return folder.path() / "a-run";
}

TEST(ReportTexts, NameNetworksWithoutTheFoldersAbove) {
  ReportJson json = {
      {"rows", ReportJson::array({ReportJson::array({"/path/to/runs/a/nets/000500.pt"})})},
      {"white", "/x/a/nets/1.pt?visits=8, 100 visits, not /x/b/nets/2.pt"},
      {"label", "new=/x/a/nets/1.pt"},
      {"nested", "/x/nets/a/nets/1.pt"},
      {"relative", "runs/a/nets/1.pt"},
      {"other", "/nets/1.pt and /x/openings.pgn"},
      {"number", 3}};
  leave_out_folders_of_nets(json);
  EXPECT_EQ(json["rows"][0][0], "a/nets/000500.pt");
  EXPECT_EQ(json["white"], "a/nets/1.pt?visits=8, 100 visits, not b/nets/2.pt");
  EXPECT_EQ(json["label"], "new=a/nets/1.pt");
  EXPECT_EQ(json["nested"], "a/nets/1.pt");
  EXPECT_EQ(json["relative"], "runs/a/nets/1.pt");
  EXPECT_EQ(json["other"], "/nets/1.pt and /x/openings.pgn");
}

TEST(RunReport, HasCurvesGamesOpeningsDistributionsAndChangedSettings) {
  const TemporaryFolder folder;
  const fs::path run = new_run(folder, "[run]\nvariant = \"gardner\"\n[search]\nvisits = 77\n");
  folder.write("a-run/metrics.jsonl",
               "{\"seconds\":10,\"games\":5,\"steps\":3,\"loss\":{\"policy\":2,\"value\":1}}\n"
               "{\"seconds\":20,\"games\":20,\"steps\":9,\"loss\":{\"policy\":1.5,\"value\":0.75},"
               "\"held_out_value\":0.8,\"constant_value\":1.01}\n");
  {
    ReplayStore store(run / "games", "gardner", 100);
    for (std::uint64_t i = 0; i < 20; ++i)  // among 15 games some begin alike
      store.append(test::random_record("gardner", i, 60, i < 15 ? 0 : 2));
  }
  const ReportJson report = report_json(run, {.games = 3});
  EXPECT_EQ(report["kind"], "run");
  EXPECT_EQ(report["title"], "a-run");
  EXPECT_THAT(
      titles(report),
      AllOf(Contains("Final figures"), Contains("Curves"), Contains("Games"), Contains("Openings"),
            Contains("How games end"), Contains("Length of games"), Contains("Settings")));
  EXPECT_EQ(section(report, "Games")["games"].size(), 3U);
  EXPECT_EQ(section(report, "Openings")["tree"]["g"][0], 15) << "five games began at random";
  EXPECT_THAT(section(report, "Openings")["note"].get<std::string>(),
              HasSubstr("15 games of the newest 20"));
  EXPECT_EQ(section(report, "Length of games")["series"][0]["total"], 20);
  bool found = false;
  for (const auto& row : section(report, "Settings")["rows"]) {
    EXPECT_NE(row[1], row[2]) << "only what differs from the defaults";
    found = found || (row[0] == "search.visits" && row[1] == "77");
  }
  EXPECT_TRUE(found);
  EXPECT_THAT(notices(report), HasSubstr("has not saved its state"));
}

TEST(RunReport, OfAnEmptyRunSaysWhatIsMissing) {
  const TemporaryFolder folder;
  const ReportJson report = report_json(new_run(folder, "[run]\nvariant = \"escher\"\n"), {});
  EXPECT_THAT(notices(report),
              AllOf(HasSubstr("no metrics"), HasSubstr("There are no recorded games")));
  EXPECT_THAT(titles(report), AllOf(Contains("Final figures"), Contains("Settings"),
                                    testing::Not(Contains("Games"))));
  EXPECT_EQ(report["subtitle"], "training run of escher");
  EXPECT_THAT(report_page(report), HasSubstr("a-run"));
}

TEST(RunReport, PassesOverDamagedFiles) {
  const TemporaryFolder folder;
  const fs::path run = new_run(folder, "[run]\nno_such_key = 1\n");
  folder.write("a-run/state.json", "{");
  folder.write("a-run/strength.json", "[]");
  folder.write("a-run/metrics.jsonl", "{\"steps\":1}\ntorn");
  fs::create_directories(run / "games");
  folder.write("a-run/games/000000.chunk", "no chunk");
  const ReportJson report = report_json(run, {});
  EXPECT_THAT(notices(report),
              AllOf(HasSubstr("no_such_key"), HasSubstr("state.json"), HasSubstr("strength.json"),
                    HasSubstr("000000.chunk"), HasSubstr("1 line left out")));
}

TEST(StudyReport, HasComparisonsBehaviourAndGames) {
  const TemporaryFolder folder;
  folder.write("early.toml", "[[rules]]\nwhen = { descends = true }\nprior = 8\nbonus = 0.2\n");
  const StudySettings settings = parse_study(
      "title = \"Descents\"\nquestion = \"Are they good?\"\nvariants = [\"inferno:levels=2\"]\n"
      "nets = [\"material\"]\nvisits = [4]\ngames = 4\nlook = 4\nmax_plies = 30\n"
      "[[arms]]\nname = \"early\"\nstrategy = \"early.toml\"\n[[arms]]\nname = \"plain\"\n",
      "test", folder.path());
  const fs::path place = folder.path() / "s";
  {
    const Study study(settings, place, "");
    EXPECT_THAT(notices(report_json(place, {})), HasSubstr("there are no results"));
  }
  Study study(settings, place, "");
  PlayerResources resources(cpu_backends(), {.device = "cpu"});
  study.play(resources, 1);
  const ReportJson report = report_json(place, {.games = 4});
  EXPECT_EQ(report["kind"], "study");
  EXPECT_EQ(report["title"], "Descents");
  const std::string cell = "inferno:levels=2, material, 4 visits";
  EXPECT_THAT(titles(report), AllOf(Contains("Figures"), Contains("Comparisons"), Contains(cell),
                                    Contains("What they did: " + cell), Contains("By ply: " + cell),
                                    Contains("Games"), Contains("Settings")));
  EXPECT_EQ(section(report, "Comparisons")["rows"].size(), 1U);
  std::set<std::string> labels;
  for (const auto& game : section(report, "Games")["games"])
    labels.insert(game["label"]);
  EXPECT_EQ(labels.size(), 4U) << "each game has a title of its own";
  EXPECT_FALSE(labels.contains(""));
  bool found = false;
  for (const auto& chart : section(report, "By ply: " + cell)["charts"]) {
    EXPECT_LE(chart["series"].size(), 2U);
    found = found || chart["title"] == "descends";
  }
  EXPECT_TRUE(found);
  EXPECT_THAT(notices(report), testing::IsEmpty());
  fs::rename(place / "study.json", place / "study.txt");
  EXPECT_THROW(find_report_folder(place.string()), ReportError);
}

TEST(TournamentReport, HasRatingsPairingsAndGames) {
  const TemporaryFolder folder;
  folder.write("tournament.json",
               R"({"variant": "chess", "players": ["uniform", "material", "random"]})");
  const auto game = [](const std::string& white, const std::string& black,
                       const std::string& round) {
    return "[Event \"e\"]\n[Round \"" + round + "\"]\n[White \"" + white + "\"]\n[Black \"" +
           black + "\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Qh5 Ke7 3. Qxe5# 1-0\n\n";
  };
  folder.write("games.pgn", game("uniform", "random", "1.1.1") +
                                game("random", "uniform", "1.1.2") +
                                game("material", "random", "2.1.1") + "[Event \"torn");
  const ReportJson report = report_json(folder.path(), {});
  EXPECT_EQ(report["kind"], "tournament");
  EXPECT_EQ(section(report, "Ratings")["rows"].size(), 3U);
  EXPECT_EQ(section(report, "Pairings")["names"][0], "material");
  const ReportJson& shown = section(report, "Games")["games"];
  ASSERT_EQ(shown.size(), 3U);
  EXPECT_EQ(shown[0]["name"], "round 2.1.1");
  EXPECT_EQ(shown[0]["moves"].back(), "Qxe5#");
  EXPECT_EQ(shown[0]["ending"], "by the rules");
}

TEST(TournamentReport, DrawsEloOverTheStepsOfARunsNets) {
  const TemporaryFolder folder;
  folder.write("tournament.json",
               R"({"variant": "chess", "players": [{"name": "a", "player": "runs/x/nets/000100.pt"},
                   {"name": "b", "player": "runs/x/nets/000200.pt"},
                   {"name": "c", "player": "runs/x/nets/000050.pt"}]})");
  std::string games;
  for (const auto& [white, black] :
       std::vector<std::pair<std::string, std::string>>{{"b", "a"}, {"a", "c"}, {"b", "c"}})
    games += "[Event \"e\"]\n[White \"" + white + "\"]\n[Black \"" + black +
             "\"]\n[Result \"1-0\"]\n\n1. e4 1-0\n\n";
  folder.write("games.pgn", games);
  const ReportJson report = report_json(folder.path(), {});
  const ReportJson& curve = section(report, "Strength by training");
  EXPECT_EQ(curve["axes"][0]["values"], ReportJson::parse("[50, 100, 200]"));
  const ReportJson& elo = curve["charts"][0]["series"][0];
  EXPECT_LT(elo["values"][0], elo["values"][1]);
  EXPECT_LT(elo["values"][1], elo["values"][2]);
  EXPECT_LT(elo["low"][0], elo["values"][0]);
}

TEST(TournamentReport, DrawsNoStepsOfANetThatPlaysSeveralTimes) {
  const TemporaryFolder folder;
  folder.write("tournament.json",
               R"({"variant": "chess", "players": [{"name": "a", "player": "runs/x/nets/000100.pt"},
                   {"name": "b", "player": "runs/x/nets/000100.pt?cpuct=1"},
                   {"name": "c", "player": "runs/x/nets/000200.pt"}]})");
  std::string games;
  for (const auto& [white, black] :
       std::vector<std::pair<std::string, std::string>>{{"b", "a"}, {"a", "c"}, {"b", "c"}})
    games += "[Event \"e\"]\n[White \"" + white + "\"]\n[Black \"" + black +
             "\"]\n[Result \"1-0\"]\n\n1. e4 1-0\n\n";
  folder.write("games.pgn", games);
  EXPECT_THAT(titles(report_json(folder.path(), {})),
              testing::Not(Contains("Strength by training")));
}

TEST(TournamentReport, OfNoGamesSaysSo) {
  const TemporaryFolder folder;
  folder.write("tournament.json", R"({"variant": "chess", "players": ["uniform", "random"]})");
  EXPECT_THAT(notices(report_json(folder.path(), {})), HasSubstr("No game has a result yet"));
}

TEST(TournamentReport, SaysThatItsGamesCannotBeRead) {
  const TemporaryFolder folder;
  folder.write("tournament.json", R"({"variant": "chess", "players": ["uniform", "random"]})");
  fs::create_directory(folder.path() / "games.pgn");
  EXPECT_THAT(notices(report_json(folder.path(), {})), HasSubstr("games.pgn: cannot be read"));
}

/// A survey of these variants, of which every game can be played at once.
SurveySettings survey_of(const std::vector<std::string>& variants) {
  SurveySettings settings;
  settings.visits = {2, 4};
  settings.games = 4;
  settings.max_plies = 30;
  settings.perft_nodes = 100;
  settings.playouts = 0;
  for (const std::string& variant : variants)
    settings.variants.push_back({variant, "uniform"});
  return settings;
}

void write_results(const SurveySettings& settings, const fs::path& folder) {
  test::write_text(
      survey_results_file(folder),
      to_json(survey_document(survey_results(settings, folder, {.threads = 1}))).dump());
}

/// The shown games of all variants.
std::size_t shown_games(const ReportJson& report) {
  std::size_t games = 0;
  for (const auto& one : report["sections"])
    if (one["type"] == "games") games += one["games"].size();
  return games;
}

TEST(SurveyReport, HasTheDocumentInItsResults) {
  const TemporaryFolder folder;
  const fs::path place = folder.path() / "s";
  const SurveySettings settings = survey_of({"gardner", "inferno:levels=2"});
  Survey survey(settings, place);
  EXPECT_THAT(notices(report_json(place, {})), HasSubstr("There are no results yet"));
  PlayerResources resources(cpu_backends(), {.device = "cpu"});
  survey.play(resources, 1);
  write_results(settings, place);
  const auto results = ReportJson::parse(test::read_text(survey_results_file(place)));
  const ReportJson report = report_json(place, {});
  for (const ReportJson& one : results["sections"])
    EXPECT_EQ(section(report, one["title"]), one);
  EXPECT_THAT(notices(report), HasSubstr("no piece values"));
}

TEST(SurveyReport, ShowsAsManyGamesAsAreWanted) {
  const TemporaryFolder folder;
  const fs::path place = folder.path() / "s";
  const SurveySettings settings = survey_of({"gardner", "inferno:levels=2", "chess"});
  Survey survey(settings, place);
  PlayerResources resources(cpu_backends(), {.device = "cpu"});
  survey.play(resources, 1);
  for (const std::size_t games : std::vector<std::size_t>{0, 1, 4, 8, 12, 20})
    EXPECT_EQ(shown_games(report_json(place, {.games = games})), std::min<std::size_t>(games, 12));
}

TEST(SurveyReport, LeavesOutGamesAfterTheFirstThatIsMissing) {
  const TemporaryFolder folder;
  const fs::path place = folder.path() / "s";
  const SurveySettings settings = survey_of({"gardner"});
  Survey survey(settings, place);
  PlayerResources resources(cpu_backends(), {.device = "cpu"});
  survey.play(resources, 1);
  const fs::path file = survey_games_file(place);
  EXPECT_THAT(notices(report_json(place, {})), testing::Not(HasSubstr("not counted yet")));
  // Without game 2 of the first pair at the most visits.
  std::string text = test::read_text(file);
  const std::size_t round = text.find("[Round \"2.1.2\"]");
  ASSERT_NE(round, std::string::npos);
  const std::size_t begin = text.rfind("[Event ", round);
  text.erase(begin, std::min(text.find("[Event ", round), text.size()) - begin);
  test::write_text(file, text);
  const ReportJson report = report_json(place, {});
  EXPECT_EQ(shown_games(report), 0U);
  EXPECT_THAT(notices(report), HasSubstr("3 games are not counted yet"));
}

TEST(SurveyReport, SaysWhatCannotBeRead) {
  const TemporaryFolder folder;
  const fs::path place = folder.path() / "s";
  const SurveySettings settings = survey_of({"gardner"});
  { const Survey survey(settings, place); }
  fs::remove(survey_games_file(place));
  fs::create_directory(survey_games_file(place));
  EXPECT_THAT(notices(report_json(place, {})), HasSubstr("games.pgn: cannot be read"));
  fs::create_directory(survey_results_file(place));
  EXPECT_THROW(report_json(place, {}), ReportError);
}

TEST(ReportPage, ContainsItsDataWhateverTextsAreInIt) {
  const std::string nasty = "</script><!--<b>\"&'\\FAULTLINE_TITLE \xff\xc3\xa9";
  const std::string page =
      report_page({{"title", nasty}, {"sections", ReportJson::array()}, {"text", nasty}});
  EXPECT_THAT(page, HasSubstr("<title>&lt;/script>"));
  const std::string open = "id=\"data\">";
  const std::size_t begin = page.find(open) + open.size();
  const std::size_t end = page.find("</script>", begin);
  const auto data = ReportJson::parse(page.substr(begin, end - begin));
  EXPECT_THAT(data["text"].get<std::string>(),
              AllOf(HasSubstr("</script><!--<b>\"&'\\FAULTLINE_TITLE "), HasSubstr("\xc3\xa9")));
  EXPECT_EQ(page.substr(begin, end - begin).find('<'), std::string::npos);
}

TEST(ReportPage, AsksForNothingFromElsewhere) {
  const std::string page = report_page({{"title", "t"}});
  EXPECT_THAT(page, HasSubstr("default-src 'none'"));
  EXPECT_THAT(page, HasSubstr("The MIT License")) << "of the library in it";
  for (const char* const link : {"src=\"http", "href=\"http", "url(http", "@import"})
    EXPECT_EQ(page.find(link), std::string::npos) << link;
}

TEST(ReportFolder, IsARunOrATournament) {
  const TemporaryFolder folder;
  const auto message_for = [](const std::string& text) -> std::string {
    try {
      find_report_folder(text);
    } catch (const ReportError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_THAT(message_for(folder.path().string()),
              AllOf(HasSubstr("is not a tournament's folder (with tournament.json)"),
                    HasSubstr("a run's folder (with config.toml or state.json)")));
  EXPECT_EQ(find_report_folder(folder.write("file", "")), folder.path() / "file");
  EXPECT_THAT(message_for("no/such"), HasSubstr("there is no such folder"));
  EXPECT_THAT(message_for(std::string(5000, 'x')), HasSubstr("there is no such folder"));
  folder.write("state.json", "{}");
  EXPECT_EQ(find_report_folder(folder.path().string()), folder.path());
}

TEST(ReportFolder, AsksWhichOfSeveralOfOneName) {
  const TemporaryFolder folder;
  const fs::path before = fs::current_path();
  fs::current_path(folder.path());
  fs::create_directories("studies/levels");
  fs::create_directories("surveys/levels");
  fs::create_directories("runs/levels");
  folder.write("surveys/levels/survey.json", "{}");
  EXPECT_EQ(find_report_folder("levels"), "surveys/levels") << "the others hold nothing";
  folder.write("studies/levels/study.json", "{}");
  try {
    find_report_folder("levels");
    ADD_FAILURE() << "no error";
  } catch (const ReportError& error) {
    EXPECT_STREQ(error.what(), "levels: there are several: give studies/levels or surveys/levels");
  }
  fs::current_path(before);
}

}  // namespace
}  // namespace faultline
