// Looks for symmetries: everything is mapped and compared.
#include "model/encoding/data_symmetry.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <utility>

#include "rules/bitboard.h"
#include "rules/data/routes.h"
#include "rules/data/stacked_bitboard.h"
#include "rules/zobrist.h"

namespace faultline::data {

BoardMap::BoardMap(const Board& board, bool with_ranks, bool with_files, bool with_colours)
    : ranks(with_ranks), files(with_files), colours(with_colours) {
  std::vector<Square> of_level(static_cast<std::size_t>(board.squares), kNoSquare);
  for (std::size_t row = 0; row < board.rows.size(); ++row)
    for (std::size_t i = 0; i < board.rows[row].size(); ++i) {
      const Cell& cell = board.rows[row][i];
      const auto& row_there = board.rows[ranks ? board.rows.size() - 1 - row : row];
      const Cell& there = row_there[files ? row_there.size() - 1 - i : i];
      if (cell.kind != there.kind) return;
      if (cell.kind == CellKind::Square) of_level[cell.square] = there.square;
    }
  for (int level = 0; level < board.levels.count; ++level)
    for (const Square s : of_level)
      squares.push_back(static_cast<Square>(s + level * board.squares));
}

namespace {

constexpr Colour kSides[] = {Colour::White, Colour::Black};

/// The routes of a type, with all that the legs say of them, each as a hash; sorted.
using Hashes = std::vector<std::uint64_t>;

template <class B>
class Comparison {
 public:
  Comparison(const GameTables<B>& game, const BoardMap& map)
      : game_(game), file_(game.file()), board_(file_.board), map_(map) {}

  /// How many types of White's do the same as their images, and how many zones to be reached.
  int likeness() const {
    if (map_.squares.empty()) return -1;
    int alike = 0;
    for (std::size_t type = 0; type < file_.pieces.size(); ++type)
      alike += is_same_type(Colour::White, type) ? 1 : 0;
    const auto& reach = file_.ends.sides[at(Colour::White)].reach;
    const auto& others = file_.ends.sides[at(mapped(Colour::White))].reach;
    for (std::size_t i = 0; i < std::min(reach.size(), others.size()); ++i)
      alike += is_image(reach[i].zone, others[i].zone) ? 1 : 0;
    return alike;
  }
  bool is_same() const {
    return !map_.squares.empty() && is_same_board() &&
           std::all_of(kSides, kSides + 2, [&](Colour c) { return is_same_side(c); });
  }

 private:
  Square mapped(Square s) const { return map_.squares[s]; }
  Colour mapped(Colour c) const { return map_.colours ? ~c : c; }
  SquareSet mapped(const SquareSet& set) const {
    SquareSet result;
    for (Square s = 0; s < map_.squares.size(); ++s)
      if (set[s]) result.set(mapped(s));
    return result;
  }
  B mapped_set(B set) const {
    B result{};
    for_each_square(set & game_.board, [&](Square s) { result |= square_set<B>(mapped(s)); });
    return result;
  }
  /// Of two sets of squares, of which a file may name squares that the board does not have.
  bool is_image(const SquareSet& set, const SquareSet& image) const {
    for (Square s = 0; s < map_.squares.size(); ++s)
      if (set[s] != image[mapped(s)]) return false;
    return true;
  }

  // ------------------------------------------------------------------------------------- devices

  bool is_same_board() const {
    if (map_.colours && (!board_.parts.empty() || game_.has_phase)) return false;
    for (const Part& part : board_.parts) {
      if (!is_image(part.squares, part.squares)) return false;
      if (map_.ranks || !part.shift) {
        if (map_.ranks || part.files != 0) return false;
        continue;
      }
      const auto is_even = [](Interval i) { return i.low == -i.high; };
      if (!is_even(part.shift->files) || !is_even(part.shift->within)) return false;
    }
    return has_same_belts() && has_same_areas() && has_same_levels() &&
           (!file_.rules.explode || has_same_neighbours());
  }

