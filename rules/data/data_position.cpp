// Positions of games from files: moves, play, ends.
#include "rules/data/data_position.h"

#include <algorithm>
#include <cassert>
#include <cstdlib>

#include "rules/square_text.h"

namespace faultline::data {

namespace {

constexpr std::size_t at(Colour c) {
  return static_cast<std::size_t>(index(c));
}

constexpr std::size_t kKeySquares = kMaxSquares;
using PieceKeys = std::array<std::array<std::array<std::uint64_t, kMostTypes>, 2>, kKeySquares>;
constexpr PieceKeys make_piece_keys() {
  PieceKeys keys{};
  std::uint64_t n = std::uint64_t{1} << 32;  // far from those of rules/zobrist.h
  for (auto& square : keys)
    for (auto& colour : square)
      for (auto& key : colour)
        key = splitmix64(n++);
  return keys;
}
constexpr PieceKeys kPieceKeys = make_piece_keys();

std::uint64_t piece_key(Colour c, int type, Square s) {
  return kPieceKeys[s][at(c)][static_cast<std::size_t>(type)];
}

/// Of so many royals of a side checks and pins are found once; with more, moves are tried out.
constexpr int kMostSafeties = 12;

constexpr std::uint32_t kBoardTag = 4096;  // far from those of families
constexpr std::uint32_t kChecksTag = 4097;
constexpr std::uint32_t kPartTag = 4098;
constexpr std::uint32_t kPlaceTag = 4099;
constexpr std::uint32_t kHandTag = 4102;
constexpr std::uint32_t kCounterTag = 4103;
constexpr std::uint32_t kLastMovementTag = 4104;
constexpr std::uint32_t kPhaseTag = 4105;

std::uint64_t hand_key(Colour c, int type, int count) {
  return count == 0 ? 0
                    : zobrist::state(kHandTag, static_cast<std::uint32_t>(
                                                   (index(c) * kMostTypes + type) * 256 + count));
}

Outcome outcome_of(Result result, Colour whose) {
  switch (result) {
    case Result::Win:
      return win_for(whose);
    case Result::Loss:
      return win_for(~whose);
    case Result::Draw:
      break;
  }
  return Outcome::Stalemate;
}

}  // namespace

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

// ------------------------------------------------------------------------------------- placement

template <class B>
int DataPosition<B>::type_at(Square s) const {
  int type = 0;
  for (int t = 1; t < game_->types; ++t)
    type += t * static_cast<int>(contains(types_[static_cast<std::size_t>(t)], s));
  return type;
}

template <class B>
B DataPosition<B>::of_types(Colour c, TypeSet types) const {
  B set{};
  for (; types != 0; types &= types - 1)
    set |= types_[static_cast<std::size_t>(std::countr_zero(types))];
  return set & of(c);
}

template <class B>
B DataPosition<B>::royals(Colour c) const {
  return of_types(c, game_->royals[at(c)]);
}

template <class B>
void DataPosition<B>::toggle(Colour c, int type, Square s) {
  toggle_unkeyed(c, type, square_set<B>(s));
  key_ ^= piece_key(c, type, s);
}

template <class B>
std::uint64_t DataPosition<B>::key_of(B squares) const {
  std::uint64_t key = 0;
  for (const Colour c : {Colour::White, Colour::Black})
    for (int t = 0; t < game_->types; ++t)
      for_each_square(of(c, t) & squares, [&](Square s) { key ^= piece_key(c, t, s); });
  return key;
}

// ---------------------------------------------------------------------------------------- attacks

template <class B>
B DataPosition<B>::attackers(Square s, int type, Colour by, B occupied) const {
  B found{};
  for (const AttackGroup<B>& group : side(by).attacks)
    if (group.takes >> type & 1) {
      const B pieces = of_types(by, group.types) & group.ever[s];
      if (any(pieces)) found |= group.attackers.at(s, occupied) & pieces;
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
      B reach{};
      for (const Ways<B>& ways : tables.ways)
        if (ways.takes != 0) reach |= ways.table.at(s, occupied_now) & ways.onto;
      attacked.add(reach & exists);
    });
  }
  return attacked;
}

// ------------------------------------------------------------------------------------- generation

/// Which destinations keep the mover's only royal safe, where a move changes nothing but its own
/// squares: checks and pins once, and a test of single moves only where a piece that is hopped over
/// or one of several ways is concerned.
template <class B>
class DataPosition<B>::Safety {
 public:
  Safety(const DataPosition& p, const View& view, Square king, int type)
      : view_(view), king_(king) {
    checks_.pinned = B{};
    checks_.checkers = B{};
    checks_.check_mask = ~B{};
    for (const AttackGroup<B>& group : p.side(~view.us).attacks) {
      if (!(group.takes >> type & 1)) continue;
      const B pieces = p.of_types(~view.us, group.types);
      if (any(pieces)) enemies_[groups_++] = {&group, pieces};
    }
    const B stops = view.enemies | p.missing_;
    for (std::size_t i = 0; i < groups_; ++i) {
      const AttackGroup<B>* const group = enemies_[i].group;
      const B pieces = enemies_[i].pieces & group->ever[king];
      if (!any(pieces)) continue;
      if (group->hops)
        find_hops(*group, pieces);
      else if (group->leaps())
        for_each_square(pieces, [&](Square s) { checks_.check(s, B{}); });
      else
        find_lines(*group, group->attackers.at(king, stops) & pieces);
    }
  }

