// What `cmake --install` makes, and the examples in C, C++ and Python that use it.
#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/outsiders.h"
#include "tests/temporary_folder.h"

namespace faultline {
namespace {

namespace fs = std::filesystem;

using nlohmann::json;
using test::in_quotes;
using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

const fs::path kInstalled = FAULTLINE_INSTALLED;
const fs::path kPrefix = kInstalled / "prefix";
const fs::path kLibraries = kPrefix / FAULTLINE_LIBDIR;
const fs::path kHeaders = kPrefix / "include/faultline-0.1";
const fs::path kGolden = fs::path(FAULTLINE_SOURCE_DIR) / "tests/model/golden";

std::vector<fs::path> files_in(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.is_regular_file() && !entry.is_symlink()) files.push_back(entry.path());
  return files;
}

class InstalledPackage : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(fs::exists(kPrefix / "bin/faultline"))
        << "not installed: ctest -R InstalledPackage does it first";
  }
  /// Runs a command that should end with `code`; what it printed.
  std::string output_of(const std::string& command, int code = 0) const {
    const fs::path log = folder_.path() / "log";
    EXPECT_EQ(test::run(command, log), code) << command << "\n" << test::read_text(log);
    return test::read_text(log);
  }
  /// The JSON in the last line of what a command printed.
  json json_of(const std::string& command) const {
    std::string text = output_of(command);
    while (text.ends_with('\n'))
      text.pop_back();
    return json::parse(text.substr(text.rfind('\n') + 1), nullptr, /*allow_exceptions=*/false);
  }

  test::TemporaryFolder folder_;
};

TEST_F(InstalledPackage, HasAProgramThatRuns) {
  const std::string program = in_quotes(kPrefix / "bin/faultline");
  EXPECT_THAT(output_of(program + " version"), HasSubstr(FAULTLINE_PROJECT_VERSION));
  EXPECT_THAT(output_of(program + " perft gardner 3"), HasSubstr("506"));
  EXPECT_THAT(output_of(program + " train run.toml", 1), HasSubstr("faultline-net"));
}

TEST_F(InstalledPackage, HasEveryHeaderThatItsHeadersInclude) {
  const std::regex include("#include \"([^\"]*)\"");
  std::size_t includes = 0;
  for (const fs::path& file : files_in(kHeaders)) {
    const std::string text = test::read_text(file);
    for (std::sregex_iterator found(text.begin(), text.end(), include), end; found != end;
         ++found) {
      EXPECT_TRUE(fs::exists(kHeaders / (*found)[1].str())) << file << ": " << (*found)[1];
      ++includes;
    }
  }
  EXPECT_GT(includes, 100U);
}

TEST_F(InstalledPackage, NamesNoFolderOfTheBuild) {
  for (const fs::path& file : files_in(kPrefix)) {
    const std::string content = test::read_text(file);
    EXPECT_EQ(content.find(FAULTLINE_SOURCE_DIR "/"), std::string::npos) << file;
    EXPECT_EQ(content.find(FAULTLINE_BINARY_DIR), std::string::npos) << file;
  }
}

TEST_F(InstalledPackage, ExportsTheFunctionsOfItsHeaderAlone) {
  const auto names_in = [](const std::string& text, const std::regex& name) {
    std::set<std::string> names;
    for (std::sregex_iterator found(text.begin(), text.end(), name), end; found != end; ++found)
      names.insert((*found)[1]);
    return names;
  };
  const auto declared =
      names_in(test::read_text(kHeaders / "faultline.h"),
               std::regex("FAULTLINE_API [a-z0-9_ *]*[ *](faultline_[a-z_]+)\\("));
  const std::string symbols =
      output_of("nm --dynamic --defined-only " + in_quotes(kLibraries / "libfaultline.so.0"));
  EXPECT_EQ(names_in(symbols, std::regex("[0-9a-f]+ [A-Z] ([^ \n@]+)@")), declared);
  EXPECT_GT(declared.size(), 50U);
}

