// Computes a game's tables from its file.
#include "rules/data/game_tables.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>

#include "rules/data/piece_routes.h"
#include "rules/move.h"

namespace faultline::data {

namespace {

constexpr std::size_t kMostBoards = 200;

[[noreturn]] void refuse(const std::string& key, const std::string& what) {
  throw GameLimit(what, key);
}

std::string part_key(std::size_t part) {
  return "board.part." + std::to_string(part);
}

std::string piece_key(const PieceType& piece) {
  return "pieces." + piece.letter;
}

/// Whether a leap can lie over a gap in all its ways: not that of a knight or dabbaba over areas of
/// two squares or more either way.
bool gaps_stop_leaps(const GameFile& game) {
  const std::size_t columns = static_cast<std::size_t>(game.board.sectors->columns);
  const std::size_t rows = game.board.sectors->areas.size() / columns;
  const bool large =
      game.board.rows.front().size() >= 2 * columns && game.board.rows.size() >= 2 * rows;
  const auto stops = [&](const Stretch& stretch) {
    const bool crooked = std::any_of(stretch.step.begin(), stretch.step.end(), [](Direction d) {
      return kSteps[static_cast<std::size_t>(index(d))][0] == 0 ||
             kSteps[static_cast<std::size_t>(index(d))][1] == 0;
    });
    return stretch.step.size() > 2 || (stretch.step.size() == 2 && !(large && crooked));
  };
  for (const PieceType& piece : game.pieces)
    for (const PieceSide& side : piece.sides)
      for (const Leg& leg : side.legs)
        if (!leg.lame && leg.hop == Hop::None &&
            std::any_of(leg.stretches.begin(), leg.stretches.end(), stops))
          return true;
  return false;
}

/// Of White and of Black at the start: uses left, or turns to wait.
std::string uses_text(const Control& control) {
  const std::string uses =
      std::to_string(control.pause > 0 || control.uses == kNoLimit ? 0 : control.uses);
  return uses + "," + uses;
}

template <class B>
AttackGroup<B> attack_group(const AttackLine& line, TablePool<B>& pool, std::size_t squares) {
  AttackGroup<B> group;
  group.types = line.types;
  group.takes = line.takes;
  group.hops = line.hops;
  group.attackers = pool.table(line.routes, true);
  group.ever.resize(squares);
  for (const Route& r : line.routes)
    group.ever[r.to] |= square_set<B>(r.from);
  if (group.hops) {
    group.ways_of_hops.resize(squares);
    for (const Route& r : line.routes)
      group.ways_of_hops[r.to].push_back({r.from, set_of<B>(r.empty), set_of<B>(r.hurdle)});
    return group;
  }
  group.ambiguous.resize(squares);
  if (group.leaps()) return group;
  group.between.resize(squares * kBetweenStride<B>);
  std::set<std::pair<Square, Square>> seen;
  for (const Route& r : line.routes) {
    B& between = group.between[between_index<B>(r.to, r.from)];
    const auto empty = set_of<B>(r.empty);
    // A way that is open whenever the other one is takes its place.
    if (seen.insert({r.from, r.to}).second || (between & empty) == empty) {
      between = empty;
    } else if ((between & empty) != between) {
      group.ambiguous[r.to] |= square_set<B>(r.from);
    }
  }
  return group;
}

}  // namespace

template <class B>
GameTables<B>::GameTables(GameFile file)
    : squares(static_cast<std::size_t>(file.board.all_squares())),
      types(static_cast<int>(file.pieces.size())),
      all_types((TypeSet{1} << types) - 1),
      graph(0),
      file_(std::move(file)),
      pool_(squares, static_cast<std::size_t>(file_.board.squares)) {
  const Board& b = file_.board;
  if (squares > sizeof(B) * 8)
    refuse("board", "boards of " + std::to_string(squares) + " squares, more than " +
                        std::to_string(sizeof(B) * 8));
  if (b.squares > 128) refuse("board", "levels of more than 128 squares");
  if (b.sectors && b.riders_fly_over_void)
    refuse("board.riders", "sectors over whose gaps riders fly");
  if (b.sectors && !b.leaps_over_void && gaps_stop_leaps(file_))
    refuse("board.leaps", "sectors whose gaps stop leaps");
  for (Square s = 0; s < squares; ++s)
    board |= square_set<B>(s);
  about = GameDescription(file_);
  graph = build_graph(b, build_cells(b));
  for (std::size_t i = b.rows.size(); i-- > 0;) {
    rows.emplace_back();
    for (const Cell& cell : b.rows[i])
      if (cell.kind == CellKind::Square) rows.back().push_back(cell.square);
  }
  for (const Colour c : {Colour::White, Colour::Black})
    for (int t = 0; t < types; ++t) {
      const Royal royal = file_.pieces[static_cast<std::size_t>(t)].sides[at(c)].royal;
      if (royal != Royal::No) royals[at(c)] |= TypeSet{1} << t;
      one_safe |= royal == Royal::OneSafe;
      for (const Leg& leg : file_.pieces[static_cast<std::size_t>(t)].sides[at(c)].legs) {
        has_hops |= leg.captures && leg.hop != Hop::None;
        hops_over_gaps |= leg.hop != Hop::None && b.sectors.has_value();
      }
    }
  std::vector<Displacement> places;
  for (const Part& part : b.parts)
    places.push_back({part.files, part.ranks});
  most_moves_of_piece = fill_board(add_board(places));
  build_shifted_boards();
  if (boards.size() > 1) most_moves_of_piece *= 2;  // other places may give a piece more room
  build_rules();
  build_castles();
  if (b.sectors || b.levels.lost) carried_onto = board;
  for (const Belt& belt : b.belts)
    for (const std::vector<Square>& cycle : belt.cycles)
      carried_onto |= set_of<B>(cycle);
  build_belts();
  build_slides();
  build_levels();
}

template <class B>
const BoardTables<B>* GameTables<B>::board_at(const std::vector<Displacement>& places) const {
  for (const BoardTables<B>& b : boards)
    if (b.places == places) return &b;
  return nullptr;
}

/// Every board that shifts can lead to, with the pieces that a game starts with at least standing
/// somewhere: what covers them is judged where it happens.
template <class B>
void GameTables<B>::build_shifted_boards() {
  const std::vector<Part>& parts = file_.board.parts;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (!parts[i].shift) continue;
    if (shifting_part >= 0) refuse(part_key(i), "two parts that shift");
    shifting_part = static_cast<int>(i);
  }
  if (shifting_part < 0) return;
  const auto part = static_cast<std::size_t>(shifting_part);
  const Part::Shift& shift = *parts[part].shift;
  shift_counter = add_counter(part_key(part), shift.control);
  if (shift.control.when != When::Instead)
    refuse(part_key(part), "shifts with `when` other than \"instead\"");
  for (const int bound : {shift.files.low, shift.files.high, shift.ranks.low, shift.ranks.high})
    if (std::abs(bound) > kMostShift)
      refuse(part_key(part), "shifts by more than 7 files or ranks");
  for (std::size_t i = 0; i < boards.size(); ++i)
    for (const bool by_ranks : {false, true}) {
      const Interval by = by_ranks ? shift.ranks : shift.files;
      const Interval within = by_ranks ? shift.within_ranks : shift.within;
      for (int amount = by.low; amount <= by.high; ++amount) {
        if (amount == 0) continue;
        std::vector<Displacement> places = boards[i].places;
        int& place = by_ranks ? places[part].ranks : places[part].files;
        place += amount;
        if (place < within.low || place > within.high) continue;
        if (board_at(places) == nullptr) {
          if (boards.size() == kMostBoards) refuse(part_key(part), "so many places of a part");
          add_board(places);
        }
        (by_ranks ? boards[i].after_ranks
                  : boards[i].after_files)[static_cast<std::size_t>(amount + kMostShift)] =
            board_at(places);
      }
    }
}

