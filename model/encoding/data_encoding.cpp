// Derives planes, cells and kinds of moves from a game's file.
#include "model/encoding/data_encoding.h"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <optional>

#include "model/encoding/data_symmetry.h"

namespace faultline::data {

namespace {

constexpr std::array kBothColours = {Colour::White, Colour::Black};

/// Inputs of fast networks for numbers that have no natural bound.
constexpr int kMostInput = 8;
constexpr int kMostTurnInput = 64;

template <class B>
bool has(const std::vector<DataPlane<B>>& planes, Shows what) {
  return std::ranges::any_of(planes, [&](const auto& plane) { return plane.shows == what; });
}

std::string numbered(const std::string& what, int n) {
  return what + std::to_string(n);
}

}  // namespace

template <class B>
DataEncoding<B>::DataEncoding(const Game& game) : game_(game) {
  info_.family = game.canonical_name();
  info_.variant = game.canonical_name();
  info_.game = game.file().text;
  info_.levels = game.file().board.levels.count;
  choose_views();
  build_canvases();
  build_planes();
  build_kinds();
  build_squares();
}

// ---------------------------------------------------------------------------------------- canvas

template <class B>
void DataEncoding<B>::choose_views() {
  const Board& board = game_.file().board;
  mirrors_ = is_symmetry(game_, BoardMap(board, false, true, false));
  const BoardMap declared(board, true, board.turned, true), other(board, true, !board.turned, true),
      same(board, false, false, true);
  std::vector<const BoardMap*> maps = {&declared, &other, &same};
  const auto exact =
      std::ranges::find_if(maps, [&](const BoardMap* map) { return is_symmetry(game_, *map); });
  tells_who_moves_ = exact == maps.end();
  const BoardMap* chosen = tells_who_moves_ ? nullptr : *exact;
  if (chosen == nullptr) {
    // A half turn keeps displacements, so that both sides see the same ground.
    if (!board.parts.empty() && !board.turned) std::swap(maps[0], maps[1]);
    std::vector<int> alike;
    for (const BoardMap* map : maps)
      alike.push_back(likeness(game_, *map));
    chosen = maps[static_cast<std::size_t>(std::ranges::max_element(alike) - alike.begin())];
  }
  flips_ranks_ = chosen->ranks;
  flips_files_ = chosen->files;
  views_are_alike_ = !tells_who_moves_ || flips_ranks_;
  info_.symmetry = !flips_ranks_ ? "none" : flips_files_ ? "half-turn" : "mirror";
}

template <class B>
void DataEncoding<B>::build_canvases() {
  const Board& board = game_.file().board;
  struct Place {
    int x = 0, y = 0;
  };
  const auto height = static_cast<int>(board.rows.size());
  const auto width = static_cast<int>(board.rows.front().size());
  std::vector<std::vector<Place>> places_of_boards;
  std::vector<Place> sizes;
  for (const BoardTables<B>& state : game_.boards) {
    std::vector<Place> places(game_.squares);
    for (int row = 0; row < height; ++row)
      for (const Cell& cell : board.rows[static_cast<std::size_t>(row)])
        if (cell.kind == CellKind::Square)
          for (int level = 0; level < info_.levels; ++level)
            places[static_cast<std::size_t>(cell.square + level * board.squares)] = {cell.column,
                                                                                     row};
    for (Square s = 0; s < game_.squares; ++s)
      for (std::size_t i = board.parts.size(); i-- > 0;)
        if (board.parts[i].squares[s]) {
          places[s].x += state.places[i].files;
          places[s].y += state.places[i].ranks;
          break;
        }
    Place size{width, height};
    if (!board.parts.empty()) {
      const auto [left, right] = std::ranges::minmax(places, {}, &Place::x);
      const auto [low, high] = std::ranges::minmax(places, {}, &Place::y);
      size = {right.x - left.x + 1, high.y - low.y + 1};
      for (Place& place : places)
        place = {place.x - left.x, place.y - low.y};
    }
    info_.width = std::max(info_.width, size.x);
    info_.height = std::max(info_.height, size.y);
    places_of_boards.push_back(std::move(places));
    sizes.push_back(size);
  }
  std::size_t i = 0;
  for (const BoardTables<B>& state : game_.boards) {
    DataCanvas canvas{.cells = {}, .used_width = sizes[i].x};
    for (const Colour mover : kBothColours)
      for (const Place& place : places_of_boards[i]) {
        const bool black = mover == Colour::Black;
        const int x = black && flips_files_ ? sizes[i].x - 1 - place.x : place.x;
        const int y = black && flips_ranks_ ? sizes[i].y - 1 - place.y : place.y;
        canvas.cells[at(mover)].push_back(y * info_.width + x);
      }
    canvases_.emplace_back(&state, std::move(canvas));
    ++i;
  }
}

template <class B>
void DataEncoding<B>::build_squares() {
  const Board& board = game_.file().board;
  const P start = P::start(game_);
  const DataCanvas& white = canvas(start.tables());
  const bool moves = game_.shifting_part >= 0;
  const bool vanish = (board.sectors && board.sectors->slide) || board.levels.lost;
  info_.board_changes = moves ? "cells" : vanish ? "existence" : "nothing";
  info_.squares.resize(game_.squares);
  const B holes = game_.holes[static_cast<std::size_t>(start.levels())];
  for (Square s = 0; s < game_.squares; ++s) {
    EncodedSquare& square = info_.squares[s];
    square.name = game_.graph.name(s);
    square.cell = policy_cell(white, Colour::White, s);
    square.exists = !contains(start.missing() | holes, s);
    const int cell = square.cell / info_.levels;
    const int column = cell % info_.width, row = cell / info_.width;
    square.x = static_cast<float>(column);
    square.y = static_cast<float>(row);
    for (std::size_t d = 0; d < square.neighbours.size(); ++d)
      for (const Square next : game_.graph.neighbours(s, static_cast<Direction>(d)))
        square.neighbours[d].push_back(next);
  }
  for (const std::vector<Cell>& row : board.rows)
    for (const Cell& cell : row)
      if (cell.kind == CellKind::Square)
        for (int level = 0; level < info_.levels; ++level)
          info_.squares[static_cast<std::size_t>(cell.square + level * board.squares)].x +=
              static_cast<float>(cell.foot - cell.column) / 2;
}

// ---------------------------------------------------------------------------------------- planes

template <class B>
DataPlane<B>& DataEncoding<B>::add(DataPlane<B> plane) {
  planes_.push_back(std::move(plane));
  return planes_.back();
}

/// Whether the squares that were passed over tell which piece passed.
template <class B>
bool DataEncoding<B>::passers_are_certain() const {
  for (const SideTables<B>& side : game_.boards.front().sides) {
    std::vector<DoubleStep<B>> steps;
    for (const auto& of_type : side.double_steps)
      steps.insert(steps.end(), of_type.begin(), of_type.end());
    for (const DoubleStep<B>& a : steps)
      for (const DoubleStep<B>& b : steps)
        if (a.to != b.to && any(a.passed & b.passed)) return false;
  }
  return true;
}

template <class B>
void DataEncoding<B>::build_planes() {
  game_.ready(&game_.boards.front());
  for (int level = 0; level < info_.levels; ++level)
    add_level_planes(level);
  add_movement_planes();
  add_common_planes();
  for (const DataPlane<B>& plane : planes_)
    info_.planes.push_back(plane.name);
}

template <class B>
void DataEncoding<B>::add_level_planes(int level) {
  const GameFile& file = game_.file();
  const std::string on = info_.levels > 1 ? numbered("level ", level + 1) + ": " : "";
  const auto number = [](std::size_t i) { return static_cast<int>(i); };
  for (const bool own : {true, false})
    for (std::size_t t = 0; t < file.pieces.size(); ++t)
      add({.name = on + (own ? "own " : "enemy ") + game_.about.kinds[t].name,
           .shows = Shows::Pieces,
           .own = own,
           .index = number(t),
           .level = level});
  const auto passes = [](const SideTables<B>& side) {
    return std::ranges::any_of(side.types, [](const auto& t) { return !t.en_passant.empty(); });
  };
  if (std::ranges::any_of(game_.boards.front().sides, passes)) {
    add({.name = on + "en passant square", .shows = Shows::EnPassant, .level = level});
    if (!passers_are_certain())
      add({.name = on + "passing piece", .shows = Shows::Passer, .level = level});
  }
  add_castling_planes(level, on);
  const bool has_cells_without_square =
      file.board.squares != static_cast<int>(file.board.rows.size() * file.board.rows[0].size());
  if (info_.levels > 1 || !file.board.parts.empty() || has_cells_without_square)
    add({.name = on + "squares", .shows = Shows::Squares, .level = level});
  if (any(game_.gaps))
    add({.name = on + "gaps", .shows = Shows::Gaps, .level = level, .low = 0, .high = 1});
  for (std::size_t i = 0; i < file.board.parts.size(); ++i) {
    const B squares = squares_of<B>(file.board.parts[i].squares);
    add({.name = on + "squares of part " + std::to_string(i + 1),
         .shows = Shows::Marked,
         .level = level,
         .marked = {squares, squares}});
  }
  if (!file.board.parts.empty()) {
    BySide<B> zones{};
    for (const Colour c : kBothColours)
      for (const TypeRules<B>& rules : game_.rules[at(c)])
        for (const PromotionTable<B>& promotion : rules.promotions)
          zones[at(c)] |= promotion.on;
    for (const bool own : {true, false})
      add({.name = on + (own ? "own" : "enemy") + " promotion squares",
           .shows = Shows::Marked,
           .level = level,
           .marked = {zones[own ? 0 : 1], zones[own ? 1 : 0]}});
  }
  add_belt_planes(level, on);
}

/// A number for each right where they are called king-side and queen-side, and else the rooks.
template <class B>
void DataEncoding<B>::add_castling_planes(int level, const std::string& on) {
  BySide<std::array<std::uint32_t, 2>> wings{};  // by side; king-side first
  // Where left and right are exchanged for one side, the rights are not the same for both.
  bool have_wings = !tells_who_moves_ || !flips_files_;
  bool any_right = false;
  for (const CastleTable<B>& castle : game_.castles) {
    if (castle.level != level) continue;
    any_right = true;
    std::uint32_t& wing = wings[at(castle.colour)][castle.letter == 'K' ? 0 : 1];
    have_wings &= (castle.letter == 'K' || castle.letter == 'Q') && wing == 0;
    wing |= castle.right;
  }
  if (!any_right) return;
  for (const bool own : {true, false}) {
    const std::string side = on + (own ? "own " : "enemy ");
    if (!have_wings) {
      add({.name = side + "rooks that may castle",
           .shows = Shows::Rooks,
           .own = own,
           .level = level});
      continue;
    }
    for (const std::size_t wing : {0, 1})
      add({.name = side + (wing == 0 ? "king" : "queen") + "-side castling",
           .shows = Shows::Right,
           .own = own,
           .level = level,
           .rights = {wings[0][wing], wings[1][wing]}});
  }
}

/// Where belts carry to, as the mover sees the board.
template <class B>
void DataEncoding<B>::add_belt_planes(int level, const std::string& on) {
  enum Way : std::size_t { North, East, South, West, Elsewhere };
  constexpr std::array kNames = {"north", "east", "south", "west", "elsewhere"};
  std::array<BySide<B>, kNames.size()> carried{};
  const DataCanvas& start = canvases_.front().second;
  for (const Belt& belt : game_.file().board.belts)
    for (const std::vector<Square>& cycle : belt.cycles) {
      const auto n = static_cast<int>(cycle.size());
      const auto step = static_cast<std::size_t>((belt.steps % n + n) % n);
      for (std::size_t i = 0; i < cycle.size(); ++i)
        for (const Colour mover : kBothColours) {
          const auto& cells = start.cells[at(mover)];
          const int from = cells[cycle[i]], to = cells[cycle[(i + step) % cycle.size()]];
          const int x = to % info_.width - from % info_.width;
          const int y = to / info_.width - from / info_.width;
          const Way way = x == 0 && y == 1    ? North
                          : x == 1 && y == 0  ? East
                          : x == 0 && y == -1 ? South
                          : x == -1 && y == 0 ? West
                                              : Elsewhere;
          carried[way][at(mover)] |= square_set<B>(cycle[i]);
        }
    }
  std::array<int, kNames.size()> planes{};
  for (std::size_t way = 0; way < kNames.size(); ++way) {
    // If one of east and west is there, so is the other.
    const auto is_shown = [&](std::size_t w) { return any(carried[w][0] | carried[w][1]); };
    if (!is_shown(way) && !(way == East && is_shown(West)) && !(way == West && is_shown(East)))
      continue;
    planes[way] = static_cast<int>(planes_.size());
    add({.name = on + "carried " + kNames[way],
         .shows = Shows::Marked,
         .level = level,
         .marked = carried[way]});
  }
  if (planes[East] != 0) {
    planes_[static_cast<std::size_t>(planes[East])].mirrored = planes[West];
    planes_[static_cast<std::size_t>(planes[West])].mirrored = planes[East];
  }
}

template <class B>
void DataEncoding<B>::add_movement_planes() {
  const Board& board = game_.file().board;
  const auto eighths = [&](const std::string& name, Shows what, int low, int high) -> auto& {
    return add({.name = name + " / 8", .shows = what, .divisor = 8, .low = low, .high = high});
  };
  if (game_.shifting_part >= 0) {
    eighths("dx", Shows::Files, -kMostInput, kMostInput).negated = true;
    eighths("dy", Shows::Ranks, -kMostInput, kMostInput);
  }
  const auto add_uses = [&](const std::string& of, int counter) {
    if (counter < 0) return;
    const Control& control = *game_.counters[static_cast<std::size_t>(counter)];
    const bool waits = control.pause > 0;
    const int most = waits ? control.pause - 1 : control.uses;
    if (most <= 0) return;
    for (const bool own : {true, false}) {
      DataPlane<B>& plane =
          eighths((own ? "own " : "enemy ") + (waits ? "turns until " + of : of + "s left"),
                  Shows::Uses, 0, std::min(most, kMostInput));
      plane.own = own;
      plane.index = counter;
    }
  };
  add_uses("shift", game_.shift_counter);
  add_uses("slide", game_.slide_counter);
  if (game_.slide_counter >= 0)
    for (const bool from : {true, false})
      for (int level = 0; level < info_.levels; ++level)
        add({.name = (info_.levels > 1 ? numbered("level ", level + 1) + ": " : "") +
                     (from ? "slid from" : "slid to"),
             .shows = from ? Shows::SlidFrom : Shows::SlidTo,
             .level = level});
  for (std::size_t i = 0; i < game_.belts.size(); ++i) {
    const int counter = game_.belts[i].counter;
    if (counter < 0) continue;
    const std::string belt = "belt " + std::to_string(i + 1);
    add_uses(belt + " turn", counter);
    add({.name = belt + " turned last", .shows = Shows::LastBelt, .index = static_cast<int>(i)});
  }
  if (game_.shifting_part >= 0) {
    const Part& part = board.parts[static_cast<std::size_t>(game_.shifting_part)];
    add({.name = "last shift / 8", .shows = Shows::LastFiles, .divisor = 8}).negated = true;
    if (part.shift->ranks != Interval{})
      add({.name = "last shift up / 8", .shows = Shows::LastRanks, .divisor = 8});
  }
  std::vector<int> rhythms;
  for (const BeltTable<B>& belt : game_.belts)
    if (belt.control.when == When::Every &&
        std::ranges::find(rhythms, belt.control.every) == rhythms.end())
      rhythms.push_back(belt.control.every);
  for (const int every : rhythms)
    if (every > 1)
      add({.name = numbered("turn modulo ", every) + " / " + std::to_string(every),
           .shows = Shows::Turn,
           .index = every,
           .divisor = every,
           .high = std::min(every, kMostTurnInput) - 1});
}

template <class B>
void DataEncoding<B>::add_common_planes() {
  const GameFile& file = game_.file();
  if (file.hands)
    for (const bool own : {true, false})
      for (std::size_t t = 0; t < file.pieces.size(); ++t) {
        const PieceType& piece = file.pieces[t];
        const auto stays = [](const PieceSide& side) { return side.royal == Royal::Yes; };
        if (piece.letter.size() > 1 || std::ranges::all_of(piece.sides, stays)) continue;
        add({.name = (own ? "own " : "enemy ") + game_.about.kinds[t].name + " in hand / 8",
             .shows = Shows::Hand,
             .own = own,
             .index = static_cast<int>(t),
             .divisor = 8,
             .high = kMostInput});
      }
  const int checks = std::max(file.ends.sides[0].checks, file.ends.sides[1].checks);
  if (checks > 0)
    for (const bool own : {true, false})
      add({.name = std::string(own ? "own" : "enemy") + " checks left / 8",
           .shows = Shows::Checks,
           .own = own,
           .divisor = 8,
           .high = std::min(checks, kMostInput)});
  if (tells_who_moves_) add({.name = "black to move", .shows = Shows::BlackToMove});
  add({.name = "plies since progress / 100", .shows = Shows::Plies, .divisor = kProgressDivisor});
  add({.name = "earlier occurrences", .shows = Shows::Repetitions});
  add({.name = "ones", .shows = Shows::Ones});
}

template <class B>
B DataEncoding<B>::area(Square s) const {
  B set{};
  const int number = game_.area_of(s);
  if (number >= 0)
    for (const Square of_area : game_.file().board.sectors->areas[static_cast<std::size_t>(number)])
      set |= square_set<B>(of_area);
  return set;
}

template <class B>
B DataEncoding<B>::squares(const P& position, const DataPlane<B>& plane, Colour mover) const {
  const B& level = game_.levels[static_cast<std::size_t>(plane.level)];
  const Colour side = plane.own ? mover : ~mover;
  const B holes = game_.holes[static_cast<std::size_t>(position.levels())];
  switch (plane.shows) {
    case Shows::Pieces:
      return position.of(side, plane.index) & level;
    case Shows::EnPassant:
      return position.passed() & level;
    case Shows::Passer:
      return position.passer() == kNoSquare ? B{} : square_set<B>(position.passer()) & level;
    case Shows::Rooks: {
      B rooks{};
      for (const CastleTable<B>& castle : game_.castles)
        if (castle.colour == side && (position.castling() & castle.right) != 0)
          rooks |= square_set<B>(castle.rook);
      return rooks & level;
    }
    case Shows::Squares:
      return level & ~position.missing() & ~holes;
    case Shows::Gaps:
      return level & position.missing();
    case Shows::SlidFrom:
    case Shows::SlidTo: {
      const Move last = position.last_movement();
      if (last == Move::none() || last.kind() != MoveKind::SectorShift || is_belt_turn(last))
        return B{};
      return area(plane.shows == Shows::SlidFrom ? last.from() : last.to()) & level;
    }
    case Shows::Marked:
      return plane.marked[at(mover)] & level & ~position.missing() & ~holes;
    default:
      return B{};
  }
}

template <class B>
int DataEncoding<B>::number(const P& position, int repetitions, const DataPlane<B>& plane,
                            Colour mover) const {
  const Colour side = plane.own ? mover : ~mover;
  const Move last = position.last_movement();
  const auto place = [&] {
    return position.tables().places[static_cast<std::size_t>(game_.shifting_part)];
  };
  const auto last_shift = [&](bool by_ranks) {
    return last != Move::none() && last.kind() == MoveKind::Aftershock &&
                   last.by_ranks() == by_ranks
               ? last.amount()
               : 0;
  };
  switch (plane.shows) {
    case Shows::Right:
      return (position.castling() & plane.rights[at(side)]) != 0 ? 1 : 0;
    case Shows::Hand:
      return position.in_hand(side, plane.index);
    case Shows::Checks:
      return game_.file().ends.sides[at(side)].checks - position.checks_given(side);
    case Shows::Uses:
      return position.counter(side, plane.index);
    case Shows::Files:
      return place().files;
    case Shows::Ranks:
      return place().ranks;
    case Shows::LastFiles:
      return last_shift(false);
    case Shows::LastRanks:
      return last_shift(true);
    case Shows::LastBelt: {
      const BeltTable<B>& belt = game_.belts[static_cast<std::size_t>(plane.index)];
      if (last == Move::none() || last.kind() != MoveKind::SectorShift || last.from() != belt.from)
        return 0;
      return last.to() == belt.to_forward ? 1 : last.to() == belt.to_backward ? -1 : 0;
    }
    case Shows::Turn:
      return position.turn_number() % plane.index;
    case Shows::BlackToMove:
      return position.side_to_move() == Colour::Black ? 1 : 0;
    case Shows::Plies:
      return position.halfmove_clock();
    case Shows::Repetitions:
      return repetitions;
    default:
      return 1;
  }
}

template class DataEncoding<Bitboard>;
template class DataEncoding<WideBitboard>;
template class DataEncoding<StackedBitboard>;

}  // namespace faultline::data
