// The dialogue of `play`, without a terminal and without a network.
#include "analysis/play_dialogue.h"

#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "analysis/play_text.h"
#include "rules/families/chess.h"
#include "strategy/strategy_text.h"

namespace faultline {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

/// A dialogue and its output.
class Talk {
 public:
  explicit Talk(const std::string& variant, const std::string& fen = "", PlayOptions options = {},
                const StrategyText* strategy = nullptr)
      : game_(find_game(variant)),
        dialogue_(game_, fen.empty() ? game_.start() : game_.from_fen(fen),
                  game_.puct_searcher({}, game_.uniform_evaluator(), strategy),
                  game_.puct_searcher({}, game_.uniform_evaluator(), nullptr), out_,
                  with_few_visits(std::move(options))) {
    dialogue_.begin();
    greeting_ = take();
  }
  /// Its reply to a line.
  std::string say(const std::string& input) {
    dialogue_.hear(input);
    return take();
  }
  const std::string& greeting() const { return greeting_; }
  const PlayDialogue& dialogue() const { return dialogue_; }
  std::string fen() const { return dialogue_.position().fen(); }
  int plies() const { return dialogue_.position().plies(); }

 private:
  static PlayOptions with_few_visits(PlayOptions options) {
    options.limits.visits = 60;
    return options;
  }
  std::string take() {
    std::string text = out_.str();
    out_.str("");
    return text;
  }

