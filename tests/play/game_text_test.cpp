// Games as text: what is written reads back, other programs' PGN is understood, and errors say
// where they are and end one game only.
#include "play/game_text.h"

#include <algorithm>
#include <cstddef>
#include <random>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "play/game.h"
#include "rules/families.h"

namespace faultline {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

std::string written(const TextGame& game) {
  std::ostringstream out;
  write_game(out, game);
  return out.str();
}

/// All games of a text that has no errors.
std::vector<TextGame> read_all(const std::string& text, const std::string& variant = "chess") {
  std::istringstream in(text);
  GameReader reader(in, "test.pgn", variant);
  std::vector<TextGame> games;
  while (auto game = reader.next())
    games.push_back(std::move(*game));
  return games;
}

/// The first game with its variations.
TextGame read_tree(const std::string& text) {
  std::istringstream in(text);
  return GameReader(in, "test.pgn").next_with_variations().value_or(TextGame());
}

TextGame read_one(const std::string& text, const std::string& variant = "chess") {
  std::vector<TextGame> games = read_all(text, variant);
  EXPECT_EQ(games.size(), 1U);
  return games.empty() ? TextGame() : games.front();
}

/// The message of the first error; "" if there is none.
std::string error_in(const std::string& text) {
  try {
    read_all(text);
  } catch (const GameTextError& error) {
    return error.what();
  }
  return "";
}

TextGame random_game(const std::string& variant, std::uint64_t seed, int plies) {
  std::mt19937_64 random(seed);
  const Game& rules = find_game(variant);
  const auto position = rules.start();
  TextGame game;
  game.variant = rules.variant();
  for (int ply = 0; ply < plies && !is_over(position->outcome()); ++ply) {
    const std::vector<Move> moves = position->legal_moves();
    const Move move = moves[random() % moves.size()];
    game.moves.push_back(position->move_text(move));
    position->play(move);
    MoveComment comment;
    if (random() % 3 != 0) {
      const auto win = static_cast<float>(random() % 5000) / 10000;
      const auto draw = static_cast<float>(random() % 5000) / 10000;
      comment.value = Evaluation{.win = win,
                                 .draw = draw,
                                 .loss = 1 - win - draw,
                                 .moves_left = static_cast<float>(random() % 1000) / 10};
      comment.visits = static_cast<std::uint32_t>(random() % 1000);
      comment.seconds = static_cast<double>(random() % 10000) / 1000;
    }
    if (random() % 5 == 0) comment.depth = static_cast<int>(random() % 30);
    if (random() % 5 == 0) comment.nodes = random() % 1000000;
    if (random() % 7 == 0)
      comment.text = "a  text; with [brackets] and % signs, long enough to wrap";
    if (random() % 9 == 0) comment.glyph = static_cast<int>(random() % 7);
    game.comments.push_back(comment);
  }
  const Outcome outcome = position->outcome();
  game.result = result_of(outcome);
  game.termination = is_over(outcome) ? Termination::Normal : Termination::Cut;
  game.reason = reason_of(is_over(outcome) ? outcome : Outcome::Adjudicated);
  game.opening_plies = 2;
  return game;
}

void expect_equal(const MoveComment& read, const MoveComment& expected) {
  ASSERT_EQ(read.value.has_value(), expected.value.has_value());
  if (read.value) {
    EXPECT_NEAR(read.value->win, expected.value->win, 1e-4);
    EXPECT_NEAR(read.value->draw, expected.value->draw, 1e-4);
    EXPECT_NEAR(read.value->loss, expected.value->loss, 1e-4);
    EXPECT_NEAR(read.value->moves_left, expected.value->moves_left, 0.051);
  }
  EXPECT_EQ(read.visits, expected.visits);
  EXPECT_EQ(read.nodes, expected.nodes);
  EXPECT_EQ(read.depth, expected.depth);
  EXPECT_NEAR(read.seconds, expected.seconds, 1e-3);
  EXPECT_EQ(read.text, expected.text);
  EXPECT_EQ(read.glyph, expected.glyph);
}

void expect_equal(const TextGame& read, const TextGame& expected) {
  EXPECT_EQ(read.variant, expected.variant);
  EXPECT_EQ(read.white, expected.white);
  EXPECT_EQ(read.black, expected.black);
  EXPECT_EQ(read.start_fen, expected.start_fen);
  EXPECT_EQ(read.moves, expected.moves);
  EXPECT_EQ(read.opening_plies, expected.opening_plies);
  EXPECT_EQ(read.result, expected.result);
  EXPECT_EQ(read.termination, expected.termination);
  EXPECT_EQ(read.reason, expected.reason);
  EXPECT_EQ(read.tags, expected.tags);
  EXPECT_EQ(read.comment, expected.comment);
  ASSERT_EQ(read.variations.size(), expected.variations.size());
  for (std::size_t i = 0; i < read.variations.size(); ++i) {
    const Variation& one = read.variations[i];
    EXPECT_EQ(one.line, expected.variations[i].line) << i;
    EXPECT_EQ(one.ply, expected.variations[i].ply) << i;
    EXPECT_EQ(one.moves, expected.variations[i].moves) << i;
    ASSERT_EQ(one.comments.size(), expected.variations[i].comments.size()) << i;
    for (std::size_t ply = 0; ply < one.comments.size(); ++ply)
      expect_equal(one.comments[ply], expected.variations[i].comments[ply]);
  }
  ASSERT_EQ(read.comments.size(), expected.comments.size());
  for (std::size_t i = 0; i < read.comments.size(); ++i)
    expect_equal(read.comments[i], expected.comments[i]);
}

/// Adds random variations to random moves of the line that begins at `start`, nested up to `depth`
/// deep, in the order in which they are read.
void add_variations(TextGame& game, std::size_t line, const GamePosition& start, int depth,
                    std::mt19937_64& random) {
  const std::vector<std::string> moves = line == 0 ? game.moves : game.variations[line - 1].moves;
  const auto position = start.clone();
  for (std::size_t ply = 0; ply < moves.size(); ++ply) {
    while (depth > 0 && random() % (line == 0 ? 8 : 3) == 0) {
      Variation variation{.line = line, .ply = ply};
      const auto end = position->clone();
      const std::size_t plies = 1 + random() % 4;
      while (variation.moves.size() < plies && !is_over(end->outcome())) {
        const std::vector<Move> legal = end->legal_moves();
        const Move move = legal[random() % legal.size()];
        variation.moves.push_back(end->move_text(move));
        end->play(move);
        if (plies % 2 == 0)
          variation.comments.push_back({.visits = static_cast<std::uint32_t>(random() % 2),
                                        .text = random() % 2 == 0 ? "a text (with brackets)" : "",
                                        .glyph = static_cast<int>(random() % 7)});
      }
      if (std::ranges::all_of(variation.comments, &MoveComment::empty)) variation.comments.clear();
      game.variations.push_back(variation);
      add_variations(game, game.variations.size(), *position, depth - 1, random);
    }
    position->play(position->parse_move(moves[ply]).value());
  }
}

TEST(GameText, OfEveryFamilyReadsBackWithItsVariations) {
  std::vector<std::string> variants = {"slanted:board=ultra", "inferno:levels=2"};
  for (const FamilyInfo* family : all_families())
    variants.push_back(family->name);
  std::size_t nested = 0;
  for (const std::string& variant : variants) {
    for (std::uint64_t seed = 0; seed < 3; ++seed) {
      SCOPED_TRACE(variant + ", game " + std::to_string(seed));
      TextGame game = random_game(variant, seed, 40);
      const TextGame main = game;
      std::mt19937_64 random(seed);
      add_variations(game, 0, *find_game(variant).start(), 4, random);
      for (const Variation& one : game.variations)
        nested += one.line > 0 ? 1 : 0;
      const std::string text = written(game);
      const TextGame read = read_tree(text);
      expect_equal(read, game);
      EXPECT_EQ(written(read), text);
      expect_equal(read_one(text), main);  // who does not want them, does not get them
      std::istringstream lines(text);
      for (std::string one; std::getline(lines, one);)
        EXPECT_LE(one.size(), 79U) << one;
    }
  }
  EXPECT_GT(nested, 100U);
}

TEST(GameText, WritesVariationsAsOtherProgramsDo) {
  TextGame game{.variant = "chess", .moves = {"e2e4", "e7e5", "g1f3"}};
  game.variations = {{.line = 0, .ply = 1, .moves = {"c7c5", "g1f3", "d7d6"}},
                     {.line = 1, .ply = 1, .moves = {"c2c3"}},
                     {.line = 1, .ply = 1, .moves = {"b1c3"}, .comments = {{.text = "closed"}}},
                     {.line = 0, .ply = 2, .moves = {"f1c4"}}};
  EXPECT_THAT(written(game),
              HasSubstr("1. e4 e5 (1... c5 2. Nf3 (2. c3) (2. Nc3 {closed}) 2... d6) "
                        "2. Nf3 (2. Bc4) *\n"));
  game.variations[0].ply = 3;
  EXPECT_THROW(written(game), GameTextError);
  game.variations[0].ply = 1;
  game.variations[0].line = 1;  // itself
  EXPECT_THROW(written(game), GameTextError);
  game.variations[0].line = 0;
  game.variations[3].moves = {"e2e4"};
  EXPECT_THROW(written(game), GameTextError);
}

TEST(GameReader, KeepsOfVariationsWhatCanBePlayed) {
  const std::string text =
      "1. e4 ({quiet} 1. d4 $1 {or} d5 (1... Nf6 2. Ke3 (2. Bf4) Nc3) 2. -- c5) (1. Zz) () "
      "1... e5 2. Nf3 (2. f4 exf4 1-0) ({nothing}) Nc6 (2... Nf6) 1/2-1/2\n";
  EXPECT_THAT(read_one(text).moves, ElementsAre("e2e4", "e7e5", "g1f3", "b8c6"));
  const TextGame game = read_tree(text);
  EXPECT_THAT(game.moves, ElementsAre("e2e4", "e7e5", "g1f3", "b8c6"));
  EXPECT_EQ(game.result, GameResult::Draw);
  ASSERT_EQ(game.variations.size(), 4U);
  EXPECT_THAT(game.variations[0].moves, ElementsAre("d2d4", "d7d5"));
  EXPECT_EQ(game.variations[0].comments[0].text, "quiet or");
  EXPECT_EQ(game.variations[0].comments[0].glyph, 1);
  EXPECT_THAT(game.variations[1].moves, ElementsAre("g8f6"));
  EXPECT_EQ(game.variations[1].line, 1U);
  EXPECT_THAT(game.variations[2].moves, ElementsAre("f2f4", "e5f4"));
  EXPECT_EQ(game.variations[2].ply, 2U);
  EXPECT_THAT(game.variations[3].moves, ElementsAre("g8f6"));
}

TEST(GameReader, EndsWithVariationsNestedThousandsDeep) {
  std::string text = "1. Nf3 Nf6 2. Ng1 Ng8";
  std::string ends;
  for (int i = 0; i < 5000; ++i) {
    text += i % 2 == 0 ? " (2... Nd5" : " (2... Ng4";
    ends += ')';
  }
  const TextGame game = read_tree(text + ends + " *");
  EXPECT_EQ(game.moves.size(), 4U);
  EXPECT_EQ(game.variations.size(), 32U);
  expect_equal(read_tree(written(game)), game);
}

TEST(GameText, OfEveryFamilyReadsBack) {
  std::vector<std::string> variants = {"slanted:board=ultra", "inferno:levels=2"};
  for (const FamilyInfo* family : all_families())
    variants.push_back(family->name);
  for (const std::string& variant : variants) {
    for (std::uint64_t seed = 0; seed < 6; ++seed) {
      SCOPED_TRACE(variant + ", game " + std::to_string(seed));
      const TextGame game = random_game(variant, seed, 150);
      const std::string text = written(game);
      const TextGame read = read_one(text);
      expect_equal(read, game);
      EXPECT_EQ(written(read), text);
    }
  }
}

TEST(GameText, KeepsNamesTagsAndTheStart) {
  TextGame game;
  game.variant = "chess";
  game.white = R"(a "quoted" \ name)";
  game.black = "Größe";
  game.start_fen = "4k3/8/8/8/8/8/4p3/4K2R b K - 3 17";
  game.moves = {"e8d7", "e1e2"};
  game.comments = {{.text = "so  it   goes"}, {}};
  game.result = GameResult::Draw;
  game.termination = Termination::Adjudicated;
  game.reason = "both agree";
  game.tags = {{"Event", "a match"}, {"Round", "3.1"}, {"Engine_A", "x"}, {"Engine_A", "y"}};
  game.comment = "before all moves";
  const std::string text = written(game);
  EXPECT_THAT(text, HasSubstr("17... Kd7 {so  it   goes} 18. Kxe2 1/2-1/2\n\n"));
  expect_equal(read_one(text), game);
}

TEST(GameText, HasTheSevenTagRosterFirst) {
  EXPECT_THAT(written({.variant = "chess", .moves = {"e2e4"}}),
              StartsWith("[Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n"
                         "[White \"?\"]\n[Black \"?\"]\n[Result \"*\"]\n"));
}

TEST(GameText, NamesEveryVariantButChess) {
  EXPECT_THAT(written({.variant = "chess"}), testing::Not(HasSubstr("Variant")));
  EXPECT_THAT(written({.variant = "gardner"}), HasSubstr("[Variant \"gardner\"]\n"));
}

TEST(GameText, KeepsEveryTermination) {
  for (const Termination termination :
       {Termination::Normal, Termination::Resigned, Termination::Adjudicated, Termination::Cut,
        Termination::Forfeit, Termination::TimeForfeit, Termination::Unfinished})
    for (const GameResult result : {GameResult::WhiteWins, GameResult::None})
      EXPECT_EQ(read_one(written({.variant = "chess",
                                  .moves = {"e2e4"},
                                  .result = result,
                                  .termination = termination}))
                    .termination,
                termination);
}

TEST(GameText, HasNoLineAboveEightyColumns) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    std::istringstream lines(written(random_game("inferno", seed, 100)));
    for (std::string line; std::getline(lines, line);) {
      EXPECT_LE(line.size(), 79U) << line;
      EXPECT_FALSE(line.starts_with('%')) << line;
    }
  }
}

