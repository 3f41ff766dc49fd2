// Computes path tables from routes.
#include "rules/data/path_tables.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <map>
#include <string>
#include <utility>

namespace faultline::data {

namespace {

/// A route as sets.
template <class B>
struct Path {
  B empty, hurdle, end;
};

/// For each subset of `mask`, numbered by its members, what the paths reach while it is occupied.
template <class B>
std::vector<B> entries_of(const std::vector<Path<B>>& paths, B mask) {
  const auto numbers = [&](B squares) {
    std::size_t result = 0;
    std::size_t i = 0;
    for_each_square(mask, [&](Square s) { result |= std::size_t{contains(squares, s)} << i++; });
    return result;
  };
  struct Numbered {
    std::size_t empty, hurdle;
    B end;
  };
  std::vector<Numbered> numbered;
  for (const Path<B>& path : paths)
    numbered.push_back({numbers(path.empty), numbers(path.hurdle), path.end});
  std::vector<B> result(std::size_t{1} << count(mask));
  for (std::size_t occupied = 0; occupied < result.size(); ++occupied)
    for (const Numbered& path : numbered)
      if ((occupied & path.empty) == 0 &&
          (path.hurdle == 0 || std::has_single_bit(occupied & path.hurdle)))
        result[occupied] |= path.end;
  return result;
}

/// By line: the squares that matter to it from each square.
template <class B>
using LineMasks = std::map<int, std::vector<B>>;

template <class B>
int most_squares(const std::vector<B>& a, const std::vector<B>& b) {
  int most = 0;
  for (std::size_t s = 0; s < a.size(); ++s)
    most = std::max(most, count(a[s] | b[s]));
  return most;
}

/// Groups of lines, each small enough for one lookup if its lines are.
template <class B>
std::vector<std::vector<int>> lookups_of(const LineMasks<B>& lines) {
  std::vector<std::vector<int>> groups;
  std::vector<std::vector<B>> masks;
  for (const auto& [line, of_line] : lines) {
    std::size_t i = 0;
    while (i < groups.size() && most_squares(masks[i], of_line) > kMostMaskSquares)
      ++i;
    if (i == groups.size()) {
      groups.emplace_back();
      masks.emplace_back(of_line.size());
    }
    groups[i].push_back(line);
    for (std::size_t s = 0; s < of_line.size(); ++s)
      masks[i][s] |= of_line[s];
    if (most_squares(masks[i], masks[i]) > kMostLineSquares)
      throw GameLimit("a way on which more than " + std::to_string(kMostLineSquares) +
                      " squares can block a piece");
  }
  return groups;
}

}  // namespace

template <class B>
template <class T>
const T* TablePool<B>::kept(const std::vector<T>& values) {
  const std::string_view bytes(reinterpret_cast<const char*>(values.data()),
                               values.size() * sizeof(T));
  const auto found = addresses_.find(bytes);
  if (found != addresses_.end()) return reinterpret_cast<const T*>(found->second);
  arrays_.push_back(std::make_unique<std::byte[]>(bytes.size()));
  std::byte* const array = arrays_.back().get();
  std::memcpy(array, bytes.data(), bytes.size());
  addresses_.emplace(std::string_view(reinterpret_cast<const char*>(array), bytes.size()), array);
  return reinterpret_cast<const T*>(array);
}

template <class B>
template <class S>
std::pair<PathArrays<S>, std::size_t> TablePool<B>::arrays(std::span<const Route> routes,
                                                           bool reversed) {
  // Numbered within what an S holds.
  const std::size_t most = std::is_same_v<S, B> ? squares_ : level_squares_;
  const auto set = [&](std::span<const Square> squares) {
    S result{};
    for (const Square s : squares)
      result |= square_set<S>(static_cast<Square>(s % most));
    return result;
  };
  std::vector<S> leaps(squares_);
  LineMasks<S> lines;
  std::map<std::pair<int, Square>, std::vector<Path<S>>> by_line;
  for (const Route& route : routes) {
    const Square from = reversed ? route.to : route.from;
    const Square end = reversed ? route.from : route.to;
    const Path<S> path{set(route.empty), set(route.hurdle), set(std::span(&end, 1))};
    if (!any(path.empty | path.hurdle)) {
      leaps[from] |= path.end;
      continue;
    }
    auto& masks = lines[route.line];
    masks.resize(squares_);
    masks[from] |= path.empty | path.hurdle;
    by_line[{route.line, from}].push_back(path);
  }
  const std::vector<std::vector<int>> groups = lookups_of(lines);
  std::vector<PathLookup<S>> lookups;
  for (std::size_t s = 0; s < squares_; ++s)
    for (const std::vector<int>& group : groups) {
      PathLookup<S> lookup;
      std::vector<Path<S>> through;
      for (const int line : group) {
        const auto found = by_line.find({line, static_cast<Square>(s)});
        if (found == by_line.end()) continue;
        through.insert(through.end(), found->second.begin(), found->second.end());
        lookup.mask |= lines[line][s];
      }
      lookup.entries = kept(entries_of(through, lookup.mask));
      lookups.push_back(lookup);
    }
  return {{kept(leaps), lookups.empty() ? nullptr : kept(lookups)}, groups.size()};
}

template <class B>
PathTable<B> TablePool<B>::table(std::span<const Route> routes, bool reversed) {
  if (routes.empty()) return {};
  if constexpr (!std::is_same_v<B, Bitboard>)
    if (level_squares_ < squares_ && level_squares_ <= 64) {
      std::vector<Square> first;
      for (std::size_t s = 0; s < squares_; ++s)
        first.push_back(static_cast<Square>(s - s % level_squares_));
      const auto [arrays_of_level, lookups] = arrays<Bitboard>(routes, reversed);
      return PathTable<B>(arrays_of_level, lookups, kept(first));
    }
  const auto [arrays_of_board, lookups] = arrays<B>(routes, reversed);
  return PathTable<B>(arrays_of_board, lookups);
}

template class TablePool<Bitboard>;
template class TablePool<WideBitboard>;
template class TablePool<StackedBitboard>;

}  // namespace faultline::data
