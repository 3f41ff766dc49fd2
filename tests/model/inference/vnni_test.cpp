// The backend "cpu" in int8 against the same in fp32: every board, from several threads.
#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/processor_features.h"
#include "model/calibration.h"
#include "model/checkpoint.h"
#include "model/inference/aligned_floats.h"
#include "model/inference/convolution.h"
#include "model/inference/network_evaluator.h"
#include "model/inference/vnni_backend.h"
#include "model/inference/vnni_kernels.h"
#include "model/inference/vnni_network.h"
#include "tests/families.h"
#include "tests/model/golden.h"
#include "tests/model/inference/backend_checks.h"
#include "tests/model/inference/networks.h"

namespace faultline {
namespace {

using test::Distance;
using test::distance;
using test::encoding_of;
using test::eval_batch;
using test::net_of;

const BackendOptions kInt8 = {.device = "cpu", .precision = Precision::Int8, .backend = "cpu"};

bool runs() {
  return cpu_backends().find("cpu").attributes(kInt8).has_value();
}

TEST(VnniBackend, IsThereWhereTheProcessorHasTheInstructions) {
#ifdef __x86_64__
  EXPECT_EQ(runs(), this_processor().avx512 && this_processor().avx512_vnni);
#else
  EXPECT_FALSE(runs());
#endif
  EXPECT_EQ(has_vnni_backend(), runs());
}

template <class P>
class VnniOnTheBoardOf : public testing::Test {
 protected:
  void SetUp() override {
    if (!runs()) GTEST_SKIP() << "this processor has no AVX-512 with VNNI";
  }
};
TYPED_TEST_SUITE(VnniOnTheBoardOf, test::EveryFamily);

TYPED_TEST(VnniOnTheBoardOf, IsCloseToTheKernelsInFp32) {
  using P = TypeParam;
  // One, two, three and four vectors of channels, with padding and without.
  for (const int se_ratio : {0, 4})
    for (const int channels : {12, 32, 44, 64}) {
      const auto values = test::random_values(encoding_of<P>(), net_of(2, channels, se_ratio), 3);
      const Distance d = test::distance_from_the_kernels<P>(values, kInt8);
      const auto other = test::random_values(encoding_of<P>(), net_of(2, channels, se_ratio), 4);
      const Distance far = test::distance_of_networks<P>(values, other);
      EXPECT_LE(d.policy, 0.25 * far.policy) << channels << " channels, se_ratio " << se_ratio;
      EXPECT_LE(d.wdl, 0.25 * far.wdl) << channels << " channels, se_ratio " << se_ratio;
      EXPECT_LE(d.moves_left, 3);
      EXPECT_GT(d.policy, 0);  // it is another precision
    }
}

TYPED_TEST(VnniOnTheBoardOf, GivesAPositionTheSameBitsInBatchesOfEverySize) {
  using P = TypeParam;
  const auto samples = test::random_positions<P>(17, 2);
  const auto& variant = P::variant({P::info().name, {}});
  for (const int se_ratio : {0, 4}) {
    const auto values = test::random_values(encoding_of<P>(), net_of(2, 32, se_ratio), 1);
    test::expect_equal_bits_alone<P>(variant, cpu_backends().create(values, kInt8), samples);
  }
}

class Vnni : public VnniOnTheBoardOf<ChessPosition> {
 protected:
  static const ChessPosition::Variant& chess() { return ChessPosition::variant({"chess", {}}); }
  static std::shared_ptr<Backend> backend() {
    return cpu_backends().create(
        test::random_values(encoding_of<ChessPosition>(), net_of(2, 32), 1), kInt8);
  }
};

template <Position P>
void expect_trained_network_agrees(const std::string& family) {
  const auto answers = test::golden_answers(family);
  const auto& variant = P::variant({family, {}});
  auto expected = test::golden_batch<P>(answers), given = test::golden_batch<P>(answers);
  const auto load = [&](const BackendOptions& options) {
    return load_backend(test::golden_file(family + ".pt"), encoding_of<P>(), cpu_backends(),
                        options);
  };
  NetworkEvaluator<P>(variant, load({.backend = "cpu"})).evaluate(expected);
  NetworkEvaluator<P>(variant, load(kInt8)).evaluate(given);
  const Distance d = distance(expected, given);
  EXPECT_LE(d.policy, 0.01) << family;
  EXPECT_LE(d.wdl, 0.01) << family;
  EXPECT_LE(d.moves_left, 1) << family;
}

TEST_F(Vnni, AnswersAsTheTrainingNetworkDid) {
  expect_trained_network_agrees<ChessPosition>("chess");
  expect_trained_network_agrees<InfernoPosition>("inferno");
}

/// Of so many channels that four positions are computed together.
TEST_F(Vnni, ComputesPositionsOfALargeNetworkTogether) {
  const auto values = test::random_values(encoding_of<ChessPosition>(), net_of(2, 128, 8), 3);
  const Distance d = test::distance_from_the_kernels<ChessPosition>(values, kInt8, 10);
  EXPECT_LE(d.policy, 0.06);
  EXPECT_LE(d.wdl, 0.06);
  FoldedNetwork network = fold(values);
  network.ranges = calibrate(network, random_game_planes(network.encoding, kCalibrationPositions));
  EXPECT_EQ(VnniNetwork(network, *vnni_kernels(), false).group(), 4U);

  test::expect_equal_bits_alone<ChessPosition>(chess(), cpu_backends().create(values, kInt8),
                                               test::random_positions<ChessPosition>(6, 2));
}

TEST_F(Vnni, ServesSeveralThreadsAtOnce) {
  test::expect_it_serves_threads(chess(), backend());
}

/// What the stem keeps of planes with many equal cells must follow them: these change in value, in
/// their cells, and to other values among them.
TEST_F(Vnni, TheStemIsAConvolution) {
  constexpr std::size_t kHeight = 5, kWidth = 7, kPlanes = 3, kChannels = 32;
  constexpr std::size_t kCells = kHeight * kWidth;
  const Canvas canvas{kHeight, kWidth, kChannels};
  const auto value = [](std::size_t i) { return static_cast<float>(i * 13 % 31) / 16 - 1; };
  AlignedFloats weight(kPlanes * 9 * kChannels), bias(kChannels), y(canvas.floats());
  for (std::size_t i = 0; i < kPlanes * 9 * kChannels; ++i)
    weight.data()[i] = value(i);
  for (std::size_t c = 0; c < kChannels; ++c)
    bias.data()[c] = value(5 * c);
  std::vector<std::uint16_t> kept_cells(kPlanes * vnni_stem_words(kCells));
  AlignedFloats kept_sums(kPlanes * canvas.floats());
  std::vector<std::int32_t> chosen(kPlanes);
  std::iota(chosen.begin(), chosen.end(), 0);
  for (std::size_t step = 0; step < 40; ++step) {
    std::vector<float> planes(kPlanes * kCells);
    for (std::size_t i = 0; i < planes.size(); ++i) {
      // One plane of few cells, one of equal ones that change every fourth step, one of all.
      const std::size_t cell = i % kCells, plane = i / kCells;
      if (plane == 0 && cell % 6 == step % 6) planes[i] = value(i);
      if (plane == 1 && (cell + step / 4) % 3 != 0)
        planes[i] = 0.25F * static_cast<float>(step % 4);
      if (plane == 2) planes[i] = step % 5 == 0 ? value(cell) : 0.5F;
    }
    vnni_kernels()->stem({.height = kHeight,
                          .width = kWidth,
                          .planes = kPlanes,
                          .channels = kChannels,
                          .x = planes.data(),
                          .chosen = chosen.data(),
                          .weight = weight.data(),
                          .bias = bias.data(),
                          .y = y.data(),
                          .kept_cells = kept_cells.data(),
                          .kept_sums = kept_sums.data()});
    for (std::size_t cell = 0; cell < kCells; ++cell)
      for (std::size_t c = 0; c < kChannels; ++c) {
        float expected = bias.data()[c];
        for (std::size_t plane = 0; plane < kPlanes; ++plane)
          for (std::size_t tap = 0; tap < 9; ++tap) {
            // Of the neighbour at (tap / 3 - 1, tap % 3 - 1), with weights turned by half a turn.
            const std::size_t row = cell / kWidth + tap / 3, column = cell % kWidth + tap % 3;
            if (row < 1 || row > kHeight || column < 1 || column > kWidth) continue;
            expected += planes[plane * kCells + (row - 1) * kWidth + column - 1] *
                        weight.data()[(plane * 9 + 8 - tap) * kChannels + c];
          }
        const std::size_t at =
            canvas.row_begin(cell / kWidth) + cell % kWidth * canvas.cell_stride() + c;
        ASSERT_NEAR(y.data()[at], expected, 1e-4) << "step " << step << ", cell " << cell;
      }
  }
}

/// Processors without AVX512_BF16 compute the heads in fp32.
TEST_F(Vnni, HeadsInEitherPrecisionAreProducts) {
  constexpr std::size_t kHeight = 3, kWidth = 11, kInputs = 32, kOutputs = 48;
  const Canvas canvas{kHeight, kWidth, kInputs};
  AlignedFloats x(canvas.floats()), weight(kOutputs * kInputs), bias(kOutputs);
  AlignedFloats y(kHeight * kWidth * kOutputs), rounded_y(kHeight * kWidth * kOutputs);
  std::vector<std::uint16_t> halves(kOutputs * kInputs), rounded(canvas.floats());
  // Multiples of 1/8 up to 2: exact in bf16.
  const auto value = [](std::size_t i) { return static_cast<float>(i * 7 % 33) / 8 - 2; };
  for (std::size_t i = 0; i < canvas.floats(); ++i)
    x.data()[i] = value(i);
  for (std::size_t o = 0; o < kOutputs; ++o) {
    bias.data()[o] = value(o);
    for (std::size_t i = 0; i < kInputs; ++i) {
      const float w = value(31 * o + i);
      weight.data()[(o / 16 * kInputs + i) * 16 + o % 16] = w;
      halves[((o / 16 * kInputs / 2 + i / 2) * 16 + o % 16) * 2 + i % 2] =
          static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(w) >> 16);
    }
  }
  const auto multiply = [&](const std::uint16_t* bf16_weight, float* to) {
    vnni_kernels()->heads({.height = kHeight,
                           .width = kWidth,
                           .inputs = kInputs,
                           .outputs = kOutputs,
                           .x = x.data(),
                           .weight = weight.data(),
                           .bf16_weight = bf16_weight,
                           .rounded = rounded.data(),
                           .bias = bias.data(),
                           .y = to});
  };
  multiply(nullptr, y.data());
  const bool bf16 = this_processor().avx512_bf16;
  if (bf16) multiply(halves.data(), rounded_y.data());
  for (std::size_t cell = 0; cell < kHeight * kWidth; ++cell)
    for (std::size_t o = 0; o < kOutputs; ++o) {
      float expected = value(o);
      const float* const from =
          x.data() + canvas.row_begin(cell / kWidth) + cell % kWidth * kInputs;
      for (std::size_t i = 0; i < kInputs; ++i)
        expected += from[i] * value(31 * o + i);
      ASSERT_EQ(y.data()[cell * kOutputs + o], expected) << cell << " " << o;
      if (bf16) {
        ASSERT_EQ(rounded_y.data()[cell * kOutputs + o], expected);
      }
    }
}

TEST_F(Vnni, PacksTheHeadsForEitherPrecision) {
  if (!this_processor().avx512_bf16) GTEST_SKIP() << "this processor does not compute in bf16";
  const auto samples = test::random_positions<InfernoPosition>(9, 6);
  FoldedNetwork network =
      fold(test::random_values(encoding_of<InfernoPosition>(), net_of(2, 44), 4));
  network.ranges = calibrate(network, random_game_planes(network.encoding, kCalibrationPositions));
  auto bf16 = eval_batch(samples), fp32 = eval_batch(samples);
  const auto& variant = InfernoPosition::variant({"inferno", {}});
  NetworkEvaluator<InfernoPosition>(variant, make_vnni_backend(network, true)).evaluate(bf16);
  NetworkEvaluator<InfernoPosition>(variant, make_vnni_backend(network, false)).evaluate(fp32);
  const Distance d = distance(bf16, fp32);
  EXPECT_LE(d.policy, 0.005);
  EXPECT_LE(d.wdl, 0.01);
  EXPECT_GT(d.policy, 0);
}

TEST_F(Vnni, RefusesABatchOfAnotherNetwork) {
  const auto first = backend(), second = backend();
  const auto batch = first->make_batch();
  batch->resize(0, 0);
  EXPECT_THROW(second->submit(*batch), std::invalid_argument);
}

TEST_F(Vnni, DescribesItselfForLogs) {
  EXPECT_EQ(backend()->attributes().name, "cpu");
  EXPECT_EQ(backend()->attributes().precision, Precision::Int8);
  EXPECT_EQ(backend()->describe().find("cpu int8, avx512_vnni, 2x32"), 0U);
}

TEST_F(Vnni, NeedsAsManyRangesAsTheNetworkHasActivations) {
  FoldedNetwork network = fold(test::random_values(encoding_of<ChessPosition>(), net_of(2, 16), 1));
  EXPECT_THROW(make_vnni_backend(network), std::invalid_argument);
  network.ranges = calibrate(network, random_game_planes(network.encoding, kCalibrationPositions));
  EXPECT_NO_THROW(make_vnni_backend(network));
  network.ranges->values.pop_back();
  EXPECT_THROW(make_vnni_backend(network), std::invalid_argument);
}

}  // namespace
}  // namespace faultline