TEST(GameText, SeparatesGamesByAnEmptyLine) {
  const TextGame game = random_game("gardner", 1, 30);
  const std::string text = written(game);
  EXPECT_EQ(text.substr(text.size() - 2), "\n\n");
  EXPECT_EQ(read_all(text + text + text).size(), 3U);
}

TEST(GameText, KeepsCommentsThatLookLikeNumbers) {
  for (const std::string_view text : {"v800", "+0.1000 w0.5000 d0.1000 l0.4000", "1.5s", ";", "; ;",
                                      "v800 is much", "+0.31/12 0.35s"}) {
    TextGame game{.variant = "chess", .moves = {"e2e4"}};
    game.comments = {{.text = std::string(text)}};
    expect_equal(read_one(written(game)), game);
    game.comments[0].visits = 3;
    expect_equal(read_one(written(game)), game);
  }
}

TEST(GameText, ReplacesWhatACommentCannotHold) {
  TextGame game{.variant = "chess", .moves = {"e2e4"}};
  game.comments = {{.text = " a {brace}\nand a line "}};
  EXPECT_EQ(read_one(written(game)).comments.at(0).text, "a (brace) and a line");
}

TEST(GameText, RefusesAnIllegalMove) {
  std::ostringstream out;
  try {
    write_game(out, {.variant = "chess", .moves = {"e2e4", "e7e4"}});
    FAIL() << "e7e4 is not legal";
  } catch (const GameTextError& error) {
    EXPECT_THAT(error.what(), HasSubstr("move 2, 'e7e4', is not legal in "));
  }
  EXPECT_THAT(out.str(), IsEmpty());
}

