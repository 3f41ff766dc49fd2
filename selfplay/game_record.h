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
  /// Searched in full: a training target. Else the fields below are empty.
  bool target = false;
  /// Root evaluation after the search, from the mover: win and draw in 1/65535, loss is the rest.
  std::uint16_t win = 0;
  std::uint16_t draw = 0;
  /// One count a legal move, in legal_moves() order; at least one is above 0.
  std::vector<std::uint32_t> visits = {};

  friend bool operator==(const PlyRecord&, const PlyRecord&) = default;
};

struct GameRecord {
  std::uint64_t number = 0;    // within the run, from 0; no two games of a run share one
  std::int64_t net_steps = 0;  // optimiser steps of the newest network that played in it
  std::string start_fen;       // "": the variant's start position
  std::vector<PlyRecord> plies;
  Outcome outcome = Outcome::Ongoing;
  bool resigned = false;  // the outcome was given up, not reached on the board

  std::uint32_t target_count() const;
  friend bool operator==(const GameRecord&, const GameRecord&) = default;
};

/// A probability as the record keeps it, and back.
std::uint16_t pack_probability(float p);
float unpack_probability(std::uint16_t packed);

/// The record's bytes, not compressed; the layout stands in game_record.cpp.
std::vector<std::byte> encode_game(const GameRecord& game);
/// Throws ReplayError if the bytes are not exactly one record.
GameRecord decode_game(std::span<const std::byte> bytes);

/// Plays a record again from its start: calls `visit(line, moves, ply)` before each ply is played,
/// with the game so far (PositionHistory<P>), all legal moves and the PlyRecord. Returns the final
/// line. Throws ReplayError if the record does not fit the rules: an illegal move, a wrong number
/// of visit counts, an outcome that the board does not show.
template <Position P, class Visit>
PositionHistory<P> replay_game(const typename P::Variant& variant, const GameRecord& game,
                               Visit&& visit) {
  const auto refuse = [&](std::size_t ply, const std::string& reason) {
    throw ReplayError(fmt::format("game {}, ply {}: {}", game.number, ply, reason));
  };
  PositionHistory<P> history(game.start_fen.empty() ? P::start(variant)
                                                    : P::from_fen(variant, game.start_fen));
  typename P::MoveList moves;
  for (std::size_t i = 0; i < game.plies.size(); ++i) {
    const PlyRecord& ply = game.plies[i];
    moves.clear();
    history.position().legal_moves(moves);
    bool legal = false;
    for (const Move move : moves)
      legal = legal || move == ply.move;
    if (!legal) refuse(i, fmt::format("move {:#x} is not legal", ply.move.bits()));
    if (ply.target && ply.visits.size() != moves.size())
      refuse(i, fmt::format("{} visit counts for {} legal moves", ply.visits.size(), moves.size()));
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
