// From the names of planes to their sources.
#include "model/export/plane_source.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string_view>
#include <utility>

#include "base/quote.h"
#include "model/export/export_options.h"

namespace faultline {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::array<std::pair<std::string_view, char>, 9> kPieceLetters = {{{"pawn", 'P'},
                                                                             {"crab", 'C'},
                                                                             {"knight", 'N'},
                                                                             {"bishop", 'B'},
                                                                             {"rook", 'R'},
                                                                             {"queen", 'Q'},
                                                                             {"king", 'K'},
                                                                             {"chancellor", 'M'},
                                                                             {"ultra", 'U'}}};

/// Removes `prefix` from the front of `text` if it is there.
bool take(std::string_view& text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return false;
  text.remove_prefix(prefix.size());
  return true;
}

/// "own " or "enemy ", removed from `text`; "" if neither is there.
std::string take_side(std::string_view& text) {
  for (const std::string_view side : {"own", "enemy"})
    if (text.starts_with(side) && text.substr(side.size()).starts_with(' ')) {
      text.remove_prefix(side.size() + 1);
      return std::string(side);
    }
  return "";
}

/// Numbers of the field of the FEN that describes the board, split at commas and slashes.
Json fen_number(int white, int black, const std::string& side) {
  constexpr int kBoardField = 6;
  Json source = {{"term", "fen-number"}, {"field", kBoardField}};
  const bool own = side != "enemy";
  source["white"] = own ? white : black;
  source["black"] = own ? black : white;
  return source;
}

/// The source of a plane without its level; null if the vocabulary does not have it.
Json source_of(std::string_view name, const PieceKinds* kinds) {
  if (name == "ones") return {{"term", "constant"}};
  if (name == "squares") return {{"term", "existing-squares"}};
  if (name == "gaps") return {{"term", "missing-squares"}};
  if (name == "en passant square") return {{"term", "en-passant-square"}};
  if (name == "black to move") return {{"term", "black-to-move"}};
  if (name == "plies since progress") return {{"term", "plies-since-progress"}};
  if (name == "earlier occurrences") return {{"term", "earlier-occurrences"}};
  if (name == "dx") return fen_number(0, 0, "");
  if (name == "dy") return fen_number(1, 1, "");
  if (name == "last shift") return fen_number(4, 4, "");
  if (name == "last shift up") return fen_number(5, 5, "");
  const std::string side = take_side(name);
  if (side.empty()) return nullptr;
  if (name == "attacks") return {{"term", "attacks"}, {"side", side}, {"at_least", 1}};
  if (name == "double attacks") return {{"term", "attacks"}, {"side", side}, {"at_least", 2}};
  if (name == "aftershocks left" || name == "turns until an aftershock")
    return fen_number(2, 3, side);
  if (name == "king-side castling")
    return {{"term", "castling-right"}, {"side", side}, {"wing", "K"}};
  if (name == "queen-side castling")
    return {{"term", "castling-right"}, {"side", side}, {"wing", "Q"}};
  if (name == "rooks that may castle")
    return {{"term", "castling-rooks"},
            {"side", side},
            {"rooks", {{"K", "h1"}, {"Q", "a1"}, {"k", "h8"}, {"q", "a8"}}}};
  if (const std::string letter = letter_of_piece(name, kinds); !letter.empty())
    return {{"term", "piece"}, {"side", side}, {"letter", letter}};
  return nullptr;
}

/// The source of a plane of a game of a file, without its level, from what the encoding says of the
/// plane; null if that is nothing. `level`: from 1; 0 if there is one. `name`: after the level.
Json source_of_file(const std::string& plane, std::string_view name, int level,
                    const EncodingDetails& details, const PieceKinds& kinds) {
  if (const auto number = std::ranges::find(details.numbers, plane, &FenNumber::plane);
      number != details.numbers.end())
    return {{"term", "fen-number"},
            {"field", number->field},
            {"white", number->white},
            {"black", number->black}};
  if (const auto words = std::ranges::find(details.words, plane, &FenWords::plane);
      words != details.words.end()) {
    Json source = {{"term", "fen-word"}, {"field", words->field}};
    for (const auto& [text, value] : words->values)
      source["values"][text] = value;
    return source;
  }
  if (const auto turned = std::ranges::find(details.turned, plane, &FenSquares::plane);
      turned != details.turned.end()) {
    Json source = {{"term", "fen-squares"}, {"field", turned->field}, {"squares", Json::object()}};
    for (const auto& [text, squares] : turned->squares)
      source["squares"][text] = squares;
    return source;
  }
  if (name == "plies since progress")
    return {{"term", "fen-number"}, {"field", details.plies_field}, {"white", 0}, {"black", 0}};
  if (name == "passing piece") {
    Json source = {{"term", "passing-piece"}, {"steps", Json::array()}};
    for (const PassingStep& step : details.passing)
      source["steps"].push_back(
          {{"letter", step.letter}, {"from", step.from}, {"to", step.to}, {"over", step.over}});
    return source;
  }
  if (take(name, "turn modulo "))
    return {{"term", "turn-modulo"},
            {"every", std::atoi(std::string(name).c_str())},
            {"field", details.plies_field + 1},
            {"first", details.begins == Colour::White ? "white" : "black"}};
  const std::string side = take_side(name);
  if (side.empty()) return nullptr;
  if (name == "rooks that may castle") {
    Json source = {{"term", "castling-rooks"}, {"side", side}, {"rooks", Json::object()}};
    for (const CastlingRook& rook : details.rooks)
      if (rook.level + 1 == std::max(level, 1))
        source["rooks"][std::string(1, rook.letter)] = rook.rook;
    return source;
  }
  constexpr std::string_view kHand = " in hand";
  if (name.ends_with(kHand)) {
    name.remove_suffix(kHand.size());
    return {{"term", "hand"}, {"side", side}, {"letter", letter_of_piece(name, &kinds)}};
  }
  return nullptr;
}

}  // namespace

