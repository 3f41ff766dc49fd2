// Strategies as files (docs/strategies.md): what is written in them, before it is known what
// variant they are for.
#pragma once

#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace faultline {

/// A strategy that is not one, or not one of a variant. The message begins with the file and line
/// and says what would be right.
class StrategyError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The value of a predicate's parameter.
struct ArgumentText {
  std::string name;  // "": the value of the predicate itself, as in piece = "rook"
  int line = 0;
  std::vector<std::variant<bool, double, std::string>> values;  // more than one: a list
  std::string shown;                                            // for messages
};

/// "piece = 'rook'": a predicate with its arguments.
struct ConditionText {
  std::string name;
  int line = 0;
  bool negated = false;
  std::vector<ArgumentText> arguments = {};
};

/// One of [[rules]].
struct RuleText {
  int line = 0;
  std::vector<ConditionText> when = {};  // all must hold
  double prior = 1;
  double bonus = 0;
  bool forbids = false;
  std::optional<int> until_ply = std::nullopt;  // it forbids before this ply only
  std::vector<ConditionText> until = {};        // it forbids only while these do not all hold
};

struct StrategyText {
  std::string file;  // for messages
  std::string description;
  std::vector<RuleText> rules;

  /// "FILE:LINE".
  std::string place(int line) const;
};

/// Both throw StrategyError.
StrategyText parse_strategy(std::string_view text, const std::string& source);
StrategyText load_strategy(const std::filesystem::path& file);
/// "descends = true, to_level = 2": what stands in the braces of a rule's `when`. Throws
/// StrategyError.
std::vector<ConditionText> parse_conditions(std::string_view text, const std::string& source);

/// The folder in which strategies are kept: "configs/strategies".
inline constexpr std::string_view kStrategyFolder = "configs/strategies";

/// The file that `name` stands for: one with this path, from the folder `near` or the current one,
/// or NAME.toml in the first of these folders that has it:
///   - strategies and kStrategyFolder, in the folder `near` and then in each above it;
///   - kStrategyFolder in the current folder;
///   - kStrategyFolder in the program's folder and then in each above it: that of the sources, for
///     a program in its build folder.
/// `near`: that of the file that has the name; empty: there is none. Throws StrategyError that says
/// where it was looked for.
std::filesystem::path find_strategy(std::string_view name, const std::filesystem::path& near = {});

}  // namespace faultline
