// A game between a person and the program as a line-based dialogue, independent of a terminal.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <ostream>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "analysis/marked_board.h"
#include "play/game.h"
#include "search/search_result.h"

namespace faultline {

struct PlayOptions {
  Colour person = Colour::White;
  SearchLimits limits = {.visits = 400};  // per move of the program; it chooses the leaves
  BoardMarks marks = BoardMarks::None;    // of the last move
  /// True ends a search at once; the program then prints nothing.
  std::function<bool()> interrupted = [] { return false; };
};

/// Reads lines, replies on a stream. The game and the stream must outlive it.
class PlayDialogue final : private GameWatcher {
 public:
  /// `start`: the starting position of all games. The program plays by `searcher`; `adviser`, which
  /// may be the same, gives hints.
  PlayDialogue(const Game& game, std::unique_ptr<GamePosition> start,
               std::shared_ptr<GameSearcher> searcher, std::shared_ptr<GameSearcher> adviser,
               std::ostream& out, PlayOptions options);

  /// Shows the board and, if it is the program's turn, plays.
  void begin();
  /// Answers one line of input.
  void hear(std::string_view input);

  /// Whether the user has entered `quit`.
  bool has_left() const { return has_left_; }
  /// "white 3> ": the side to move and the move number.
  std::string prompt() const;
  const GamePosition& position() const { return session_->position(); }
  bool is_over() const { return faultline::is_over(outcome()); }
  Outcome outcome() const;

 private:
  template <class... Args>
  void say(fmt::format_string<Args...> format, Args&&... args) {
    *out_ << fmt::format(format, std::forward<Args>(args)...);
    out_->flush();
  }
  // The game's notifications, before each ply and at its end.
  void on_ply(const GamePosition& before, Move move, const SearchResult* result) override;
  void on_end(const GamePosition&, const GameEnd&) override {}

  /// A move about to be played.
  void remember(const GamePosition& before, Move move);
  std::vector<std::string> legal_texts() const;
  std::string example_move() const;
  SearchLimits limits() const;
  /// " (win 61 %, …)"; "" of a move without a search.
  std::string findings(const GamePosition& at, const SearchResult& result) const;

  void show_board();
  /// True if the game is over; prints how it ended.
  bool announce_end();
  void hear_move(const std::string& typed);
  /// The program's move, if it is its turn; none if interrupted.
  void reply();
  void hint();
  void list_moves(const std::string& from);
  void undo();
  void resign();
  void begin_again(const std::string& side);
  /// A game from the start with these moves played, some by the program's side.
  void restart_after(const std::vector<Move>& moves);

  const Game* game_;
  std::unique_ptr<GamePosition> start_;
  std::ostream* out_;
  PlayOptions options_;
  std::shared_ptr<GameSearcher> searcher_;  // the program's
  std::shared_ptr<GameSearcher>
      adviser_;  // for hints: the same unless the program follows a strategy
  std::mt19937_64 rng_;
  std::vector<Move> played_;
  std::string last_text_;     // of played_'s last
  std::string last_effect_;   // what it did to the board; "" if its text says it all
  std::string last_picture_;  // before it
  std::unique_ptr<GameSession> session_;
  bool has_left_ = false;
};

}  // namespace faultline
