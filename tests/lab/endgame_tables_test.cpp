// Exact endgames, against a mate solver that tries every move.
#include "lab/yardsticks/endgame_tables.h"

#include <array>
#include <cctype>
#include <optional>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "rules/families/gardner.h"
#include "tests/search/mate_solver.h"

namespace faultline {
namespace {

constexpr int kSide = 5;

std::optional<GardnerPosition> make(const EndgameTables<GardnerPosition>::Placement& pieces,
                                    Colour side) {
  static const auto& variant = GardnerPosition::variant(parse_variant_name("gardner"));
  static const GardnerPosition start = GardnerPosition::start(variant);
  std::array<std::string, kSide> rows;
  rows.fill(std::string(kSide, '1'));
  for (const auto& [square, piece] : pieces) {
    const std::string name = start.square_text(square);
    const char letter = "pnbrqk"[index(piece.type)];
    rows[static_cast<std::size_t>('5' - name[1])][static_cast<std::size_t>(name[0] - 'a')] =
        piece.colour == Colour::White ? static_cast<char>(std::toupper(letter)) : letter;
  }
  std::string fen;
  for (const std::string& row : rows) {
    if (!fen.empty()) fen += '/';
    int empty = 0;
    for (const char letter : row + '.') {
      empty += letter == '1';
      if (letter == '1') continue;
      if (empty > 0) fen += std::to_string(std::exchange(empty, 0));
      if (letter != '.') fen += letter;
    }
  }
  try {
    return GardnerPosition::from_fen(variant,
                                     fen + (side == Colour::White ? " w" : " b") + " - - 0 1");
  } catch (const FenError&) {
    return std::nullopt;
  }
}

constexpr Piece white(PieceType type) {
  return {type, Colour::White};
}
constexpr Piece black(PieceType type) {
  return {type, Colour::Black};
}

struct Counts {
  int won = 0, drawn = 0, lost = 0;
};

/// Compares short wins and every `step`-th other position with the solver.
Counts check(const EndgameTables<GardnerPosition>::Material& material, int plies, int step) {
  EndgameTables<GardnerPosition> tables(kSide * kSide, make);
  tables.add(material);
  Counts counts;
  int at = 0;
  tables.for_each(material, [&](const GardnerPosition& position, EndgameValue value) {
    ++(value > 0 ? counts.won : value < 0 ? counts.lost : counts.drawn);
    if (++at % step != 0) return;
    test::MateSolver solver;
    for (int n = 1; n <= plies; n += 2)
      EXPECT_EQ(solver.mates_within(position, n), value > 0 && value <= n) << position.fen();
    for (int n = 2; n <= plies; n += 2)
      EXPECT_EQ(solver.is_mated_within(position, n), value < 0 && -value - 1 <= n)
          << position.fen();
  });
  return counts;
}

TEST(EndgameTables, QueenAgainstKingOnGardnersBoard) {
  const Counts counts =
      check({white(PieceType::King), white(PieceType::Queen), black(PieceType::King)}, 5, 97);
  EXPECT_GT(counts.won, 0);
  EXPECT_GT(counts.lost, counts.drawn);
}

TEST(EndgameTables, PawnAgainstKingPromotesIntoOtherTables) {
  const Counts counts =
      check({white(PieceType::King), white(PieceType::Pawn), black(PieceType::King)}, 5, 97);
  EXPECT_GT(counts.won, 0);
  EXPECT_GT(counts.drawn, 0);
}

}  // namespace
}  // namespace faultline
