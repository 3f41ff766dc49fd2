// Observes the games of every family, compiled once.
#include "strategy/behaviour.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <numeric>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include <fmt/format.h>

#include "base/quote.h"
#include "rules/families.h"
#include "rules/history.h"
#include "search/material.h"
#include "strategy/conditions.h"

namespace faultline {
namespace {

std::size_t bucket_of(int ply) {
  return std::min(static_cast<std::size_t>(std::max(ply, 0)) / kBucketPlies, kBuckets - 1);
}

template <class T, std::size_t N>
void add_to(std::array<T, N>& sums, const std::array<T, N>& more) {
  std::ranges::transform(sums, more, sums.begin(), std::plus<>());
}

void add_to(PlyCounts& sums, const PlyCounts& more) {
  for (const auto& [ply, games] : more)
    sums[ply] += games;
}

/// A side's material in pawns.
template <Position P>
double material_of(const P& position, Colour side) {
  int sum = 0;
  position.for_each_piece([&](Colour c, PieceType t, Square) {
    if (c == side) sum += piece_value(position, t);
  });
  return sum / static_cast<double>(kPawnValue);
}

template <Position P>
class Observer final : public BehaviourObserver {
 public:
  Observer(const typename P::Variant& variant, const std::vector<HabitText>& own)
      : variant_(variant), family_(family_behaviour<P>(variant)) {
    names_.habits = {{"captures", "captures = true"}, {"gives check", "checks = true"}};
    std::ranges::copy(family_.habits, std::back_inserter(names_.habits));
    for (const HabitText& habit : own) {
      if (std::ranges::find(names_.habits, habit.name, &HabitText::name) != names_.habits.end())
        throw StrategyError(
            fmt::format("behaviour {}: there is one of this name already; choose another",
                        quote(habit.name, 80)));
      names_.habits.push_back(habit);
    }
    names_.measures = {{"material", "pawns"}};
    std::ranges::copy(family_.measures, std::back_inserter(names_.measures));
    names_.milestones = family_.milestones;
    for (const HabitText& habit : names_.habits) {
      const std::string source = fmt::format("behaviour {}", quote(habit.name, 80));
      StrategyText text;
      text.file = source;
      const ConditionCompiler<P> compiler(variant, text);
      Habit compiled;
      for (const ConditionText& condition : parse_conditions(habit.when, source)) {
        Condition<P> bound = compiler.compile(condition);
        (bound.subject == PredicateSubject::Turn ? compiled.turn : compiled.situation)
            .push_back(std::move(bound));
      }
      habits_.push_back(std::move(compiled));
    }
  }

  const BehaviourNames& names() const override { return names_; }

  void add(std::string_view start_fen, std::span<const std::string> moves,
           std::size_t opening_plies, std::array<SideBehaviour*, 2> sides) const override {
    for (SideBehaviour* side : sides) {
      side->habits.resize(names_.habits.size());
      side->measured.resize(names_.measures.size());
      side->milestones.resize(names_.milestones.size());
      ++side->games;
    }
    PositionHistory<P> history(start_fen.empty() ? P::start(variant_)
                                                 : P::from_fen(variant_, start_fen));
    const Colour first_mover = P::start(variant_).side_to_move();
    const auto watch = family_.watch ? family_.watch() : nullptr;
    std::array<std::vector<bool>, 2> seen = {std::vector<bool>(habits_.size()),
                                             std::vector<bool>(habits_.size())};
    std::vector<std::size_t> reached;
    for (std::size_t i = 0; i < moves.size(); ++i) {
      const P before = history.position();
      const std::optional<Move> move = before.parse_move(moves[i]);
      if (!move)
        throw std::invalid_argument(
            fmt::format("{} is not a legal move in {}", quote(moves[i]), before.fen()));
      const auto mover = static_cast<std::size_t>(index(before.side_to_move()));
      const LineKeys line(history.keys(), {});
      Turn<P> turn(before, line, first_mover);
      const int ply = turn.ply();
      if (i >= opening_plies) count_habits(turn, *move, *sides[mover], seen[mover]);
      history.play(*move);
      if (watch) {
        reached.clear();
        watch->on_turn(before, *move, history.position(), reached);
        for (const std::size_t milestone : reached)
          ++sides[mover]->milestones.at(milestone)[ply];
      }
      for (const Colour colour : {Colour::White, Colour::Black})
        measure(history.position(), colour, watch.get(), bucket_of(ply),
                *sides.at(static_cast<std::size_t>(index(colour))));
    }
  }