TEST(GameText, RefusesWhatIsNotAGame) {
  EXPECT_THROW(written({.variant = "chequers"}), GameTextError);
  EXPECT_THROW(written({.variant = "chess", .start_fen = "8/8 w"}), GameTextError);
  EXPECT_THROW(written({.variant = "chess", .tags = {{"two words", "x"}}}), GameTextError);
  EXPECT_THROW(written({.variant = "chess", .moves = {"e2e4"}, .comments = {{}, {}}}),
               GameTextError);
}

TEST(San, NamesTheMovingPieceExactly) {
  struct Case {
    const char* fen;
    const char* move;
    const char* san;
  };
  for (const auto& [fen, move, san] : {
           Case{"4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1g1", "O-O "},
           Case{"4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1c1", "O-O-O "},
           Case{"4k3/8/8/8/8/8/3K4/R6R w - - 0 1", "a1d1", "Rad1 "},
           Case{"4k3/R7/8/8/8/8/3K4/R7 w - - 0 1", "a1a3", "R1a3 "},
           Case{"8/5k2/8/8/Q6Q/8/8/Q2K4 w - - 0 1", "a4d4", "Qa4d4 "},
           Case{"4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", "exd6 "},
           Case{"5k2/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8n", "a8=N "},
           Case{"1r3k2/P7/8/8/8/8/8/4K3 w - - 0 1", "a7b8q", "axb8=Q+ "},
           Case{"7k/5Q2/6K1/8/8/8/8/8 w - - 0 1", "f7g7", "Qg7# "},
           // The knight on b1 is pinned, so that the other needs no file.
           Case{"4k3/8/8/8/8/8/8/rN1K1N2 w - - 0 1", "f1d2", "Nd2 "},
       }) {
    const TextGame game{.variant = "chess", .start_fen = fen, .moves = {move}};
    EXPECT_THAT(written(game), HasSubstr(std::string("1. ") + san)) << fen;
    EXPECT_THAT(read_one(written(game)).moves, ElementsAre(move)) << fen;
  }
}

