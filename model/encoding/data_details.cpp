// What other programs must know of the encodings of games of files (encoding_details.h).
#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/encoding/data_encoding.h"

namespace faultline::data {

namespace {

constexpr int kNumber = 6;  // fields of a FEN up to the number of the move

template <class B>
std::vector<Square> list_of(B set) {
  std::vector<Square> squares;
  for_each_square(set, [&](Square s) { squares.push_back(s); });
  return squares;
}

/// How a piece attacks from one square, found out by putting other pieces on the board.
template <class B>
class Probe {
 public:
  /// `all`: the squares of the board.
  Probe(const TypeTables<B>& tables, Square from, B all) : from_(from), all_(all) {
    for (const Ways<B>& ways : tables.ways) {
      if (ways.takes == 0) continue;
      if (ways.hops)
        find_hops(ways);
      else
        find_ways(ways);
    }
  }

  /// Whether what was found is all: no square is attacked in several ways over one hurdle.
  bool is_complete() const { return complete_; }
  /// The ways along which a piece slides or leaps, as lines; the rest stays.
  std::vector<AttackLine> take_lines() {
    std::vector<AttackLine> lines;
    std::ranges::stable_sort(ways_, {}, [](const AttackWay& way) { return way.over.size(); });
    std::vector<AttackWay> rest;
    for (AttackWay& way : ways_)
      if (way.hurdle != kNoSquare || !extend(lines, way)) rest.push_back(std::move(way));
    ways_ = std::move(rest);
    return lines;
  }
  const std::vector<AttackWay>& ways() const { return ways_; }

 private:
  B reached(const Ways<B>& ways, B occupied) const {
    return ways.table.at(from_, occupied) & ways.onto & all_;
  }
  /// The squares a piece on which ends the attack.
  B blockers(const Ways<B>& ways, Square to, B hurdle) const {
    B found{};
    for_each_square(all_ & ~hurdle & ~square_set<B>(from_) & ~square_set<B>(to), [&](Square s) {
      if (!contains(reached(ways, hurdle | square_set<B>(s)), to)) found |= square_set<B>(s);
    });
    return found;
  }
  void add(const Ways<B>& ways, Square to, Square hurdle) {
    const B at_hurdle = hurdle == kNoSquare ? B{} : square_set<B>(hurdle);
    const B over = blockers(ways, to, at_hurdle);
    const B crowd = (all_ & ~over & ~square_set<B>(from_)) | at_hurdle;
    const bool is_only_way = contains(reached(ways, crowd), to);
    complete_ = complete_ && (is_only_way || hurdle == kNoSquare);
    if (is_only_way || hurdle != kNoSquare)
      ways_.push_back({.to = to, .hurdle = hurdle, .over = list_of(over)});
    else
      add_several(ways, to, B{});
  }
  /// All ways to a square that pass over none of `closed`.
  void add_several(const Ways<B>& ways, Square to, B closed) {
    if (!contains(reached(ways, closed), to)) return;
    B occupied = closed;
    for_each_square(all_ & ~closed & ~square_set<B>(from_) & ~square_set<B>(to), [&](Square s) {
      if (contains(reached(ways, occupied | square_set<B>(s)), to)) occupied |= square_set<B>(s);
    });
    const B over = all_ & ~occupied & ~square_set<B>(from_) & ~square_set<B>(to);
    AttackWay way{.to = to, .hurdle = kNoSquare, .over = list_of(over)};
    if (std::ranges::find(ways_, way) == ways_.end()) ways_.push_back(std::move(way));
    for_each_square(over, [&](Square s) { add_several(ways, to, closed | square_set<B>(s)); });
  }
  void find_ways(const Ways<B>& ways) {
    for_each_square(reached(ways, B{}), [&](Square to) { add(ways, to, kNoSquare); });
  }
  void find_hops(const Ways<B>& ways) {
    for_each_square(all_ & ~square_set<B>(from_), [&](Square hurdle) {
      for_each_square(reached(ways, square_set<B>(hurdle)),
                      [&](Square to) { add(ways, to, hurdle); });
    });
  }
  /// Adds the way to a line, or the beginning of one, that passes over the same squares.
  static bool extend(std::vector<AttackLine>& lines, const AttackWay& way) {
    if (way.over.empty()) {
      lines.push_back({way.to});
      return true;
    }
    for (AttackLine& line : lines) {
      if (line.size() < way.over.size()) continue;
      AttackLine start(line.begin(), line.begin() + static_cast<std::ptrdiff_t>(way.over.size()));
      std::vector<Square> sorted = start;
      std::ranges::sort(sorted);
      if (sorted != way.over) continue;
      start.push_back(way.to);
      if (line.size() == way.over.size())
        line = std::move(start);
      else
        lines.push_back(std::move(start));
      return true;
    }
    return false;
  }