template <class B>
BoardTables<B>& GameTables<B>::add_board(const std::vector<Displacement>& places) {
  BoardTables<B>& result = boards.emplace_back();
  result.places = places;
  result.missing = squares_of<B>(build_cells(file_.board, places).covered);
  return result;
}

template <class B>
const BoardTables<B>* GameTables<B>::ready(const BoardTables<B>* board_tables) const {
  if (board_tables == nullptr || board_tables->ready.load(std::memory_order_acquire))
    return board_tables;
  const std::lock_guard lock(mutex_);
  for (BoardTables<B>& tables : boards)
    if (&tables == board_tables && !tables.ready.load(std::memory_order_relaxed))
      fill_board(tables);
  return board_tables;
}

template <class B>
int GameTables<B>::fill_type(const PieceType& piece, Colour c,
                             const std::vector<std::vector<Route>>& routes,
                             SideTables<B>& side) const {
  const std::vector<Leg>& legs = piece.sides[at(c)].legs;
  int most_moves = 0;
  TypeTables<B> tables;
  std::vector<DoubleStep<B>> steps;
  for (const SortedRoutes& use :
       sorted(legs, routes, all_types, !file_.board.levels.below.empty())) {
    Ways<B> ways{pool_.table(use.routes), use.moves, use.leaves_passed, use.hops, use.takes, B{},
                 squares_of<B>(use.onto)};
    for (const Route& r : use.routes) {
      ways.from |= square_set<B>(r.from);
      if (use.leaves_passed) steps.push_back({r.from, r.to, set_of<B>(r.empty)});
    }
    tables.ways.push_back(ways);
  }
  if (tables.ways.size() > kMostWays)
    refuse(piece_key(piece), "so many kinds of ways of one piece");
  std::map<TypeSet, Routes> en_passant;
  for (std::size_t i = 0; i < legs.size(); ++i)
    if (legs[i].en_passant) {
      Routes& same_takes = en_passant[legs[i].takes & all_types];
      const Routes of_leg = landing(legs[i], routes[i]);
      same_takes.insert(same_takes.end(), of_leg.begin(), of_leg.end());
    }
  for (const auto& [takes, of_legs] : en_passant)
    if (!of_legs.empty())
      tables.en_passant.push_back({pool_.table(of_legs), pool_.table(of_legs, true), takes});
  tables.plain = tables.ways.size() == 1 && tables.en_passant.empty() &&
                 tables.ways.front().moves && tables.ways.front().takes == all_types &&
                 !tables.ways.front().leaves_passed && !tables.ways.front().hops &&
                 (board & ~tables.ways.front().onto) == B{};
  side.types.push_back(std::move(tables));
  side.double_steps.push_back(std::move(steps));
  std::map<Square, std::set<Square>> reach;
  for (const Routes& of_leg : routes)
    for (const Route& r : of_leg)
      reach[r.from].insert(r.to);
  std::size_t choices = 1;
  for (const Promotion& promotion : piece.sides[at(c)].promotions)
    choices = std::max(choices, promotion.to.size() + 1);
  for (const auto& [from, to] : reach)
    most_moves = std::max(most_moves, static_cast<int>(to.size() * choices));
  return most_moves;
}