TEST(San, OfGardnerUsesItsFiveFiles) {
  EXPECT_THAT(written({.variant = "gardner", .moves = {"b2b3", "a4b3", "a2b3", "a5a1"}}),
              HasSubstr("\n1. b3 axb3 2. axb3 Rxa1 *\n"));
}

TEST(GameReader, UnderstandsWhatOtherProgramsWrite) {
  const TextGame game = read_one(
      "\xef\xbb\xbf% an escaped line\r\n"
      "[Event \"x\"] [White \"A\"]\r\n"
      "[Black \"B\"]\r\n"
      "[Result \"1-0\"]\r\n\r\n"
      "1.Pe4 e5 2 Ng1-f3 Nc6! $14 {good} 3. Bb5 (3. Bc4 Bc5 (3... Nf6 {no}) 4. O-O) a6 ; rest\r\n"
      "4. Bb5:c6?! d7xc6 5. 0-0 f6 6. d4 exd4 7. Nxd4 c5 8. e5 cxd4 9. exf6 e.p. d3 10. fg7 dc2\r\n"
      "11. gxh8Q+ c2d1=N 1-0\r\n");
  EXPECT_THAT(game.moves,
              ElementsAre("e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6", "b5c6", "d7c6", "e1g1",
                          "f7f6", "d2d4", "e5d4", "f3d4", "c6c5", "e4e5", "c5d4", "e5f6", "d4d3",
                          "f6g7", "d3c2", "g7h8q", "c2d1n"));
  EXPECT_EQ(game.white, "A");
  EXPECT_EQ(game.result, GameResult::WhiteWins);
  EXPECT_EQ(game.termination, Termination::Normal);
  ASSERT_EQ(game.comments.size(), game.moves.size());
  EXPECT_EQ(game.comments[3].text, "good");
  EXPECT_EQ(game.comments[3].glyph, 1);
  EXPECT_EQ(game.comments[5].text, "rest");
  EXPECT_EQ(game.comments[6].glyph, 6);
}