TEST_F(InstalledPackage, CompilesAProgramThatPkgConfigDescribes) {
  const fs::path program = folder_.path() / "play_itself";
  output_of("PKG_CONFIG_PATH=" + in_quotes(kLibraries / "pkgconfig") + " cc -std=c99 " +
            in_quotes(fs::path(FAULTLINE_SOURCE_DIR) / "examples/c/play_itself.c") +
            " $(PKG_CONFIG_PATH=" + in_quotes(kLibraries / "pkgconfig") +
            " pkg-config --cflags --libs faultline) -o " + in_quotes(program));
  EXPECT_THAT(output_of("LD_LIBRARY_PATH=" + in_quotes(kLibraries) + " " + in_quotes(program) +
                        " gardner uniform 10 1"),
              HasSubstr("gardner (faultline " FAULTLINE_PROJECT_VERSION ")"));
}

/// The examples search positions with the program's results.
class InstalledExamples : public InstalledPackage {
 protected:
  static std::string net(const std::string& name) {
    const fs::path file = kGolden / (name + ".pt");
    return in_quotes(fs::exists(file) ? file : fs::path(name));
  }
  std::string c_example(const std::string& arguments, int code = 0) const {
    return output_of(in_quotes(kInstalled / "c/play_itself") + " " + arguments, code);
  }
  std::string cpp_example(const std::string& arguments, int code = 0) const {
    return output_of(in_quotes(kInstalled / "engine_cpp/search_position") + " " + arguments, code);
  }
  static std::string python_example() {
    return "FAULTLINE_LIBRARY=" + in_quotes(kLibraries / "libfaultline.so.0") + " python3 " +
           in_quotes(fs::path(FAULTLINE_SOURCE_DIR) / "examples/python/analyse.py") + " ";
  }
  static bool has_python() { return test::run("python3 --version", "/dev/null") == 0; }

  /// Searched by 300 visits; `game` also names the network. The first line is the best.
  json lines_of_the_program(const std::string& game, const std::string& evaluator) const {
    return json_of(in_quotes(kPrefix / "bin/faultline") + " analyse startpos --variant " + game +
                   " --net " + net(evaluator) +
                   " --visits 300 --lines 3 --threads 1 --leaves 1 --json")["lines"];
  }
};

struct Searched {
  const char* game;
  const char* evaluator;
};
constexpr Searched kSearched[] = {
    {"chess", "chess"}, {"inferno", "inferno"}, {"escher", "material"}, {"shifting", "uniform"}};

std::string joined(const json& moves) {
  std::string text;
  for (const json& move : moves)
    text += " " + move.get<std::string>();
  return text;
}

TEST_F(InstalledExamples, InCSearchAsTheProgramDoes) {
  for (const auto& [game, evaluator] : kSearched) {
    const json lines = lines_of_the_program(game, evaluator);
    ASSERT_TRUE(lines.is_array()) << game;
    const std::string found = c_example(std::string(game) + " " + net(evaluator) + " 300 1");
    EXPECT_THAT(found, AllOf(HasSubstr("  1. " + lines[0]["move"].get<std::string>() + " "),
                             HasSubstr("visits 300, line" + joined(lines[0]["line"]) + "\n")))
        << game;
  }
}

TEST_F(InstalledExamples, InCppSearchAsTheProgramDoes) {
  for (const auto& [game, evaluator] : kSearched) {
    const std::string found = cpp_example(std::string(game) + " " + net(evaluator) + " 300");
    for (const json& line : lines_of_the_program(game, evaluator)) {
      std::smatch match;
      EXPECT_TRUE(
          std::regex_search(found, std::regex("\n *" + std::to_string(line["visits"].get<int>()) +
                                              " [-+.0-9]+ " + joined(line["line"]) + "\n")))
          << game << ": " << line << "\n"
          << found;
    }
  }
}

