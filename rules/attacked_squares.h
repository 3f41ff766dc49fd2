// The squares that one side attacks.
#pragma once

namespace faultline {

/// Those that at least one of its pieces attacks, and those of them that two or more do.
template <class B>
struct AttackedSquares {
  B once{};
  B twice{};

  /// One more piece attacks `squares`.
  void add(B squares) {
    twice |= once & squares;
    once |= squares;
  }
};

}  // namespace faultline