std::string letter_of_piece(std::string_view piece, const PieceKinds* kinds) {
  if (kinds != nullptr) {
    const PieceType type = piece_type_named(*kinds, piece);
    return type == PieceType::None ? "" : (*kinds)[static_cast<std::size_t>(index(type))].letter;
  }
  for (const auto& [name, letter] : kPieceLetters)
    if (name == piece) return std::string(1, letter);
  return "";
}

Json describe_plane(const std::string& name, const EncodingDetails& details,
                    const PieceKinds* kinds) {
  std::string_view rest = name;
  int level = 0, divisor = 1;
  if (take(rest, "level ")) {
    const std::size_t colon = rest.find(": ");
    if (colon == std::string_view::npos) throw ExportError("plane " + quote(name) + ": no level");
    level = std::atoi(std::string(rest.substr(0, colon)).c_str());
    rest.remove_prefix(colon + 2);
  }
  if (const std::size_t slash = rest.find(" / "); slash != std::string_view::npos) {
    divisor = std::atoi(std::string(rest.substr(slash + 3)).c_str());
    rest = rest.substr(0, slash);
  }
  const bool is_mover = rest.starts_with("own ") || rest.starts_with("enemy ");
  Json source;
  const auto marked = std::ranges::find(details.marked, name, &MarkedSquares::plane);
  if (marked != details.marked.end())
    source = {{"term", "square-set"}, {"white", marked->white}, {"black", marked->black}};
  else if (kinds != nullptr)
    source = source_of_file(name, rest, level, details, *kinds);
  if (source.is_null()) source = source_of(rest, kinds);
  // Attacks of pieces of files follow no pattern that the description has.
  const bool undescribed =
      source.is_null() ||
      (details.attacks.empty() && source.contains("term") && source["term"] == "attacks");
  if (undescribed && kinds != nullptr) source = {{"term", "undescribed"}};
  if (source.is_null() || divisor < 1)
    throw ExportError("plane " + quote(name, 80) +
                      ": the vocabulary of plane sources does not have it");
  if (level > 0) source["level"] = level;
  return {{"name", name},
          {"divisor", divisor},
          {"perspective", is_mover ? "mover" : "board"},
          {"source", source}};
}

}  // namespace faultline
