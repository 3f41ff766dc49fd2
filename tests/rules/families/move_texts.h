// Playing and asking by texts, for the tests of single families.
#pragma once

#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "rules/position.h"

namespace faultline::test {

/// The position after these moves, which must be legal.
template <Position P>
P after(P p, const std::vector<std::string>& moves) {
  for (const std::string& text : moves) {
    const auto move = p.parse_move(text);
    EXPECT_TRUE(move) << text << " is not legal in " << p.fen();
    if (!move) return p;
    p.play(*move);
  }
  return p;
}

template <Position P>
bool legal(const P& p, const std::string& text) {
  return p.parse_move(text).has_value();
}

/// The texts of the legal moves that begin with `from`.
template <Position P>
std::set<std::string> moves_from(const P& p, const std::string& from) {
  typename P::MoveList moves;
  p.legal_moves(moves);
  std::set<std::string> texts;
  for (const Move m : moves)
    if (p.move_text(m).starts_with(from)) texts.insert(p.move_text(m));
  return texts;
}

/// The field that the parser complains of.
template <Position P>
std::string refused_field(const typename P::Variant& variant, const std::string& fen) {
  try {
    return "accepted as " + P::from_fen(variant, fen).fen();
  } catch (const FenError& error) {
    return error.field();
  }
}

/// What the parser of variant names complains of.
template <Position P>
std::string refusal(const std::string& name) {
  try {
    return "accepted as " + P::variant(parse_variant_name(name)).canonical_name();
  } catch (const VariantError& error) {
    return error.what();
  }
}

}  // namespace faultline::test
