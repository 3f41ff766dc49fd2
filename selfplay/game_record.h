// A finished game: all that training needs of it, and its bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "rules/history.h"
#include "rules/move.h"
#include "rules/position.h"
#include "rules/types.h"

namespace faultline {

/// Stored games that are damaged, of another variant, or not what they claim to be. The message
/// names the file where there is one.
class ReplayError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct PlyRecord {
  Move move = Move::none();
  /// A search chose the move, and `win` and `draw` are its root value. Plies of a random opening
  /// have none.
  bool searched = false;
  /// A training target, which only a searched ply can be.
  bool target = false;
  /// The root's value after the search, from the mover: win and draw in 1/65535, loss is the rest.
  std::uint16_t win = 0;
  std::uint16_t draw = 0;
  /// The policy target, of training targets alone: a weight per legal move, in legal_moves() order,
  /// of which only the proportions count and at least one is above 0. Visits where visits made it;
  /// other distributions are scaled to 65535.
  std::vector<std::uint32_t> policy = {};

  friend bool operator==(const PlyRecord&, const PlyRecord&) = default;
};

/// Which network, among all of all runs.
struct NetworkIdentity {
  std::int64_t steps = 0;  // optimiser steps
  std::uint64_t hash = 0;  // weights_hash() of the weights that play; 0: not known, or no network
  friend bool operator==(const NetworkIdentity&, const NetworkIdentity&) = default;
};

/// The most plies that a record may have, and that `selfplay.max_plies` may allow.
inline constexpr std::size_t kMostPlies = 100'000;

struct GameRecord {
  std::uint64_t number = 0;  // within the run, from 0; no two games of a run share one
  NetworkIdentity net;       // the newest network that had a part in the game
  std::string start_fen;     // "": the variant's start position
  std::vector<PlyRecord> plies;
  Outcome outcome = Outcome::Ongoing;
  bool resigned = false;  // the outcome was given up, not reached on the board

  std::uint32_t target_count() const;
  friend bool operator==(const GameRecord&, const GameRecord&) = default;
};

/// A probability as the record keeps it, and back.
std::uint16_t pack_probability(float p);
float unpack_probability(std::uint16_t packed);

/// Versions of the record's layout. Version 1 knows root values of training targets only, and no
/// hash of the network.
inline constexpr std::uint32_t kRecordVersion = 2;

/// The record's bytes in the present version, not compressed; game_record.cpp shows the layout.
std::vector<std::byte> encode_game(const GameRecord& game);
/// Throws ReplayError if the bytes are not exactly one record of `version` (1 or 2). Never needs
/// more than 32 bytes of memory per byte that it reads.
GameRecord decode_game(std::span<const std::byte> bytes, std::uint32_t version = kRecordVersion);

/// Plays a record again from its start: calls `visit(history, moves, ply)` before each ply is
/// played, with the game so far (PositionHistory<P>), all legal moves and the PlyRecord. Returns
/// the final history. Throws ReplayError if the record does not fit the rules: a start that is no
/// position, an illegal move, a wrong number of policy weights, plies behind the game's end, an
/// outcome that the board does not show.
template <Position P, class Visit>
PositionHistory<P> replay_game(const typename P::Variant& variant, const GameRecord& game,
                               Visit&& visit) {
  const auto refuse = [&](std::size_t ply, const std::string& reason) {
    throw ReplayError(fmt::format("game {}, ply {}: {}", game.number, ply, reason));
  };
  const auto start = [&] {
    if (game.start_fen.empty()) return P::start(variant);
    try {
      return P::from_fen(variant, game.start_fen);
    } catch (const FenError& error) {
      throw ReplayError(fmt::format("game {}: its start: {}", game.number, error.what()));
    }
  };
  PositionHistory<P> history(start());
  typename P::MoveList moves;
  for (std::size_t i = 0; i < game.plies.size(); ++i) {
    const PlyRecord& ply = game.plies[i];
    moves.clear();
    history.position().legal_moves(moves);
    bool legal = false;
    for (const Move move : moves)
      legal = legal || move == ply.move;
    if (!legal) refuse(i, fmt::format("move {:#x} is not legal", ply.move.bits()));
    if (is_over(history.outcome(true))) refuse(i, "the game was over before");
    if (ply.target && ply.policy.size() != moves.size())
      refuse(i,
             fmt::format("{} policy weights for {} legal moves", ply.policy.size(), moves.size()));
    visit(static_cast<const PositionHistory<P>&>(history),
          static_cast<const typename P::MoveList&>(moves), ply);
    history.play(ply.move);
  }
  const Outcome shown = history.outcome();
  if (shown != game.outcome && game.outcome != Outcome::Adjudicated && !game.resigned)
    refuse(game.plies.size(),
           fmt::format("the record says '{}', the board '{}'", name(game.outcome), name(shown)));
  return history;
}

}  // namespace faultline
