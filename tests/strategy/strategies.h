// Strategies written in tests, and what they say of the moves of a position.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "rules/families.h"
#include "rules/history.h"
#include "strategy/strategy.h"

namespace faultline::test {

template <Position P>
std::shared_ptr<const MoveBias<P>> strategy(const std::string& toml, const std::string& variant) {
  return make_strategy<P>(P::variant(parse_variant_name(variant)), parse_strategy(toml, "test"));
}

template <Position P>
std::vector<MoveVerdict> verdicts(const MoveBias<P>& strategy, const PositionHistory<P>& history) {
  typename P::MoveList moves;
  history.position().legal_moves(moves);
  std::vector<MoveVerdict> found;
  strategy.judge(history.position(), LineKeys(history.keys(), {}), {moves.begin(), moves.end()},
                 found);
  return found;
}

/// The texts of the legal moves that fulfil `when`, an inline table, sorted. `position`: a FEN or
/// "" for the start; then `moves` are played.
template <Position P>
std::vector<std::string> moves_where(const std::string& when, const std::string& variant,
                                     const std::string& fen = "",
                                     const std::vector<std::string>& moves = {}) {
  const auto& rules = P::variant(parse_variant_name(variant));
  PositionHistory<P> history(fen.empty() ? P::start(rules) : P::from_fen(rules, fen));
  for (const std::string& move : moves)
    history.play(history.position().parse_move(move).value());
  const auto found = verdicts<P>(
      *strategy<P>("[[rules]]\nwhen = " + when + "\nforbid = true\n", variant), history);
  typename P::MoveList legal;
  history.position().legal_moves(legal);
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < legal.size(); ++i)
    if (found[i].forbidden) texts.push_back(history.position().move_text(legal[i]));
  std::ranges::sort(texts);
  return texts;
}

/// Whether a predicate of positions holds: of a rule about all moves.
template <Position P>
bool holds(const std::string& situation, const std::string& variant, const std::string& fen = "") {
  return !moves_where<P>("{ " + situation + ", not = { repeats = true } }", variant, fen).empty();
}

}  // namespace faultline::test
