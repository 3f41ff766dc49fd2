// The backend "cpu" in int8 against the same in fp32, on every board.
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

/// A network of so many channels that four positions are computed together.
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

/// Planes with few cells, many equal ones and others, more than fit into a word of bits, two of
/// them zeroes whatever the input holds.
void expect_the_stem_is_a_convolution(const Canvas& canvas) {
  constexpr std::size_t kPlanes = 37;
  const std::size_t height = canvas.height, width = canvas.width, channels = canvas.channels;
  const std::size_t cells = height * width;
  const auto value = [](std::size_t i) { return static_cast<float>(i * 13 % 31) / 16 - 1; };
  AlignedFloats weight(kPlanes * 9 * channels), bias(channels), y(canvas.floats());
  for (std::size_t i = 0; i < kPlanes * 9 * channels; ++i)
    weight.data()[i] = value(i);
  for (std::size_t c = 0; c < channels; ++c)
    bias.data()[c] = value(5 * c);
  // The nine places of a 3x3 board full of ones.
  AlignedFloats constant_weight(kPlanes * 9 * channels);
  for (std::size_t i = 0; i < kPlanes * 81; ++i) {
    const std::size_t plane = i / 81, place = i / 9 % 9, tap = i % 9;
    const std::size_t row = place / 3 + tap / 3, column = place % 3 + tap % 3;
    if (row < 1 || row > 3 || column < 1 || column > 3) continue;
    for (std::size_t c = 0; c < channels; ++c)
      constant_weight.data()[vnni_stem_weight_at(kPlanes, channels, plane, place, c)] +=
          weight.data()[vnni_stem_weight_at(kPlanes, channels, plane, 8 - tap, c)];
  }
  AlignedFloats offsets(9 * channels);
  constexpr float kOld = 1e6F;  // of another position
  std::fill_n(offsets.data(), 9 * channels, kOld);
  std::fill_n(y.data(), canvas.floats(), kOld);
  std::vector<float> planes(kPlanes * cells);
  for (std::size_t i = 0; i < planes.size(); ++i) {
    const std::size_t cell = i % cells, plane = i / cells;
    if (plane % 4 == 0 && cell % 6 == plane / 4 % 6) planes[i] = value(i);
    if (plane % 4 == 1 && (cell + plane) % 3 != 0) planes[i] = 1;
    if (plane % 4 == 2) planes[i] = 0.25F;
  }
  std::vector<std::int32_t> chosen(kPlanes);
  std::iota(chosen.rbegin(), chosen.rend(), 0);
  chosen[2] = chosen[34] = -1;
  std::vector<std::uint32_t> cell_planes(vnni_stem_words(kPlanes, cells), 7);
  vnni_kernels()->stem({.height = height,
                        .width = width,
                        .planes = kPlanes,
                        .channels = channels,
                        .x = planes.data(),
                        .chosen = chosen.data(),
                        .weight = weight.data(),
                        .constant_weight = constant_weight.data(),
                        .bias = bias.data(),
                        .y = y.data(),
                        .cell_planes = cell_planes.data(),
                        .offsets = offsets.data()});
  for (std::size_t cell = 0; cell < cells; ++cell)
    for (std::size_t c = 0; c < channels; ++c) {
      float expected = bias.data()[c];
      for (std::size_t plane = 0; plane < kPlanes; ++plane)
        for (std::size_t tap = 0; tap < 9 && chosen[plane] >= 0; ++tap) {
          // Of the neighbour at (tap / 3 - 1, tap % 3 - 1), with weights turned by half a turn.
          const std::size_t row = cell / width + tap / 3, column = cell % width + tap % 3;
          if (row < 1 || row > height || column < 1 || column > width) continue;
          const auto x = static_cast<std::size_t>(chosen[plane]) * cells;
          expected += planes[x + (row - 1) * width + column - 1] *
                      weight.data()[vnni_stem_weight_at(kPlanes, channels, plane, 8 - tap, c)];
        }
      const std::size_t at =
          canvas.row_begin(cell / width) + cell % width * canvas.cell_stride() + c;
      ASSERT_NEAR(y.data()[at], expected, 1e-3) << height << "x" << width << ", cell " << cell;
    }
  const auto kept = std::count(y.data(), y.data() + canvas.floats(), kOld);
  EXPECT_GE(kept, static_cast<std::ptrdiff_t>(((height + 2) * (width + 2) - cells) * channels))
      << "the border";
}

/// Widths of every remainder by three, odd and even numbers of vectors, single rows and columns.
TEST_F(Vnni, TheStemIsAConvolution) {
  for (const Canvas& canvas : {Canvas{5, 7, 32}, Canvas{8, 8, 48}, Canvas{1, 9, 16},
                               Canvas{6, 1, 32}, Canvas{2, 2, 80}, Canvas{7, 12, 16}})
    expect_the_stem_is_a_convolution(canvas);
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
