// One `go`: from its limits and the clock to a `bestmove`, with what is reported meanwhile.
#pragma once

#include <chrono>
#include <memory>
#include <random>

#include "engine/search_control.h"
#include "engine/uci_commands.h"
#include "engine/uci_options.h"
#include "engine/uci_output.h"
#include "play/analyser.h"
#include "play/game.h"

namespace faultline {

struct EngineSearch {
  std::unique_ptr<GamePosition> position;
  GoCommand go;
  UciSettings settings;
  std::chrono::steady_clock::time_point received;  // when `go` was read: the clock runs since then
};

/// Searches and prints, and prints exactly one `bestmove`, whatever fails: `(none)` if there is no
/// legal move, after an `info string` with winner and reason, else a legal move. After `go
/// infinite` and while pondering it is held back until `control` is stopped or the ponder move was
/// played.
void run_engine_search(const EngineSearch& search, Analyser& analyser, SearchControl& control,
                       UciOutput& output, std::mt19937_64& rng);

/// Answers a `go` without a position: with `reason` and `bestmove (none)`, which is held back as
/// above; `go perft` with `reason` alone.
void refuse_engine_search(const GoCommand& go, const std::string& reason, SearchControl& control,
                          UciOutput& output);

/// Counts move sequences per first move, which can be stopped, and prints them.
void run_engine_perft(const GamePosition& root, int depth, SearchControl& control,
                      UciOutput& output);

}  // namespace faultline
