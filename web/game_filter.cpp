// Reads filters of games and applies them.
#include "web/game_filter.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "base/quote.h"
#include "play/san.h"
#include "report/game_frames.h"
#include "report/run_games.h"
#include "web/request.h"

namespace faultline::web {
namespace {

[[noreturn]] void refuse(const std::string& reason) {
  throw RequestError(reason, "filter");
}

char lower(char c) {
  return static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
}

bool contains(std::string_view text, std::string_view part) {
  const auto same = [](char a, char b) { return lower(a) == lower(b); };
  return std::search(text.begin(), text.end(), part.begin(), part.end(), same) != text.end();
}

/// The words between blanks outside quotes, without the quotes.
std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  bool quoted = false, in_word = false;
  for (const char c : text) {
    if (c == '"') {
      quoted = !quoted;
      continue;
    }
    const bool blank = !quoted && std::isspace(static_cast<unsigned char>(c)) != 0;
    if (!blank && !std::exchange(in_word, true)) words.emplace_back();
    if (blank)
      in_word = false;
    else
      words.back() += c;
  }
  if (quoted) refuse("a quotation mark is open");
  return words;
}

/// The move that a word means, in a game's own notation or as PGN has it.
std::optional<Move> move_of(const GamePosition& position, const std::string& word) {
  if (const auto move = position.parse_move(word)) return move;
  for (const Move move : position.legal_moves())
    if (san_text(position, move) == word) return move;
  return std::nullopt;
}

}  // namespace

GameFilter::GameFilter(std::string_view text) {
  for (const std::string& word : words_of(text))
    terms_.push_back(term_of(word));
}

GameFilter::Term GameFilter::term_of(std::string_view word) {
  constexpr std::array<std::pair<std::string_view, Kind>, 6> kKeys = {{{"white", Kind::White},
                                                                       {"black", Kind::Black},
                                                                       {"player", Kind::Player},
                                                                       {"end", Kind::End},
                                                                       {"variant", Kind::Variant},
                                                                       {"opening", Kind::Opening}}};
  if (word == "1-0" || word == "0-1" || word == "1/2-1/2" || word == "*")
    return {.kind = Kind::Result, .text = std::string(word)};
  const std::size_t sign = word.find_first_of("=<>");
  if (sign == std::string_view::npos) return {.kind = Kind::Anywhere, .text = std::string(word)};
  const std::string_view key = word.substr(0, sign), value = word.substr(sign + 1);
  if (key == "plies" || (key == "number" && word[sign] == '=')) {
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
    if (error != std::errc() || end != value.data() + value.size())
      refuse(quote(word, 80) + ": must be like plies>40 or number=12");
    return {.kind = key == "number"     ? Kind::Number
                    : word[sign] == '>' ? Kind::MorePlies
                    : word[sign] == '<' ? Kind::FewerPlies
                                        : Kind::Plies,
            .number = number};
  }
  const auto* const found =
      std::ranges::find(kKeys, key, &std::pair<std::string_view, Kind>::first);
  if (found == kKeys.end() || word[sign] != '=')
    refuse(quote(word, 80) +
           ": must be a word, a result, plies>40, number=12, or white=, black=, player=, end=, "
           "variant= or "
           "opening= with a value");
  return {.kind = found->second, .text = std::string(value)};
}

bool GameFilter::needs_moves() const {
  return std::ranges::any_of(terms_, [](const Term& term) {
    return term.kind == Kind::MorePlies || term.kind == Kind::FewerPlies ||
           term.kind == Kind::Plies || term.kind == Kind::Opening;
  });
}

bool GameFilter::holds(const Term& term, const Seen& seen) {
  switch (term.kind) {
    case Kind::Result:
      return seen.result == term.text;
    case Kind::MorePlies:
      return seen.plies > term.number;
    case Kind::FewerPlies:
      return seen.plies < term.number;
    case Kind::Plies:
      return seen.plies == term.number;
    case Kind::Number:
      return seen.number == term.number;
    case Kind::White:
      return contains(seen.white, term.text);
    case Kind::Black:
      return contains(seen.black, term.text);
    case Kind::Player:
      return contains(seen.white, term.text) || contains(seen.black, term.text);
    case Kind::End:
      return contains(seen.end, term.text);
    case Kind::Variant:
      return contains(seen.variant, term.text);
    case Kind::Anywhere:
      return contains(seen.white, term.text) || contains(seen.black, term.text) ||
             contains(seen.end, term.text) || contains(seen.variant, term.text);
    case Kind::Opening:
      break;  // looked at by itself
  }
  return true;
}

bool GameFilter::holds(const Seen& seen) const {
  return std::ranges::all_of(terms_, [&](const Term& term) { return holds(term, seen); });
}

const std::vector<GameFilter::Opening>& GameFilter::openings_of(const Game& rules) {
  if (!openings_.empty() && openings_.front().variant == rules.variant()) return openings_;
  openings_.clear();
  for (const Term& term : terms_) {
    if (term.kind != Kind::Opening) continue;
    Opening opening{.variant = rules.variant(), .moves = {}, .texts = {}};
    const auto position = rules.start();
    std::string_view rest = term.text;
    while (!rest.empty()) {
      const std::string word(rest.substr(0, rest.find(',')));
      rest.remove_prefix(std::min(word.size() + 1, rest.size()));
      const auto move = move_of(*position, word);
      if (!move)
        refuse(fmt::format("opening: {} is no move of {} there", quote(word, 40), rules.variant()));
      opening.moves.push_back(*move);
      opening.texts.push_back(position->move_text(*move));
      position->play(*move);
    }
    openings_.push_back(std::move(opening));
  }
  return openings_;
}

bool GameFilter::lets_pass(const TextGame& game, std::uint64_t number) {
  const std::string end = ending_of(game);
  if (!holds({.variant = game.variant,
              .white = game.white,
              .black = game.black,
              .end = end,
              .result = text(game.result),
              .plies = game.moves.size(),
              .number = number}))
    return false;
  if (!needs_moves()) return true;
  return std::ranges::all_of(openings_of(find_game(game.variant)), [&](const Opening& opening) {
    return game.start_fen.empty() && game.moves.size() >= opening.texts.size() &&
           std::equal(opening.texts.begin(), opening.texts.end(), game.moves.begin());
  });
}

bool GameFilter::lets_pass(const GameRecord& game, const Game& rules) {
  const GameRecord head{.number = game.number,
                        .net = game.net,
                        .start_fen = "",
                        .plies = {},
                        .outcome = game.outcome,
                        .resigned = game.resigned};
  const TextGame text_game = text_of_record(head, rules);  // all but its moves
  const std::string end = ending_of(text_game);
  if (!holds({.variant = text_game.variant,
              .white = text_game.white,
              .black = text_game.black,
              .end = end,
              .result = text(text_game.result),
              .plies = game.plies.size(),
              .number = game.number}))
    return false;
  return std::ranges::all_of(openings_of(rules), [&](const Opening& opening) {
    return game.start_fen.empty() && game.plies.size() >= opening.moves.size() &&
           std::equal(opening.moves.begin(), opening.moves.end(), game.plies.begin(),
                      [](Move move, const PlyRecord& ply) { return move == ply.move; });
  });
}

}  // namespace faultline::web
