// Old checkpoints evaluate on the kernels alone as the LibTorch network that trained them did.
#include "tests/model/golden.h"

#include <gtest/gtest.h>

#include "model/checkpoint.h"
#include "model/inference/network_evaluator.h"

namespace faultline {
namespace {

template <Position P>
void expect_the_kernels_agree(const std::string& family) {
  const auto answers = test::golden_answers(family);
  const auto backend = load_backend(test::golden_file(family + ".pt"), test::encoding_of<P>(),
                                    cpu_backends(), {.backend = "cpu"});
  NetworkEvaluator<P> evaluator(P::variant({family, {}}), backend);
  auto batch = test::golden_batch<P>(answers);
  evaluator.evaluate(batch);
  test::expect_golden(batch, answers);
}

TEST(GoldenCheckpoint, WithSqueezeAndExcitationAnswersAsTheTrainingNetworkDid) {
  expect_the_kernels_agree<ChessPosition>("chess");
}
TEST(GoldenCheckpoint, WithSeveralLevelsPerCellAnswersAsTheTrainingNetworkDid) {
  expect_the_kernels_agree<InfernoPosition>("inferno");
}

}  // namespace
}  // namespace faultline
