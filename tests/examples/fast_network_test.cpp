// The examples that evaluate fast networks from the description in their file alone.
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "model/export/fast_export.h"
#include "model/export/safetensors.h"
#include "model/fast/fast_file.h"
#include "tests/examples/example_programs.h"
#include "tests/model/export/networks_to_export.h"

namespace faultline {
namespace {

namespace fs = std::filesystem;

using testing::AllOf;
using testing::HasSubstr;

const fs::path kExamples = fs::path(FAULTLINE_SOURCE_DIR) / "examples";
constexpr const char* kStart = "rnbqk/ppppp/5/PPPPP/RNBQK w - - 0 1";

TEST(FastNetworkExampleSource, IncludesNothingOfOursAndNamesNoFamily) {
  int files = 0;
  for (const fs::path& file : fs::directory_iterator(kExamples / "fast_network")) {
    if (file.extension() != ".c" && file.extension() != ".cpp" && file.extension() != ".h")
      continue;
    test::expect_no_include_of_ours("fast_network/" + file.filename().string());
    test::expect_no_family(file, test::families_to_export());
    ++files;
  }
  EXPECT_EQ(files, 8);
}

/// The language of the program.
class FastNetworkExample : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    if (GetParam() == "javascript") {
      if (test::run("node --version", "/dev/null") == 0) return;
      if (test::outsiders_are_required()) FAIL() << "node is required";
      GTEST_SKIP() << "node is not installed";
    }
    ASSERT_TRUE(fs::exists(FAULTLINE_FAST_NETWORK_EXAMPLE))
        << "not built: ctest -R fast_network_example does it first";
  }

  std::string file(const std::string& variant) const {
    return folder_.write("fast.safetensors",
                         write_fast_export(test::fast_network_to_export(variant)));
  }
  /// A file whose golden scores of all positions from `first` on are one more than they should be.
  std::string forged(std::size_t first) const {
    const FastNetwork network = test::fast_network_to_export("gardner");
    ExportMetadata metadata = read_safetensors(write_fast_export(network), "file").metadata;
    auto golden = nlohmann::json::parse(metadata.at("golden"));
    for (std::size_t i = first; i < golden.size(); ++i)
      golden[i]["score"] = golden[i]["score"].get<int>() + 1;
    metadata["golden"] = golden.dump();
    return folder_.write("forged", fast_network_file(network, metadata));
  }
  /// Runs the program; what it printed is in `out_`.
  int run_example(const std::vector<std::string>& arguments) {
    std::string program = test::in_quotes(FAULTLINE_FAST_NETWORK_EXAMPLE);
    if (GetParam() == "cpp") program += "_cpp";
    if (GetParam() == "javascript")
      program = "node " + test::in_quotes(kExamples / "javascript/run_fast.js");
    return test::run_example(program, arguments, out_);
  }

  test::TemporaryFolder folder_;
  std::string out_;
};

TEST_P(FastNetworkExample, GetsTheGoldenScoresOfEveryFamily) {
  std::vector<std::string> variants = test::families_to_export();
  for (const char* board :
       {"earthquake:dx=3,aftershock=2", "earthquake:every=2,axis=both", "slanted:board=mini",
        "slanted:board=standard", "data:crazyhouse", "data:inferno-makruk", "data:minishogi",
        "data:sliding-puzzle", "data:three-check"})
    variants.emplace_back(board);
  for (const std::string& variant : variants) {
    EXPECT_EQ(run_example({file(variant)}), 0) << variant << ": " << out_;
    EXPECT_THAT(out_, HasSubstr(" positions: good\n")) << variant;
  }
}

TEST_P(FastNetworkExample, EvaluatesAPosition) {
  const FastNetwork network = test::fast_network_to_export("gardner");
  const FastGolden golden = fast_golden_positions(network).back();
  EXPECT_EQ(run_example({file("gardner"), golden.fen}), 0) << out_;
  EXPECT_THAT(out_, testing::StartsWith(std::to_string(golden.score) + " centipawns for "));
}

TEST_P(FastNetworkExample, NamesThePositionsThatDiffer) {
  const FastGolden last = fast_golden_positions(test::fast_network_to_export("gardner")).back();
  EXPECT_EQ(run_example({forged(0)}), 1);
  EXPECT_THAT(
      out_, AllOf(HasSubstr(", expected "), HasSubstr("more\n"), HasSubstr("positions: not good")));
  const std::size_t count = fast_golden_positions(test::fast_network_to_export("gardner")).size();
  EXPECT_EQ(run_example({forged(count - 1)}), 1);
  EXPECT_THAT(out_, HasSubstr(last.fen + ": " + std::to_string(last.score) + ", expected " +
                              std::to_string(last.score + 1)));
}

