// A game between a person and the program as a dialogue of lines, without a terminal.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/core.h>
#include <fmt/format.h>

#include "app/play_text.h"
#include "app/position_options.h"
#include "base/quote.h"
#include "rules/history.h"
#include "search/evaluator.h"
#include "search/params.h"
#include "search/run_visits.h"
#include "search/search.h"

namespace faultline {

struct PlayOptions {
  Colour person = Colour::White;
  std::uint32_t visits = 400;                               // for each of the program's moves
  std::optional<std::chrono::milliseconds> move_time = {};  // at most, for each of them
  /// True ends a search at once; the program then says nothing.
  std::function<bool()> interrupted = [] { return false; };
};

/// Reads lines, answers on a stream. The evaluator and the stream must outlive it.
template <Position P>
class PlayDialogue {
 public:
  PlayDialogue(const P& start, Evaluator<P>& evaluator, std::ostream& out, PlayOptions options)
      : start_(start),
        history_(start),
        evaluator_(&evaluator),
        out_(&out),
        options_(std::move(options)),
        search_(SearchParams{.dirichlet_weight = 0}, history_) {}

  /// Shows the board and, if it is the program's turn, plays.
  void begin() {
    say("You play {}. Moves are typed as {}; `help` lists the other commands.\n",
        name(options_.person), example_move());
    show_board();
    if (!announce_end()) reply();
  }

  /// Answers one line of input.
  void hear(std::string_view input) {
    const std::vector<std::string> words = split_words(input);
    if (words.empty()) return;
    const std::string& word = words[0];
    const std::string argument = words.size() > 1 ? words[1] : "";
    if (word == "help" || word == "?")
      say("{}", play_help(P::info().move_examples));
    else if (word == "quit" || word == "exit" || word == "q")
      has_left_ = true;
    else if (word == "board")
      show_board();
    else if (word == "fen")
      say("{}\n", history_.position().fen());
    else if (word == "moves")
      list_moves(argument);
    else if (word == "hint")
      hint();
    else if (word == "undo")
      undo();
    else if (word == "resign")
      resign();
    else if (word == "new")
      begin_again(argument);
    else
      hear_move(word);
  }

  /// Whether the person has said `quit`.
  bool has_left() const { return has_left_; }
  /// "white 3> ": whose turn it is and the number of the move.
  std::string prompt() const {
    if (is_over()) return "> ";
    return fmt::format("{} {}> ", name(history_.position().side_to_move()),
                       history_.position().full_move_number());
  }
  const PositionHistory<P>& history() const { return history_; }
  bool is_over() const { return faultline::is_over(outcome_); }
  Outcome outcome() const { return outcome_; }

 private:
  template <class... Args>
  void say(fmt::format_string<Args...> format, Args&&... args) {
    *out_ << fmt::format(format, std::forward<Args>(args)...);
    out_->flush();
  }
  bool persons_turn() const { return history_.position().side_to_move() == options_.person; }

  std::string example_move() const {
    const std::vector<std::string> moves = sorted_move_texts(history_.position());
    return moves.empty() ? "e2e4" : moves[moves.size() / 2];
  }

  void show_board() {
    std::string picture = history_.position().picture();
    while (picture.ends_with('\n'))
      picture.pop_back();
    say("\n{}\n", picture);
    if (!played_.empty())
      say("Last move: {} ({}).\n", last_text_, name(~history_.position().side_to_move()));
    if (history_.position().in_check() && history_.position().count_legal_moves() > 0)
      say("{} is in check.\n",
          history_.position().side_to_move() == Colour::White ? "White" : "Black");
  }

  /// True if the game is over; says how it ended.
  bool announce_end() {
    outcome_ = history_.outcome();
    if (!is_over()) return false;
    say("{}\n`new` begins another game, `undo` takes back, `quit` leaves.\n",
        outcome_sentence(outcome_));
    return true;
  }

  void play(Move move) {
    last_text_ = history_.position().move_text(move);
    search_.advance(move);
    history_.play(move);
    played_.push_back(move);
    show_board();
  }

  void hear_move(const std::string& typed) {
    if (is_over()) {
      say("The game is over: `new` begins another, `undo` takes back, `quit` leaves.\n");
      return;
    }
    std::optional<Move> move = history_.position().parse_move(typed);
    if (!move) move = history_.position().parse_move(lower_case(typed));
    if (!move) move = history_.position().parse_move(tidy_move(typed));
    if (!move) {
      say("{}", not_understood(typed, sorted_move_texts(history_.position())));
      return;
    }
    play(*move);
    if (!announce_end()) reply();
  }

