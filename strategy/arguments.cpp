// Checks and converts the arguments of predicates.
#include "strategy/arguments.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include <fmt/format.h>

#include "base/nearest_name.h"
#include "base/quote.h"

namespace faultline {
namespace {

bool matches(std::string_view pattern, std::string_view name) {
  const std::size_t star = pattern.find('*');
  if (star == std::string_view::npos) return pattern == name;
  if (!name.starts_with(pattern.substr(0, star))) return false;
  pattern.remove_prefix(star + 1);
  name.remove_prefix(star);
  for (;; name.remove_prefix(1)) {
    if (matches(pattern, name)) return true;
    if (name.empty()) return false;
  }
}

std::vector<std::string> texts_of(const std::vector<Parameter::Name>& names) {
  std::vector<std::string> texts;
  for (const Parameter::Name& name : names)
    texts.push_back(name.text);
  return texts;
}

/// Converts the arguments of one condition.
class Binder {
 public:
  Binder(const PredicateInfo& predicate, const ConditionText& condition,
         const StrategyText& strategy, const VariantFacts& variant)
      : predicate_(predicate), condition_(condition), strategy_(strategy), variant_(variant) {}

  Arguments bind() const {
    const std::vector<Parameter>& parameters = predicate_.parameters;
    std::vector<std::optional<Argument>> given(parameters.size());
    for (const ArgumentText& argument : condition_.arguments) {
      if (parameters.empty())
        refuse(argument.line,
               fmt::format("'{}' is {}, but has no parameters: write {} = true, or false for the "
                           "opposite",
                           condition_.name, argument.shown, condition_.name));
      if (!argument.name.empty()) {
        const std::size_t i = find(argument);
        given[i] = value(parameters[i], argument);
        continue;
      }
      given[0] = value(parameters[0], argument);
      if (parameters[0].name == "at_least") given[1] = given[0];
    }
    std::vector<Argument> values;
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      if (!given[i] && !parameters[i].preset)
        refuse(condition_.line,
               fmt::format("'{}' needs a value: {}", condition_.name, parameters_text(parameters)));
      values.push_back(given[i] ? *given[i] : *parameters[i].preset);
    }
    if (parameters.size() >= 2 && parameters[0].name == "at_least" &&
        values[0].number > values[1].number)
      refuse(condition_.line, fmt::format("'{0}.at_least' is {1}, but must not exceed "
                                          "'{0}.at_most', which is {2}",
                                          condition_.name, values[0].number, values[1].number));
    return Arguments(std::move(values));
  }

 private:
  [[noreturn]] void refuse(int line, const std::string& reason) const {
    throw StrategyError(strategy_.place(line) + ": " + reason);
  }
  [[noreturn]] void refuse_value(const ArgumentText& argument, const std::string& allowed) const {
    const std::string key = condition_.name + (argument.name.empty() ? "" : "." + argument.name);
    refuse(argument.line, fmt::format("'{}' is {}, but must be {} in {}", key, argument.shown,
                                      allowed, variant_.name));
  }

  std::size_t find(const ArgumentText& argument) const {
    std::vector<std::string> names;
    for (const Parameter& parameter : predicate_.parameters)
      names.push_back(parameter.name);
    const auto found = std::ranges::find(names, argument.name);
    if (found == names.end())
      refuse(argument.line,
             fmt::format("'{}' has no parameter {}; parameters are {}{}", condition_.name,
                         quote(argument.name), fmt::join(names, ", "),
                         did_you_mean(nearest_name(argument.name, names))));
    return static_cast<std::size_t>(found - names.begin());
  }

  Argument value(const Parameter& parameter, const ArgumentText& argument) const {
    switch (parameter.kind) {
      case Parameter::Kind::Whole:
      case Parameter::Kind::Real:
        return number(parameter, argument);
      case Parameter::Kind::Names:
        return names(parameter, argument);
      case Parameter::Kind::Squares:
        break;
    }
    return squares(argument);
  }

  Argument number(const Parameter& parameter, const ArgumentText& argument) const {
    const bool whole = parameter.kind == Parameter::Kind::Whole;
    const std::string allowed = fmt::format("{}, {} to {}", whole ? "a whole number" : "a number",
                                            parameter.low, parameter.high);
    const auto* found =
        argument.values.size() == 1 ? std::get_if<double>(&argument.values.front()) : nullptr;
    if (found == nullptr || !(*found >= parameter.low && *found <= parameter.high) ||
        (whole && *found != std::floor(*found)))
      refuse_value(argument, allowed);
    return {.number = *found, .names = 0, .squares = {}};
  }

  Argument names(const Parameter& parameter, const ArgumentText& argument) const {
    const std::vector<std::string> known = texts_of(parameter.names);
    Argument bits;
    for (const auto& given : argument.values) {
      const auto* word = std::get_if<std::string>(&given);
      if (word == nullptr)
        refuse_value(argument, fmt::format("one or several of {}", fmt::join(known, ", ")));
      const auto found = std::ranges::find(parameter.names, *word, &Parameter::Name::text);
      if (found == parameter.names.end())
        refuse(argument.line,
               fmt::format("'{}': there is no {} in {}; there are {}{}", condition_.name,
                           quote(*word), variant_.name, fmt::join(known, ", "),
                           did_you_mean(nearest_name(*word, known))));
      bits.names |= 1U << found->bit;
    }
    return bits;
  }

  Argument squares(const ArgumentText& argument) const {
    Argument set;
    for (const auto& given : argument.values) {
      const auto* pattern = std::get_if<std::string>(&given);
      if (pattern == nullptr) refuse_value(argument, "squares, as in \"e4\" or [\"*4\", \"*5\"]");
      const auto found = matching_squares(*pattern, variant_.squares);
      if (found.none())
        refuse(
            argument.line,
            fmt::format("'{}': no square of {} is called {}; they are {} to {}, and * stands for "
                        "any characters",
                        condition_.name, variant_.name, quote(*pattern), variant_.squares.front(),
                        variant_.squares.back()));
      set.squares |= found;
    }
    return set;
  }

  const PredicateInfo& predicate_;
  const ConditionText& condition_;
  const StrategyText& strategy_;
  const VariantFacts& variant_;
};

}  // namespace

std::bitset<kMaxSquares> matching_squares(std::string_view pattern,
                                          const std::vector<std::string>& squares) {
  std::bitset<kMaxSquares> found;
  for (std::size_t s = 0; s < squares.size(); ++s)
    if (matches(pattern, squares[s])) found.set(s);
  return found;
}

Arguments bind_arguments(const PredicateInfo& predicate, const ConditionText& condition,
                         const StrategyText& strategy, const VariantFacts& variant) {
  return Binder(predicate, condition, strategy, variant).bind();
}

}  // namespace faultline
