// Inferno in strategies: descents, and the levels that they leave and reach.
#include "rules/families/inferno.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <memory>
#include <numeric>
#include <vector>

#include <fmt/format.h>

#include "search/material.h"
#include "strategy/family_behaviour.h"
#include "strategy/predicate.h"

namespace faultline {
namespace {

using P = InfernoPosition;

int level_of(Square s) {
  return s / kLevelSquares;
}

int levels_fallen(const Turn<P>& turn) {
  return level_of(turn.move().to()) - level_of(turn.move().from());
}

/// Centipawns of `c` on the levels from `first` to `last`.
int material_on(const P& position, Colour c, int first, int last) {
  int sum = 0;
  for (int level = first; level <= last; ++level)
    for (int t = 0; t < kOrthodoxTypes; ++t) {
      const auto type = static_cast<PieceType>(t);
      sum += piece_value(position, type) * count(position.pieces(level, c, type));
    }
  return sum;
}

bool descends(const Turn<P>& turn, const Arguments& arguments) {
  const int fallen = levels_fallen(turn);
  return fallen > 0 && arguments.within(fallen);
}

bool leaves_level(const Turn<P>& turn, const Arguments& arguments) {
  return arguments.within(level_of(turn.move().from()) + 1);
}

bool reaches_level(const Turn<P>& turn, const Arguments& arguments) {
  return arguments.within(level_of(turn.move().to()) + 1);
}

bool reaches_deepest_level(const Turn<P>& turn, const Arguments&) {
  return level_of(turn.move().to()) + 1 == turn.before().levels();
}

bool reaches_threatened_level(const Turn<P>& turn, const Arguments& arguments) {
  const P& before = turn.before();
  const int level = level_of(turn.move().to());
  if (before.in_check_on(level)) return true;
  const int behind = material_on(before, ~turn.mover(), level, level) -
                     material_on(before, turn.mover(), level, level);
  return behind >= arguments.number(0) * kPawnValue;
}

bool wins_level(const Turn<P>& turn, const Arguments&) {
  const P& after = turn.after();
  if (after.levels() < turn.before().levels()) return true;
  return after.levels() == 1 && after.in_check() && after.count_legal_moves() == 0;
}

bool levels_left_are(const Turn<P>& turn, const Arguments& arguments) {
  return arguments.within(turn.before().levels());
}

bool share_below_is(const Turn<P>& turn, const Arguments& arguments) {
  const int deepest = turn.before().levels() - 1;
  const int all = material_on(turn.before(), turn.mover(), 0, deepest);
  const int below =
      material_on(turn.before(), turn.mover(), static_cast<int>(arguments.number(2)), deepest);
  return arguments.within(all == 0 ? 0.0 : static_cast<double>(below) / all);
}

/// The share, and the level above which material does not count.
std::vector<Parameter> share_parameters(int levels) {
  std::vector<Parameter> parameters = range_parameters(Parameter::Kind::Real, 0, 1);
  parameters.push_back({.name = "level",
                        .kind = Parameter::Kind::Whole,
                        .low = 1,
                        .high = static_cast<double>(levels),
                        .preset = Argument{.number = 1, .names = 0, .squares = {}}});
  return parameters;
}

using Level = std::array<Piece, kLevelSquares>;

std::vector<Level> levels_of(const P& position) {
  std::vector<Level> levels(static_cast<std::size_t>(position.levels()));
  for (std::size_t s = 0; s < levels.size() * kLevelSquares; ++s)
    levels[s / kLevelSquares].at(s % kLevelSquares) = position.piece_at(static_cast<Square>(s));
  return levels;
}

/// The levels without one that `winner` has won.
std::vector<Level> without(std::vector<Level> levels, std::size_t lost, Colour winner) {
  if (lost > 0)
    for (std::size_t s = 0; s < kLevelSquares; ++s) {
      const Piece risen = levels[lost].at(s);
      Piece& above = levels[lost - 1].at(s);
      if (risen.exists() && risen.colour == winner && above.type != PieceType::King) above = risen;
    }
  levels.erase(levels.begin() + static_cast<std::ptrdiff_t>(lost));
  return levels;
}

int differences(const std::vector<Level>& a, const std::vector<Level>& b) {
  int sum = 0;
  for (std::size_t level = 0; level < a.size(); ++level)
    for (std::size_t s = 0; s < kLevelSquares; ++s)
      sum += a[level].at(s) == b[level].at(s) ? 0 : 1;
  return sum;
}

/// How levels were lost one after the other: numbers among those left at the time.
struct Losses {
  std::vector<std::size_t> order;
  int differences = std::numeric_limits<int>::max();  // from what was found
};

/// Tries every order, the deepest levels first: the rules take the deepest level in check, so that
/// it is also right where two levels are alike.
void search_losses(const std::vector<Level>& now, const std::vector<Level>& found, Colour winner,
                   std::vector<std::size_t>& order, Losses& best) {
  if (now.size() == found.size()) {
    const int distance = differences(now, found);
    if (distance < best.differences) best = {order, distance};
    return;
  }
  for (std::size_t lost = now.size(); lost-- > 0;) {
    order.push_back(lost);
    search_losses(without(now, lost, winner), found, winner, order, best);
    order.pop_back();
  }
}

/// The levels that the move won, which `play` resolves at once: those whose loss explains the
/// position after it. (Rooks that castle and pawns taken in passing are left where they were, which
/// is the same for all explanations.)
std::vector<std::size_t> levels_won(const P& before, Move move, const P& after) {
  std::vector<Level> moved = levels_of(before);
  const auto place = [&](Square s) -> Piece& {
    return moved[static_cast<std::size_t>(level_of(s))].at(
        static_cast<std::size_t>(s % kLevelSquares));
  };
  Piece piece = place(move.from());
  if (move.kind() == MoveKind::Promotion) piece.type = move.promotion();
  place(move.from()) = {};
  place(move.to()) = piece;
  Losses best;
  std::vector<std::size_t> order;
  search_losses(moved, levels_of(after), before.side_to_move(), order, best);
  return best.order;
}

/// Who wins which level, and the material on each; levels keep the numbers that they had at first.
class LevelWatch final : public GameWatch<P> {
 public:
  explicit LevelWatch(int levels) : numbers_(static_cast<std::size_t>(levels)) {
    std::iota(numbers_.begin(), numbers_.end(), std::size_t{0});
  }

