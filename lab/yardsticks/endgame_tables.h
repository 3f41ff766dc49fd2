// Exact values of all positions of a few pieces, by passes forward over their moves: they need only
// legal moves and play(), so that they hold on boards that move, too.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "rules/position.h"

namespace faultline {

/// With the best play of both sides, for the side to move: n > 0 is a win in n plies, 0 a draw, and
/// -(n + 1) a loss in n plies, so that -1 is mate or another game that is lost already.
using EndgameValue = std::int16_t;
inline constexpr EndgameValue kNoPosition = std::numeric_limits<EndgameValue>::min();

/// That of a position with a move to a position of this value.
constexpr EndgameValue value_before(EndgameValue after) {
  if (after == 0) return 0;
  return static_cast<EndgameValue>(after > 0 ? -(after + 2) : -after);
}

/// Thrown where the computation of a table is stopped.
struct EndgamesStopped {};

/// Clocks, repetitions and the rights of castling and en passant are no part of the tables.
template <Position P>
class EndgameTables {
 public:
  /// Pieces in the order of (colour, type), both kings among them.
  using Material = std::vector<Piece>;
  /// The positions of a set by their value for the side to move, also those that are over.
  struct Counts {
    std::int64_t won = 0, drawn = 0, lost = 0;
    int longest = 0;  // plies of the longest win
  };
  /// Makes a position of pieces, by square, and the side to move; nullopt if it is impossible.
  using Placement = std::vector<std::pair<Square, Piece>>;
  using Maker = std::function<std::optional<P>(const Placement&, Colour)>;

  /// `squares`: of the board, numbered from 0. Once `stop`, which may be null, is true, computing
  /// throws EndgamesStopped.
  EndgameTables(int squares, Maker maker, const std::atomic<bool>* stop = nullptr)
      : squares_(squares), maker_(std::move(maker)), stop_(stop) {}

  /// Of a position, without its history; its set is solved first, if it was not.
  EndgameValue value(const P& position) {
    const std::optional<EndgameValue> over = value_if_over(position);
    return over ? *over : lookup(position);
  }
  Counts counts(Material material) {
    sort(material);
    Counts counts;
    for (const EndgameValue value : table(material)) {
      if (value == kNoPosition) continue;
      ++(value > 0 ? counts.won : value < 0 ? counts.lost : counts.drawn);
      counts.longest = std::max<int>(counts.longest, value);
    }
    return counts;
  }
  /// About how many bytes it takes to solve a set, which has most_pieces() or fewer.
  double bytes_needed(Material material) const {
    // A pawn's promotions are solved in the meantime, so that there are several lists of moves, all
    // of about the length of that of queens.
    int tables = 1;
    for (Piece& piece : material)
      if (piece.type == PieceType::Pawn) {
        piece.type = PieceType::Queen;
        ++tables;
      }
    sort(material);
    const auto places = static_cast<double>(places_of(material));
    return tables * (places * (sizeof(EndgameValue) + sizeof(std::uint64_t)) +
                     moves_of(material) * sizeof(Child));
  }
  /// The most pieces whose places have numbers.
  int most_pieces() const {
    int pieces = 0;
    for (std::uint64_t places = 2; places <= kOutside; places *= static_cast<unsigned>(squares_))
      ++pieces;
    return pieces - 1;
  }
  /// The places of a set's table, of which many are of no position.
  std::size_t places(Material material) {
    sort(material);
    return table(material).size();
  }
  /// The value at a place, kNoPosition if there is none.
  EndgameValue value_at(Material material, std::size_t place) {
    sort(material);
    return table(material)[place];
  }
  /// The position at a place; nullopt if there is none, or it is over.
  std::optional<P> position_at(Material material, std::size_t place) {
    sort(material);
    if (table(material)[place] == kNoPosition) return std::nullopt;
    std::optional<P> position = make(material, place);
    if (position && value_if_over(*position)) return std::nullopt;
    return position;
  }

 private:
  using Key = std::vector<std::pair<int, int>>;  // of a material
  /// A place of the same table, or from kOutside on, in the lower half, a value that is known.
  using Child = std::uint32_t;
  static constexpr Child kOutside = Child{1} << 31U;
  struct Children {
    std::vector<std::uint64_t> first;
    std::vector<Child> all;
  };

  static std::pair<int, int> rank_of(Piece p) {
    return {static_cast<int>(p.colour), index(p.type)};
  }
  static void sort(Material& material) { std::ranges::sort(material, {}, rank_of); }
  static Key key_of(const Material& material) {
    Key key;
    for (const Piece piece : material)
      key.push_back(rank_of(piece));
    return key;
  }

  static std::optional<EndgameValue> value_if_over(const P& position) {
    const Outcome outcome = position.outcome(position.count_legal_moves() > 0);
    if (!is_over(outcome)) return std::nullopt;
    if (is_draw(outcome)) return EndgameValue{0};
    const bool white = outcome == Outcome::WhiteWins;
    const bool won = white == (position.side_to_move() == Colour::White);
    return won ? EndgameValue{1} : EndgameValue{-1};
  }

