// What `uci:COMMAND?key=value&…` says about an external engine: how to start it and how it plays.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace faultline {

/// A specification that is malformed or that the engine cannot meet: a missing program, an option
/// it does not have, a variant it does not play. The message names the key and what is allowed.
class UciSpecError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct UciEngineSpec {
  std::string command;  // program and arguments (engine/child_process.h: split_command)

  // Limits of every move; they take the place of those of SearchLimits. The engine stops at the
  // first one reached.
  std::uint64_t nodes = 0;  // 0: none
  int depth = 0;            // 0: none
  std::optional<std::chrono::milliseconds> movetime = std::nullopt;

  /// How long the engine may take to start, to get ready for a game, and to answer a search beyond
  /// its time limit (engine/uci_client.h).
  std::chrono::milliseconds timeout = std::chrono::seconds(10);
  /// The longest search without a time limit, however busy the engine claims to be.
  std::chrono::milliseconds longest_search = std::chrono::minutes(10);

  /// Options for `setoption`, in the order given. A button's value is empty.
  std::vector<std::pair<std::string, std::string>> options = {};

  /// What the engine calls the game, if an option UCI_Variant says so, or null.
  const std::string* variant_name() const;
  bool has_limit() const { return nodes > 0 || depth > 0 || movetime.has_value(); }
};

/// Reads `COMMAND?key=value&key=value`, without the `uci:` before it. The keys are nodes, depth,
/// movetime (ms), timeout (s), and the engine's own options as it spells them, such as Skill Level.
/// %XX stands for a character that would separate: %3F for ?, %26 for &, %3D for =, %25 for %.
/// Throws UciSpecError.
UciEngineSpec parse_uci_engine_spec(std::string_view text);

}  // namespace faultline
