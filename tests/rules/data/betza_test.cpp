// Texts of moves, as legs and as sentences.
#include "rules/data/betza.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

namespace faultline::data {
namespace {

/// "m N*2/E": a leg as text; marks for what it can, directions, how often.
std::string shown(const Leg& leg) {
  constexpr std::array<std::string_view, kDirections> kNames = {"n", "ne", "e", "se",
                                                                "s", "sw", "w", "nw"};
  std::string text;
  if (leg.moves) text += 'm';
  if (leg.captures) text += 'c';
  if (leg.en_passant) text += 'e';
  if (leg.initial) text += 'i';
  if (leg.lame) text += '-';
  if (leg.leaves_passed) text += '!';
  if (leg.hop == Hop::Cannon) text += 'p';
  if (leg.hop == Hop::Grasshopper) text += 'g';
  text += ' ';
  for (std::size_t i = 0; i < leg.stretches.size(); ++i) {
    if (i > 0) text += '/';
    for (std::size_t j = 0; j < leg.stretches[i].step.size(); ++j)
      text += (j > 0 ? "," : "") +
              std::string(kNames[static_cast<std::size_t>(index(leg.stretches[i].step[j]))]);
    if (leg.stretches[i].most != 1)
      text += leg.stretches[i].most == kNoLimit ? "*" : std::to_string(leg.stretches[i].most);
  }
  return text;
}

std::vector<std::string> legs_of(std::string_view text) {
  std::vector<std::string> legs;
  for (const BetzaPart& part : read_betza(text).parts)
    for (const Leg& leg : part.legs)
      legs.push_back(shown(leg));
  std::ranges::sort(legs);
  return legs;
}

using Legs = std::vector<std::string>;

TEST(Betza, AtomsAreStepsLeapsAndSlides) {
  EXPECT_EQ(legs_of("W"), (Legs{"mc e", "mc n", "mc s", "mc w"}));
  EXPECT_EQ(legs_of("F"), (Legs{"mc ne", "mc nw", "mc se", "mc sw"}));
  EXPECT_EQ(legs_of("D"), (Legs{"mc e,e", "mc n,n", "mc s,s", "mc w,w"}));
  EXPECT_EQ(legs_of("N"), (Legs{"mc e,ne", "mc e,se", "mc n,ne", "mc n,nw", "mc s,se", "mc s,sw",
                                "mc w,nw", "mc w,sw"}));
  EXPECT_EQ(legs_of("fA"), (Legs{"mc ne,ne", "mc nw,nw"}));
  EXPECT_EQ(legs_of("fH"), (Legs{"mc n,n,n"}));
  EXPECT_EQ(legs_of("rfC"), (Legs{"mc n,n,ne"}));
  EXPECT_EQ(legs_of("rfZ"), (Legs{"mc n,ne,ne"}));
  EXPECT_EQ(legs_of("frG"), (Legs{"mc ne,ne,ne"}));
  EXPECT_EQ(legs_of("lf(1,4)"), (Legs{"mc n,n,n,nw"}));
  EXPECT_EQ(legs_of("lf(4, 1)"), legs_of("lf(1,4)"));
  EXPECT_EQ(legs_of("R"), (Legs{"mc e*", "mc n*", "mc s*", "mc w*"}));
  EXPECT_EQ(legs_of("R"), legs_of("WW"));
  EXPECT_EQ(legs_of("Q"), legs_of("RB"));
  EXPECT_EQ(legs_of("K"), legs_of("WF"));
}

TEST(Betza, NumbersAndDoubledLettersRepeat) {
  EXPECT_EQ(legs_of("fR4"), (Legs{"mc n4"}));
  EXPECT_EQ(legs_of("fW3"), (Legs{"mc n3"}));
  EXPECT_EQ(legs_of("fW0"), (Legs{"mc n*"}));
  EXPECT_EQ(legs_of("rfNN"), (Legs{"mc n,ne*"}));
  EXPECT_EQ(legs_of("rfN2"), (Legs{"mc n,ne2"}));
  EXPECT_EQ(legs_of("fDD"), (Legs{"mc n,n*"}));
}

TEST(Betza, DirectionsAreXBetzas) {
  EXPECT_EQ(legs_of("fsW"), (Legs{"mc e", "mc n", "mc w"}));
  EXPECT_EQ(legs_of("vR"), (Legs{"mc n*", "mc s*"}));
  EXPECT_EQ(legs_of("fF"), (Legs{"mc ne", "mc nw"}));
  EXPECT_EQ(legs_of("lF"), (Legs{"mc nw", "mc sw"}));
  EXPECT_EQ(legs_of("frF"), (Legs{"mc ne"}));
  EXPECT_EQ(legs_of("fmrF"), (Legs{"m ne", "m nw", "m se"}));  // not next to each other
  EXPECT_EQ(legs_of("fN"), (Legs{"mc n,ne", "mc n,nw"}));
  EXPECT_EQ(legs_of("ffN"), legs_of("fN"));
  EXPECT_EQ(legs_of("fsN"), (Legs{"mc e,ne", "mc w,nw"}));
  EXPECT_EQ(legs_of("fhN"), (Legs{"mc e,ne", "mc n,ne", "mc n,nw", "mc w,nw"}));
  EXPECT_EQ(legs_of("lfN"), (Legs{"mc n,nw"}));
  EXPECT_EQ(legs_of("flN"), (Legs{"mc w,nw"}));
  EXPECT_EQ(legs_of("hrN"), (Legs{"mc e,se", "mc n,ne", "mc s,sw", "mc w,nw"}));
  EXPECT_EQ(legs_of("hlN"), (Legs{"mc e,ne", "mc n,nw", "mc s,se", "mc w,sw"}));
}

TEST(Betza, ModifiersSayWhatAMoveCan) {
  EXPECT_EQ(legs_of("fmWfceFifmnD"), (Legs{"ce ne", "ce nw", "m n", "mi-! n,n"}));
  EXPECT_EQ(legs_of("fnN"), (Legs{"mc- n,ne", "mc- n,nw"}));
  EXPECT_EQ(legs_of("fmRfcpR"), (Legs{"cp n*", "m n*"}));
  EXPECT_EQ(legs_of("fgQ"), (Legs{"mcg n*", "mcg ne*", "mcg nw*"}));
  EXPECT_EQ(legs_of("fmnD"), (Legs{"m-! n,n"}));
  EXPECT_EQ(legs_of("fnD"), (Legs{"mc- n,n"}));
}

TEST(Betza, BracketsBend) {
  EXPECT_EQ(legs_of("fl[F?R]"), (Legs{"mc nw", "mc nw/n*", "mc nw/w*"}));
  EXPECT_EQ(legs_of("f[W-B]"), (Legs{"mc n/ne*", "mc n/nw*"}));
  EXPECT_EQ(legs_of("f[W-W]"), (Legs{"mc n/n"}));
  EXPECT_EQ(legs_of("f[W?sR]"), (Legs{"mc n", "mc n/e*", "mc n/w*"}));
  EXPECT_EQ(legs_of("f[D?B2]"), (Legs{"mc n,n", "mc n,n/ne2", "mc n,n/nw2"}));
  EXPECT_EQ(legs_of("fm[W-F-W]"), (Legs{"m n/ne/e", "m n/ne/n", "m n/nw/n", "m n/nw/w"}));
}

TEST(Betza, CastlingIsNoLeg) {
  EXPECT_EQ(read_betza("KO2").castle, 2);
  EXPECT_EQ(read_betza("KisO3").castle, 3);
  EXPECT_EQ(legs_of("KO2"), legs_of("K"));
  EXPECT_EQ(read_betza("K").castle, 0);
}

TEST(Betza, NamesAreTheirBetza) {
  EXPECT_GE(named_pieces().size(), 40U);
  for (const NamedPiece& piece : named_pieces())
    EXPECT_EQ(legs_of(piece.name), legs_of(piece.betza)) << piece.name;
  EXPECT_EQ(read_betza("bishop + wazir").text, "BW");
  EXPECT_EQ(legs_of("bishop+wazir"), legs_of("BW"));
  EXPECT_EQ(legs_of("rook + bishop"), legs_of("queen"));
}

TEST(Betza, MirrorsExchangeForwardAndBackwardAndWithATurnLeftAndRight) {
  const Leg leg = read_betza("lfN").parts[0].legs[0];
  EXPECT_EQ(shown(leg), "mc n,nw");
  EXPECT_EQ(shown(mirrored(leg, false)), "mc s,sw");
  EXPECT_EQ(shown(mirrored(leg, true)), "mc s,se");
}

TEST(Betza, EveryPartHasASentence) {
  const auto sentence = [](std::string_view text) { return read_betza(text).parts[0].sentence; };
  EXPECT_EQ(sentence("fmW"), "steps one square forward, without taking");
  EXPECT_EQ(sentence("fceF"), "steps one square diagonally forward, only to take, also en passant");
  EXPECT_EQ(sentence("ifmnD"),
            "from its initial squares leaps two squares forward, not over pieces, without taking");
  EXPECT_EQ(sentence("cpR"), "slides along ranks and files over exactly one piece, only to take");
  EXPECT_EQ(sentence("R4"), "slides up to four squares along ranks and files");
  EXPECT_EQ(sentence("[F?R]"),
            "steps one square diagonally, and may then slide along a rank or file outwards");
  EXPECT_EQ(sentence("NN"), "leaps like a knight, again and again in one direction");
  EXPECT_EQ(sentence("K"), "steps one square in any direction");
}

TEST(Betza, MistakesAreToldWithWhatWouldBeRight) {
  const std::vector<std::pair<std::string, std::string>> mistakes = {
      {"", "is empty"},
      {"knight+2", "'2' is no move"},
      {"rook bishop", "join names with +: \"rook + bishop\" (= queen)"},
      {"knihgt", "did you mean 'knight'?"},
      {"Rook", "names are written in lower case: \"rook\""},
      {"R+B", "+ joins names"},
      {"n", "Betza's atoms are capitals, as in \"N\""},
      {"L", "L is C here"},
      {"X", "X is no atom here"},
      {"mE", "en passant is e"},
      {"f", "'f' is no name"},
      {"Wf", "has no capital behind it"},
      {"yW", "'y' is no modifier"},
      {"camK", "moves of several legs with 'a'"},
      {"uK", "capturing otherwise than by landing"},
      {"jW", "[D?R]"},
      {"zB", "crooked and circular"},
      {"meW", "e (en passant) is a capture"},
      {"pW", "p and g are for slides and riders"},
      {"nR", "n (not over pieces) is for leaps"},
      {"fhW", "h (half) is for oblique leaps"},
      {"RR", "R slides as far as it can anyway"},
      {"W99", "numbers go up to 63"},
      {"(0,0)", "a leap in numbers looks like (1,4)"},
      {"(1;4)", "a leap in numbers looks like (1,4)"},
      {"KO", "castling is O with the number of squares"},
      {"KfO2", "castling is O with the number of squares"},
      {"KO2O3", "castles twice"},
      {"fW2ifmnW3",
       "leave n out (only leaps over squares, mnD and mnH, can be captured en passant)"},
      {"[FR]", "neither ? nor -"},
      {"[F?R", "not closed"},
      {"[F]", "two to four parts"},
      {"[R?B]", "only the last part of a bent move can slide"},
      {"[N?R]", "only W F D A H G R B"},
      {"n[F?R]", "do not go with brackets"},
      {"[F?mR]", "atoms have no modifiers but s"},
      {"W.F", "'.' is not expected here"},
  };
  for (const auto& [text, reason] : mistakes) {
    try {
      read_betza(text);
      ADD_FAILURE() << text << " was read";
    } catch (const BetzaError& error) {
      EXPECT_NE(std::string(error.what()).find(reason), std::string::npos)
          << text << ": " << error.what();
    }
  }
}

TEST(Betza, AModifierThatWasMeantAsAPieceIsDoubted) {
  EXPECT_EQ(read_betza("bF").doubts.size(), 1U);
  EXPECT_NE(read_betza("bF").doubts[0].find("bishop and ferz is \"BF\""), std::string::npos);
  EXPECT_EQ(read_betza("rW").doubts.size(), 1U);
  EXPECT_TRUE(read_betza("fW").doubts.empty());
  EXPECT_TRUE(read_betza("bFfW").doubts.empty());
}

}  // namespace
}  // namespace faultline::data
