// Golden positions as lines of golden.jsonl.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <span>
#include <stdexcept>

#include "base/json_fields.h"
#include "model/export/export_options.h"
#include "model/export/golden_positions.h"

namespace faultline {
namespace {

using Json = nlohmann::ordered_json;

/// The number with as few digits as give the float again.
double in_short(float value) {
  std::array<char, 32> text{};
  for (int digits = 6; digits <= 9; ++digits) {
    std::snprintf(text.data(), text.size(), "%.*g", digits, static_cast<double>(value));
    if (std::strtof(text.data(), nullptr) == value) break;
  }
  return std::strtod(text.data(), nullptr);
}

template <class T>
T within(T value, T end, const std::string& what) {
  if (value < 0 || value >= end)
    throw std::runtime_error(what + " is " + std::to_string(value) + "; it must be below " +
                             std::to_string(end));
  return value;
}

}  // namespace

Json to_json(const GoldenPosition& position, const EncodingInfo& encoding) {
  const auto cells = static_cast<std::size_t>(encoding.cells());
  Json planes = Json::array();
  for (std::size_t plane = 0; plane < encoding.planes.size(); ++plane) {
    const auto values = std::span(position.planes).subspan(plane * cells, cells);
    std::map<float, std::vector<std::size_t>> by_value;
    for (std::size_t cell = 0; cell < cells; ++cell)
      if (values[cell] != 0.0F) by_value[values[cell]].push_back(cell);
    for (const auto& [value, marked] : by_value) {
      Json entry = {plane, in_short(value)};
      if (marked.size() < cells)
        for (const std::size_t cell : marked)
          entry.push_back(cell);
      planes.push_back(std::move(entry));
    }
  }
  Json moves = Json::array();
  for (std::size_t i = 0; i < position.moves.size(); ++i)
    moves.push_back({position.moves[i], position.slots[i], in_short(position.policy[i])});
  return {
      {"fen", position.fen},
      {"repetitions", position.repetitions},
      {"planes", std::move(planes)},
      {"moves", std::move(moves)},
      {"wdl", {in_short(position.wdl[0]), in_short(position.wdl[1]), in_short(position.wdl[2])}},
      {"moves_left", in_short(position.moves_left)}};
}

GoldenPosition golden_from_json(const nlohmann::json& json, const EncodingInfo& encoding) {
  const std::string what = "position";
  GoldenPosition position;
  position.fen = json_field<std::string>(json, "fen", what);
  position.repetitions = json_field<int>(json, "repetitions", what);
  if (position.repetitions < 0) throw std::runtime_error("'repetitions' is negative");
  position.planes.resize(encoding.floats());
  const std::int64_t cells = encoding.cells();
  for (const auto& entry : json_field<std::vector<nlohmann::json>>(json, "planes", what)) {
    const auto plane = within<std::int64_t>(entry.at(0).get<std::int64_t>(), encoding.plane_count(),
                                            "'planes': a plane's index");
    const auto value = entry.at(1).get<float>();
    const auto first = position.planes.begin() + plane * cells;
    if (entry.size() == 2) std::fill_n(first, cells, value);
    for (std::size_t i = 2; i < entry.size(); ++i)
      first[within<std::int64_t>(entry[i].get<std::int64_t>(), cells, "'planes': a cell")] = value;
  }
  for (const auto& move : json_field<std::vector<nlohmann::json>>(json, "moves", what)) {
    position.moves.push_back(move.at(0).get<std::string>());
    position.slots.push_back(within<std::int64_t>(move.at(1).get<std::int64_t>(),
                                                  slot_count(encoding), "a move's slot"));
    position.policy.push_back(move.at(2).get<float>());
  }
  const auto wdl = json_field<std::vector<float>>(json, "wdl", what);
  if (wdl.size() != 3) throw std::runtime_error("'wdl' must be three numbers");
  std::ranges::copy(wdl, position.wdl.begin());
  position.moves_left = json_field<float>(json, "moves_left", what);
  if (position.moves.empty()) throw std::runtime_error("'moves' must not be empty");
  return position;
}

}  // namespace faultline