TEST(GameReader, TakesByteOrderMarksBetweenGames) {
  std::istringstream in(
      "\xef\xbb\xbf[White \"A\"]\n\n1. e4 *\n\n\xef\xbb\xbf[White \"B\"]\n\n1. d4 *\n");
  GameReader reader(in, "games");
  EXPECT_EQ(reader.next()->white, "A");
  EXPECT_EQ(reader.next()->white, "B");
  EXPECT_FALSE(reader.next());
}

TEST(GameReader, TakesGamesWithoutTagsOrResults) {
  EXPECT_THAT(read_one("1. e4 e5").moves, ElementsAre("e2e4", "e7e5"));
  const std::vector<TextGame> games =
      read_all("[White \"A\"]\n\n1. e4\n\n[White \"B\"]\n\n[White \"C\"]\n[Result \"0-1\"]\n\n*\n");
  ASSERT_EQ(games.size(), 3U);
  EXPECT_THAT(games[0].moves, ElementsAre("e2e4"));
  EXPECT_EQ(games[1].white, "B");
  EXPECT_EQ(games[2].result, GameResult::BlackWins);
  EXPECT_THAT(read_all(""), IsEmpty());
  EXPECT_THAT(read_all("\n% nothing\n\n; nothing\n"), IsEmpty());
}