  /// Searches the present position; false if interrupted.
  bool think() {
    const auto start = std::chrono::steady_clock::now();
    const auto time_is_up = [&] {
      return options_.move_time && std::chrono::steady_clock::now() - start >= *options_.move_time;
    };
    // Few leaves at once where there are few visits: a batch costs search quality, not much speed.
    const std::size_t leaves = std::clamp<std::size_t>(options_.visits / 64, 1, 8);
    run_visits(search_, *evaluator_, batch_, options_.visits, leaves, [&] {
      return options_.interrupted() || (search_.root_visits() > 0 && time_is_up());
    });
    return !options_.interrupted();
  }

  /// "e7e5: win 48 %, …": what the last search found.
  std::string findings(Move best) const {
    std::string text = fmt::format("{}, {} visits", evaluation_text(search_.root_evaluation()),
                                   search_.root_visits());
    const std::vector<Move> moves = search_.principal_variation(6);
    if (moves.empty() || moves.front() != best) return text;
    P position = history_.position();
    std::vector<std::string> texts;
    for (const Move move : moves) {
      texts.push_back(position.move_text(move));
      position.play(move);
    }
    return text + fmt::format(", line {}", fmt::join(texts, " "));
  }

  /// The program's move, if it is its turn.
  void reply() {
    if (persons_turn() || !think()) return;
    const Move best = search_.best_move();
    say("\nThe program plays {} ({}).\n", history_.position().move_text(best), findings(best));
    play(best);
    announce_end();
  }

  void hint() {
    if (is_over()) {
      say("The game is over.\n");
      return;
    }
    if (!think()) return;
    const Move best = search_.best_move();
    say("{} ({}).\n", history_.position().move_text(best), findings(best));
  }

  void list_moves(const std::string& from) {
    const std::vector<std::string> legal = sorted_move_texts(history_.position());
    if (legal.empty()) {
      say("There are no legal moves.\n");
      return;
    }
    std::vector<std::string> chosen;
    const std::string start = lower_case(from);
    for (const std::string& move : legal)
      if (start.empty() || origin_of(move) == start) chosen.push_back(move);
    if (chosen.empty())
      say("No legal move leaves {}.\n", quote(from));
    else
      say("{}\n", fmt::join(chosen, " "));
  }

  /// Back to the person's turn before the last of the person's moves, or from a resignation.
  void undo() {
    if (is_over() && !faultline::is_over(history_.outcome())) {
      outcome_ = Outcome::Ongoing;
      show_board();
      return;
    }
    std::size_t keep = played_.size();
    Colour mover = history_.position().side_to_move();
    while (keep > 0) {
      --keep;
      mover = ~mover;
      if (mover == options_.person) break;
    }
    if (mover != options_.person || keep == played_.size()) {
      say("There is no move of yours to take back.\n");
      return;
    }
    const std::vector<Move> moves(played_.begin(), played_.begin() + static_cast<long>(keep));
    restart();
    for (const Move move : moves) {
      last_text_ = history_.position().move_text(move);
      history_.play(move);
    }
    played_ = moves;
    search_.set_position(history_);
    show_board();
  }

  void resign() {
    if (is_over()) {
      say("The game is over.\n");
      return;
    }
    outcome_ = win_for(~options_.person);
    say("You resign: {} wins.\n`new` begins another game, `undo` takes back, `quit` leaves.\n",
        name(~options_.person));
  }

  void begin_again(const std::string& side) {
    if (side == "white")
      options_.person = Colour::White;
    else if (side == "black")
      options_.person = Colour::Black;
    else if (!side.empty()) {
      say("`new white`, `new black`, or `new` for the same side again.\n");
      return;
    }
    restart();
    begin();
  }

  void restart() {
    history_ = PositionHistory<P>(start_);
    search_.set_position(history_);
    played_.clear();
    outcome_ = Outcome::Ongoing;
  }

  P start_;
  PositionHistory<P> history_;
  Evaluator<P>* evaluator_;
  std::ostream* out_;
  PlayOptions options_;
  Search<P> search_;  // of history_'s position
  EvalBatch<P> batch_;
  std::vector<Move> played_;
  std::string last_text_;  // of played_'s last
  Outcome outcome_ = Outcome::Ongoing;
  bool has_left_ = false;
};

}  // namespace faultline