template <class B>
int GameTables<B>::fill_board(BoardTables<B>& result) const {
  int most_moves = 0;
  const Board& b = file_.board;
  const CellBoard cells = build_cells(b, result.places);
  for (const Colour c : {Colour::White, Colour::Black}) {
    SideTables<B>& side = result.sides[at(c)];
    std::vector<AttackLine> attacks;
    for (int t = 0; t < types; ++t) {
      const PieceType& piece = file_.pieces[static_cast<std::size_t>(t)];
      const std::vector<Leg>& legs = piece.sides[at(c)].legs;
      std::vector<Routes> routes;
      try {
        for (const Leg& leg : legs)
          routes.push_back(routes_on_all_levels(b, cells, leg, piece.crosses_barriers_sideways));
        most_moves = std::max(most_moves, fill_type(piece, c, routes, side));
      } catch (GameLimit& limit) {
        if (limit.key.empty()) limit.key = piece_key(piece);
        throw;
      }
      add_attacks(legs, routes, TypeSet{1} << t, attacks);
    }
    for (const AttackLine& line : merged(std::move(attacks)))
      side.attacks.push_back(attack_group<B>(line, pool_, squares));
    if (side.attacks.size() > kMostAttackGroups) refuse("pieces", "so many ways to attack");
  }
  result.ready.store(true, std::memory_order_release);
  return most_moves;
}

