// What UCI engines print: their options, and their search's progress.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace faultline {

/// `option name NAME type TYPE default VALUE min LOW max HIGH var VALUE …`
struct UciOption {
  enum class Type : std::uint8_t { Check, Spin, Combo, Button, String };

  std::string name;
  Type type = Type::String;
  std::string default_value;
  std::optional<std::int64_t> min, max;  // of a spin
  std::vector<std::string> values;       // of a combo
};

/// Nothing if `line` is not an option.
std::optional<UciOption> parse_uci_option(std::string_view line);

/// Empty if the option takes `value`; else what it takes: "a number from 0 to 20".
std::string why_refused(const UciOption& option, std::string_view value);

/// What an engine has reported about its search, from the side to move.
struct UciInfo {
  int depth = 0;
  int selective_depth = 0;
  std::uint64_t nodes = 0;
  std::uint64_t nodes_per_second = 0;
  std::optional<int> centipawns;
  std::optional<int> mate;                // in moves; negative: the side to move is mated
  std::optional<std::array<int, 3>> wdl;  // win, draw and loss, per mille
  std::vector<std::string> variation;
};

/// Updates `info` from an `info …` line; everything that is not understood is skipped. Of several
/// variations the first counts. A score that is only a bound does not replace an exact one. Returns
/// whether the line was an info line.
bool read_uci_info(std::string_view line, UciInfo& info);

}  // namespace faultline