TEST(GameReader, LosesNoGameByTagsThatDoNotMatter) {
  const TextGame game = read_one(
      "[Event \"T \"X\" F\"]\n[Site \"not closed]\n[WhiteElo 2000]\n[White \"A\"] [Black \"B\"]\n"
      "[Result \"?\"]\n[Variant \"Regular\"]\n\n1. e4 1-0\n");
  EXPECT_THAT(game.tags, ElementsAre(std::pair<std::string, std::string>("Event", "T \"X\" F")));
  EXPECT_EQ(game.white, "A");
  EXPECT_EQ(game.black, "B");
  EXPECT_EQ(game.variant, "chess");
  EXPECT_EQ(game.result, GameResult::WhiteWins);
}

TEST(GameReader, TakesEveryLineEnd) {
  for (const std::string end : {"\n", "\r\n", "\r"}) {
    const TextGame game =
        read_one("[White \"A\"]" + end + end + "1. e4 ; best" + end + "e5 *" + end);
    EXPECT_EQ(game.white, "A");
    EXPECT_THAT(game.moves, ElementsAre("e2e4", "e7e5"));
  }
  EXPECT_THAT(error_in("[White \"A\"]\r\r1. e5 *\r"), StartsWith("test.pgn:3: "));
}

TEST(GameReader, IsForFilesThatBeginAsGamesDo) {
  const auto holds = [](const std::string& text, const std::string& name = "book.txt") {
    std::istringstream in(text);
    const bool games = holds_games(in, name);
    std::string rest;
    std::getline(in, rest, '\0');
    EXPECT_EQ("\xef\xbb\xbf" + rest, text);
    return games;
  };
  const std::string mark = "\xef\xbb\xbf";
  for (const char* text :
       {"[White \"A\"]", "\n {a} 1. e4", "% x", "; x", "1. e4", "1.e4", "\r1. e4"})
    EXPECT_TRUE(holds(mark + text)) << text;
  for (const char* text : {"e2e4 e7e5", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1",
                           "1nb1k3/8/8/8/8/8/8/4K3 w", "# 1. e4", "startpos", "1", ""})
    EXPECT_FALSE(holds(mark + text)) << text;
  EXPECT_TRUE(holds(mark + "e2e4", "games.pgn"));
}

TEST(GameReader, KnowsOtherNamesOfVariants) {
  EXPECT_EQ(read_one("[Variant \"Standard\"]\n\n1. e4 *").variant, "chess");
  EXPECT_EQ(read_one("[Variant \"Gardner MiniChess\"]\n\n1. b3 *").variant, "gardner");
  EXPECT_EQ(read_one("1. b3 axb3 *", "gardner").variant, "gardner");
}

