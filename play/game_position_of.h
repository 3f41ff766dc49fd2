// A family's positions and evaluators behind the interface of play/game.h.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/encoding/attack_planes.h"
#include "model/encoding/encoding.h"
#include "play/game.h"
#include "rules/history.h"
#include "rules/perft.h"
#include "search/evaluator.h"

namespace faultline {

template <Position P>
class GamePositionOf final : public GamePosition {
 public:
  explicit GamePositionOf(PositionHistory<P> history) : history_(std::move(history)) {}
  const PositionHistory<P>& history() const { return history_; }

  std::unique_ptr<GamePosition> clone() const override {
    return std::make_unique<GamePositionOf>(history_);
  }
  std::string fen() const override { return position().fen(); }
  std::string picture() const override { return position().picture(); }
  BoardPicture board_picture() const override { return position().board_picture(); }
  void mark_move(Move move, BoardPicture& after) const override {
    position().mark_move(move, after);
  }
  BoardEffects board_effects(Move move) const override { return position().board_effects(move); }
  Colour side_to_move() const override { return position().side_to_move(); }
  bool in_check() const override { return position().in_check(); }
  std::uint64_t key() const override { return position().key(); }
  int halfmove_clock() const override { return position().halfmove_clock(); }
  int full_move_number() const override { return position().full_move_number(); }
  Piece piece_at(Square square) const override { return position().piece_at(square); }
  const PieceKinds& piece_kinds() const override { return position().piece_kinds(); }
  std::vector<Move> legal_moves() const override {
    typename P::MoveList moves;
    position().legal_moves(moves);
    return {moves.begin(), moves.end()};
  }
  std::string square_text(Square square) const override { return position().square_text(square); }
  std::string move_text(Move move) const override { return position().move_text(move); }
  std::optional<Move> parse_move(std::string_view text) const override {
    return position().parse_move(text);
  }
  std::uint64_t perft(int depth) const override { return faultline::perft(position(), depth); }
  int plies() const override { return history_.plies(); }
  int repetitions() const override { return history_.repetitions(); }
  Outcome outcome() const override { return history_.outcome(); }
  void play(Move move) override { history_.play(move); }
  void encode(const EncodingInfo& encoding, std::span<float> planes) const override {
    PositionEncoder<P>(encoding).encode(position(), history_.repetitions(), planes);
  }
  PolicyIndex policy_index(Move move) const override {
    return Encoder<P>::policy_index(position(), move);
  }

 private:
  const P& position() const { return history_.position(); }

  PositionHistory<P> history_;
};

/// The history behind a position; throws std::bad_cast for one of another family.
template <Position P>
const PositionHistory<P>& history_of(const GamePosition& position) {
  return dynamic_cast<const GamePositionOf<P>&>(position).history();
}

/// Throws std::invalid_argument if there is no legal move or a move to search is not legal. A game
/// that is drawn by repetition, 100 plies or bare kings can be analysed: these are claims, and end
/// only the lines below the root.
inline void check_can_be_analysed(const GamePosition& position, const SearchLimits& limits) {
  const std::vector<Move> legal = position.legal_moves();
  if (legal.empty())
    throw std::invalid_argument("there is nothing to analyse: the game is over in " +
                                position.fen());
  for (const Move move : limits.search_moves)
    if (std::ranges::find(legal, move) == legal.end())
      throw std::invalid_argument("a move to search is not legal in " + position.fen());
}

template <Position P>
class GameEvaluatorOf final : public GameEvaluator {
 public:
  explicit GameEvaluatorOf(std::unique_ptr<Evaluator<P>> evaluator)
      : evaluator_(std::move(evaluator)) {}
  Evaluator<P>& evaluator() { return *evaluator_; }

  std::vector<RawEvaluation> evaluate(
      std::span<const GamePosition* const> positions) const override {
    EvalBatch<P> batch;
    typename P::MoveList moves;
    for (const GamePosition* position : positions) {
      const PositionHistory<P>& history = history_of<P>(*position);
      moves.clear();
      history.position().legal_moves(moves);
      batch.add(history.position(), history.repetitions(), {moves.begin(), moves.end()});
    }
    std::vector<RawEvaluation> found;
    if (batch.empty()) return found;
    evaluator_->evaluate(batch);
    found.reserve(batch.size());
    for (std::size_t i = 0; i < batch.size(); ++i) {
      const auto priors = batch.priors(i);
      found.push_back({batch.evaluation(i), {priors.begin(), priors.end()}});
    }
    return found;
  }

 private:
  std::unique_ptr<Evaluator<P>> evaluator_;
};

}  // namespace faultline
