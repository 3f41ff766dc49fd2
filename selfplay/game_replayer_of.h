// Replays the recorded games of one family.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "model/encoding/attack_planes.h"
#include "model/fast/fast_encoder.h"
#include "rules/history.h"
#include "search/material.h"
#include "selfplay/family.h"
#include "selfplay/game_replayer.h"

namespace faultline {

template <Position P>
class TrainingPositionsOf final : public TrainingPositions {
 public:
  explicit TrainingPositionsOf(std::vector<P> positions) : positions_(std::move(positions)) {}

  std::size_t bytes() const override { return positions_.size() * sizeof(P); }
  std::vector<PolicyIndex> encode(std::size_t i, int repetitions, const EncodingInfo& encoding,
                                  std::span<float> planes, bool mirrored) const override {
    const P& position = positions_[i];
    PositionEncoder<P>(encoding).encode(position, repetitions, planes);
    typename P::MoveList legal;
    position.legal_moves(legal);
    std::vector<PolicyIndex> moves;
    moves.reserve(legal.size());
    for (const Move move : legal)
      moves.push_back(Encoder<P>::policy_index(position, move));
    if (mirrored) Encoder<P>::mirror(position, planes, moves);
    return moves;
  }
  void add_fast_inputs(std::size_t i, bool mirrored, FastBatch& batch) const override {
    const Colour mover = positions_[i].side_to_move();
    for (const Colour view : {mover, ~mover}) {
      FastEncoder<P>::inputs(positions_[i], view, mirrored, batch.inputs);
      batch.first.push_back(static_cast<std::uint32_t>(batch.inputs.size()));
    }
  }

 private:
  std::vector<P> positions_;
};

template <Position P>
class GameReplayerOf final : public GameReplayer {
 public:
  /// `variant` must outlive it.
  explicit GameReplayerOf(const typename P::Variant& variant) : variant_(&variant) {}

  ReplayedGame replay(const GameRecord& game) const override {
    ReplayedGame replayed;
    replayed.movers.reserve(game.plies.size());
    std::vector<P> positions;
    positions.reserve(game.target_count());
    const auto add = [&](const PositionHistory<P>& history, bool quiet) {
      replayed.quiet.push_back(quiet);
      positions.push_back(history.position());
      replayed.sides.push_back(history.position().side_to_move());
      replayed.repetitions.push_back(
          static_cast<std::uint8_t>(std::min(history.repetitions(), 255)));
    };
    replay_game<P>(*variant_, game,
                   [&](const PositionHistory<P>& history, const auto& moves, const PlyRecord& ply) {
                     replayed.movers.push_back(history.position().side_to_move());
                     if (ply.target)
                       add(history, is_quiet(history.position(), moves[best_of(ply.policy)]));
                     for (const Aside& aside : ply.asides)
                       add(after(history, aside, game.number), true);
                   });
    replayed.positions = std::make_shared<TrainingPositionsOf<P>>(std::move(positions));
    return replayed;
  }

 private:
  static std::size_t best_of(const std::vector<std::uint32_t>& policy) {
    return static_cast<std::size_t>(std::ranges::max_element(policy) - policy.begin());
  }
  static PositionHistory<P> after(PositionHistory<P> history, const Aside& aside,
                                  std::uint64_t number) {
    for (const Move move : aside.moves) {
      typename P::MoveList legal;
      history.position().legal_moves(legal);
      if (std::ranges::find(legal, move) == legal.end() ||
          is_over(history.position().outcome(true)))  // asides know of no repetitions
        throw ReplayError(
            fmt::format("game {}: move {:#x} of an aside is not legal", number, move.bits()));
      history.play(move);
    }
    const P& end = history.position();
    if (is_over(end.outcome(end.count_legal_moves() > 0)))
      throw ReplayError(fmt::format("game {}: an aside ends the game", number));
    return history;
  }

  const typename P::Variant* variant_;
};

template <Position P>
std::unique_ptr<const GameReplayer> make_family_replayer(const typename P::Variant& variant) {
  return std::make_unique<GameReplayerOf<P>>(variant);
}

}  // namespace faultline