  /// Of a belt, where everything on it goes.
  std::vector<std::pair<Square, Square>> steps_of(const Belt& belt, bool image) const {
    std::vector<std::pair<Square, Square>> steps;
    for (const std::vector<Square>& cycle : belt.cycles) {
      const auto n = static_cast<int>(cycle.size());
      const auto step = static_cast<std::size_t>((belt.steps % n + n) % n);
      for (std::size_t i = 0; i < cycle.size(); ++i) {
        const Square from = cycle[i], to = cycle[(i + step) % cycle.size()];
        steps.emplace_back(image ? mapped(from) : from, image ? mapped(to) : to);
      }
    }
    std::sort(steps.begin(), steps.end());
    return steps;
  }
  static auto content(const Control& c) {
    return std::tuple(c.when, c.every, c.who, c.uses, c.pause, c.undo);
  }
  bool has_same_belts() const {
    for (const Belt& belt : board_.belts) {
      const auto image = steps_of(belt, true);
      const auto same = [&](const Belt& other) {
        return content(other.control) == content(belt.control) &&
               other.both_ways == belt.both_ways && steps_of(other, false) == image;
      };
      // A belt that is a turn of its own has counters and kinds of moves.
      const bool is_turn = belt.control.when == When::Instead;
      if (is_turn ? !same(belt) : std::none_of(board_.belts.begin(), board_.belts.end(), same))
        return false;
    }
    return true;
  }
  bool has_same_areas() const {
    if (!board_.sectors) return true;
    for (const std::vector<Square>& area : board_.sectors->areas) {
      std::vector<Square> image;
      for (const Square s : area)
        image.push_back(mapped(s));
      std::sort(image.begin(), image.end());
      const auto same = [&](std::vector<Square> other) {
        std::sort(other.begin(), other.end());
        return other == image;
      };
      if (std::none_of(board_.sectors->areas.begin(), board_.sectors->areas.end(), same))
        return false;
    }
    return true;
  }
  bool has_same_levels() const {
    for (std::size_t left = 0; left < game_.holes.size(); ++left) {
      if (mapped_set(game_.holes[left]) != game_.holes[left]) return false;
      bool same = true;
      for_each_square(game_.holes[left], [&](Square hole) {
        same &= mapped_set(game_.under[left][hole]) == game_.under[left][mapped(hole)];
      });
      if (!same) return false;
    }
    if ((board_.levels.same & board_.levels.descend) == 0) return true;
    const B image = mapped_set(game_.dark);
    return image == game_.dark || image == (game_.board & ~game_.dark);
  }
  /// All eight directions together: what explodes.
  bool has_same_neighbours() const {
    const auto neighbours = [&](Square s) {
      B set{};
      for (int d = 0; d < kDirections; ++d)
        for (const Square next : game_.graph.neighbours(s, static_cast<Direction>(d)))
          set |= square_set<B>(next);
      return set;
    };
    for (Square s = 0; s < game_.squares; ++s)
      if (mapped_set(neighbours(s)) != neighbours(mapped(s))) return false;
    return true;
  }

  // -------------------------------------------------------------------------------------- pieces

  static std::uint64_t mixed(std::uint64_t a, std::uint64_t b) {
    return splitmix64(a * 1000003 + b);
  }

