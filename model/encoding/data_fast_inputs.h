// Inputs of fast networks for games of files: pieces by cell, and what changes with the board.
#pragma once

#include <algorithm>

#include "model/encoding/data_encoding.h"

namespace faultline::data {

/// Calls `f(input)` for every input that is 1.
template <class B>
struct FastInputs {
  const DataEncoding<B>* encoding;

  template <class F>
  void operator()(const DataPosition<B>& position, Colour view, F&& f) const {
    for_each(
        position, view, [](int policy_cell) { return policy_cell; }, false, f);
  }
  template <class F>
  void mirrored(const DataPosition<B>& position, Colour view, F&& f) const {
    const auto there = [&](int policy_cell) {
      return encoding->mirrored(position, {policy_cell, policy_cell, 0}).from;
    };
    for_each(position, view, there, true, f);
  }

 private:
  template <class Place, class F>
  void for_each(const DataPosition<B>& position, Colour view, Place&& place, bool is_mirrored,
                F&& f) const {
    const auto& canvas = encoding->canvas(position.tables());
    const int types = encoding->types();
    const int group = encoding->info().policy_cells();
    const bool has_own_view = !encoding->views_are_alike() && view == Colour::Black;
    const int begin = has_own_view ? 2 * types * group : 0;
    const auto at = [&](Square s) { return place(encoding->policy_cell(canvas, view, s)); };
    position.for_each_piece([&](Colour c, faultline::PieceType t, Square s) {
      f(begin + ((c == view ? 0 : types) + index(t)) * group + at(s));
    });
    int next = (encoding->views_are_alike() ? 2 : 4) * types * group;
    if (encoding->levels() > 1) {
      f(next + position.levels() - 1);
      next += encoding->levels();
    }
    const int levels = encoding->levels();
    for (const DataPlane<B>& plane : encoding->planes()) {
      if (!plane.is_input()) continue;
      if (plane.is_number()) {
        const int shown = encoding->number(position, 0, plane, view);
        const int number = is_mirrored && plane.negated ? -shown : shown;
        f(next + std::clamp(number, plane.low, plane.high) - plane.low);
        next += plane.high - plane.low + 1;
      } else {
        for_each_square(encoding->squares(position, plane, view),
                        [&](Square s) { f(next + at(s) / levels); });
        next += encoding->info().cells();
      }
    }
  }
};

}  // namespace faultline::data
