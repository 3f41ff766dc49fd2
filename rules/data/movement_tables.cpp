// The tables of what carries pieces: belts and sectors.
#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "rules/data/game_tables.h"
#include "rules/move.h"

namespace faultline::data {

namespace {

std::string belt_key(std::size_t belt) {
  return "board.belt." + std::to_string(belt);
}

/// Where a belt carries what stands on its squares.
std::vector<std::pair<Square, Square>> steps_of(const Belt& belt) {
  std::vector<std::pair<Square, Square>> steps;
  for (const std::vector<Square>& cycle : belt.cycles) {
    const auto n = static_cast<int>(cycle.size());
    const auto by = static_cast<std::size_t>((belt.steps % n + n) % n);
    for (std::size_t i = 0; i < cycle.size(); ++i)
      steps.emplace_back(cycle[i], cycle[(i + by) % cycle.size()]);
  }
  return steps;
}

}  // namespace

/// Belts that every move off one of their squares turns, and no castling, have one motion for each
/// square left.
template <class B>
void GameTables<B>::build_belts() {
  const std::vector<Belt>& all = file_.board.belts;
  const bool by_square_left =
      std::all_of(all.begin(), all.end(),
                  [](const Belt& belt) {
                    return belt.control.when == When::Left && belt.control.who == Who::Any;
                  }) &&
      std::none_of(castles.begin(), castles.end(), [&](const CastleTable<B>& castle) {
        return contains(carried_onto, castle.king) || contains(carried_onto, castle.rook);
      });
  if (!by_square_left) return build_single_belts();
  if (all.empty()) return;
  left_motions.resize(squares);
  for (Square left = 0; left < squares; ++left) {
    Motion<B>& motion = left_motions[left];
    std::map<Square, std::vector<Square>> origins;  // by where they lead
    for (const Belt& belt : all) {
      const auto steps = steps_of(belt);
      if (std::none_of(steps.begin(), steps.end(),
                       [&](const auto& step) { return step.first == left; }))
        continue;
      for (const auto& [from, to] : steps) {
        if (contains(motion.moving, from) && from != left) motion.torn |= square_set<B>(from);
        motion.add(from, to);
        if (from != left) origins[to].push_back(from);
      }
    }
    for (const auto& [to, from] : origins)
      for (std::size_t i = 0; i < from.size(); ++i)
        for (std::size_t j = i + 1; j < from.size(); ++j)
          motion.meeting.emplace_back(from[i], from[j]);
    if (any(motion.moving)) on_belts |= square_set<B>(left);
  }
}

template <class B>
bool GameTables<B>::is_limited(const Control& control) {
  return control.when == When::Instead &&
         (control.uses != kNoLimit || control.pause > 0 || !control.undo);
}

template <class B>
int GameTables<B>::add_counter(const std::string& key, const Control& control) {
  if (counters.size() == kMostCounters) throw GameLimit("so many movements that are limited", key);
  counters.push_back(&control);
  has_pauses |= control.pause > 0;
  return static_cast<int>(counters.size()) - 1;
}

template <class B>
void GameTables<B>::build_single_belts() {
  for (const Belt& belt : file_.board.belts) {
    BeltTable<B> table;
    table.control = belt.control;
    table.both_ways = belt.both_ways;
    table.name = belt.name;
    for (const auto& [from, to] : steps_of(belt)) {
      table.forward.add(from, to);
      table.backward.add(to, from);
    }
    if (belt.control.when == When::Instead) name_turn(table);
    if (is_limited(belt.control)) table.counter = add_counter(belt_key(belts.size()), belt.control);
    belts_set_off |= belt.control.when != When::Instead;
    has_phase |= belt.control.when == When::Every;
    belts.push_back(std::move(table));
  }
  always_tested |= belts_set_off;
}

/// A square of the belt by whose steps no other belt's turn is named.
template <class B>
void GameTables<B>::name_turn(BeltTable<B>& table) const {
  for (B on = table.forward.moving; any(on);) {
    table.from = pop_first(on);
    table.to_forward = first(table.forward.advanced(square_set<B>(table.from)));
    table.to_backward = first(table.backward.advanced(square_set<B>(table.from)));
    const bool is_taken = std::any_of(belts.begin(), belts.end(), [&](const BeltTable<B>& other) {
      return other.control.when == When::Instead && other.from == table.from &&
             (other.to_forward == table.to_forward || other.to_forward == table.to_backward ||
              other.to_backward == table.to_forward || other.to_backward == table.to_backward);
    });
    if (!is_taken) return;
  }
  throw GameLimit("two belts, both turns of their own, on the same squares",
                  belt_key(belts.size()));
}

template <class B>
void GameTables<B>::build_slides() {
  if (!file_.board.sectors) return;
  const Sectors& sectors = *file_.board.sectors;
  for (const int gap : sectors.gaps)
    gaps |= set_of<B>(sectors.areas[static_cast<std::size_t>(gap)]);
  if (!sectors.slide) return;
  if (is_limited(sectors.slide->control))
    slide_counter = add_counter("board.sectors", sectors.slide->control);
  const auto n = static_cast<int>(sectors.areas.size());
  const int columns = sectors.columns;
  const auto area_at = [&](int column, int row) -> int {
    if (column < 0 || column >= columns || row < 0 || row >= n / columns) return -1;
    return row * columns + column;
  };
  const auto squares_of_area = [&](int area) -> const std::vector<Square>& {
    return sectors.areas[static_cast<std::size_t>(area)];
  };
  for (int area = 0; area < n; ++area)
    for (const auto& [dx, dy] :
         std::array<std::array<int, 2>, 4>{{{0, 1}, {1, 0}, {0, -1}, {-1, 0}}})
      for (int far = 1; far <= sectors.slide->far; ++far)
        // Several areas move by one.
        for (int push = 1; push <= (far == 1 ? sectors.slide->push : 1); ++push) {
          // `area` is the last of `push` areas that move `far` areas on.
          const int column = area % columns;
          const int row = area / columns;
          if (area_at(column + dx * (push - 1 + far), row + dy * (push - 1 + far)) < 0) continue;
          Slide<B> slide;
          B before{}, after{};
          for (int i = 0; i < push; ++i) {
            const int from = area_at(column + dx * i, row + dy * i);
            const int to = area_at(column + dx * (i + far), row + dy * (i + far));
            if (i == 0) {
              slide.from = squares_of_area(from).front();
              slide.to = squares_of_area(to).front();
            }
            before |= set_of<B>(squares_of_area(from));
            after |= set_of<B>(squares_of_area(to));
            for (std::size_t k = 0; k < squares_of_area(from).size(); ++k)
              slide.motion.add(squares_of_area(from)[k], squares_of_area(to)[k]);
          }
          const auto first_of = [&, dx = dx, dy = dy](int i) {
            return squares_of_area(area_at(column + dx * i, row + dy * i)).front();
          };
          // Several slides may begin alike: the foremost area's goal tells them apart.
          slide.inverse = Move(first_of(push - 1 + far), slide.from, MoveKind::SectorShift).bits();
          for (int i = 1; i <= far; ++i)
            slide.into |= set_of<B>(
                squares_of_area(area_at(column + dx * (push - 1 + i), row + dy * (push - 1 + i))));
          slide.moving = before;
          slide.gap_after = (before | slide.into) & ~after;
          slide.motion.moving = before | after;
          slides.push_back(std::move(slide));
        }
}

template <class B>
const Slide<B>* GameTables<B>::slide_of(Square from, Square to, B missing) const {
  for (const Slide<B>& slide : slides)
    if (slide.from == from && slide.to == to && !any(slide.into & ~missing) &&
        !any(slide.moving & missing))
      return &slide;
  return nullptr;
}

template void GameTables<Bitboard>::build_belts();
template void GameTables<Bitboard>::build_single_belts();
template void GameTables<Bitboard>::name_turn(BeltTable<Bitboard>&) const;
template void GameTables<Bitboard>::build_slides();
template bool GameTables<Bitboard>::is_limited(const Control&);
template int GameTables<Bitboard>::add_counter(const std::string&, const Control&);
template const Slide<Bitboard>* GameTables<Bitboard>::slide_of(Square, Square, Bitboard) const;
template void GameTables<WideBitboard>::build_belts();
template void GameTables<WideBitboard>::build_single_belts();
template void GameTables<WideBitboard>::name_turn(BeltTable<WideBitboard>&) const;
template void GameTables<WideBitboard>::build_slides();
template bool GameTables<WideBitboard>::is_limited(const Control&);
template int GameTables<WideBitboard>::add_counter(const std::string&, const Control&);
template const Slide<WideBitboard>* GameTables<WideBitboard>::slide_of(Square, Square,
                                                                       WideBitboard) const;
template void GameTables<StackedBitboard>::build_belts();
template void GameTables<StackedBitboard>::build_single_belts();
template void GameTables<StackedBitboard>::name_turn(BeltTable<StackedBitboard>&) const;
template void GameTables<StackedBitboard>::build_slides();
template bool GameTables<StackedBitboard>::is_limited(const Control&);
template int GameTables<StackedBitboard>::add_counter(const std::string&, const Control&);
template const Slide<StackedBitboard>* GameTables<StackedBitboard>::slide_of(Square, Square,
                                                                             StackedBitboard) const;

}  // namespace faultline::data
