// The options of the UCI engine: their values, and how they are announced and set.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/options.h"
#include "model/device_options.h"

namespace faultline {

/// What finds the engine's moves.
enum class EngineEvaluator : std::uint8_t {
  Auto,       // what `net` is stronger with: Net or Fast
  Net,        // tree search with the network of `net`
  Uniform,    // tree search in which every position is a draw and all priors are equal
  Material,   // tree search that counts material
  AlphaBeta,  // alpha-beta search that counts material, without a network
  Fast        // alpha-beta search with the fast network of `net`
};

/// Whether it needs `net`.
constexpr bool uses_net(EngineEvaluator evaluator) {
  return evaluator == EngineEvaluator::Net || evaluator == EngineEvaluator::Fast;
}

/// uci_options() documents each field and its range.
struct UciSettings {
  std::string variant = {};  // canonical; empty: the net's own, or chess
  int threads = 1;
  int hash = 256;
  int multi_pv = 1;
  std::string net = {};
  EngineEvaluator evaluator = EngineEvaluator::Auto;
  std::string backend = kAuto;
  PrecisionChoice precision = PrecisionChoice::Auto;
  float temperature = 0;
  float policy_temperature = 0;
  bool show_wdl = false;
  bool limit_strength = false;
  int elo = 1500;
  bool ponder = false;
  int move_overhead = 30;
};

/// Bound to `settings`, which must outlive them; named as in the protocol, with `backends` as the
/// values of Backend besides "auto".
std::vector<Option> uci_options(UciSettings& settings, const std::vector<std::string>& backends);

/// The names that UCI_Variant is announced with: every family, and option sets that differ from
/// the defaults in one or two options. Other valid names are accepted too.
std::vector<std::string> announced_variants();

/// The lines "option name ... type ..." with `options`' current values as the defaults, each ended
/// by a line feed. `variant`: the default of UCI_Variant.
std::string option_lines(const std::vector<Option>& options, const std::string& variant);

/// Lower case and without blanks: names of options that are equal then are the same.
std::string plain_option_name(std::string_view name);
/// The option with this name, in any case, and with or without blanks in it ("Move Overhead").
/// Throws OptionError, with the nearest name, if there is none.
const Option& find_uci_option(const std::vector<Option>& options, std::string_view name);

/// Throws OptionError for a value that the option does not allow, and leaves it unchanged.
void set_uci_option(const Option& option, std::string_view value);

}  // namespace faultline
