// Games that start without some of the pieces.
#pragma once

#include <random>
#include <string>
#include <string_view>

#include "rules/history.h"
#include "rules/position.h"

namespace faultline {

/// The start position `fen` without some of its pieces; kings stay. Both sides lack up to 40 % of
/// theirs, and each up to 20 % more: the shares are drawn first, uniformly, then whether a piece is
/// missing. Without castling rights if a rook is missing.
std::string without_some_pieces(std::string_view fen, std::mt19937_64& rng);

/// Draws, with probability `share`, the FEN of such a position of `variant`, which is legal and not
/// over, else "". Piece odds as a curriculum: what a piece is worth is learned where its absence
/// decides games, of which there are few while both sides lose theirs by chance.
template <Position P>
std::string odds_start(const typename P::Variant& variant, double share, std::mt19937_64& rng) {
  constexpr int kAttempts = 20;
  if (share <= 0 || std::uniform_real_distribution<double>(0, 1)(rng) >= share) return {};
  const std::string start = P::start(variant).fen();
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    std::string fen = without_some_pieces(start, rng);
    try {
      if (!is_over(PositionHistory<P>(P::from_fen(variant, fen)).outcome())) return fen;
    } catch (const FenError&) {  // of a king in a check that the missing pieces had shielded
    }
  }
  return {};
}

}  // namespace faultline
