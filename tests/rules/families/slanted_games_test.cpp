// Random games of slanted against the reference rules, and seen in a mirror.
#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/rules/random_games.h"
#include "tests/rules/reference/slanted.h"

namespace faultline::test {
namespace {

/// "bc4" for "hi4": files mirrored. Works on whole move texts, too.
std::string mirrored_squares(const std::string& text, int width) {
  std::string result;
  std::string letters;
  for (const char c : text) {
    if (!reference::is_digit(c)) {
      letters += c;
      continue;
    }
    for (auto file = letters.rbegin(); file != letters.rend(); ++file)
      result += static_cast<char>('a' + width - 1 - (*file - 'a'));
    letters.clear();
    result += c;
  }
  return result + letters;  // a promotion's letter
}

/// Pieces and runs of empty squares in the opposite order; a run may have two digits.
std::string mirrored_row(const std::string& row) {
  std::vector<std::string> tokens;
  for (std::size_t i = 0; i < row.size(); ++i) {
    if (i > 0 && reference::is_digit(row[i]) && reference::is_digit(row[i - 1]))
      tokens.back() += row[i];
    else
      tokens.emplace_back(1, row[i]);
  }
  std::ranges::reverse(tokens);
  std::string mirrored;
  for (const std::string& token : tokens)
    mirrored += token;
  return mirrored;
}

struct SlantedGame {
  using Position = SlantedPosition;
  static constexpr bool kOneKingEach = true;
  static reference::SlantedState reference_state(const SlantedVariant& v, const std::string& fen) {
    return {reference::slanted_rules(v), fen};
  }
  /// The boards are the same seen in a mirror beside them; only castling knows left from right.
  static std::vector<Elsewhere<Position>> seen_from_elsewhere(const SlantedVariant& v,
                                                              const Position& p) {
    if (reference::split(p.fen(), ' ')[2] != "-") return {};
    const int width = v.board().grid().width;
    const auto turn_fen = [width](const std::string& fen) {
      auto fields = reference::split(fen, ' ');
      fields[0] = reference::change_parts(fields[0], '/', mirrored_row);
      fields[3] = mirrored_squares(fields[3], width);
      return reference::join(fields, ' ');
    };
    return {seen_elsewhere(v, p, turn_fen, [width](const std::string& text) {
      return mirrored_squares(text, width);
    })};
  }
};

TEST(SlantedGames, AgreeWithTheSlowRulesFromTheStart) {
  Random rng(20240901);
  Seen seen;
  for (const std::string& name : option_sets<SlantedPosition>())
    play_from_the_start<SlantedGame>(name, 1, 90, rng, seen);
  EXPECT_GT(seen.plies, 1500);
  EXPECT_GT(seen.castlings, 10);
  EXPECT_GT(seen.promotions, 150);
  EXPECT_GT(seen.elsewhere, 300);
}

TEST(SlantedGames, AgreeWithTheSlowRulesOnSparseBoards) {
  Random rng(20240902);
  Seen seen;
  for (const std::string& name : option_sets<SlantedPosition>())
    play_from_sparse_boards<SlantedGame>(name, 25, 8, rng, seen);
  EXPECT_GT(seen.plies, 3000);
  EXPECT_GT(seen.checks, 150);
  EXPECT_GT(seen.en_passant, 15);
  EXPECT_GT(seen.castlings, 200);
  EXPECT_GT(seen.promotions, 1500);
  EXPECT_GT(seen.elsewhere, 750);
}

}  // namespace
}  // namespace faultline::test
