// The walker's moves: candidates by walking links, each played on a copy.
#include "tests/rules/data/walker.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <numbers>
#include <stdexcept>

namespace faultline::walker {
namespace {

int back(int direction) {
  return (direction + 4) % 8;
}
bool is_sideways(const Way& way) {
  return way.diagonal < 0 && way.orthogonal % 4 == 2;
}

double angle(const Way& way) {
  double x = 0;
  double y = 0;
  if (way.orthogonal >= 0) {
    x += at(kDirections, way.orthogonal).dx * way.orthogonal_links;
    y += at(kDirections, way.orthogonal).dy * way.orthogonal_links;
  }
  if (way.diagonal >= 0) {
    x += at(kDirections, way.diagonal).dx * way.diagonal_links;
    y += at(kDirections, way.diagonal).dy * way.diagonal_links;
  }
  return std::atan2(y, x);
}
double between(const Way& a, const Way& b) {
  const double d = std::abs(angle(a) - angle(b));
  return std::min(d, 2 * std::numbers::pi - d);
}

/// Whether the squares that it passes over can be entered en passant: a single leap with m and n of
/// what is not royal.
bool leaves_passed(const Leg& leg, const Kind& kind) {
  return kind.royal == Royal::No && leg.lame && leg.moves && !leg.captures &&
         leg.segments.size() == 1 && leg.segments.front().range == 1;
}

/// The ways of a segment after a way: outwards those that turn least, by 0° or 45°; to a side those
/// that turn by 90° or 135°.
std::vector<Way> continuations(const Segment& segment, const Way& after) {
  const double right_angle = std::numbers::pi / 2;
  const bool same_kind = (segment.ways.front().diagonal < 0) == (after.diagonal < 0);
  const double turn = (segment.to_a_side ? right_angle : 0) + (same_kind ? 0 : right_angle / 2);
  std::vector<Way> chosen;
  for (const Way& way : segment.ways)
    if (std::abs(between(way, after) - turn) < 0.1) chosen.push_back(way);
  return chosen;
}

}  // namespace

// --- Walking ------------------------------------------------------------------------------------

void State::update_geometry() {
  geometry_ = &game_->geometry(displaced_, gaps_);
}

bool State::is_hole(int s) const {
  return level_of(s) + 1 < levels_ && !game_->levels.hole.empty() && at(game_->levels.hole, s) != 0;
}

int State::content(int level, int cell) const {
  const int s = at(geometry_->cells, cell).square;
  if (s < 0) return -1;
  return piece(level * level_size() + s) ? 1 : 0;
}

std::vector<State::Jump> State::jumps(int cell, const Way& way, bool one_way) const {
  std::vector<Jump> found;
  const auto follow = [&](const std::vector<std::array<std::vector<int>, 8>>& links,
                          const std::vector<int>& directions) {
    std::vector<Jump> ends{{cell, {}}};
    for (std::size_t i = 0; i < directions.size(); ++i) {
      std::vector<Jump> longer;
      for (const Jump& j : ends)
        for (const int to : at(at(links, j.to), directions[i])) {
          longer.push_back({to, j.between});
          if (i > 0) longer.back().between.push_back(j.to);
        }
      ends = longer;
    }
    found.insert(found.end(), ends.begin(), ends.end());
  };
  std::vector<int> forth(static_cast<std::size_t>(way.orthogonal_links), way.orthogonal);
  forth.insert(forth.end(), static_cast<std::size_t>(way.diagonal_links), way.diagonal);
  follow(geometry_->links, forth);
  if (one_way || forth.size() == 1) return found;
  // Whoever comes here by the opposite way can be reached.
  std::vector<int> back_again(forth.rbegin(), forth.rend());
  for (int& direction : back_again)
    direction = back(direction);
  follow(geometry_->links_back, back_again);
  return found;
}

bool State::may_jump(int level, const Jump& jump, const Way& way, const Leg& leg,
                     const Kind& kind) const {
  const bool hops = leg.hops && leg.segments.size() == 1 && leg.segments.front().range == 1;
  int pieces = 0;
  for (const int cell : jump.between) {
    const Cell& c = at(geometry_->cells, cell);
    if (c.barrier && kind.crosses_sideways) {
      if (!is_sideways(way)) return false;
      continue;
    }
    const int there = content(level, cell);
    if (leg.lame && there != 0) return false;
    if (hops && there < 0) return false;
    if (there < 0 && !c.barrier && !game_->leaps_cross_void) return false;
    pieces += there == 1 ? 1 : 0;
  }
  return !hops || pieces == 1;
}

template <class Visit>
void State::ride(int origin, int level, int cell, const Leg& leg, const Kind& kind,
                 std::size_t segment, const Way& way, int steps, int hurdles,
                 std::vector<int>& trail, Visit& visit) const {
  const Segment& s = leg.segments[segment];
  const bool rides = s.range != 1;
  const bool slides = way.orthogonal_links + way.diagonal_links == 1;
  if (steps > size_of(geometry_->cells)) return;
  for (const Jump& jump : jumps(cell, way, leg.lame)) {
    if (jump.to == origin || !may_jump(level, jump, way, leg, kind)) continue;
    const std::size_t trail_before = trail.size();
    trail.insert(trail.end(), jump.between.begin(), jump.between.end());
    const int there = content(level, jump.to);
    const bool flies =
        there < 0 && !at(geometry_->cells, jump.to).barrier && rides && slides && game_->riders_fly;
    const bool last = segment + 1 == leg.segments.size();
    if (there >= 0) {
      const bool hurdle_done = !(leg.hops && rides) && !leg.grasshops;
      if ((hurdle_done || hurdles == 1) && (last || s.may_stop))
        visit(level * level_size() + at(geometry_->cells, jump.to).square, trail);
    }
    int hurdles_now = hurdles;
    bool goes_on = there == 0 || flies;
    if (leg.grasshops && hurdles == 1) goes_on = false;
    if (there == 1 && (leg.grasshops || (leg.hops && rides)) && hurdles == 0) {
      hurdles_now = 1;
      goes_on = true;
    }
    trail.push_back(jump.to);
    if (goes_on && (s.range == 0 || steps + 1 < s.range))
      ride(origin, level, jump.to, leg, kind, segment, way, steps + 1, hurdles_now, trail, visit);
    if (there == 0 && !last)
      for (const Way& next : continuations(leg.segments[segment + 1], way))
        ride(origin, level, jump.to, leg, kind, segment + 1, next, 0, hurdles_now, trail, visit);
    trail.resize(trail_before);
  }
}

/// visit(square, cells passed) for every square that the leg reaches on this board, whatever is
/// there.
template <class Visit>
void State::walk(int from, const Leg& leg, const Kind& kind, Visit&& visit) const {
  if (!inside(leg.from, from) || (leg.initial && !inside(kind.initial, from))) return;
  const int cell = at(geometry_->cell_of, base_of(from));
  if (cell < 0) return;
  std::vector<int> trail;
  const auto on_target = [&](int s, const std::vector<int>& passed) { visit(s, passed); };
  for (const Way& way : leg.segments.front().ways)
    ride(cell, level_of(from), cell, leg, kind, 0, way, 0, 0, trail, on_target);
}

// --- Attacks ------------------------------------------------------------------------------------

bool State::can_capture(int, const Leg& leg, Piece victim, int to) const {
  return leg.captures && (leg.takes.empty() || at(leg.takes, victim.type)) && inside(leg.onto, to);
}

bool State::attacked(int target, bool by_white, Piece victim) const {
  const int first = level_of(target) * level_size();
  for (int s = first; s < first + level_size(); ++s) {
    if (!piece(s) || piece(s).white != by_white) continue;
    for (const Leg& leg : kind(piece(s)).legs) {
      if (!can_capture(s, leg, victim, target)) continue;
      bool reached = false;
      walk(s, leg, kind(piece(s)),
           [&](int to, const std::vector<int>&) { reached |= to == target; });
      if (reached) return true;
    }
  }
  return false;
}

int State::royals(bool white) const {
  int n = 0;
  for (int s = 0; s < squares(); ++s)
    n += piece(s) && piece(s).white == white && kind(piece(s)).royal != Royal::No ? 1 : 0;
  return n;
}

int State::count(int type, bool white) const {
  int n = 0;
  for (int s = 0; s < squares(); ++s)
    n += piece(s).type == type && piece(s).white == white ? 1 : 0;
  return n;
}

bool State::is_royal_attacked(int s) const {
  const Piece p = piece(s);
  if (!p || kind(p).royal == Royal::No) return false;
  if (game_->explodes)  // taking a royal beside one's own would explode both
    for (const int beside : neighbours(s))
      if (piece(beside) && piece(beside).white != p.white && kind(piece(beside)).royal != Royal::No)
        return false;
  return attacked(s, !p.white, p);
}

bool State::level_in_check(int level, bool white) const {
  int safe = 0;
  int in_danger = 0;
  for (int s = level * level_size(); s < (level + 1) * level_size(); ++s) {
    if (!piece(s) || piece(s).white != white || kind(piece(s)).royal == Royal::No) continue;
    const bool is_attacked = is_royal_attacked(s);
    if (is_attacked && kind(piece(s)).royal == Royal::Yes) return true;
    if (kind(piece(s)).royal == Royal::OneSafe) ++(is_attacked ? in_danger : safe);
  }
  return in_danger > 0 && safe == 0;
}

bool State::in_check(bool white) const {
  for (int level = 0; level < levels_; ++level)
    if (level_in_check(level, white)) return true;
  return false;
}

std::vector<int> State::neighbours(int s) const {
  std::set<int> found;
  const int cell = at(geometry_->cell_of, base_of(s));
  if (cell < 0) return {};
  for (const auto& links : at(geometry_->links, cell))
    for (const int to : links)
      if (at(geometry_->cells, to).square >= 0)
        found.insert(level_of(s) * level_size() + at(geometry_->cells, to).square);
  return {found.begin(), found.end()};
}

// --- Moves --------------------------------------------------------------------------------------

void State::targets_below(int s, std::vector<int>& found) const {
  const Levels& levels = game_->levels;
  const int next = level_of(s) + 1;
  int x_low = 999;
  int y_low = 999;
  for (int h = 0; h < level_size(); ++h)
    if (at(levels.hole, h)) {
      x_low = std::min(x_low, at(game_->squares, h).x);
      y_low = std::min(y_low, at(game_->squares, h).y);
    }
  const Game::Square& hole = at(game_->squares, base_of(s));
  for (int b = 0; b < level_size(); ++b) {
    const Game::Square& q = at(game_->squares, b);
    const bool lies_under = levels.below[0] == 0 || (q.x / levels.below[0] == hole.x - x_low &&
                                                     q.y / levels.below[1] == hole.y - y_low);
    if (!lies_under) continue;
    const int there = next * level_size() + b;
    if (is_hole(there))
      targets_below(there, found);
    else
      found.push_back(there);
  }
}

/// Where a move of that piece to `s` may end.
std::vector<int> State::landings(int s, Piece p) const {
  if (!is_hole(s)) return {s};
  if (!at(game_->levels.descends, p.type)) return {};
  std::vector<int> all;
  targets_below(s, all);
  if (at(game_->levels.same_colour, p.type))
    std::erase_if(all, [&](int t) {
      const Game::Square& a = at(game_->squares, base_of(s));
      const Game::Square& b = at(game_->squares, base_of(t));
      return (a.x + a.y + b.x + b.y) % 2 != 0;
    });
  std::erase_if(all, [&](int t) { return !exists(t); });
  return all;
}

/// The position at the beginning of a turn's consequences.
State State::begun() const {
  State next = *this;
  next.passed_.clear();
  next.passer_ = -1;
  next.last_ = {-1, 0, 0};
  next.last_text_ = "-";
  next.plies_ = std::min(plies_ + 1, 9999);
  for (int d = 0; d < devices(); ++d)
    if (control_of(d).pause > 0) {
      int& wait = at(at(next.counters_, d), white_ ? 0 : 1);
      wait = std::max(0, wait - 1);
    }
  return next;
}

void State::add_moves_of(int from, Found& captures, Found& others) const {
  const Piece p = piece(from);
  const Kind& k = kind(p);
  std::map<int, std::vector<int>> quiet;  // to, squares passed
  std::set<int> taking;
  std::set<int> en_passant;
  const bool has_one_safe_left = royals(!white_) > 1;
  for (const Leg& leg : k.legs)
    walk(from, leg, k, [&](int reached, const std::vector<int>& passed) {
      for (const int to : landings(reached, p)) {
        if (!inside(leg.onto, to)) continue;
        const Piece there = piece(to);
        if (there) {
          if (there.white == p.white || !can_capture(from, leg, there, to)) continue;
          const Royal royal = kind(there).royal;
          if (royal == Royal::Yes && !game_->explodes) continue;
          if (royal == Royal::OneSafe && !has_one_safe_left) continue;
          taking.insert(to);
          continue;
        }
        if (leg.en_passant && to == reached && std::ranges::count(passed_, to) > 0 &&
            (leg.takes.empty() || at(leg.takes, piece(passer_).type)))
          en_passant.insert(to);
        if (!leg.moves) continue;
        std::vector<int>& squares_passed = quiet[to];
        const bool can_be_taken = leaves_passed(leg, k) && to == reached;
        if (can_be_taken)
          for (const int cell : passed) {
            const int s = at(geometry_->cells, cell).square;
            if (s >= 0) squares_passed.push_back(level_of(from) * level_size() + s);
          }
      }
    });
  for (const int to : taking)
    move_piece(from, to, to, {}, captures);
  for (const int to : en_passant)
    move_piece(from, to, passer_, {}, captures);
  for (const auto& [to, passed] : quiet)
    if (!en_passant.contains(to)) move_piece(from, to, -1, passed, others);
}

void State::move_piece(int from, int to, int victim, const std::vector<int>& passed,
                       Found& found) const {
  const Piece p = piece(from);
  State next = begun();
  Turn turn;
  turn.left = {from};
  turn.entered = {to};
  turn.restarts_plies = kind(p).is_pawn || victim >= 0;
  turn.passed = passed;
  turn.passer = to;
  if (victim >= 0) {
    const Piece taken = piece(victim);
    turn.gone = {victim};
    const int in_hand = at(game_->types, taken.type).in_hand;
    if (game_->captures_go_to_hand && in_hand >= 0) ++at(at(next.hands_, white_ ? 0 : 1), in_hand);
    at(next.board_, victim) = {};
  }
  at(next.board_, from) = {};
  at(next.board_, to) = p;
  const std::string text = join(from, to);
  bool must = false;
  std::set<int> choices;
  for (const Promotion& promotion : kind(p).promotions) {
    const bool applies = at(promotion.on, to) || (promotion.leaving && at(promotion.on, from));
    if (!applies) continue;
    must |= at(promotion.must, to) || (promotion.leaving && at(promotion.must, from));
    for (const int t : promotion.to) {
      const int side = white_ ? 0 : 1;
      if (promotion.from_stock && count(t, white_) >= at(at(game_->start_counts, side), t))
        continue;
      choices.insert(t);
    }
  }
  for (const int t : choices) {
    State promoted = next;
    at(promoted.board_, to).type = t;
    Turn promoting = turn;
    promoting.passed.clear();  // what leapt is no more
    finish(text + promotion_text(p.type, t), promoted, promoting, found);
  }
  if (!must) finish(text, next, turn, found);
}

void State::explode(State& next, int centre, Turn& turn) const {
  std::vector<int> blown = neighbours(centre);
  std::erase_if(blown, [&](int s) {
    return !next.piece(s) || at(game_->explosion_spares, next.piece(s).type);
  });
  blown.push_back(centre);
  for (const int s : blown) {
    at(next.board_, s) = {};
    turn.gone.push_back(s);
  }
}

/// One step from a square to the east (1) or west (-1) that is no wrap; -1: none.
int State::beside(int s, int side) const {
  const int cell = at(geometry_->cell_of, base_of(s));
  if (cell < 0) return -1;
  for (const int to : at(at(geometry_->links, cell), side > 0 ? 2 : 6)) {
    const Cell& c = at(geometry_->cells, to);
    if (c.square >= 0 && c.x == at(geometry_->cells, cell).x + side)
      return level_of(s) * level_size() + c.square;
  }
  return -1;
}

/// The squares from `from`, left out, to `to`, along east or west links.
bool State::row_between(int from, int to, std::vector<int>& path) const {
  const int side = x_of(to) > x_of(from) ? 1 : -1;
  for (int s = from; s != to;) {
    s = beside(s, side);
    if (s < 0) return false;
    path.push_back(s);
  }
  return true;
}

/// The king's move, or the square of the rook where the king could also step there.
std::string State::castling_text(const Game::Right& right, int king_to) const {
  State alone = *this;
  std::ranges::fill(alone.board_, Piece());
  at(alone.board_, right.king) = piece(right.king);
  bool can_step = king_to == right.king;
  for (const Leg& leg : kind(piece(right.king)).legs)
    if (leg.moves)
      alone.walk(right.king, leg, kind(piece(right.king)),
                 [&](int to, const std::vector<int>&) { can_step |= to == king_to; });
  return join(right.king, can_step ? right.rook : king_to);
}

void State::add_castling(const Game::Right& right, Found& found) const {
  const Piece king = piece(right.king);
  const Piece rook = piece(right.rook);
  if (!king || !rook || king.white != white_) return;
  const Castling& castling = at(kind(king).castlings, right.castling);
  std::vector<int> goals;
  if (castling.links > 0) {
    int s = right.king;
    for (int i = 0; i < castling.links && s >= 0; ++i)
      s = beside(s, right.side);
    if (s >= 0) goals.push_back(s);
  } else {
    for (int b = 0; b < level_size(); ++b)
      if (at(castling.king_to, level_of(right.king) * level_size() + b))
        goals.push_back(level_of(right.king) * level_size() + b);
  }
  for (const int king_to : goals) {
    if (!exists(king_to)) continue;
    const int rook_to = beside(king_to, -right.side);
    if (rook_to < 0) continue;
    std::vector<int> king_path;
    std::vector<int> rook_path;
    if (!row_between(right.king, king_to, king_path) ||
        !row_between(right.rook, rook_to, rook_path))
      continue;
    bool possible = true;
    for (const auto* path : {&king_path, &rook_path})
      for (const int s : *path)
        possible &= !is_hole(s) && (!piece(s) || s == right.king || s == right.rook);
    if (kind(king).royal != Royal::No) {
      king_path.push_back(right.king);
      for (const int s : king_path) {
        State standing = *this;
        at(standing.board_, right.king) = {};
        at(standing.board_, s) = king;
        possible &= !standing.is_royal_attacked(s);
      }
    }
    if (!possible) continue;
    State next = begun();
    at(next.board_, right.king) = at(next.board_, right.rook) = {};
    at(next.board_, king_to) = king;
    at(next.board_, rook_to) = rook;
    Turn turn;
    turn.left = {right.king, right.rook};
    turn.entered = {king_to, rook_to};
    finish(castling_text(right, king_to), next, turn, found);
  }
}

void State::add_drops(Found& found) const {
  const int side = white_ ? 0 : 1;
  for (int t = 0; t < size_of(game_->types); ++t) {
    if (at(at(hands_, side), t) == 0) continue;
    const Piece p{t, white_};
    for (int s = 0; s < squares(); ++s) {
      if (!exists(s) || piece(s) || is_hole(s) || !inside(kind(p).drop_onto, s)) continue;
      const bool must_promote =
          std::ranges::any_of(kind(p).promotions, [s](const Promotion& promotion) {
            return (!promotion.to.empty() || promotion.carried >= 0) && at(promotion.must, s) != 0;
          });
      if (kind(p).drop_onto.empty() && must_promote) continue;
      if (kind(p).drop_a_file > 0) {
        int there = 0;
        for (int other = 0; other < squares(); ++other)
          there += piece(other) == p && level_of(other) == level_of(s) && x_of(other) == x_of(s);
        if (there >= kind(p).drop_a_file) continue;
      }
      State next = begun();
      at(next.board_, s) = p;
      --at(at(next.hands_, side), t);
      Turn turn;
      turn.entered = {s};
      turn.restarts_plies = true;
      const std::string text = at(game_->types, t).letter + "@" + square_name(s);
      Found one;
      finish(text, next, turn, one);
      if (one.empty()) continue;
      const State& after = one.begin()->second;
      if (!kind(p).drop_mates && after.in_check() && after.moves().empty()) continue;
      found.insert(one.begin(), one.end());
    }
  }
}

// --- Board movements ----------------------------------------------------------------------------

const Control& State::control_of(int device) const {
  const int belts = size_of(game_->belts);
  const int parts = size_of(game_->parts);
  if (device < belts) return at(game_->belts, device).control;
  if (device < belts + parts) return at(game_->parts, device - belts).control;
  return game_->sectors.control;
}

bool State::may_use(int device) const {
  const Control& c = control_of(device);
  const int count = at(at(counters_, device), white_ ? 0 : 1);
  return c.pause > 0 ? count == 0 : c.uses < 0 || count > 0;
}

void State::note_use(int device) {
  const Control& c = control_of(device);
  int& count = at(at(counters_, device), white_ ? 0 : 1);
  if (c.pause > 0)
    count = c.pause - 1;
  else if (c.uses >= 0)
    --count;
}

bool State::who_may(const std::vector<int>& on, const std::string& who) const {
  int own = 0;
  int others = 0;
  for (const int s : on)
    if (piece(s)) ++(piece(s).white == white_ ? own : others);
  return who == "majority" ? own > others : who == "own" ? own > 0 : true;
}

/// Moves what stands on the squares; false: two pieces on one square, one piece moved twice, or one
/// that would stand on no square.
bool State::carry_along(State& next, Turn& turn, const std::vector<std::pair<int, int>>& moved) {
  std::vector<std::pair<int, Piece>> arriving;
  std::set<int> from_squares;
  for (const auto& [from, to] : moved) {
    const Piece p = next.piece(from);
    if (!p) continue;
    if (!from_squares.insert(from).second || !next.exists(to)) return false;
    arriving.emplace_back(to, p);
    turn.carried.emplace_back(from, to);
  }
  for (const int s : from_squares)
    at(next.board_, s) = {};
  for (const auto& [to, p] : arriving) {
    if (next.piece(to)) return false;
    at(next.board_, to) = p;
  }
  for (const auto& [from, to] : turn.carried) {
    Piece& p = at(next.board_, to);
    for (const Promotion& promotion : next.kind(p).promotions)
      if (promotion.carried >= 0 && at(promotion.on, to)) {
        p.type = promotion.carried;
        break;
      }
  }
  return true;
}

std::vector<std::pair<int, int>> State::belt_steps(int belt, int level, int steps) const {
  std::vector<std::pair<int, int>> moved;
  const int first = level * level_size();
  for (const std::vector<int>& cycle : at(game_->belts, belt).cycles) {
    const int length = size_of(cycle);
    for (int i = 0; i < length; ++i)
      moved.emplace_back(first + at(cycle, i),
                         first + at(cycle, ((i + steps) % length + length) % length));
  }
  return moved;
}

/// Everything that the turn moves or sets off; false: illegal.
bool State::carry(State& next, Turn& turn) const {
  std::vector<std::pair<int, int>> moved = turn.moved;
  const int turn_number = 2 * (move_number_ - 1) + (white_ == game_->black_begins ? 1 : 0) + 1;
  for (int b = 0; b < size_of(game_->belts); ++b) {
    const Belt& belt = at(game_->belts, b);
    const Control& control = belt.control;
    if (control.instead || !may_use(b)) continue;
    bool used = false;
    for (int level = 0; level < levels_; ++level) {
      if (belt.level >= 0 && belt.level != level) continue;
      const auto steps = belt_steps(b, level, belt.steps);
      const auto on_belt = [&](const std::vector<int>& touched) {
        return std::ranges::any_of(touched, [&](int s) {
          return std::ranges::any_of(steps, [&](const auto& step) { return step.first == s; });
        });
      };
      const bool triggered = (control.left && on_belt(turn.left)) ||
                             (control.entered && on_belt(turn.entered)) || control.after ||
                             (control.every > 0 && turn_number % control.every == 0);
      if (!triggered) continue;
      std::vector<int> on;
      for (const auto& [from, to] : steps)
        on.push_back(from);
      if (!next.who_may(on, control.who)) continue;
      moved.insert(moved.end(), steps.begin(), steps.end());
      used = true;
    }
    if (used) next.note_use(b);
  }
  return moved.empty() || carry_along(next, turn, moved);
}

void State::add_board_turns(Found& found) const {
  const int belts = size_of(game_->belts);
  for (int b = 0; b < belts; ++b) {
    const Belt& belt = at(game_->belts, b);
    if (!belt.control.instead || !may_use(b)) continue;
    for (int level = 0; level < levels_; ++level)
      for (const int sign : {1, -1}) {
        if ((sign < 0 && !belt.both_ways) || (belt.level >= 0 && belt.level != level)) continue;
        if (!belt.control.undo && last_ == std::array{b, -sign, level}) continue;
        const auto steps = belt_steps(b, level, sign * belt.steps);
        std::vector<int> on;
        for (const auto& [from, to] : steps)
          on.push_back(from);
        if (!who_may(on, belt.control.who)) continue;
        State next = begun();
        Turn turn;
        turn.moved = steps;
        next.note_use(b);
        next.last_ = {b, sign, level};
        next.last_text_ = belt_text(b, level, sign);
        finish(belt_text(b, level, sign), next, turn, found);
      }
  }
  for (int p = 0; p < size_of(game_->parts); ++p)
    add_shifts(p, found);
  if (game_->sectors.width > 0 && game_->sectors.control.instead && may_use(devices() - 1))
    add_slides(found);
}

void State::add_shifts(int p, Found& found) const {
  const Part& part = at(game_->parts, p);
  const int device = size_of(game_->belts) + p;
  if (!part.shifts || !part.control.instead || !may_use(device)) return;
  std::vector<int> on;
  for (int s = 0; s < squares(); ++s)
    if (at(part.squares, s)) on.push_back(s);
  if (!who_may(on, part.control.who)) return;
  const auto shift = [&](int files, int ranks) {
    if (files == 0 && ranks == 0) return;
    if (!part.control.undo && last_ == std::array{device, -files, -ranks}) return;
    State next = begun();
    auto& place = at(next.displaced_, p);
    place[0] += files;
    place[1] += ranks;
    if (files != 0 && (place[0] < part.within[0] || place[0] > part.within[1])) return;
    if (ranks != 0 && (place[1] < part.within_ranks[0] || place[1] > part.within_ranks[1])) return;
    next.update_geometry();
    for (int s = 0; s < squares(); ++s)
      if (next.piece(s) && !next.exists(s)) return;
    next.note_use(device);
    next.last_ = {device, files, ranks};
    next.last_text_ = shift_text(p, files, ranks);
    finish(shift_text(p, files, ranks), next, Turn(), found);
  };
  for (int files = part.files[0]; files <= part.files[1]; ++files)
    shift(files, 0);
  for (int ranks = part.ranks[0]; ranks <= part.ranks[1]; ++ranks)
    shift(0, ranks);
}

void State::add_slides(Found& found) const {
  const Sectors& sectors = game_->sectors;
  const int device = devices() - 1;
  const int columns = game_->columns / sectors.width;
  const int rows = size_of(game_->rows) / sectors.height;
  const auto squares_of = [&](int area) {
    std::vector<int> in_order;
    for (int s = 0; s < squares(); ++s)
      if (x_of(s) / sectors.width == area % columns && y_of(s) / sectors.height == area / columns)
        in_order.push_back(s);
    return in_order;
  };
  for (int area = 0; area < columns * rows; ++area) {
    if (gaps_.contains(area)) continue;
    for (const auto& [dc, dr] : {std::pair{0, 1}, {1, 0}, {0, -1}, {-1, 0}}) {
      const auto there = [&, c = dc, r = dr](int distance) {
        const int column = area % columns + c * distance;
        const int row = area / columns + r * distance;
        return column < 0 || column >= columns || row < 0 || row >= rows ? -1
                                                                         : row * columns + column;
      };
      int pushed = 1;  // this one and those before it
      while (pushed < sectors.push && there(pushed) >= 0 && !gaps_.contains(there(pushed)))
        ++pushed;
      std::vector<int> on;
      for (int i = 0; i < pushed; ++i)
        for (const int s : squares_of(there(i)))
          on.push_back(s);
      if (!who_may(on, sectors.control.who)) continue;
      for (int far = 1; far <= (pushed > 1 ? 1 : sectors.far); ++far) {
        const int into = there(pushed + far - 1);
        if (into < 0 || !gaps_.contains(into)) break;
        if (!sectors.control.undo && last_ == std::array{device, into, area}) continue;
        State next = begun();
        Turn turn;
        for (int i = 0; i < pushed; ++i) {
          const auto from = squares_of(there(i));
          const auto to = squares_of(there(i + far));
          for (std::size_t n = 0; n < from.size(); ++n)
            turn.moved.emplace_back(from[n], to[n]);
        }
        for (int i = 0; i < far; ++i) {
          next.gaps_.erase(there(pushed + i));
          next.gaps_.insert(there(i));
        }
        next.update_geometry();
        next.note_use(device);
        next.last_ = {device, area, into};
        next.last_text_ = slide_text(area, into);
        finish(slide_text(area, there(far)), next, turn, found);
      }
    }
  }
}

// --- The end of a turn --------------------------------------------------------------------------

void State::drop_rights(const Turn& turn) {
  std::set<int> touched(turn.left.begin(), turn.left.end());
  touched.insert(turn.gone.begin(), turn.gone.end());
  for (const auto& [from, to] : turn.carried) {
    touched.insert(from);
    touched.insert(to);
  }
  std::erase_if(rights_, [&](const Game::Right& r) {
    return touched.contains(r.king) || touched.contains(r.rook);
  });
}

/// Keeps what the side to move could take, whether or not that is legal.
void State::keep_live_en_passant() {
  std::erase_if(passed_, [&](int square) {
    if (piece(square) || !exists(square) || is_hole(square)) return true;
    const Piece victim = piece(passer_);
    if (!victim || victim.white == white_) return true;
    for (int s = 0; s < squares(); ++s) {
      if (!piece(s) || piece(s).white != white_ || level_of(s) != level_of(square)) continue;
      for (const Leg& leg : kind(piece(s)).legs) {
        if (!leg.en_passant || !inside(leg.onto, square)) continue;
        if (!leg.takes.empty() && !at(leg.takes, victim.type)) continue;
        bool reached = false;
        walk(s, leg, kind(piece(s)),
             [&](int to, const std::vector<int>&) { reached |= to == square; });
        if (reached) return false;
      }
    }
    return true;
  });
  std::sort(passed_.begin(), passed_.end());
  passed_.erase(std::unique(passed_.begin(), passed_.end()), passed_.end());
  if (passed_.empty()) passer_ = -1;
}

/// Whether a movement of the board, or a lost level, can have put a piece there after a move.
bool State::can_be_carried_to(int s) const {
  if (game_->sectors.width > 0 || game_->levels.lost) return true;
  return std::ranges::any_of(game_->belts, [&](const Belt& belt) {
    return std::ranges::any_of(belt.cycles, [&](const std::vector<int>& cycle) {
      return std::ranges::count(cycle, base_of(s)) > 0;
    });
  });
}

/// Pieces that can have passed over all of the squares in one move.
std::vector<int> State::possible_passers() const {
  std::vector<int> found;
  for (int v = 0; v < squares(); ++v) {
    if (!piece(v) || piece(v).white == white_) continue;
    bool can = false;
    for (int from = 0; from < squares(); ++from) {
      if (level_of(from) != level_of(v) || from == v) continue;
      if (piece(from) && !can_be_carried_to(from)) continue;
      std::set<int> over;
      for (const Leg& leg : kind(piece(v)).legs) {
        if (!leaves_passed(leg, kind(piece(v)))) continue;
        walk(from, leg, kind(piece(v)), [&](int to, const std::vector<int>& cells) {
          if (to != v) return;
          for (const int cell : cells)
            over.insert(level_of(v) * level_size() + at(geometry_->cells, cell).square);
        });
      }
      can |= std::ranges::all_of(passed_, [&](int s) { return over.contains(s); });
    }
    if (can) found.push_back(v);
  }
  return found;
}

void State::finish(const std::string& text, State next, Turn turn, Found& found) const {
  bool wins_by_explosion = false;
  if (game_->explodes && !turn.gone.empty()) {
    explode(next, turn.entered.front(), turn);
    if (next.royals(white_) < royals(white_)) return;
    wins_by_explosion = next.royals(!white_) < royals(!white_);
  }
  if (!carry(next, turn)) return;
  next.drop_rights(turn);
  const bool stands = std::ranges::none_of(turn.carried, [&](const auto& c) {
    return c.first == turn.passer || c.second == turn.passer;
  });
  if (stands && !turn.passed.empty()) {
    next.passed_ = turn.passed;
    next.passer_ = turn.passer;
  }
  if (next.in_check(white_) && !wins_by_explosion) return;
  const bool checks_forbidden = game_->checks_forbidden && !checks_allowed_;
  if (checks_forbidden && next.in_check(!white_) && !game_->but_mates_allowed) return;
  next.royal_exploded_ = wins_by_explosion;
  if (turn.restarts_plies) next.plies_ = 0;
  next.white_ = !white_;
  if (white_ == game_->black_begins) next.move_number_ = std::min(move_number_ + 1, 99999);
  next.keep_live_en_passant();
  if (checks_forbidden && next.in_check()) {
    State answering = next;  // a mate leaves no way out, not even by a check
    answering.checks_allowed_ = true;
    if (!answering.all_moves().empty()) return;
  }
  next.settle();
  if (at(game_->ends, white_ ? 0 : 1).checks > 0 && next.in_check())
    ++at(next.checks_given_, white_ ? 0 : 1);
  found.insert_or_assign(text, next);
}

void State::settle() {
  if (!game_->levels.lost) return;
  while (levels_ > 1 && in_check() && all_moves().empty()) {
    int lost = levels_ - 1;
    while (!level_in_check(lost, white_))
      --lost;
    lose_level(lost);
  }
}

/// The side to move has lost a level.
void State::lose_level(int lost) {
  const int n = level_size();
  Turn turn;
  for (int b = 0; lost > 0 && b < n; ++b) {
    const Piece rising = piece(lost * n + b);
    const int above = (lost - 1) * n + b;
    if (!rising || rising.white == white_) continue;
    const Piece there = piece(above);
    if (there && (there.white == rising.white || kind(there).royal != Royal::No)) continue;
    if (there) turn.gone.push_back(above);
    at(board_, above) = rising;
  }
  drop_rights(turn);
  board_.erase(board_.begin() + lost * n, board_.begin() + (lost + 1) * n);
  std::set<Game::Right> kept;
  for (Game::Right r : rights_) {
    if (level_of(r.king) == lost) continue;
    if (level_of(r.king) > lost) r.king -= n, r.rook -= n;
    kept.insert(r);
  }
  rights_ = kept;
  if (passer_ >= 0 && level_of(passer_) == lost) {
    passed_.clear();
    passer_ = -1;
  } else if (passer_ >= 0 && level_of(passer_) > lost) {
    passer_ -= n;
    for (int& s : passed_)
      s -= n;
  }
  --levels_;
  plies_ = 0;
  keep_live_en_passant();
}

State::Found State::all_moves() const {
  Found captures;
  Found others;
  for (int s = 0; s < squares(); ++s)
    if (piece(s) && piece(s).white == white_) add_moves_of(s, captures, others);
  if (game_->capture_forced && !captures.empty()) return captures;
  for (const Game::Right& right : rights_)
    if (right.white == white_) add_castling(right, others);
  if (game_->has_hands) add_drops(others);
  add_board_turns(others);
  captures.merge(others);
  return captures;
}

State::Found State::moves() const {
  if (decided() != Outcome::None) return {};
  return all_moves();
}

// --- Ends ---------------------------------------------------------------------------------------

namespace {

Outcome won_by(bool white) {
  return white ? Outcome::White : Outcome::Black;
}
/// A result of that side.
Outcome won_or_drawn(bool white, Result r) {
  return r == Result::Draw ? Outcome::Draw : won_by((r == Result::Win) == white);
}

}  // namespace

Outcome State::reached() const {
  std::array<bool, 2> waits{};
  std::array<Result, 2> results{};
  for (const int side : {0, 1})
    for (const Reach& reach : at(game_->ends, side).reach)
      for (int s = 0; s < squares(); ++s)
        if (piece(s) && piece(s).white == (side == 0) && at(reach.types, piece(s).type) &&
            inside(reach.zone, s) && at(results, side) == Result::None) {
          at(results, side) = reach.result;
          at(waits, side) = reach.reply && white_ != (side == 0);
        }
  if (results[0] != Result::None && results[1] != Result::None) return Outcome::Draw;
  for (const int side : {0, 1}) {
    const Result r = at(results, side);
    if (r == Result::None || at(waits, side)) continue;
    return won_or_drawn(side == 0, r);
  }
  return Outcome::None;
}

Outcome State::decided() const {
  if (royal_exploded_) return won_by(!white_);
  const std::array<bool, 2> sides{!white_, white_};  // whoever moved first
  for (const bool white : sides)
    for (const Extinct& extinct : at(game_->ends, white ? 0 : 1).extinct) {
      bool any_gone = false;
      bool all_gone = !extinct.all.empty();
      for (int t = 0; t < size_of(game_->types); ++t) {
        const bool had = at(at(game_->start_counts, white ? 0 : 1), t) > 0;
        if (!extinct.any.empty() && at(extinct.any, t) && had) any_gone |= count(t, white) == 0;
        if (!extinct.all.empty() && at(extinct.all, t)) all_gone &= count(t, white) == 0;
      }
      if (any_gone || all_gone) return won_or_drawn(white, extinct.result);
    }
  if (const Outcome by_reach = reached(); by_reach != Outcome::None) return by_reach;
  for (const bool white : sides) {
    const int limit = at(game_->ends, white ? 0 : 1).checks;
    if (limit > 0 && at(checks_given_, white ? 0 : 1) >= limit) return won_by(white);
  }
  return Outcome::None;
}

Outcome State::bare_king() const {
  const auto is_bare = [&](bool white) {
    int n = 0;
    for (int s = 0; s < squares(); ++s)
      n += piece(s) && piece(s).white == white ? 1 : 0;
    return n > 0 && n == royals(white);
  };
  for (const bool white : {!white_, white_}) {
    const Ends& ends = at(game_->ends, white ? 0 : 1);
    if (ends.bare_king == Result::None || !is_bare(white)) continue;
    if (ends.bare_king_reply && white == white_) continue;
    if (ends.bare_king_reply && is_bare(!white)) return Outcome::Draw;
    return won_or_drawn(white, ends.bare_king);
  }
  return Outcome::None;
}

Outcome State::outcome() const {
  if (const Outcome d = decided(); d != Outcome::None) return d;
  const Ends& ends = at(game_->ends, white_ ? 0 : 1);
  if (all_moves().empty()) {
    const bool checked = in_check();
    const Result r = checked ? ends.checkmate : ends.stalemate;
    if (r == Result::Draw && !checked) return Outcome::Stalemate;
    return won_or_drawn(white_, r);
  }
  if (const Outcome bare = bare_king(); bare != Outcome::None) return bare;
  if (game_->only_royals_draw) {
    int others = 0;
    for (int s = 0; s < squares(); ++s)
      others += piece(s) && kind(piece(s)).royal == Royal::No ? 1 : 0;
    if (others == 0) return Outcome::OnlyRoyals;
  }
  if (game_->plies > 0 && plies_ >= game_->plies)
    return game_->plies_result == Result::Draw ? Outcome::Plies
                                               : won_or_drawn(white_, game_->plies_result);
  return Outcome::None;
}

std::uint64_t State::perft(int depth) const {
  if (depth == 0) return 1;
  std::uint64_t n = 0;
  for (const auto& [text, next] : moves())
    n += depth == 1 ? 1 : next.perft(depth - 1);
  return n;
}

}  // namespace faultline::walker
