// The commands of the Universal Chess Interface that have arguments, parsed from their text.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace faultline {

/// Split at blanks and control characters, which also removes the CR of a CRLF.
std::vector<std::string_view> uci_words(std::string_view line);

/// `go`. Numbers out of range are moved into it; one that is missing or not a number counts as 0
/// and is reported, so that a malformed limit ends a search at once instead of never.
struct GoCommand {
  using Milliseconds = std::optional<std::chrono::milliseconds>;

  std::optional<std::uint64_t> nodes = std::nullopt;
  std::optional<int> depth = std::nullopt;
  std::optional<int> mate = std::nullopt;   // moves
  std::optional<int> perft = std::nullopt;  // plies
  Milliseconds move_time = std::nullopt;
  Milliseconds time[2] = {};  // White's and Black's clock; may be negative
  Milliseconds increment[2] = {};
  int moves_to_go = 0;
  bool infinite = false;
  bool ponder = false;
  std::vector<std::string> search_moves = {};
  std::vector<std::string> complaints = {};  // one sentence each

  bool has_clock() const { return time[0].has_value() || time[1].has_value(); }
  /// Whether anything but `stop` ends the search.
  bool has_limit() const { return nodes || depth || mate || move_time || has_clock(); }
};
GoCommand parse_go(std::string_view line);

/// `position startpos|fen FEN [moves MOVE...]`.
struct PositionCommand {
  std::optional<std::string> fen = std::nullopt;  // nullopt: the start position
  std::vector<std::string> moves = {};
};
/// nullopt if neither a start position nor a FEN is given.
std::optional<PositionCommand> parse_position(std::string_view line);

/// `setoption name NAME [value VALUE]`; both may contain blanks.
struct SetOptionCommand {
  std::string name;
  std::string value;  // inner blanks as given
};
/// nullopt if there is no name.
std::optional<SetOptionCommand> parse_setoption(std::string_view line);

}  // namespace faultline