template <class B>
void GameTables<B>::build_rules() {
  for (const Colour c : {Colour::White, Colour::Black}) {
    start_counts[at(c)].assign(static_cast<std::size_t>(types), 0);
    for (const Placed& placed : file_.starts.front().pieces)
      if (placed.colour == c) ++start_counts[at(c)][placed.type];
    for (const PieceType& piece : file_.pieces) {
      const PieceSide& side = piece.sides[at(c)];
      TypeRules<B> type;
      type.royal = side.royal;
      type.pawn = piece.pawn;
      for (const Promotion& promotion : side.promotions) {
        PromotionTable<B> table{.on = squares_of<B>(promotion.on) & board,
                                .must = squares_of<B>(promotion.must) & board,
                                .leaving = promotion.leaving,
                                .stock = promotion.stock,
                                .to = {},
                                .carried = promotion.carried};
        for (const TypeIndex to : promotion.to)
          more_royals[at(c)] = more_royals[at(c)] || (royals[at(c)] >> to & 1) != 0;
        for (const TypeIndex to : promotion.to)
          table.to.push_back(static_cast<faultline::PieceType>(to));
        if (!table.to.empty()) {
          type.promotes_on |= table.on;
          type.must |= table.must;
          type.leaves |= table.leaving;
        }
        type.barred |= promotion.carried != kNoType || !table.to.empty() ? table.must : B{};
        if (promotion.carried != kNoType)
          carried_promotions[at(c)].push_back(
              {static_cast<TypeIndex>(rules[at(c)].size()), promotion.carried, table.on});
        type.promotions.push_back(std::move(table));
      }
      // Forwards only: a step's ranks add up to something in the side's direction.
      type.one_way = !carries() && !side.legs.empty();
      for (const Leg& leg : side.legs) {
        int ranks = 0;
        for (const Stretch& stretch : leg.stretches)
          for (const Direction d : stretch.step)
            ranks += kSteps[static_cast<std::size_t>(index(d))][1];
        if ((c == Colour::White ? ranks : -ranks) <= 0) type.one_way = false;
      }
      if (file_.board.wraps_ranks || !file_.board.links.empty()) type.one_way = false;
      rules[at(c)].push_back(std::move(type));
    }
  }
  // Where nothing moves the board, a piece that promotes cannot stand where it cannot get.
  if (!carries() && !file_.hands && file_.board.levels.below.empty() && file_.starts.size() == 1)
    for (const Colour c : {Colour::White, Colour::Black})
      for (int t = 0; t < types; ++t) {
        TypeRules<B>& type = rules[at(c)][static_cast<std::size_t>(t)];
        if (!any(type.promotes_on)) continue;
        bool is_promoted_to = false;
        for (const TypeRules<B>& other : rules[at(c)])
          for (const PromotionTable<B>& promotion : other.promotions)
            is_promoted_to |= std::find(promotion.to.begin(), promotion.to.end(),
                                        static_cast<faultline::PieceType>(t)) != promotion.to.end();
        if (is_promoted_to) continue;
        B reached{};
        for (const Placed& placed : file_.starts.front().pieces)
          if (placed.colour == c && placed.type == t) reached |= square_set<B>(placed.square);
        const TypeTables<B>& tables =
            boards.front().sides[at(c)].types[static_cast<std::size_t>(t)];
        for (B open = reached; any(open);) {
          B next{};
          for_each_square(open, [&](Square s) {
            for (const Ways<B>& ways : tables.ways)
              next |= ways.table.at(s, B{});
          });
          open = next & ~reached;
          reached |= next;
        }
        if (file_.board.parts.empty()) type.barred |= board & ~reached;
      }
  build_drops();
  always_tested |= one_safe || hops_over_gaps || file_.rules.explode ||
                   file_.rules.checks != ChecksForbidden::No;
  has_rule_ends = file_.rules.explode.has_value();
  if (file_.rules.explode)
    for (const Colour c : {Colour::White, Colour::Black}) {
      int several = 0;
      for (std::size_t t = 0; t < static_cast<std::size_t>(types); ++t)
        if ((royals[at(c)] >> t & 1) != 0) several += start_counts[at(c)][t];
      if (several > 1) refuse("rules.explode", "explosions where a side has several royal pieces");
    }
  for (const SideEnds& ends : file_.ends.sides)
    has_rule_ends |= !ends.extinct.empty() || !ends.reach.empty() || ends.checks > 0;
}

