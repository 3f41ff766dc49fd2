// Attacks of DataPosition, and what keeps royals safe. Included where it is instantiated:
// data_position.cpp.
#pragma once

#include <array>
#include <bit>

#include "rules/data/data_position.h"

namespace faultline::data {

/// Of so many royals of a side checks and pins are found once; with more, moves are tried out.
inline constexpr int kMostSafeties = 12;

template <class B>
struct DataPosition<B>::View {
  Colour us;
  B own{}, enemies{};
  B occupied{};  // with squares that do not exist
  B empty{};     // where pieces may move without capturing
  B victims{};   // what may be captured
  B holes{};     // where pieces descend
  bool only_captures = false;
  bool checks_allowed = false;  // whatever the rules say
  TypeSet types = ~TypeSet{0};  // whose moves are generated
};

template <class B>
B DataPosition<B>::attackers(Square s, int type, Colour by, B occupied) const {
  B found{};
  for (const AttackGroup<B>& group : side(by).attacks)
    if (group.takes >> type & 1) {
      const B pieces = of_types(by, group.types) & group.ever[s];
      if (any(pieces)) found |= reach_of(group.attackers, group.hops, s, occupied) & pieces;
    }
  return found;
}

/// Whether what captures on `s` would blow up a royal of its own side.
template <class B>
bool DataPosition<B>::beside_royal(Square s, Colour by) const {
  if (!game_->file().rules.explode) return false;
  const B own = royals(by);
  for (int d = 0; d < kDirections; ++d)
    for (const Square next : game_->graph.neighbours(s, static_cast<Direction>(d)))
      if (contains(own, next)) return true;
  return false;
}

template <class B>
bool DataPosition<B>::in_check(Colour c) const {
  const B occupied_now = occupied() | missing_;
  bool one_is_safe = false;
  bool one_safe_attacked = false;
  for (TypeSet types = game_->royals[at(c)]; types != 0; types &= types - 1) {
    const int type = std::countr_zero(types);
    const bool each = rules_of(c, type).royal == Royal::Yes;
    for (B kings = of(c, type); any(kings);) {
      const Square king = pop_first(kings);
      const bool attacked = !beside_royal(king, ~c) && any(attackers(king, type, ~c, occupied_now));
      if (attacked && each) return true;
      if (!each) (attacked ? one_safe_attacked : one_is_safe) = true;
    }
  }
  return one_safe_attacked && !one_is_safe;
}

template <class B>
AttackedSquares<B> DataPosition<B>::attacked_by(Colour c) const {
  AttackedSquares<B> attacked;
  const B occupied_now = occupied() | missing_;
  const B exists = game_->board & ~missing_;
  for (int t = 0; t < game_->types; ++t) {
    const TypeTables<B>& tables = side(c).types[static_cast<std::size_t>(t)];
    for_each_square(of(c, t), [&](Square s) {
      B reached{};
      for (const Ways<B>& ways : tables.ways)
        if (ways.takes != 0)
          reached |= reach_of(ways.table, ways.hops, s, occupied_now) & ways.onto;
      attacked.add(reached & exists);
    });
  }
  return attacked;
}

/// Which destinations keep the mover's royals safe, each of them, where a move changes nothing but
/// its own squares: checks and pins once, and a test of single moves only where a piece that is
/// hopped over or one of several ways is concerned.
template <class B>
class DataPosition<B>::Safety {
 public:
  /// `kings`: at most kMostSafeties.
  Safety(const DataPosition& p, const View& view, B kings) : view_(view) {
    checks_.pinned = B{};
    checks_.checkers = B{};
    checks_.check_mask = ~B{};
    const TypeSet royal = p.game_->royals[at(view.us)];
    for (const AttackGroup<B>& group : p.side(~view.us).attacks) {
      if (!(group.takes & royal)) continue;
      const B pieces = p.of_types(~view.us, group.types);
      if (any(pieces)) enemies_[groups_++] = {&group, pieces};
    }
    const B stops = view.enemies | p.missing_;
    for_each_square(kings, [&](Square square) {
      const int type = (royal & (royal - 1)) == 0 ? std::countr_zero(royal) : p.type_at(square);
      B mask = ~B{};
      for (std::size_t i = 0; i < groups_; ++i) {
        const AttackGroup<B>* const group = enemies_[i].group;
        if (!(group->takes >> type & 1)) continue;
        const B pieces = enemies_[i].pieces & group->ever[square];
        if (!any(pieces)) continue;
        if (group->hops)
          find_hops(*group, square, pieces);
        else if (group->leaps())
          for_each_square(pieces, [&](Square s) { check(mask, s, B{}); });
        else
          find_lines(*group, square, mask, group->attackers.at(square, stops) & pieces);
      }
      kings_[count_++] = {square, type, mask};
      checks_.check_mask &= mask;
    });
  }

  bool any_check() const { return any(checks_.checkers) || hop_check_; }
  /// Whether no piece but a king can have a move.
  bool king_must_move() const { return !any(checks_.check_mask); }