  /// The pieces in the order of Material, equal ones by their squares.
  static void placement_of(const P& position, Placement& pieces) {
    pieces.clear();
    position.for_each_piece([&](Colour colour, PieceType type, Square square) {
      pieces.emplace_back(square, Piece{type, colour});
    });
    std::ranges::sort(pieces, {}, [](const auto& p) {
      return std::pair(rank_of(p.second), static_cast<int>(p.first));
    });
  }
  static Material material_of(const Placement& pieces) {
    Material material;
    for (const auto& [square, piece] : pieces)
      material.push_back(piece);
    return material;
  }
  std::uint32_t index_of(const Placement& pieces, Colour side) const {
    std::uint32_t at = side == Colour::White ? 0 : 1;
    for (const auto& [square, piece] : pieces)
      at = at * static_cast<std::uint32_t>(squares_) + static_cast<std::uint32_t>(square);
    return at;
  }
  std::optional<P> make(const Material& material, std::size_t at) const {
    Placement pieces(material.size());
    const auto squares = static_cast<std::size_t>(squares_);
    for (std::size_t i = material.size(); i-- > 0; at /= squares)
      pieces[i] = {static_cast<Square>(at % squares), material[i]};
    for (std::size_t i = 0; i < pieces.size(); ++i)
      for (std::size_t j = 0; j < i; ++j) {
        if (pieces[i].first == pieces[j].first) return std::nullopt;
        if (pieces[i].second == pieces[j].second && pieces[j].first > pieces[i].first)
          return std::nullopt;
      }
    return maker_(pieces, at == 0 ? Colour::White : Colour::Black);
  }

  EndgameValue lookup(const P& position) {
    Placement pieces;
    placement_of(position, pieces);
    return table(material_of(pieces))[index_of(pieces, position.side_to_move())];
  }

  const std::vector<EndgameValue>& table(const Material& material) {
    std::unique_ptr<std::vector<EndgameValue>>& slot = tables_[key_of(material)];
    if (!slot) slot = std::make_unique<std::vector<EndgameValue>>(compute(material));
    return *slot;
  }

  /// Positions that are over have their values in the tables, too.
  Child child_of(const P& position, const Material& material) {
    placement_of(position, pieces_);
    if (!std::ranges::equal(pieces_, material, {}, &Placement::value_type::second))
      return kOutside | static_cast<std::uint16_t>(lookup(position));
    return index_of(pieces_, position.side_to_move());
  }
  static EndgameValue value_of(Child child, const std::vector<EndgameValue>& values) {
    return child < kOutside ? values[child]
                            : static_cast<EndgameValue>(static_cast<std::uint16_t>(child));
  }
  std::size_t places_of(const Material& material) const {
    std::size_t places = 2;
    for (std::size_t i = 0; i < material.size(); ++i)
      places *= static_cast<std::size_t>(squares_);
    return places;
  }

  /// The legal moves of all its positions, with a tenth of room: from places drawn at random.
  double moves_of(const Material& material) const {
    constexpr int kSamples = 4096;
    const std::size_t places = places_of(material);
    std::mt19937_64 rng(places);
    std::size_t moves = 0;
    for (int i = 0; i < kSamples; ++i)
      if (const std::optional<P> position = make(material, rng() % places))
        moves += position->count_legal_moves();
    return 1.1 * static_cast<double>(moves) / kSamples * static_cast<double>(places);
  }

  std::vector<EndgameValue> compute(const Material& material) {
    std::vector<EndgameValue> values(places_of(material), kNoPosition);
    const Children children = children_of(material, values);
    int latest = 0;  // plies of the longest way to a known value outside
    for (const Child child : children.all)
      if (child >= kOutside) latest = std::max(latest, std::abs(value_of(child, values)) + 1);
    int plies = 1;
    while (pass(children, values, plies) || plies <= latest) {
      check_stop();
      ++plies;
    }
    return values;
  }

  void check_stop() const {
    if (stop_ != nullptr && *stop_) throw EndgamesStopped{};
  }

  /// Sets `values` to 0 where there is a game to play, and to its value where it is over.
  Children children_of(const Material& material, std::vector<EndgameValue>& values) {
    Children children;
    children.first.reserve(values.size() + 1);
    children.all.reserve(static_cast<std::size_t>(moves_of(material)));
    for (std::size_t i = 0; i < values.size(); ++i) {
      children.first.push_back(children.all.size());
      if (i % 1024 == 0) check_stop();
      const std::optional<P> position = make(material, i);
      if (!position) continue;
      const auto over = value_if_over(*position);
      values[i] = over.value_or(EndgameValue{0});
      if (over) continue;
      typename P::MoveList moves;
      position->legal_moves(moves);
      for (const Move move : moves) {
        P next = *position;
        next.play(move);
        children.all.push_back(child_of(next, material));
      }
    }
    children.first.push_back(children.all.size());
    return children;
  }

  /// Finds what is won or lost in exactly `plies`; whether there is any.
  static bool pass(const Children& children, std::vector<EndgameValue>& values, int plies) {
    bool any = false;
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (values[i] != 0 || children.first[i] == children.first[i + 1]) continue;
      bool all_lose = true;
      bool wins = false;
      for (std::uint64_t c = children.first[i]; c < children.first[i + 1] && !wins; ++c) {
        const int before = value_before(value_of(children.all[c], values));
        wins = before > 0 && before <= plies;
        all_lose = all_lose && before < 0 && -before - 1 <= plies;
      }
      if (!wins && !all_lose) continue;
      values[i] = static_cast<EndgameValue>(wins ? plies : -(plies + 1));
      any = true;
    }
    return any;
  }

  int squares_;
  Maker maker_;
  const std::atomic<bool>* stop_;
  Placement pieces_;  // of child_of(), so that it does not allocate
  std::map<Key, std::unique_ptr<std::vector<EndgameValue>>> tables_;
};

}  // namespace faultline
