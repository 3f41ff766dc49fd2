// The parameters of predicates.
#include "strategy/predicate.h"

#include <array>
#include <cmath>
#include <string_view>

#include <fmt/format.h>

namespace faultline {

std::vector<Parameter> range_parameters(Parameter::Kind kind, double low, double high) {
  const auto bound = [&](const char* name, double preset) {
    return Parameter{.name = name,
                     .kind = kind,
                     .low = low,
                     .high = high,
                     .preset = Argument{.number = preset, .names = 0, .squares = {}}};
  };
  return {bound("at_least", low), bound("at_most", high)};
}

Parameter names_parameter(std::string name, std::vector<Parameter::Name> names, bool required) {
  Parameter parameter{
      .name = std::move(name), .kind = Parameter::Kind::Names, .names = std::move(names)};
  if (!required) {
    Argument all;
    for (const Parameter::Name& n : parameter.names)
      all.names |= 1U << n.bit;
    parameter.preset = all;
  }
  return parameter;
}

Parameter squares_parameter(std::string name) {
  return {.name = std::move(name), .kind = Parameter::Kind::Squares};
}

std::string parameters_text(const std::vector<Parameter>& parameters) {
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const Parameter& p = parameters[i];
    std::string name = p.name;
    if (name == "at_least" && i + 1 < parameters.size()) {
      name = "at_least, at_most";
      ++i;
    }
    switch (p.kind) {
      case Parameter::Kind::Whole:
      case Parameter::Kind::Real:
        parts.push_back(fmt::format("{}: {} to {}", name, p.low, p.high));
        break;
      case Parameter::Kind::Names: {
        std::vector<std::string> names;
        for (const Parameter::Name& n : p.names)
          names.push_back(n.text);
        parts.push_back(fmt::format("{}: {}", name, fmt::join(names, ", ")));
        break;
      }
      case Parameter::Kind::Squares:
        parts.push_back(name + ": squares, as in \"e4\" or \"*4\"");
        break;
    }
  }
  return fmt::format("{}", fmt::join(parts, "; "));
}

std::vector<Parameter::Name> piece_names(const PieceKinds& kinds,
                                         const std::vector<PieceType>& types) {
  std::vector<Parameter::Name> names;
  for (const PieceType type : types)
    names.push_back({kinds.at(static_cast<std::size_t>(index(type))).name, index(type)});
  return names;
}

}  // namespace faultline
