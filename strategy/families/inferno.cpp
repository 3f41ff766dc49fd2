// Inferno in strategies: descents, and the levels that they leave and reach.
#include <cstddef>

#include "search/material.h"
#include "strategy/families.h"

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
      sum += piece_value(type) * count(position.pieces(level, c, type));
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
  return behind >= arguments.number(0) * piece_value(PieceType::Pawn);
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

std::vector<std::string> square_names(const InfernoVariant& variant) {
  const std::vector<std::string> board = names_of(BoardGraph::rectangle(8, 8));
  std::vector<std::string> names;
  for (int level = 1; level <= variant.levels; ++level)
    for (const std::string& name : board)
      names.push_back(std::to_string(level) + name);
  return names;
}

}  // namespace faultline
