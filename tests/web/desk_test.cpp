// What pages are told of positions, for every family and every game of games/.
#include "web/desk.h"

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/json_text.h"
#include "play/game.h"
#include "rules/families.h"
#include "rules/position.h"
#include "tests/web/web_games.h"
#include "web/places.h"
#include "web/position_setup.h"

namespace faultline::web {
namespace {

using test::every_game;
using test::place;
using test::random_moves;
using ::testing::HasSubstr;

ReportJson ask(const std::string& name, const ReportJson& request) {
  static const Handlers handlers = desk_handlers({.data_games = data::shipped_game_names()});
  return handlers.at(name)(request);
}

/// The field of the refusal, or "answered".
std::string refused_field(const std::string& name, const ReportJson& request) {
  try {
    ask(name, request);
  } catch (const RequestError& error) {
    EXPECT_STRNE(error.what(), "");
    return error.field();
  }
  return "answered";
}
std::string refusal(const std::string& name, const ReportJson& request) {
  try {
    ask(name, request);
  } catch (const RequestError& error) {
    return error.what();
  }
  return "answered";
}

ReportJson read_one(const std::string& text, const std::string& game = "") {
  ReportJson request = {{"text", text}};
  if (!game.empty()) request["game"] = game;
  return ask("read", request).at("games").at(0);
}

/// The legal move with that text.
ReportJson legal_move(const ReportJson& position, const std::string& text) {
  for (const ReportJson& move : position.at("legal"))
    if (move.at("text") == text) return move;
  ADD_FAILURE() << text << " is not legal";
  return {};
}

// -------------------------------------------------------------------------------------- position

TEST(Position, TellsTheLineWithItsFrames) {
  const ReportJson reply = ask("position", place("chess", {"e2e4", "e5", "Bc4"}));
  EXPECT_EQ(reply["game"], "chess");
  EXPECT_EQ(reply["san"], ReportJson({"e4", "e5", "Bc4"}));
  EXPECT_EQ(reply["frames"].size(), 4U);
  EXPECT_EQ(reply["turn"], "black");
  EXPECT_EQ(reply["first"], "white");
  EXPECT_EQ(reply["number"], 1);
  EXPECT_EQ(reply["check"], false);
  EXPECT_EQ(reply["fen"], "rnbqkbnr/pppp1ppp/8/4p3/2B1P3/8/PPPP1PPP/RNBQK1NR b KQkq - 1 2");
  EXPECT_FALSE(reply.contains("ending"));
  EXPECT_FALSE(reply.contains("hands"));
  EXPECT_EQ(reply["frames"][1]["m"], ReportJson({12, 28}));
}

TEST(Position, OfAGameThatIsOverHasAnEndingAndNoMoves) {
  const ReportJson reply = ask("position", place("chess", {"f3", "e5", "g4", "Qh4"}));
  EXPECT_EQ(reply["legal"].size(), 0U);
  EXPECT_EQ(reply["ending"], ReportJson({{"result", "0-1"}, {"why", "Checkmate: black wins."}}));
  const ReportJson hill = ask("position", {{"game", "data:king-of-the-hill"},
                                           {"fen", "7k/8/8/8/8/4K3/8/8 w - - 0 1"},
                                           {"moves", {"e3e4"}}});
  EXPECT_EQ(hill["ending"], ReportJson({{"result", "1-0"}, {"why", "White wins."}}));
}

TEST(Position, OfAGameWithHandsTellsThem) {
  const ReportJson start = ask("position", place("data:crazyhouse"));
  EXPECT_EQ(start["hands"], ReportJson({"", ""}));
  const ReportJson reply = ask("position", place("data:crazyhouse", {"e4", "d5", "exd5", "Nf6"}));
  ASSERT_EQ(reply["hands"][0].get<std::string>().size(), 1U);
  const ReportJson drop = legal_move(reply, "P@d6");
  EXPECT_EQ(drop["from"], -1);
  EXPECT_EQ(drop["to"], 43);
  EXPECT_EQ(reply["shapes"][drop["piece"].get<std::string>()]["name"], "pawn");
}

TEST(LegalMoves, AreToldApartByWhatAPageCanPointAt) {
  std::map<std::string, int> choices;
  for (const std::string& name : every_game()) {
    const Game& game = find_game(name);
    for (std::uint64_t seed = 1; seed <= 2; ++seed) {
      const std::vector<std::string> moves = random_moves(game, 120, seed);
      for (std::size_t plies = 0; plies <= moves.size(); plies += 24) {
        const ReportJson reply =
            ask("position", place(name, {moves.begin(), moves.begin() + static_cast<long>(plies)}));
        std::set<std::string> texts;
        std::set<std::tuple<int, int, std::string, std::string, std::string>> keys;
        for (const ReportJson& move : reply["legal"]) {
          const int from = move["from"], to = move["to"];
          const std::string piece = move["piece"], choice = move["choice"];
          const bool drop = from < 0 && to >= 0, of_board = from < 0 && to < 0;
          EXPECT_EQ(of_board, piece.empty()) << name << ' ' << move;
          EXPECT_EQ(of_board, move.contains("arrow")) << name << ' ' << move;
          EXPECT_TRUE(of_board || reply["shapes"].contains(piece)) << name << ' ' << move;
          EXPECT_TRUE(keys.emplace(from, to, drop ? piece : "",
                                   of_board ? json_text(move["arrow"]) : "", choice)
                          .second)
              << name << ' ' << reply["fen"] << ' ' << move;
          texts.insert(move["text"].get<std::string>());
          ++choices[choice];
        }
        EXPECT_EQ(texts.size(), reply["legal"].size());
        if (HasFailure()) return;
      }
    }
  }
  for (const char* choice : {"queen", "knight", "tokin", "stays a pawn"})
    EXPECT_GT(choices[choice], 0) << choice;
}

TEST(LegalMoves, HaveShapesOfWhatPawnsBecome) {
  const ReportJson reply = ask("position", {{"game", "chess"},
                                            {"fen", "7k/P7/8/8/8/8/8/4K3 w - - 0 1"},
                                            {"moves", ReportJson::array()}});
  std::set<std::string> names;
  for (const ReportJson& shape : reply["shapes"])
    names.insert(shape["name"].get<std::string>());
  EXPECT_EQ(names, (std::set<std::string>{"king", "pawn", "queen", "rook", "bishop", "knight"}));
}

TEST(LegalMoves, OfCastlingWhereTheKingCouldStepToo) {
  // The king beside its rook: the step and castling have the same squares.
  const std::vector<std::string> names = data::shipped_game_names();
  if (std::ranges::find(names, "chess960") == names.end()) GTEST_SKIP() << "no chess960";
  const auto start = find_game("data:chess960").start();
  const ReportJson reply =
      ask("position", place("data:chess960", {"e4", "e5", "Bc4", "Bc5", "Nf3", "Nf6"}));
  int castling = 0;
  for (const ReportJson& move : reply["legal"])
    castling += move["san"] == "O-O" ? 1 : 0;
  EXPECT_EQ(castling, 1);
}

// -------------------------------------------------------------------------------------- previews

TEST(Previews, AreTheMovesFromTheSquare) {
  ReportJson request = place("chess", {"e4", "e5"});
  request["from"] = 3;  // the queen, d1
  const ReportJson reply = ask("previews", request);
  std::set<std::string> texts;
  for (const auto& [text, frame] : reply["frames"].items()) {
    texts.insert(text);
    EXPECT_TRUE(frame.contains("p")) << "a whole frame";
  }
  EXPECT_EQ(texts, (std::set<std::string>{"d1e2", "d1f3", "d1g4", "d1h5"}));
  // After Qh5 the pawn on g7 attacks h6 and f6, the king f7.
  const ReportJson& attacked = reply["attacked"]["d1h5"];
  for (const int square : {47, 45, 53})
    EXPECT_NE(std::ranges::find(attacked, ReportJson(square)), attacked.end()) << square;
  EXPECT_EQ(std::ranges::find(attacked, ReportJson(28)), attacked.end()) << "nothing attacks e4";
}

TEST(Previews, OfEveryGame) {
  for (const std::string& name : every_game()) {
    const std::vector<std::string> moves = random_moves(find_game(name), 30, 5);
    ReportJson request = place(name, moves);
    const ReportJson position = ask("position", request);
    std::map<int, std::set<std::string>> expected;
    for (const ReportJson& move : position["legal"])
      expected[move["from"].get<int>()].insert(move["text"].get<std::string>());
    for (const auto& [from, texts] : expected) {
      request["from"] = from;
      const ReportJson reply = ask("previews", request);
      std::set<std::string> found;
      for (const auto& [text, frame] : reply["frames"].items()) {
        found.insert(text);
        EXPECT_LT(frame["b"].get<std::size_t>(), reply["boards"].size());
      }
      EXPECT_EQ(found, texts) << name << ' ' << from;
    }
  }
}

// --------------------------------------------------------------------------------------- squares

TEST(Squares, AreReachedByKeysFromEachOther) {
  for (const std::string& name : every_game()) {
    const ReportJson reply = ask("squares", place(name, random_moves(find_game(name), 20, 3)));
    std::map<int, std::vector<int>> next;
    for (const ReportJson& square : reply["squares"]) {
      next[square["number"].get<int>()] = square["next"].get<std::vector<int>>();
      EXPECT_FALSE(square["name"].get<std::string>().empty());
      EXPECT_FALSE(square["says"].get<std::string>().empty());
    }
    const int first = next.begin()->first;
    std::set<int> reached = {first};
    std::vector<int> open = {first};
    while (!open.empty()) {
      const int at = open.back();
      open.pop_back();
      for (const int to : next.at(at)) {
        if (to < 0) continue;
        ASSERT_TRUE(next.contains(to)) << name;
        if (reached.insert(to).second) open.push_back(to);
      }
    }
    EXPECT_EQ(reached.size(), next.size()) << name;
  }
}

TEST(Squares, SayWhatStandsThereAndWhatAttacksIt) {
  const ReportJson reply = ask("squares", place("chess", {"e4", "d5"}));
  const auto says = [&](int number) {
    for (const ReportJson& square : reply["squares"])
      if (square["number"] == number) return square["says"].get<std::string>();
    return std::string();
  };
  EXPECT_EQ(says(35), "black pawn, attacked by white, protected, can be taken by pawn e4");
  EXPECT_EQ(says(28), "white pawn, attacked by black, 2 moves");
  EXPECT_EQ(says(24), "empty");
  const ReportJson escher = ask("squares", place("escher"));
  EXPECT_THAT(escher["squares"][16]["says"], HasSubstr("staircase to b3")) << "a3";
}

// ------------------------------------------------------------------------------------ read, write

TEST(Read, WhatIsWrittenGivesTheSameBackForEveryGame) {
  for (const std::string& name : every_game()) {
    const Game& game = find_game(name);
    const std::vector<std::string> moves = random_moves(game, 40, 11);
    ReportJson request = {{"game", game.variant()},
                          {"moves", moves},
                          {"white", "A. Person"},
                          {"black", "fast"},
                          {"result", "1-0"},
                          {"values", ReportJson::array()},
                          {"marks", {}},
                          {"comments", {}},
                          {"comment", "by the fire"},
                          {"name", "an evening"}};
    for (std::size_t i = 0; i < moves.size(); ++i) {
      request["values"].push_back(i % 3 == 0   ? ReportJson(nullptr)
                                  : i % 3 == 1 ? ReportJson({0.5, 0.25, 0.25})
                                               : ReportJson({0.5, 0.25, 0.25, 31.5}));
      request["marks"].push_back(i % 4 == 1 ? ReportJson("?!") : ReportJson(nullptr));
      request["comments"].push_back(i % 5 == 2 ? ReportJson("a long think") : ReportJson(nullptr));
    }
    // In place of the third move, and of the second one of that: a move, and one after another.
    const auto other = [&](std::vector<std::string> line, const std::string& not_this) {
      const ReportJson legal = ask("position", place(name, line))["legal"];
      for (const ReportJson& move : legal)
        if (move["text"] != not_this) return move["text"].get<std::string>();
      return not_this;
    };
    std::vector<std::string> line(moves.begin(), moves.begin() + 2);
    const std::string third = other(line, moves[2]);
    line.push_back(third);
    const std::string fourth = other(line, ""), instead = other(line, fourth);
    request["variations"] = {{{"line", 0},
                              {"ply", 2},
                              {"moves", {third, fourth}},
                              {"values", {nullptr, {0.25, 0.5, 0.25, 12}}},
                              {"marks", {"!?", nullptr}}},
                             {{"line", 1},
                              {"ply", 1},
                              {"moves", ReportJson::array({instead})},
                              {"comments", ReportJson::array({"or so"})}}};
    const auto over = ask("position", place(name, moves));
    if (over.contains("ending")) request["result"] = over["ending"]["result"];
    const std::string text = ask("write", request)["text"];
    ReportJson read = ask("read", {{"text", text}, {"game", "escher"}})["games"];
    ASSERT_EQ(read.size(), 1U);
    // What the variations are called is told, too.
    for (ReportJson& variation : read[0].at("variations")) {
      EXPECT_EQ(variation["san"].size(), variation["moves"].size());
      variation.erase("san");
    }
    for (const auto& [key, value] : request.items())
      EXPECT_EQ(read[0].value(key, ReportJson(nullptr)), value) << name << ' ' << key << '\n'
                                                                << text;
    EXPECT_EQ(ask("write", read[0])["text"], text) << name;
  }
}

TEST(Read, TakesGamesPositionsAndMoves) {
  EXPECT_EQ(read_one("1. e4 e5 (1... c5 2. Nf3) 2. Nf3 {a comment} *")["moves"],
            ReportJson({"e2e4", "e7e5", "g1f3"}));
  EXPECT_EQ(
      read_one("1. e4 e5 (1... c5 2. Nf3) 2. Nf3 *")["variations"],
      ReportJson::parse(R"([{"line":0,"ply":1,"moves":["c7c5","g1f3"],"san":["c5","Nf3"]}])"));
  EXPECT_EQ(read_one("e2e4 e7e5")["moves"], ReportJson({"e2e4", "e7e5"}));
  EXPECT_EQ(read_one("e4 c7c5", "escher")["game"], "escher");
}

TEST(Read, TakesPositionsOfUci) {
  EXPECT_EQ(read_one("position startpos moves e2e4 e7e5")["moves"], ReportJson({"e2e4", "e7e5"}));
  const ReportJson placed =
      read_one("position fen 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1 moves e2e4 e8d7");
  EXPECT_EQ(placed["fen"], "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1");
  EXPECT_EQ(placed["moves"], ReportJson({"e2e4", "e8d7"}));
}

TEST(Read, FindsTheGameOfAPosition) {
  for (const std::string& name : every_game()) {
    const Game& game = find_game(name);
    const auto position = game.start();
    for (const std::string& move : random_moves(game, 15, 2))
      position->play(position->parse_move(move).value());
    const ReportJson named = read_one(position->fen(), name);
    EXPECT_EQ(named["game"], game.variant());
    EXPECT_EQ(named.value("fen", game.start()->fen()), position->fen());
    if (!name.starts_with("data:") && name.find(':') != std::string::npos) continue;
    const ReportJson found = read_one(position->fen());
    EXPECT_EQ(position_of(find_game(found["game"].get<std::string>()), position->fen())->fen(),
              position->fen())
        << name;
  }
}

TEST(Read, SaysWhereAMistakeIs) {
  EXPECT_THAT(refusal("read", {{"text", "e2e4 e7e6 e2e4"}}),
              HasSubstr("line 1, column 11: 'e2e4' is not a legal move of chess"));
  EXPECT_THAT(refusal("read", {{"text", "[White \"a\"]\n\n1. e4 e5\n2. Ke3"}}),
              HasSubstr("game 1, line 4: 'Ke3' is not a legal move"));
  EXPECT_THAT(refusal("read", {{"text", "4k3/8/8/8/8/8/8/4K3 x - - 0 1"}}),
              HasSubstr("line 1, column 21: FEN field 'side'"));
  EXPECT_THAT(refusal("read", {{"text", find_game("escher").start()->fen()}, {"game", "gardner"}}),
              HasSubstr("it is a position of"));
  EXPECT_THAT(refusal("read", {{"text", " \n "}}), HasSubstr("no game or position"));
  EXPECT_EQ(refused_field("read", {{"text", "nonsense"}}), "text");
}

TEST(Write, RefusesWhatDoesNotFitTheMoves) {
  ReportJson game = place("chess", {"e2e4"});
  game["marks"] = {"?", "!"};
  EXPECT_EQ(refused_field("write", game), "marks");
  game["marks"] = {"?!?"};
  EXPECT_EQ(refused_field("write", game), "marks");
  game["marks"] = {3};
  EXPECT_EQ(refused_field("write", game), "marks");
  game.erase("marks");
  game["values"] = ReportJson::array({ReportJson::array({1, 2})});
  EXPECT_EQ(refused_field("write", game), "values");
  game.erase("values");
  game["result"] = "2-0";
  EXPECT_EQ(refused_field("write", game), "result");
  game["result"] = "*";
  EXPECT_EQ(refused_field("write", game), "answered");
  const ReportJson variation = {{"line", 0}, {"ply", 0}, {"moves", ReportJson::array({"d2d4"})}};
  game["variations"] = ReportJson::array({variation});
  EXPECT_EQ(refused_field("write", game), "answered");
  for (const auto& [field, wrong] : {std::pair<const char*, ReportJson>("line", 1),
                                     {"line", -1},
                                     {"ply", 1},
                                     {"ply", "0"},
                                     {"moves", ReportJson::array({"e7e5"})},
                                     {"moves", 3}}) {
    game["variations"][0] = variation;
    game["variations"][0][field] = wrong;
    EXPECT_EQ(refused_field("write", game), field) << wrong;
  }
  game["variations"][0] = variation;
  game["variations"][0]["moves"] = ReportJson::array();
  EXPECT_EQ(refused_field("write", game), "");
  game["variations"] = 1;
  EXPECT_EQ(refused_field("write", game), "variations");
}

// ------------------------------------------------------------------------------------ rules, games

TEST(Rules, ShowHowPiecesOfTheFamiliesMove) {
  const ReportJson reply = ask("rules", {{"game", "chess"}});
  std::map<std::string, std::array<std::size_t, 3>> reach;
  for (const ReportJson& piece : reply["pieces"])
    reach[piece["name"].get<std::string>()] = {piece["moves"].size(), piece["captures"].size(),
                                               piece["both"].size()};
  using Reach = std::array<std::size_t, 3>;
  EXPECT_EQ(reach["knight"], (Reach{0, 0, 8}));
  EXPECT_EQ(reach["bishop"], (Reach{0, 0, 13}));
  EXPECT_EQ(reach["rook"], (Reach{0, 0, 14}));
  EXPECT_EQ(reach["queen"], (Reach{0, 0, 27}));
  EXPECT_EQ(reach["king"], (Reach{0, 0, 8}));
  EXPECT_EQ(reach["pawn"], (Reach{1, 2, 0}));
}

TEST(Rules, SayInSentencesWhatPiecesOfGameFilesDo) {
  const ReportJson reply = ask("rules", {{"game", "data:capablanca"}});
  for (const ReportJson& piece : reply["pieces"])
    if (piece["name"] == "archbishop") {
      EXPECT_EQ(piece["text"], "Slides diagonally. Leaps like a knight.");
      return;
    }
  FAIL() << "there is no archbishop";
}

TEST(Rules, OfEveryGameHaveTextAndPieces) {
  for (const std::string& name : every_game()) {
    const ReportJson reply = ask("rules", {{"game", name}});
    EXPECT_FALSE(reply["title"].get<std::string>().empty());
    EXPECT_FALSE(reply["text"].get<std::string>().empty());
    EXPECT_GE(reply["pieces"].size(), name == "data:breakthrough" ? 1U : 3U) << name;
    for (const ReportJson& piece : reply["pieces"]) {
      EXPECT_TRUE(reply["shapes"].contains(piece["shape"].get<std::string>())) << name << piece;
      EXPECT_LT(piece["frame"]["b"].get<std::size_t>(), reply["boards"].size());
      EXPECT_FALSE(piece["text"].get<std::string>().empty()) << name << piece;
      EXPECT_GT(piece["moves"].size() + piece["captures"].size() + piece["both"].size(), 0U)
          << name << ' ' << piece["name"];
    }
    const bool moves = !name.starts_with("data:") && !name.starts_with("chess") &&
                       !name.starts_with("gardner") && name != "inferno:levels=1" &&
                       !name.starts_with("slanted") && name != "earthquake";
    EXPECT_TRUE(!moves || !reply["examples"].empty()) << name;
  }
}

TEST(Games, AreAllListedWithOptions) {
  const ReportJson games = ask("games", ReportJson::object())["games"];
  EXPECT_EQ(games.size(), all_families().size() + data::shipped_game_names().size());
  for (const ReportJson& game : games) {
    EXPECT_FALSE(game["title"].get<std::string>().empty());
    EXPECT_THAT(game["board"], HasSubstr("×"));
    for (const ReportJson& option : game["options"]) {
      EXPECT_GE(option["values"].size(), 2U) << option;
      int valid = 0;
      for (const ReportJson& value : option["values"])
        try {
          find_game(game["name"].get<std::string>() + ":" + option["name"].get<std::string>() +
                    "=" + value.get<std::string>());
          ++valid;
        } catch (const VariantError&) {
          continue;  // it needs another option
        }
      EXPECT_GE(valid, 1) << option;
    }
  }
  EXPECT_EQ(ask("players", {{"game", "slanted:board=mini"}})["players"],
            ReportJson::array({"alphabeta"}));
  EXPECT_EQ(refused_field("players", {{"game", "nonsense"}}), "game");
  EXPECT_EQ(games[0]["board"], "8×8");
  EXPECT_EQ(games[2]["board"], "10×9");
  EXPECT_EQ(games[4]["board"], "8×8, 5 levels");
  EXPECT_EQ(games[5]["options"][0]["values"].size(), 28U) << "pairs of eight areas";
}

// ----------------------------------------------------------------------------------------- setup

TEST(Setup, FindsEverySquareOfEveryGame) {
  for (const std::string& name : every_game()) {
    const Game& game = find_game(name);
    const CellSquares cells = cells_of(game);
    for (const PictureSquare& square : game.start()->board_picture().squares)
      EXPECT_TRUE(cells.cell_of(square.square)) << name << ' ' << square.name;
  }
}

TEST(Setup, EmptiesAndFillsSquares) {
  for (const std::string& name : every_game()) {
    const Game& game = find_game(name);
    const auto position = game.start();
    for (const std::string& move : random_moves(game, 12, 4))
      position->play(position->parse_move(move).value());
    if (is_over(position->outcome())) continue;
    int changed = 0;
    for (const PictureSquare& square : position->board_picture().squares) {
      if (!square.piece.exists()) continue;
      const ReportJson emptied =
          ask("setup", {{"game", name}, {"fen", position->fen()}, {"put", {square.square, "."}}});
      if (emptied["problem"] != "") continue;  // a king, or a check is uncovered
      const auto after = game.from_fen(emptied["fen"].get<std::string>());
      EXPECT_FALSE(after->piece_at(square.square).exists()) << name << ' ' << square.name;
      for (const PictureSquare& other : position->board_picture().squares)
        EXPECT_TRUE(other.square == square.square || after->piece_at(other.square) == other.piece)
            << name << ' ' << other.name;
      ++changed;
    }
    EXPECT_GT(changed, 2) << name;
  }
}

TEST(Setup, TakesPiecesInHandAndPutsThemAway) {
  const std::string start = ask("setup", {{"game", "data:crazyhouse"}, {"fen", ""}})["fen"];
  const auto change = [](const std::string& fen, const char* letter, int by) {
    return ask(
        "setup",
        {{"game", "data:crazyhouse"}, {"fen", fen}, {"hand", ReportJson::array({letter, by})}});
  };
  ReportJson reply = change(change(start, "N", 1)["fen"], "p", 1);
  reply = change(reply["fen"], "N", 1);
  EXPECT_EQ(reply["problem"], "");
  EXPECT_THAT(reply["fen"].get<std::string>(), HasSubstr("[NNp]"));
  std::map<std::string, std::pair<int, int>> held;
  for (const ReportJson& one : reply["hands"])
    held[one["letter"].get<std::string>()] = {one["white"].get<int>(), one["black"].get<int>()};
  EXPECT_EQ(held.size(), 5U) << "all but the king";
  EXPECT_EQ(held["N"], std::pair(2, 0));
  EXPECT_EQ(held["P"], std::pair(0, 1));
  EXPECT_EQ(ask("position", {{"game", "data:crazyhouse"},
                             {"fen", reply["fen"]},
                             {"moves", ReportJson::array()}})["hands"][0]
                .get<std::string>()
                .size(),
            2U);
  reply = change(reply["fen"], "N", -1);
  EXPECT_THAT(reply["fen"].get<std::string>(), HasSubstr("[Np]"));
  EXPECT_EQ(change(change(reply["fen"], "N", -1)["fen"], "N", -1)["fen"],
            change(start, "p", 1)["fen"]);
  const auto refused = [](const std::string& game, const ReportJson& hand) {
    return refused_field("setup", {{"game", game}, {"fen", ""}, {"hand", hand}});
  };
  for (const ReportJson& wrong :
       {ReportJson("N"), ReportJson::array({"K", 1}), ReportJson::array({"N", 2}),
        ReportJson::array({"NN", 1}), ReportJson::array({1, 1})})
    EXPECT_EQ(refused("data:crazyhouse", wrong), "hand") << wrong;
  EXPECT_EQ(refused("chess", ReportJson::array({"N", 1})), "hand");
  EXPECT_FALSE(ask("setup", {{"game", "chess"}, {"fen", ""}}).contains("hands"));
  for (const char* const game : {"data:shogi", "data:minishogi"})
    EXPECT_GE(ask("setup", {{"game", game}, {"fen", ""}})["hands"].size(), 5U) << game;
}

TEST(Setup, GoesOnWithPositionsThatCannotBe) {
  const auto setup = [](const std::string& fen, const ReportJson& put) {
    return ask("setup", {{"game", "chess"}, {"fen", fen}, {"put", put}});
  };
  const ReportJson none = setup("", {4, "."});
  EXPECT_THAT(none["problem"], HasSubstr("white has 0 kings"));
  const ReportJson moved = setup(none["fen"], {20, "K"});
  EXPECT_EQ(moved["problem"], "");
  EXPECT_EQ(moved["fen"], "rnbqkbnr/pppppppp/8/8/8/4K3/PPPPPPPP/RNBQ1BNR w kq - 0 1")
      << "the king's rights are lost, Black's are not";
  const ReportJson rook = setup("", {0, "."});
  EXPECT_EQ(rook["fen"], "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/1NBQKBNR w Kkq - 0 1");
  const ReportJson black = ask("setup", {{"game", "chess"}, {"fen", ""}, {"turn", "black"}});
  EXPECT_EQ(black["fen"], "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1");
  EXPECT_NE(setup("nonsense", nullptr)["problem"], "");
}

// ------------------------------------------------------------------------------ malformed requests

TEST(Requests, ThatAreWrongNameTheField) {
  const ReportJson moves = ReportJson::array();
  EXPECT_EQ(refused_field("position", {{"moves", moves}}), "game");
  EXPECT_EQ(refused_field("position", {{"game", 3}, {"moves", moves}}), "game");
  EXPECT_EQ(refused_field("position", {{"game", "nonsense"}, {"moves", moves}}), "game");
  EXPECT_EQ(refused_field("position", {{"game", "escher:a=b"}, {"moves", moves}}), "game");
  EXPECT_EQ(refused_field("position", {{"game", "data:../nonsense"}, {"moves", moves}}), "game");
  EXPECT_EQ(refused_field("position", {{"game", "chess"}}), "moves");
  EXPECT_EQ(refused_field("position", {{"game", "chess"}, {"moves", "e4"}}), "moves");
  EXPECT_EQ(refused_field("position", {{"game", "chess"}, {"moves", {1}}}), "moves");
  EXPECT_EQ(refused_field("position", {{"game", "chess"}, {"moves", {"e4", "e4"}}}), "moves");
  EXPECT_EQ(refused_field("position", {{"game", "chess"}, {"moves", moves}, {"fen", 3}}), "fen");
  EXPECT_EQ(refused_field("position", {{"game", "chess"}, {"moves", moves}, {"fen", "8/8"}}),
            "fen");
  EXPECT_EQ(refused_field("position", ReportJson::array({1, 2})), "");
  for (const ReportJson& from : {ReportJson("e2"), ReportJson(1.5), ReportJson(-2),
                                 ReportJson(1e300), ReportJson(nullptr)}) {
    ReportJson request = place("chess");
    request["from"] = from;
    EXPECT_EQ(refused_field("previews", request), "from") << from;
  }
  for (const ReportJson& put :
       {ReportJson("a"), ReportJson::array({1}), ReportJson::array({"a", "P"}),
        ReportJson::array({1, "X"}), ReportJson::array({-1, "P"}), ReportJson::array({400, "P"}),
        ReportJson::array({100, "P"}), ReportJson::array({1, ""})}) {
    EXPECT_EQ(refused_field("setup", {{"game", "chess"}, {"fen", ""}, {"put", put}}), "put") << put;
  }
  EXPECT_EQ(refused_field("setup", {{"game", "chess"}, {"fen", ""}, {"turn", "w"}}), "turn");
  EXPECT_EQ(refused_field("setup", {{"game", "chess"}}), "fen");
  EXPECT_EQ(refused_field("read", ReportJson::object()), "text");
  EXPECT_EQ(refused_field("rules", ReportJson::object()), "game");
}

}  // namespace
}  // namespace faultline::web