TEST(GameReader, NamesSourceAndLineOfAnError) {
  EXPECT_THAT(error_in("[White \"A\"]\n\n1. e4 e5\n2. e4 *\n"),
              StartsWith("test.pgn:4: 'e4' is not a legal move in rnbqkbnr/pppp1ppp/"));
  EXPECT_THAT(error_in("[White \"A\"]\n[FEN \"8/8 w\"]\n\n*\n"),
              StartsWith("test.pgn:2: FEN field"));
  EXPECT_THAT(error_in("[Variant \"draughts\"]\n\n*\n"), StartsWith("test.pgn:1: "));
  EXPECT_THAT(error_in("[Result \"1-0\"]\n\n1. e4 0-1\n"),
              StartsWith("test.pgn:3: the game ends with 0-1, but its Result tag is 1-0"));
  EXPECT_THAT(error_in("[White A]\n"), StartsWith("test.pgn:1: a tag must look like"));
  EXPECT_THAT(error_in("[White \"A\"]\n[Event \"torn"), StartsWith("test.pgn:2: "));
  EXPECT_THAT(error_in("1. e4 {not closed\n\n"), StartsWith("test.pgn:1: a comment that is not"));
  EXPECT_THAT(error_in("1. e4\n(1. d4\n\n"), StartsWith("test.pgn:2: a variation that is not"));
  EXPECT_THAT(error_in("1. e4 ) *"), StartsWith("test.pgn:1: a ) without"));
  EXPECT_THAT(error_in("1. e4 $300 *"), StartsWith("test.pgn:1: a glyph must be"));
}

TEST(GameReader, ContinuesWithTheNextGameAfterAnError) {
  for (const char* bad : {"1. e4 e4 2. d4 d5 1-0\n\n", "[White \"A\"]\n[FEN ?]\n\n1. e4 *\n\n",
                          "1. e4 ) *\n\n", "[Event \"a\"]\n\n1. e4 {open\n\n",
                          "[Event \"a\"]\n\n1. e4 (1. d4\n\n", "[FEN \"x\"]\n\n1. e4 1-0\n"}) {
    std::istringstream in(std::string(bad) + "[Event \"good\"]\n[White \"G\"]\n\n1. d4 *\n");
    GameReader reader(in, "test.pgn");
    EXPECT_THROW(reader.next(), GameTextError) << bad;
    const auto good = reader.next();
    ASSERT_TRUE(good) << bad;
    EXPECT_EQ(good->white, "G") << bad;
    EXPECT_THAT(good->moves, ElementsAre("d2d4")) << bad;
    EXPECT_FALSE(reader.next()) << bad;
  }
}

TEST(GameReader, GivesResultsWithoutTheMoves) {
  TextGame game = random_game("escher", 3, 60);
  game.white = "A";
  game.result = GameResult::BlackWins;
  game.termination = Termination::Resigned;
  // The moves are not even looked at.
  std::istringstream in(written(game) + "[White \"B\"]\n\n1. nonsense {1-0} (1-0) 0-1\n");
  GameReader reader(in, "test.pgn");
  const auto first = reader.next_result();
  ASSERT_TRUE(first);
  EXPECT_EQ(first->white, "A");
  EXPECT_EQ(first->variant, "escher");
  EXPECT_EQ(first->result, GameResult::BlackWins);
  EXPECT_EQ(first->termination, Termination::Resigned);
  EXPECT_EQ(first->opening_plies, 2);
  EXPECT_THAT(first->moves, IsEmpty());
  const auto second = reader.next_result();
  ASSERT_TRUE(second);
  EXPECT_EQ(second->result, GameResult::BlackWins);
  EXPECT_FALSE(reader.next_result());
}

TEST(GameText, AcceptsMovesAfterADrawByRepetition) {
  TextGame game{.variant = "chess"};
  for (int i = 0; i < 4; ++i)
    for (const char* move : {"g1f3", "g8f6", "f3g1", "f6g8"})
      game.moves.emplace_back(move);
  EXPECT_EQ(read_one(written(game)).moves, game.moves);
}

}  // namespace
}  // namespace faultline