  Square from_;
  B all_;
  bool complete_ = true;
  std::vector<AttackWay> ways_;
};

}  // namespace

/// The text of a turn that moves the belt.
template <class B>
std::string DataEncoding<B>::belt_text(const BeltTable<B>& belt, bool backward) const {
  return P::start(game_).move_text(
      Move(belt.from, backward ? belt.to_backward : belt.to_forward, MoveKind::SectorShift));
}

/// Fields of FENs with the numbers that planes fill.
template <class B>
void DataEncoding<B>::add_numbers(EncodingDetails& details) const {
  const GameFile& file = game_.file();
  const int checks = std::max(file.ends.sides[0].checks, file.ends.sides[1].checks) > 0 ? 1 : 0;
  constexpr int kChecks = 4;
  details.plies_field = 4 + checks;
  details.begins = file.starts.front().to_move;
  const int parts = kNumber + checks;
  const int shifting = parts + std::max(game_.shifting_part, 0);
  details.board_field = shifting;
  const auto movements = parts + static_cast<int>(file.board.parts.size());
  const auto counter_field = [&](int counter) {
    return movements + counter - (game_.shift_counter + 1);
  };
  for (const DataPlane<B>& plane : planes_) {
    if (plane.is_number() && plane.is_input()) details.least.emplace_back(plane.name, plane.low);
    const auto number = [&](int field, int white, int black) {
      details.numbers.push_back(
          {.plane = plane.name, .field = field, .white = white, .black = black});
    };
    const int own = plane.own ? 0 : 1;
    switch (plane.shows) {
      case Shows::Checks:
        number(kChecks, own, 1 - own);
        break;
      case Shows::Uses:
        if (plane.index == game_.shift_counter)
          number(shifting, 2 + own, 3 - own);
        else
          number(counter_field(plane.index), own, 1 - own);
        break;
      case Shows::Files:
        number(shifting, 0, 0);
        break;
      case Shows::Ranks:
        number(shifting, 1, 1);
        break;
      case Shows::LastFiles:
        number(shifting, 4, 4);
        break;
      case Shows::LastRanks:
        number(shifting, 5, 5);
        break;
      case Shows::LastBelt: {
        const BeltTable<B>& belt = game_.belts[static_cast<std::size_t>(plane.index)];
        details.words.push_back(
            {.plane = plane.name,
             .field = counter_field(belt.counter),
             .values = {{belt_text(belt, false), 1}, {belt_text(belt, true), -1}}});
        break;
      }
      case Shows::SlidFrom:
      case Shows::SlidTo: {
        FenSquares turned{
            .plane = plane.name, .field = counter_field(game_.slide_counter), .squares = {}};
        std::map<std::string, std::vector<Square>> squares;
        for (const Slide<B>& slide : game_.slides) {
          const std::string text = game_.area_name(game_.area_of(slide.from)) + "-" +
                                   game_.area_name(game_.area_of(slide.to));
          squares[text] = list_of(area(plane.shows == Shows::SlidFrom ? slide.from : slide.to));
        }
        turned.squares.assign(squares.begin(), squares.end());
        details.turned.push_back(std::move(turned));
        break;
      }
      default:
        break;
    }
  }
}

template <class B>
void DataEncoding<B>::add_rooks_and_steps(EncodingDetails& details) const {
  const auto lower = [](char letter) { return static_cast<char>(letter - 'A' + 'a'); };
  for (const CastleTable<B>& castle : game_.castles)
    details.rooks.push_back(
        {.level = castle.level,
         .letter = castle.colour == Colour::White ? castle.letter : lower(castle.letter),
         .rook = game_.graph.name(castle.rook)});
  if (std::ranges::none_of(planes_,
                           [](const DataPlane<B>& plane) { return plane.shows == Shows::Passer; }))
    return;
  for (const Colour side : {Colour::White, Colour::Black}) {
    const auto& steps = game_.boards.front().sides[at(side)].double_steps;
    for (std::size_t type = 0; type < steps.size(); ++type)
      for (const DoubleStep<B>& step : steps[type]) {
        PassingStep described{.letter = game_.letter_of(static_cast<TypeIndex>(type), side),
                              .from = step.from,
                              .to = step.to,
                              .over = {}};
        for_each_square(step.passed, [&](Square s) { described.over.push_back(s); });
        details.passing.push_back(std::move(described));
      }
  }
}

/// Turns that move belts, and which pieces promote to what.
template <class B>
void DataEncoding<B>::add_turns(EncodingDetails& details) const {
  const DataCanvas& start = canvases_.front().second;
  for (std::size_t i = 0; i < game_.belts.size(); ++i) {
    const BeltTable<B>& belt = game_.belts[i];
    if (belt.control.when != When::Instead) continue;
    for (const bool backward : {false, true}) {
      if (backward && !belt.both_ways) continue;
      details.turns.push_back(
          {.kind = info_.policy_kinds[static_cast<std::size_t>(belt_kinds_[i][backward ? 1 : 0])],
           .text = belt_text(belt, backward),
           .white = first_cell(start, Colour::White, belt.forward.moving),
           .black = first_cell(start, Colour::Black, belt.forward.moving)});
    }
  }
  const std::vector<PieceType>& pieces = game_.file().pieces;
  for (std::size_t to = 0; to < pieces.size(); ++to) {
    std::vector<std::string> letters;
    for (const PieceType& piece : pieces)
      for (const PieceSide& side : piece.sides)
        for (const Promotion& promotion : side.promotions)
          if (std::ranges::find(promotion.to, to) != promotion.to.end() &&
              std::ranges::find(letters, piece.letter) == letters.end())
            letters.push_back(piece.letter);
    if (!letters.empty())
      details.promoting.emplace_back("promote-" + game_.about.kinds[to].name, std::move(letters));
  }
}

/// How pieces attack, unless one attacks a square in several ways over the same hurdle.
template <class B>
void DataEncoding<B>::add_attacks(EncodingDetails& details) const {
  std::vector<std::pair<std::string, std::string>> attackers;
  std::vector<MovedAttacks> tables;
  for (std::size_t i = 0; i < canvases_.size(); ++i) {
    if (i > 0 && details.moved.size() <= 1)
      break;  // other boards have other squares, no other lines
    const BoardTables<B>& board = *game_.ready(canvases_[i].first);
    MovedAttacks moved{
        .numbers = i < details.moved.size() ? details.moved[i].numbers : std::vector<int>{0},
        .patterns = {}};
    for (const Colour side : {Colour::White, Colour::Black})
      for (int type = 0; type < game_.types; ++type) {
        const std::string letter = game_.letter_of(type, side);
        AttackPattern pattern{.name = letter, .lines = {}, .ways = {}};
        for (Square s = 0; s < game_.squares; ++s) {
          Probe<B> probe(board.sides[at(side)].types[static_cast<std::size_t>(type)], s,
                         game_.board & ~board.missing);
          if (!probe.is_complete()) return;
          pattern.lines.push_back(probe.take_lines());
          pattern.ways.push_back(probe.ways());
        }
        const auto same = std::ranges::find_if(moved.patterns, [&](const AttackPattern& other) {
          return details.moved.empty() && other.lines == pattern.lines &&
                 other.ways == pattern.ways;
        });
        if (i == 0)
          attackers.emplace_back(letter, same == moved.patterns.end() ? letter : same->name);
        if (same == moved.patterns.end()) moved.patterns.push_back(std::move(pattern));
      }
    tables.push_back(std::move(moved));
  }
  details.attacks = std::move(tables);
  details.attackers = std::move(attackers);
}

template <class B>
EncodingDetails DataEncoding<B>::details() const {
  EncodingDetails details;
  for (const DataPlane<B>& plane : planes_) {
    if (plane.shows != Shows::Marked) continue;
    const auto members = [&](Colour mover) {
      std::vector<Square> squares;
      for_each_square(plane.marked[at(mover)] & game_.levels[static_cast<std::size_t>(plane.level)],
                      [&](Square s) { squares.push_back(s); });
      return squares;
    };
    details.marked.push_back(
        {.plane = plane.name, .white = members(Colour::White), .black = members(Colour::Black)});
  }
  if (game_.shifting_part >= 0) {
    const auto part = static_cast<std::size_t>(game_.shifting_part);
    const bool by_ranks = game_.file().board.parts[part].shift->ranks != Interval{};
    for (const auto& [board, canvas] : canvases_) {
      const Displacement place = board->places[part];
      MovedCells moved{.numbers = {place.files}, .white = {}, .black = {}};
      if (by_ranks) moved.numbers.push_back(place.ranks);
      for (Square s = 0; s < game_.squares; ++s) {
        moved.white.push_back(policy_cell(canvas, Colour::White, s));
        moved.black.push_back(policy_cell(canvas, Colour::Black, s));
      }
      details.moved.push_back(std::move(moved));
    }
  }
  if (!game_.slides.empty()) {
    const DataCanvas& start = canvases_.front().second;
    const auto& areas = game_.file().board.sectors->areas;
    for (std::size_t a = 0; a < areas.size(); ++a)
      details.areas.push_back({.name = game_.area_name(static_cast<int>(a)),
                               .white = first_cell(start, Colour::White, area(areas[a].front())),
                               .black = first_cell(start, Colour::Black, area(areas[a].front()))});
  }
  if (info_.levels > 1) details.move_separator = "-";
  add_numbers(details);
  add_rooks_and_steps(details);
  add_turns(details);
  add_attacks(details);
  return details;
}

template EncodingDetails DataEncoding<Bitboard>::details() const;
template EncodingDetails DataEncoding<WideBitboard>::details() const;
template EncodingDetails DataEncoding<StackedBitboard>::details() const;

}  // namespace faultline::data
