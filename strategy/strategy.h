// Strategies: a named way of playing, laid over an evaluator and a search. A strategy is data
// (strategy/strategy_text.h); what its rules are made of, predicates, is code.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "rules/position.h"
#include "search/move_bias.h"
#include "strategy/predicate.h"
#include "strategy/strategy_text.h"

namespace faultline {

/// The strategy for games of one variant, which must outlive it. Throws StrategyError for a
/// predicate or a parameter that does not exist, or is impossible in the variant.
template <Position P>
std::shared_ptr<const MoveBias<P>> make_strategy(const typename P::Variant& variant,
                                                 const StrategyText& text);

/// Throws what make_strategy() throws for this variant, and VariantError.
void check_strategy(const StrategyText& text, std::string_view variant);

/// The predicates of a variant: those that every family has, then its own. Throws VariantError.
std::vector<PredicateInfo> general_predicate_infos(std::string_view variant);
std::vector<PredicateInfo> own_predicate_infos(std::string_view variant);

}  // namespace faultline