template <class B>
void GameTables<B>::build_drops() {
  if (!file_.hands) return;
  for (const Colour c : {Colour::White, Colour::Black})
    for (std::size_t t = 0; t < file_.hands->drops.size(); ++t) {
      const Hands::Drop& drop = file_.hands->drops[t];
      TypeRules<B>& type = rules[at(c)][t];
      type.drops = squares_of<B>(drop.onto[at(c)]) & board;
      type.barred &= ~type.drops;
      type.drop_may_mate = drop.mate;
      if (drop.a_file == kNoLimit) continue;
      type.a_file = drop.a_file;
      for (int level = 0; level < file_.board.levels.count; ++level) {
        const std::size_t first = type.drop_files.size();
        type.drop_files.resize(first + file_.board.rows.front().size());
        for (const std::vector<Cell>& row : file_.board.rows)
          for (std::size_t i = 0; i < row.size(); ++i)
            if (row[i].kind == CellKind::Square)
              type.drop_files[first + i] |=
                  square_set<B>(static_cast<Square>(row[i].square + level * file_.board.squares));
      }
    }
}

template <class B>
void GameTables<B>::build_castles() {
  rights_kept.assign(squares, ~0U);
  for (const Start& start : file_.starts)
    for (const Castle& castle : start.castles) {
      const auto known = std::find_if(castles.begin(), castles.end(), [&](const CastleTable<B>& c) {
        return c.colour == castle.colour && c.king == castle.king && c.rook == castle.rook;
      });
      if (known != castles.end()) continue;
      if (castles.size() == 32) refuse("start.fen", "more than 32 castling rights");
      CastleTable<B> table;
      table.right = 1U << castles.size();
      table.colour = castle.colour;
      table.level = castle.level;
      table.letter = castle.letter;
      table.king_type = castle.king_type;
      table.royal = (royals[at(castle.colour)] >> castle.king_type & 1) != 0;
      table.king = castle.king;
      table.rook = castle.rook;
      for (const Placed& placed : start.pieces)
        if (placed.square == castle.rook) table.rook_type = placed.type;
      const TypeTables<B>& king = boards.front().sides[at(castle.colour)].types[castle.king_type];
      for (const Castle::Way& way : castle.ways) {
        bool is_step = way.king_to == castle.king;
        for (const Ways<B>& ways : king.ways)
          is_step |= ways.moves && contains(ways.table.at(castle.king, B{}), way.king_to);
        table.ways.push_back(
            {way.king_to, way.rook_to, squares_of<B>(way.empty), squares_of<B>(way.safe), is_step});
      }
      for (const Square s : {castle.king, castle.rook})
        rights_kept[s] &= ~table.right;
      castles.push_back(std::move(table));
    }
}