  /// Where a leg may land: of boards with holes, whose routes end before that.
  std::uint64_t hash(const SquareSet& onto, bool image) const {
    std::uint64_t sum = 0;
    for (Square s = 0; s < map_.squares.size(); ++s)
      if (onto[s]) sum += mixed(image ? mapped(s) : s, 3);
    return sum;
  }
  std::uint64_t hash(const Leg& leg, const Route& route, int first, bool image) const {
    const auto place = [&](Square s) -> std::uint64_t {
      const auto square = static_cast<Square>(s + first);
      return image ? mapped(square) : square;
    };
    const auto set_hash = [&](const std::vector<Square>& set, std::uint64_t tag) {
      std::uint64_t sum = 0;
      for (const Square s : set)
        sum += mixed(place(s), tag);
      return sum;
    };
    const std::uint64_t takes = leg.captures ? leg.takes & game_.all_types : 0;
    const std::uint64_t uses = takes << 8 | (leg.moves ? 1U : 0U) | (leg.en_passant ? 2U : 0U) |
                               (leg.moves && leg.leaves_passed ? 4U : 0U);
    std::uint64_t hash = mixed(place(route.from), uses);
    hash = mixed(hash, place(route.to));
    hash = mixed(hash, set_hash(route.empty, 1));
    return mixed(hash, set_hash(route.hurdle, 2));
  }
  bool has_holes() const { return !board_.levels.below.empty(); }

  Hashes routes_of_type(Colour c, std::size_t type, bool image) const {
    std::vector<Displacement> places;
    for (const Part& part : board_.parts)
      places.push_back({0, part.ranks});
    const CellBoard cells = build_cells(board_, places);
    const PieceType& piece = file_.pieces[type];
    Hashes hashes;
    for (const Leg& leg : piece.sides[at(c)].legs) {
      const std::uint64_t onto = has_holes() ? hash(leg.onto, image) : 0;
      for (int level = 0; level < board_.levels.count; ++level) {
        const int first = level * board_.squares;
        for (const Route& route :
             routes_of(board_, cells, leg, piece.crosses_barriers_sideways, first))
          if (has_holes() || leg.onto[static_cast<std::size_t>(route.to + first)])
            hashes.push_back(mixed(hash(leg, route, first, image), onto));
      }
    }
    std::sort(hashes.begin(), hashes.end());
    hashes.erase(std::unique(hashes.begin(), hashes.end()), hashes.end());
    return hashes;
  }

  bool is_same_promotion(const Promotion& a, const Promotion& b) const {
    const auto types = [](std::vector<TypeIndex> to) {
      std::sort(to.begin(), to.end());
      return to;
    };
    return is_image(a.on, b.on) && is_image(a.must, b.must) && a.leaving == b.leaving &&
           a.stock == b.stock && types(a.to) == types(b.to) && a.carried == b.carried;
  }
  bool is_same_type(Colour c, std::size_t type) const {
    const PieceSide& side = file_.pieces[type].sides[at(c)];
    const PieceSide& other = file_.pieces[type].sides[at(mapped(c))];
    if (side.royal != other.royal || side.promotions.size() != other.promotions.size())
      return false;
    for (const Promotion& promotion : side.promotions)
      if (std::none_of(other.promotions.begin(), other.promotions.end(),
                       [&](const Promotion& p) { return is_same_promotion(promotion, p); }))
        return false;
    const TypeRules<B>& rules = game_.rules[at(c)][type];
    const TypeRules<B>& others = game_.rules[at(mapped(c))][type];
    if (mapped_set(rules.barred) != (others.barred & game_.board)) return false;
    if (file_.hands && (mapped_set(rules.drops) != others.drops || rules.a_file != others.a_file ||
                        rules.drop_may_mate != others.drop_may_mate))
      return false;
    return routes_of_type(c, type, true) == routes_of_type(mapped(c), type, false);
  }

  // --------------------------------------------------------------------------------------- sides

