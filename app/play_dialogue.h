// A game between a person and the program as a dialogue of lines, without a terminal.
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
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

#include <fmt/core.h>
#include <fmt/format.h>

#include "app/play_text.h"
#include "app/position_options.h"
#include "base/quote.h"
#include "play/game_driver.h"
#include "rules/history.h"
#include "search/evaluator.h"
#include "search/params.h"
#include "search/searcher.h"

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
class PlayDialogue final : private GameObserver<P> {
 public:
  PlayDialogue(const P& start, Evaluator<P>& evaluator, std::ostream& out, PlayOptions options)
      : start_(start),
        evaluator_(&evaluator),
        out_(&out),
        options_(std::move(options)),
        searcher_(make_puct_searcher<P>(SearchParams{})) {
    restart();
  }

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
      say("{}\n", history().position().fen());
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
    return fmt::format("{} {}> ", name(history().position().side_to_move()),
                       history().position().full_move_number());
  }
  const PositionHistory<P>& history() const { return game_->history(); }
  bool is_over() const { return game_->is_over() || faultline::is_over(history().outcome()); }
  Outcome outcome() const { return game_->is_over() ? game_->end().outcome : history().outcome(); }

 private:
  template <class... Args>
  void say(fmt::format_string<Args...> format, Args&&... args) {
    *out_ << fmt::format(format, std::forward<Args>(args)...);
    out_->flush();
  }
  bool persons_turn() const { return history().position().side_to_move() == options_.person; }

  std::string example_move() const {
    const std::vector<std::string> moves = sorted_move_texts(history().position());
    return moves.empty() ? "e2e4" : moves[moves.size() / 2];
  }

  void show_board() {
    std::string picture = history().position().picture();
    while (picture.ends_with('\n'))
      picture.pop_back();
    say("\n{}\n", picture);
    if (!played_.empty())
      say("Last move: {} ({}).\n", last_text_, name(~history().position().side_to_move()));
    if (history().position().in_check() && history().position().count_legal_moves() > 0)
      say("{} is in check.\n",
          history().position().side_to_move() == Colour::White ? "White" : "Black");
  }

  /// True if the game is over; says how it ended.
  bool announce_end() {
    if (!is_over()) return false;
    say("{}\n`new` begins another game, `undo` takes back, `quit` leaves.\n",
        outcome_sentence(outcome()));
    return true;
  }

  // What the driver tells, before each ply.
  void on_ply(const PlayedPly<P>& ply) override {
    last_text_ = ply.history.position().move_text(ply.move);
    played_.push_back(ply.move);
    if (ply.result != nullptr)
      say("\nThe program plays {} ({}).\n", last_text_, findings(*ply.result));
  }
  void on_end(const PositionHistory<P>&, const GameEnd&) override {}

  void hear_move(const std::string& typed) {
    if (is_over()) {
      say("The game is over: `new` begins another, `undo` takes back, `quit` leaves.\n");
      return;
    }
    std::optional<Move> move = history().position().parse_move(typed);
    if (!move) move = history().position().parse_move(lower_case(typed));
    if (!move) move = history().position().parse_move(tidy_move(typed));
    if (!move) {
      say("{}", not_understood(typed, sorted_move_texts(history().position())));
      return;
    }
    game_->play(*move);
    show_board();
    if (!announce_end()) reply();
  }

  SearchLimits limits() const {
    // Few leaves at once where there are few visits: a batch costs search quality, not much speed.
    return {.visits = options_.visits,
            .time = options_.move_time,
            .leaves = std::clamp<std::uint32_t>(options_.visits / 64, 1, 8)};
  }

  /// "win 48 %, …, 400 visits, line e7e5 …": what a search has found.
  std::string findings(const SearchResult& result) const {
    const std::string text =
        fmt::format("{}, {} visits", evaluation_text(result.value), result.visits);
    P position = history().position();
    std::vector<std::string> texts;
    for (const Move move : result.variation) {
      if (texts.size() == kShownPlies) break;
      texts.push_back(position.move_text(move));
      position.play(move);
    }
    return texts.empty() ? text : fmt::format("{}, line {}", text, fmt::join(texts, " "));
  }

  /// The program's move, if it is its turn; none if interrupted.
  void reply() {
    if (is_over() || game_->awaits_move()) return;
    const int plies = history().plies();
    while (history().plies() == plies) {
      if (options_.interrupted()) {
        restart_after(played_);  // forgets the search, so that another can begin
        return;
      }
      while (game_->gather(batch_)) {
      }
      answer([&] { game_->apply(batch_); });
    }
    show_board();
    announce_end();
  }
  template <class Apply>
  void answer(Apply&& apply) {
    if (batch_.empty()) return;
    evaluator_->evaluate(batch_);
    apply();
    batch_.clear();
  }

  void hint() {
    if (is_over()) {
      say("The game is over.\n");
      return;
    }
    searcher_->start(history(), limits(), rng_);
    while (!searcher_->done()) {
      if (options_.interrupted()) {
        restart_after(played_);
        return;
      }
      while (searcher_->gather(batch_)) {
      }
      answer([&] { searcher_->apply(batch_); });
    }
    const SearchResult result = searcher_->decide();
    say("{} ({}).\n", history().position().move_text(result.move), findings(result));
  }

  void list_moves(const std::string& from) {
    const std::vector<std::string> legal = sorted_move_texts(history().position());
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
    if (game_->is_over() && game_->end().resigned) {
      restart_after(played_);
      show_board();
      return;
    }
    std::size_t keep = played_.size();
    Colour mover = history().position().side_to_move();
    while (keep > 0) {
      --keep;
      mover = ~mover;
      if (mover == options_.person) break;
    }
    if (mover != options_.person || keep == played_.size()) {
      say("There is no move of yours to take back.\n");
      return;
    }
    restart_after({played_.begin(), played_.begin() + static_cast<std::ptrdiff_t>(keep)});
    show_board();
  }

  void resign() {
    if (is_over()) {
      say("The game is over.\n");
      return;
    }
    game_->resign(options_.person);
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

  void restart() { restart_after({}); }
  /// A game from the start with these moves played, some by the program's side.
  void restart_after(const std::vector<Move>& moves) {
    batch_.clear();
    PositionHistory<P> history(start_);
    for (const Move move : moves) {
      last_text_ = history.position().move_text(move);
      history.play(move);
    }
    played_ = moves;
    searcher_ = make_puct_searcher<P>(SearchParams{});
    std::array<Player<P>, 2> players;
    players[static_cast<std::size_t>(index(~options_.person))] = {
        .searcher = searcher_, .evaluator = evaluator_, .budget = {.full = limits()}};
    game_.emplace(std::move(history), std::move(players), GameRules{}, rng_,
                  static_cast<GameObserver<P>*>(this));
  }

  static constexpr std::size_t kShownPlies = 6;

  P start_;
  Evaluator<P>* evaluator_;
  std::ostream* out_;
  PlayOptions options_;
  std::shared_ptr<Searcher<P>> searcher_;  // the program's, which hints use as well
  EvalBatch<P> batch_;
  std::mt19937_64 rng_;
  std::vector<Move> played_;
  std::string last_text_;  // of played_'s last
  std::optional<GameDriver<P>> game_;
  bool has_left_ = false;
};

}  // namespace faultline
