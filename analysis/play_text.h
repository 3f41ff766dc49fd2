// The messages of `play`, and the parsing of what the user types.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "rules/types.h"
#include "search/evaluator.h"

namespace faultline {

/// The list of commands; `move_examples` are the variant's.
std::string play_help(std::string_view move_examples);

/// "Checkmate: white wins." and similar for every outcome. `mate`: the side to move is in check and
/// has no move; games with other goals are won without.
std::string outcome_sentence(Outcome outcome, bool mate);

/// "win 61 %, draw 20 %, loss 19 %".
std::string evaluation_text(const Evaluation& evaluation);

/// The square at the start of a move text: letters, then digits, with a level in front in inferno;
/// empty if there is none.
std::string_view origin_of(std::string_view text);

std::string lower_case(std::string_view typed);

/// A move as people write it ("E2-E4", "a7a8=Q", "e4xd5") in the form of most families'
/// move texts, without signs.
std::string tidy_move(std::string_view typed);

/// The legal moves nearest to what was typed: those from the same square, else those to a square in
/// it, else the most similar one; empty if nothing is near.
std::vector<std::string> near_moves(std::string_view typed, const std::vector<std::string>& legal);

/// The reply to input that is neither a command nor a legal move.
std::string not_understood(std::string_view typed, const std::vector<std::string>& legal);

}  // namespace faultline