TEST_F(InstalledExamples, InCPlayAWholeGame) {
  const std::string found = c_example("gardner alphabeta 200");
  EXPECT_THAT(found, AllOf(HasSubstr("moves      7: a2a3"), HasSubstr("\n 10. "),
                           HasSubstr("\nresult     ")));
}

TEST_F(InstalledExamples, SayWhatIsWrong) {
  EXPECT_THAT(c_example("esher", 2), HasSubstr("did you mean 'escher'?"));
  EXPECT_THAT(c_example("escher " + net("chess"), 2), HasSubstr("does not fit the variant"));
  EXPECT_THAT(c_example("escher uniform many", 2), HasSubstr("VISITS 'many' is not a number"));
  EXPECT_THAT(cpp_example("chess", 2), HasSubstr("usage: "));
  EXPECT_THAT(cpp_example("chess uniform 10 'no FEN'", 2), HasSubstr("FEN field"));
}

class InstalledPythonExample : public InstalledExamples {
 protected:
  void SetUp() override {
    InstalledExamples::SetUp();
    if (has_python()) return;
    ASSERT_FALSE(test::outsiders_are_required()) << "there is no python3";
    GTEST_SKIP() << "there is no python3";
  }
};

TEST_F(InstalledPythonExample, SearchesAsTheProgramDoes) {
  for (const auto& [game, evaluator] : kSearched) {
    const json found = json_of(python_example() + game + " --net " + net(evaluator) +
                               " --visits 300 --lines 3 --json");
    const json expected = lines_of_the_program(game, evaluator);
    ASSERT_EQ(found["lines"].size(), 3U) << game;
    for (std::size_t i = 0; i < 3; ++i)
      for (const char* key : {"move", "visits", "line"})
        EXPECT_EQ(found["lines"][i][key], expected[i][key]) << game << " " << key;
    EXPECT_EQ(found["best"], expected[0]["move"]);
  }
}

TEST_F(InstalledPythonExample, ListsTheProgramsMoves) {
  const std::string position = "slanted --moves 'e2e4 d8d7'";
  const json expected =
      json_of(in_quotes(kPrefix / "bin/faultline") + " moves " + position + " --json");
  const json found = json_of(python_example() + position + " --visits 10 --json");
  auto moves = found["moves"].get<std::vector<std::string>>();
  std::ranges::sort(moves);
  EXPECT_EQ(json(moves), expected["moves"]);
  EXPECT_EQ(found["fen"], expected["fen"]);
  EXPECT_EQ(found["version"], FAULTLINE_PROJECT_VERSION);
}

TEST_F(InstalledPythonExample, EvaluatesGoldenPositions) {
  std::ifstream in(kGolden / "inferno.jsonl");
  int compared = 0;
  for (std::string text; std::getline(in, text) && compared < 3;) {
    const json line = json::parse(text);
    if (line["repetitions"] != 0) continue;
    const json found = json_of(python_example() + "inferno --net " + net("inferno") + " --fen '" +
                               line["fen"].get<std::string>() +
                               "' --visits 1 --backend cpu --precision fp32 --json")["evaluation"];
    EXPECT_NEAR(found["win"].get<double>(), line["wdl"][0].get<double>(), 1e-5);
    EXPECT_NEAR(found["loss"].get<double>(), line["wdl"][2].get<double>(), 1e-5);
    ASSERT_EQ(found["policy"].size(), line["priors"].size());
    for (const auto& [move, prior] : line["priors"].items())
      EXPECT_NEAR(found["policy"][move].get<double>(), prior.get<double>(), 1e-5);
    ++compared;
  }
  EXPECT_EQ(compared, 3);
}

TEST_F(InstalledPythonExample, KnowsFinishedGamesAndErrors) {
  EXPECT_THAT(output_of(python_example() + "chess --moves 'f2f3 e7e5 g2g4 d8h4'"),
              HasSubstr("the game is over: black"));
  EXPECT_THAT(output_of(python_example() + "chess --moves 'e2e5'", 1),
              StartsWith("error: 'e2e5' is not a legal move"));
}

}  // namespace
}  // namespace faultline
