// The options of `match`.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/game_options.h"
#include "lab/run_match.h"

namespace CLI {
class App;
}

namespace faultline {

struct MatchOptions {
  std::vector<std::string> names;  // [VARIANT] A B
  std::optional<int> games;
  GameOptions game;       // with the limits of A, and of B unless that has limits of its own
  LimitOptions limits_b;  // of B
  std::optional<std::string> sprt;
  std::string record;
  std::string pgn;
};

/// Adds the arguments and options, which write into `options`.
void add_match_options(CLI::App& command, MatchOptions& options);

/// The match that they describe. Throws UsageError, OpeningError and OptionError.
MatchSetup setup_of(const MatchOptions& options);

}  // namespace faultline
