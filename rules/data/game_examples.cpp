// Examples of a game's moves, from the first start.
#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "rules/data/board_layout.h"
#include "rules/data/game_picture.h"
#include "rules/data/routes.h"
#include "rules/data/zones.h"

namespace faultline::data {
namespace {

using Texts = std::vector<std::string>;

class Examples {
 public:
  explicit Examples(const GameFile& file) : file_(file), zones_(file.board) {}

  std::string text() const {
    std::vector<const Placed*> on(static_cast<std::size_t>(file_.board.all_squares()), nullptr);
    const Start& start = file_.starts.front();
    for (const Placed& placed : start.pieces)
      on[placed.square] = &placed;
    Texts moves;
    const auto add = [&](const std::string& move, const std::string& what = "") {
      if (!move.empty() && moves.size() < 8)
        moves.push_back(move + (what.empty() ? "" : " (" + what + ")"));
    };
    int plain = 0;
    for (const bool pawns : {false, true})
      for (TypeIndex t = 0; t < file_.pieces.size() && plain < (pawns ? 2 : 1); ++t)
        if (file_.pieces[t].pawn == pawns)
          if (const std::string move = move_of(t, on); !move.empty()) {
            add(move);
            ++plain;
          }
    if (const std::string move = descent(on); !move.empty())
      add(move, "a descent from level 1 to 2");
    promotion_example(add);
    for (const Castle& castle : start.castles)
      if (castle.colour == start.to_move && !castle.ways.empty()) {
        const Square to = castle.ways.front().king_to;
        const bool named_by_rook = std::abs(to - castle.king) < 2;
        add(text_of(castle.king, named_by_rook ? castle.rook : to), "castling");
        break;
      }
    if (file_.hands)
      for (std::size_t t = 0; t < file_.hands->drops.size(); ++t) {
        const SquareSet onto = file_.hands->drops[t].onto[0];
        Square to = kNoSquare;
        for (Square s = 0; s < file_.board.squares && to == kNoSquare; ++s)
          if (onto[s] && s >= file_.board.squares / 2) to = s;
        if (to == kNoSquare) continue;
        add(file_.pieces[t].letter + "@" + zones_.name(to), "a drop");
        break;
      }
    movement_examples(add);
    std::string text;
    for (const std::string& move : moves)
      text += (text.empty() ? "" : ", ") + move;
    return text;
  }

 private:
  /// A move of the start of the type, or "".
  std::string move_of(TypeIndex type, const std::vector<const Placed*>& on) const {
    const Start& start = file_.starts.front();
    const CellBoard cells = build_cells(file_.board);
    const PieceSide& side =
        file_.pieces[type].sides[static_cast<std::size_t>(index(start.to_move))];
    for (const Leg& leg : side.legs) {
      if (!leg.moves || leg.hop != Hop::None) continue;
      for (const Route& route :
           routes_of(file_.board, cells, leg, file_.pieces[type].crosses_barriers_sideways, 0)) {
        const Placed* const mover = on[route.from];
        if (mover == nullptr || mover->type != type || mover->colour != start.to_move ||
            on[route.to] != nullptr || is_hole(route.to) || in_gap(route.to) || in_gap(route.from))
          continue;
        if (std::ranges::any_of(route.empty,
                                [&](Square s) { return on[s] != nullptr || in_gap(s); }))
          continue;
        return text_of(route.from, route.to);
      }
    }
    return "";
  }
  /// A move of the start that ends under a hole, or "".
  std::string descent(const std::vector<const Placed*>& on) const {
    const Levels& levels = file_.board.levels;
    if (levels.below.empty()) return "";
    const CellBoard cells = build_cells(file_.board);
    for (Square from = 0; from < file_.board.squares; ++from) {
      if (on[from] == nullptr || on[from]->colour != file_.starts.front().to_move ||
          !(levels.descend >> on[from]->type & 1))
        continue;
      const PieceType& type = file_.pieces[on[from]->type];
      for (const Leg& leg : type.sides[static_cast<std::size_t>(index(on[from]->colour))].legs)
        for (const Route& route : routes_of(file_.board, cells, leg, false, 0)) {
          if (route.from != from || !leg.moves || !is_hole(route.to) || !route.hurdle.empty() ||
              std::ranges::any_of(route.empty, [&](Square s) { return on[s] != nullptr; }))
            continue;
          for (const Square below : levels.below[route.to]) {
            const auto to = static_cast<Square>(file_.board.squares + below);
            const Zones::Place hole = zones_.place(route.to), end = zones_.place(to);
            if (on[to] == nullptr && !(levels.count > 2 && is_hole(below)) &&
                (hole.row + hole.column + end.row + end.column) % 2 == 0)
              return text_of(from, to);
          }
        }
    }
    return "";
  }
  bool is_hole(Square s) const {
    return !file_.board.levels.below.empty() && !file_.board.levels.below[s].empty();
  }
  bool in_gap(Square s) const {
    if (!file_.board.sectors) return false;
    for (const int gap : file_.board.sectors->gaps) {
      const auto& area = file_.board.sectors->areas[static_cast<std::size_t>(gap)];
      if (std::ranges::find(area, s) != area.end()) return true;
    }
    return false;
  }
  std::string text_of(Square from, Square to) const {
    return zones_.name(from) + (file_.board.levels.count > 1 ? "-" : "") + zones_.name(to);
  }
  template <class Add>
  void promotion_example(Add&& add) const {
    for (const PieceType& piece : file_.pieces)
      for (const Promotion& promotion : piece.sides[0].promotions) {
        if (promotion.to.empty()) continue;
        const CellBoard cells = build_cells(file_.board);
        for (const Leg& leg : piece.sides[0].legs)
          for (const Route& route : routes_of(file_.board, cells, leg, false, 0)) {
            if (!leg.moves || !promotion.on[route.to] || is_hole(route.to)) continue;
            const std::string& to = file_.pieces[promotion.to.front()].letter;
            std::string letter;
            for (const char c : to)
              letter += c == '+' ? c : static_cast<char>(c - 'A' + 'a');
            add(text_of(route.from, route.to) + (to == "+" + piece.letter ? "+" : letter),
                "promotion");
            return;
          }
      }
  }
  template <class Add>
  void movement_examples(Add&& add) const {
    const Board& b = file_.board;
    for (const Part& part : b.parts)
      if (part.shift) {
        const bool by_ranks = part.shift->files == Interval{};
        const int most = by_ranks ? part.shift->ranks.high : part.shift->files.high;
        add((by_ranks ? "@^" : "@+") + std::to_string(most > 0 ? 1 : most), "a shift");
      }
    if (b.sectors && b.sectors->slide && !b.sectors->gaps.empty()) {
      const auto gap = static_cast<std::size_t>(b.sectors->gaps.front());
      const auto columns = static_cast<std::size_t>(b.sectors->columns);
      const std::size_t beside = gap % columns > 0 ? gap - 1 : gap + 1;
      add(sector_name(*b.sectors, beside) + "-" + sector_name(*b.sectors, gap), "a slide");
    }
    for (std::size_t i = 0; i < b.belts.size(); ++i)
      if (b.belts[i].control.when == When::Instead) {
        add("@" + (b.belts[i].name.empty() ? std::to_string(i + 1) : b.belts[i].name) + "+",
            "a belt is turned");
        break;
      }
  }

  const GameFile& file_;
  Zones zones_;
};

}  // namespace

std::string move_examples(const GameFile& file) {
  return Examples(file).text();
}

}  // namespace faultline::data
