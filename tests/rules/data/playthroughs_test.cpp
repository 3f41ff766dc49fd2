// One random game of each shipped file, kept: what its moves, FENs and outcome were.
#include <cstdint>
#include <fstream>
#include <random>
#include <set>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

#include "rules/data/known_games.h"
#include "tests/rules/data/positions_of_files.h"

namespace faultline::data {
namespace {

const std::string kKept = FAULTLINE_SOURCE_DIR "/tests/rules/data/playthroughs.txt";

/// 64 bits of FNV-1a.
void fold(std::uint64_t& digest, const std::string& text) {
  for (const char c : text + '\n')
    digest = (digest ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
}

/// "NAME PLIES OUTCOME DIGEST FEN": the digest is over every position's FEN and legal moves.
std::string playthrough(const std::string& name) {
  constexpr int kMostPlies = 120;
  std::ostringstream line;
  with_tables(test::game_file(name), [&]<class B>(const GameTables<B>& tables) {
    std::mt19937_64 random(7);
    DataPosition<B> p = test::position(tables, tables.file().starts.front().fen);
    std::uint64_t digest = 0xcbf29ce484222325U;
    int plies = 0;
    Outcome outcome = Outcome::Ongoing;
    for (;; ++plies) {
      const std::set<std::string> moves = test::move_texts(p);
      outcome = p.outcome(!moves.empty());
      fold(digest, p.fen());
      for (const std::string& move : moves)
        fold(digest, move);
      if (is_over(outcome) || moves.empty() || plies == kMostPlies) break;
      p.play(*p.parse_move(
          *std::next(moves.begin(), static_cast<std::ptrdiff_t>(random() % moves.size()))));
    }
    line << name << ' ' << plies << ' ' << faultline::name(outcome) << ' ' << std::hex << digest
         << ' ' << p.fen();
  });
  return line.str();
}

TEST(Playthroughs, OfShippedGamesAreAsKept) {
  std::string all;
  for (const std::string& name : shipped_game_names())
    all += playthrough(name) + "\n";
  std::ifstream in(kKept);
  const std::string kept{std::istreambuf_iterator<char>(in), {}};
  if (all == kept) return;
  const std::string found = testing::TempDir() + "playthroughs.txt";
  std::ofstream(found) << all;
  FAIL() << found << " has what this program plays; it differs from " << kKept;
}

}  // namespace
}  // namespace faultline::data
