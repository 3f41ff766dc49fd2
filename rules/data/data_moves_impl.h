// The legal moves of DataPosition. Included where it is instantiated: data_position.cpp.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <optional>
#include <span>

#include "rules/data/data_safety_impl.h"

namespace faultline::data {

/// Lets through what is legal when it is played out.
template <class B>
template <class Sink>
class DataPosition<B>::TestedSink {
 public:
  TestedSink(const DataPosition& p, bool checks_allowed, Sink& sink)
      : p_(p), checks_allowed_(checks_allowed), sink_(sink) {}
  void moves(Square from, B targets) {
    for_each_square(targets, [&](Square to) { move(Move(from, to)); });
  }
  void double_steps(Square from, B targets) {
    for_each_square(targets, [&](Square to) { move(Move(from, to, MoveKind::DoubleStep)); });
  }
  void promotions(Square from, B targets, std::span<const faultline::PieceType> types) {
    for_each_square(targets, [&](Square to) {
      for (const faultline::PieceType type : types)
        move(Move::promotion_to(from, to, type));
    });
  }
  void move(Move m) {
    if (p_.leaves_safe(m, checks_allowed_)) sink_.move(m);
  }

 private:
  const DataPosition& p_;
  bool checks_allowed_;
  Sink& sink_;
};

template <class B>
auto DataPosition<B>::view_of(Colour us) const -> View {
  View view{.us = us};
  view.own = of(us);
  view.enemies = of(~us);
  view.occupied = view.own | view.enemies | missing_;
  view.holes = game_->holes[levels_];
  view.empty = game_->board & ~view.occupied & ~view.holes;
  B kept = royals(~us);
  if (game_->one_safe && count(kept) > 1) {
    B expendable{};
    for (TypeSet types = game_->royals[at(~us)]; types != 0; types &= types - 1) {
      const int type = std::countr_zero(types);
      if (rules_of(~us, type).royal == Royal::OneSafe) expendable |= of(~us, type);
    }
    if (count(expendable) > 1) kept &= ~expendable;
  }
  view.victims = view.enemies & ~kept;
  return view;
}

/// Takes out of `targets` where there is no choice but to promote.
template <class B>
template <class Sink>
void DataPosition<B>::generate_promotions(Colour us, int type, Square from, B& targets,
                                          Sink& sink) const {
  const TypeRules<B>& rules = rules_of(us, type);
  if (!any(targets & rules.promotes_on) && !(rules.leaves && contains(rules.promotes_on, from)))
    return;
  for (const PromotionTable<B>& promotion : rules.promotions) {
    if (promotion.to.empty()) continue;
    const bool leaves = promotion.leaving && contains(promotion.on, from);
    const B promoting = leaves ? targets : targets & promotion.on;
    if (!any(promoting)) continue;
    if (promotion.stock) {
      for (const faultline::PieceType& to : promotion.to)
        if (count(of(us, index(to))) <
            game_->start_counts[at(us)][static_cast<std::size_t>(index(to))])
          sink.promotions(from, promoting, std::span(&to, 1));
    } else {
      sink.promotions(from, promoting, std::span<const faultline::PieceType>(promotion.to));
    }
    targets &= ~(leaves && contains(promotion.must, from) ? promoting : promotion.must & promoting);
  }
}

template <class B>
B DataPosition<B>::landing_of(const View& view, const Ways<B>& ways) const {
  B landing = ways.moves ? view.empty : B{};
  if (ways.takes == game_->all_types)
    landing |= view.victims;
  else if (ways.takes != 0)
    landing |= view.victims & of_types(~view.us, ways.takes);
  return landing & ways.onto;
}

/// `allowed(from, candidates)`, `allowed_royal(from, candidates)`: those that leave royals safe;
/// `allowed(Move)` for captures en passant.
template <class B>
template <class Sink, class Allowed, class AllowedRoyal>
void DataPosition<B>::generate_pieces(const View& view, Sink& sink, Allowed&& allowed,
                                      AllowedRoyal&& allowed_royal) const {
  const Colour us = view.us;
  const bool descends = any(view.holes);
  for (int t = 0; t < game_->types; ++t) {
    const B pieces = of(us, t);
    if (!any(pieces) || !(view.types >> t & 1)) continue;
    const TypeTables<B>& tables = side(us).types[static_cast<std::size_t>(t)];
    const bool royal = (game_->royals[at(us)] >> t & 1) != 0;
    const bool promotes = any(rules_of(us, t).promotes_on);
    // `second`: of the candidates, those that leave passed squares.
    const auto offer = [&](Square from, B candidates, B second) {
      if (!any(candidates)) return;
      B legal = royal ? allowed_royal(from, candidates) : allowed(from, candidates);
      if (promotes) generate_promotions(us, t, from, legal, sink);
      sink.moves(from, legal & ~second);
      if (any(second)) sink.double_steps(from, legal & second);
    };
    const auto with_fall = [&](B reach) {
      return descends && any(reach & view.holes) ? reach | under(t, reach & view.holes) : reach;
    };
    if (tables.plain) {
      const B landing = view.empty | view.victims;
      for_each_square(pieces, [&](Square from) {
        offer(from, with_fall(tables.ways.front().table.at(from, view.occupied)) & landing, B{});
      });
      continue;
    }
    // The ways that are open now.
    std::array<const Ways<B>*, kMostWays> open;
    std::array<B, kMostWays> landings;
    std::size_t n = 0;
    for (const Ways<B>& ways : tables.ways)
      if (any(pieces & ways.from)) {
        open[n] = &ways;
        landings[n++] = landing_of(view, ways);
      }
    const bool passes = any(passed_) && !tables.en_passant.empty();
    for_each_square(pieces, [&](Square from) {
      B reach{};
      B second{};
      for (std::size_t i = 0; i < n; ++i) {
        if (!contains(open[i]->from, from)) continue;
        const B reached = reach_of(open[i]->table, open[i]->hops, from, view.occupied);
        reach |= with_fall(reached) & landings[i];
        if (open[i]->leaves_passed) second |= reached & landings[i];
      }
      B passing{};
      if (passes)
        for (const auto& en_passant : tables.en_passant) {
          if (!(en_passant.takes >> type_at(passer_) & 1)) continue;
          const B more = en_passant.table.at(from, view.occupied) & passed_ & ~passing;
          passing |= more;
          for_each_square(more, [&](Square to) {
            const Move move(from, to, MoveKind::EnPassant);
            if (!allowed(move)) return;
            B plain = square_set<B>(to);
            generate_promotions(us, t, from, plain, sink);
            if (any(plain)) sink.move(move);
          });
        }
      offer(from, reach & ~passing, second);
    });
  }
}

/// `attacked(square, occupied)`: whether a king there would be; `allowed(move)`: a last test.
template <class B>
template <class Sink, class Attacked, class Allowed>
void DataPosition<B>::generate_castling(const View& view, Sink& sink, Attacked&& attacked,
                                        Allowed&& allowed) const {
  for (const CastleTable<B>& castle : game_->castles) {
    if (!(castling_ & castle.right) || castle.colour != view.us) continue;
    const B without = view.occupied & ~square_set<B>(castle.king);
    for (const auto& way : castle.ways) {
      if (any(way.empty & view.occupied)) continue;
      const Move move(castle.king, way.king_to, MoveKind::Castling);
      if (castle.royal) {
        // Its squares as if it were there, and its destination again after the rook's move.
        B squares = way.safe;
        bool safe = true;
        while (safe && any(squares)) {
          const Square s = pop_first(squares);
          safe = !attacked(s, castle.king_type, without | square_set<B>(s));
        }
        const B after = (without & ~square_set<B>(castle.rook)) | square_set<B>(way.king_to) |
                        square_set<B>(way.rook_to);
        if (!safe || attacked(way.king_to, castle.king_type, after)) continue;
      }
      if (allowed(move)) sink.move(move);
    }
  }
}

template <class B>
B DataPosition<B>::under(int type, B holes) const {
  const Levels& levels = game_->file().board.levels;
  B found{};
  if (!(levels.descend >> type & 1)) return found;
  for_each_square(holes, [&](Square hole) {
    B squares = game_->under[levels_][hole];
    if (levels.same >> type & 1)
      squares &= contains(game_->dark, hole) ? game_->dark : ~game_->dark;
    found |= squares;
  });
  return found & ~missing_;
}

template <class B>
bool DataPosition<B>::drop_mates(Move move, bool checks_allowed) const {
  if (game_->always_tested && !leaves_safe(move, checks_allowed)) return false;
  DataPosition after = *this;
  after.play(move);
  return after.in_check() && after.count_legal_moves() == 0;
}

/// `allowed(candidates)`: those onto which a drop leaves royals safe.
template <class B>
template <class Sink, class Allowed>
void DataPosition<B>::generate_drops(const View& view, Sink& sink, Allowed&& allowed) const {
  const auto& hand = hands_[at(view.us)];
  if (view.only_captures ||
      std::all_of(hand.begin(), hand.end(), [](std::uint8_t count) { return count == 0; }))
    return;
  const B safe = allowed(view.empty);
  if (!any(safe)) return;
  for (int t = 0; t < game_->types; ++t) {
    if (hand[static_cast<std::size_t>(t)] == 0) continue;
    const TypeRules<B>& rules = rules_of(view.us, t);
    B targets = safe & rules.drops;
    for (const B& file : rules.drop_files)
      if (count(of(view.us, t) & file) >= rules.a_file) targets &= ~file;
    const auto from = static_cast<Square>(kDropFrom + t);
    if (!rules.drop_may_mate)
      for_each_square(targets, [&](Square to) {
        if (drop_mates(Move(from, to), view.checks_allowed)) targets &= ~square_set<B>(to);
      });
    sink.moves(from, targets);
  }
}

template <class B>
template <class Sink>
void DataPosition<B>::generate_from(const View& view, Sink& sink) const {
  const Colour us = view.us;
  const B kings = royals(us);
  const auto castle = [&](auto& into) {
    if (castling_ == 0 || view.only_captures) return;
    generate_castling(
        view, into,
        [&](Square s, int king, B blocked) {
          return !beside_royal(s, ~us) && any(attackers(s, king, ~us, blocked));
        },
        [&](Move move) { return game_->always_tested || leaves_safe(move); });
  };
  struct All {
    B operator()(Square, B candidates) const { return candidates; }
    bool operator()(Move) const { return true; }
  };
  const auto all = [&](auto& into) {
    generate_pieces(view, into, All{}, All{});
    castle(into);
    generate_drops(view, into, [](B candidates) { return candidates; });
  };
  const bool has_belts = any(game_->on_belts);
  if (!any(kings) && !game_->always_tested && !has_belts) return all(sink);
  const bool several = more_than_one(kings);
  if (game_->always_tested || !any(kings) || (several && has_belts) ||
      (several && count(kings) > kMostSafeties)) {
    TestedSink<Sink> tested(*this, view.checks_allowed, sink);
    return all(tested);
  }
  const Safety safety(*this, view, kings);
  const auto drop = [&] {
    generate_drops(view, sink, [&](B candidates) { return safety.of_drop(candidates); });
  };
  const Square king = first(kings);
  if (has_belts) {
    struct OnBelts {
      const DataPosition& p;
      const View& view;
      const Safety& safety;
      Square king;
      int type;
      B operator()(Square from, B candidates) const {
        return contains(p.game_->on_belts, from)
                   ? p.allowed_on_belt(view, from, candidates, king, type)
                   : safety(from, candidates);
      }
      bool operator()(Move move) const { return p.leaves_safe(move); }
    };
    const int type = type_at(king);
    generate_pieces(view, sink, OnBelts{*this, view, safety, king, type},
                    [&](Square from, B candidates) {
                      return contains(game_->on_belts, from)
                                 ? allowed_on_belt(view, from, candidates, king, type)
                                 : safety.of_king(from, candidates);
                    });
    if (!safety.any_check()) castle(sink);
    return drop();
  }
  struct Still {
    const DataPosition& p;
    const Safety& safety;
    B operator()(Square from, B candidates) const { return safety(from, candidates); }
    bool operator()(Move move) const {
      return safety.safe_after_passing(move.from(), move.to(), p.passer_);
    }
  };
  View pieces = view;
  if (safety.king_must_move() && !any(passed_)) pieces.types = game_->royals[at(us)];
  generate_pieces(pieces, sink, Still{*this, safety},
                  [&](Square from, B candidates) { return safety.of_king(from, candidates); });
  drop();
  if (several) return castle(sink);
  if (castling_ == 0 || view.only_captures || safety.any_check()) return;
  generate_castling(
      view, sink,
      [&](Square s, int type, B blocked) { return safety.attacked(s, type, blocked, B{}); },
      [&](Move move) { return move.from() == king || leaves_safe(move); });
}

template <class B>
B DataPosition<B>::allowed_on_belt(const View& view, Square from, B candidates, Square king,
                                   int type) const {
  const Motion<B>& motion = game_->left_motions[from];
  const B others = occupied() & ~square_set<B>(from);
  if (any(others & motion.torn)) return {};
  candidates &= ~motion.torn;
  if (any(missing_)) {
    if (any(motion.advanced(others) & missing_)) return {};
    candidates &= ~motion.reversed(missing_);
  }
  for (const auto& [one, two] : motion.meeting) {
    const bool has_one = contains(others, one);
    const bool has_two = contains(others, two);
    if (has_one && has_two) return {};
    if (has_one) candidates &= ~square_set<B>(two);
    if (has_two) candidates &= ~square_set<B>(one);
  }
  if (!any(candidates)) return candidates;
  const auto tested = [&] {
    B safe{};
    for_each_square(candidates, [&](Square to) {
      if (leaves_safe(Move(from, to))) safe |= square_set<B>(to);
    });
    return safe;
  };
  if (game_->has_hops) return tested();

  // All destinations share one board: everything else is carried the same way, and the moving
  // piece, wherever it is carried, blocks a line to the king or captures the checker.
  const Colour them = ~view.us;
  std::array<B, kMostTypes> carried;
  for (int t = 0; t < game_->types; ++t)
    carried[static_cast<std::size_t>(t)] = motion.advanced(of(them, t));
  for (const auto& [from_type, to_type, on] : game_->carried_promotions[at(them)]) {
    const B promoted = carried[from_type] & on & motion.moving;
    carried[from_type] &= ~promoted;
    carried[to_type] |= promoted;
  }
  const B blocked = motion.advanced(others) | missing_;
  const auto pieces_of = [&](const AttackGroup<B>& group) {
    B pieces{};
    for (TypeSet types = group.types; types != 0; types &= types - 1)
      pieces |= carried[static_cast<std::size_t>(std::countr_zero(types))];
    return pieces;
  };
  if (from == king) {
    B safe{};
    for_each_square(candidates, [&](Square to) {
      const B landed = motion.advanced(square_set<B>(to));
      bool attacked = false;
      for (const AttackGroup<B>& group : side(them).attacks)
        attacked =
            attacked ||
            ((group.takes >> type & 1) != 0 &&
             any(group.attackers.at(first(landed), blocked | landed) & pieces_of(group) & ~landed));
      if (!attacked) safe |= square_set<B>(to);
    });
    return safe;
  }
  const Square king_now = first(motion.advanced(square_set<B>(king)));
  B saving = ~B{};
  for (const AttackGroup<B>& group : side(them).attacks) {
    if (!(group.takes >> type & 1)) continue;
    const B checkers = group.attackers.at(king_now, blocked) & pieces_of(group);
    if (!any(checkers)) continue;
    if (more_than_one(checkers)) return {};
    const Square checker = first(checkers);
    if (contains(group.ambiguous[king_now], checker)) return tested();
    saving &= group.leaps() ? checkers : checkers | group.at_between(king_now, checker);
  }
  return candidates & motion.reversed(saving);
}

/// Whether the side to move may make a turn of a movement of what stands on `squares`.
template <class B>
bool DataPosition<B>::may_move_board(const Control& control, int counter, B squares) const {
  if (counter >= 0) {
    const int left = counters_[at(side_)][static_cast<std::size_t>(counter)];
    if (control.pause > 0 ? left > 0 : control.uses != kNoLimit && left == 0) return false;
  }
  if (control.who == Who::Any) return true;
  const int own = count(of(side_) & squares);
  return own > (control.who == Who::Own ? 0 : count(of(~side_) & squares));
}

template <class B>
template <class Sink>
void DataPosition<B>::generate_belt_turns(const View& view, Sink& sink) const {
  for (const BeltTable<B>& belt : game_->belts) {
    if (belt.control.when != When::Instead ||
        !may_move_board(belt.control, belt.counter, belt.forward.moving))
      continue;
    const Move forward(belt.from, belt.to_forward, MoveKind::SectorShift);
    const Move backward(belt.from, belt.to_backward, MoveKind::SectorShift);
    const auto allowed = [&](Move move, Move inverse) {
      return (belt.control.undo || last_movement_ != inverse.bits()) &&
             leaves_safe(move, view.checks_allowed);
    };
    if (allowed(forward, backward)) sink.move(forward);
    if (belt.both_ways && allowed(backward, forward)) sink.move(backward);
  }
}

template <class B>
template <class Sink>
void DataPosition<B>::generate_slides(const View& view, Sink& sink) const {
  const Control& control = game_->file().board.sectors->slide->control;
  const B decisive = decisive_for_royal();
  for (const Slide<B>& slide : game_->slides) {
    if (any(slide.into & ~missing_) || any(slide.moving & missing_)) continue;
    if (!may_move_board(control, game_->slide_counter, slide.moving)) continue;
    if (!control.undo && last_movement_ == slide.inverse) continue;
    const Move move(slide.from, slide.to, MoveKind::SectorShift);
    if (!any((slide.moving | slide.into) & decisive) || leaves_safe(move, view.checks_allowed))
      sink.move(move);
  }
}

/// Where something must change if the mover's royal is to be attacked after the turn: all squares
/// if it is in check or that is not known.
template <class B>
B DataPosition<B>::decisive_for_royal() const {
  const B kings = royals(side_);
  if (!any(kings) || more_than_one(kings) || game_->has_hops || game_->always_tested || in_check())
    return ~B{};
  const Square king = first(kings);
  B decisive = of(~side_) | kings;
  for (const AttackGroup<B>& group : side(~side_).attacks)
    if (!group.leaps())
      for_each_square(of_types(~side_, group.types) & group.ever[king], [&](Square s) {
        decisive |= contains(group.ambiguous[king], s) ? ~B{} : group.at_between(king, s);
      });
  return decisive;
}

template <class B>
template <class Sink>
void DataPosition<B>::generate_shifts(const View& view, Sink& sink) const {
  const Part::Shift& rules = *shifting_part().shift;
  if (!may_move_board(rules.control, game_->shift_counter, squares_of<B>(shifting_part().squares)))
    return;
  for (const bool by_ranks : {false, true}) {
    const Interval by = by_ranks ? rules.ranks : rules.files;
    for (int amount = by.low; amount <= by.high; ++amount) {
      const auto& boards = by_ranks ? tables_->after_ranks : tables_->after_files;
      const BoardTables<B>* const board = boards[static_cast<std::size_t>(amount + kMostShift)];
      if (board == nullptr || any(board->missing & occupied())) continue;
      if (!rules.control.undo && last_movement_ == Move::aftershock(-amount, by_ranks).bits())
        continue;
      const Move move = Move::aftershock(amount, by_ranks);
      if (leaves_safe(move, view.checks_allowed)) sink.move(move);
    }
  }
}

template <class B>
template <class Sink>
void DataPosition<B>::generate(const View& view, Sink& sink) const {
  if (game_->file().rules.capture_forced) {
    View captures = view;
    captures.empty = B{};
    captures.only_captures = true;
    CountSink found;
    generate_from(captures, found);
    if (found.total() > 0) return generate_from(captures, sink);
  }
  generate_from(view, sink);
  if (!game_->slides.empty()) generate_slides(view, sink);
  if (!game_->belts.empty()) generate_belt_turns(view, sink);
  if (game_->shifting_part >= 0) generate_shifts(view, sink);
}

template <class B>
void DataPosition<B>::legal_moves(MoveList& list) const {
  list.clear();
  ListSink sink(list);
  if (!is_over(ended_)) generate(view_of(side_), sink);
}

template <class B>
std::size_t DataPosition<B>::count_legal_moves() const {
  CountSink sink;
  if (!is_over(ended_)) generate(view_of(side_), sink);
  return sink.total();
}

template <class B>
bool DataPosition<B>::has_legal_move(bool checks_allowed) const {
  View view = view_of(side_);
  view.checks_allowed = checks_allowed;
  CountSink sink;
  generate(view, sink);
  return sink.total() > 0;
}

}  // namespace faultline::data
