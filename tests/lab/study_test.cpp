// Studies: their files, folders, interruptions and results.
#include "lab/study.h"

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "lab/study_document.h"
#include "lab/study_file.h"
#include "lab/study_results.h"
#include "tests/document_parts.h"
#include "tests/temporary_folder.h"

namespace faultline {
namespace {

namespace fs = std::filesystem;

using testing::AllOf;
using testing::HasSubstr;

constexpr const char* kNever = "[[rules]]\nwhen = { captures = true }\nforbid = true\n";

/// Three ways of playing gardner's minichess, one of which does not capture.
std::string study_toml(const std::string& more = "") {
  return "title = \"Captures\"\nvariants = [\"gardner\"]\nnets = [\"material\"]\nvisits = [4, 8]\n"
         "games = 60\nlook = 10\nmax_plies = 60\nindifference = 0\n" +
         more +
         "[[arms]]\nname = \"plain\"\n"
         "[[arms]]\nname = \"peaceful\"\nstrategy = \"never.toml\"\n"
         "[[behaviour]]\nname = \"takes a pawn\"\nwhen = 'captures = \"pawn\"'\n";
}

/// A folder with the strategy that the study above names.
class StudyTest : public testing::Test {
 protected:
  StudyTest() { folder_.write("never.toml", kNever); }

  StudySettings settings(const std::string& more = "") const {
    return parse_study(study_toml(more), "study.toml", folder_.path());
  }
  std::string message_of(const std::string& toml) const {
    try {
      parse_study(toml, "study.toml", folder_.path());
    } catch (const std::exception& error) {
      return error.what();
    }
    return "";
  }
  fs::path place(const std::string& name) const { return folder_.path() / name; }