 private:
  struct Habit {
    Conditions<P> situation;
    Conditions<P> turn;
  };

  void count_habits(Turn<P>& turn, Move played, SideBehaviour& side,
                    std::vector<bool>& seen) const {
    typename P::MoveList legal;
    turn.before().legal_moves(legal);
    const int ply = turn.ply();
    const std::size_t bucket = bucket_of(ply);
    ++side.turns.at(bucket);
    std::vector<std::size_t> open;  // habits that no move was found for yet
    for (std::size_t i = 0; i < habits_.size(); ++i)
      if (all_hold(habits_[i].situation, turn)) open.push_back(i);
    const auto holds = [&](std::size_t habit) { return all_hold(habits_[habit].turn, turn); };
    turn.set_move(played);
    for (const std::size_t habit : open) {
      if (!holds(habit)) continue;
      HabitCounts& counts = side.habits[habit];
      ++counts.possible.at(bucket);
      ++counts.done.at(bucket);
      if (!seen[habit]) ++counts.first[ply];
      seen[habit] = true;
    }
    std::erase_if(open, holds);
    for (const Move move : legal) {
      if (open.empty()) break;
      turn.set_move(move);
      std::erase_if(open, [&](std::size_t habit) {
        if (!holds(habit)) return false;
        ++side.habits[habit].possible.at(bucket);
        return true;
      });
    }
  }

  void measure(const P& position, Colour colour, const GameWatch<P>* watch, std::size_t bucket,
               SideBehaviour& side) const {
    ++side.positions.at(bucket);
    side.measured[0].at(bucket) += material_of(position, colour);
    for (std::size_t i = 0; i < family_.measures.size(); ++i)
      side.measured[i + 1].at(bucket) += watch->measure(i, position, colour);
  }

  const typename P::Variant& variant_;
  FamilyBehaviour<P> family_;
  BehaviourNames names_;
  std::vector<Habit> habits_;
};

}  // namespace

std::optional<int> median_ply(const PlyCounts& counts) {
  const std::int64_t games = total(counts);
  std::int64_t so_far = 0;
  for (const auto& [ply, count] : counts)
    if ((so_far += count) * 2 >= games) return ply;
  return std::nullopt;
}

std::int64_t total(const PlyCounts& counts) {
  return std::accumulate(counts.begin(), counts.end(), std::int64_t{0},
                         [](std::int64_t sum, const auto& one) { return sum + one.second; });
}

std::int64_t total(const BucketCounts& counts) {
  return std::accumulate(counts.begin(), counts.end(), std::int64_t{0});
}

SideBehaviour& SideBehaviour::operator+=(const SideBehaviour& other) {
  games += other.games;
  add_to(turns, other.turns);
  add_to(positions, other.positions);
  habits.resize(std::max(habits.size(), other.habits.size()));
  measured.resize(std::max(measured.size(), other.measured.size()));
  milestones.resize(std::max(milestones.size(), other.milestones.size()));
  for (std::size_t i = 0; i < other.habits.size(); ++i) {
    add_to(habits[i].possible, other.habits[i].possible);
    add_to(habits[i].done, other.habits[i].done);
    add_to(habits[i].first, other.habits[i].first);
  }
  for (std::size_t i = 0; i < other.measured.size(); ++i)
    add_to(measured[i], other.measured[i]);
  for (std::size_t i = 0; i < other.milestones.size(); ++i)
    add_to(milestones[i], other.milestones[i]);
  return *this;
}

std::unique_ptr<BehaviourObserver> make_behaviour_observer(std::string_view variant,
                                                           const std::vector<HabitText>& own) {
  return with_family(
      parse_variant_name(variant),
      [&]<class P>(std::type_identity<P>, const typename P::Variant& v)
          -> std::unique_ptr<BehaviourObserver> { return std::make_unique<Observer<P>>(v, own); });
}

}  // namespace faultline
