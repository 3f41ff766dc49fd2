// Describing encodings in JSON.
#include "model/export/encoding_description.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <map>
#include <numeric>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/quote.h"
#include "model/encoding/attack_planes.h"
#include "model/encoding/encoders.h"
#include "model/encoding/encoding_details.h"
#include "model/export/export_options.h"
#include "model/export/plane_source.h"
#include "rules/families.h"

namespace faultline {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kBoardField = 6;  // of a FEN: what describes the board

/// The squares as a FEN lists them: level by level, the top rank first, a rank's squares from left
/// to right.
Json fen_rows(const EncodingInfo& info) {
  std::map<int, std::map<int, std::vector<int>>> levels;  // by level, by minus the rank
  for (std::size_t s = 0; s < info.squares.size(); ++s) {
    const EncodedSquare& square = info.squares[s];
    const std::size_t rank = square.name.find_last_not_of("0123456789") + 1;
    levels[square.cell % info.levels][-std::stoi(square.name.substr(rank))].push_back(
        static_cast<int>(s));
  }
  Json rows = Json::array();
  for (const auto& [level, ranks] : levels) {
    Json of_level = Json::array();
    for (const auto& [rank, squares] : ranks)
      of_level.push_back(squares);
    rows.push_back(std::move(of_level));
  }
  return rows;
}

/// The policy cell of a square with Black to move.
int seen_by_black(const EncodingInfo& info, int policy_cell) {
  const int level = policy_cell % info.levels, cell = policy_cell / info.levels;
  int row = cell / info.width, column = cell % info.width;
  if (info.symmetry != "none") row = info.height - 1 - row;
  if (info.symmetry == "half-turn") column = info.width - 1 - column;
  return (row * info.width + column) * info.levels + level;
}

/// When a square exists. Where levels vanish, those of a level's hole exist only while it is the
/// deepest.
Json existence(const EncodingInfo& info, const EncodedSquare& square) {
  if (info.levels > 1) {
    const int level = square.cell % info.levels + 1;
    const bool in_hole = !square.exists;
    return {{"levels", {level, in_hole ? level : info.levels}}};
  }
  return "fen";
}

Json describe_squares(const EncodingInfo& info, const EncodingDetails& details) {
  constexpr std::array kDirections = {"n", "ne", "e", "se", "s", "sw", "w", "nw"};
  const auto at_start = std::ranges::find_if(details.moved, [&](const MovedCells& moved) {
    return std::ranges::equal(moved.white, info.squares, {}, {}, &EncodedSquare::cell);
  });
  Json squares = Json::array();
  for (std::size_t s = 0; s < info.squares.size(); ++s) {
    const EncodedSquare& square = info.squares[s];
    Json neighbours = Json::object();
    for (std::size_t d = 0; d < kDirections.size(); ++d)
      if (!square.neighbours[d].empty()) neighbours[kDirections[d]] = square.neighbours[d];
    const int black =
        at_start == details.moved.end() ? seen_by_black(info, square.cell) : at_start->black[s];
    squares.push_back({{"name", square.name},
                       {"cell", {{"white", square.cell}, {"black", black}}},
                       {"exists", existence(info, square)},
                       {"at_start", square.exists},
                       {"x", square.x},
                       {"y", square.y},
                       {"neighbours", std::move(neighbours)}});
  }
  return squares;
}

/// What a policy kind means.
std::string meaning_of(const std::string& kind) {
  if (kind == "move")
    return "any move of a piece that is none of the other kinds; castling is the king's move, a "
           "double step or a capture en passant the pawn's";
  if (kind == "descent") return "a move to a square of a deeper level";
  if (kind == "shift")
    return "a sector moves: from and to are the cells of its area and of the gap";
  if (kind.starts_with("promote-")) return "a pawn becomes a " + kind.substr(8);
  if (kind.starts_with("shift")) {
    const std::string by = kind.starts_with("shift^")   ? "up by " + kind.substr(6) + " ranks"
                           : kind.starts_with("shiftv") ? "down by " + kind.substr(6) + " ranks"
                                                        : "by " + kind.substr(5) + " files";
    return "the lower half moves " + by +
           "; from and to are the cell of the mover's king before it moves";
  }
  if (kind.starts_with("drop-")) return "a " + kind.substr(5) + " in hand is dropped";
  if (kind.starts_with("turn"))
    return "a belt or ring turns, by its name in the move's text; undescribed";
  return kind;
}

/// A kind of move, and how its moves are written.
Json describe_kind(const std::string& kind, const EncodingInfo& info,
                   const EncodingDetails& details, const PieceKinds* kinds) {
  constexpr std::string_view kPromotion = "promote-", kDrop = "drop-";
  const std::string squares = "{from}" + details.move_separator + "{to}";
  Json json = {{"name", kind}, {"meaning", meaning_of(kind)}};
  if (kind.starts_with(kPromotion)) {
    std::string letter = letter_of_piece(std::string_view(kind).substr(kPromotion.size()), kinds);
    if (letter.empty())
      throw ExportError("policy kind " + quote(kind, 80) + ": there is no such piece");
    const bool is_lettered =
        std::ranges::find(details.lettered_promotions, letter) != details.lettered_promotions.end();
    if (letter.size() > 1 && !is_lettered) letter = letter.front();  // "+R": a plus, as in shogi
    std::ranges::transform(letter, letter.begin(),
                           [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    json["text"] = squares + letter;
  } else if (kinds != nullptr && kind.starts_with(kDrop)) {
    json["text"] = letter_of_piece(std::string_view(kind).substr(kDrop.size()), kinds) + "@{to}";
  } else if (kinds != nullptr && kind.starts_with("turn")) {
    json["text"] = nullptr;
  } else if (kind == "shift") {
    json["text"] = "{from}-{to}";
    json["places"] = "areas";
  } else if (kind.starts_with("shift")) {  // by a number of files or ranks
    json["text"] = "@" + kind.substr(std::string_view("shift").size());
    std::string king = "king";
    if (kinds != nullptr)
      for (const PieceKind& piece : *kinds)
        if (piece.like == PieceType::King) king = piece.name;
    json["piece"] = letter_of_piece(king, kinds);
  } else if (kind == "move" || kind == "descent") {
    json["text"] = squares;
    if (std::ranges::find(info.policy_kinds, "descent") != info.policy_kinds.end())
      json["levels"] = kind == "move" ? "same" : "different";
  } else {
    throw ExportError("policy kind " + quote(kind, 80) + ": its moves' text is unknown");
  }
  return json;
}

Json describe_policy(const EncodingInfo& info, const EncodingDetails& details,
                     const PieceKinds* pieces) {
  Json kinds = Json::array();
  for (const std::string& kind : info.policy_kinds)
    kinds.push_back(describe_kind(kind, info, details, pieces));
  Json policy = {{"slots", slot_count(info)},
                 {"cells", info.policy_cells()},
                 {"slot",
                  "(from * cells + to) * kinds + kind, where from and to are cells for the side to "
                  "move, and kind is an index into the list of kinds"},
                 {"kinds", std::move(kinds)}};
  for (const NamedArea& area : details.areas)
    policy["areas"].push_back(
        {{"name", area.name}, {"cell", {{"white", area.white}, {"black", area.black}}}});
  return policy;
}

/// A number as such, several as a list.
Json one_or_list(const std::vector<int>& numbers) {
  return numbers.size() == 1 ? Json(numbers.front()) : Json(numbers);
}
std::vector<int> indices_of(const std::vector<int>& numbers) {
  std::vector<int> indices(numbers.size());
  std::iota(indices.begin(), indices.end(), 0);
  return indices;
}

/// Which patterns the pieces attack in, by the letters of FENs, and the lines of each pattern.
Json describe_attacks(const EncodingDetails& details) {
  Json json;
  json["patterns"] = {{"P", {"white-pawn"}}, {"p", {"black-pawn"}},
                      {"N", {"knight"}},     {"B", {"diagonal"}},
                      {"R", {"orthogonal"}}, {"Q", {"orthogonal", "diagonal"}},
                      {"K", {"king"}},       {"C", {"white-pawn"}},
                      {"c", {"black-pawn"}}, {"M", {"knight", "orthogonal"}},
                      {"U", {"ultra"}}};
  for (const char letter : {'N', 'B', 'R', 'Q', 'K', 'M', 'U'})
    json["patterns"][std::string(1, static_cast<char>(std::tolower(letter)))] =
        json["patterns"][std::string(1, letter)];
  json["tables"] = Json::array();
  for (const MovedAttacks& attacks : details.attacks) {
    Json table = {{"value", one_or_list(attacks.numbers)}};
    for (const AttackPattern& pattern : attacks.patterns)
      table["lines"][pattern.name] = pattern.lines;
    json["tables"].push_back(std::move(table));
  }
  if (details.attacks.size() > 1) {
    json["field"] = kBoardField;
    json["number"] = one_or_list(indices_of(details.attacks.front().numbers));
  }
  return json;
}

}  // namespace

Json describe_encoding(const EncodingInfo& trained) {
  return with_family(
      parse_variant_name(trained.variant),
      [&]<class P>(std::type_identity<P>, const typename P::Variant& variant) -> Json {
        const EncodingInfo& family = Encoder<P>::info(variant);
        const EncodingInfo info = has_attack_planes(trained) ? with_attack_planes(family) : family;
        if (!(info == trained))
          throw ExportError("the net's encoding of " + quote(trained.variant, 100) +
                            " is not this program's (version " + std::to_string(info.version) +
                            "); it can be exported by the program that trained it");
        const EncodingDetails details = Encoder<P>::details(variant);
        const PieceKinds* pieces = info.game.empty() ? nullptr : &piece_kinds_of(info.variant);
        Json planes = Json::array();
        for (const std::string& name : info.planes)
          planes.push_back(describe_plane(name, details, pieces));
        Json description = {{"format", 1},
                            {"family", info.family},
                            {"variant", info.variant},
                            {"version", info.version},
                            {"symmetry", info.symmetry},
                            {"height", info.height},
                            {"width", info.width},
                            {"levels", info.levels},
                            {"board_changes", info.board_changes},
                            {"start", P::start(variant).fen()},
                            {"planes", std::move(planes)},
                            {"policy", describe_policy(info, details, pieces)},
                            {"value",
                             {{"wdl", "probabilities that the side to move wins, draws and loses"},
                              {"moves_left", "plies until the game ends"}}},
                            {"fen_rows", fen_rows(info)},
                            {"squares", describe_squares(info, details)}};
        if (!info.game.empty()) description["game"] = info.game;
        if (details.moved.size() > 1) {
          Json tables = Json::array();
          for (const MovedCells& moved : details.moved)
            tables.push_back({{"value", one_or_list(moved.numbers)},
                              {"white", moved.white},
                              {"black", moved.black}});
          description["moved_cells"] = {
              {"field", kBoardField},
              {"number", one_or_list(indices_of(details.moved.front().numbers))},
              {"tables", std::move(tables)}};
        }
        if (has_attack_planes(info) && !details.attacks.empty())
          description["attacks"] = describe_attacks(details);
        return description;
      });
}

const EncodingInfo& encoding_of(const std::string& variant) {
  return with_family(
      parse_variant_name(variant),
      []<class P>(std::type_identity<P>, const typename P::Variant& v) -> const EncodingInfo& {
        return Encoder<P>::info(v);
      });
}

}  // namespace faultline
