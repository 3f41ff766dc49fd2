// Games of files against Fairy-Stockfish, by their translation: the same moves in random positions
// of shipped games and of random ones. It is npm's ffish, Fairy-Stockfish as WebAssembly, run in
// Node.
//
// It is optional (scripts/setup --exports). With FAULTLINE_REQUIRE_OUTSIDERS in the environment,
// its absence is a failure. FAULTLINE_FFISH_POSITIONS there: how many positions of random games,
// for a longer run; FAULTLINE_FFISH_FIRST: the number of the first of these games.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "rules/data/fairy_stockfish.h"
#include "rules/fen.h"
#include "tests/outsiders.h"
#include "tests/rules/data/positions_of_files.h"
#include "tests/rules/data/random_games.h"
#include "tests/temporary_folder.h"

namespace faultline::data {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

/// Of what a promoted pawn has become (crazyhouse): "+Q" for White.
bool is_promoted_pawn(const GameFile& file, std::size_t type) {
  const std::string& letter = file.pieces[type].letter;
  return letter.size() > 1 && file.hands &&
         file.hands->becomes[type] != file.find_type(letter.substr(1));
}

void replace_all(std::string& text, const std::string& from, const std::string& to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
}

std::string in_small_letters(std::string text) {
  for (char& c : text)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return text;
}

/// The position's FEN as Fairy-Stockfish writes it; "" where it has no words for what can be
/// captured en passant.
template <class P>
std::string their_fen(const P& p) {
  std::string fen = p.fen();
  const GameFile& file = p.game().file();
  for (std::size_t t = 0; t < file.pieces.size(); ++t)
    if (is_promoted_pawn(file, t)) {
      const std::string letter = file.pieces[t].letter;
      replace_all(fen, letter, letter.substr(1) + "~");
      replace_all(fen, in_small_letters(letter), in_small_letters(letter.substr(1)) + "~");
    }
  std::size_t field = 0;  // en passant
  for (int i = 0; i < 3; ++i)
    field = fen.find(' ', field) + 1;
  const std::string passed = fen.substr(field, fen.find(' ', field) - field);
  return passed.find_first_of("+/") == std::string::npos ? fen : "";
}

/// A move's text as Fairy-Stockfish writes it.
template <class P>
std::string their_text(const P& p, Move move, bool chess960) {
  const GameFile& file = p.game().file();
  std::string text = p.move_text(move);
  if (move.kind() == MoveKind::Promotion &&
      is_promoted_pawn(file, static_cast<std::size_t>(index(move.promotion()))))
    text.erase(text.find('+'), 1);
  if (move.kind() != MoveKind::Castling || !chess960) return text;
  for (const auto& castle : p.game().castles)
    for (const auto& way : castle.ways)
      if (castle.king == move.from() && way.king_to == move.to() &&
          castle.colour == p.side_to_move() && contains(p.of(castle.colour), castle.rook))
        return p.square_text(castle.king) + p.square_text(castle.rook);
  return text;
}

class Ffish : public testing::Test {
 protected:
  void SetUp() override {
    if (fs::exists(faultline::test::node_modules() / "ffish") &&
        faultline::test::run("node --version", "/dev/null") == 0)
      return;
    if (faultline::test::outsiders_are_required()) FAIL() << "node and ffish are required";
    GTEST_SKIP() << "ffish is not installed; scripts/setup --exports does it";
  }

  /// Plays random games and writes their positions; how many. None if it cannot be translated.
  int write(GameFile game, const std::string& name, std::mt19937_64& random, int positions) {
    game.name = name;
    const FairyStockfish translated = to_fairy_stockfish(game);
    if (!translated.refused.empty()) return 0;
    const bool chess960 = translated.text.find("\nchess960 = true") != std::string::npos;
    int written = 0;
    with_tables(std::move(game), [&]<class B>(const GameTables<B>& tables) {
      out_ << json{{"game", name}, {"ini", translated.text}, {"chess960", chess960}} << '\n';
      for (int games = 0; written < positions && games < positions; ++games) {
        const std::vector<Start>& starts = tables.file().starts;
        DataPosition<B> p;
        try {
          p = test::position(tables, starts[random() % starts.size()].fen);
        } catch (const FenError&) {
          return;  // who is not to move is in check
        }
        for (int ply = 0; ply < 150 && written < positions; ++ply)
          if (!write_and_play(p, chess960, random, written)) break;
      }
    });
    return written;
  }

