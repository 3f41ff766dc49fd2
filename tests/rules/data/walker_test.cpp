// The walker against everything that knows better: the kept vectors and the compiled families,
// Fairy-Stockfish's counts, and positions worked out by hand.
#include "tests/rules/data/walker.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "rules/families.h"
#include "tests/families.h"
#include "tests/random_boards.h"
#include "tests/rules/data/random_games.h"
#include "tests/rules/data/variant_games.h"

namespace faultline::walker {
namespace {

using Json = nlohmann::json;
using GamePointer = std::shared_ptr<const Game>;

const std::string kSources = FAULTLINE_SOURCE_DIR;
const std::string kGames = kSources + "/games";

GamePointer shipped(const std::string& name) {
  return read_game(kGames + "/" + name + ".toml");
}
GamePointer with_chess(const std::string& rest) {
  return parse_game("format = 1\nname = \"test\"\nbase = \"chess\"\n" + rest, kGames);
}
const GamePointer& game_of(const std::string& variant) {
  static std::map<std::string, GamePointer> known;
  GamePointer& game = known[variant];
  if (!game) {
    const VariantName name = parse_variant_name(variant);
    game = parse_game(test::VariantGame(name).text(), kGames);
  }
  return game;
}

std::string text_of(walker::Outcome outcome) {
  switch (outcome) {
    case walker::Outcome::None:
      return "";
    case walker::Outcome::White:
      return "white";
    case walker::Outcome::Black:
      return "black";
    case walker::Outcome::Stalemate:
      return "draw:stalemate";
    case walker::Outcome::OnlyRoyals:
      return "draw:kings";
    case walker::Outcome::Plies:
      return "draw:100plies";
    default:
      return "draw";
  }
}

std::set<std::string> texts_of(const std::map<std::string, State>& moves) {
  std::set<std::string> texts;
  for (const auto& [text, next] : moves)
    texts.insert(text);
  return texts;
}
/// The moves of one piece, without its square.
std::set<std::string> moves_from(const State& state, const std::string& square) {
  std::set<std::string> found;
  for (const auto& [text, next] : state.moves())
    if (text.starts_with(square)) found.insert(text.substr(square.size()));
  return found;
}
using Texts = std::set<std::string>;

// --- Vectors and families -----------------------------------------------------------------------

/// Counts up to this are computed.
constexpr std::uint64_t kMostLeaves = 2500;

void expect_passes(const Json& vector) {
  const State state(game_of(vector["variant"]), vector["fen"]);
  ASSERT_EQ(state.fen(), vector["fen"]);
  if (vector.contains("perft")) {
    int depth = 0;
    for (const std::uint64_t leaves : vector["perft"]) {
      if (leaves > kMostLeaves) break;
      EXPECT_EQ(state.perft(++depth), leaves);
    }
  } else if (vector.contains("moves")) {
    EXPECT_EQ(texts_of(state.moves()), vector["moves"].get<Texts>());
    EXPECT_EQ(state.in_check(), vector["check"]);
    const std::string outcome = vector["outcome"].is_null() ? "" : vector["outcome"];
    EXPECT_EQ(text_of(state.outcome()), outcome);
  } else {
    const auto moves = state.moves();
    const auto found = moves.find(vector["move"]);
    ASSERT_NE(found, moves.end());
    EXPECT_EQ(found->second.fen(), vector["next"]);
  }
}

template <class P>
class WalkedFamily : public testing::Test {};
TYPED_TEST_SUITE(WalkedFamily, test::EveryFamily);

/// Every so many of a family's vectors is used; all with FAULTLINE_WALK_ALL in the environment.
TYPED_TEST(WalkedFamily, PassesTheVectors) {
  const std::string& family = TypeParam::info().name;
  std::ifstream in(kSources + "/tests/vectors/" + family + ".jsonl");
  ASSERT_TRUE(in);
  const int stride = std::getenv("FAULTLINE_WALK_ALL") ? 1 : family == "inferno" ? 7 : 3;
  int used = 0;
  int number = 0;
  for (std::string line; std::getline(in, line);) {
    const Json vector = Json::parse(line);
    const bool one_level = vector["variant"] == "inferno:levels=1";  // names squares otherwise
    if (vector.contains("bad_fen") || one_level || number++ % stride != 0) continue;
    SCOPED_TRACE(line);
    ASSERT_NO_FATAL_FAILURE(expect_passes(vector));
    ++used;
  }
  EXPECT_GT(used, number / stride / 2);
}

template <class P>
void walk_randomly(const typename P::Variant& v, P p, int plies, test::Random& rng) {
  for (int ply = 0; ply < plies; ++ply) {
    SCOPED_TRACE(v.canonical_name() + " " + p.fen());
    const State state(game_of(v.canonical_name()), p.fen());
    ASSERT_EQ(state.fen(), p.fen());
    ASSERT_EQ(state.in_check(), p.in_check());
    typename P::MoveList moves;
    p.legal_moves(moves);
    const auto walked = state.moves();
    Texts texts;
    for (const Move m : moves) {
      const std::string text = p.move_text(m);
      texts.insert(text);
      const auto found = walked.find(text);
      if (found == walked.end()) continue;
      P next = p;
      next.play(m);
      ASSERT_EQ(found->second.fen(), next.fen()) << text;
    }
    ASSERT_EQ(texts_of(walked), texts);
    const faultline::Outcome outcome = p.outcome(!moves.empty());
    ASSERT_EQ(state.outcome() != walker::Outcome::None, is_over(outcome));
    if (is_over(outcome)) return;
    p.play(moves[static_cast<std::size_t>(test::below(rng, static_cast<int>(moves.size())))]);
  }
}

TYPED_TEST(WalkedFamily, HasTheMovesOfTheCompiledOne) {
  using P = TypeParam;
  test::Random rng(20261128);
  const bool long_walk = std::getenv("FAULTLINE_WALK_ALL") != nullptr;
  for (const std::string& name : test::option_sets<P>()) {
    if (name == "inferno:levels=1") continue;
    const auto& v = test::variant<P>(name);
    for (int game = 0; game < (long_walk ? 20 : 1); ++game) {
      walk_randomly(v, P::start(v), long_walk ? 60 : 6, rng);
      walk_randomly(v, test::sparse_position<P>(v, rng), long_walk ? 40 : 5, rng);
      if (testing::Test::HasFatalFailure()) return;
    }
  }
}

// --- Fairy-Stockfish's counts -------------------------------------------------------------------

TEST(Walker, CountsAsFairyStockfish) {
  const struct {
    const char* game;
    std::vector<std::uint64_t> perft;
  } kCounts[] = {
      {"almost", {22, 484}},
      {"antichess", {20, 400, 8067}},
      {"asean", {23, 529}},
      {"breakthrough", {22, 484}},
      {"capablanca", {28, 784}},
      {"chess", {20, 400, 8902}},
      {"chigorin", {26, 416}},
      {"courier", {26, 678}},
      {"crazyhouse", {20, 400}},
      {"gardner", {7, 53, 506}},
      {"gothic", {28, 784}},
      {"grand", {65, 4225}},
      {"hoppel-poppel", {20, 400}},
      {"horde", {8, 128, 1274}},
      {"king-of-the-hill", {20, 400}},
      {"knightmate", {18, 324}},
      {"losalamos", {10, 100, 1212}},
      {"makruk", {23, 529}},
      {"minishogi", {14, 181, 2512}},
      {"minixiangqi", {19, 331, 6664}},
      {"racing-kings", {21, 421}},
      {"shako", {58, 3364}},
      {"shatranj", {16, 256, 4176}},
      {"shogi", {30, 900}},
      {"three-check", {20, 400}},
      {"xiangqi", {44, 1920}},
  };
  for (const auto& [name, perft] : kCounts) {
    const State start = State::start(shipped(name));
    for (std::size_t depth = 0; depth < perft.size(); ++depth)
      EXPECT_EQ(start.perft(static_cast<int>(depth) + 1), perft[depth]) << name;
  }
}

// --- By hand ------------------------------------------------------------------------------------

/// The destinations of A, of which the file says how it moves, from d4 of an 8×8 board.
Texts reach_of(const std::string& moves, const std::string& pieces = "8/8/8/8/3A4/8/8/8") {
  const std::string kings = "k7/" + pieces.substr(2, pieces.size() - 3) + "7K";
  const GamePointer game =
      with_chess("[pieces]\nA = \"" + moves + "\"\n[start]\nfen = \"" + kings + " w - - 0 1\"\n");
  return moves_from(State::start(game), "d4");
}

TEST(Walker, ReadsDirections) {
  EXPECT_EQ(reach_of("fN"), Texts({"c6", "e6"}));
  EXPECT_EQ(reach_of("fhN"), Texts({"b5", "c6", "e6", "f5"}));
  EXPECT_EQ(reach_of("fsN"), Texts({"b5", "f5"}));
  EXPECT_EQ(reach_of("rfN"), Texts({"e6"}));
  EXPECT_EQ(reach_of("frN"), Texts({"f5"}));
  EXPECT_EQ(reach_of("hlN"), Texts({"b3", "c6", "e2", "f5"}));
  EXPECT_EQ(reach_of("fF"), Texts({"c5", "e5"}));
  EXPECT_EQ(reach_of("frF"), Texts({"e5"}));
  EXPECT_EQ(reach_of("fmrF"), Texts({"c5", "e5", "e3"}));
  EXPECT_EQ(reach_of("fsW"), Texts({"c4", "d5", "e4"}));
  EXPECT_EQ(reach_of("v(1,3)"), Texts({"c1", "c7", "e1", "e7"}));
  EXPECT_EQ(reach_of("rook + ferz"), reach_of("RF"));
}

TEST(Walker, BendsOutwards) {
  // Kings on a8 and h1; b6 and e5 block.
  const Texts griffon = reach_of("[F?R]", "8/8/1P6/4P3/3A4/8/8/8");
  EXPECT_EQ(griffon, Texts({"c5", "b5", "a5", "c6", "c7", "c8",     // over c5
                            "c3", "b3", "a3", "c2", "c1",           // over c3
                            "e3", "f3", "g3", "h3", "e2", "e1"}));  // over e3
  EXPECT_EQ(reach_of("[W-F]"), Texts({"c6", "e6", "b5", "b3", "f5", "f3", "c2", "e2"}));
  EXPECT_EQ(reach_of("[W-sW]"), Texts({"c5", "e5", "c3", "e3"}));
}

TEST(Walker, HopsAndIsLame) {
  const std::string pieces = "8/8/3p4/3P4/1p1A2P1/8/8/8";  // d6 p, d5 P, b4 p, g4 P
  EXPECT_EQ(reach_of("cannon", pieces), Texts({"c4", "e4", "f4", "d3", "d2", "d1", "d6"}));
  EXPECT_EQ(reach_of("gQ", pieces), Texts({"a4", "d6", "h4"}));
  EXPECT_EQ(reach_of("nN", "8/8/8/3P4/3A4/8/8/8"), Texts({"b5", "b3", "f5", "f3", "c2", "e2"}));
  EXPECT_EQ(reach_of("NN", "8/8/8/8/3A4/1P6/8/8"),
            Texts({"c6", "b8", "e6", "f8", "b5", "f5", "h6", "c2", "e2", "f3", "h2"}));
}

TEST(Walker, RidesRoundACylinder) {
  const GamePointer game = with_chess(
      "[board]\nwrap = \"files\"\n[pieces]\nK = { moves = \"K\" }\n[start]\n"
      "fen = \"k7/8/8/8/R5P1/8/8/4K3 w - - 0 1\"\n");
  const Texts rook = moves_from(State::start(game), "a4");
  EXPECT_EQ(rook.count("h4"), 1U);
  EXPECT_EQ(rook.count("g4"), 0U);
  EXPECT_EQ(rook.count("f4"), 1U);
}

TEST(Walker, ExplodesWhatIsNear) {
  const State state(shipped("atomic"), "4k3/3r4/8/8/8/8/3P4/3RK3 b - - 0 1");
  const auto moves = state.moves();
  EXPECT_EQ(moves.count("d7d2"), 1U);
  EXPECT_EQ(moves.at("d7d2").fen(), "4k3/8/8/8/8/8/8/8 w - - 0 2");
  EXPECT_EQ(moves.at("d7d2").decided(), walker::Outcome::Black);
  // Counts known from other programs.
  EXPECT_EQ(State(shipped("atomic"),
                  "rn2kb1r/1pp1p2p/p2q1pp1/3P4/2P3b1/4PN2/PP3PPP/R2QKB1R b "
                  "KQkq - 0 1")
                .perft(2),
            1238U);
}

TEST(Walker, TellsBerolinaVictimsApart) {
  const GamePointer game = with_chess(
      "[pieces.P]\nmoves = \"berolina-pawn\"\n[start]\nfen = \"4k3/8/8/8/3p4/8/P3P3/4K3 w - - 0 "
      "1\"\n");
  const State start = State::start(game);
  EXPECT_EQ(start.moves().at("e2c4").fen(), "4k3/8/8/8/2Pp4/8/P7/4K3 b - d3 0 1");
  const State several(game, "4k3/8/8/1p6/8/8/P3P3/4K3 w - - 0 1");
  const State after = several.moves().at("a2c4");
  EXPECT_EQ(State(game, after.fen()).fen(), after.fen());
}

TEST(Walker, OneSafeKingIsEnough) {
  const GamePointer game = shipped("spartan");
  EXPECT_FALSE(State(game, "k6k/8/8/8/8/8/8/R3K3 b - - 0 1").in_check());
  EXPECT_TRUE(State(game, "k7/8/8/8/8/8/8/R3K3 b - - 0 1").in_check());
  EXPECT_EQ(State(game, "k6k/8/8/8/8/8/8/R3K3 w - - 0 1").moves().count("a1a8"), 1U);
  EXPECT_EQ(State(game, "k7/8/8/8/8/8/8/R3K3 w - - 0 1").moves().count("a1a8"), 0U);
}

TEST(Walker, TurnsQuadrants) {
  const State start = State::start(shipped("quadrants"));
  const auto moves = start.moves();
  EXPECT_EQ(moves.size(), 24U);  // both lower quarters, either way
  int turned = 0;
  for (const auto& [text, next] : moves)
    turned += text.starts_with("@") ? 1 : 0;
  EXPECT_EQ(turned, 4);
}

// --- Random games -------------------------------------------------------------------------------

TEST(Walker, PlaysRandomGameFiles) {
  test::Random rng(44);
  int with_moves = 0;
  for (int n = 0; n < 24; ++n) {
    const std::string text = test::random_game_file(static_cast<std::uint64_t>(n));
    SCOPED_TRACE(text);
    const GamePointer game = parse_game(text, kGames);
    State state = State::start(game);
    if (!state.is_sound() || game->all_squares() > 128) continue;  // those are slow
    for (int ply = 0; ply < 3; ++ply) {
      const std::string fen = state.fen();
      ASSERT_EQ(State(game, fen).fen(), fen);
      const auto moves = state.moves();
      if (moves.empty()) break;
      ++with_moves;
      ASSERT_EQ(texts_of(State(game, fen).moves()), texts_of(moves)) << fen;
      auto chosen = moves.begin();
      std::advance(chosen, test::below(rng, static_cast<int>(moves.size())));
      const State next = chosen->second;
      state = next;
    }
  }
  EXPECT_GT(with_moves, 40);
}

}  // namespace
}  // namespace faultline::walker
