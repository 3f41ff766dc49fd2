// Strategies of every family, compiled once.
#include "strategy/strategy.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <tuple>
#include <type_traits>
#include <utility>

#include <fmt/format.h>

#include "rules/families.h"
#include "strategy/conditions.h"
#include "strategy/families.h"
#include "strategy/general_predicates.h"
#include "strategy/predicates.h"

namespace faultline {

template <Position P>
std::vector<Predicate<P>> predicates_of(const typename P::Variant& variant) {
  std::vector<Predicate<P>> all = general_predicates_of<P>(variant);
  std::ranges::move(family_predicates<P>(variant), std::back_inserter(all));
  return all;
}

namespace {

template <Position P>
struct Rule {
  Conditions<P> situation;  // of the position, for all moves at once
  Conditions<P> turn;       // of a move
  float weight = 1;
  float bonus = 0;
  bool forbids = false;
  std::optional<int> until_ply;
  Conditions<P> until;
};

template <Position P>
class Strategy final : public MoveBias<P> {
 public:
  Strategy(std::vector<Rule<P>> rules, Colour first_mover)
      : rules_(std::move(rules)), first_mover_(first_mover) {}

  void judge(const P& position, const LineKeys& line, std::span<const Move> legal,
             std::vector<MoveVerdict>& verdicts) const override {
    verdicts.assign(legal.size(), {});
    Turn<P> turn(position, line, first_mover_);
    std::vector<Active> active;
    for (const Rule<P>& rule : rules_) {
      if (!all_hold(rule.situation, turn)) continue;
      const bool has_ended = (rule.until_ply && turn.ply() >= *rule.until_ply) ||
                             (!rule.until.empty() && all_hold(rule.until, turn));
      active.push_back({&rule, rule.forbids && !has_ended});
    }
    if (active.empty()) return;
    for (std::size_t i = 0; i < legal.size(); ++i) {
      turn.set_move(legal[i]);
      MoveVerdict& verdict = verdicts[i];
      for (const auto& [rule, forbids] : active) {
        if (!all_hold(rule->turn, turn)) continue;
        verdict.weight *= rule->weight;
        verdict.bonus += rule->bonus;
        verdict.forbidden = verdict.forbidden || forbids;
      }
      verdict.weight = std::clamp(verdict.weight, kLeastWeight, kMostWeight);
    }
  }

 private:
  /// The least weight that all rules together give: floats have room for less, priors have not.
  static constexpr float kLeastWeight = 1e-6F;
  static constexpr float kMostWeight = 1e6F;

  struct Active {
    const Rule<P>* rule;
    bool forbids;
  };
  std::vector<Rule<P>> rules_;
  Colour first_mover_;
};

template <class Predicates>
std::vector<PredicateInfo> infos_of(const Predicates& predicates) {
  std::vector<PredicateInfo> infos;
  for (const auto& predicate : predicates)
    infos.push_back(predicate.info);
  return infos;
}

/// Turns the rules of a strategy into those of one variant.
template <Position P>
class Compiler {
 public:
  Compiler(const typename P::Variant& variant, const StrategyText& text)
      : text_(text), conditions_(variant, text) {}

  Rule<P> compile(const RuleText& text) const {
    Rule<P> rule{.situation = {},
                 .turn = {},
                 .weight = static_cast<float>(text.prior),
                 .bonus = static_cast<float>(text.bonus),
                 .forbids = text.forbids,
                 .until_ply = text.until_ply,
                 .until = {}};
    for (const ConditionText& condition : text.when) {
      Condition<P> bound = conditions_.compile(condition);
      (bound.subject == PredicateSubject::Turn ? rule.turn : rule.situation)
          .push_back(std::move(bound));
    }
    if (rule.turn.empty())
      throw StrategyError(
          fmt::format("{}: the rule is about all moves alike: its conditions are about the "
                      "position; add one about the move, such as captures = true",
                      text_.place(text.line)));
    for (const ConditionText& condition : text.until) {
      Condition<P> bound = conditions_.compile(condition);
      if (bound.subject == PredicateSubject::Turn)
        throw StrategyError(fmt::format(
            "{}: 'forbid.until' is about the position, and '{}' about a move; predicates of "
            "positions are {}",
            text_.place(condition.line), condition.name,
            fmt::join(conditions_.situations(), ", ")));
      rule.until.push_back(std::move(bound));
    }
    return rule;
  }

 private:
  const StrategyText& text_;
  ConditionCompiler<P> conditions_;
};

}  // namespace

template <Position P>
std::shared_ptr<const MoveBias<P>> make_strategy(const typename P::Variant& variant,
                                                 const StrategyText& text) {
  const Compiler<P> compiler(variant, text);
  std::vector<Rule<P>> rules;
  for (const RuleText& rule : text.rules)
    rules.push_back(compiler.compile(rule));
  return std::make_shared<Strategy<P>>(std::move(rules), P::start(variant).side_to_move());
}

/// Takes the functions' addresses, so that instantiating it instantiates them for every family.
template <class Tuple>
struct StrategyFactories;
template <Position... P>
struct StrategyFactories<std::tuple<P...>> {
  static constexpr std::tuple kAll = {&make_strategy<P>..., &predicates_of<P>...};
};
template struct StrategyFactories<Families>;

void check_strategy(const StrategyText& text, std::string_view variant) {
  with_family(parse_variant_name(variant),
              [&]<class P>(std::type_identity<P>, const typename P::Variant& v) {
                static_cast<void>(make_strategy<P>(v, text));
              });
}

std::vector<std::string> families_with_predicate(const std::string& predicate) {
  std::vector<std::string> found;
  for (const FamilyInfo* family : all_families()) {
    const auto infos = own_predicate_infos(family->name);
    if (std::ranges::any_of(infos, [&](const auto& info) { return info.name == predicate; }))
      found.push_back(family->name);
  }
  return found;
}

std::vector<PredicateInfo> general_predicate_infos(std::string_view variant) {
  return with_family(parse_variant_name(variant),
                     []<class P>(std::type_identity<P>, const typename P::Variant& v) {
                       return infos_of(general_predicates_of<P>(v));
                     });
}

std::vector<PredicateInfo> own_predicate_infos(std::string_view variant) {
  return with_family(parse_variant_name(variant),
                     []<class P>(std::type_identity<P>, const typename P::Variant& v) {
                       return infos_of(family_predicates<P>(v));
                     });
}

}  // namespace faultline
