// The options of `match`.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lab/run_match.h"
#include "model/device_options.h"

namespace CLI {
class App;
}

namespace faultline {

/// Limits as on the command line: nothing where they are not given.
struct LimitOptions {
  std::optional<std::int64_t> visits, nodes, evaluations;
  std::optional<int> time_ms;

  bool any() const { return visits || nodes || evaluations || time_ms; }
};

struct MatchOptions {
  std::vector<std::string> names;  // [VARIANT] A B
  MatchConfig config = {.threads = 0};
  std::optional<int> games;
  LimitOptions limits;    // of A, and of B unless that has limits of its own
  LimitOptions limits_b;  // of B
  std::string openings;
  std::string sprt;
  std::optional<std::string> adjudicate_win, adjudicate_draw;
  std::string cut = "apart";
  bool search_defaults = false;
  std::vector<std::string> search_settings;
  DeviceOptions device;
  bool json = false;
  std::string record;
  std::string pgn;
};

/// Adds the arguments and options, which write into `options`.
void add_match_options(CLI::App& command, MatchOptions& options);

/// The match that they describe. Throws UsageError.
MatchSetup setup_of(const MatchOptions& options);

}  // namespace faultline
