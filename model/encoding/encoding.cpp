// The JSON form of an encoding's description, and values derived from it.
#include "model/encoding/encoding.h"

#include <algorithm>
#include <stdexcept>
#include <tuple>

#include <nlohmann/json.hpp>

#include "base/json_fields.h"
#include "base/json_text.h"
#include "rules/data/known_games.h"

namespace faultline {

namespace {

nlohmann::json to_json(const EncodedSquare& square) {
  return {{"name", square.name}, {"cell", square.cell}, {"exists", square.exists},
          {"x", square.x},       {"y", square.y},       {"neighbours", square.neighbours}};
}

EncodedSquare square_from_json(const nlohmann::json& json) {
  const std::string what = "encoding: 'squares'";
  EncodedSquare square;
  square.name = json_field<std::string>(json, "name", what);
  square.cell = json_field<int>(json, "cell", what);
  square.exists = json_field<bool>(json, "exists", what);
  square.x = json_field<float>(json, "x", what);
  square.y = json_field<float>(json, "y", what);
  const auto neighbours = json_field<std::vector<std::vector<int>>>(json, "neighbours", what);
  if (neighbours.size() != square.neighbours.size())
    throw std::runtime_error(what + ": 'neighbours' must be 8 lists, one per direction");
  std::ranges::copy(neighbours, square.neighbours.begin());
  return square;
}

void check_squares(const EncodingInfo& info) {
  const auto is_square = [&](int s) { return s >= 0 && s < static_cast<int>(info.squares.size()); };
  for (const EncodedSquare& square : info.squares) {
    if (square.cell < 0 || square.cell >= info.policy_cells())
      throw std::runtime_error("encoding: 'squares': the cell of '" + square.name +
                               "' is not on the canvas");
    for (const auto& neighbours : square.neighbours)
      if (!std::ranges::all_of(neighbours, is_square))
        throw std::runtime_error("encoding: 'squares': a neighbour of '" + square.name +
                                 "' is not a square in the list");
  }
}

auto what_older_files_have(const EncodingInfo& info) {
  return std::tie(info.family, info.variant, info.version, info.symmetry, info.height, info.width,
                  info.levels, info.planes, info.policy_kinds);
}

}  // namespace

bool operator==(const EncodingInfo& a, const EncodingInfo& b) {
  if (what_older_files_have(a) != what_older_files_have(b) || !data::is_same_game(a.game, b.game))
    return false;
  if (a.squares.empty() || b.squares.empty()) return true;
  return a.squares == b.squares && a.board_changes == b.board_changes;
}

nlohmann::json to_json(const EncodingInfo& info) {
  nlohmann::json json = {
      {"family", info.family},     {"variant", info.variant}, {"version", info.version},
      {"symmetry", info.symmetry}, {"height", info.height},   {"width", info.width},
      {"levels", info.levels},     {"planes", info.planes},   {"policy_kinds", info.policy_kinds}};
  if (!info.game.empty()) json["game"] = info.game;
  if (info.squares.empty()) return json;
  json["board_changes"] = info.board_changes;
  for (const EncodedSquare& square : info.squares)
    json["squares"].push_back(to_json(square));
  return json;
}

EncodingInfo encoding_from_json(const nlohmann::json& json) {
  const std::string what = "encoding";
  EncodingInfo info;
  info.family = json_field<std::string>(json, "family", what);
  info.variant = json_field<std::string>(json, "variant", what);
  info.version = json_field<int>(json, "version", what);
  info.symmetry = json_field<std::string>(json, "symmetry", what);
  info.height = json_field<int>(json, "height", what);
  info.width = json_field<int>(json, "width", what);
  const bool is_old = !json.contains("levels") && json.contains("layers");
  info.levels = json_field<int>(json, is_old ? "layers" : "levels", what);
  info.planes = json_field<std::vector<std::string>>(json, "planes", what);
  info.policy_kinds = json_field<std::vector<std::string>>(json, "policy_kinds", what);
  if (info.height < 1 || info.width < 1 || info.levels < 1 || info.planes.empty() ||
      info.policy_kinds.empty())
    throw std::runtime_error(
        "encoding: 'height', 'width' and 'levels' must be at least 1, 'planes' and 'policy_kinds' "
        "not empty");
  if (json.contains("game")) {
    info.game = json_field<std::string>(json, "game", what);
    try {
      data::offer_game(info.game, "encoding: 'game'");
    } catch (const VariantError& error) {
      throw std::runtime_error(error.what());
    }
  }
  if (!json.contains("squares")) return info;
  for (const nlohmann::json& square :
       json_field<std::vector<nlohmann::json>>(json, "squares", what))
    info.squares.push_back(square_from_json(square));
  check_squares(info);
  info.board_changes = json_field<std::string>(json, "board_changes", what);
  return info;
}

std::uint64_t digest(const EncodingInfo& info) {
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (const char c : json_text(to_json(info)))
    hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
  return hash;
}

}  // namespace faultline
