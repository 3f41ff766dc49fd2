// Which games a page asks for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "play/game.h"
#include "play/game_text.h"
#include "record/game_record.h"

namespace faultline::web {

/// Words with blanks between, all of which must hold:
///   1-0  0-1  1/2-1/2  *         the result
///   plies>40  plies<40  plies=40
///   number=12                    the game's number in its run, or its place in its file
///   white=NAME  black=NAME  player=NAME  end=TEXT  variant=NAME    contains it, in either case
///   opening=e4,e5                the first moves, from the game's start; as PGN writes them, or
///   not NAME                         a player, the end or the variant contains it
/// A value with blanks is in quotes: end="draw by repetition".
class GameFilter {
 public:
  /// "" lets all games pass. Throws RequestError with the field "filter".
  explicit GameFilter(std::string_view text);

  bool is_empty() const { return terms_.empty(); }
  /// Whether it looks at moves, and not only at tags.
  bool needs_moves() const;

  /// `game`: without its moves if needs_moves() is false; `number`: its place in its file, from 1.
  /// Throws RequestError for an opening that
  /// is not of the game's variant.
  bool lets_pass(const TextGame& game, std::uint64_t number = 0);
  /// Does the same for a recorded game, as text_of_record() would make it.
  bool lets_pass(const GameRecord& game, const Game& rules);

 private:
  enum class Kind : std::uint8_t {
    Result,
    MorePlies,
    FewerPlies,
    Plies,
    White,
    Black,
    Player,
    End,
    Variant,
    Opening,
    Number,
    Anywhere
  };
  struct Term {
    Kind kind;
    std::string text = {};
    std::uint64_t number = 0;  // of plies, or the game's
  };
  /// What terms look at.
  struct Seen {
    const std::string& variant;
    const std::string& white;
    const std::string& black;
    const std::string& end;
    std::string_view result;
    std::size_t plies;
    std::uint64_t number;
  };
  struct Opening {
    std::string variant;  // canonical name
    std::vector<Move> moves;
    std::vector<std::string> texts;
  };

  static Term term_of(std::string_view word);
  bool holds(const Seen& seen) const;
  static bool holds(const Term& term, const Seen& seen);
  /// Those of the terms, in one variant.
  const std::vector<Opening>& openings_of(const Game& rules);

  std::vector<Term> terms_;
  std::vector<Opening> openings_;  // of the variant of the last game
};

}  // namespace faultline::web