TEST_P(FastNetworkExample, SaysWhatIsWrongWithItsInput) {
  const std::string good = file("gardner"), bytes = test::read_text(good);
  const FastNetwork network = test::fast_network_to_export("gardner");
  struct Fault {
    std::vector<std::string> arguments;
    std::string message;
  };
  for (const auto& [arguments, message] : std::vector<Fault>{
           {{}, "usage: "},
           {{good, kStart, "more"}, "usage: "},
           {{(folder_.path() / "absent").string()}, "absent"},
           {{folder_.write("text", "hello, this is no file of tensors")}, "no safetensors file"},
           {{folder_.write("cut", bytes.substr(0, bytes.size() - 8))}, "is cut off"},
           {{folder_.write("alone", fast_network_file(network))},
            "it is not an exported fast network"},
           {{good, "rnbqk/ppppp/5/PPPPP/RNBQK w"}, "fields"},
           {{good, "rnbqk/ppppp/5/PPPPP/RNBQK x - - 0 1"}, "side to move is"},
           {{good, "rnbqk/ppppp/6/PPPPP/RNBQK w - - 0 1"}, "squares"},
           {{good, "rnbqk/ppppp/PPPPP/RNBQK w - - 0 1"}, "4 rows"}}) {
    EXPECT_EQ(run_example(arguments), 2) << message;
    EXPECT_THAT(out_, AllOf(HasSubstr("error: "), HasSubstr(message)));
  }
}

INSTANTIATE_TEST_SUITE_P(In, FastNetworkExample, testing::Values("c", "cpp", "javascript"),
                         [](const auto& language) { return language.param; });

/// The program in C, which the sanitizers watch.
class FastNetworkExampleInC : public FastNetworkExample {
 protected:
  /// Expects the program to refuse the file with its name and this message.
  void expect_refused(const std::string& bytes, const std::string& message) {
    const std::string name = folder_.write("bad.safetensors", bytes);
    EXPECT_EQ(run_example({name}), 2) << message << ": " << out_;
    EXPECT_THAT(out_, AllOf(testing::StartsWith("error: "), HasSubstr(name + ": " + message)));
  }
  /// An exported network with one value of its metadata changed; without it for null.
  static std::string changed(const FastNetwork& network, const std::string& key,
                             const std::string& pointer, const nlohmann::json& value) {
    ExportMetadata metadata = read_safetensors(write_fast_export(network), "file").metadata;
    auto json = nlohmann::json::parse(metadata.at(key));
    const nlohmann::json::json_pointer place(pointer);
    if (value.is_null())
      json[place.parent_pointer()].erase(place.back());
    else
      json[place] = value;
    metadata[key] = json.dump();
    return fast_network_file(network, metadata);
  }
};

