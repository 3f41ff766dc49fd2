// faultline.h: searches.
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/library/handles.h"
#include "tests/temporary_folder.h"

namespace faultline {
namespace {

using test::builtin;
using test::EvaluatorHandle;
using test::from_fen;
using test::last_error;
using test::play;
using test::PositionHandle;
using test::search_with;
using test::SearchHandle;
using test::start;
using test::variant;
using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

faultline_limits limits_of(std::uint64_t visits, std::uint32_t lines = 1) {
  faultline_limits limits = FAULTLINE_LIMITS_INIT;
  limits.visits = visits;
  limits.lines = lines;
  return limits;
}

faultline_report report_of(const SearchHandle& search) {
  faultline_report report = FAULTLINE_REPORT_INIT;
  EXPECT_EQ(faultline_search_report(search.get(), &report), FAULTLINE_OK) << last_error();
  return report;
}

faultline_line line_of(const SearchHandle& search, std::uint32_t index) {
  faultline_line line = FAULTLINE_LINE_INIT;
  EXPECT_EQ(faultline_search_line(search.get(), index, &line), FAULTLINE_OK) << last_error();
  return line;
}

constexpr const char* kMateInOne = "6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1";

TEST(LibrarySearch, FindsAndProvesAMate) {
  const SearchHandle search = search_with(builtin("chess", "uniform"));
  const PositionHandle position = from_fen("chess", kMateInOne);
  const faultline_limits limits = limits_of(300);
  ASSERT_EQ(faultline_search_run(search.get(), position.get(), &limits), FAULTLINE_OK);
  const faultline_report report = report_of(search);
  EXPECT_STREQ(report.best_move, "a1a8");
  EXPECT_EQ(report.mate_plies, 1);
  EXPECT_EQ(report.value.win, 1.0F);
  const faultline_line line = line_of(search, 0);
  EXPECT_STREQ(line.move, "a1a8");
  EXPECT_STREQ(line.variation, "a1a8");
  EXPECT_EQ(line.mate_plies, 1);
}

TEST(LibrarySearch, ReportsEveryMoveAsALine) {
  const SearchHandle search = search_with(builtin("escher", "material"));
  const PositionHandle position = start("escher");
  const faultline_limits limits = limits_of(500, 1000);
  ASSERT_EQ(faultline_search_run(search.get(), position.get(), &limits), FAULTLINE_OK);
  const faultline_report report = report_of(search);
  EXPECT_EQ(report.visits, 500U);
  EXPECT_EQ(report.tree_visits, 500U);
  EXPECT_GT(report.depth, 1);
  EXPECT_GE(report.selective_depth, report.depth);
  ASSERT_EQ(report.lines, static_cast<std::uint32_t>(faultline_position_moves(position.get())));
  std::uint64_t visits = 0;
  std::uint32_t most = 500;
  float priors = 0;
  for (std::uint32_t i = 0; i < report.lines; ++i) {
    const faultline_line line = line_of(search, i);
    EXPECT_THAT(line.variation, StartsWith(line.move));
    EXPECT_GE(faultline_position_find_move(position.get(), line.move), 0);
    EXPECT_LE(line.visits, most);
    most = line.visits;
    visits += line.visits;
    priors += line.prior;
  }
  EXPECT_EQ(visits, 499U) << "the first visit evaluates the root";
  EXPECT_NEAR(priors, 1, 0.02);
  faultline_line line = FAULTLINE_LINE_INIT;
  EXPECT_EQ(faultline_search_line(search.get(), report.lines, &line), FAULTLINE_ERROR_ARGUMENT);
  EXPECT_THAT(last_error(), HasSubstr("there is no line"));
}

TEST(LibrarySearch, IsRepeatableAndReusesWhatItFound) {
  const EvaluatorHandle evaluator = builtin("gardner", "material");
  const SearchHandle one = search_with(evaluator), two = search_with(evaluator);
  const PositionHandle position = start("gardner");
  const faultline_limits limits = limits_of(400);
  ASSERT_EQ(faultline_search_run(one.get(), position.get(), &limits), FAULTLINE_OK);
  ASSERT_EQ(faultline_search_run(two.get(), position.get(), &limits), FAULTLINE_OK);
  EXPECT_STREQ(line_of(one, 0).variation, line_of(two, 0).variation);
  EXPECT_EQ(report_of(one).value.win, report_of(two).value.win);

  play(position, {report_of(one).best_move});
  ASSERT_EQ(faultline_search_run(one.get(), position.get(), &limits), FAULTLINE_OK);
  EXPECT_EQ(report_of(one).visits, 400U);
  EXPECT_GT(report_of(one).tree_visits, 400U);
  ASSERT_EQ(faultline_search_clear(one.get()), FAULTLINE_OK);
  faultline_report none = FAULTLINE_REPORT_INIT;
  EXPECT_EQ(faultline_search_report(one.get(), &none), FAULTLINE_ERROR_ARGUMENT);
  ASSERT_EQ(faultline_search_run(one.get(), position.get(), &limits), FAULTLINE_OK);
  EXPECT_EQ(report_of(one).tree_visits, 400U);
}

TEST(LibrarySearch, ConsidersOnlyTheMovesAskedFor) {
  const SearchHandle search = search_with(builtin("chess", "uniform"));
  const PositionHandle position = from_fen("chess", kMateInOne);
  const char* moves[] = {"a1a7", "e1e2", "a1a7"};
  faultline_limits limits = limits_of(100, 10);
  limits.moves = moves;
  limits.move_count = 3;
  ASSERT_EQ(faultline_search_run(search.get(), position.get(), &limits), FAULTLINE_OK);
  EXPECT_EQ(report_of(search).lines, 2U);
  EXPECT_STRNE(report_of(search).best_move, "a1a8");
  moves[1] = "e1e5";
  EXPECT_EQ(faultline_search_run(search.get(), position.get(), &limits), FAULTLINE_ERROR_MOVE);
  EXPECT_THAT(last_error(), AllOf(HasSubstr("limits->moves[1]"), HasSubstr("'e1e5'")));
  limits.moves = nullptr;
  EXPECT_EQ(faultline_search_run(search.get(), position.get(), &limits), FAULTLINE_ERROR_ARGUMENT);
  limits = limits_of(10);
  limits.reserved = 1;
  EXPECT_EQ(faultline_search_run(search.get(), position.get(), &limits), FAULTLINE_ERROR_ARGUMENT);
}

TEST(LibrarySearch, EndsAtALimitOfTimeOrDepth) {
  const SearchHandle search = search_with(builtin("chess", "material"), 2);
  const PositionHandle position = start("chess");
  faultline_limits limits = FAULTLINE_LIMITS_INIT;
  limits.milliseconds = 20;
  ASSERT_EQ(faultline_search_run(search.get(), position.get(), &limits), FAULTLINE_OK);
  EXPECT_GE(report_of(search).seconds, 0.02);
  limits.milliseconds = 0;
  limits.depth = 2;
  ASSERT_EQ(faultline_search_run(search.get(), position.get(), &limits), FAULTLINE_OK);
  EXPECT_GE(report_of(search).depth, 2);
}

TEST(LibrarySearch, SearchesByAlphaBeta) {
  const SearchHandle search(faultline_search_new_alphabeta(variant("shifting"), 1));
  ASSERT_NE(search, nullptr) << last_error();
  EXPECT_STREQ(faultline_search_get(search.get(), "threads"), "1");
  EXPECT_EQ(faultline_search_set(search.get(), "threads", "0"), FAULTLINE_ERROR_ARGUMENT);
  EXPECT_EQ(faultline_search_set(search.get(), "cpuct", "2"), FAULTLINE_ERROR_ARGUMENT);
  ASSERT_EQ(faultline_search_set(search.get(), "threads", "2"), FAULTLINE_OK);
  EXPECT_STREQ(faultline_search_get(search.get(), "threads"), "2");
  const PositionHandle position = start("shifting");
  faultline_limits limits = FAULTLINE_LIMITS_INIT;
  limits.depth = 2;
  limits.lines = 3;
  ASSERT_EQ(faultline_search_run(search.get(), position.get(), &limits), FAULTLINE_OK);
  EXPECT_EQ(report_of(search).depth, 2);
  EXPECT_EQ(report_of(search).lines, 3U);
  EXPECT_GT(report_of(search).visits, 30U);
}

/// The file of a fast network that counts the mover's pieces, a point for a pawn and all others.
std::string piece_counter(const std::string& variant, int cells) {
  constexpr int kHidden = 32, kTypes = 6;
  const std::size_t inputs = 2 * kTypes * static_cast<std::size_t>(cells);
  nlohmann::json groups = nlohmann::json::array();
  for (const char* side : {"own ", "enemy "})
    for (const char* piece : {"pawn", "knight", "bishop", "rook", "queen", "king"})
      groups.push_back({{"name", std::string(side) + piece}, {"size", cells}, {"by_cell", true}});
  const nlohmann::json network = {
      {"format", 1},        {"layout", {{"family", variant}, {"levels", 1}, {"groups", groups}}},
      {"variant", variant}, {"steps", 1},
      {"scale", 256},       {"hidden", kHidden}};
  std::string data;
  nlohmann::json header = {{"__metadata__", {{"fast_network", network.dump()}}}};
  const auto add = [&](const char* name, const char* type, std::vector<std::size_t> shape,
                       std::size_t bytes) {
    header[name] = {
        {"dtype", type}, {"shape", shape}, {"data_offsets", {data.size(), data.size() + bytes}}};
    data.append(bytes, '\0');
  };
  add("direct", "I32", {inputs}, 4 * inputs);
  for (std::size_t i = 0; i < inputs / 2; ++i)
    data[4 * i + 1] = 12;  // 3,072 / 32 centipawns
  add("first", "I16", {inputs, kHidden}, 2 * kHidden * inputs);
  add("bias", "I16", {kHidden}, 2 * kHidden);
  add("second", "I16", {2, kHidden}, 4 * kHidden);
  add("output", "I32", {1}, 4);
  const std::string text = header.dump();
  std::string file(8, '\0');
  const std::uint64_t length = text.size();
  std::memcpy(file.data(), &length, sizeof length);
  return file + text + data;
}

TEST(LibrarySearch, SearchesWithAFastNetwork) {
  const test::TemporaryFolder folder;
  const std::string file = folder.write("fast.safetensors", piece_counter("gardner", 25));
  const SearchHandle search(faultline_search_new_fast(file.c_str(), nullptr, 1));
  ASSERT_NE(search, nullptr) << last_error();
  // White can take a bishop or a knight, which are worth the same to this network.
  const PositionHandle position = from_fen("gardner", "5/1b1n1/2P2/5/K3k w - - 0 1");
  faultline_limits limits = FAULTLINE_LIMITS_INIT;
  limits.depth = 1;
  limits.lines = 2;
  ASSERT_EQ(faultline_search_run(search.get(), position.get(), &limits), FAULTLINE_OK)
      << last_error();
  ASSERT_EQ(report_of(search).lines, 2U);
  EXPECT_THAT(line_of(search, 0).move, StartsWith("c3"));
  EXPECT_THAT(line_of(search, 1).move, StartsWith("c3"));
  EXPECT_NEAR(line_of(search, 0).value.win, line_of(search, 1).value.win, 0.05);

  EXPECT_EQ(faultline_search_new_fast(file.c_str(), variant("chess"), 1), nullptr);
  EXPECT_EQ(faultline_last_error_code(), FAULTLINE_ERROR_NETWORK) << last_error();
  EXPECT_EQ(faultline_search_new_fast("/no/such/file", nullptr, 1), nullptr);
  EXPECT_EQ(faultline_last_error_code(), FAULTLINE_ERROR_NETWORK);
  EXPECT_THAT(last_error(), HasSubstr("/no/such/file: there is no such file"));
  EXPECT_EQ(faultline_search_new_fast(nullptr, nullptr, 1), nullptr);
  EXPECT_EQ(faultline_search_new_fast(file.c_str(), nullptr, 100'000), nullptr);
  EXPECT_THAT(last_error(), HasSubstr("1 to 65536"));
}

TEST(LibrarySearch, IsStoppedByAnotherThread) {
  const SearchHandle search = search_with(builtin("chess", "material"));
  const PositionHandle position = start("chess");
  const faultline_limits unlimited = limits_of(0);
  for (int i = 0; i < 5; ++i) {
    ASSERT_EQ(faultline_search_start(search.get(), position.get(), &unlimited), FAULTLINE_OK);
    std::thread([&] { faultline_search_stop(search.get()); }).join();
    ASSERT_EQ(faultline_search_wait(search.get()), FAULTLINE_OK) << last_error();
    EXPECT_EQ(faultline_search_is_running(search.get()), 0);
    EXPECT_GE(report_of(search).tree_visits, 1U);
  }
}

TEST(LibrarySearch, OfAlphaBetaHasABestMoveHoweverSoonItIsStopped) {
  const SearchHandle search(faultline_search_new_alphabeta(variant("inferno"), 1));
  const PositionHandle position = start("inferno");
  const faultline_limits unlimited = limits_of(0, 4);
  ASSERT_EQ(faultline_search_start(search.get(), position.get(), &unlimited), FAULTLINE_OK);
  faultline_search_stop(search.get());
  ASSERT_EQ(faultline_search_wait(search.get()), FAULTLINE_OK) << last_error();
  EXPECT_GE(faultline_position_find_move(position.get(), report_of(search).best_move), 0);
}

TEST(LibrarySearch, OutlivesItsPositionAndItsEvaluator) {
  SearchHandle search;
  {
    const EvaluatorHandle evaluator = builtin("chess", "material");
    search = search_with(evaluator);
    const PositionHandle position = start("chess");
    const faultline_limits limits = limits_of(2000);
    ASSERT_EQ(faultline_search_start(search.get(), position.get(), &limits), FAULTLINE_OK);
  }
  ASSERT_EQ(faultline_search_wait(search.get()), FAULTLINE_OK);
  EXPECT_EQ(report_of(search).visits, 2000U);
}

TEST(LibrarySearch, MayBeFreedWhileItRuns) {
  const SearchHandle search = search_with(builtin("chess", "material"));
  const PositionHandle position = start("chess");
  const faultline_limits unlimited = limits_of(0);
  ASSERT_EQ(faultline_search_start(search.get(), position.get(), &unlimited), FAULTLINE_OK);
  EXPECT_EQ(faultline_search_is_running(search.get()), 1);
}

TEST(LibrarySearch, ShowsItsProgress) {
  struct Watcher {
    faultline_search* search;
    int calls = 0;
    std::string best = {};
  };
  const SearchHandle search = search_with(builtin("chess", "material"));
  Watcher watcher{.search = search.get()};
  const PositionHandle position = start("chess");
  faultline_limits limits = FAULTLINE_LIMITS_INIT;
  limits.context = &watcher;
  limits.progress = [](void* context) {
    Watcher& of = *static_cast<Watcher*>(context);
    faultline_report report = FAULTLINE_REPORT_INIT;
    EXPECT_EQ(faultline_search_report(of.search, &report), FAULTLINE_OK);
    of.best = report.best_move;
    if (++of.calls == 2) faultline_search_stop(of.search);
  };
  ASSERT_EQ(faultline_search_run(search.get(), position.get(), &limits), FAULTLINE_OK);
  EXPECT_GE(watcher.calls, 2);
  EXPECT_GE(faultline_position_find_move(position.get(), watcher.best.c_str()), 0);
}

TEST(LibrarySearch, RefusesWhatItCannotSearch) {
  const EvaluatorHandle evaluator = builtin("chess", "uniform");
  const SearchHandle search = search_with(evaluator);
  const PositionHandle position = start("chess"), other = start("gardner"),
                       over = from_fen("chess", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1");
  const faultline_limits limits = limits_of(10);
  EXPECT_EQ(faultline_search_run(search.get(), over.get(), &limits), FAULTLINE_ERROR_GAME_OVER);
  EXPECT_THAT(last_error(), HasSubstr("draw:stalemate"));
  EXPECT_EQ(faultline_search_run(search.get(), other.get(), &limits), FAULTLINE_ERROR_VARIANT);
  EXPECT_EQ(faultline_search_run(search.get(), nullptr, &limits), FAULTLINE_ERROR_ARGUMENT);
  EXPECT_EQ(faultline_search_run(search.get(), position.get(), nullptr), FAULTLINE_ERROR_ARGUMENT);
  EXPECT_EQ(faultline_search_run(nullptr, position.get(), &limits), FAULTLINE_ERROR_ARGUMENT);
  EXPECT_EQ(faultline_search_wait(search.get()), FAULTLINE_ERROR_ARGUMENT);
  EXPECT_THAT(last_error(), HasSubstr("no search was started"));
  faultline_report report = FAULTLINE_REPORT_INIT;
  EXPECT_EQ(faultline_search_report(search.get(), &report), FAULTLINE_ERROR_ARGUMENT);
  EXPECT_THAT(last_error(), HasSubstr("nothing was searched"));

  ASSERT_EQ(faultline_search_start(search.get(), position.get(), &limits), FAULTLINE_OK);
  EXPECT_EQ(faultline_search_run(search.get(), position.get(), &limits), FAULTLINE_ERROR_ARGUMENT);
  EXPECT_THAT(last_error(), HasSubstr("faultline_search_wait"));
  EXPECT_EQ(faultline_search_clear(search.get()), FAULTLINE_ERROR_ARGUMENT);
  EXPECT_EQ(faultline_search_wait(search.get()), FAULTLINE_OK);

  EXPECT_EQ(faultline_search_new(evaluator.get(), 0, 16), nullptr);
  EXPECT_THAT(last_error(), HasSubstr("1 to 512"));
  EXPECT_EQ(faultline_search_new(evaluator.get(), 1, 0), nullptr);
  EXPECT_EQ(faultline_search_new(nullptr, 1, 16), nullptr);
  EXPECT_EQ(faultline_search_new_alphabeta(variant("chess"), 100'000), nullptr);
  EXPECT_THAT(last_error(), HasSubstr("1 to 65536"));
  faultline_search_free(nullptr);
  faultline_search_stop(nullptr);
}

TEST(LibrarySearch, KnowsCallersOfOtherVersionsByTheSizesOfTheirStructures) {
  const SearchHandle search = search_with(builtin("chess", "uniform"));
  const PositionHandle position = start("chess");
  // A later header's: with one more field.
  struct Later {
    faultline_limits known = FAULTLINE_LIMITS_INIT;
    std::uint64_t more = 0;
  } later;
  later.known.size = sizeof later;
  later.known.visits = 10;
  EXPECT_EQ(faultline_search_run(search.get(), position.get(), &later.known), FAULTLINE_OK);
  later.more = 1;
  EXPECT_EQ(faultline_search_run(search.get(), position.get(), &later.known),
            FAULTLINE_ERROR_ARGUMENT);
  EXPECT_THAT(last_error(), HasSubstr("does not know"));
  later.known.size = 8;
  EXPECT_EQ(faultline_search_run(search.get(), position.get(), &later.known),
            FAULTLINE_ERROR_ARGUMENT);
  EXPECT_THAT(last_error(), HasSubstr("sizeof(faultline_limits)"));

  struct LaterReport {
    faultline_report known = FAULTLINE_REPORT_INIT;
    std::uint64_t more = 7;
  } report;
  report.known.size = sizeof report;
  EXPECT_EQ(faultline_search_report(search.get(), &report.known), FAULTLINE_OK);
  EXPECT_EQ(report.known.size, sizeof report);
  EXPECT_EQ(report.known.visits, 10U);
  EXPECT_EQ(report.more, 0U);
  report.known.size = 0;
  EXPECT_EQ(faultline_search_report(search.get(), &report.known), FAULTLINE_ERROR_ARGUMENT);
}

}  // namespace
}  // namespace faultline
