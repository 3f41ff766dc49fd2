// Start positions without some of the pieces.
#include "selfplay/odds_start.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "rules/variant.h"
#include "tests/families.h"

namespace faultline {
namespace {

/// The board's letters, each with its number.
std::map<char, int> pieces_of(const std::string& fen) {
  std::map<char, int> pieces;
  for (const char c : fen.substr(0, fen.find(' ')))
    if (std::isalpha(static_cast<unsigned char>(c)) != 0) ++pieces[c];
  return pieces;
}

TEST(WithoutSomePieces, KeepsKingsAndEverythingThatIsNoPiece) {
  std::mt19937_64 rng(1);
  std::set<std::string> positions;
  for (int i = 0; i < 200; ++i) {
    const std::string fen = without_some_pieces("r*3k2r~/12|2Kp/4 w KQkq|- - 0 1 1,0", rng);
    positions.insert(fen);
    const auto pieces = pieces_of(fen);
    EXPECT_EQ(pieces.at('k'), 1);
    EXPECT_EQ(pieces.at('K'), 1);
    EXPECT_TRUE(fen.ends_with("|- - 0 1 1,0")) << fen;
  }
  EXPECT_TRUE(positions.contains("r*3k2r~/12|2Kp/4 w KQkq|- - 0 1 1,0"));
  EXPECT_TRUE(positions.contains("r*3k2r~/12|2K1/4 w KQkq|- - 0 1 1,0"));
  EXPECT_TRUE(positions.contains("1*3k3~/12|2Kp/4 w -|- - 0 1 1,0"));
  EXPECT_EQ(positions.size(), 8U) << "three pieces, each present or missing";
}

template <class P>
class OddsStart : public testing::Test {};
TYPED_TEST_SUITE(OddsStart, test::EveryFamily);

TYPED_TEST(OddsStart, IsALegalPositionWithFewerPieces) {
  using P = TypeParam;
  const typename P::Variant& variant = P::variant({P::info().name, {}});
  const auto all = pieces_of(P::start(variant).fen());
  std::mt19937_64 rng(2);
  EXPECT_EQ(odds_start<P>(variant, 0, rng), "");
  int odds = 0, unequal = 0, without_queen = 0;
  for (int i = 0; i < 200; ++i) {
    const std::string fen = odds_start<P>(variant, 0.5, rng);
    if (fen.empty()) continue;
    ++odds;
    const P position = P::from_fen(variant, fen);
    EXPECT_FALSE(is_over(PositionHistory<P>(position).outcome()));
    int white = 0, black = 0;
    auto left = pieces_of(position.fen());
    for (const auto& [piece, count] : all) {
      EXPECT_LE(left[piece], count);
      (std::isupper(static_cast<unsigned char>(piece)) != 0 ? white : black) += left[piece];
    }
    EXPECT_EQ(left['k'], all.at('k'));
    EXPECT_EQ(left['K'], all.at('K'));
    unequal += white != black ? 1 : 0;
    without_queen += left['q'] < all.at('q') ? 1 : 0;
  }
  EXPECT_NEAR(odds, 100, 40);
  EXPECT_GT(unequal, odds / 2);
  EXPECT_GT(without_queen, odds / 10);
}

}  // namespace
}  // namespace faultline
