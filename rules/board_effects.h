// What a move does besides moving, capturing and promoting its piece: for notation and
// announcements.
#pragma once

#include <string>
#include <vector>

namespace faultline {

struct BoardEffects {
  /// Short marks in a fixed order: escher's staircases that advance ("1", "f"), inferno's levels
  /// that are won, by their numbers at that moment ("2"), pawns promoted by being carried ("c8=Q").
  std::vector<std::string> marks;
  /// Sentences about what the marks alone do not say; "" if there is nothing to announce.
  std::string announcement;

  void add_sentence(const std::string& sentence) {
    if (!announcement.empty()) announcement += ' ';
    announcement += sentence;
  }
  void add_carried_queen(const std::string& square) {
    marks.push_back(square + "=Q");
    add_sentence("The pawn carried to " + square + " becomes a queen.");
  }
};

}  // namespace faultline
