// The checkpoints in tests/model/golden and their networks' outputs for some positions.
#pragma once

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "search/evaluator.h"
#include "tests/model/inference/networks.h"

namespace faultline::test {

inline std::filesystem::path golden_file(const std::string& name) {
  return std::filesystem::path(FAULTLINE_SOURCE_DIR) / "tests/model/golden" / name;
}

/// The expected outputs of FAMILY.pt, one JSON object per position.
inline std::vector<nlohmann::json> golden_answers(const std::string& family) {
  std::ifstream in(golden_file(family + ".jsonl"));
  std::vector<nlohmann::json> answers;
  for (std::string line; std::getline(in, line);)
    answers.push_back(nlohmann::json::parse(line));
  return answers;
}

/// The positions of golden_answers.
template <Position P>
EvalBatch<P> golden_batch(const std::vector<nlohmann::json>& answers) {
  const VariantName name{P::info().name, {}};
  const auto& variant = P::variant(name);
  EvalBatch<P> batch;
  for (const auto& answer : answers) {
    const P position = P::from_fen(variant, answer.at("fen").template get<std::string>());
    typename P::MoveList moves;
    position.legal_moves(moves);
    batch.add(position, answer.at("repetitions").template get<int>(), {moves.begin(), moves.end()});
  }
  return batch;
}

/// Checks the batch's outputs against golden_answers; moves left, in plies, within 100 times the
/// tolerance of the probabilities.
template <Position P>
void expect_golden(const EvalBatch<P>& batch, const std::vector<nlohmann::json>& answers,
                   double tolerance = 1e-5) {
  ASSERT_GE(answers.size(), 10U);
  ASSERT_EQ(batch.size(), answers.size());
  for (std::size_t i = 0; i < answers.size(); ++i) {
    const auto wdl = answers[i].at("wdl").template get<std::vector<float>>();
    EXPECT_NEAR(batch.evaluation(i).win, wdl[0], tolerance);
    EXPECT_NEAR(batch.evaluation(i).draw, wdl[1], tolerance);
    EXPECT_NEAR(batch.evaluation(i).loss, wdl[2], tolerance);
    EXPECT_NEAR(batch.evaluation(i).moves_left, answers[i].at("moves_left").template get<float>(),
                100 * tolerance);
    const auto& priors = answers[i].at("priors");
    ASSERT_EQ(batch.moves(i).size(), priors.size()) << batch.position(i).fen();
    for (std::size_t m = 0; m < priors.size(); ++m) {
      const std::string move = batch.position(i).move_text(batch.moves(i)[m]);
      EXPECT_NEAR(batch.priors(i)[m], priors.at(move).template get<float>(), tolerance) << move;
    }
  }
}

}  // namespace faultline::test