template <class B>
void GameTables<B>::build_levels() {
  const Board& b = file_.board;
  const auto n = static_cast<std::size_t>(b.squares);
  const auto most = static_cast<std::size_t>(b.levels.count);
  levels.resize(most);
  for (std::size_t s = 0; s < squares; ++s)
    levels[s / n] |= square_set<B>(static_cast<Square>(s));
  for (std::size_t row = 0; row < b.rows.size(); ++row)
    for (const Cell& cell : b.rows[row])
      if (cell.kind == CellKind::Square && (row + static_cast<std::size_t>(cell.column)) % 2 == 0)
        for (std::size_t level = 0; level < most; ++level)
          dark |= square_set<B>(static_cast<Square>(cell.square + level * n));
  holes.resize(most + 1);
  under.assign(most + 1, std::vector<B>(squares));
  if (b.levels.below.empty()) return;
  for (std::size_t count_of = 2; count_of <= most; ++count_of)
    for (std::size_t level = count_of - 1; level-- > 0;)
      for (std::size_t s = 0; s < n; ++s) {
        const std::vector<Square>& below = b.levels.below[s];
        if (below.empty()) continue;
        const auto hole = static_cast<Square>(s + level * n);
        holes[count_of] |= square_set<B>(hole);
        for (const Square of_level : below) {
          const auto to = static_cast<Square>(of_level + (level + 1) * n);
          under[count_of][hole] |=
              contains(holes[count_of], to) ? under[count_of][to] : square_set<B>(to);
        }
      }
}

template <class B>
bool GameTables<B>::is_start(std::string_view fen) const {
  return std::any_of(file_.starts.begin(), file_.starts.end(),
                     [&](const Start& start) { return start.fen == fen; });
}

template <class B>
std::string GameTables<B>::letter_of(int type, Colour c) const {
  std::string letter = file_.pieces[static_cast<std::size_t>(type)].letter;
  if (c == Colour::Black) letter.back() = static_cast<char>(letter.back() - 'A' + 'a');
  return letter;
}

template <class B>
std::string GameTables<B>::start_places() const {
  std::string text;
  for (const Part& part : file_.board.parts) {
    text += " " + std::to_string(part.files) + "," + std::to_string(part.ranks);
    if (part.shift)
      text +=
          "/" + uses_text(part.shift->control) + (part.shift->ranks != Interval{} ? "/0/0" : "/0");
  }
  for (auto i = static_cast<std::size_t>(shift_counter + 1); i < counters.size(); ++i)
    text += " " + uses_text(*counters[i]) + "/-";
  return text;
}

template <class B>
int GameTables<B>::area_of(Square s) const {
  const auto& areas = file_.board.sectors->areas;
  for (std::size_t i = 0; i < areas.size(); ++i)
    if (std::find(areas[i].begin(), areas[i].end(), s) != areas[i].end())
      return static_cast<int>(i);
  return -1;
}

template <class B>
std::string GameTables<B>::area_name(int area) const {
  constexpr std::array<const char*, 11> kRoman = {"I",   "II",   "III", "IV", "V", "VI",
                                                  "VII", "VIII", "IX",  "X",  "XI"};
  const int columns = file_.board.sectors->columns;
  return std::string(1, static_cast<char>('A' + area % columns)) +
         kRoman[static_cast<std::size_t>(area / columns)];
}

std::vector<std::string> limits_of_this_program(const GameFile& file) {
  try {
    with_tables(file, [](const auto& tables) {
      for (const auto& board : tables.boards)
        tables.ready(&board);
    });
  } catch (const GameLimit& limit) {
    return {limit.message(file, file.name)};
  }
  return {};
}

template class GameTables<Bitboard>;
template class GameTables<WideBitboard>;
template class GameTables<StackedBitboard>;

}  // namespace faultline::data
