// Positions of games from files: play, keys, ends.
#include <algorithm>
#include <cassert>

#include "rules/data/data_moves_impl.h"

namespace faultline::data {

namespace {

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

constexpr std::uint32_t kBoardTag = 4096;  // far from those of families
constexpr std::uint32_t kChecksTag = 4097;
constexpr std::uint32_t kPartTag = 4098;
constexpr std::uint32_t kPlaceTag = 4099;
constexpr std::uint32_t kHandTag = 4102;
constexpr std::uint32_t kCounterTag = 4103;
constexpr std::uint32_t kLastMovementTag = 4104;
constexpr std::uint32_t kPhaseTag = 4105;
constexpr std::uint32_t kPasserTag = 4106;

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

// ------------------------------------------------------------------------------------------- play

template <class B>
void DataPosition<B>::clear_passed() {
  if (passer_ == kNoSquare) return;
  key_ ^= en_passant_key();
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
  key_ ^= en_passant_key();
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
    for (std::size_t i = 0; i < game_->belts.size(); ++i)
      if (const Control& control = game_->belts[i].control; control.when == When::Every)
        key ^= zobrist::state(kPhaseTag,
                              static_cast<std::uint32_t>(i) * 65536U +
                                  static_cast<std::uint32_t>(turn_number() % control.every));
  if (game_->file().hands)
    for (const Colour c : {Colour::White, Colour::Black})
      for (int t = 0; t < game_->types; ++t)
        key ^= hand_key(c, t, in_hand(c, t));
  if (part_ > 0) key ^= zobrist::state(kPartTag, part_);
  return key;
}

template <class B>
std::uint64_t DataPosition<B>::key_from_scratch() const {
  return key_of(occupied()) ^ zobrist::castling(castling_) ^ en_passant_key() ^ ground_key() ^
         (side_ == Colour::Black ? zobrist::kBlackToMove : 0);
}

template <class B>
std::uint64_t DataPosition<B>::en_passant_key() const {
  std::uint64_t key = passer_ == kNoSquare ? 0 : zobrist::state(kPasserTag, passer_);
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
bool DataPosition<B>::move_belts(const Motion<B>* turned, B left, B entered, Played& played,
                                 B& carried) {
  std::vector<const Motion<B>*> motions;
  B moving{};
  if (turned != nullptr) {
    moving = turned->moving;
    motions.push_back(turned);
  }
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
  if (motions.empty()) return !any(occupied() & missing_);
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
  change_ground([&] {
    last_movement_ = counter >= 0 ? move.bits() : 0;
    if (counter >= 0 &&
        counter == game_->slide_counter) {  // named as its inverse is, areas swapped
      const Move inverse =
          Move::from_bits(game_->slide_of(move.from(), move.to(), missing_)->inverse);
      last_movement_ = Move(inverse.to(), inverse.from(), MoveKind::SectorShift).bits();
    }
    for (std::size_t i = 0; i < game_->counters.size(); ++i) {
      const Control& control = *game_->counters[i];
      std::uint8_t& left = counters_[at(side_)][i];
      const bool used = static_cast<int>(i) == counter;
      if (control.pause > 0)
        left = static_cast<std::uint8_t>(used ? control.pause - 1 : std::max(left - 1, 0));
      else if (used && control.uses != kNoLimit)
        --left;
    }
  });
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
  const Motion<B>* motion = nullptr;
  if (move.kind() == MoveKind::Aftershock) {
    const auto& boards = move.by_ranks() ? tables_->after_ranks : tables_->after_files;
    change_ground([&] {
      tables_ = game_->ready(boards[static_cast<std::size_t>(move.amount() + kMostShift)]);
      missing_ = tables_->missing;
    });
  } else if (const BeltTable<B>* const belt = belt_of(move, backward)) {
    motion = backward ? &belt->backward : &belt->forward;
  } else {
    const Slide<B>* const slide = game_->slide_of(move.from(), move.to(), missing_);
    assert(slide != nullptr);
    change_ground([&] { missing_ = (missing_ & ~slide->into) | slide->gap_after; });
    motion = &slide->motion;
  }
  B carried{};
  if (game_->belts_set_off) return move_belts(motion, B{}, B{}, played, carried);
  if (motion != nullptr) played.lasting = carry(std::array{motion});
  return !any(occupied() & missing_);
}

template <class B>
bool DataPosition<B>::captures_in_passing(Move move) const {
  if (move.kind() != MoveKind::Promotion || !contains(passed_, move.to()))
    return move.kind() == MoveKind::EnPassant;
  const auto& ways = side(side_).types[static_cast<std::size_t>(type_at(move.from()))].en_passant;
  const B blocked = occupied() | missing_;
  return std::any_of(ways.begin(), ways.end(), [&](const auto& en_passant) {
    return (en_passant.takes >> type_at(passer_) & 1) != 0 &&
           contains(en_passant.table.at(move.from(), blocked), move.to());
  });
}

template <class B>
bool DataPosition<B>::play_board(Move move, Played& played) {
  const Colour us = side_;
  const Colour them = ~us;
  const Square passer = passer_;
  const bool passes = captures_in_passing(move);
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
    return !game_->belts_set_off || move_belts(nullptr, B{}, square_set<B>(to), played, carried);
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
    const Square victim = passes ? passer : to;
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
    if (!move_belts(nullptr, left, entered, played, carried)) return false;
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
  after.end_turn(false, false, ~game_->file().starts.front().to_move);
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
    if (most > 0 && checks_[at(us)] < most && in_check(side_))
      change_ground([&] { ++checks_[at(us)]; });
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

template class DataPosition<Bitboard>;
template class DataPosition<WideBitboard>;
template class DataPosition<StackedBitboard>;

}  // namespace faultline::data
