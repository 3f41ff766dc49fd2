// The game texts of chess are PGN, and so are gardner's as far as chess goes: Debian's pgn-extract,
// which plays every move by the rules of chess, reads them without a complaint.
#include <array>
#include <cctype>
#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/text.h"
#include "play/game.h"
#include "play/game_text.h"
#include "tests/outsiders.h"
#include "tests/temporary_folder.h"

namespace faultline {
namespace {

using testing::HasSubstr;
using testing::Not;

class PgnExtract : public testing::Test {
 protected:
  void SetUp() override {
    for (const char* path :
         {"/usr/games/pgn-extract", "/usr/bin/pgn-extract", "/usr/local/bin/pgn-extract"})
      if (std::filesystem::exists(path)) program_ = path;
    if (!program_.empty()) return;
    constexpr const char* kMissing = "there is no pgn-extract; Debian's package has the same name";
    if (test::outsiders_are_required()) FAIL() << kMissing;
    GTEST_SKIP() << kMissing;
  }

  /// What the program prints about the text, with the games that it read in front, as long
  /// algebraic moves.
  std::string extracted(const std::string& text) const {
    const std::string file = folder_.write("games.pgn", text);
    const std::string command = program_ + " -Wuci -w100000 --nocomments " + file + " 2>&1";
    FILE* const pipe = popen(command.c_str(), "r");
    std::string output;
    std::array<char, 4096> bytes{};
    for (std::size_t count = 0; (count = fread(bytes.data(), 1, bytes.size(), pipe)) > 0;)
      output.append(bytes.data(), count);
    EXPECT_EQ(pclose(pipe), 0) << output;
    return output;
  }

  std::string program_;
  test::TemporaryFolder folder_;
};

/// A random game; `until` ends it before a move.
template <class Until>
TextGame random_game(const std::string& variant, std::uint64_t seed, int plies, Until&& until) {
  std::mt19937_64 random(seed);
  const auto position = find_game(variant).start();
  TextGame game{.variant = variant, .white = "A \"B\" \\ C", .black = "D"};
  for (int ply = 0; ply < plies && !is_over(position->outcome()); ++ply) {
    const std::vector<Move> moves = position->legal_moves();
    const Move move = moves[random() % moves.size()];
    if (until(*position, move)) break;
    game.moves.push_back(position->move_text(move));
    game.comments.push_back({.value = Evaluation{.win = 0.25F, .draw = 0.5F, .loss = 0.25F},
                             .visits = 800,
                             .seconds = 0.125,
                             .text = ply % 5 == 0 ? "best was (something) else; see [there]" : "",
                             .glyph = ply % 7 == 0 ? 2 : 0});
    position->play(move);
  }
  game.result = result_of(position->outcome());
  return game;
}

/// The line that pgn-extract prints for a game's moves: promotions in capitals, and the result.
std::string as_printed(const TextGame& game) {
  std::string line;
  for (const std::string& move : game.moves) {
    line += move + " ";
    if (move.size() == 5) line[line.size() - 2] = static_cast<char>(std::toupper(move[4]));
  }
  return line + std::string(text(game.result));
}

/// All games were read, in this order, with these moves.
void expect_moves(const std::string& output, const std::vector<TextGame>& games) {
  std::istringstream lines(output);
  std::size_t found = 0;
  for (std::string line; std::getline(lines, line);)
    if (found < games.size() && line == as_printed(games[found])) ++found;
  EXPECT_EQ(found, games.size()) << output;
  EXPECT_THAT(output, HasSubstr(counted(games.size(), "game") + " matched out of " +
                                std::to_string(games.size())));
}

TEST_F(PgnExtract, ReadsGamesOfChess) {
  std::ostringstream text;
  std::vector<TextGame> games;
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    games.push_back(random_game("chess", seed, 300, [](auto&&...) { return false; }));
    write_game(text, games.back());
  }
  const std::string output = extracted(text.str());
  expect_moves(output, games);
  EXPECT_THAT(output, Not(HasSubstr("Line number")));  // of a complaint
}

TEST_F(PgnExtract, ReadsGamesOfChessThatBlackBegins) {
  std::ostringstream text;
  const TextGame game{.variant = "chess",
                      .start_fen = "r3k2r/1P6/8/8/5pP1/8/8/R3K2R b KQkq g3 0 33",
                      .moves = {"f4g3", "b7a8q", "e8f7", "e1c1", "g3g2", "h1h8", "g2g1n"}};
  write_game(text, game);
  expect_moves(extracted(text.str()), {game});
}

/// Gardner's board is a corner of the chess board and its moves up to White's first promotion are
/// moves of chess, with the same notation: lines between squares of the corner stay in it.
TEST_F(PgnExtract, ReadsGamesOfGardnerInACornerOfTheChessBoard) {
  std::ostringstream text;
  std::vector<TextGame> games;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    TextGame game = random_game("gardner", seed, 120, [](const GamePosition& position, Move move) {
      return move.kind() == MoveKind::Promotion && position.side_to_move() == Colour::White;
    });
    game.result = GameResult::None;  // a mate on one board need not be one on the other
    write_game(text, game);
    games.push_back(std::move(game));
  }
  const std::string corner =
      "[SetUp \"1\"]\n[FEN \"8/8/8/rnbqk3/ppppp3/8/PPPPP3/RNBQK3 w - - 0 1\"]\n";
  const std::string variant = "[Variant \"gardner\"]\n";
  std::string as_chess = text.str();
  for (std::size_t at = 0; (at = as_chess.find(variant, at)) != std::string::npos;)
    as_chess.replace(at, variant.size(), corner);
  expect_moves(extracted(as_chess), games);
}

}  // namespace
}  // namespace faultline
