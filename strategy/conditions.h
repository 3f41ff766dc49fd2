// Conditions of one variant: predicates with their arguments, from what is written in a file. For
// the sources of strategy/ only.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "base/nearest_name.h"
#include "base/quote.h"
#include "strategy/arguments.h"
#include "strategy/families.h"
#include "strategy/predicate.h"
#include "strategy/predicates.h"
#include "strategy/strategy_text.h"

namespace faultline {

template <Position P>
struct Condition {
  PredicateSubject subject;
  bool (*holds)(const Turn<P>&, const Arguments&);
  Arguments arguments;
  bool negated;

  bool operator()(const Turn<P>& turn) const { return holds(turn, arguments) != negated; }
};

template <Position P>
using Conditions = std::vector<Condition<P>>;

template <Position P>
bool all_hold(const Conditions<P>& conditions, const Turn<P>& turn) {
  return std::ranges::all_of(conditions, [&](const auto& condition) { return condition(turn); });
}

/// The families that have a predicate of this name as their own.
std::vector<std::string> families_with_predicate(const std::string& predicate);

template <Position P>
class ConditionCompiler {
 public:
  /// `text` must outlive it and names the place in messages.
  ConditionCompiler(const typename P::Variant& variant, const StrategyText& text)
      : text_(text),
        predicates_(predicates_of<P>(variant)),
        facts_{.name = variant.canonical_name(), .squares = P::graph(variant).names()} {}

  /// Throws StrategyError for a predicate or a parameter that does not exist, or is impossible in
  /// the variant.
  Condition<P> compile(const ConditionText& condition) const {
    const Predicate<P>& predicate = find(condition);
    return {.subject = predicate.info.subject,
            .holds = predicate.holds,
            .arguments = bind_arguments(predicate.info, condition, text_, facts_),
            .negated = condition.negated};
  }

  /// The names of the predicates that are about the position alone.
  std::vector<std::string> situations() const {
    std::vector<std::string> names;
    for (const Predicate<P>& predicate : predicates_)
      if (predicate.info.subject == PredicateSubject::Situation)
        names.push_back(predicate.info.name);
    return names;
  }

 private:
  const Predicate<P>& find(const ConditionText& condition) const {
    const auto found = std::ranges::find_if(predicates_, [&](const Predicate<P>& predicate) {
      return predicate.info.name == condition.name;
    });
    const std::string place = text_.place(condition.line);
    if (found == predicates_.end()) {
      const auto others = families_with_predicate(condition.name);
      if (!others.empty())
        throw StrategyError(fmt::format("{}: '{}' is a predicate of {}, not of {}", place,
                                        condition.name, fmt::join(others, " and "), facts_.name));
      std::vector<std::string> names;
      for (const Predicate<P>& predicate : predicates_)
        names.push_back(predicate.info.name);
      throw StrategyError(fmt::format(
          "{}: there is no predicate {}{}; 'faultline variants {} --predicates' lists them", place,
          quote(condition.name), did_you_mean(nearest_name(condition.name, names)), facts_.name));
    }
    if (!found->info.impossible.empty())
      throw StrategyError(fmt::format("{}: '{}' is impossible in {}: {}", place, condition.name,
                                      facts_.name, found->info.impossible));
    return *found;
  }

  const StrategyText& text_;
  std::vector<Predicate<P>> predicates_;
  VariantFacts facts_;
};

}  // namespace faultline
