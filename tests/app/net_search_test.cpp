// A net is searched in the same way wherever it is and whatever plays with it.
#include <array>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/settings_text.h"
#include "engine/child_process.h"
#include "model/checkpoint_file.h"
#include "model/export/bundle_writer.h"
#include "model/export/onnx_export.h"
#include "search/tree_search_settings.h"
#include "tests/app/run_program.h"
#include "tests/library/handles.h"
#include "tests/outsiders.h"

namespace faultline {
namespace {

namespace fs = std::filesystem;

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

constexpr const char* kFen = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
constexpr const char* kVisits = "300";
constexpr const char* kNotice = "does not say how it is to be searched";

/// Settings of a player that are far from the defaults, and the defaults.
struct Setting {
  std::string name, own, usual;
};
const std::array<Setting, 4> kSettings = {{{"policy_temperature", "0.2", "1"},
                                           {"cpuct", "4", "1.75"},
                                           {"fpu_reduction", "1.5", "0.33"},
                                           {"cpuct_base", "100", "19652"}}};
std::string joined(std::string Setting::*values, const char* before, const char* between) {
  std::string text;
  for (const Setting& setting : kSettings)
    text += (text.empty() ? before : between) + setting.name + "=" + setting.*values;
  return text;
}
const std::string kOwn = joined(&Setting::own, "?", "&");
const std::string kUsual = joined(&Setting::usual, "?", "&");

/// The moves with their visits, the most visited first.
using Visits = std::vector<std::pair<std::string, int>>;

Visits visits_of(const json& found) {
  Visits visits;
  for (const json& line : found.at("lines"))
    visits.emplace_back(line.at("move"), line.at("visits"));
  return visits;
}
std::string moves_of(const json& line) {
  std::string text;
  for (const json& move : line.at("line"))
    text += " " + move.get<std::string>();
  return text;
}

/// The root's value in the comment of a recorded game.
std::string values_of(const json& found) {
  return fmt::format("w{:.4f} d{:.4f} l{:.4f}", found["win"].get<double>(),
                     found["draw"].get<double>(), found["loss"].get<double>());
}

/// What each way in finds.
ProgramResult run_analyse(const std::string& net) {
  return run_faultline({"analyse", kFen, "--net", net, "--visits", kVisits, "--leaves", "1",
                        "--threads", "1", "--lines", "0", "--json"});
}
json analysed(const std::string& net) {
  const ProgramResult result = run_analyse(net);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  return json::parse(result.out);
}
/// All that the engine says, up to its move.
std::string uci_output(const std::string& net) {
  ChildProcess engine({FAULTLINE_PROGRAM, "uci", "--net", net});
  const auto deadline = ChildProcess::Clock::now() + std::chrono::minutes(5);
  engine.write(fmt::format("uci\nsetoption name MultiPV value 256\nposition fen {}\ngo nodes {}\n",
                           kFen, kVisits),
               deadline);
  std::string output;
  for (std::string line; engine.read_line(line, deadline) == ChildProcess::Status::Ok;) {
    output += line + "\n";
    if (line.starts_with("bestmove")) break;
  }
  return output;
}
/// What the program says of its move.
std::string played(const std::string& net) {
  const std::string output = run_faultline({"play", net, "--fen", kFen, "--visits", kVisits}).out;
  const std::size_t at = output.find("The program plays ");
  return output.substr(at, output.find('\n', at) - at);
}
test::EvaluatorHandle loaded(const std::string& net) {
  return test::EvaluatorHandle(faultline_evaluator_load(net.c_str(), nullptr, nullptr, nullptr));
}
Visits searched(const test::SearchHandle& search) {
  faultline_limits limits = FAULTLINE_LIMITS_INIT;
  limits.visits = std::stoull(kVisits);
  limits.lines = 256;
  const test::PositionHandle position = test::from_fen("chess", kFen);
  EXPECT_EQ(faultline_search_run(search.get(), position.get(), &limits), FAULTLINE_OK);
  Visits visits;
  faultline_line line = FAULTLINE_LINE_INIT;
  for (std::uint32_t i = 0; faultline_search_line(search.get(), i, &line) == FAULTLINE_OK; ++i)
    visits.emplace_back(line.move, static_cast<int>(line.visits));
  return visits;
}

class NetSearchTest : public testing::Test {
 protected:
  NetSearchTest() {
    CheckpointFile file = CheckpointFile::read(kGolden);
    // What int8 depends on must go with the net, too.
    NetworkValues values = read_values(file, kGolden);
    const auto blocks = static_cast<std::size_t>(values.description.config.blocks);
    values.ranges = {std::vector<float>(ActivationRanges::count(blocks), 2.5F)};
    write_values(file, values);
    file.write(old_);
    TreeSearchSettings settings;
    for (const Setting& setting : kSettings)
      assign_setting(options(settings), setting.name + "=" + setting.own, "");
    file.header[kSearchKey] = to_json(settings);
    file.header[kSearchKey]["of_a_later_version"] = 1;
    fs::create_directories(run_ / "nets");
    file.write(net_);
    fs::copy_file(net_, copy_);
    // What is written there now is not what the net was saved with.
    test::write_text(run_ / "config.toml", "[search]\nmatch_policy_temperature = 9\n");
  }
  std::string bundle() const {
    return folder_.write("net.zip", write_bundle(read_export_source(copy_), {}, {{"run", nullptr}},
                                                 [](const auto&...) { return "none"; }));
  }
  std::string match_games(const std::string& net) const {
    const std::string opening = folder_.write("opening.txt", std::string(kFen) + "\n");
    const fs::path games = folder_.path() / "games.pgn";
    fs::remove(games);
    const ProgramResult result =
        run_faultline({"match", "chess", net, net, "--games", "2", "--visits", kVisits,
                       "--max-plies", "1", "--openings", opening, "--pgn", games.string()});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return test::read_text(games);
  }
  Visits python(const std::string& net, const std::string& options = "") const {
    const fs::path log = folder_.path() / "log";
    const fs::path program = FAULTLINE_SOURCE_DIR "/examples/python/analyse.py";
    const int code = test::run(
        fmt::format("FAULTLINE_LIBRARY={} python3 {} chess --net {} --fen '{}' --visits {} {} "
                    "--lines 256 --json",
                    FAULTLINE_LIBRARY, program.string(), test::in_quotes(net), kFen, kVisits,
                    options),
        log);
    EXPECT_EQ(code, 0) << test::read_text(log);
    return visits_of(json::parse(test::read_text(log)));
  }
  static bool has_python() {
    return test::outsiders_are_required() || test::run("python3 --version", "/dev/null") == 0;
  }

