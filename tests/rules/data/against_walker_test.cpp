// Positions of games from files against the walker: shipped games and random ones.
#include <algorithm>
#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <numeric>
#include <random>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "rules/fen.h"
#include "tests/rules/data/positions_of_files.h"
#include "tests/rules/data/random_games.h"
#include "tests/rules/data/walker.h"

namespace faultline::data {
namespace {

using test::game_file;
using test::kFolder;
using test::move_texts;
using test::position;

/// One game at random, position by position, against the walker: moves, what they lead to, check,
/// the end, and FEN. `positions`: counts what is compared.
template <class P>
void play_beside_walker(P p, const std::shared_ptr<const walker::Game>& rules,
                        std::mt19937_64& random, int plies, int& positions) {
  walker::State judge(rules, p.fen());
  for (int ply = 0; ply < plies; ++ply) {
    ASSERT_EQ(p.fen(), judge.fen());
    const auto expected = judge.moves();
    std::set<std::string> texts;
    for (const auto& [text, next] : expected)
      texts.insert(text);
    ASSERT_EQ(move_texts(p), texts) << p.fen();
    ASSERT_EQ(p.in_check(), judge.in_check()) << p.fen();
    ASSERT_EQ(p.key(), p.key_from_scratch()) << p.fen();
    ASSERT_EQ(position(p.game(), p.fen()).key(), p.key()) << p.fen();
    const Outcome outcome = p.outcome(!texts.empty());
    const walker::Outcome judged = judge.outcome();
    ASSERT_EQ(is_over(outcome), judged != walker::Outcome::None) << p.fen();
    ASSERT_EQ(outcome == Outcome::WhiteWins, judged == walker::Outcome::White) << p.fen();
    ASSERT_EQ(outcome == Outcome::BlackWins, judged == walker::Outcome::Black) << p.fen();
    if (is_over(outcome)) return;
    for (const auto& [text, judged_next] : expected) {
      auto next = p;
      next.play(*p.parse_move(text));
      ASSERT_EQ(next.fen(), judged_next.fen()) << p.fen() << " " << text;
      ASSERT_EQ(next.key(), next.key_from_scratch()) << p.fen() << " " << text;
      ++positions;
    }
    const auto chosen = std::next(expected.begin(), static_cast<long>(random() % expected.size()));
    p.play(*p.parse_move(chosen->first));
    judge = walker::State(chosen->second);
  }
}

/// The position after so many random moves, or before the game ends.
template <class P>
P after_random_moves(P p, std::mt19937_64& random, int plies) {
  for (; plies > 0; --plies) {
    typename P::MoveList moves;
    p.legal_moves(moves);
    P next = p;
    if (moves.empty()) return p;
    next.play(moves[random() % moves.size()]);
    if (is_over(next.outcome(next.count_legal_moves() > 0))) return p;
    p = next;
  }
  return p;
}

class GameOfFile : public testing::TestWithParam<std::string> {};

TEST_P(GameOfFile, IsPlayedAsTheWalkerPlaysIt) {
  std::ifstream in(kFolder + GetParam() + ".toml");
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  const auto rules = walker::parse_game(text, kFolder);  // whose bases are shipped games
  std::mt19937_64 random(44);
  with_tables(game_file(GetParam()), [&](const auto& game) {
    // The walker tries every move: it is slow where there are many squares.
    const auto squares = static_cast<int>(game.squares);
    const int plies = std::max(4, 250'000 / (squares * squares));
    const auto start = position(game, game.file().starts.front().fen);
    int positions = 0;
    for (int i = 0; i < 2 && !testing::Test::HasFatalFailure(); ++i)
      play_beside_walker(start, rules, random, plies, positions);
  });
}

/// The games of a folder that this program plays.
std::vector<std::string> games_in(const std::string& folder) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(kFolder + folder))
    if (entry.path().extension() == ".toml" && entry.path().stem() != "levels-explosions")
      names.push_back(folder + entry.path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

std::string test_name(const testing::TestParamInfo<std::string>& game) {
  std::string name = std::filesystem::path(game.param).stem().string();
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Shipped, GameOfFile, testing::ValuesIn(games_in("")), test_name);
/// Each says something that no shipped game says, or puts two things together.
INSTANTIATE_TEST_SUITE_P(Strange, GameOfFile,
                         testing::ValuesIn(games_in("../tests/rules/data/strange/")), test_name);

/// Other files, and all of them after a failure, with FAULTLINE_RANDOM_FILES="FIRST-END" in the
/// environment; each number is a file.
TEST(RandomGameFile, IsPlayedAsTheWalkerPlaysIt) {
  const char* const chosen = std::getenv("FAULTLINE_RANDOM_FILES");
  // Of those behind 100, what is rare: captures en passant that promote, voids behind hurdles, gaps
  // on a hopper's way.
  std::vector<std::uint64_t> files(100);
  std::iota(files.begin(), files.end(), std::uint64_t{0});
  files.insert(files.end(), {221, 472, 502, 916});
  if (chosen != nullptr) {
    std::uint64_t first = 0;
    std::uint64_t end = 0;
    ASSERT_EQ(std::sscanf(chosen, "%" SCNu64 "-%" SCNu64, &first, &end), 2) << chosen;
    ASSERT_LT(first, end) << chosen;
    files.resize(static_cast<std::size_t>(end - first));
    std::iota(files.begin(), files.end(), first);
  }
  std::uint64_t played = 0;
  int positions = 0;
  for (const std::uint64_t file : files) {
    if (chosen == nullptr && testing::Test::HasFatalFailure()) return;
    const std::string text = faultline::test::random_game_file(file);
    SCOPED_TRACE("file " + std::to_string(file) + ":\n" + text);
    const auto rules = walker::parse_game(text, kFolder);
    const LoadedGame loaded = load_game_text(text, "random.toml", {kFolder});
    ASSERT_TRUE(loaded.game) << loaded.errors();
    if (!limits_of_this_program(*loaded.game).empty()) continue;
    if (!walker::State::start(rules).is_sound()) {  // whoever is not to move is in check
      if (!loaded.game->board.levels.lost)
        with_tables(*loaded.game, [](const auto& game) {
          EXPECT_THROW(position(game, game.file().starts.front().fen), FenError);
        });
      continue;
    }
    ++played;
    // The walker tries every move: it is slow where there are many squares.
    const int games = std::clamp(
        20'000 / (loaded.game->board.all_squares() * loaded.game->board.all_squares()), 1, 5);
    with_tables(*loaded.game, [&](const auto& game) {
      const auto start = position(game, game.file().starts.front().fen);
      std::mt19937_64 random(file);
      for (int i = 0; i < games; ++i) {
        const auto plies = static_cast<int>(random() % 60);
        const auto p = after_random_moves(start, random, plies);
        play_beside_walker(p, rules, random, 1 + i % 2, positions);
      }
    });
  }
  EXPECT_GE(played, files.size() * 3 / 4);
  EXPECT_GE(static_cast<std::size_t>(positions), files.size() * 100);
  RecordProperty("positions", positions);
}

}  // namespace
}  // namespace faultline::data