  Square king() const { return king_; }
  bool any_check() const { return any(checks_.checkers) || hop_check_; }
  /// Whether no piece but the king can have a move.
  bool king_must_move() const { return !any(checks_.check_mask); }

  B operator()(Square from, B candidates) const {
    candidates = checks_(from, candidates);
    if (!any(sensitive_)) return candidates;
    B tested = contains(sensitive_, from) ? candidates : candidates & sensitive_;
    B safe = hop_check_ ? B{} : candidates & ~tested;
    for_each_square(tested, [&](Square to) {
      if (safe_after(from, to)) safe |= square_set<B>(to);
    });
    return safe;
  }
  B of_king(B candidates) const {
    B safe{};
    const B without = view_.occupied & ~square_set<B>(king_);
    for_each_square(candidates, [&](Square to) {
      if (!attacked(to, without | square_set<B>(to), square_set<B>(to))) safe |= square_set<B>(to);
    });
    return safe;
  }
  /// After a capture of what stands elsewhere.
  bool safe_after_passing(Square from, Square to, Square victim) const {
    const B occupied =
        ((view_.occupied & ~square_set<B>(from)) | square_set<B>(to)) & ~square_set<B>(victim);
    return !attacked(king_, occupied, square_set<B>(victim));
  }
  /// Of the empty squares `candidates`: where a dropped piece leaves the king safe.
  B of_drop(B candidates) const {
    candidates &= checks_.check_mask;
    if (!any(sensitive_)) return candidates;
    B safe = hop_check_ ? B{} : candidates & ~sensitive_;
    for_each_square(candidates & sensitive_, [&](Square to) {
      if (!attacked(king_, view_.occupied | square_set<B>(to), B{})) safe |= square_set<B>(to);
    });
    return safe;
  }
  /// The king on `s`: it has left its own square.
  bool attacked_on(Square s) const {
    return attacked(s, (view_.occupied & ~square_set<B>(king_)) | square_set<B>(s), B{});
  }
  bool attacked(Square s, B occupied, B captured) const {
    for (std::size_t i = 0; i < groups_; ++i) {
      const B pieces = enemies_[i].pieces & enemies_[i].group->ever[s] & ~captured;
      if (any(pieces) && any(enemies_[i].group->attackers.at(s, occupied) & pieces)) return true;
    }
    return false;
  }

 private:
  struct Enemies {
    const AttackGroup<B>* group;
    B pieces;
  };

  bool safe_after(Square from, Square to) const {
    return !attacked(king_, (view_.occupied & ~square_set<B>(from)) | square_set<B>(to),
                     square_set<B>(to));
  }

  void find_lines(const AttackGroup<B>& group, B snipers) {
    for_each_square(snipers, [&](Square sniper) {
      if (contains(group.ambiguous[king_], sniper)) {
        sensitive_ = ~B{};
        return;
      }
      const B line = group.at_between(king_, sniper);
      const B blockers = line & view_.own;
      if (!any(blockers))
        checks_.check(sniper, line);
      else if (!more_than_one(blockers))
        checks_.pin(first(blockers), line | square_set<B>(sniper));
    });
  }

  void find_hops(const AttackGroup<B>& group, B pieces) {
    for (const auto& way : group.ways_of_hops[king_]) {
      if (!contains(pieces, way.attacker)) continue;
      const int blocking = count(view_.occupied & way.empty);
      const int hurdles = count(view_.occupied & way.hurdle);
      if (blocking > 1 || hurdles > 2) continue;  // no single move opens it
      hop_check_ |= blocking == 0 && hurdles == 1;
      sensitive_ |= way.empty | way.hurdle | square_set<B>(way.attacker);
    }
  }

