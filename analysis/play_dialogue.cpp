// The commands of the dialogue, and the game behind it.
#include "analysis/play_dialogue.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>

#include "analysis/play_text.h"
#include "base/quote.h"
#include "base/text.h"
#include "play/san.h"

namespace faultline {
namespace {

constexpr std::size_t kLinePlies = 6;  // of the principal variation

}  // namespace

PlayDialogue::PlayDialogue(const Game& game, std::unique_ptr<GamePosition> start,
                           std::shared_ptr<GameSearcher> searcher,
                           std::shared_ptr<GameSearcher> adviser, std::ostream& out,
                           PlayOptions options)
    : game_(&game),
      start_(std::move(start)),
      out_(&out),
      options_(std::move(options)),
      searcher_(std::move(searcher)),
      adviser_(std::move(adviser)) {
  restart_after({});
}

void PlayDialogue::begin() {
  say("You play {}. Moves are typed as {}; 'help' lists the other commands.\n",
      name(options_.person), example_move());
  show_board();
  if (!announce_end()) reply();
}

void PlayDialogue::hear(std::string_view input) {
  const std::vector<std::string> words = split_words(input);
  if (words.empty()) return;
  const std::string& word = words[0];
  const std::string argument = words.size() > 1 ? words[1] : "";
  if (word == "help" || word == "?")
    say("{}", play_help(game_->description().move_examples));
  else if (word == "quit" || word == "exit" || word == "q")
    has_left_ = true;
  else if (word == "board")
    show_board();
  else if (word == "fen")
    say("{}\n", position().fen());
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

std::string PlayDialogue::prompt() const {
  if (is_over()) return "> ";
  return fmt::format("{} {}> ", name(position().side_to_move()), position().full_move_number());
}

Outcome PlayDialogue::outcome() const {
  return session_->is_over() ? session_->end().outcome : position().outcome();
}

std::vector<std::string> PlayDialogue::legal_texts() const {
  std::vector<std::string> texts;
  for (const Move move : position().legal_moves())
    texts.push_back(position().move_text(move));
  std::ranges::sort(texts);
  return texts;
}

std::string PlayDialogue::example_move() const {
  const std::vector<std::string> moves = legal_texts();
  return moves.empty() ? "e2e4" : moves[moves.size() / 2];
}

void PlayDialogue::show_board() {
  std::string picture = position().picture();
  if (!played_.empty()) picture = marked_board(last_picture_, picture, options_.marks);
  while (picture.ends_with('\n'))
    picture.pop_back();
  say("\n{}\n", picture);
  if (!played_.empty())
    say("Last move: {} ({}).{}\n", last_text_, name(~position().side_to_move()),
        last_effect_.empty() ? "" : " " + last_effect_);
  if (position().in_check() && !position().legal_moves().empty())
    say("{} is in check.\n", position().side_to_move() == Colour::White ? "White" : "Black");
}

bool PlayDialogue::announce_end() {
  if (!is_over()) return false;
  say("{}\n'new' begins another game, 'undo' takes back, 'quit' leaves.\n",
      outcome_sentence(outcome(), position().in_check() && position().legal_moves().empty()));
  return true;
}

void PlayDialogue::remember(const GamePosition& before, Move move) {
  last_text_ = san_text(before, move);
  last_effect_ = before.board_effects(move).announcement;
  last_picture_ = before.picture();
}

void PlayDialogue::on_ply(const GamePosition& before, Move move, const SearchResult* result) {
  remember(before, move);
  played_.push_back(move);
  if (result != nullptr) say("\nThe program plays {}{}.\n", last_text_, findings(before, *result));
}

void PlayDialogue::hear_move(const std::string& typed) {
  if (is_over()) {
    say("The game is over: 'new' begins another, 'undo' takes back, 'quit' leaves.\n");
    return;
  }
  std::optional<Move> move = parse_san(position(), typed);
  if (!move) move = position().parse_move(lower_case(typed));
  if (!move) move = position().parse_move(tidy_move(typed));
  if (!move) {
    say("{}", not_understood(typed, legal_texts()));
    return;
  }
  session_->play(*move);
  show_board();
  if (!announce_end()) reply();
}

SearchLimits PlayDialogue::limits() const {
  // Against the clock, larger batches bring more visits than they cost strength. At equal visits
  // the program plays as in a match.
  constexpr std::uint32_t kTimedLeaves = 8;
  SearchLimits limits = options_.limits;
  limits.leaves = limits.time ? kTimedLeaves : 1;
  return limits;
}

std::string PlayDialogue::findings(const GamePosition& at, const SearchResult& result) const {
  if (result.evaluations + result.nodes + result.visits == 0) return "";  // nothing was looked at
  std::string text = evaluation_text(result.value);
  if (result.visits > 0) text += fmt::format(", {} visits", result.visits);
  if (result.depth > 0) text += fmt::format(", depth {}", result.depth);
  const std::size_t shown = std::min(result.variation.size(), kLinePlies);
  const std::vector<std::string> texts = san_texts(at, std::span(result.variation).first(shown));
  if (!texts.empty()) text += fmt::format(", line {}", fmt::join(texts, " "));
  return " (" + text + ")";
}

void PlayDialogue::reply() {
  if (is_over() || session_->awaits_move()) return;
  const int plies = position().plies();
  bool more = true;
  while (more && position().plies() == plies) {
    if (options_.interrupted()) {
      restart_after(std::vector(played_));  // forgets the search, so that another can begin
      return;
    }
    more = session_->step();
  }
  show_board();
  announce_end();
}

void PlayDialogue::hint() {
  if (is_over()) {
    say("The game is over.\n");
    return;
  }
  const auto result = adviser_->run(position(), limits(), rng_, options_.interrupted);
  if (result) say("{}{}.\n", san_text(position(), result->move), findings(position(), *result));
}

void PlayDialogue::list_moves(const std::string& from) {
  const std::vector<std::string> legal = legal_texts();
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

void PlayDialogue::undo() {
  if (session_->is_over() && session_->end().resigned) {
    restart_after(std::vector(played_));
    show_board();
    return;
  }
  std::size_t keep = played_.size();
  Colour mover = position().side_to_move();
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

void PlayDialogue::resign() {
  if (is_over()) {
    say("The game is over.\n");
    return;
  }
  session_->resign(options_.person);
  say("You resign: {} wins.\n'new' begins another game, 'undo' takes back, 'quit' leaves.\n",
      name(~options_.person));
}

void PlayDialogue::begin_again(const std::string& side) {
  if (side == "white")
    options_.person = Colour::White;
  else if (side == "black")
    options_.person = Colour::Black;
  else if (!side.empty()) {
    say("'new white', 'new black', or 'new' for the same side again.\n");
    return;
  }
  restart_after({});
  begin();
}

void PlayDialogue::restart_after(const std::vector<Move>& moves) {
  const std::unique_ptr<GamePosition> position = start_->clone();
  for (const Move move : moves) {
    remember(*position, move);
    position->play(move);
  }
  played_ = moves;
  std::array<GamePlayer, 2> players;
  players[static_cast<std::size_t>(index(~options_.person))] = {.searcher = searcher_,
                                                                .budget = {.full = limits()}};
  session_ = game_->begin(*position, std::move(players), {}, rng_, this);
}

}  // namespace faultline
