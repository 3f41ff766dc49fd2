// Predicates over positions and moves: what the rules of a strategy are made of. One is a row of a
// table, with its name, help and parameters, and a function.
#pragma once

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "rules/position.h"
#include "strategy/turn.h"

namespace faultline {

/// The value of one parameter: the member that its kind says.
struct Argument {
  double number = 0;
  std::uint32_t names = 0;  // the bits of those given
  std::bitset<kMaxSquares> squares;
};

/// The values of all parameters of a predicate, in their order.
class Arguments {
 public:
  Arguments() = default;
  explicit Arguments(std::vector<Argument> values) : values_(std::move(values)) {}

  double number(std::size_t i) const { return values_[i].number; }
  bool has_name(std::size_t i, int bit) const { return (values_[i].names >> bit & 1) != 0; }
  bool has_square(std::size_t i, Square s) const {
    return s < kMaxSquares && values_[i].squares[s];  // a drop comes from no square
  }
  /// Whether a value is in the range of a predicate that begins with range_parameters().
  bool within(double value) const { return number(0) <= value && value <= number(1); }

 private:
  std::vector<Argument> values_;
};

struct Parameter {
  enum class Kind : std::uint8_t { Whole, Real, Names, Squares };
  struct Name {
    std::string text;
    int bit = 0;  // in Argument::names
  };

  std::string name;
  Kind kind = Kind::Whole;
  double low = 0;  // of numbers
  double high = 0;
  std::vector<Name> names = {};                   // what may be given
  std::optional<Argument> preset = std::nullopt;  // if it is not given; none: it must be
};

/// at_least and at_most, `low` and `high` if they are not given. A predicate that begins with them
/// also takes a plain number: exactly so many.
std::vector<Parameter> range_parameters(Parameter::Kind kind, double low, double high);
/// The same for whole numbers: levels, aftershocks, ….
inline std::vector<Parameter> whole_range(int low, int high) {
  return range_parameters(Parameter::Kind::Whole, low, high);
}
/// One or several of `names`; all if it is not given and need not be.
Parameter names_parameter(std::string name, std::vector<Parameter::Name> names, bool required);
Parameter squares_parameter(std::string name);

/// "at_least, at_most: 1 to 4", "a1, *4, …": for people.
std::string parameters_text(const std::vector<Parameter>& parameters);

/// What a predicate looks at. One that looks at the position alone is evaluated once for all moves,
/// and may end a limit.
enum class PredicateSubject : std::uint8_t { Situation, Turn };

struct PredicateInfo {
  std::string name;
  std::string help;  // one line: "the piece falls through a hole, by so many levels"
  PredicateSubject subject = PredicateSubject::Turn;
  std::vector<Parameter> parameters = {};
  /// Why it never holds in this variant, "" if it can: "the board has one level and no hole".
  std::string impossible = {};
};

/// `holds` must depend on nothing but the position, the move and the line of the game, all of which
/// Turn has: nodes keep what it said when the root moves.
template <Position P>
struct Predicate {
  PredicateInfo info;
  bool (*holds)(const Turn<P>&, const Arguments&);
};

/// "pawn", "knight", …: those of `types`, with index(type) as their bits.
std::vector<Parameter::Name> piece_names(const PieceKinds& kinds,
                                         const std::vector<PieceType>& types);

}  // namespace faultline