  B operator()(Square from, B candidates) const {
    candidates = checks_(from, candidates);
    if (!any(sensitive_)) return candidates;
    B tested = contains(sensitive_, from) ? candidates : candidates & sensitive_;
    B safe = hop_check_ ? B{} : candidates & ~tested;
    for_each_square(tested, [&](Square to) {
      const B occupied = (view_.occupied & ~square_set<B>(from)) | square_set<B>(to);
      if (!any_attacked(occupied, square_set<B>(to), kNoSquare)) safe |= square_set<B>(to);
    });
    return safe;
  }
  B of_king(Square king, B candidates) const {
    int type = kings_[0].type;
    if (count_ > 1) {
      for (std::size_t i = 0; i < count_; ++i)
        if (kings_[i].square == king)
          type = kings_[i].type;
        else
          candidates &= kings_[i].mask;
      if (contains(checks_.pinned, king)) candidates &= checks_.pin_line[king];
    }
    B safe{};
    const B without = view_.occupied & ~square_set<B>(king);
    const bool others_tested = count_ > 1 && any(sensitive_);
    for_each_square(candidates, [&](Square to) {
      const B occupied = without | square_set<B>(to);
      if (!attacked(to, type, occupied, square_set<B>(to)) &&
          !(others_tested && any_attacked(occupied, square_set<B>(to), king)))
        safe |= square_set<B>(to);
    });
    return safe;
  }
  /// After a capture of what stands elsewhere.
  bool safe_after_passing(Square from, Square to, Square victim) const {
    const B occupied =
        ((view_.occupied & ~square_set<B>(from)) | square_set<B>(to)) & ~square_set<B>(victim);
    return !any_attacked(occupied, square_set<B>(victim), kNoSquare);
  }
  /// Of the empty squares `candidates`: where a dropped piece leaves the kings safe.
  B of_drop(B candidates) const {
    candidates &= checks_.check_mask;
    if (!any(sensitive_)) return candidates;
    B safe = hop_check_ ? B{} : candidates & ~sensitive_;
    for_each_square(candidates & sensitive_, [&](Square to) {
      if (!any_attacked(view_.occupied | square_set<B>(to), B{}, kNoSquare))
        safe |= square_set<B>(to);
    });
    return safe;
  }
  /// Whether a royal of `type` on `s` is attacked, with other squares occupied.
  bool attacked(Square s, int type, B occupied, B captured) const {
    for (std::size_t i = 0; i < groups_; ++i) {
      const AttackGroup<B>& group = *enemies_[i].group;
      const B pieces = enemies_[i].pieces & group.ever[s] & ~captured;
      if (any(pieces) && (group.takes >> type & 1) != 0 &&
          any(group.attackers.at(s, occupied) & pieces))
        return true;
    }
    return false;
  }

 private:
  struct Enemies {
    const AttackGroup<B>* group;
    B pieces;
  };
  struct King {
    Square square;
    int type;
    B mask;  // where other pieces must land
  };

  /// A king but that on `except`, where it stands now.
  bool any_attacked(B occupied, B captured, Square except) const {
    for (std::size_t i = 0; i < count_; ++i)
      if (kings_[i].square != except &&
          attacked(kings_[i].square, kings_[i].type, occupied, captured))
        return true;
    return false;
  }

  void check(B& mask, Square checker, B blocking) {
    checks_.checkers |= square_set<B>(checker);
    mask &= blocking | square_set<B>(checker);
  }

  void find_lines(const AttackGroup<B>& group, Square king, B& mask, B snipers) {
    for_each_square(snipers, [&](Square sniper) {
      if (contains(group.ambiguous[king], sniper)) {
        sensitive_ = ~B{};
        return;
      }
      const B line = group.at_between(king, sniper);
      const B blockers = line & view_.own;
      if (!any(blockers))
        check(mask, sniper, line);
      else if (!more_than_one(blockers))
        checks_.pin(first(blockers), line | square_set<B>(sniper));
    });
  }

  void find_hops(const AttackGroup<B>& group, Square king, B pieces) {
    for (const auto& way : group.ways_of_hops[king]) {
      if (!contains(pieces, way.attacker)) continue;
      const int blocking = count(view_.occupied & way.empty);
      const int hurdles = count(view_.occupied & way.hurdle);
      if (blocking > 1 || hurdles > 2) continue;  // no single move opens it
      hop_check_ |= blocking == 0 && hurdles == 1;
      sensitive_ |= way.empty | way.hurdle | square_set<B>(way.attacker);
    }
  }

  const View& view_;
  std::size_t count_ = 0;
  std::size_t groups_ = 0;
  std::array<King, kMostSafeties> kings_;
  std::array<Enemies, kMostAttackGroups> enemies_;
  CheckInfo<B> checks_;
  B sensitive_{};  // moves from and to these are tested one by one
  bool hop_check_ = false;
};

}  // namespace faultline::data
