// A finished game: everything that training needs, and its serialisation.
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
#include "search/network_identity.h"

namespace faultline {

/// Stored games that are damaged, of another variant, or inconsistent. The message names the file
/// if there is one.
class ReplayError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A position off the line of a game, and what a search found it to be worth: a training target of
/// values alone.
struct Aside {
  std::vector<Move> moves = {};  // from the position of the ply
  std::uint16_t win = 0;         // for the side to move after them, as PlyRecord has them
  std::uint16_t draw = 0;

  friend bool operator==(const Aside&, const Aside&) = default;
};

struct PlyRecord {
  Move move = Move::none();
  /// A search chose the move, and `win` and `draw` are its root value. Plies of a random opening
  /// have none.
  bool searched = false;
  /// A training target, which only a searched ply can be.
  bool target = false;
  /// The root value after the search, for the side to move: win and draw in units of 1/65535, loss
  /// is the rest.
  std::uint16_t win = 0;
  std::uint16_t draw = 0;
  /// The policy target, for training targets only: a weight per legal move, in legal_moves() order;
  /// only the proportions matter, and at least one is above 0. Visit counts if it comes from
  /// visits; other distributions are scaled to whole numbers below 65536.
  std::vector<std::uint32_t> policy = {};
  /// How much the search changed the network's mind, the divergence of the policy target from the
  /// root's priors (policy_surprise()), in units of kSurpriseUnit nats.
  std::uint16_t surprise = 0;
  /// Off the line from here.
  std::vector<Aside> asides = {};

  friend bool operator==(const PlyRecord&, const PlyRecord&) = default;
};

/// The most plies that a record may have, and that `selfplay.max_plies` may allow.
inline constexpr std::size_t kMostPlies = 100'000;

struct GameRecord {
  std::uint64_t number = 0;  // within the run, from 0; no two games of a run share one
  NetworkIdentity net;       // the newest network that took part in the game
  std::string start_fen;     // "": the variant's start position
  std::vector<PlyRecord> plies;
  Outcome outcome = Outcome::Ongoing;
  bool resigned = false;  // the game ended by resignation, not on the board

  /// The training positions, asides included.
  std::uint32_t target_count() const;
  friend bool operator==(const GameRecord&, const GameRecord&) = default;
};

/// A probability as stored in the record, and back.
std::uint16_t pack_probability(float p);
float unpack_probability(std::uint16_t packed);

/// A divergence in nats, 0 or more, as stored in the record, and back. Stored are at most 63.999.
inline constexpr float kSurpriseUnit = 1.0F / 1024;
std::uint16_t pack_surprise(double nats);
float unpack_surprise(std::uint16_t packed);

/// Version of the record's layout. Version 3 has no asides, version 2 no surprises; version 1 has
/// root values for training targets only, and no network hash.
inline constexpr std::uint32_t kRecordVersion = 4;

/// The record's bytes in the current version, not compressed; game_record.cpp documents the layout.
std::vector<std::byte> encode_game(const GameRecord& game);
/// Throws ReplayError if the bytes are not exactly one record of `version` (1 to 4). Never needs
/// more than 32 bytes of memory per byte that it reads.
GameRecord decode_game(std::span<const std::byte> bytes, std::uint32_t version = kRecordVersion);

/// Replays a record from its start: calls `visit(history, moves, ply)` before each ply is played,
/// with the game so far (PositionHistory<P>), all legal moves and the PlyRecord. Returns the final
/// history. Throws ReplayError if the record is inconsistent with the rules: an invalid start
/// position, an illegal move, a wrong number of policy weights, plies after the end of the game, an
/// outcome that differs from that of the final position.
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
      throw ReplayError(fmt::format("game {}: start position: {}", game.number, error.what()));
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
    if (is_over(history.outcome(true))) refuse(i, "the game was already over");
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
           fmt::format("the recorded outcome is '{}', but on the board it is '{}'",
                       name(game.outcome), name(shown)));
  return history;
}

}  // namespace faultline
