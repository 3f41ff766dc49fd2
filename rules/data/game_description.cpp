// Values of pieces by their mobility.
#include "rules/data/game_description.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "rules/data/routes.h"

namespace faultline::data {
namespace {

constexpr double kEmpty = 0.7;
/// A knight on 8×8 squares has a mobility of 5.25, and is worth 320.
constexpr double kCentipawnsPerSquare = 320 / 5.25;

/// The probability that a route is open.
double open_share(const Route& route) {
  double share = std::pow(kEmpty, static_cast<double>(route.empty.size()));
  if (const auto hurdles = static_cast<double>(route.hurdle.size()); hurdles > 0)
    share *= hurdles * (1 - kEmpty) * std::pow(kEmpty, hurdles - 1);
  return share;
}

faultline::PieceType like_of(const data::PieceType& piece) {
  using enum faultline::PieceType;
  constexpr std::array<std::pair<std::string_view, faultline::PieceType>, 5> kLike = {
      {{"knight", Knight},
       {"bishop", Bishop},
       {"rook", Rook},
       {"queen", Queen},
       {"chancellor", Chancellor}}};
  if (piece.pawn) return Pawn;
  if (piece.sides[0].royal == Royal::Yes || piece.sides[1].royal == Royal::Yes) return King;
  for (const auto& [name, like] : kLike)
    if (piece.name == name) return like;
  return None;
}

bool has_extinction_win(const SideEnds& ends) {
  return std::ranges::any_of(ends.extinct,
                             [](const Extinct& end) { return end.result == Result::Win; });
}

}  // namespace

std::vector<double> crowded_mobilities(const GameFile& file) {
  const CellBoard cells = build_cells(file.board);
  std::vector<double> mobilities;
  for (const data::PieceType& piece : file.pieces) {
    double sum = 0;
    for (const Leg& leg : piece.sides[0].legs) {
      const double weight = (leg.moves ? 0.5 : 0) + (leg.captures ? 0.5 : 0);
      std::map<std::pair<Square, Square>, double> shares;  // the most open way counts
      for (const Route& route :
           routes_of(file.board, cells, leg, piece.crosses_barriers_sideways, 0)) {
        double& share = shares[{route.from, route.to}];
        share = std::max(share, open_share(route));
      }
      for (const auto& [ends, share] : shares)
        sum += weight * share;
    }
    mobilities.push_back(sum / std::max(1, file.board.squares));
  }
  return mobilities;
}

namespace {

/// The piece's name; "promoted silver" or "bishop (C)" where another one has it, too.
std::string distinct_name(const GameFile& file, const data::PieceType& piece) {
  std::string others;
  for (const data::PieceType& other : file.pieces)
    if (other.name == piece.name && other.letter != piece.letter) others += other.letter;
  if (others.empty() || others == "+" + piece.letter) return piece.name;
  return "+" + others == piece.letter ? "promoted " + piece.name
                                      : piece.name + " (" + piece.letter + ")";
}

}  // namespace

GameDescription::GameDescription(const GameFile& file) {
  info.name = "data:" + file.name;
  info.inventor = file.inventor;
  info.summary = file.summary.empty() ? file.title : file.summary;
  if (file.ends.most_plies > 0) info.most_plies = file.ends.most_plies;
  const std::vector<double> mobilities = crowded_mobilities(file);
  // Who wins by having lost everything is the better off the less he has.
  const bool loses_to_win =
      has_extinction_win(file.ends.sides[0]) && has_extinction_win(file.ends.sides[1]);
  for (std::size_t t = 0; t < file.pieces.size(); ++t) {
    const data::PieceType& piece = file.pieces[t];
    PieceKind kind{.letter = piece.letter,
                   .name = distinct_name(file, piece),
                   .drawing = piece.drawing.empty() ? piece.name : piece.drawing,
                   .value = 0,
                   .like = like_of(piece)};
    if (kind.is_pawn())
      kind.value = kPieceValues[0];
    else if (kind.like != faultline::PieceType::King)
      kind.value =
          std::max(10, static_cast<int>(std::lround(kCentipawnsPerSquare * mobilities[t])));
    if (loses_to_win) kind.value = -kind.value;
    values[t] = kind.value;
    kinds.push_back(std::move(kind));
  }
  for (std::size_t t = 0; t < file.pieces.size(); ++t)
    for (const Promotion& promotion : file.pieces[t].sides[0].promotions)
      for (const TypeIndex to : promotion.to)
        best_promotions[t] = std::max(best_promotions[t], values[to]);
}

}  // namespace faultline::data
