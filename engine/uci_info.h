// What a UCI engine says about a search: `info` lines with score, chances, counters and variation.
#pragma once

#include <cstddef>
#include <string>

#include "play/analyser.h"
#include "play/game.h"

namespace faultline {

/// Centipawns for an expected result `value` = win - loss, -1 to 1, by the curve of Leela Chess
/// Zero: 111.7 tan(1.562 value), rounded: 101 for 0.47, 12,698 for 1 (a material lead of a pawn is
/// not assumed to mean anything in most of these games).
int centipawns(double value);

/// Moves to a mate for `score mate`, from plies as in SearchResult::mate_plies: 1 ply is mate in 1,
/// -2 plies are mated in 1.
int mate_moves(int plies);

/// "win draw loss" in permille, adding up to 1000.
std::string wdl_text(const Evaluation& evaluation);

/// What a whole `go` has searched so far, where that was more than one call of the analyser.
struct SearchTotals {
  std::uint64_t nodes = 0;
  double seconds = 0;
};

/// One line "info depth ... pv ..." per line of `report`, at most `lines` of them, each ended by a
/// line feed. `root`: the position searched. Moves that are not legal in the line's position end
/// it.
std::string info_lines(const AnalysisReport& report, const GamePosition& root,
                       const SearchTotals& totals, std::size_t lines, bool show_wdl);

}  // namespace faultline
