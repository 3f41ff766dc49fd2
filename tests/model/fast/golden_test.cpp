// Fast networks whose parameters follow from a formula: the hashes of their files, and their
// scores. Where a hash changes, so has the format: files of earlier versions must still be read.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <ostream>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "model/fast/fast_encoder.h"
#include "model/fast/fast_file.h"
#include "model/fast/fast_trainer.h"
#include "rules/families.h"

namespace faultline {
namespace {

struct Golden {
  std::string variant, weights;
  std::vector<std::pair<std::string, int>> scores;  // by FEN, in centipawns
  friend std::ostream& operator<<(std::ostream& out, const Golden& golden) {
    return out << golden.variant;
  }
};

/// Multiples of 1/1024 between -1/4 and 1/4.
std::vector<float> parameters(std::size_t count) {
  std::vector<float> values(count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t mixed = static_cast<std::uint32_t>(i + 1) * 2'654'435'761U;
    values[i] = (static_cast<float>(mixed >> 23) - 256) / 1'024;
  }
  return values;
}

class GoldenFastNetwork : public testing::TestWithParam<Golden> {};

TEST_P(GoldenFastNetwork, HasTheSameFileAndScoresAsEver) {
  const Golden& golden = GetParam();
  with_family(parse_variant_name(golden.variant), [&]<class P>(std::type_identity<P>,
                                                               const typename P::Variant& variant) {
    const FastLayout layout = FastEncoder<P>::layout(variant);
    const std::size_t count = FastTrainer(layout, 1).parameters().size();
    const FastNetwork network = fast_network_of(layout, golden.variant, 3, parameters(count));
    EXPECT_EQ(fast_weights(network), golden.weights);
    const auto evaluation =
        FastEncoder<P>::evaluation(variant, std::make_shared<const FastNetwork>(network));
    for (const auto& [fen, score] : golden.scores)
      EXPECT_EQ(evaluation->evaluate(P::from_fen(variant, fen)), score) << fen;
  });
}

INSTANTIATE_TEST_SUITE_P(
    Of, GoldenFastNetwork,
    testing::Values(
        Golden{"chess",
               "dd6bfa172e8a3391",
               {{"rnbqkb2/pp1pppp1/2p4r/8/2B1n1Pp/N3PN2/PPPP1P1P/R1BQK2R w KQq - 0 7", 213},
                {"rnbq1bnr/pp1pkppp/4p3/8/1Pp5/P1P2NP1/3PPP1P/RNBQKB1R b KQ b3 0 5", -115},
                {"8/8/8/8/3k4/8/4K3/7Q b - - 0 1", 73}}},
        Golden{"escher",
               "1443c128af517a34",
               {{"brn1k2r/pp3ppp/4p2n/Pq1p4/1Pp5/4PPP1/R1PPB1Rb/1NK1N1BQ w - - 0 7", 6},
                {"8/8/2b2Q2/8/3K4/7k/1P1p3B/2q1q3 b - - 1 76", 94}}},
        Golden{"gardner",
               "8f87b58ab1dc1f00",
               {{"r3k/1pq1p/n1p1b/P1PPQ/R1B1K w - - 0 7", 75},
                {"1rbqk/Npp1p/P2p1/P1PPP/R1BQK b - - 0 4", 230}}},
        Golden{"inferno:levels=3",
               "54a37e0006bf900a",
               {{"rnbqkbnr/ppppp2p/6p1/8/7P/NP6/P2PPPP1/R1BQKBNR|rnbqkbnr/2p1pppp/pp4p1/8/P7/8/"
                 "PPP1P1PP/RNBQKBNR|rnbqkbnr/pppppp1p/8/3p2p1/8/2P3P1/PPPPPPPP/RNBQKBNR w "
                 "KQkq|KQkq|KQkq - 0 7",
                 -44},
                {"rnbqkbnr/ppppp2p/6p1/8/7P/NP6/P2PPPP1/R1BQKBNR|rnbqkbnr/2p1pppp/pp4p1/8/P7/8/"
                 "PPP1P1PP/RNBQKBNR b KQkq|KQkq - 0 40",
                 401}}},
        Golden{"shifting",
               "f2a2b8c8eefd7662",
               {{"rnbqkb1r/p1ppn1pp/1p**pp2/2**4/2PP1P2/NPBQ2P1/P1**P2P/1R**KBNR w Kkq - 0 7", 17},
                {"rnbq1bnr/ppppkppp/2**4/2**p3/2**1P2/2**1N2/PPPPP1PP/RNBQKB1R b KQ - 6 5", -1}}},
        Golden{
            "slanted",
            "a2522cd171092e0f",
            {{"u1rbqk1nru/cccc1ccbcc/5cc3/8/nC6/3C1C2/2U6C/1CCC1C1CC1/1RNBQKBNRU w KQk - 3 7", -97},
             {"r2bqkb3/n2c1nccr1/3c3cc1/ccCcc2u/5C1N/1CUC3C/5RK1U1/C1uCC1C2C/1RNBQ1B3 b - - 0 "
              "23",
              182}}},
        Golden{
            "earthquake:dx=3,aftershock=2",
            "94933e63b6404d91",
            {{"r2q1bnr/1ppkp1pp/p1n3B1/3p1p2/4PQP1/N6P/PPPP1P2/R1B1K1NR w KQ - 1 10 6,0/1,0/0", 27},
             {"rnbqkb1r/ppppp1pp/5n2/5pN1/P7/1P6/2PPPPPP/R1BQKBNR b KQ - 4 5 2,0/1,2/-1", 187}}}),
    [](const auto& golden) {
      return golden.param.variant.substr(0, golden.param.variant.find(':'));
    });

}  // namespace
}  // namespace faultline
