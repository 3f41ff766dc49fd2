// Positions of games from files: against the kept vectors, the compiled families, and
// Fairy-Stockfish's counts.
#include "rules/data/data_position.h"

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <random>
#include <set>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "rules/data/refusal.h"
#include "rules/families.h"
#include "rules/fen.h"
#include "rules/perft.h"
#include "tests/rules/data/positions_of_files.h"

namespace faultline::data {
namespace {

using nlohmann::json;
using test::game_file;
using test::move_texts;
using test::position;

/// Perft that checks every key on its way.
template <class P>
std::uint64_t checked_perft(const P& p, int depth) {
  if (depth == 1) return p.count_legal_moves();
  typename P::MoveList moves;
  p.legal_moves(moves);
  std::uint64_t nodes = 0;
  for (const Move move : moves) {
    P next = p;
    next.play(move);
    EXPECT_EQ(next.key(), next.key_from_scratch()) << p.fen() << " " << p.move_text(move);
    nodes += checked_perft(next, depth - 1);
  }
  return nodes;
}

template <class B>
void expect_vector(const GameTables<B>& game, const json& vector) {
  SCOPED_TRACE(vector.dump());
  if (vector.contains("bad_fen")) {
    EXPECT_THROW(position(game, vector["bad_fen"]), FenError);
    return;
  }
  const auto p = position(game, vector["fen"]);
  EXPECT_EQ(p.fen(), vector["fen"]);
  if (vector.contains("perft")) {
    int depth = 0;
    for (const json& nodes : vector["perft"])
      EXPECT_EQ(checked_perft(p, ++depth), nodes.get<std::uint64_t>()) << depth;
  } else if (vector.contains("moves")) {
    const std::set<std::string> texts = move_texts(p);
    EXPECT_EQ(texts, vector["moves"].get<std::set<std::string>>());
    EXPECT_EQ(p.in_check(), vector["check"].get<bool>());
    const std::string outcome(name(p.outcome(!texts.empty())));
    EXPECT_EQ(outcome, vector["outcome"].is_null() ? "" : vector["outcome"].get<std::string>());
  } else {
    const auto move = p.parse_move(vector["move"].get<std::string>());
    ASSERT_TRUE(move);
    auto next = p;
    next.play(*move);
    EXPECT_EQ(next.fen(), vector["next"]);
    EXPECT_EQ(next.key(), next.key_from_scratch());
  }
}

struct SameGame {
  std::string file;
  std::string variant;
};
void PrintTo(const SameGame& game, std::ostream* out) {
  *out << game.variant;
}

class CompiledFamily : public testing::TestWithParam<SameGame> {};

TEST_P(CompiledFamily, ItsVectorsHoldForItsFile) {
  const std::string& variant = GetParam().variant;
  const std::string family = variant.substr(0, variant.find(':'));
  std::ifstream in(std::string(FAULTLINE_SOURCE_DIR "/tests/vectors/") + family + ".jsonl");
  ASSERT_TRUE(in);
  int vectors = 0;
  with_tables(game_file(GetParam().file), [&](const auto& game) {
    for (std::string line; std::getline(in, line);) {
      const json vector = json::parse(line);
      if (vector["variant"] != variant) continue;
      ++vectors;
      expect_vector(game, vector);
    }
  });
  EXPECT_GE(vectors, 30);
}

/// Both positions say the same.
template <class C, class D>
void expect_same(const C& compiled, const D& data) {
  ASSERT_EQ(data.fen(), compiled.fen());
  const std::set<std::string> texts = move_texts(compiled);
  ASSERT_EQ(move_texts(data), texts) << compiled.fen();
  ASSERT_EQ(data.in_check(), compiled.in_check()) << compiled.fen();
  ASSERT_EQ(data.outcome(!texts.empty()), compiled.outcome(!texts.empty())) << compiled.fen();
  ASSERT_EQ(data.halfmove_clock(), compiled.halfmove_clock()) << compiled.fen();
  ASSERT_EQ(data.key(), data.key_from_scratch()) << compiled.fen();
  std::set<std::pair<Square, bool>> attacked;
  for (const Colour c : {Colour::White, Colour::Black}) {
    attacked.clear();
    compiled.for_each_attacked(c, [&](Square s, bool twice) { attacked.insert({s, twice}); });
    std::set<std::pair<Square, bool>> by_data;
    data.for_each_attacked(c, [&](Square s, bool twice) { by_data.insert({s, twice}); });
    ASSERT_EQ(by_data, attacked) << compiled.fen();
  }
}

template <class C, class D>
void play_both(C compiled, D data, std::mt19937_64& random, int& positions) {
  for (int ply = 0; ply < 150; ++ply) {
    ++positions;
    ASSERT_NO_FATAL_FAILURE(expect_same(compiled, data));
    typename C::MoveList moves;
    compiled.legal_moves(moves);
    if (is_over(compiled.outcome(!moves.empty()))) return;
    Move move = moves[random() % moves.size()];
    for (const Move special : moves)  // castlings, promotions and movements of the board are rare
      if (special.kind() != MoveKind::Normal && random() % 8 == 0) move = special;
    const auto same = data.parse_move(compiled.move_text(move));
    ASSERT_TRUE(same) << compiled.fen() << " " << compiled.move_text(move);
    compiled.play(move);
    data.play(*same);
    const D again = D::from_fen(data.game(), data.fen());
    ASSERT_EQ(again.key(), data.key()) << data.fen();
  }
}

TEST_P(CompiledFamily, RandomGamesAreTheSameWithItsFile) {
  const VariantName variant = parse_variant_name(GetParam().variant);
  std::mt19937_64 random(44);
  int positions = 0;
  with_tables(game_file(GetParam().file), [&]<class B>(const GameTables<B>& game) {
    with_family(variant, [&]<class C>(std::type_identity<C>, const typename C::Variant& v) {
      for (int i = 0; i < 20 && !testing::Test::HasFatalFailure(); ++i) {
        const C start = C::start(v);
        play_both(start, position(game, start.fen()), random, positions);
      }
    });
  });
  EXPECT_GT(positions, 1000);
}

std::string test_name(std::string file) {
  std::replace(file.begin(), file.end(), '-', '_');
  return file;
}

INSTANTIATE_TEST_SUITE_P(Data, CompiledFamily,
                         testing::Values(SameGame{"chess", "chess"}, SameGame{"escher", "escher"},
                                         SameGame{"shifting", "shifting"},
                                         SameGame{"earthquake", "earthquake"},
                                         SameGame{"slanted-ultra", "slanted"},
                                         SameGame{"slanted-standard", "slanted:board=standard"},
                                         SameGame{"inferno2", "inferno:levels=2"},
                                         SameGame{"inferno3", "inferno:levels=3"},
                                         SameGame{"inferno5", "inferno"}),
                         [](const auto& game) { return test_name(game.param.file); });

/// Files with keys of the language's older form.
const std::string kOlder = "../tests/rules/data/older/";
INSTANTIATE_TEST_SUITE_P(
    Older, CompiledFamily,
    testing::Values(SameGame{kOlder + "chess", "chess"}, SameGame{kOlder + "escher", "escher"},
                    SameGame{kOlder + "shifting", "shifting"},
                    SameGame{kOlder + "earthquake", "earthquake"},
                    SameGame{kOlder + "slanted-ultra", "slanted"},
                    SameGame{kOlder + "slanted-standard", "slanted:board=standard"},
                    SameGame{kOlder + "inferno2", "inferno:levels=2"},
                    SameGame{kOlder + "inferno3", "inferno:levels=3"}),
    [](const auto& game) { return test_name(game.param.file.substr(kOlder.size())); });

/// Fairy-Stockfish 11.1's counts from the start.
class FairyStockfish : public testing::TestWithParam<std::pair<const char*, std::vector<int>>> {};

TEST_P(FairyStockfish, CountsTheSameMoves) {
  const std::vector<int>& counts = GetParam().second;
  with_tables(game_file(GetParam().first), [&]<class B>(const GameTables<B>& game) {
    const auto start = DataPosition<B>::start(game);
    int depth = 0;
    for (const int nodes : counts)
      EXPECT_EQ(checked_perft(start, ++depth), static_cast<std::uint64_t>(nodes)) << depth;
  });
}

INSTANTIATE_TEST_SUITE_P(Data, FairyStockfish,
                         testing::Values(std::pair("chess", std::vector{20, 400, 8902, 197281}),
                                         std::pair("capablanca",
                                                   std::vector{28, 784, 25228, 805128}),
                                         std::pair("makruk", std::vector{23, 529, 12012, 273026}),
                                         std::pair("losalamos", std::vector{10, 100, 1212, 14332}),
                                         std::pair("grand", std::vector{65, 4225, 259514}),
                                         std::pair("minixiangqi", std::vector{19, 331, 6664}),
                                         std::pair("xiangqi", std::vector{44, 1920, 79666}),
                                         std::pair("shako", std::vector{58, 3364, 185938}),
                                         std::pair("horde", std::vector{8, 128, 1274}),
                                         std::pair("racing-kings", std::vector{21, 421, 11264}),
                                         std::pair("atomic", std::vector{20, 400, 8902, 197326}),
                                         std::pair("antichess", std::vector{20, 400, 8067}),
                                         std::pair("crazyhouse", std::vector{20, 400, 8902}),
                                         std::pair("shogi", std::vector{30, 900, 25470}),
                                         std::pair("minishogi", std::vector{14, 181, 2512}),
                                         std::pair("tori-shogi", std::vector{17, 288, 5430}),
                                         std::pair("knightmate", std::vector{18, 324, 6765}),
                                         std::pair("shatranj", std::vector{16, 256, 4176}),
                                         std::pair("courier", std::vector{26, 678, 18406}),
                                         std::pair("hoppel-poppel", std::vector{20, 400, 9034}),
                                         std::pair("almost", std::vector{22, 484, 11895})),
                         [](const auto& game) { return test_name(game.param.first); });
INSTANTIATE_TEST_SUITE_P(
    Older, FairyStockfish,
    testing::Values(std::pair("../tests/rules/data/older/capablanca", std::vector{28, 784, 25228}),
                    std::pair("../tests/rules/data/older/makruk", std::vector{23, 529, 12012}),
                    std::pair("../tests/rules/data/older/losalamos", std::vector{10, 100, 1212}),
                    std::pair("../tests/rules/data/older/grand", std::vector{65, 4225})),
    [](const auto& game) { return test_name(std::string(game.param.first).substr(27)); });

TEST(Drops, WhereMovesPromoteAPieceStaysAndPromotesWhenItLeaves) {
  with_tables(game_file("tori-shogi"), [&]<class B>(const GameTables<B>& game) {
    const auto moves_from = [&](const std::string& fen, const std::string& begin) {
      const auto p = position(game, fen);
      typename DataPosition<B>::MoveList moves;
      p.legal_moves(moves);
      std::set<std::string> texts;
      for (const Move move : moves)
        if (const std::string text = p.move_text(move); text.starts_with(begin))
          texts.insert(text.substr(begin.size()));
      return texts;
    };
    using Texts = std::set<std::string>;
    EXPECT_EQ(moves_from("k6/2F4/7/7/7/7/6K[] w - - 0 1", "c6"),
              (Texts{"b5+", "d5+", "b6+", "d6+", "b7+", "c7+", "d7+"}));
    EXPECT_EQ(moves_from("k6/7/2F4/7/7/7/6K[] w - - 0 1", "c5"),
              (Texts{"b4", "d4", "b5", "d5", "b6+", "c6+", "d6+"}));
    const Texts drops = moves_from("k6/7/7/7/S6/S6/6K[S] w - - 0 1", "S@");
    EXPECT_EQ(drops.size(),
              35U);  // two stand on the first file, nothing moves on from the last rank
    EXPECT_TRUE(drops.contains("b6"));
    EXPECT_FALSE(drops.contains("b7"));
    EXPECT_TRUE(moves_from("k6/7/7/7/7/7/6K[F] w - - 0 1", "F@").contains("b7"));
  });
}

/// Files that put two things together, each of which once led to a position without a FEN.
TEST(StrangeGames, PositionsAreReadAsTheyAreWritten) {
  for (const char* name :
       {"armies-hands-belt", "atomic-hands-belt", "levels-hands", "part-hands", "slanted-hands"}) {
    SCOPED_TRACE(name);
    std::mt19937_64 random(44);
    const GameFile file = game_file("../tests/rules/data/strange/" + std::string(name));
    EXPECT_EQ(refusal(file, name), "");
    with_tables(file, [&]<class B>(const GameTables<B>& game) {
      for (int games = 0; games < 20; ++games) {
        auto p = DataPosition<B>::start(game);
        for (int ply = 0; ply < 150; ++ply) {
          typename DataPosition<B>::MoveList moves;
          p.legal_moves(moves);
          if (is_over(p.outcome(!moves.empty()))) break;
          p.play(moves[random() % moves.size()]);
          ASSERT_NO_THROW(ASSERT_EQ(position(game, p.fen()).key(), p.key())) << p.fen();
        }
      }
    });
  }
}

TEST(GameLimit, IsToldBeforeAGameIsPlayed) {
  const GameFile exploding = game_file("../tests/rules/data/strange/levels-explosions");
  EXPECT_TRUE(refusal(exploding, "file")
                  .ends_with("levels-explosions.toml:5: rules.explode: this program does not play "
                             "explosions where a side has several royal pieces"))
      << refusal(exploding, "file");
  GameFile file = game_file("chess");
  EXPECT_TRUE(limits_of_this_program(file).empty());
  file.board.levels.count = 7;
  const std::vector<std::string> limits = limits_of_this_program(file);
  ASSERT_EQ(limits.size(), 1U);
  EXPECT_TRUE(limits.front().ends_with(
      "chess.toml:9: board: this program does not play boards of 448 squares, more than 384"))
      << limits.front();
}

}  // namespace
}  // namespace faultline::data
