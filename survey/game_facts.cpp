// Replays games, for every family.
#include "survey/game_facts.h"

#include <algorithm>
#include <type_traits>
#include <utility>

#include <fmt/core.h>

#include "base/seeds.h"
#include "lab/opening_tree.h"
#include "rules/families.h"
#include "rules/history.h"
#include "search/material.h"
#include "search/move_bias.h"
#include "strategy/predicates.h"
#include "strategy/strategy.h"
#include "survey/families.h"

namespace faultline {
namespace {

/// A predicate's numbers or names are counted one by one if they are so many.
constexpr double kMostValues = 8;

template <Position P>
struct CountedMove {
  SpecialMove info;
  bool (*holds)(const Turn<P>&, const Arguments&);
  Arguments arguments;
};

/// A value that a predicate's first parameter may be limited to.
struct SingleValue {
  std::string text;
  std::vector<Argument> arguments;
};

/// The values of the first parameter one by one, if it is a short list of names or a short range of
/// whole numbers; `all`: the arguments with which the predicate holds for any of them.
std::vector<SingleValue> single_values(const std::vector<Parameter>& parameters,
                                       const std::vector<Argument>& all) {
  std::vector<SingleValue> values;
  if (parameters.empty()) return values;
  const Parameter& first = parameters.front();
  if (first.kind == Parameter::Kind::Names && first.names.size() > 1 &&
      static_cast<double>(first.names.size()) <= kMostValues)
    for (const Parameter::Name& name : first.names) {
      values.push_back({name.text, all});
      values.back().arguments[0].names = 1U << name.bit;
    }
  if (first.kind == Parameter::Kind::Whole && first.name == "at_least" && first.high > first.low &&
      first.high - first.low < kMostValues)
    for (double value = first.low; value <= first.high; ++value) {
      values.push_back({fmt::format("{}", value), all});
      values.back().arguments[0].number = value;
      values.back().arguments[1].number = value;
    }
  return values;
}

template <Position P>
std::vector<CountedMove<P>> counted_moves(const typename P::Variant& variant) {
  std::vector<CountedMove<P>> moves;
  const std::size_t general = general_predicate_infos(variant.canonical_name()).size();
  const std::vector<Predicate<P>> predicates = predicates_of<P>(variant);
  for (std::size_t i = 0; i < predicates.size(); ++i) {
    const PredicateInfo& info = predicates[i].info;
    const bool is_open = std::ranges::all_of(
        info.parameters, [](const Parameter& parameter) { return parameter.preset.has_value(); });
    if (info.subject != PredicateSubject::Turn || !info.impossible.empty() || !is_open) continue;
    std::vector<Argument> all;
    for (const Parameter& parameter : info.parameters)
      all.push_back(*parameter.preset);
    moves.push_back({{.name = info.name, .help = info.help, .general = i < general},
                     predicates[i].holds,
                     Arguments(all)});
    for (SingleValue& value : single_values(info.parameters, all))
      moves.push_back({{.name = fmt::format("{} = {}", info.name, value.text),
                        .help = info.help,
                        .of = info.name,
                        .general = i < general},
                       predicates[i].holds,
                       Arguments(std::move(value.arguments))});
  }
  return moves;
}

/// A game being replayed.
template <Position P>
class Replay {
 public:
  Replay(const typename P::Variant& variant, const TextGame& game)
      : game_(game),
        history_(P::start(variant)),
        first_(history_.position().side_to_move()),
        counted_(counted_moves<P>(variant)),
        regions_(survey_regions<P>(variant)) {
    facts_.moves.resize(counted_.size());
    facts_.opening_plies = game.opening_plies;
  }

  GameFacts run() {
    if (!game_.start_fen.empty())
      throw GameTextError("a game of a survey does not begin at the variant's start");
    for (const std::string& text : game_.moves) {
      const auto move = history_.position().parse_move(text);
      if (!move)
        throw GameTextError(
            fmt::format("move {} of a game, {}, is not legal", history_.plies() + 1, text));
      ply(*move);
    }
    end();
    return std::move(facts_);
  }

 private:
  std::size_t side(Colour colour) const { return colour == first_ ? 0 : 1; }