  const Game& game_;
  std::ostringstream out_;
  PlayDialogue dialogue_;
  std::string greeting_;
};

constexpr const char* kBackRank = "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1";

TEST(Play, RepliesToAMoveWithTheBoardAMoveAndItsEvaluation) {
  Talk talk("escher");
  EXPECT_THAT(talk.greeting(), AllOf(HasSubstr("You play white"), HasSubstr("help")));
  const std::string answer = talk.say("e2e4");
  EXPECT_THAT(answer, AllOf(HasSubstr("Last move: e4 (white)"), HasSubstr("The program plays "),
                            HasSubstr("60 visits"), HasSubstr("draw 100 %"), HasSubstr("line "),
                            HasSubstr("(black)")));
  EXPECT_EQ(talk.plies(), 2);
  EXPECT_EQ(talk.dialogue().prompt(), "white 2> ");
}

TEST(Play, MovesFirstIfThePersonHasBlack) {
  Talk talk("chess", "", {.person = Colour::Black});
  EXPECT_THAT(talk.greeting(), AllOf(HasSubstr("You play black"), HasSubstr("The program plays ")));
  EXPECT_EQ(talk.plies(), 1);
  EXPECT_EQ(talk.dialogue().prompt(), "black 1> ");
}

TEST(Play, UnderstandsMovesAsPeopleWriteThem) {
  Talk talk("chess", "7k/P7/8/8/8/8/8/K7 w - - 0 1");
  talk.say("A7-A8=Q");
  EXPECT_THAT(talk.fen(), StartsWith("Q"));
  EXPECT_EQ(tidy_move("e4xd5"), "e4d5");
}

TEST(Play, NamesTheNearestLegalMoves) {
  Talk talk("chess");
  EXPECT_THAT(talk.say("e2e5"), HasSubstr("Near it: e2e3 e2e4\n"));
  EXPECT_THAT(talk.say("e3e4"), HasSubstr("Near it: e2e4\n"));  // no move leaves e3
  EXPECT_THAT(talk.say("undoo"), HasSubstr("did you mean 'undo'?"));
  EXPECT_THAT(talk.say("xyzzy"), AllOf(HasSubstr("neither a command nor a legal move"),
                                       HasSubstr("'help'"), HasSubstr("'moves'")));
  EXPECT_EQ(talk.plies(), 0);
}

TEST(Play, ListsLegalMovesAllOrOfOnePiece) {
  Talk talk("chess");
  EXPECT_EQ(talk.say("moves e2"), "e2e3 e2e4\n");
  EXPECT_EQ(talk.say("moves a1"), "No legal move leaves 'a1'.\n");
  const std::string all = talk.say("moves");
  EXPECT_EQ(std::count(all.begin(), all.end(), ' '), 19);
  EXPECT_EQ(talk.say("moves \x1b[31m"), "No legal move leaves '?[31m'.\n");
  EXPECT_THAT(talk.say("\x1b[31m" + std::string(500, 'x')), StartsWith("'?[31mxxx"));
  EXPECT_THAT(talk.say("help"), HasSubstr(ChessPosition::describe({}).move_examples));
  EXPECT_THAT(talk.say("help"), AllOf(HasSubstr("undo"), HasSubstr("hint"), HasSubstr("resign")));
}

TEST(Play, AnnouncesMateByThePerson) {
  Talk talk("chess", kBackRank);
  const std::string answer = talk.say("a1a8");
  EXPECT_THAT(answer, AllOf(HasSubstr("Checkmate: white wins."), HasSubstr("'new'"),
                            Not(HasSubstr("The program plays"))));
  EXPECT_EQ(talk.dialogue().outcome(), Outcome::WhiteWins);
  EXPECT_THAT(talk.say("g8h8"), HasSubstr("The game is over"));
  EXPECT_THAT(talk.say("hint"), HasSubstr("The game is over"));
  EXPECT_THAT(talk.say("moves"), HasSubstr("There are no legal moves"));
}

TEST(Play, HintsAtTheMateInOne) {
  Talk talk("chess", kBackRank);
  EXPECT_THAT(talk.say("hint"), StartsWith("Ra8# (win "));
  EXPECT_EQ(talk.plies(), 0);
}

TEST(Play, GivesMateItself) {
  Talk talk("chess", kBackRank, {.person = Colour::Black});
  EXPECT_THAT(talk.greeting(),
              AllOf(HasSubstr("The program plays Ra8#"), HasSubstr("Checkmate: white wins.")));
}

TEST(Play, FollowsAStrategyAndHintsWithoutIt) {
  const StrategyText strategy = parse_strategy(
      "[[rules]]\nwhen = { not = { to = 'a6' } }\nforbid = true\n"
      "[[rules]]\nwhen = { to = 'h3' }\nbonus = 2\n",
      "test");
  Talk talk("chess", "", {}, &strategy);
  EXPECT_THAT(talk.say("e2e4"), testing::ContainsRegex("The program plays N?a6"));
  EXPECT_THAT(talk.say("hint"), Not(HasSubstr("h3 ")));
}

TEST(Play, SaysWhatBecomesOfALevelThatIsWon) {
  Talk talk("inferno:levels=2", "7k/1n6/8/8/8/8/8/7K|k7/8/2K5/8/8/8/1Q6/8 w -|- - 3 7");
  EXPECT_THAT(talk.say("Q2b7"),
              HasSubstr("Last move: Q2b7(2) (white). White wins level 2: Black's pieces on it are "
                        "removed, K2c6 and Q2b7 ascend to level 1, capturing N1b7.\n"));
}

TEST(Play, AnnouncesCheck) {
  Talk talk("chess", "4k3/8/8/8/8/8/8/R3K3 w - - 0 1");
  EXPECT_THAT(talk.say("a1a8"), HasSubstr("Black is in check."));
}

TEST(Play, AnnouncesADrawByRepetition) {
  // The program's king has only two squares, so the position repeats.
  Talk talk("chess", "k7/8/2Q5/8/8/8/P7/7K b - - 0 1");
  EXPECT_THAT(talk.greeting(), HasSubstr("The program plays K"));
  std::string answer;
  for (int i = 0; i < 12 && !talk.dialogue().is_over(); ++i)
    answer = talk.say(i % 2 == 0 ? "h1g1" : "g1h1");
  EXPECT_THAT(answer, HasSubstr("The same position too many times: a draw."));
}

TEST(Play, TakesBackAMoveAndItsReply) {
  Talk talk("escher");
  const std::string start = talk.fen();
  EXPECT_THAT(talk.say("undo"), HasSubstr("no move of yours"));
  talk.say("e2e4");
  const std::string later = talk.fen();
  talk.say("d2d3");
  EXPECT_EQ(talk.plies(), 4);
  talk.say("undo");
  EXPECT_EQ(talk.fen(), later);
  talk.say("undo");
  EXPECT_EQ(talk.fen(), start);
  talk.say("e2e4");
  EXPECT_EQ(talk.fen(), later) << "the program answers as it did";
}

TEST(Play, TakesBackTheMoveThatEndedTheGame) {
  Talk talk("chess", kBackRank);
  talk.say("a1a8");
  talk.say("undo");
  EXPECT_EQ(talk.fen(), kBackRank);
  EXPECT_FALSE(talk.dialogue().is_over());
  EXPECT_THAT(talk.say("a1a7"), HasSubstr("The program plays"));
}

TEST(Play, AResignationCanBeTakenBack) {
  Talk talk("escher");
  talk.say("e2e4");
  const std::string fen = talk.fen();
  EXPECT_THAT(talk.say("resign"), HasSubstr("You resign: black wins."));
  EXPECT_EQ(talk.dialogue().outcome(), Outcome::BlackWins);
  EXPECT_THAT(talk.say("d2d3"), HasSubstr("The game is over"));
  talk.say("undo");
  EXPECT_FALSE(talk.dialogue().is_over());
  EXPECT_EQ(talk.fen(), fen);
}

TEST(Play, StartsANewGameWithEitherSide) {
  Talk talk("chess");
  talk.say("e2e4");
  EXPECT_THAT(talk.say("new black"), HasSubstr("You play black"));
  EXPECT_EQ(talk.plies(), 1);
  EXPECT_THAT(talk.say("new white"), HasSubstr("You play white"));
  EXPECT_EQ(talk.plies(), 0);
  EXPECT_THAT(talk.say("new green"), HasSubstr("'new white'"));
}

TEST(Play, ShowsThePositionAndQuits) {
  Talk talk("chess");
  EXPECT_EQ(talk.say("fen"), talk.fen() + "\n");
  EXPECT_THAT(talk.say("board"), HasSubstr("R"));
  EXPECT_THAT(talk.say("   "), IsEmpty());
  EXPECT_FALSE(talk.dialogue().has_left());
  talk.say("quit");
  EXPECT_TRUE(talk.dialogue().has_left());
}

TEST(Play, ReportsAtOnceThatTheGameIsOver) {
  Talk talk("chess", "R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1", {.person = Colour::Black});
  EXPECT_THAT(talk.greeting(), HasSubstr("Checkmate: white wins."));
  EXPECT_TRUE(talk.dialogue().is_over());
}

TEST(Play, AnInterruptedSearchPlaysNothing) {
  bool interrupted = false;
  Talk talk("chess", "", {.interrupted = [&] { return interrupted; }});
  interrupted = true;
  EXPECT_THAT(talk.say("e2e4"), Not(HasSubstr("The program plays")));
  EXPECT_EQ(talk.plies(), 1);
}

TEST(PlayText, FindsMovesToTheSquareIfNoneLeavesIt) {
  const std::vector<std::string> legal = {"e2e4", "d2d4", "g1f3", "e1g1"};
  EXPECT_THAT(near_moves("e2", legal), ElementsAre("e2e4"));
  EXPECT_THAT(near_moves("f3", legal), ElementsAre("g1f3"));
  EXPECT_THAT(near_moves("a1f3", legal), ElementsAre("g1f3"));
  EXPECT_THAT(near_moves("A1-F3", legal), ElementsAre("g1f3"));
  const std::vector<std::string> levels = {"1a2-1a3", "1a2-2a3", "2a2-2a3"};
  EXPECT_THAT(near_moves("1a2-1a9", levels), ElementsAre("1a2-1a3", "1a2-2a3"));
  EXPECT_THAT(near_moves("2b2-1A3", levels), ElementsAre("1a2-1a3"));
}

TEST(PlayText, EveryOutcomeHasASentence) {
  for (const Outcome outcome :
       {Outcome::WhiteWins, Outcome::BlackWins, Outcome::Stalemate, Outcome::BareKings,
        Outcome::FiftyMoveRule, Outcome::Repetition, Outcome::Adjudicated})
    EXPECT_THAT(outcome_sentence(outcome, true), HasSubstr(is_draw(outcome) ? "a draw." : "wins."));
  EXPECT_EQ(outcome_sentence(Outcome::WhiteWins, true), "Checkmate: white wins.");
  EXPECT_EQ(outcome_sentence(Outcome::WhiteWins, false), "White wins.");
}

}  // namespace
}  // namespace faultline