  template <class P>
  bool write_and_play(P& p, bool chess960, std::mt19937_64& random, int& written) {
    typename P::MoveList moves;
    p.legal_moves(moves);
    // Games that end with moves left (bare kings) have none there.
    const bool is_over_with_moves = is_over(p.outcome(!moves.empty())) && !moves.empty();
    if (is_over_with_moves && !is_draw(p.outcome(true))) return false;
    if (const std::string fen = their_fen(p); !fen.empty()) {
      std::vector<std::string> texts;
      for (const Move move : moves)
        texts.push_back(their_text(p, move, chess960));
      std::sort(texts.begin(), texts.end());
      std::string joined;
      for (const std::string& text : texts)
        joined += (joined.empty() ? "" : " ") + text;
      out_ << json{{"fen", fen}, {"moves", joined}} << '\n';
      ++written;
    }
    if (moves.empty() || is_over_with_moves) return false;
    Move move = moves[random() % moves.size()];
    for (const Move special : moves)  // castlings and promotions are rare
      if (special.kind() != MoveKind::Normal && random() % 16 == 0) move = special;
    p.play(move);
    return true;
  }

  void expect_same_moves() {
    out_.close();
    const fs::path log = folder_.path() / "log";
    const int code =
        faultline::test::run("node " + faultline::test::in_quotes(script_) + " " +
                                 faultline::test::in_quotes(faultline::test::node_modules()) + " " +
                                 faultline::test::in_quotes(file_),
                             log);
    EXPECT_EQ(code, 0) << faultline::test::read_text(log);
    out_.open(file_, std::ios::trunc);
  }

 private:
  const fs::path script_ = fs::path(FAULTLINE_SOURCE_DIR) / "tests/rules/data/compare_moves.js";
  faultline::test::TemporaryFolder folder_;
  fs::path file_ = folder_.path() / "positions.jsonl";
  std::ofstream out_{file_};
};

int number_from_environment(const char* name, int otherwise) {
  const char* const text = std::getenv(name);
  return text != nullptr ? std::atoi(text) : otherwise;
}

TEST_F(Ffish, HasTheSameMovesInRandomPositionsOfShippedGames) {
  int games = 0;
  int positions = 0;
  for (const auto& entry : fs::directory_iterator(test::kFolder)) {
    const std::string name = entry.path().stem().string();
    std::mt19937_64 random(44);
    const int written = write(test::game_file(name), name, random, 150);
    games += written > 0 ? 1 : 0;
    positions += written;
  }
  expect_same_moves();
  EXPECT_GE(games, 30);
  EXPECT_GE(positions, games * 100);
}

TEST_F(Ffish, HasTheSameMovesInRandomPositionsOfRandomGames) {
  constexpr int kOfAGame = 40;
  constexpr int kGamesAtOnce = 1000;
  const int wanted = number_from_environment("FAULTLINE_FFISH_POSITIONS", 6000);
  auto seed = static_cast<std::uint64_t>(number_from_environment("FAULTLINE_FFISH_FIRST", 0));
  int positions = 0;
  int files = 0;
  int translated = 0;
  for (; positions < wanted && !HasFailure(); ++seed) {
    const LoadedGame loaded =
        load_game_text(faultline::test::random_game_file(seed, true), "random.toml", {});
    ASSERT_TRUE(loaded.game) << seed << ": " << loaded.errors();
    std::mt19937_64 random(seed);
    const int written = write(*loaded.game, "random-" + std::to_string(seed), random, kOfAGame);
    positions += written;
    translated += written > 0 ? 1 : 0;
    if (++files % kGamesAtOnce == 0) expect_same_moves();
  }
  expect_same_moves();
  EXPECT_GE(translated, files / 8);
  RecordProperty("positions", positions);
}

}  // namespace
}  // namespace faultline::data