  static inline const std::string kGolden = FAULTLINE_SOURCE_DIR "/tests/model/golden/chess.pt";
  TemporaryFolder folder_;
  fs::path run_ = folder_.path() / "run";
  fs::path net_ = run_ / "nets/000100.pt";
  fs::path copy_ = folder_.path() / "copy.pt";
  std::string old_ = (folder_.path() / "old.pt").string();  // does not say how to search it
};

TEST_F(NetSearchTest, IsTheSameWhereverTheNetIsAndWhateverPlaysWithIt) {
  const json expected = analysed(old_ + kOwn);
  const Visits visits = visits_of(expected);
  ASSERT_NE(visits, visits_of(analysed(old_))) << "the settings have no effect";
  std::vector<std::string> nets = {run_.string(), net_.string(), copy_.string()};
  if (has_onnx()) nets.push_back(bundle());
  for (const std::string& net : nets) {
    EXPECT_EQ(visits_of(analysed(net)), visits) << net;
    EXPECT_EQ(searched(test::search_with(loaded(net))), visits) << net;
    if (has_python()) {
      EXPECT_EQ(python(net), visits) << net;
    }
    const std::string uci = uci_output(net);
    EXPECT_THAT(uci, HasSubstr("option name PolicyTemperature type string default 0.2\n")) << net;
    for (const json& line : expected["lines"])
      EXPECT_THAT(uci, HasSubstr(" pv" + moves_of(line) + "\n")) << net;
    EXPECT_EQ(played(net), played(old_ + kOwn)) << net;
    EXPECT_THAT(match_games(net), HasSubstr(values_of(expected))) << net;
  }
}

TEST_F(NetSearchTest, GivesWayToWhatIsSet) {
  const json expected = analysed(old_);
  const Visits usual = visits_of(expected);
  const std::string player = copy_.string() + kUsual;
  EXPECT_EQ(visits_of(analysed(player)), usual);
  EXPECT_THAT(uci_output(player), HasSubstr(" pv" + moves_of(expected["lines"][5]) + "\n"));
  EXPECT_EQ(played(player), played(old_));
  EXPECT_NE(played(player), played(copy_.string())) << "the settings have no effect";
  EXPECT_THAT(match_games(player), HasSubstr(values_of(expected)));
  if (has_python()) {
    EXPECT_EQ(python(copy_.string(), joined(&Setting::usual, "--set ", " --set ")), usual);
  }

  const test::SearchHandle search = test::search_with(loaded(copy_.string()));
  EXPECT_STREQ(faultline_search_get(search.get(), "cpuct"), "4");
  for (const Setting& setting : kSettings)
    EXPECT_EQ(faultline_search_set(search.get(), setting.name.c_str(), setting.usual.c_str()),
              FAULTLINE_OK);
  EXPECT_STREQ(faultline_search_get(search.get(), "cpuct"), "1.75");
  EXPECT_EQ(searched(search), usual);
}

TEST_F(NetSearchTest, IsTheDefaultWithANoticeWhereTheNetDoesNotSay) {
  EXPECT_THAT(run_analyse(old_).err, HasSubstr(kNotice));
  EXPECT_THAT(uci_output(old_), HasSubstr(kNotice));
  EXPECT_THAT(run_faultline({"play", old_}).err, HasSubstr(kNotice));
  EXPECT_THAT(faultline_evaluator_description(loaded(old_).get()), HasSubstr("default settings"));
  EXPECT_THAT(run_analyse(copy_.string()).err, Not(HasSubstr(kNotice)));
}

}  // namespace
}  // namespace faultline