  void on_turn(const P& before, Move move, const P& after,
               std::vector<std::size_t>& reached) override {
    // A game from a position text may begin with fewer levels.
    numbers_.resize(std::min(numbers_.size(), static_cast<std::size_t>(before.levels())));
    if (after.levels() < before.levels())
      for (const std::size_t lost : levels_won(before, move, after)) {
        reached.push_back(numbers_.at(lost));
        numbers_.erase(numbers_.begin() + static_cast<std::ptrdiff_t>(lost));
      }
    if (after.levels() == 1 && after.in_check() && after.count_legal_moves() == 0)
      reached.push_back(numbers_.front());
  }

  double measure(std::size_t number, const P& position, Colour side) const override {
    const auto level = std::ranges::find(numbers_, number) - numbers_.begin();
    if (level >= position.levels()) return 0;
    const int at = static_cast<int>(level);
    return material_on(position, side, at, at) / static_cast<double>(kPawnValue);
  }

 private:
  std::vector<std::size_t> numbers_;  // at the start, of the levels left
};

}  // namespace

std::vector<Predicate<InfernoPosition>> own_predicates(const InfernoVariant& variant) {
  using enum PredicateSubject;
  const int levels = variant.levels;
  const std::string flat = levels > 1 ? "" : "the board has one level and no hole";
  std::vector<Parameter> threat = {{.name = "by",
                                    .kind = Parameter::Kind::Real,
                                    .low = 0.5,
                                    .high = 50,
                                    .preset = Argument{.number = 1, .names = 0, .squares = {}}}};
  return {
      {{"descends", "the piece falls through a hole, by so many levels", Turn,
        whole_range(1, levels > 1 ? levels - 1 : 1), flat},
       descends},
      {{"from_level", "the piece leaves this level (1 is the outermost)", Turn,
        whole_range(1, levels), flat},
       leaves_level},
      {{"to_level", "the piece ends on this level, whether it descends or not", Turn,
        whole_range(1, levels), flat},
       reaches_level},
      {{"to_deepest_level", "the piece ends on the deepest level left", Turn, {}, flat},
       reaches_deepest_level},
      {{"to_threatened_level",
        "the piece ends on a level on which the mover is in check, or behind by so many pawns of "
        "material",
        Turn, threat, flat},
       reaches_threatened_level},
      {{"wins_level", "mates on a level, the last one included", Turn}, wins_level},
      {{"levels_left", "so many levels are left", Situation, whole_range(1, levels), flat},
       levels_left_are},
      {{"share_below", "this share of the mover's material is below the level", Situation,
        share_parameters(levels), flat},
       share_below_is},
  };
}

FamilyBehaviour<InfernoPosition> own_behaviour(const InfernoVariant& variant) {
  const int levels = variant.levels;
  FamilyBehaviour<InfernoPosition> behaviour{
      .watch = [levels] { return std::make_unique<LevelWatch>(levels); }};
  if (levels > 1) {
    behaviour.habits.push_back({"descends", "descends = true"});
    for (int level = 2; level <= levels; ++level)
      behaviour.habits.push_back({fmt::format("descends to level {}", level),
                                  fmt::format("descends = true, to_level = {}", level)});
    behaviour.habits.push_back(
        {"descends onto a threatened level", "descends = true, to_threatened_level = true"});
  }
  for (int level = 1; level <= levels; ++level) {
    behaviour.measures.push_back({fmt::format("material on level {}", level), "pawns"});
    behaviour.milestones.push_back(fmt::format("wins level {}", level));
  }
  return behaviour;
}

}  // namespace faultline
