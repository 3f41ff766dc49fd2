// A slow walker along legs.
#include "rules/data/routes.h"

#include <algorithm>
#include <utility>

namespace faultline::data {

namespace {

/// Of one leg from all squares. There are some thousands where nothing forks; 14 slanted rows of 9
/// squares have 290,000.
constexpr int kMostSteps = 500'000;

/// The sum of a step's directions, as one number that is the same for the opposite step if `sign`
/// is turned with it.
int sum_of(const std::vector<Direction>& step) {
  int sum = 0;
  for (const Direction d : step) {
    const auto& by = kSteps[static_cast<std::size_t>(index(d))];
    sum += by[0] * 16 + by[1];
  }
  return sum;
}

bool is_sideways(const std::vector<Direction>& step) {
  return std::all_of(step.begin(), step.end(),
                     [](Direction d) { return d == Direction::E || d == Direction::W; });
}

int line_of(const Leg& leg) {
  int line = 0;
  int sign = 0;
  for (const Stretch& stretch : leg.stretches) {
    const int sum = sum_of(stretch.step);
    if (sign == 0) sign = sum < 0 ? -1 : 1;
    line = line * 1024 + sign * sum;
  }
  return line;
}

class Walker {
 public:
  Walker(const Board& board, const CellBoard& cells, const Leg& leg, bool crosses, int first)
      : board_(board), cells_(cells), leg_(leg), crosses_(crosses), first_(first) {}

  std::vector<Route> walk() {
    const int line = line_of(leg_);
    for (int s = 0; s < board_.squares; ++s) {
      const auto from = static_cast<Square>(s);
      if (!cells_.is_square(from) || !leg_.from[static_cast<std::size_t>(s + first_)]) continue;
      from_ = from;
      passed_.clear();
      go_on(from, 0, 0);
    }
    for (Route& route : routes_)
      route.line = line;
    return std::move(routes_);
  }

 private:
  /// `made`: how often the step of the stretch was made; `flown`: the last time onto void.
  void go_on(Square at, std::size_t stretch, int made, bool flown = false) {
    const Stretch& now = leg_.stretches[stretch];
    if (++steps_ > kMostSteps)
      throw GameLimit("so many ways of a piece along links or slanted rows that fork");
    if (now.most != kNoLimit && made >= now.most) return;
    const auto arrive = [&](Square to) {
      // A ride ends before its own square, and before it would go in a circle.
      if (to == from_ || std::find(passed_.begin(), passed_.end(), to) != passed_.end()) return;
      const bool last = stretch + 1 == leg_.stretches.size();
      if (last && !(flown && leg_.hop == Hop::Grasshopper)) land(to);
      const std::size_t passed_before = passed_.size();
      passed_.push_back(to);
      go_on(to, stretch, made + 1);
      if (!last) go_on(to, stretch + 1, 0);
      passed_.resize(passed_before);
    };
    if (now.step.size() == 1) {
      const bool flies = board_.riders_fly_over_void && now.most != 1;
      for (const Square to : cells_.next(at, now.step.front()))
        if (cells_.is_square(to))
          arrive(to);
        else if (flies && cells_.kinds[to] == CellKind::Void &&
                 made < static_cast<int>(cells_.kinds.size()))
          go_on(to, stretch, made + 1, true);
      return;
    }
    for (const Square to : ends_of_leap(at, now.step))
      arrive(to);
    if (leg_.lame || leg_.hop != Hop::None) {
      leap_over_squares(at, now.step, 0, arrive);
    } else {
      const std::vector<Direction> back(now.step.rbegin(), now.step.rend());
      if (back != now.step)
        for (const Square to : ends_of_leap(at, back))
          arrive(to);
    }
  }

  /// Where a leap that is not hindered by what stands between ends.
  std::vector<Square> ends_of_leap(Square at, const std::vector<Direction>& step) const {
    std::vector<Square> cells{at};
    if (leg_.lame || leg_.hop != Hop::None) return {};
    for (std::size_t i = 0; i < step.size(); ++i) {
      std::vector<Square> next;
      for (const Square cell : cells)
        for (const Square to : cells_.next(cell, step[i]))
          if (i + 1 == step.size() ? cells_.is_square(to) : may_leap_over(to, step))
            if (std::find(next.begin(), next.end(), to) == next.end()) next.push_back(to);
      cells = std::move(next);
    }
    return cells;
  }

  bool may_leap_over(Square cell, const std::vector<Direction>& step) const {
    switch (cells_.kinds[cell]) {
      case CellKind::Square:
        return true;
      case CellKind::Void:
        return board_.leaps_over_void;
      case CellKind::Barrier:
        return !crosses_ || is_sideways(step);
    }
    return false;
  }

  /// A leap whose squares between count: all must exist.
  template <class Arrive>
  void leap_over_squares(Square at, const std::vector<Direction>& step, std::size_t i,
                         Arrive&& arrive) {
    const Direction d = step[i];
    const bool last = i + 1 == step.size();
    for (const Square to : cells_.next(at, d)) {
      if (last) {
        if (cells_.is_square(to)) arrive(to);
        continue;
      }
      if (cells_.is_square(to)) {
        passed_.push_back(to);
        leap_over_squares(to, step, i + 1, arrive);
        passed_.pop_back();
      } else if (cells_.kinds[to] == CellKind::Barrier && crosses_ && is_sideways(step)) {
        leap_over_squares(to, step, i + 1, arrive);
      }
    }
  }

  void land(Square to) {
    const bool is_hole = !board_.levels.below.empty() && !board_.levels.below[to].empty();
    if (!is_hole && !leg_.onto[static_cast<std::size_t>(to + first_)]) return;
    Route route{.from = from_, .to = to, .empty = passed_, .hurdle = {}};
    if (leg_.hop != Hop::None) {
      if (passed_.empty()) return;
      if (leg_.hop == Hop::Cannon)
        std::swap(route.empty, route.hurdle);
      else {
        route.hurdle = {route.empty.back()};
        route.empty.pop_back();
      }
    }
    routes_.push_back(std::move(route));
  }

  const Board& board_;
  const CellBoard& cells_;
  const Leg& leg_;
  bool crosses_;
  int first_;
  Square from_ = kNoSquare;
  int steps_ = 0;
  std::vector<Square> passed_;
  std::vector<Route> routes_;
};

}  // namespace

std::vector<Route> routes_of(const Board& board, const CellBoard& cells, const Leg& leg,
                             bool crosses_barriers_sideways, int first_square) {
  return Walker(board, cells, leg, crosses_barriers_sideways, first_square).walk();
}

}  // namespace faultline::data
