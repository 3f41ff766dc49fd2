// The page that plays without a server: its program against this one, and in a browser. Left out
// where the program for browsers is not built (scripts/setup --wasm && scripts/build wasm), which
// CI does not do.
#include "web/static_page.h"

#include <cstdlib>
#include <filesystem>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/checkpoint.h"
#include "model/inference/cpu_backend.h"
#include "play/game.h"
#include "report/report_json.h"
#include "rules/families.h"
#include "tests/app/run_program.h"
#include "tests/outsiders.h"

namespace faultline {
namespace {

namespace fs = std::filesystem;

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

const fs::path kSource = FAULTLINE_SOURCE_DIR;
const fs::path kWasm = kSource / "build/wasm/bin";
const fs::path kModules = kSource / "page/node_modules";
const fs::path kNet = kSource / "nets/escher.pt";

bool is_built() {
  return fs::exists(kWasm / "faultline.wasm");
}

TEST(StaticPage, IsOneFileOrHasItsFilesBesideIt) {
  const web::BrowserProgram program{.wasm = std::string("\0asm", 4), .script = "var program;"};
  const web::StaticPage page{.title = "a <b>", .open = "g=escher", .nets = {{"net.pt", "any"}}};
  const auto one = web::static_page(page, program, true);
  ASSERT_EQ(one.size(), 1U);
  EXPECT_EQ(one[0].first, "index.html");
  EXPECT_THAT(one[0].second,
              AllOf(HasSubstr("AGFzbQ=="), HasSubstr("YW55"), HasSubstr("var program;"),
                    HasSubstr("a \\u003cb>"), Not(HasSubstr("/*INSIDE*/"))));
  const auto several = web::static_page(page, program, false);
  ASSERT_EQ(several.size(), 3U);
  EXPECT_THAT(several[0].second, AllOf(HasSubstr("net.pt"), Not(HasSubstr("AGFzbQ=="))));
  EXPECT_EQ(several[1].first, "faultline.wasm");
  EXPECT_EQ(several[2].second, "any");
  const auto of_game = web::page_of_game("mine", "Mine", "name = 1");
  EXPECT_THAT(web::static_page(of_game, program, true)[0].second,
              AllOf(HasSubstr("mine.toml"), HasSubstr("name = 1"), HasSubstr("g=data:mine")));
}

TEST(WasmProgram, CountsAndEvaluatesAsThisOneDoes) {
  if (!is_built()) GTEST_SKIP() << "scripts/setup --wasm && scripts/build wasm";
  ReportJson expected = {{"perft", ReportJson::array()}, {"evaluations", ReportJson::array()}};
  std::vector<std::string> games = {"data:makruk", "data:crazyhouse", "data:shogi",
                                    "inferno:levels=3"};
  for (const FamilyInfo* family : all_families())
    games.emplace_back(family->name);
  for (const std::string& game : games)
    expected["perft"].push_back({game, 3, find_game(game).start()->perft(3)});

  BackendRegistry backends;
  register_cpu_backend(backends);
  const std::string variant = read_checkpoint_info(kNet).encoding.variant;
  const Game& game = find_game(variant);
  const auto evaluator = game.network_evaluator(load_backend(kNet, game.encoding(), backends));
  std::mt19937_64 rng(45);
  auto position = game.start();
  for (int i = 0; i < 40; ++i) {
    const std::vector<Move> moves = position->legal_moves();
    if (is_over(position->outcome()) || moves.empty()) {
      position = game.start();
      continue;
    }
    const auto alone = game.from_fen(position->fen());  // without repetitions
    const GamePosition* const one = alone.get();
    const RawEvaluation raw = evaluator->evaluate({&one, 1}).front();
    expected["evaluations"].push_back(
        {variant,
         position->fen(),
         {raw.value.win, raw.value.draw, raw.value.loss, raw.value.moves_left},
         raw.priors});
    position->play(moves[rng() % moves.size()]);
  }
  const TemporaryFolder folder;
  const std::string file = folder.write("expected.json", expected.dump());
  const fs::path log = folder.path() / "log";
  EXPECT_EQ(test::run("node " + test::in_quotes(kSource / "tests/web/wasm_check.mjs") + " " +
                          test::in_quotes(kWasm) + " " + test::in_quotes(kNet) + " " +
                          test::in_quotes(file),
                      log),
            0)
      << test::read_text(log);
}

TEST(StaticPageInABrowser, PlaysEveryFamilyFromADiskAndFromAServer) {
  if (!is_built()) GTEST_SKIP() << "scripts/setup --wasm && scripts/build wasm";
  if (!fs::exists("/usr/bin/chromium") || !fs::exists(kModules / "playwright-core"))
    GTEST_SKIP() << "scripts/setup --browser";
  const TemporaryFolder folder;
  const std::string file = (folder.path() / "page.html").string();
  const std::string beside = (folder.path() / "page").string();
  ProgramResult result =
      run_faultline({"export", kNet.string(), "--format", "page", "--single-file", "-o", file});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  result = run_faultline({"export", kNet.string(), "--format", "page", "-o", beside});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  // A page of a game file that nobody else has, without a network.
  const std::string mine = folder.write(
      "mine.toml",
      "format = 1\nname = \"mine\"\nbase = \"chess\"\n[rules]\ncapture_forced = true\n");
  const std::string game = (folder.path() / "game.html").string();
  result = run_faultline({"export", mine, "--format", "page", "--single-file", "-o", game});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const char* const pictures = std::getenv("FAULTLINE_PICTURES");
  const fs::path log = folder.path() / "log";
  EXPECT_EQ(test::run("node " + test::in_quotes(kSource / "tests/web/play_check.mjs") + " " +
                          test::in_quotes(kModules) + " /usr/bin/chromium " +
                          test::in_quotes(pictures != nullptr ? pictures : "-") + " " +
                          test::in_quotes(file) + " " + test::in_quotes(beside) + " " +
                          test::in_quotes(game),
                      log),
            0)
      << test::read_text(log);
}

TEST(ExportPage, SaysWhatItCannotDo) {
  const TemporaryFolder folder;
  const std::string out = (folder.path() / "out.pt").string();
  const ProgramResult result =
      run_faultline({"export", kNet.string(), "--format", "net", "--single-file", "-o", out});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("--single-file"));
}

}  // namespace
}  // namespace faultline