  test::TemporaryFolder folder_;
};

void play(Study& study, int threads = 2, const ExperimentHooks& hooks = {}) {
  PlayerResources resources(cpu_backends(), {.device = "cpu"});
  study.play(resources, threads, hooks);
}

/// All games of a study by cell and round.
std::map<std::string, std::string> games_in(const fs::path& folder) {
  std::map<std::string, std::string> games;
  for (const StudyCell& cell : cells_of(load_study(folder))) {
    std::ifstream in(games_of(folder, cell) / "games.pgn");
    GameReader reader(in, "games.pgn");
    while (const auto game = reader.next()) {
      std::string round;
      for (const auto& [name, value] : game->tags)
        if (name == "Round") round = value;
      std::ostringstream text;
      write_game(text, *game);
      EXPECT_TRUE(games.emplace(cell.place + " " + round, text.str()).second);
    }
  }
  return games;
}

TEST_F(StudyTest, IsReadWithItsStrategiesTexts) {
  const StudySettings read = settings("seed = 7\n");
  EXPECT_EQ(read.title, "Captures");
  EXPECT_EQ(read.arms[1].strategy, kNever);
  EXPECT_TRUE(read.arms[0].strategy.empty());
  EXPECT_EQ(read.seed, 7);
  const auto cells = cells_of(read);
  ASSERT_EQ(cells.size(), 2U);
  EXPECT_EQ(cells[1].name, "gardner, material, 8 visits");
  EXPECT_EQ(cells[1].place, "gardner_material_8");
  EXPECT_EQ(comparisons_of(read), 2U);
  EXPECT_EQ(StudySettings::from_json(to_json(read), "s").arms, read.arms);
  EXPECT_EQ(to_json(StudySettings::from_json(to_json(read), "s")), to_json(read));
}

TEST_F(StudyTest, StrategiesAreFoundFromTheStudysFile) {
  fs::create_directories(place("configs/studies"));
  fs::create_directories(place("configs/strategies"));
  folder_.write("configs/strategies/own-plan.toml", kNever);
  std::string toml = study_toml();
  toml.replace(toml.find("never.toml"), 10, "own-plan");
  const std::string file = folder_.write("configs/studies/own.toml", toml);
  EXPECT_EQ(read_study(file).arms[1].strategy, kNever);
  toml.replace(toml.find("own-plan"), 8, "own-paln");
  EXPECT_THAT(message_of(toml),
              AllOf(HasSubstr("there is no strategy 'own-paln'"),
                    HasSubstr("configs/strategies of " + folder_.path().string())));
}

TEST_F(StudyTest, DividesAlphaAmongAllComparisons) {
  const StudySettings two_cells = settings();
  EXPECT_DOUBLE_EQ(sequential_test(two_cells).alpha, 0.05 / 2);
  for (const StudyCell& cell : cells_of(two_cells))
    EXPECT_DOUBLE_EQ(sequential_test(tournament_of(two_cells, cell, "s")).alpha, 0.05 / 2);
}

TEST_F(StudyTest, ArmsMayHaveNetsOfTheirOwn) {
  const StudySettings read = parse_study(
      "title = \"Believers\"\nvariants = [\"gardner\"]\nvisits = [4]\n"
      "[[arms]]\nname = \"a\"\nstrategy = \"never.toml\"\nnet = \"material\"\n"
      "[[arms]]\nname = \"b\"\nnet = \"uniform?cpuct=3\"\n",
      "study.toml", folder_.path());
  const StudyCell cell = cells_of(read).front();
  EXPECT_EQ(cell.name, "gardner, own-nets, 4 visits");
  const TournamentSettings tournament = tournament_of(read, cell, "s");
  EXPECT_EQ(tournament.players[0].player, "material?strategy=s/a.toml");
  EXPECT_EQ(tournament.players[1].player, "uniform?cpuct=3");
  EXPECT_EQ(to_json(StudySettings::from_json(to_json(read), "s")), to_json(read));
  EXPECT_THAT(message_of("title = \"x\"\nvariants = [\"gardner\"]\nvisits = [4]\n"
                         "[[arms]]\nname = \"a\"\nnet = \"random\"\n"),
              HasSubstr("follows no strategies"));
}

TEST_F(StudyTest, AlphaBetaSearchesFollowStrategiesWithLimitsOfTheirOwn) {
  std::string toml = study_toml();
  toml.replace(toml.find("[\"material\"]"), 12,
               "[\"material\", \"short=alphabeta?depth=1\", \"alphabeta?nodes=50\"]");
  const StudySettings read = parse_study(toml, "study.toml", folder_.path());
  std::vector<std::string> names;
  for (const StudyCell& cell : cells_of(read))
    names.push_back(cell.name);
  EXPECT_THAT(names,
              testing::ElementsAre("gardner, material, 4 visits", "gardner, material, 8 visits",
                                   "gardner, short", "gardner, alphabeta"));
  EXPECT_EQ(to_json(StudySettings::from_json(to_json(read), "s")), to_json(read));
  Study study(read, place("alphabeta"), "");
  play(study);
  const StudyResults results = study_results(place("alphabeta"));
  int by_alpha_beta = 0;
  for (const Comparison& one : results.comparisons) {
    if (results.cells[one.cell].visits > 0) continue;
    ++by_alpha_beta;
    EXPECT_GT(one.games(), 0);
    const HabitCounts& captures = one.behaviour[1].habits.front();
    EXPECT_LT(2 * total(captures.done), total(captures.possible)) << "only where all is capture";
    EXPECT_EQ(one.decision, SequentialDecision::FirstBetter) << "plain play";
  }
  EXPECT_EQ(by_alpha_beta, 2);
  const auto with = [&](const std::string& net, const std::string& more = "") {
    std::string changed = toml;
    changed.replace(changed.find("alphabeta?depth=1"), 17, net);
    return message_of(more + changed);
  };
  EXPECT_EQ(with("alphabeta:nodes=30,table_mb=2"), "");
  EXPECT_THAT(with("alphabeta"), HasSubstr("needs a limit of its own, such as nodes=10000"));
  EXPECT_THAT(with("alphabeta?ms=10"), HasSubstr("needs a limit of its own"));
  EXPECT_THAT(with("alphabeta?ms=10&nodes=3"), HasSubstr("could not be played again"));
  EXPECT_THAT(with("alphabeta?threads=2&nodes=3"), HasSubstr("could not be played again"));
  EXPECT_THAT(with("alphabeta-1?nodes=9"), HasSubstr("follows no strategies"));
  EXPECT_THAT(with("alphabeta?depth=1", "temperature = 0.5\n"),
              HasSubstr("temperature: alphabeta always plays the best move"));
}

TEST_F(StudyTest, CountsVisitsWhereAnyParticipantDoes) {
  const auto cells = [&](const std::string& first, const std::string& second) {
    const StudySettings read = parse_study(
        "title = \"x\"\nvariants = [\"gardner\"]\nvisits = [4, 8]\n"
        "[[arms]]\nname = \"a\"\nnet = \"" +
            first +
            "\"\n"
            "[[arms]]\nname = \"b\"\nnet = \"" +
            second + "\"\n",
        "study.toml", folder_.path());
    EXPECT_EQ(read.visits.empty(), cells_of(read).size() == 1);
    return cells_of(read).size();
  };
  EXPECT_EQ(cells("alphabeta?nodes=9", "alphabeta?depth=2"), 1U);
  EXPECT_EQ(cells("alphabeta?nodes=9", "material"), 2U);
  EXPECT_THAT(message_of("title = \"x\"\nvariants = [\"gardner\"]\nnets = [\"material\"]\n"
                         "[[arms]]\nname = \"a\"\n[[arms]]\nname = \"b\"\n"),
              HasSubstr("'visits' is missing"));
}

TEST_F(StudyTest, RefusesWhatIsNotValid) {
  const std::string good = study_toml();
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string text = good;
    const auto at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return text.replace(at, from.size(), to);
  };
  EXPECT_EQ(message_of(good), "");
  EXPECT_THAT(message_of("gmaes = 4\n" + good),
              AllOf(HasSubstr("study.toml:1"), HasSubstr("did you mean 'games'?")));
  EXPECT_THAT(message_of(with("games = 60", "games = \"many\"")),
              AllOf(HasSubstr("study.toml:5"), HasSubstr("'games' is 'many'")));
  EXPECT_THAT(message_of(with("look = 10", "look = 16")), HasSubstr("a multiple of look"));
  EXPECT_THAT(message_of(with("[4, 8]", "[4, 4]")), HasSubstr("4 is given twice"));
  EXPECT_THAT(message_of(with("[4, 8]", "[]")),
              HasSubstr("study.toml:4: 'visits' is an empty list, but must be a list of whole"));
  EXPECT_THAT(message_of(with("visits = [4, 8]\n", "")), HasSubstr("'visits' is missing"));
  EXPECT_THAT(message_of(with("[\"gardner\"]", "[\"gardener\"]")),
              HasSubstr("did you mean 'gardner'?"));
  EXPECT_THAT(message_of(with("never.toml", "nevr.toml")), HasSubstr("there is no strategy"));
  EXPECT_THAT(message_of(with("\"peaceful\"", "\"plain\"")), HasSubstr("plain is given twice"));
  EXPECT_THAT(message_of(with("\"peaceful\"", "\"a/b\"")), HasSubstr("letters, digits"));
  EXPECT_THAT(message_of(with("[\"material\"]", "[\"random\"]")),
              HasSubstr("follows no strategies"));
  EXPECT_THAT(message_of(with("[\"material\"]", "[\"material?visits=3\"]")),
              HasSubstr("its own limits"));
  EXPECT_THAT(message_of(with("[\"material\"]", "[\"no/such/net\"]")), HasSubstr("no/such/net"));
  EXPECT_THAT(message_of(with("captures = \"pawn\"", "descends = true")),
              HasSubstr("is a predicate of inferno"));
  EXPECT_THAT(message_of(with("name = \"peaceful\"", "nam = \"peaceful\"")),
              HasSubstr("did you mean 'name'?"));
  EXPECT_THAT(message_of("title = "), HasSubstr("not valid TOML"));
  EXPECT_THAT(message_of(with("max_plies = 60", "openings = \"rnd:4\"\nmax_plies = 60")),
              HasSubstr("rnd"));
}

TEST_F(StudyTest, OtherGamesThanTheFilesCanMakeItValid) {
  const std::string toml = study_toml();
  const auto read = [&](int games) {
    return parse_study(toml, "study.toml", folder_.path(), {{"games", std::int64_t{games}}});
  };
  EXPECT_EQ(read(80).games, 80);
  EXPECT_THROW(read(65), ExperimentError);
  EXPECT_THROW(read(66), ExperimentError);
  std::string odd = toml;
  odd.replace(odd.find("games = 60"), 10, "games = 66");
  EXPECT_EQ(parse_study(odd, "study.toml", folder_.path(), {{"games", std::int64_t{60}}}).games,
            60);
}

TEST_F(StudyTest, EndsWithTheSameGamesHoweverOftenItWasInterrupted) {
  {
    Study whole(settings(), place("whole"), "# whole\n");
    EXPECT_EQ(whole.planned_games(), 120);
    int looks = 0;
    play(whole, 2, {.on_look = [&] { ++looks; }});
    EXPECT_LT(looks, 6) << "there are none once all is decided";
    EXPECT_TRUE(whole.complete());
    EXPECT_EQ(whole.decided_comparisons(), 2) << "who never captures loses";
    EXPECT_LT(whole.finished_games(), 120) << "decided before the last look";
    EXPECT_EQ(whole.finished_games(), whole.planned_games());
  }
  for (int attempt = 0; attempt < 100; ++attempt) {
    Study part(settings(), place("part"), "");
    if (part.complete()) break;
    std::atomic<int> games{0};
    play(part, 1, {.on_game = [&] { ++games; }, .stop = [&] { return games >= 7; }});
  }
  EXPECT_EQ(games_in(place("part")), games_in(place("whole")));
  EXPECT_EQ(test::read_text(place("whole") / "study.toml"), "# whole\n");
}

TEST_F(StudyTest, DoesNotLookAgainWhereNothingWasPlayed) {
  const StudySettings equals = parse_study(
      "title = \"Equals\"\nvariants = [\"gardner\"]\nnets = [\"material\"]\nvisits = [4]\n"
      "games = 60\nlook = 10\nmax_plies = 30\nindifference = 0\n"
      "[[arms]]\nname = \"one\"\n[[arms]]\nname = \"other\"\n",
      "study.toml", folder_.path());
  int all = 0;
  Study whole(equals, place("whole"), "");
  play(whole, 2, {.on_look = [&] { ++all; }});
  ASSERT_GT(all, 3) << "equals are not told apart so soon";
  std::atomic<int> before = 0;
  {
    Study part(equals, place("part"), "");
    play(part, 2, {.on_look = [&] { ++before; }, .stop = [&] { return before >= 3; }});
  }
  int after = 0;
  Study part(equals, place("part"), "");
  play(part, 2, {.on_look = [&] { ++after; }});
  EXPECT_EQ(after, 1 + all - 3) << "the first, and those that were left";
  EXPECT_EQ(games_in(place("part")), games_in(place("whole")));
}

TEST_F(StudyTest, ContinuesInAFolderThatWasMovedAndWithMoreGames) {
  {
    Study study(settings("# few\n"), place("here"), "");
    play(study);
  }
  fs::rename(place("here"), place("there"));
  StudySettings stored = load_study(place("there"));
  stored.games = 80;
  Study study(stored, place("there"), "");
  play(study);
  EXPECT_TRUE(study.complete());
  EXPECT_THAT(test::read_text(games_of(place("there"), study.cells()[0]) / "tournament.json"),
              AllOf(HasSubstr(place("there").string()), HasSubstr("\"rounds\": 8")));
}

TEST_F(StudyTest, RefusesAFolderOfAnotherStudyAndAChangedStrategy) {
  { const Study study(settings(), place("s"), ""); }
  const auto message = [&](const StudySettings& given) -> std::string {
    try {
      const Study study(given, place("s"), "");
    } catch (const ExperimentError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(message(settings()), "");
  EXPECT_THAT(message(settings("seed = 2\n")), HasSubstr("seed = 1, not 2"));
  test::write_text(place("s") / "strategies/peaceful.toml", "changed");
  EXPECT_THAT(message(settings()), HasSubstr("was changed since the study was begun"));
  fs::remove(place("s") / "strategies/peaceful.toml");
  EXPECT_EQ(message(settings()), "") << "restored";
}

TEST_F(StudyTest, CellsDrawOpeningsFromTheNetThatARunHadThen) {
  StudySettings drawn = settings("openings = \"policy:4,net=runs/x\"\n");
  const auto openings_of = [&] {
    return tournament_of(drawn, cells_of(drawn).front(), "s").openings;
  };
  EXPECT_EQ(openings_of(), "policy:4,temperature=1,net=runs/x");
  drawn.opening_origins = {{"runs/x/nets/000100.pt", "0123456789abcdef"}};
  EXPECT_EQ(openings_of(), "policy:4,temperature=1,net=runs/x/nets/000100.pt");
}

TEST_F(StudyTest, ResultsHaveScoresDecisionsAndBehaviour) {
  Study study(settings(), place("s"), "");
  play(study);
  const StudyResults results = study_results(place("s"));
  ASSERT_EQ(results.comparisons.size(), 2U);
  EXPECT_TRUE(results.notices.empty());
  for (const Comparison& one : results.comparisons) {
    EXPECT_EQ(one.decision, SequentialDecision::FirstBetter) << "plain play";
    EXPECT_GT(one.score_interval.low, 0.5);
    EXPECT_GT(one.mean_score(), one.score_interval.low);
    EXPECT_EQ(2 * (one.pairs[0] + one.pairs[1] + one.pairs[2] + one.pairs[3] + one.pairs[4]),
              one.games());
    EXPECT_EQ(one.behaviour[0].games, one.games());
    const auto& habits = results.names[one.cell].habits;
    ASSERT_EQ(habits.front().name, "captures");
    EXPECT_GT(total(one.behaviour[0].habits.front().done), one.games());
    const auto share = [&](std::size_t side) {
      const HabitCounts& captures = one.behaviour.at(side).habits.front();
      return static_cast<double>(total(captures.done)) /
             static_cast<double>(total(captures.possible));
    };
    EXPECT_LT(share(1), share(0) / 2) << "only where nothing else is legal";
    EXPECT_EQ(habits.back().name, "takes a pawn");
    int games = 0;
    for (const auto& [ending, count] : one.endings)
      games += count;
    EXPECT_EQ(games, one.games());
  }
  EXPECT_EQ(results.decided(), 2);
  EXPECT_EQ(results.games(), study.finished_games());
  EXPECT_EQ(results.settings.arms[results.reference()].name, "plain");
  ASSERT_EQ(results.standings.size(), results.cells.size());
  for (std::size_t cell = 0; cell < results.cells.size(); ++cell) {
    const std::vector<Standing>& standings = results.standings[cell];
    ASSERT_EQ(standings.size(), 2U);
    const Comparison& only = results.comparisons[cell];
    EXPECT_EQ(standings[0].arm, results.reference());
    EXPECT_EQ(standings[0].score, only.score);
    EXPECT_EQ(standings[0].elo, 0);
    EXPECT_EQ(standings[1].score.wins, only.score.losses);
    EXPECT_LT(standings[1].elo_95.low, standings[1].elo);
    EXPECT_LT(standings[1].elo, -100) << "plain play";
  }
  const Document document = study_document(results);
  const auto comparison = test::rows_in(document, "Comparisons")[0];
  EXPECT_THAT(comparison[0], HasSubstr("gardner, material, "));
  EXPECT_EQ(comparison[1], "plain against peaceful");
  EXPECT_EQ(comparison.back(), "better");
  EXPECT_THAT(test::fact_in(document, "Figures", "Comparisons"), HasSubstr("2 of 2 decided"));
  const std::string cell = results.cells[0].name;
  const auto standings = test::rows_in(document, "Elo: " + cell);
  EXPECT_EQ(standings[0][1], "0");
  EXPECT_EQ(standings[1][0], "peaceful");
  EXPECT_EQ(test::rows_in(document, "What they did: " + cell)[0][0], "captures");
  EXPECT_THAT(test::section_of(document, cell).note, HasSubstr("White scores"));
  const auto& matrix = std::get<Matrix>(test::section_of(document, cell).content);
  EXPECT_EQ(matrix.cells[0][1].note.text, "better");
  EXPECT_EQ(matrix.cells[1][0].note.text, "worse");
}

TEST_F(StudyTest, ReferenceIsTheFirstPlainArmOrElseTheFirst) {
  StudyResults results;
  results.settings.arms = {{.name = "a", .strategy = "x"}, {.name = "b"}, {.name = "c"}};
  EXPECT_EQ(results.reference(), 1U);
  results.settings.arms = {{.name = "a", .strategy = "x"}, {.name = "b", .strategy = "y"}};
  EXPECT_EQ(results.reference(), 0U);
}

TEST_F(StudyTest, LooksThatAreNotCompleteDoNotCount) {
  Study study(settings(), place("s"), "");
  play(study);
  const int games = study_results(place("s")).comparisons[1].games();
  const fs::path file = games_of(place("s"), study.cells()[1]) / "games.pgn";
  const std::string text = test::read_text(file);
  test::write_text(file, text.substr(0, text.rfind("[Event ")));
  EXPECT_EQ(study_results(place("s")).comparisons[1].games(), games - 10);
  test::write_text(file, text.substr(0, text.find("[Event ", 1)));
  const StudyResults results = study_results(place("s"));
  EXPECT_EQ(results.comparisons[1].games(), 0);
  EXPECT_THAT(study_document(results).notices,
              testing::ElementsAre(results.cells[1].name + ": no comparison has been tested yet."));
}

TEST_F(StudyTest, CanBeReadWithoutItsGamesAndWithDamagedOnes) {
  Study study(settings(), place("s"), "");
  EXPECT_EQ(study_results(place("s")).games(), 0);
  const fs::path file = games_of(place("s"), study.cells()[0]) / "games.pgn";
  std::ofstream(file, std::ios::app) << "[Event \"e\"]\n[Round \"1.1.1\"]\n[Variant \"gardner\"]\n"
                                        "[White \"plain\"]\n[Black \"peaceful\"]\n"
                                        "[Result \"1-0\"]\n\n1. e9 1-0\n\n";
  const StudyResults results = study_results(place("s"));
  EXPECT_EQ(results.games(), 0);
  EXPECT_EQ(results.notices.size(), 1U);
}

TEST_F(StudyTest, SaysWhichGamesCannotBeRead) {
  Study study(settings(), place("s"), "");
  play(study);
  const fs::path file = games_of(place("s"), study.cells()[0]) / "games.pgn";
  fs::remove(file);
  EXPECT_TRUE(study_results(place("s")).notices.empty()) << "none were played";
  fs::create_directory(file);
  const StudyResults results = study_results(place("s"));
  EXPECT_GT(results.games(), 0) << "of the other cell";
  EXPECT_THAT(results.notices,
              testing::ElementsAre(AllOf(HasSubstr(file.string()), HasSubstr("cannot be read"))));
}

TEST_F(StudyTest, OpeningsThatWouldRepeatGamesAreRefused) {
  const auto refusal = [&](const std::string& more) {
    try {
      check(settings(more));
    } catch (const ExperimentError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  std::string openings;
  for (const char* move : {"a2a3", "b2b3", "c2c3"})
    openings += std::string(move) + "\n";
  const std::string file = folder_.write("openings.txt", openings);
  EXPECT_THAT(refusal("openings = \"" + file + "\"\n"),
              AllOf(HasSubstr("at least 30 openings for 60 games"), HasSubstr("it has 3")));
  EXPECT_EQ(refusal("temperature = 0.5\nopenings = \"" + file + "\"\n"), "");
  EXPECT_THAT(refusal("openings = \"random:1\"\n"), HasSubstr("two plies or more"));
}

TEST_F(StudyTest, CanBeReadOnceTheFileOfItsOpeningsIsGone) {
  const std::string openings = folder_.write("openings.txt", "a2a3\nb2b3\nc2c3\nd2d3\ne2e3\n");
  StudySettings ten = settings("openings = \"" + openings + "\"\ntemperature = 1\n");
  ten.games = 10;
  Study study(ten, place("s"), "");
  play(study);
  const std::string text = document_text(study_document(study_results(place("s"))));
  fs::remove(openings);
  EXPECT_EQ(document_text(study_document(study_results(place("s")))), text);
  EXPECT_THROW(check(ten), OpeningError);
}

TEST_F(StudyTest, NetsThatWouldShareAFolderAreRefused) {
  StudySettings two = settings();
  two.nets.push_back(two.nets[0]);
  two.nets[1].variant = "gardner";
  try {
    check(two);
    ADD_FAILURE();
  } catch (const ExperimentError& error) {
    EXPECT_THAT(error.what(), HasSubstr("is given twice"));
  }
}

TEST(StudyNets, ThatShareTheirLevelsPlayAnyNumberOfThem) {
  StudySettings settings;
  settings.variants = {"inferno:levels=2", "inferno", "gardner"};
  settings.nets = {{.label = "own", .player = "a", .variant = "inferno"},
                   {.label = "every", .player = "b", .variant = "inferno", .shares_levels = true},
                   {.label = "all", .player = "material"}};
  settings.visits = {8};
  settings.arms = {{.name = "one"}, {.name = "two"}};
  std::vector<std::string> names;
  for (const StudyCell& cell : cells_of(settings))
    names.push_back(cell.name);
  const StudySettings again = StudySettings::from_json(to_json(settings), "study.json");
  EXPECT_TRUE(again.nets[1].shares_levels);
  EXPECT_NO_THROW(check_same(again, settings, "study.json"));
  EXPECT_THAT(names, testing::ElementsAre("inferno:levels=2, every, 8 visits",
                                          "inferno:levels=2, all, 8 visits",
                                          "inferno, own, 8 visits", "inferno, every, 8 visits",
                                          "inferno, all, 8 visits", "gardner, all, 8 visits"));
}

/// Versions that did not know that nets share levels played them in their own variant.
TEST(StudyNets, OfStudiesThatEarlierVersionsBeganAreTheSame) {
  StudySettings settings;
  settings.variants = {"inferno"};
  settings.nets = {{.label = "every", .player = "b", .variant = "inferno"}};
  settings.visits = {8};
  StudySettings given = settings;
  given.nets[0].shares_levels = true;
  EXPECT_NO_THROW(check_same(settings, given, "study.json"));
  settings.variants = given.variants = {"inferno:levels=2", "inferno"};
  EXPECT_THROW(check_same(settings, given, "study.json"), ExperimentError);
}

TEST(ShippedStudies, AreAllValid) {
  int studies = 0;
  for (const auto& entry : fs::directory_iterator(FAULTLINE_SOURCE_DIR "/configs/studies")) {
    StudySettings settings;
    EXPECT_NO_THROW(settings = read_study(entry.path())) << entry.path();
    EXPECT_GE(comparisons_of(settings), 1U) << entry.path();
    EXPECT_FALSE(settings.question.empty()) << entry.path();
    ++studies;
  }
  EXPECT_EQ(studies, 7);
}

}  // namespace
}  // namespace faultline
