// A game's file played by the program and by the walker, which must agree on all that is asked.
#pragma once

#include <memory>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "rules/fen.h"
#include "tests/rules/data/game_texts.h"
#include "tests/rules/data/positions_of_files.h"
#include "tests/rules/data/walker.h"

namespace faultline::data::test {

using Texts = std::set<std::string>;
using Line = std::vector<std::string>;

/// A start without rights to castle; positions are given by tests.
inline const std::string kNoRights =
    "[start]\nfen = \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1\"\n";

/// Chess with more lines whose king does not castle.
inline std::string uncastled(const std::string& lines) {
  return texts::chess_with(kNoRights + lines + "[pieces.K]\nmoves = \"K\"\n");
}

class PlayedTwice {
 public:
  explicit PlayedTwice(const std::string& text) : file_(texts::game(text)) {
    if (file_.pieces.empty()) throw std::runtime_error("no game");
    rules_ = walker::parse_game(text, texts::kGames.string());
  }

  /// Texts of the moves after a line that begin so, without that.
  Texts moves(const std::string& fen, std::string_view begin = "", const Line& line = {}) const {
    Texts found;
    for (const std::string& text : seen(fen, line).moves)
      if (text.starts_with(begin)) found.insert(text.substr(begin.size()));
    return found;
  }
  bool can(const std::string& fen, const std::string& move, const Line& line = {}) const {
    return seen(fen, line).moves.contains(move);
  }
  std::string after(const std::string& fen, const Line& line) const { return seen(fen, line).fen; }
  bool in_check(const std::string& fen, const Line& line = {}) const {
    return seen(fen, line).check;
  }
  /// "white", "black", "draw", or nothing.
  std::string outcome(const std::string& fen, const Line& line = {}) const {
    return seen(fen, line).outcome;
  }
  /// Whether both are the same position, by the program's keys.
  bool same(const std::string& fen, const std::string& other) const {
    bool is_same = false;
    with_tables(file_, [&](const auto& game) {
      is_same = position(game, fen).key() == position(game, other).key();
    });
    return is_same;
  }
  /// Why the program does not read a FEN.
  std::string refused(const std::string& fen) const {
    std::string why;
    with_tables(file_, [&](const auto& game) {
      try {
        position(game, fen);
      } catch (const FenError& error) {
        why = error.what();
      }
    });
    return why;
  }
  const GameFile& file() const { return file_; }

 private:
  struct Seen {
    Texts moves;
    std::string fen, outcome;
    bool check = false;
  };

  Seen seen(const std::string& fen, const Line& line) const {
    SCOPED_TRACE(fen + " " + texts::joined(line));
    const Seen by_program = played(fen, line);
    walker::State judge(rules_, fen);
    for (const std::string& move : line) {
      const auto next = judge.moves();
      if (!next.contains(move)) {
        ADD_FAILURE() << "the walker has no " << move;
        return by_program;
      }
      judge = walker::State(next.at(move));
    }
    Texts judged;
    for (const auto& [text, next] : judge.moves())
      judged.insert(text);
    EXPECT_EQ(by_program.moves, judged);
    EXPECT_EQ(by_program.fen, judge.fen());
    EXPECT_EQ(by_program.check, judge.in_check());
    EXPECT_EQ(by_program.outcome, text_of(judge.outcome()));
    return by_program;
  }

  Seen played(const std::string& fen, const Line& line) const {
    Seen found;
    with_tables(file_, [&](const auto& game) {
      auto p = position(game, fen);
      for (const std::string& move : line) {
        const auto parsed = p.parse_move(move);
        if (!parsed) {
          ADD_FAILURE() << "no move " << move << " in " << p.fen();
          return;
        }
        p.play(*parsed);
        EXPECT_EQ(p.key(), p.key_from_scratch()) << p.fen();
      }
      const Texts texts = move_texts(p);
      const Outcome o = p.outcome(!texts.empty());
      found = {.moves = texts,
               .fen = p.fen(),
               .outcome = o == Outcome::WhiteWins   ? "white"
                          : o == Outcome::BlackWins ? "black"
                          : is_over(o)              ? "draw"
                                                    : "",
               .check = p.in_check()};
    });
    return found;
  }

  static std::string text_of(walker::Outcome o) {
    if (o == walker::Outcome::None) return "";
    return o == walker::Outcome::White ? "white" : o == walker::Outcome::Black ? "black" : "draw";
  }

  GameFile file_;
  std::shared_ptr<const walker::Game> rules_;
};

}  // namespace faultline::data::test