  bool counts_pieces(const SideEnds& ends) const {
    bool counts = std::any_of(ends.extinct.begin(), ends.extinct.end(),
                              [](const Extinct& extinct) { return !extinct.all; });
    for (const PieceType& piece : file_.pieces)
      for (const PieceSide& side : piece.sides)
        for (const Promotion& promotion : side.promotions)
          counts |= promotion.stock;
    return counts;
  }
  static int royals_at_start(const GameTables<B>& game, Colour c) {
    int count = 0;
    for (int t = 0; t < game.types; ++t)
      if (game.royals[at(c)] >> t & 1)
        count += game.start_counts[at(c)][static_cast<std::size_t>(t)];
    return count;
  }
  bool has_same_ends(Colour c) const {
    const SideEnds& ends = file_.ends.sides[at(c)];
    const SideEnds& others = file_.ends.sides[at(mapped(c))];
    if (std::tie(ends.checks, ends.checkmate, ends.stalemate) !=
            std::tie(others.checks, others.checkmate, others.stalemate) ||
        ends.bare_king.has_value() != others.bare_king.has_value() ||
        ends.extinct.size() != others.extinct.size() || ends.reach.size() != others.reach.size())
      return false;
    if (ends.bare_king && (ends.bare_king->reply != others.bare_king->reply ||
                           ends.bare_king->result != others.bare_king->result))
      return false;
    for (std::size_t i = 0; i < ends.extinct.size(); ++i) {
      const Extinct& a = ends.extinct[i];
      const Extinct& b = others.extinct[i];
      if (std::tie(a.types, a.all, a.result) != std::tie(b.types, b.all, b.result)) return false;
    }
    for (std::size_t i = 0; i < ends.reach.size(); ++i) {
      const Reach& a = ends.reach[i];
      const Reach& b = others.reach[i];
      if (std::tie(a.types, a.reply, a.result) != std::tie(b.types, b.reply, b.result) ||
          !is_image(a.zone, b.zone))
        return false;
    }
    return true;
  }
  bool has_same_castles(Colour c) const {
    const auto same = [&](const CastleTable<B>& a, const CastleTable<B>& b) {
      if (b.colour != mapped(c) || b.king != mapped(a.king) || b.rook != mapped(a.rook) ||
          b.king_type != a.king_type || b.rook_type != a.rook_type || b.letter != a.letter ||
          b.ways.size() != a.ways.size())
        return false;
      return std::all_of(a.ways.begin(), a.ways.end(), [&](const auto& way) {
        return std::any_of(b.ways.begin(), b.ways.end(), [&](const auto& other) {
          return other.king_to == mapped(way.king_to) && other.rook_to == mapped(way.rook_to) &&
                 other.empty == mapped_set(way.empty) && other.safe == mapped_set(way.safe) &&
                 other.by_rook == way.by_rook;
        });
      });
    };
    return std::all_of(game_.castles.begin(), game_.castles.end(), [&](const auto& castle) {
      return castle.colour != c ||
             std::any_of(game_.castles.begin(), game_.castles.end(),
                         [&](const auto& other) { return same(castle, other); });
    });
  }
  bool is_same_side(Colour c) const {
    if (map_.colours) {
      if (!has_same_castles(c) || game_.more_royals[0] != game_.more_royals[1] ||
          royals_at_start(game_, c) != royals_at_start(game_, ~c))
        return false;
      if (counts_pieces(file_.ends.sides[at(c)]) && game_.start_counts[0] != game_.start_counts[1])
        return false;
    }
    if (!has_same_ends(c)) return false;
    for (std::size_t type = 0; type < file_.pieces.size(); ++type)
      if (!is_same_type(c, type)) return false;
    return true;
  }

  const GameTables<B>& game_;
  const GameFile& file_;
  const Board& board_;
  const BoardMap& map_;
};

}  // namespace

template <class B>
bool is_symmetry(const GameTables<B>& game, const BoardMap& map) {
  return Comparison<B>(game, map).is_same();
}
template <class B>
int likeness(const GameTables<B>& game, const BoardMap& map) {
  return Comparison<B>(game, map).likeness();
}
template bool is_symmetry(const GameTables<Bitboard>&, const BoardMap&);
template bool is_symmetry(const GameTables<WideBitboard>&, const BoardMap&);
template bool is_symmetry(const GameTables<StackedBitboard>&, const BoardMap&);
template int likeness(const GameTables<Bitboard>&, const BoardMap&);
template int likeness(const GameTables<WideBitboard>&, const BoardMap&);
template int likeness(const GameTables<StackedBitboard>&, const BoardMap&);

}  // namespace faultline::data
