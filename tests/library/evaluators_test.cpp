// faultline.h: evaluators. Networks are the golden checkpoints (tests/model/golden).
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/library/handles.h"
#include "tests/temporary_folder.h"

#ifdef FAULTLINE_ONEDNN
#include <omp.h>
#endif

namespace faultline {
namespace {

namespace fs = std::filesystem;

using test::builtin;
using test::EvaluatorHandle;
using test::from_fen;
using test::last_error;
using test::PositionHandle;
using test::start;
using test::variant;
using testing::AllOf;
using testing::HasSubstr;

const fs::path kGolden = fs::path(FAULTLINE_SOURCE_DIR) / "tests/model/golden";
const std::string kChess = (kGolden / "chess.pt").string();

EvaluatorHandle load(const std::string& path, const char* backend = "cpu",
                     const char* precision = "fp32") {
  EvaluatorHandle evaluator(faultline_evaluator_load(path.c_str(), nullptr, backend, precision));
  EXPECT_NE(evaluator, nullptr) << faultline_last_error();
  return evaluator;
}

std::vector<nlohmann::json> golden_lines(const std::string& game) {
  std::ifstream in(kGolden / (game + ".jsonl"));
  std::vector<nlohmann::json> lines;
  for (std::string line; std::getline(in, line);)
    if (auto json = nlohmann::json::parse(line); json["repetitions"] == 0) lines.push_back(json);
  return lines;
}

TEST(LibraryEvaluator, GivesANetworksGoldenOutputs) {
  for (const char* game : {"chess", "inferno"}) {
    const EvaluatorHandle evaluator = load((kGolden / (std::string(game) + ".pt")).string());
    EXPECT_EQ(faultline_evaluator_variant(evaluator.get()), variant(game));
    EXPECT_THAT(faultline_evaluator_description(evaluator.get()), HasSubstr("fp32"));
    std::vector<PositionHandle> positions;
    std::vector<const faultline_position*> batch;
    std::size_t moves = 0;
    const std::vector<nlohmann::json> lines = golden_lines(game);
    ASSERT_GT(lines.size(), 5U);
    for (const nlohmann::json& line : lines) {
      positions.push_back(from_fen(game, line["fen"]));
      batch.push_back(positions.back().get());
      moves += static_cast<std::size_t>(faultline_position_moves(positions.back().get()));
    }
    std::vector<faultline_evaluation> values(batch.size());
    std::vector<float> policy(moves);
    ASSERT_EQ(faultline_evaluator_evaluate(evaluator.get(), batch.data(), batch.size(),
                                           values.data(), policy.data(), policy.size()),
              FAULTLINE_OK)
        << last_error();
    const float* prior = policy.data();
    for (std::size_t i = 0; i < lines.size(); ++i) {
      EXPECT_NEAR(values[i].win, lines[i]["wdl"][0].get<float>(), 1e-5);
      EXPECT_NEAR(values[i].draw, lines[i]["wdl"][1].get<float>(), 1e-5);
      EXPECT_NEAR(values[i].loss, lines[i]["wdl"][2].get<float>(), 1e-5);
      EXPECT_NEAR(values[i].moves_left, lines[i]["moves_left"].get<float>(), 1e-2);
      for (int k = 0; k < faultline_position_moves(positions[i].get()); ++k)
        EXPECT_NEAR(*prior++,
                    lines[i]["priors"][faultline_position_move(positions[i].get(), k)].get<float>(),
                    1e-5);
    }
  }
}

TEST(LibraryEvaluator, LoadsARunsNewestNetwork) {
  const test::TemporaryFolder run;
  fs::create_directory(run.path() / "nets");
  run.write("nets/000007.pt", "not a network");
  fs::copy(kChess, run.path() / "nets/000012.pt");
  EXPECT_EQ(faultline_evaluator_variant(load(run.path().string()).get()), variant("chess"));
  fs::remove(run.path() / "nets/000012.pt");
  EXPECT_EQ(faultline_evaluator_load(run.path().c_str(), nullptr, nullptr, nullptr), nullptr);
  EXPECT_EQ(faultline_last_error_code(), FAULTLINE_ERROR_NETWORK);
  EXPECT_THAT(last_error(), HasSubstr("000007.pt"));
  fs::remove(run.path() / "nets/000007.pt");
  EXPECT_EQ(faultline_evaluator_load(run.path().c_str(), nullptr, nullptr, nullptr), nullptr);
  EXPECT_THAT(last_error(), HasSubstr("nets/000123.pt"));
}

TEST(LibraryEvaluator, RefusesNetworksOfOtherGames) {
  EXPECT_EQ(faultline_evaluator_load(kChess.c_str(), variant("gardner"), nullptr, nullptr),
            nullptr);
  EXPECT_EQ(faultline_last_error_code(), FAULTLINE_ERROR_NETWORK);
  EXPECT_THAT(last_error(), AllOf(HasSubstr("chess.pt"), HasSubstr("'gardner'")));
}

TEST(LibraryEvaluator, SaysWhatIsWrongWithItsArguments) {
  const auto refused = [](const char* path, const char* backend, const char* precision) {
    const EvaluatorHandle found(faultline_evaluator_load(path, nullptr, backend, precision));
    EXPECT_EQ(found, nullptr);
    return faultline_last_error_code();
  };
  EXPECT_EQ(refused("/absent", nullptr, nullptr), FAULTLINE_ERROR_NETWORK);
  EXPECT_THAT(last_error(), HasSubstr("/absent"));
  EXPECT_EQ(refused(nullptr, nullptr, nullptr), FAULTLINE_ERROR_ARGUMENT);
  EXPECT_EQ(refused(kChess.c_str(), "cpo", nullptr), FAULTLINE_ERROR_ARGUMENT);
  EXPECT_THAT(last_error(), HasSubstr("cpo"));
  EXPECT_EQ(refused(kChess.c_str(), nullptr, "fp23"), FAULTLINE_ERROR_ARGUMENT);
  EXPECT_THAT(last_error(), AllOf(HasSubstr("'fp23'"), HasSubstr("did you mean 'fp32'?")));
  EXPECT_EQ(refused(kChess.c_str(), "cpu", "bf16"), FAULTLINE_ERROR_ARGUMENT);

  EXPECT_EQ(faultline_evaluator_builtin(variant("chess"), "stockfish"), nullptr);
  EXPECT_THAT(last_error(), HasSubstr("uniform, material"));
  EXPECT_EQ(faultline_evaluator_builtin(nullptr, "uniform"), nullptr);
  EXPECT_EQ(faultline_evaluator_description(nullptr), nullptr);
  faultline_evaluator_free(nullptr);
}

TEST(LibraryEvaluator, CountsMaterialWithoutANetwork) {
  const EvaluatorHandle uniform = builtin("chess", "uniform"),
                        material = builtin("chess", "material");
  const PositionHandle queen_up = from_fen("chess", "4k3/8/8/8/8/8/8/3QK3 w - - 0 1");
  const faultline_position* const batch[] = {queen_up.get(), queen_up.get()};
  faultline_evaluation values[2];
  ASSERT_EQ(faultline_evaluator_evaluate(material.get(), batch, 2, values, nullptr, 0),
            FAULTLINE_OK);
  EXPECT_GT(values[1].win, values[1].loss);
  ASSERT_EQ(faultline_evaluator_evaluate(uniform.get(), batch, 1, values, nullptr, 0),
            FAULTLINE_OK);
  EXPECT_EQ(values[0].draw, 1.0F);
  EXPECT_EQ(faultline_evaluator_evaluate(uniform.get(), nullptr, 0, nullptr, nullptr, 0),
            FAULTLINE_OK);
}

TEST(LibraryEvaluator, RefusesBatchesThatItCannotEvaluate) {
  const EvaluatorHandle uniform = builtin("chess", "uniform");
  const PositionHandle good = start("chess"), other = start("gardner"),
                       mated = from_fen("chess", "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1");
  const auto evaluate = [&](const faultline_position* second, std::size_t policy_size) {
    const faultline_position* const batch[] = {good.get(), second};
    faultline_evaluation values[2] = {};
    std::vector<float> policy(40, -1);
    const int status =
        faultline_evaluator_evaluate(uniform.get(), batch, 2, values, policy.data(), policy_size);
    EXPECT_EQ(values[0].draw, status == FAULTLINE_OK ? 1.0F : 0.0F);
    EXPECT_EQ(policy[0], status == FAULTLINE_OK ? 0.05F : -1);
    return status;
  };
  EXPECT_EQ(evaluate(good.get(), 40), FAULTLINE_OK);
  EXPECT_EQ(evaluate(good.get(), 39), FAULTLINE_ERROR_ARGUMENT);
  EXPECT_THAT(last_error(), HasSubstr("40 floats"));
  EXPECT_EQ(evaluate(mated.get(), 40), FAULTLINE_ERROR_GAME_OVER);
  EXPECT_THAT(last_error(), HasSubstr("positions[1]"));
  EXPECT_EQ(evaluate(other.get(), 40), FAULTLINE_ERROR_VARIANT);
  EXPECT_THAT(last_error(), AllOf(HasSubstr("'gardner'"), HasSubstr("'chess'")));
  EXPECT_EQ(evaluate(nullptr, 40), FAULTLINE_ERROR_ARGUMENT);
}

TEST(LibraryEvaluator, IsSharedByThreads) {
  const EvaluatorHandle evaluator = load(kChess, nullptr, nullptr);
  const auto evaluate = [&] {
    const PositionHandle position = start("chess");
    const faultline_position* const batch[] = {position.get()};
    faultline_evaluation value{};
    for (int i = 0; i < 20; ++i)
      EXPECT_EQ(faultline_evaluator_evaluate(evaluator.get(), batch, 1, &value, nullptr, 0),
                FAULTLINE_OK);
    EXPECT_NEAR(value.win, 0.3177, 0.02);
  };
  std::thread other(evaluate);
  evaluate();
  other.join();
}

#ifdef FAULTLINE_ONEDNN
TEST(LibraryEvaluator, LeavesTheNumberOfOpenMpThreads) {
  omp_set_num_threads(3);
  const EvaluatorHandle evaluator = load(kChess, "onednn", "fp32");
  const PositionHandle position = start("chess");
  const faultline_position* const batch[] = {position.get()};
  faultline_evaluation value{};
  EXPECT_EQ(faultline_evaluator_evaluate(evaluator.get(), batch, 1, &value, nullptr, 0),
            FAULTLINE_OK);
  EXPECT_EQ(omp_get_max_threads(), 3);
  omp_set_num_threads(1);
}
#endif

}  // namespace
}  // namespace faultline