TEST_P(FastNetworkExampleInC, NamesTheFieldThatIsWrong) {
  struct Fault {
    std::string key, pointer;
    nlohmann::json value;
    std::string message;
  };
  const FastNetwork network = test::fast_network_to_export("earthquake:every=2,axis=both");
  for (const Fault& fault : std::vector<Fault>{
           {"evaluation", "/format", 2, "evaluation.format is not 1"},
           {"evaluation", "/hidden", 1'000,
            "evaluation.hidden is not a whole number from 1 to 256"},
           {"evaluation", "/scale", "much", "evaluation.scale is not a whole number"},
           {"evaluation", "/direct_divisor", 0, "evaluation.direct_divisor is not a whole number"},
           {"evaluation", "/hidden_divisor", 1.5,
            "evaluation.hidden_divisor is not a whole number"},
           {"evaluation", "/inputs", 1, "evaluation.inputs is not a list"},
           {"evaluation", "/inputs/1/first", 5, "evaluation.inputs[1].first is not "},
           {"evaluation", "/inputs/1/size", 0, "evaluation.inputs[1].size is not "},
           {"evaluation", "/inputs/2/source", nullptr, "evaluation.inputs[2] has no 'source'"},
           {"evaluation", "/inputs/2/source/term", "dragon",
            "evaluation.inputs[2].source.term is 'dragon'"},
           {"evaluation", "/inputs/2/source/letter", "x", "evaluation.inputs[2].source.letter is"},
           {"evaluation", "/inputs/2/source/side", "his", "evaluation.inputs[2].source.side is"},
           {"evaluation", "/inputs/12/most", 500, "evaluation.inputs[12].most is not "},
           {"evaluation", "/inputs/12/source/field", -1, "evaluation.inputs[12].source.field is"},
           {"encoding", "/squares", nullptr, "encoding has no 'squares'"},
           {"encoding", "/squares/3/cell/white", 100'000, "encoding.squares[3].cell.white is not"},
           {"encoding", "/squares/3/exists", nlohmann::json::object(),
            "encoding.squares[3].exists has no 'levels'"},
           {"encoding", "/fen_rows/0/1/2", 64, "encoding.fen_rows[0][1][2] is not a whole"},
           {"encoding", "/fen_rows/0/1", nlohmann::json::array(),
            "encoding.fen_rows[0][1] is empty"},
           {"encoding", "/moved_cells/number", nlohmann::json::array(),
            "encoding.moved_cells.number is not one number"},
           {"encoding", "/moved_cells/tables/0/value", 7,
            "encoding.moved_cells.tables[0].value is"},
           {"encoding",
            "/moved_cells/tables/0/black",
            {1, 2},
            "encoding.moved_cells.tables[0].black has 2 cells"},
           {"golden", "/0/score", "none", "golden[0].score is not a whole number"},
           {"golden", "/0/fen", 1, "golden[0].fen is not a text"}})
    expect_refused(changed(network, fault.key, fault.pointer, fault.value), fault.message);
}

TEST_P(FastNetworkExampleInC, NamesTheTensorThatIsWrong) {
  const FastNetwork good = test::fast_network_to_export("gardner");
  const ExportMetadata metadata = read_safetensors(write_fast_export(good), "file").metadata;
  FastNetwork network = good;
  network.direct.pop_back();
  expect_refused(fast_network_file(network, metadata), "header.direct.data_offsets are not those");
  network = good;
  network.second.push_back(1);
  expect_refused(fast_network_file(network, metadata), "header.second.data_offsets are not those");
  std::string bytes = write_fast_export(good);
  bytes.replace(bytes.find("I16"), 3, "I17");
  expect_refused(bytes, "header.");
  EXPECT_THAT(out_, HasSubstr(".dtype is I17, not I16"));
  bytes = write_fast_export(good);
  bytes.replace(bytes.find("\"output\""), 8, "\"outpat\"");
  expect_refused(bytes, "header has no 'output'");
}

TEST_P(FastNetworkExampleInC, RefusesTruncatedFiles) {
  const std::string whole = test::read_text(file("gardner"));
  std::uint64_t header = 0;
  std::memcpy(&header, whole.data(), sizeof header);
  for (std::size_t size = 0; size < whole.size(); size += 1 + whole.size() / 17)
    expect_refused(whole.substr(0, size), size < header ? "it is no safetensors file" : "header.");
  expect_refused(whole.substr(0, whole.size() - 1), "header.");
  std::string deep = std::string(8, '\0') + std::string(100'000, '[');
  header = 100'000;
  std::memcpy(deep.data(), &header, sizeof header);
  expect_refused(deep, "header is no JSON from byte 32 on");
}

/// Whatever a damaged file says, the program ends by itself, without a complaint of the sanitizers.
TEST_P(FastNetworkExampleInC, SurvivesDamagedFiles) {
  const std::string good = test::read_text(file("earthquake:every=2,axis=both"));
  std::uint64_t header = 0;
  std::memcpy(&header, good.data(), sizeof header);
  std::mt19937_64 rng(1);
  for (int i = 0; i < 60; ++i) {
    std::string bytes = good;
    for (int changes = i % 4; changes >= 0; --changes)
      bytes[8 + rng() % header] = "0123456789-\"\\{}[],:\x80"[rng() % 20];
    run_example({folder_.write("damaged", bytes)});
    EXPECT_THAT(out_, testing::AnyOf(HasSubstr("error: "), HasSubstr(" positions: "))) << i;
    EXPECT_THAT(out_, testing::Not(HasSubstr("Sanitizer"))) << i;
    EXPECT_THAT(out_, testing::Not(HasSubstr("runtime error"))) << i;
  }
}

TEST_P(FastNetworkExampleInC, SaysWhatIsWrongWithAFen) {
  const std::string gardner = file("gardner");
  for (const auto& [fen, message] : std::vector<std::pair<std::string, std::string>>{
           {"", "it has 0 fields"},
           {"rnbqk/ppppp/5/PPPPP/RNBQX w - - 0 1", "the game has no piece 'X'"},
           {"rnbqk/ppppp/5/PPPPP/RNBQ+K w - - 0 1", "the game has no piece '+K'"},
           {"rnbqk/ppppp/5/PPPPP/RNBQ\xc3 w - - 0 1", "it has a byte that is no letter"},
           {"rnbqk/ppppp/5/PPPPP/RNBQK| w - - 0 1", "it has more than 1 levels"},
           {"rnbqk/ppppp/5+/PPPPP/RNBQK w - - 0 1", "the row '5+' has not 5 squares"},
           {"rnbqk/ppppp/99999999999/PPPPP/RNBQK w - - 0 1",
            "the row '99999999999' has not 5 squares"}}) {
    EXPECT_EQ(run_example({gardner, fen}), 2) << fen << ": " << out_;
    EXPECT_THAT(out_, HasSubstr("error: FEN '" + fen + "': " + message));
  }
  const std::string earthquake = file("earthquake:dx=3,aftershock=2");
  const std::string start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ";
  EXPECT_EQ(run_example({earthquake, start + "x,0"}), 2);
  EXPECT_THAT(out_, HasSubstr("field 6 is 'x,0', not a list of numbers"));
  EXPECT_EQ(run_example({earthquake, start + "70,0"}), 2);
  EXPECT_THAT(out_, HasSubstr("the encoding has no cells for such a board"));
}

INSTANTIATE_TEST_SUITE_P(In, FastNetworkExampleInC, testing::Values("c"),
                         [](const auto& language) { return language.param; });

}  // namespace
}  // namespace faultline
