// Openings: random, balanced, from a policy and from files.
#include "lab/openings.h"

#include <cmath>
#include <memory>
#include <set>
#include <string>
#include <type_traits>
#include <vector>

#include <gtest/gtest.h>

#include "lab/match.h"
#include "lab/opening_file.h"
#include "rules/data/known_games.h"
#include "rules/families.h"
#include "search/hash_evaluator.h"
#include "tests/record/games.h"

namespace faultline {
namespace {

using test::chess;
using Kind = OpeningSource::Kind;

std::vector<Opening<ChessPosition>> first(int count, const OpeningSource& source,
                                          std::uint64_t seed = 5) {
  OpeningBook<ChessPosition> book(chess(), source, seed,
                                  std::make_shared<HashEvaluator<ChessPosition>>());
  std::vector<Opening<ChessPosition>> openings;
  for (int i = 0; i < count; ++i)
    openings.push_back(book.at(static_cast<std::size_t>(i)));
  return openings;
}

TEST(Openings, AreDifferentIfThereAreEnough) {
  std::set<std::string> firsts;
  for (const auto& opening : first(20, {.plies = 1}))
    firsts.insert(opening.moves.at(0));
  EXPECT_EQ(firsts.size(), 20U);
  EXPECT_EQ(first(3, {.plies = 0}).size(), 3U);
}

TEST(Openings, NeverLeaveAWinOnTheBoard) {
  // After 1. f3 e5 2. g4 Black mates.
  EXPECT_TRUE(wins_at_once(ChessPosition::from_fen(
      chess(), "rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2")));
  // White is to move and is mated by Rb1 whatever it plays.
  EXPECT_TRUE(is_decided(ChessPosition::from_fen(chess(), "k7/8/8/8/8/1r6/2r5/7K w - - 0 1")));
  EXPECT_FALSE(is_decided(ChessPosition::start(chess())));
  for (const auto& opening : first(200, {.plies = 12}, 3))
    EXPECT_FALSE(is_decided(opening.history.position())) << opening.history.position().fen();
}

TEST(Openings, AreShorterInGamesThatAreOverBefore) {
  const data::LoadedGame loaded = data::load_game_text(
      "format = 1\nname = \"openings-short\"\nbase = \"gardner\"\n[pieces]\nP = { pawn = false }\n"
      "K = \"mK\"\nN = \"mN\"\n[start]\nfen = \"k3n/5/5/5/N3K w - - 0 1\"\n[ends]\nplies = 3\n",
      "", data::usual_game_folders());
  ASSERT_TRUE(loaded.game) << loaded.errors();
  data::offer_game(loaded.game->text, "");
  with_family(parse_variant_name("data:openings-short"),
              []<class P>(std::type_identity<P>, const typename P::Variant& variant) {
                OpeningBook<P> book(variant, {.plies = 6}, 5);
                std::set<std::vector<std::string>> different;
                for (std::size_t i = 0; i < 100; ++i) {
                  EXPECT_EQ(book.at(i).moves.size(), 2U);
                  different.insert(book.at(i).moves);
                }
                EXPECT_EQ(different.size(), 25U);
              });
}

TEST(Openings, AreTheSameInAnyOrderOfAsking) {
  OpeningBook<ChessPosition> book(chess(), {.plies = 4}, 9);
  const auto ninth = book.at(8).moves;
  const auto openings = first(9, {.plies = 4}, 9);
  EXPECT_EQ(openings[8].moves, ninth);
  EXPECT_EQ(openings[2].moves, book.at(2).moves);
  EXPECT_NE(first(1, {.plies = 4}, 10)[0].moves, openings[0].moves);
}

TEST(Openings, AreTheSameAfterEarlierOnesWereForgotten) {
  const auto openings = first(9, {.plies = 4}, 9);
  OpeningBook<ChessPosition> book(chess(), {.plies = 4}, 9);
  book.at(3);
  const std::size_t bytes = book.bytes();
  book.forget_before(3);
  EXPECT_EQ(book.forgotten(), 3U);
  EXPECT_LT(book.bytes(), bytes);
  EXPECT_EQ(book.at(3).moves, openings[3].moves);
  EXPECT_EQ(book.at(8).moves, openings[8].moves);
  book.forget_before(20);
  EXPECT_EQ(book.forgotten(), 9U) << "as many as were made";
}

TEST(Openings, CanBeBalancedByAShallowSearch) {
  const OpeningSource source{.kind = Kind::Balanced, .plies = 10, .depth = 2, .max_value = 0.1};
  const auto value = [&](const Opening<ChessPosition>& opening) {
    const auto searcher = make_alpha_beta_searcher<ChessPosition>({});
    EvalBatch<ChessPosition> batch;
    std::mt19937_64 rng(1);
    return std::abs(
        run_search<ChessPosition>(*searcher, nullptr, batch, opening.history, {.depth = 2}, rng)
            .value.value());
  };
  for (const auto& opening : first(20, source))
    EXPECT_LE(value(opening), 0.11);
  int unbalanced = 0;
  for (const auto& opening : first(20, {.plies = 10}))
    unbalanced += value(opening) > 0.1 ? 1 : 0;
  EXPECT_GT(unbalanced, 0);
}

TEST(Openings, CanBeDrawnFromAPolicy) {
  const OpeningSource source{.kind = Kind::Policy, .plies = 4, .temperature = 0.3F};
  const auto openings = first(10, source);
  // A cold policy prefers a few of the twenty first moves that random openings spread over.
  const auto firsts = [](const std::vector<Opening<ChessPosition>>& from) {
    std::set<std::string> moves;
    for (const auto& opening : from)
      moves.insert(opening.moves.at(0));
    return moves.size();
  };
  EXPECT_LT(firsts(openings), firsts(first(10, {.plies = 4})));
  EXPECT_EQ(openings[7].moves, first(8, source)[7].moves);
}

TEST(Openings, CanBeReadFromAFileOfFensAndMoves) {
  const test::TemporaryFolder folder;
  const std::string file = folder.write("book.txt",
                                        "# A comment\n"
                                        "e2e4 e7e5\n"
                                        "\n"
                                        "  d2d4   # the queen's pawn\n"
                                        "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\n"
                                        "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1 moves e2e4 e8e7\n"
                                        "startpos moves c2c4\n");
  const OpeningSource source = parse_opening_source(file);
  const auto openings = first(6, source);
  EXPECT_EQ(openings[0].moves, (std::vector<std::string>{"e2e4", "e7e5"}));
  EXPECT_EQ(openings[4].moves, std::vector<std::string>{"c2c4"});
  EXPECT_EQ(openings[1].moves, std::vector<std::string>{"d2d4"});
  EXPECT_EQ(openings[2].start_fen, "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1");
  EXPECT_TRUE(openings[2].moves.empty());
  EXPECT_EQ(openings[3].history.position().fen().substr(0, 22), "8/4k3/8/8/4P3/8/8/4K3 ");
  EXPECT_EQ(openings[5].moves, openings[0].moves);  // from the beginning again
  std::set<std::string> shuffled;
  for (const auto& opening : first(5, parse_opening_source(file + "?order=random")))
    shuffled.insert(opening.history.position().fen());
  EXPECT_EQ(shuffled.size(), 5U);
}

TEST(Openings, CanBeReadFromGames) {
  const test::TemporaryFolder folder;
  const std::string file = folder.write("book.pgn",
                                        "[White \"A\"]\n[Black \"B\"]\n[Result \"*\"]\n\n"
                                        "1. e4 e5 2. Nf3 *\n\n"
                                        "[White \"A\"]\n[Black \"B\"]\n[Result \"*\"]\n\n"
                                        "1. d4 d5 *\n\n");
  const auto openings = first(2, parse_opening_source(file));
  EXPECT_EQ(openings[0].moves, (std::vector<std::string>{"e2e4", "e7e5", "g1f3"}));
  EXPECT_EQ(openings[1].moves, (std::vector<std::string>{"d2d4", "d7d5"}));
}

TEST(Openings, CanBeReadBehindAByteOrderMark) {
  const test::TemporaryFolder folder;
  const std::string mark = "\xef\xbb\xbf";
  const std::string lines = folder.write("lines.txt", mark + "e2e4 e7e5\nd2d4\n");
  EXPECT_EQ(first(1, parse_opening_source(lines))[0].moves,
            (std::vector<std::string>{"e2e4", "e7e5"}));
  const std::string fens = folder.write("fens.txt", mark + "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\n");
  EXPECT_EQ(first(1, parse_opening_source(fens))[0].start_fen, "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1");
  const std::string games = folder.write("games.pgn", mark + "[White \"A\"]\n\n1. c4 *\n");
  EXPECT_EQ(first(1, parse_opening_source(games))[0].moves, std::vector<std::string>{"c2c4"});
}

std::string file_refusal(const std::string& text) {
  const test::TemporaryFolder folder;
  const std::string file = folder.write("book.txt", text);
  try {
    first(1, parse_opening_source(file));
  } catch (const OpeningError& error) {
    const std::string message = error.what();
    return message.starts_with(file) ? message.substr(file.size()) : "no file: " + message;
  }
  return "";
}

TEST(Openings, OfAFileAreRefusedWithFileAndLine) {
  EXPECT_TRUE(file_refusal("# e4\n\ne2e5\n").starts_with(":3: move 1, 'e2e5', is not legal in "));
  EXPECT_TRUE(file_refusal("8/8/8/8/8/8/8/8 w - - 0 1\n").starts_with(":1: FEN field "));
  EXPECT_EQ(file_refusal("f2f3 e7e5 g2g4 d8h4\n"), ":1: the game is over after this opening");
  EXPECT_EQ(file_refusal("# nothing\n"), ": contains no openings");
}

TEST(Openings, OfAFileThatCannotBeUsedAreLeftOutUnlessItIsStrict) {
  const test::TemporaryFolder folder;
  const std::string games = folder.write("games.txt", "{a book}\n1. e4 e4 *\n\n1. d4 *\n");
  const std::string lines = folder.write("lines.txt", "e2e5\r# a comment\rd2d4\r");
  for (const std::string& file : {games, lines}) {
    EXPECT_EQ(first(1, parse_opening_source(file))[0].moves, std::vector<std::string>{"d2d4"});
    const OpeningFile read = read_openings(file, "chess");
    EXPECT_EQ(read.refused.count(), 1U);
    EXPECT_TRUE(read.refused.first().starts_with(file + ":"));
    const OpeningSource strict = parse_opening_source(file + "?strict=true");
    EXPECT_EQ(text(strict), file + "?strict=true");
    EXPECT_THROW(first(1, strict), OpeningError);
  }
}

std::string refusal(const std::string& text) {
  try {
    parse_opening_source(text);
  } catch (const OpeningError& error) {
    return error.what();
  }
  return "";
}

TEST(Openings, AreNamedByWordsOrAFile) {
  EXPECT_EQ(text(parse_opening_source("8")), "random:8");
  EXPECT_EQ(text(parse_opening_source("random:3")), "random:3");
  EXPECT_EQ(text(parse_opening_source("balanced:8,value=0.2")), "balanced:8,depth=3,value=0.2");
  EXPECT_EQ(text(parse_opening_source("policy:6,temperature=0.5,net=runs/x")),
            "policy:6,temperature=0.5,net=runs/x");
  EXPECT_NE(refusal("balancd:8").find("did you mean 'balanced'?"), std::string::npos);
  EXPECT_NE(refusal("random").find("random:8"), std::string::npos);
  EXPECT_NE(refusal("random:101").find("from 0 to 100"), std::string::npos);
  EXPECT_NE(refusal("random:4,depth=3").find("takes no settings"), std::string::npos);
  EXPECT_NE(refusal("balanced:8,dept=3").find("did you mean 'depth'?"), std::string::npos);
  EXPECT_NE(refusal("/none/book.pgn").find("there is no such file"), std::string::npos);
}

}  // namespace
}  // namespace faultline