  const View& view_;
  Square king_;
  std::size_t groups_ = 0;
  std::array<Enemies, kMostAttackGroups> enemies_;
  CheckInfo<B> checks_;
  B sensitive_{};  // moves from and to these are tested one by one
  bool hop_check_ = false;
};

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
    const B promoting =
        promotion.leaving && contains(promotion.on, from) ? targets : targets & promotion.on;
    if (!any(promoting)) continue;
    if (promotion.stock) {
      for (const faultline::PieceType& to : promotion.to)
        if (count(of(us, index(to))) <
            game_->start_counts[at(us)][static_cast<std::size_t>(index(to))])
          sink.promotions(from, promoting, std::span(&to, 1));
    } else {
      sink.promotions(from, promoting, std::span<const faultline::PieceType>(promotion.to));
    }
    targets &= ~(promotion.must & promoting);
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
    // `second`: of the candidates, those that leave passed squares.
    const auto offer = [&](Square from, B candidates, B second) {
      if (!any(candidates)) return;
      B legal = royal ? allowed_royal(from, candidates) : allowed(from, candidates);
      generate_promotions(us, t, from, legal, sink);
      sink.moves(from, legal & ~second);
      if (any(second)) sink.double_steps(from, legal & second);
    };
    const auto along = [&](const Ways<B>& ways, Square from, B landing) {
      const B reach = ways.table.at(from, view.occupied);
      return descends ? (reach | under(t, reach & view.holes)) & landing : reach & landing;
    };
    if (tables.plain) {
      const B landing = view.empty | view.victims;
      for_each_square(pieces, [&](Square from) {
        offer(from, along(tables.ways.front(), from, landing), B{});
      });
      continue;
    }
    for_each_square(pieces, [&](Square from) {
      B reach{};
      B second{};
      B passing{};
      for (const Ways<B>& ways : tables.ways) {
        if (!contains(ways.from, from)) continue;
        const B landing = landing_of(view, ways);
        reach |= along(ways, from, landing);
        if (ways.leaves_passed) second |= ways.table.at(from, view.occupied) & landing;
      }
      if (any(passed_))
        for (const auto& en_passant : tables.en_passant) {
          if (!(en_passant.takes >> type_at(passer_) & 1)) continue;
          const B more = en_passant.table.at(from, view.occupied) & passed_ & ~passing;
          passing |= more;
          for_each_square(more, [&](Square to) {
            const Move move(from, to, MoveKind::EnPassant);
            if (allowed(move)) sink.move(move);
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
bool DataPosition<B>::drop_mates(Move move) const {
  if (game_->always_tested && !leaves_safe(move)) return false;
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
        if (drop_mates(Move(from, to))) targets &= ~square_set<B>(to);
      });
    sink.moves(from, targets);
  }
}

/// As generate_from(), but for castling, on still boards where each of several royals must be safe.
template <class B>
template <class Sink>
void DataPosition<B>::generate_for_royals(const View& view, B kings, Sink& sink) const {
  struct All {
    const DataPosition& p;
    std::array<std::optional<Safety>, kMostSafeties> of;
    std::size_t n = 0;
    B operator()(Square from, B candidates) const {
      for (std::size_t i = 0; i < n && any(candidates); ++i)
        candidates =
            of[i]->king() == from ? of[i]->of_king(candidates) : (*of[i])(from, candidates);
      return candidates;
    }
    bool operator()(Move move) const { return p.leaves_safe(move); }
  };
  All all{*this, {}, 0};
  for_each_square(kings,
                  [&](Square king) { all.of[all.n++].emplace(*this, view, king, type_at(king)); });
  generate_pieces(view, sink, all, all);
  generate_drops(view, sink, [&](B candidates) {
    for (std::size_t i = 0; i < all.n; ++i)
      candidates = all.of[i]->of_drop(candidates);
    return candidates;
  });
}

template <class B>
template <class Sink>
void DataPosition<B>::generate_from(const View& view, Sink& sink) const {
  const Colour us = view.us;
  const TypeSet royal_types = game_->royals[at(us)];
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
  if (!game_->always_tested && !any(game_->on_belts)) {
    if (!any(kings)) return all(sink);
    if (more_than_one(kings) && count(kings) <= kMostSafeties) {
      generate_for_royals(view, kings, sink);
      return castle(sink);
    }
  }
  if (more_than_one(kings) || !any(kings) || game_->always_tested) {
    TestedSink<Sink> tested(*this, view.checks_allowed, sink);
    return all(tested);
  }
  const Square king = first(kings);
  int type = std::countr_zero(royal_types);
  if ((royal_types & (royal_types - 1)) != 0) type = type_at(king);
  const Safety safety(*this, view, king, type);
  if (any(game_->on_belts)) {
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
    generate_pieces(view, sink, OnBelts{*this, view, safety, king, type},
                    [&](Square from, B candidates) {
                      return contains(game_->on_belts, from)
                                 ? allowed_on_belt(view, from, candidates, king, type)
                                 : safety.of_king(candidates);
                    });
    if (!safety.any_check()) castle(sink);
    generate_drops(view, sink, [&](B candidates) { return safety.of_drop(candidates); });
    return;
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
  if (safety.king_must_move() && !any(passed_)) pieces.types = royal_types;
  generate_pieces(pieces, sink, Still{*this, safety},
                  [&](Square, B candidates) { return safety.of_king(candidates); });
  generate_drops(view, sink, [&](B candidates) { return safety.of_drop(candidates); });
  if (castling_ == 0 || view.only_captures || safety.any_check()) return;
  generate_castling(
      view, sink, [&](Square s, int, B blocked) { return safety.attacked(s, blocked, B{}); },
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

// ------------------------------------------------------------------------------------------- play

template <class B>
void DataPosition<B>::clear_passed() {
  if (passer_ == kNoSquare) return;
  for_each_square(passed_, [&](Square s) { key_ ^= zobrist::en_passant(s); });
  passed_ = B{};
  passer_ = kNoSquare;
  en_passant_ = kNoSquare;
}

template <class B>
void DataPosition<B>::step_over(B passed, Square passer) {
  const Colour them = ~colour_at(passer);
  const int type = type_at(passer);
  B reached{};
  const B occupied_now = occupied() | missing_;
  for_each_square(passed, [&](Square s) {
    for (int t = 0; t < game_->types; ++t)
      for (const auto& en_passant : side(them).types[static_cast<std::size_t>(t)].en_passant)
        if ((en_passant.takes >> type & 1) != 0 &&
            any(en_passant.reversed.at(s, occupied_now) & of(them, t)))
          reached |= square_set<B>(s);
  });
  if (!any(reached)) return;
  passed_ = reached;
  passer_ = passer;
  en_passant_ = first(reached);
  for_each_square(passed_, [&](Square s) { key_ ^= zobrist::en_passant(s); });
}

template <class B>
void DataPosition<B>::set_castling(std::uint32_t rights) {
  if (rights == castling_) return;
  key_ ^= zobrist::castling(castling_) ^ zobrist::castling(rights);
  castling_ = rights;
}

template <class B>
std::uint64_t DataPosition<B>::ground_key() const {
  std::uint64_t key = 0;
  if (any(missing_)) {
    std::uint64_t hash = 0;
    for_each_square(missing_, [&](Square s) { hash ^= zobrist::state(kBoardTag, s); });
    key ^= hash;
  }
  if (game_->shifting_part >= 0) {
    const Displacement place = tables_->places[static_cast<std::size_t>(game_->shifting_part)];
    const auto numbers = [](int a, int b) {
      return static_cast<std::uint32_t>(a + 128 + 256 * (b + 128));
    };
    key ^= zobrist::state(kPlaceTag, numbers(place.files, place.ranks));
  }
  if (checks_[0] + checks_[1] > 0)
    key ^= zobrist::state(kChecksTag, checks_[0] * 256U + checks_[1]);
  for (std::size_t i = 0; i < game_->counters.size(); ++i)
    key ^= zobrist::state(kCounterTag, static_cast<std::uint32_t>(i) * 65536U +
                                           counters_[0][i] * 256U + counters_[1][i]);
  if (last_movement_ != 0) key ^= zobrist::state(kLastMovementTag, last_movement_);
  if (game_->has_phase)
    for (const BeltTable<B>& belt : game_->belts)
      if (belt.control.when == When::Every)
        key ^= zobrist::state(kPhaseTag,
                              static_cast<std::uint32_t>(turn_number() % belt.control.every));
  if (game_->file().hands)
    for (const Colour c : {Colour::White, Colour::Black})
      for (int t = 0; t < game_->types; ++t)
        key ^= hand_key(c, t, in_hand(c, t));
  if (part_ > 0) key ^= zobrist::state(kPartTag, part_);
  return key;
}

template <class B>
std::uint64_t DataPosition<B>::key_from_scratch() const {
  std::uint64_t key = key_of(occupied()) ^ zobrist::castling(castling_) ^ ground_key() ^
                      (side_ == Colour::Black ? zobrist::kBlackToMove : 0);
  for_each_square(passed_, [&](Square s) { key ^= zobrist::en_passant(s); });
  return key;
}

template <class B>
auto DataPosition<B>::castle_of(Move move, std::size_t& way) const -> const CastleTable<B>& {
  for (const CastleTable<B>& castle : game_->castles)
    if (castle.colour == side_ && castle.king == move.from() && (castling_ & castle.right) != 0)
      for (way = 0; way < castle.ways.size(); ++way)
        if (castle.ways[way].king_to == move.to()) return castle;
  assert(false && "no such castling");
  return game_->castles.front();
}

/// Pieces among `squares` on which a movement of the board makes something else of them.
template <class B>
bool DataPosition<B>::promote_carried(B squares) {
  bool promoted = false;
  for (const Colour c : {Colour::White, Colour::Black})
    for (const auto& [from, to, on] : game_->carried_promotions[at(c)]) {
      const B becoming = of(c, from) & on & squares;
      if (!any(becoming)) continue;
      promoted = true;
      toggle_unkeyed(c, from, becoming);
      toggle_unkeyed(c, to, becoming);
    }
  return promoted;
}

/// Moves what stands on the motions' squares, of which no occupied one is on two. Returns whether
/// a piece became something else.
template <class B>
bool DataPosition<B>::carry(std::span<const Motion<B>* const> motions) {
  B moving{};
  for (const Motion<B>* const motion : motions)
    moving |= motion->moving;
  const B carried = occupied() & moving;
  if (!any(carried)) return false;
  const auto advance = [&](B set) {
    B result = set & ~moving;
    for (const Motion<B>* const motion : motions)
      for (const auto& shift : motion->shifts)
        result |= shifted(set & shift.mask, shift.by);
    return result;
  };
  key_ ^= key_of(moving);
  for (int t = 0; t < game_->types; ++t)
    types_[static_cast<std::size_t>(t)] = advance(types_[static_cast<std::size_t>(t)]);
  for (B& colour : colours_)
    colour = advance(colour);
  const bool promoted = promote_carried(moving);
  key_ ^= key_of(moving);
  if (castling_ != 0) {
    std::uint32_t rights = castling_;
    for_each_square(carried | advance(carried), [&](Square s) { rights &= game_->rights_kept[s]; });
    set_castling(rights);
  }
  return promoted;
}

template <class B>
int DataPosition<B>::turn_number() const {
  const Colour second = ~game_->file().starts.front().to_move;
  return 2 * (full_move_number() - 1) + (side_ == second ? 1 : 0) + 1;
}

template <class B>
bool DataPosition<B>::set_off_belts(B left, B entered, Played& played, B& carried) {
  std::vector<const Motion<B>*> motions;
  B moving{};
  for (const BeltTable<B>& belt : game_->belts) {
    const B squares = belt.forward.moving;
    const When when = belt.control.when;
    const bool set_off =
        ((when == When::Left || when == When::LeftOrEntered) && any(left & squares)) ||
        ((when == When::Entered || when == When::LeftOrEntered) && any(entered & squares)) ||
        (when == When::Every && turn_number() % belt.control.every == 0);
    if (!set_off || !may_move_board(belt.control, -1, squares)) continue;
    if (any(occupied() & moving & squares)) return false;  // carried by two
    moving |= squares;
    motions.push_back(&belt.forward);
  }
  if (motions.empty()) return true;
  const int pieces = count(occupied());
  carried = moving;
  played.lasting |= carry(motions);
  return count(occupied() & ~missing_) == pieces;
}

template <class B>
const BeltTable<B>* DataPosition<B>::belt_of(Move move, bool& backward) const {
  for (const BeltTable<B>& belt : game_->belts) {
    if (belt.control.when != When::Instead || belt.from != move.from()) continue;
    backward = belt.to_forward != move.to();
    if (!backward || (belt.both_ways && belt.to_backward == move.to())) return &belt;
  }
  return nullptr;
}

template <class B>
int DataPosition<B>::counter_of(Move move) const {
  if (move.kind() == MoveKind::Aftershock) return game_->shift_counter;
  if (move.kind() != MoveKind::SectorShift) return -1;
  bool backward = false;
  const BeltTable<B>* const belt = belt_of(move, backward);
  return belt != nullptr ? belt->counter : game_->slide_counter;
}

template <class B>
void DataPosition<B>::play_counters(Move move) {
  const int counter = counter_of(move);
  if (counter < 0 && last_movement_ == 0 && !game_->has_pauses) return;
  key_ ^= ground_key();
  last_movement_ = counter >= 0 ? move.bits() : 0;
  for (std::size_t i = 0; i < game_->counters.size(); ++i) {
    const Control& control = *game_->counters[i];
    std::uint8_t& left = counters_[at(side_)][i];
    const bool used = static_cast<int>(i) == counter;
    if (control.pause > 0)
      left = static_cast<std::uint8_t>(used ? control.pause - 1 : std::max(left - 1, 0));
    else if (used && control.uses != kNoLimit)
      --left;
  }
  key_ ^= ground_key();
}

template <class B>
void DataPosition<B>::change_hand(Colour c, int type, int by) {
  std::uint8_t& held = hands_[at(c)][static_cast<std::size_t>(type)];
  key_ ^= hand_key(c, type, held);
  held = static_cast<std::uint8_t>(held + by);
  key_ ^= hand_key(c, type, held);
}

/// A turn that shifts a part, slides an area or turns a belt.
template <class B>
bool DataPosition<B>::play_movement(Move move, Played& played) {
  bool backward = false;
  if (move.kind() == MoveKind::Aftershock) {
    const auto& boards = move.by_ranks() ? tables_->after_ranks : tables_->after_files;
    key_ ^= ground_key();
    tables_ = game_->ready(boards[static_cast<std::size_t>(move.amount() + kMostShift)]);
    missing_ = tables_->missing;
    key_ ^= ground_key();
  } else if (const BeltTable<B>* const belt = belt_of(move, backward)) {
    played.lasting = carry(std::array{backward ? &belt->backward : &belt->forward});
  } else {
    const Slide<B>* const slide = game_->slide_of(move.from(), move.to(), missing_);
    assert(slide != nullptr);
    key_ ^= ground_key();
    missing_ = (missing_ & ~slide->into) | slide->gap_after;
    key_ ^= ground_key();
    played.lasting = carry(std::array{&slide->motion});
  }
  if (any(occupied() & missing_)) return false;
  B carried{};
  return !game_->belts_set_off || set_off_belts(B{}, B{}, played, carried);
}

template <class B>
bool DataPosition<B>::play_board(Move move, Played& played) {
  const Colour us = side_;
  const Colour them = ~us;
  const Square passer = passer_;
  clear_passed();
  if (!game_->counters.empty()) play_counters(move);
  if (move.kind() == MoveKind::SectorShift || move.kind() == MoveKind::Aftershock)
    return play_movement(move, played);
  const Square from = move.from();
  const Square to = move.to();
  if (from >= kDropFrom) {
    toggle(us, from - kDropFrom, to);
    change_hand(us, from - kDropFrom, -1);
    played.progress = true;
    B carried{};
    return !game_->belts_set_off || set_off_belts(B{}, square_set<B>(to), played, carried);
  }
  const int type = type_at(from);
  played.progress = rules_of(us, type).pawn;
  played.lasting = rules_of(us, type).one_way;
  const B was_occupied = occupied() | missing_;
  Square rook_from = kNoSquare;
  Square rook_to = kNoSquare;
  if (move.kind() == MoveKind::Castling) {
    std::size_t way = 0;
    const CastleTable<B>& castle = castle_of(move, way);
    const int rook = type_at(castle.rook);
    rook_from = castle.rook;
    rook_to = castle.ways[way].rook_to;
    toggle(us, type, from);
    toggle(us, rook, castle.rook);
    toggle(us, type, to);
    toggle(us, rook, rook_to);
    set_castling(castling_ & game_->rights_kept[from] & game_->rights_kept[castle.rook]);
  } else {
    const Square victim = move.kind() == MoveKind::EnPassant ? passer : to;
    const bool captures = contains(of(them), victim);
    if (captures) {
      const int captured = type_at(victim);
      toggle(them, captured, victim);
      played.progress = played.lasting = true;
      if (const auto& hands = game_->file().hands) {
        const TypeIndex held = hands->becomes[static_cast<std::size_t>(captured)];
        if (held != kNoType) change_hand(us, held, 1);
      }
    }
    int placed = type;
    if (move.kind() == MoveKind::Promotion) {
      placed = index(move.promotion());
      played.lasting = true;
    }
    toggle(us, type, from);
    toggle(us, placed, to);
    if (castling_ != 0)
      set_castling(castling_ & game_->rights_kept[from] & game_->rights_kept[to] &
                   game_->rights_kept[victim]);
    if (captures && game_->file().rules.explode) explode(to);
  }
  B carried{};
  if (contains(game_->on_belts, from)) {
    const Motion<B>& motion = game_->left_motions[from];
    if (any(occupied() & motion.torn)) return false;
    for (const auto& [one, two] : motion.meeting)
      if (contains(occupied(), one) && contains(occupied(), two)) return false;
    carried = motion.moving;
    played.lasting |= carry(std::array{&motion});
    if (any(occupied() & missing_)) return false;
  } else if (game_->belts_set_off) {
    B left = square_set<B>(from);
    B entered = square_set<B>(to);
    if (move.kind() == MoveKind::Castling) {
      left |= square_set<B>(rook_from);
      entered |= square_set<B>(rook_to);
    }
    if (!set_off_belts(left, entered, played, carried)) return false;
  }
  if (move.kind() == MoveKind::DoubleStep) {
    B passed{};
    for (const DoubleStep<B>& step : side(us).double_steps[static_cast<std::size_t>(type)])
      if (step.from == from && step.to == to && !any(step.passed & was_occupied))
        passed |= step.passed;
    passed &= ~(occupied() | missing_ | game_->holes[levels_]);
    if (!contains(carried, to) && any(passed)) step_over(passed, to);
  }
  return true;
}

/// Removes what a capture on `centre` blows up.
template <class B>
void DataPosition<B>::explode(Square centre) {
  const TypeSet spared = game_->file().rules.explode->spares;
  B hit = square_set<B>(centre);
  B around{};
  for (int d = 0; d < kDirections; ++d)
    for (const Square s : game_->graph.neighbours(centre, static_cast<Direction>(d)))
      around |= square_set<B>(s);
  hit |= around & ~(of_types(Colour::White, spared) | of_types(Colour::Black, spared));
  for_each_square(hit & occupied(), [&](Square s) {
    toggle(colour_at(s), type_at(s), s);
    if (castling_ != 0) set_castling(castling_ & game_->rights_kept[s]);
  });
}

template <class B>
bool DataPosition<B>::leaves_safe(Move move, bool checks_allowed) const {
  DataPosition after = *this;
  Played played;
  if (!after.play_board(move, played)) return false;
  const Rules& rules = game_->file().rules;
  if (rules.explode && game_->royals[at(side_)] != 0) {
    if (!any(after.royals(side_))) return false;
    if (game_->royals[at(~side_)] != 0 && !any(after.royals(~side_))) return true;
  }
  if (after.in_check(side_)) return false;
  if (rules.checks == ChecksForbidden::No || checks_allowed || !after.in_check(~side_)) return true;
  if (rules.checks == ChecksForbidden::Yes) return false;
  after.side_ = ~side_;
  return !after.has_legal_move(true);
}

template <class B>
void DataPosition<B>::play(Move move) {
  const Colour us = side_;
  Played played;
  [[maybe_unused]] const bool legal = play_board(move, played);
  assert(legal);
  if (game_->has_phase) key_ ^= ground_key();
  // What is captured can come back where it goes to a hand.
  end_turn(played.progress, played.lasting && !game_->file().hands,
           ~game_->file().starts.front().to_move);
  if (game_->has_phase) key_ ^= ground_key();
  if (game_->file().board.levels.lost) lose_levels();
  if (game_->has_rule_ends) {
    const std::uint8_t most = static_cast<std::uint8_t>(game_->file().ends.sides[at(us)].checks);
    if (most > 0 && checks_[at(us)] < most && in_check(side_)) {
      key_ ^= ground_key();
      ++checks_[at(us)];
      key_ ^= ground_key();
    }
    ended_ = end_by_rule(us);
  }
}

template <class B>
bool DataPosition<B>::level_in_check(Colour c, int level) const {
  const B kings = royals(c) & game_->levels[static_cast<std::size_t>(level)];
  const B blocked = occupied() | missing_;
  bool attacked = false;
  for_each_square(
      kings, [&](Square s) { attacked = attacked || any(attackers(s, type_at(s), ~c, blocked)); });
  return attacked;
}

template <class B>
void DataPosition<B>::lose_levels() {
  while (levels_ > 1 && in_check() && count_legal_moves() == 0) {
    int lost = levels_ - 1;
    while (!level_in_check(side_, lost))
      --lost;
    lose_level(lost);
  }
}

template <class B>
void DataPosition<B>::lose_level(int lost) {
  const int n = game_->file().board.squares;
  const B level = game_->levels[static_cast<std::size_t>(lost)];
  const Colour winner = ~side_;
  std::uint32_t rights = castling_;
  if (lost > 0) {
    // The winner's pieces ascend, but not onto their own side's or onto a royal.
    for (int t = 0; t < game_->types; ++t)
      for_each_square(of(winner, t) & level, [&](Square s) {
        const auto to = static_cast<Square>(s - n);
        if (contains(of(winner) | royals(side_), to)) return;
        if (contains(of(side_), to)) {
          toggle_unkeyed(side_, type_at(to), square_set<B>(to));
          rights &= game_->rights_kept[to];
        }
        toggle_unkeyed(winner, t, square_set<B>(to));
      });
  }
  // Deeper levels move up.
  B above{};
  for (int i = 0; i < lost; ++i)
    above |= game_->levels[static_cast<std::size_t>(i)];
  const B deeper = ~above & ~level;
  const auto moved = [&](B set) {
    return (set & above) | shifted(set & deeper & game_->board, -n);
  };
  for (B& type : types_)
    type = moved(type);
  for (B& colour : colours_)
    colour = moved(colour);
  castling_ = 0;
  for (const CastleTable<B>& castle : game_->castles) {
    if (!(rights & castle.right) || castle.level == lost) continue;
    const int by = castle.level > lost ? n : 0;
    for (const CastleTable<B>& same : game_->castles)
      if (same.king + by == castle.king && same.rook + by == castle.rook) castling_ |= same.right;
  }
  --levels_;
  missing_ |= game_->levels[levels_];
  plies_ = 0;
  repeatable_ = 0;
  const B passed = moved(passed_ & ~level);
  const bool stays = passer_ != kNoSquare && !contains(level, passer_);
  const Square passer =
      stays && contains(deeper, passer_) ? static_cast<Square>(passer_ - n) : passer_;
  passed_ = B{};
  passer_ = kNoSquare;
  en_passant_ = kNoSquare;
  if (stays && contains(of(winner), passer))
    step_over(passed & ~(occupied() | missing_ | game_->holes[levels_]), passer);
  key_ = key_from_scratch();
}

template <class B>
Outcome DataPosition<B>::end_by_rule(Colour mover) const {
  const Ends& ends = game_->file().ends;
  const std::array order = {mover, ~mover};
  if (game_->file().rules.explode)
    for (const Colour c : order)
      if (game_->royals[at(~c)] != 0 && !any(royals(~c))) return win_for(c);
  for (const Colour c : order)
    for (const Extinct& extinct : ends.sides[at(c)].extinct) {
      bool gone = extinct.all;
      if (extinct.all)
        gone = !any(of_types(c, extinct.types));
      else
        for (int t = 0; t < game_->types; ++t)
          gone |= (extinct.types >> t & 1) != 0 && !any(of(c, t)) &&
                  game_->start_counts[at(c)][static_cast<std::size_t>(t)] > 0;
      if (gone) return outcome_of(extinct.result, c);
    }
  const auto reached = [&](Colour c, const Reach& reach) {
    return any(of_types(c, reach.types) & squares_of<B>(reach.zone));
  };
  for (const Colour c : order)
    for (const Reach& reach : ends.sides[at(c)].reach) {
      if (!reached(c, reach)) continue;
      if (!reach.reply) return outcome_of(reach.result, c);
      for (const Reach& reply : ends.sides[at(~c)].reach)
        if (reached(~c, reply)) return Outcome::Stalemate;
      // The opponent has had its turn, or cannot answer any more.
      if (mover == ~c) return outcome_of(reach.result, c);
    }
  for (const Colour c : order) {
    const int most = ends.sides[at(c)].checks;
    if (most > 0 && checks_[at(c)] >= most) return win_for(c);
  }
  return Outcome::Ongoing;
}

template <class B>
Outcome DataPosition<B>::outcome(bool any_legal_move) const {
  if (is_over(ended_)) return ended_;
  const Ends& ends = game_->file().ends;
  const SideEnds& mine = ends.sides[at(side_)];
  if (!any_legal_move) return outcome_of(in_check() ? mine.checkmate : mine.stalemate, side_);
  for (const Colour c : {~side_, side_}) {
    const auto& bare = ends.sides[at(c)].bare_king;
    if (!bare || !any(of(c)) || of(c) != royals(c)) continue;
    if (bare->reply && c == side_) continue;  // it has one more turn
    const bool both = bare->reply && of(~c) == royals(~c);
    return both ? Outcome::BareKings : outcome_of(bare->result, c);
  }
  if (ends.only_royals_draw && occupied() == (royals(Colour::White) | royals(Colour::Black)))
    return Outcome::BareKings;
  if (ends.plies && plies_ >= ends.plies->count) {
    const Outcome o = outcome_of(ends.plies->result, side_);
    return o == Outcome::Stalemate ? Outcome::FiftyMoveRule : o;
  }
  return Outcome::Ongoing;
}

// ------------------------------------------------------------------------------------------- text

/// "@ring+", or "@2-" for the second belt if it has no name.
template <class B>
std::string DataPosition<B>::belt_text(const BeltTable<B>& belt, bool backward) const {
  return "@" + (belt.name.empty() ? std::to_string(&belt - game_->belts.data() + 1) : belt.name) +
         (backward ? "-" : "+");
}

template <class B>
std::string DataPosition<B>::move_text(Move move) const {
  bool backward = false;
  if (move.kind() == MoveKind::SectorShift && belt_of(move, backward) != nullptr)
    return belt_text(*belt_of(move, backward), backward);
  if (move.kind() == MoveKind::SectorShift)
    return game_->area_name(game_->area_of(move.from())) + "-" +
           game_->area_name(game_->area_of(move.to()));
  if (move.kind() == MoveKind::Aftershock) {
    const int amount = move.amount();
    if (move.by_ranks()) return (amount > 0 ? "@^" : "@v") + std::to_string(std::abs(amount));
    return (amount > 0 ? "@+" : "@") + std::to_string(amount);
  }
  if (move.from() >= kDropFrom)
    return game_->file().pieces[static_cast<std::size_t>(move.from() - kDropFrom)].letter + "@" +
           square_text(move.to());
  Square to = move.to();
  if (move.kind() == MoveKind::Castling) {
    std::size_t way = 0;
    const CastleTable<B>& castle = castle_of(move, way);
    if (castle.ways[way].by_rook) to = castle.rook;
  }
  const std::string hyphen = game_->file().board.levels.count > 1 ? "-" : "";
  std::string text = square_text(move.from()) + hyphen + square_text(to);
  if (move.kind() == MoveKind::Promotion) {
    const auto letter = [&](int type) -> const std::string& {
      return game_->file().pieces[static_cast<std::size_t>(type)].letter;
    };
    const std::string& to_letter = letter(index(move.promotion()));
    if (to_letter == "+" + letter(type_at(move.from()))) return text + "+";
    for (const char c : to_letter)
      text += c == '+' ? c : static_cast<char>(c - 'A' + 'a');
  }
  return text;
}

template <class B>
std::optional<Move> DataPosition<B>::parse_move(std::string_view text) const {
  return find_move(*this, text);
}

template <class B>
DataPosition<B> DataPosition<B>::start(const Variant& game) {
  return from_fen(game, game.file().starts.front().fen);
}

template class DataPosition<Bitboard>;
template class DataPosition<WideBitboard>;
template class DataPosition<StackedBitboard>;

}  // namespace faultline::data
