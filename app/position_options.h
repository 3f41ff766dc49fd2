// A position named on the command line: a variant, a FEN or its start, and moves played from there.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "rules/families.h"
#include "rules/history.h"
#include "rules/position.h"

namespace CLI {
class App;
}

namespace faultline {

struct PositionOptions {
  std::string variant;
  std::string fen;    // "": the start position
  std::string moves;  // separated by blanks
};

/// Adds VARIANT, --fen and --moves, which write into `options`.
void add_position_options(CLI::App& command, PositionOptions& options);

std::vector<std::string> split_words(std::string_view text);

/// The square that a move text starts with: letters, then digits, with a level in front in inferno;
/// empty if it starts with none.
std::string_view origin_of(std::string_view text);

/// Throws UsageError for the `index`-th (from 1) of the moves given; says which moves are legal
/// from the square that `text` starts with, or else all of them.
[[noreturn]] void refuse_move(const std::string& text, std::size_t index, const std::string& fen,
                              const std::vector<std::string>& legal);

/// The texts of all legal moves, sorted by byte value.
template <Position P>
std::vector<std::string> sorted_move_texts(const P& position) {
  typename P::MoveList moves;
  position.legal_moves(moves);
  std::vector<std::string> texts;
  for (const Move move : moves)
    texts.push_back(position.move_text(move));
  std::ranges::sort(texts);
  return texts;
}

/// A position and the move that led to it, as far as one was given.
template <Position P>
struct LastMove {
  P before;
  Move move;
};

/// Calls `f(history, variant, last)` with a `PositionHistory<P>`, its `P::Variant` and the
/// `std::optional<LastMove<P>>` of --moves; gives back what `f` gives. Throws VariantError,
/// FenError, and UsageError for an illegal move.
template <class F>
decltype(auto) with_last_move(const PositionOptions& options, F&& f) {
  return with_family(
      parse_variant_name(options.variant),
      [&]<class P>(std::type_identity<P>, const typename P::Variant& variant) -> decltype(auto) {
        PositionHistory<P> history(options.fen.empty() ? P::start(variant)
                                                       : P::from_fen(variant, options.fen));
        std::optional<LastMove<P>> last;
        std::size_t index = 0;
        for (const std::string& text : split_words(options.moves)) {
          ++index;
          const auto move = history.position().parse_move(text);
          if (!move)
            refuse_move(text, index, history.position().fen(),
                        sorted_move_texts(history.position()));
          last = {history.position(), *move};
          history.play(*move);
        }
        return std::forward<F>(f)(history, variant, last);
      });
}

/// The same without the last move: calls `f(history, variant)`.
template <class F>
decltype(auto) with_history(const PositionOptions& options, F&& f) {
  return with_last_move(
      options, [&](const auto& history, const auto& variant, const auto&) -> decltype(auto) {
        return std::forward<F>(f)(history, variant);
      });
}

}  // namespace faultline