  void ply(Move move) {
    const P& position = history_.position();
    typename P::MoveList legal;
    position.legal_moves(legal);
    facts_.branching.push_back(static_cast<std::uint32_t>(legal.size()));
    facts_.line = splitmix64(facts_.line ^ move.bits());
    if (facts_.opening.size() < OpeningTree::kDepth) facts_.opening.push_back(move);
    const bool is_chosen = history_.plies() >= game_.opening_plies;
    if (is_chosen) count(legal, move);
    const bool noisy =
        captured_type(position, move) != PieceType::None || move.kind() == MoveKind::Promotion;
    if (is_chosen && !noisy && !was_noisy_ && !position.in_check()) look_at_material(position);
    was_noisy_ = noisy;
    history_.play(move);
  }

  void count(const typename P::MoveList& legal, Move played) {
    const P& position = history_.position();
    const LineKeys line(history_.keys(), {});
    Turn<P> turn(position, line, first_);
    const std::size_t mover = side(position.side_to_move());
    std::vector<bool> possible(counted_.size(), false);
    for (const Move move : legal) {
      turn.set_move(move);
      for (std::size_t i = 0; i < counted_.size(); ++i) {
        // The counts of what is possible stop at the first such move.
        if (possible[i] && move != played) continue;
        if (!counted_[i].holds(turn, counted_[i].arguments)) continue;
        MoveUse& use = facts_.moves[i].at(mover);
        if (!possible[i]) ++use.possible;
        possible[i] = true;
        if (move == played) ++use.played;
      }
    }
  }

  void look_at_material(const P& position) {
    const int balance = material_balance(position);
    const int lead = position.side_to_move() == first_ ? balance : -balance;
    facts_.deepest_deficit[0] = std::max(facts_.deepest_deficit[0], -lead);
    facts_.deepest_deficit[1] = std::max(facts_.deepest_deficit[1], lead);
    if (std::abs(lead) >= kPawnValue) {
      const int leader = lead > 0 ? 1 : -1;
      if (leader_ == -leader) ++facts_.lead_changes;
      leader_ = leader;
    }
    MaterialSample sample{.first_to_move = position.side_to_move() == first_, .difference = {}};
    sample.difference.resize(regions_.names.size() * kMostPieceTypes);
    position.for_each_piece([&](Colour c, PieceType t, Square s) {
      std::int8_t& difference =
          sample.difference[regions_.region(c, s) * kMostPieceTypes + static_cast<std::size_t>(t)];
      difference = static_cast<std::int8_t>(difference + (c == first_ ? 1 : -1));
    });
    quiet_.push_back(std::move(sample));
  }

  void end() {
    facts_.outcome = history_.outcome();
    if (facts_.outcome == Outcome::WhiteWins || facts_.outcome == Outcome::BlackWins)
      facts_.winner = score_for(facts_.outcome, first_) > 0 ? 0 : 1;
    const std::size_t kept = std::min(quiet_.size(), kMostSamples);
    for (std::size_t i = 0; i < kept; ++i)
      facts_.samples.push_back(std::move(quiet_[(2 * i + 1) * quiet_.size() / (2 * kept)]));
  }

  const TextGame& game_;
  PositionHistory<P> history_;
  Colour first_;
  std::vector<CountedMove<P>> counted_;
  BoardRegions regions_;
  GameFacts facts_;
  std::vector<MaterialSample> quiet_;
  bool was_noisy_ = false;
  int leader_ = 0;
};

}  // namespace

std::vector<SpecialMove> special_moves(std::string_view variant) {
  return with_family(parse_variant_name(variant),
                     []<Position P>(std::type_identity<P>, const typename P::Variant& v) {
                       std::vector<SpecialMove> moves;
                       for (const CountedMove<P>& move : counted_moves<P>(v))
                         moves.push_back(move.info);
                       return moves;
                     });
}

std::vector<std::string> region_names(std::string_view variant) {
  return with_family(parse_variant_name(variant),
                     []<Position P>(std::type_identity<P>, const typename P::Variant& v) {
                       return survey_regions<P>(v).names;
                     });
}

GameFacts facts_of(const TextGame& game) {
  return with_family(parse_variant_name(game.variant),
                     [&]<Position P>(std::type_identity<P>, const typename P::Variant& v) {
                       return Replay<P>(v, game).run();
                     });
}

}  // namespace faultline
