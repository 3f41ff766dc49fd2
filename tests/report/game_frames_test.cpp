// Games as data, for every family.
#include "report/game_frames.h"

#include <cctype>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "rules/families.h"
#include "rules/fen.h"

namespace faultline {
namespace {

/// A game of random moves.
TextGame random_game(const std::string& variant, int plies) {
  std::mt19937_64 rng(7);
  const Game& game = find_game(variant);
  TextGame text{.variant = game.variant()};
  const auto position = game.start();
  while (static_cast<int>(text.moves.size()) < plies && !is_over(position->outcome())) {
    const auto moves = position->legal_moves();
    const Move move = moves[rng() % moves.size()];
    text.moves.push_back(position->move_text(move));
    position->play(move);
  }
  return text;
}

/// The letters of a frame, given those of the frame before it.
std::string letters_after(const ReportJson& frame, const std::string& before) {
  if (frame.contains("p")) return frame["p"].get<std::string>();
  std::string letters = before;
  std::string place;
  for (const char c : frame["d"].get<std::string>()) {
    if (c >= '0' && c <= '9') {
      place += c;
      continue;
    }
    letters.at(std::stoul(place)) = c;
    place.clear();
  }
  return letters;
}

TEST(GameJson, KeepsWhatAnAnnotatorWrote) {
  TextGame text{.variant = "chess", .moves = {"f2f3", "e7e5", "g2g4"}, .comment = "a short game"};
  text.comments.resize(3);
  text.comments[0].glyph = 6;
  text.comments[2].glyph = 4;
  text.comments[2].text = "loses 60 %, best was b1c3";
  PictureTable pictures;
  const ReportJson json = game_json(pictures, text, "game 1", "a – b");
  EXPECT_EQ(json["comment"], "a short game");
  EXPECT_EQ(json["marks"], ReportJson({"?!", nullptr, "??"}));
  EXPECT_EQ(json["comments"], ReportJson({nullptr, nullptr, "loses 60 %, best was b1c3"}));
  EXPECT_FALSE(json.contains("values")) << "nothing was searched";
}

class GameFrames : public testing::TestWithParam<std::string> {};

TEST_P(GameFrames, HoldEveryPieceOfEveryPosition) {
  const TextGame text = random_game(GetParam(), 80);
  PictureTable pictures;
  const ReportJson json = game_json(pictures, text, "game 1", "longest");
  ASSERT_EQ(json["frames"].size(), text.moves.size() + 1);
  const auto position = find_game(text.variant).start();
  std::string letters;
  int board = -1;
  for (std::size_t i = 0; i < json["frames"].size(); ++i) {
    const ReportJson& frame = json["frames"][i];
    letters = letters_after(frame, letters);
    if (frame.contains("b")) board = frame["b"].get<int>();
    const BoardPicture picture = position->board_picture();
    const ReportJson& squares = pictures.boards().at(static_cast<std::size_t>(board))["squares"];
    ASSERT_EQ(squares.size(), picture.squares.size()) << "ply " << i;
    ASSERT_EQ(letters.size(), squares.size());
    for (std::size_t s = 0; s < squares.size(); ++s) {
      EXPECT_EQ(squares[s][0], picture.squares[s].square);
      EXPECT_EQ(squares[s][1], picture.squares[s].name);
      const Piece piece = picture.squares[s].piece;
      EXPECT_EQ(letters[s],
                piece.exists() ? piece_letter(piece, picture.kind({PieceType::Pawn}).letter.front())
                               : '.');
    }
    if (i < text.moves.size()) position->play(position->parse_move(text.moves[i]).value());
  }
  for (const char letter : letters)
    EXPECT_TRUE(letter == '.' || pictures.shapes().contains(
                                     std::string(1, static_cast<char>(std::toupper(letter)))));
}

/// Every family, with options that make its boards move.
std::vector<std::string> variants() {
  std::vector<std::string> names = {"slanted:board=ultra", "earthquake:dx=1,aftershock=3",
                                    "inferno:levels=3"};
  for (const FamilyInfo* family : all_families())
    names.push_back(family->name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(Families, GameFrames, testing::ValuesIn(variants()));

TEST(GameFramesOfBoards, DrawTheLettersOfPiecesWithoutADrawing) {
  PictureTable pictures;
  const ReportJson json = game_json(pictures, random_game("data:spartan", 20), "game", "label");
  EXPECT_EQ(json["frames"].size(), 21U);
  int bars = 0;
  for (const auto& shape : pictures.shapes())
    for (const auto& part : shape["parts"])
      if (part[0] == "stroke") ++bars;
  EXPECT_GT(bars, 0);
}

TEST(GameFramesOfBoards, SayInWordsThatALevelWasWon) {
  PictureTable pictures;
  const ReportJson json =
      game_json(pictures,
                {.variant = "inferno:levels=2",
                 .start_fen = "7k/1n6/8/8/8/8/8/7K|k7/8/2K5/8/8/8/1Q6/8 w -|- - 3 7",
                 .moves = {"2b2-2b7"}},
                "game", "label");
  EXPECT_EQ(json["moves"], ReportJson::array({"Q2b7(2)"}));
  EXPECT_TRUE(json["frames"][1]["e"].get<std::string>().starts_with("White wins level 2"));
}

TEST(GameFramesOfBoards, NameTheStaircasesThatMoved) {
  PictureTable pictures;
  const ReportJson json = game_json(
      pictures, {.variant = "escher", .moves = {"e2e4", "e7e5", "f1c4"}}, "game", "label");
  const ReportJson& frame = json["frames"][3];
  ASSERT_TRUE(frame.contains("s")) << frame.dump();
  for (const auto& mark : frame["s"])
    EXPECT_EQ(pictures.boards()[0]["marks"][mark.get<std::size_t>()][0], "staircase");
  EXPECT_EQ(pictures.boards().size(), 1U) << "the board itself is the same";
}

TEST(GameFramesOfBoards, HaveANewBoardAndAnArrowWhereASectorSlides) {
  PictureTable pictures;
  const ReportJson json =
      game_json(pictures, {.variant = "shifting", .moves = {"BI-BII"}}, "game", "label");
  EXPECT_EQ(pictures.boards().size(), 2U);
  EXPECT_EQ(json["frames"][1]["a"].size(), 1U);
  EXPECT_FALSE(json["frames"][1].contains("m")) << "no piece moved by itself";
}

TEST(GameFramesOfValues, AreWhitesWhoeverMoves) {
  TextGame text{.variant = "chess", .moves = {"e2e4", "e7e5", "g1f3"}};
  text.comments.resize(3);
  text.comments[0].value = Evaluation{.win = 0.5F, .draw = 0.25F, .loss = 0.25F};
  text.comments[1].value = Evaluation{.win = 0.125F, .draw = 0.25F, .loss = 0.625F};
  PictureTable pictures;
  const ReportJson json = game_json(pictures, text, "game", "label");
  EXPECT_EQ(json["values"], ReportJson::parse("[[500, 250], [625, 250], null]"));
}

TEST(GameFramesOfMoves, RefuseOneThatIsNotLegal) {
  PictureTable pictures;
  EXPECT_THROW(game_json(pictures, {.variant = "chess", .moves = {"e2e5"}}, "game 7", "label"),
               GameTextError);
}

}  // namespace
}  // namespace faultline
