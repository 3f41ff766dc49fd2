// The definitions of FastEncoder; for the sources of model/encoding/ only, each of which ends with
//   template struct FastEncoder<NamePosition>;
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "model/encoding/encoder_impl.h"
#include "model/fast/fast_encoder.h"
#include "model/fast/fast_evaluation.h"

namespace faultline {

namespace detail {

/// Planes of numbers that are inputs hold eighths from -1 to 1.
inline constexpr int kEighths = 8;
inline constexpr int kNumbers = 2 * kEighths + 1;

/// Whether both sides see the board alike. Otherwise each has inputs of its own.
template <class P>
inline constexpr bool kViewsAreAlike = FamilyEncoding<P>::kBlackView != BlackView::AsWhite;

/// Calls `f(input)` for every input that is 1.
template <bool mirrored, class P, class F>
void for_each_fast_input(const P& position, Colour view, F&& f) {
  using Family = FamilyEncoding<P>;
  const Planes<P>& planes = planes_of(position);
  const auto canvas = Family::canvas(position, view);
  const int levels = Family::levels(position);
  const int width = canvas.width();
  const int cells = width * canvas.height();
  const int group = cells * levels;
  const auto place = [&](int cell) {
    if constexpr (mirrored) return cell / width * width + canvas.used_width() - 1 - cell % width;
    return cell;
  };
  const int types = planes.piece_types;
  const int first = !kViewsAreAlike<P> && view == Colour::Black ? 2 * types * group : 0;
  position.for_each_piece([&](Colour c, PieceType t, Square s) {
    const auto [level, square] = place_of<P>(s);
    f(first + ((c == view ? 0 : types) + index(t)) * group + place(canvas.cell(square)) * levels +
      level);
  });
  int next = (kViewsAreAlike<P> ? 2 : 4) * types * group;
  if (levels > 1) {
    f(next + Family::levels_left(position) - 1);
    next += levels;
  }
  const Shown<P> shown{position, 0, 0, view};
  for (const Plane<P>& plane : planes.of_level) {
    if (!plane.is_board) continue;
    if (plane.number != nullptr) {
      const auto number = static_cast<int>(std::lround(kEighths * plane.number(shown)));
      f(next + kEighths + std::clamp(number, -kEighths, kEighths));
      next += kNumbers;
    } else {
      for_each_square(plane.squares(shown), [&](Square s) { f(next + place(canvas.cell(s))); });
      next += cells;
    }
  }
}

template <class P>
struct FamilyFastInputs {
  template <class F>
  void operator()(const P& position, Colour view, F&& f) const {
    for_each_fast_input<false>(position, view, f);
  }
};

}  // namespace detail

template <Position P>
FastLayout FastEncoder<P>::layout(const typename P::Variant& variant) {
  using Family = FamilyEncoding<P>;
  const Planes<P>& planes = Family::planes_of(variant);
  const auto canvas = Family::canvas(variant, Colour::White);
  const int cells = canvas.width() * canvas.height();
  FastLayout layout;
  layout.family = family_of<P>(variant).name;
  layout.levels = Family::levels(variant);
  for (const char* view : {"", "Black's view: "}) {
    if (detail::kViewsAreAlike<P> && *view != '\0') break;
    for (const char* side : {"own ", "enemy "})
      for (int type = 0; type < planes.piece_types; ++type)
        layout.groups.push_back(
            {.name = view + std::string(side) +
                     std::string(detail::kTypeNames<P>[static_cast<std::size_t>(type)]),
             .size = cells * layout.levels,
             .by_cell = true});
  }
  if (layout.levels > 1) layout.groups.push_back({.name = "levels", .size = layout.levels});
  for (const Plane<P>& plane : planes.of_level)
    if (plane.is_board)
      layout.groups.push_back({.name = plane.name,
                               .size = plane.number != nullptr ? detail::kNumbers : cells,
                               .by_cell = plane.number == nullptr});
  return layout;
}

template <Position P>
void FastEncoder<P>::inputs(const P& position, Colour view, bool mirrored,
                            std::vector<std::uint16_t>& inputs) {
  const auto add = [&](int input) { inputs.push_back(static_cast<std::uint16_t>(input)); };
  if (mirrored && FamilyEncoding<P>::kMirrorsFastInputs)
    detail::for_each_fast_input<true>(position, view, add);
  else
    detail::for_each_fast_input<false>(position, view, add);
}

template <Position P>
std::shared_ptr<const PositionEvaluation<P>> FastEncoder<P>::evaluation(
    const typename P::Variant& variant, std::shared_ptr<const FastNetwork> network) {
  detail::require_layout(*network, layout(variant), variant.canonical_name());
  using Inputs = detail::FamilyFastInputs<P>;
  return std::make_shared<detail::FastEvaluation<P, Inputs>>(std::move(network), Inputs{});
}

}  // namespace faultline
