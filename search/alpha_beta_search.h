// Alpha-beta search of one position to a given depth by one thread: principal variation search with
// a transposition table, quiescence, and selective depth. Iterative deepening, and the threads that
// search together, are in search/alpha_beta_searcher.h.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "rules/history.h"
#include "search/alpha_beta_params.h"
#include "search/centipawns.h"
#include "search/move_bias.h"
#include "search/move_ordering.h"
#include "search/node_budget.h"
#include "search/position_evaluation.h"
#include "search/search_result.h"
#include "search/static_evaluation.h"
#include "search/transposition_table.h"

namespace faultline {

/// Mate scores are proofs: no move of the side that is mated is ever left out (moves are skipped
/// only where another one is known to survive), and a stored mate is not used if the hundred-ply
/// draw might come first. Two things are not excluded: a stored score may rest on a repetition with
/// positions of another line, and two positions may share a bucket and the upper half of their keys
/// (about once in 10^9 lookups).
///
/// The side to move at the root may follow a strategy. What its limits forbid is searched at none
/// of that side's positions, captures included, so that being mated is then no proof. A bonus
/// counts at the root, where the move is compared with others, unless its score is a mate. Weights
/// mean nothing, as there are no priors.
///
/// Aligned: what one thread writes all the time is on no cache line of another's.
template <Position P>
class alignas(64) AlphaBetaSearch {
 public:
  using Clock = std::chrono::steady_clock;

  /// No line is longer, extensions and captures included.
  static constexpr int kMaxPly = 128;
  static constexpr int kMaxDepth = 100;

  struct RootMoveScore {
    Move move;
    int score = -kInfiniteScore;  // of the best move; for others an upper bound
    std::uint64_t nodes = 0;      // visited below it by all iterations
    float bonus = 0;              // the strategy's, win - loss
    int centipawns = 0;           // the same
    /// What is compared with other moves.
    int judged() const { return is_mate(score) ? score : score + centipawns; }
  };

  /// `learned`: evaluates positions; null: by material and placement. `table`, `budget`: of all
  /// threads of a search; they must outlive the object. `bias`: null: none.
  AlphaBetaSearch(const AlphaBetaParams& params,
                  std::shared_ptr<const PositionEvaluation<P>> learned,
                  std::shared_ptr<const MoveBias<P>> bias, TranspositionTable& table,
                  NodeBudget& budget)
      : params_(params),
        evaluation_(params),
        learned_(std::move(learned)),
        bias_(std::move(bias)),
        table_(&table),
        budget_(&budget),
        frames_(kMaxPly + 2) {
    for (std::size_t depth = 1; depth < reductions_.size(); ++depth)
      for (std::size_t i = 1; i < reductions_[depth].size(); ++i)
        reductions_[depth][i] = static_cast<std::uint8_t>(std::lround(
            std::log(static_cast<double>(depth)) * std::log(static_cast<double>(i)) / 2));
  }

  /// Prepares to search `root`, the last position of a game, `keys`; table and budget have begun a
  /// search. `limits`: `time`, since `begin`, and `stop` end it; must live until the last
  /// iteration. `moves`: those considered at the root, at least one, without those that the
  /// strategy forbids, unless it forbids all.
  void start(const P& root, const KeyHistory& keys, const SearchLimits& limits,
             std::span<const Move> moves, bool same_game, Clock::time_point begin) {
    if (same_game)
      history_.age();
    else
      history_.clear();
    limits_ = &limits;
    begin_ = begin;
    root_ = root;
    keys_ = keys;
    root_key_ = keys_.size() - 1;
    evaluation_.prepare(root_);
    std::ranges::fill(frames_, Frame{});
    moves_.clear();
    root_moves_.clear();
    lifted_ = 0;
    set_root_moves(moves);
    nodes_ = allowed_ = next_look_ = 0;
    evaluations_ = 0;
    selective_depth_ = 0;
    aborted_ = hurried_ = false;
    frames_[0].mobility = static_cast<int>(root_.count_legal_moves());
  }

  /// One iteration with the window (alpha, beta) of scores and their bonuses. Returns the best of
  /// them, which is outside the window if the search fails, or nothing if a limit was reached: then
  /// best_score() is that of the moves searched to the end, and the order of root_moves() is
  /// unchanged unless a better move was found. The first iteration is finished in any case, though
  /// without captures beyond its depth once a limit is reached.
  std::optional<int> search_root(int depth, int alpha, int beta) {
    iteration_ = depth;
    int best = -kInfiniteScore;
    for (std::size_t i = 0; i < root_moves_.size(); ++i) {
      RootMoveScore& entry = root_moves_[i];
      const std::uint64_t nodes_before = nodes_;
      P child = root_;
      child.play(entry.move);
      keys_.push(child.key());
      const bool check = child.in_check();
      const int low = is_mate(alpha) ? alpha : alpha - entry.centipawns;
      const int high = is_mate(beta) ? beta : beta - entry.centipawns;
      int score = 0;
      if (i == 0) {
        score = -search<true>(child, depth - 1, -high, -low, 1, check);
      } else {
        score = -search<false>(child, depth - 1, -low - 1, -low, 1, check);
        if (!aborted_ && score > low)
          score = -search<true>(child, depth - 1, -high, -low, 1, check);
      }
      keys_.pop();
      entry.nodes += nodes_ - nodes_before;
      if (aborted_) return std::nullopt;
      entry.score = score;
      const int judged = entry.judged();
      best = std::max(best, judged);
      if (judged <= alpha) continue;
      alpha = judged;
      best_score_ = score;
      best_judged_ = judged;
      variation_.assign(1, entry.move);
      variation_.insert(variation_.end(), frames_[1].variation.begin(), frames_[1].variation.end());
      const auto moves = root_moves_.begin();
      std::rotate(moves, moves + static_cast<std::ptrdiff_t>(i),
                  moves + static_cast<std::ptrdiff_t>(i) + 1);
      if (alpha >= beta) break;
    }
    return best;
  }

  /// Whether a limit is reached, looking at the clock.
  bool is_out_of_budget() {
    if (nodes_ >= allowed_) allowed_ += budget_->take();
    return nodes_ >= allowed_ || is_stopped();
  }

  /// The best move first, the others in the order of the search.
  const std::vector<RootMoveScore>& root_moves() const { return root_moves_; }
  /// The score of the best move; a lower bound if the search ended while it was above the window.
  int best_score() const { return best_score_; }
  /// The same with its bonus.
  int best_judged() const { return best_judged_; }
  /// Whether the strategy's limits forbid every move at the root, and below it at how many visits.
  bool limits_lifted() const { return root_lifted_; }
  std::uint32_t lifted_below() const { return lifted_; }
  bool follows_strategy() const { return bias_ != nullptr; }
  /// Begins with the best move.
  const std::vector<Move>& variation() const { return variation_; }
  std::uint64_t nodes() const { return nodes_; }
  std::uint64_t evaluations() const { return evaluations_; }
  int selective_depth() const { return selective_depth_; }

 private:
  struct Frame {
    std::vector<Move> variation;  // from here
    Killers killers;
    int mobility = 0;  // legal moves here; two plies ago in check
  };

  static constexpr int kDraw = 0;
  // From one look at the limits to the next, with a clock and without.
  static constexpr std::uint64_t kNodesPerClock = 512;
  static constexpr std::uint64_t kNodesPerFlag = 32;

  template <bool is_pv>
  int search(const P& position, int depth, int alpha, int beta, int ply, bool in_check) {
    if (depth <= 0) return quiescence<is_pv>(position, alpha, beta, ply, 0, in_check);
    frames_[index_of(ply)].variation.clear();
    if (!enter(ply)) return 0;
    if (const auto ended = ended_score(position, ply)) return *ended;
    if (ply >= kMaxPly) return evaluate(position);

    // Mate distance: no line through here is better than mating at once.
    alpha = std::max(alpha, -kMateScore + ply);
    beta = std::min(beta, kMateScore - ply - 1);
    if (alpha >= beta) return alpha;

    const std::uint64_t key = position.key();
    const Stored stored = look_up<is_pv>(position, key, depth, alpha, beta, ply);
    if (stored.score) return *stored.score;

    int evaluation = 0;
    if (!in_check) {
      evaluation = stored.evaluation ? *stored.evaluation : evaluate(position);
      // Static null move: so far above the window that a quiet move will keep it there.
      if (!is_pv && params_.shallow_pruning && depth <= kPrunedDepth && !is_mate(beta) &&
          evaluation - 90 * depth >= beta)
        return evaluation;
    }
    // Without a move from the table the order is bad, and a deep search is better spent later, when
    // this shallower one has filled it.
    if (stored.move == Move::none() && depth >= 4) --depth;

    const std::size_t first = moves_.size();
    const std::size_t count = generate(position);
    if (count == 0) return in_check ? -kMateScore + ply : kDraw;
    set_mobility(ply, count, in_check);
    if (follows(position)) leave_out_forbidden(position, first);
    order(position, first, stored.move, ply);

    NodeBest best{.alpha = alpha};
    for (std::size_t i = 0; first + i < moves_.size(); ++i) {
      const Move move = pick_next(moves_from(first), i);
      const bool is_quiet = !is_tactical(position, move);
      P child = position;
      child.play(move);
      table_->prefetch(child.key());
      const bool gives_check = child.in_check();

      if (!is_pv && params_.shallow_pruning && is_quiet && !in_check && !gives_check &&
          best.score > -kMinMate) {
        if (depth <= kPrunedDepth && i >= static_cast<std::size_t>(4 + 3 * depth * depth)) continue;
        if (depth <= kPrunedDepth && evaluation + 120 + 100 * depth <= best.alpha) continue;
      }

      const bool extend = params_.check_extension && gives_check && ply < 2 * iteration_;
      const int next = depth - 1 + (extend ? 1 : 0);
      int reduction = 0;
      if (params_.late_move_reductions && depth >= 3 && i >= 3 && is_quiet && !in_check &&
          !gives_check) {
        reduction = reductions_[static_cast<std::size_t>(std::min(depth, 63))]
                               [std::min<std::size_t>(i, 63)];
        if (is_pv) --reduction;
        if (is_killer(ply, move)) --reduction;
        reduction -= history_.of(position, move) / (MoveHistory<P>::kMost / 2);
        reduction = std::clamp(reduction, 0, std::max(0, next - 1));
      }

      keys_.push(child.key());
      int score = 0;
      const int floor = best.alpha;
      if (i == 0) {
        score = -search<is_pv>(child, next, -beta, -floor, ply + 1, gives_check);
      } else {
        score = -search<false>(child, next - reduction, -floor - 1, -floor, ply + 1, gives_check);
        if (!aborted_ && reduction > 0 && score > floor)
          score = -search<false>(child, next, -floor - 1, -floor, ply + 1, gives_check);
        if (is_pv && !aborted_ && score > floor)
          score = -search<true>(child, next, -beta, -floor, ply + 1, gives_check);
      }
      keys_.pop();
      if (aborted_) break;
      if (take<is_pv>(best, move, score, beta, ply)) {
        if (is_quiet) learn_cutoff(position, first, i, depth, ply);
        break;
      }
    }
    moves_.resize(first);
    if (aborted_) return 0;
    store(key, best, alpha, beta, evaluation, depth, ply);
    return best.score;
  }

  /// Captures and promotions until the position is quiet, and every answer to a check. `captures`:
  /// plies since the search proper.
  template <bool is_pv>
  int quiescence(const P& position, int alpha, int beta, int ply, int captures, bool in_check) {
    frames_[index_of(ply)].variation.clear();
    if (!enter(ply)) return 0;
    if (const auto ended = ended_score(position, ply)) return *ended;
    if (ply >= kMaxPly) return evaluate(position);

    const std::uint64_t key = position.key();
    const Stored stored = look_up<is_pv>(position, key, 0, alpha, beta, ply);
    if (stored.score) return *stored.score;

    NodeBest best{.alpha = alpha};
    int evaluation = 0;
    if (!in_check) {
      evaluation = stored.evaluation ? *stored.evaluation : evaluate(position);
      // No legal moves are counted where they cannot matter.
      if (evaluation - evaluation_.most_mobility() >= beta || is_hurried()) return evaluation;
    }
    const std::size_t first = moves_.size();
    const std::size_t count = generate(position);
    if (count == 0) return in_check ? -kMateScore + ply : kDraw;
    if (in_check && is_hurried()) {
      moves_.resize(first);
      return evaluate(position);
    }
    set_mobility(ply, count, in_check);
    if (follows(position)) leave_out_forbidden(position, first);
    if (!in_check) {
      best.score = evaluation + evaluation_.mobility(static_cast<int>(count),
                                                     frames_[index_of(ply - 1)].mobility);
      if (best.score >= beta || captures >= kMostCaptures) {
        moves_.resize(first);
        return best.score;
      }
      best.alpha = std::max(alpha, best.score);
      keep_tactical(position, first);
    }
    order(position, first, stored.move, ply);

    const int standing = best.score;
    for (std::size_t i = 0; first + i < moves_.size(); ++i) {
      const Move move = pick_next(moves_from(first), i);
      // Delta pruning: not even winning the piece for nothing reaches alpha.
      if (!in_check && standing + gain_of(position, move) + kDelta <= best.alpha) continue;
      P child = position;
      child.play(move);
      table_->prefetch(child.key());
      keys_.push(child.key());
      const int score =
          -quiescence<is_pv>(child, -beta, -best.alpha, ply + 1, captures + 1, child.in_check());
      keys_.pop();
      if (aborted_ || take<is_pv>(best, move, score, beta, ply)) break;
    }
    moves_.resize(first);
    if (aborted_) return 0;
    store(key, best, alpha, beta, evaluation, 0, ply);
    return best.score;
  }

  /// What the moves of a node have given so far.
  struct NodeBest {
    int alpha;  // of the node's window, raised by them
    int score = -kInfiniteScore;
    Move move = Move::none();  // the last that raised alpha
  };
  /// Takes the score of the next move; true if it reaches beta, so that no other matters.
  template <bool is_pv>
  bool take(NodeBest& best, Move move, int score, int beta, int ply) {
    if (score <= best.score) return false;
    best.score = score;
    if (score <= best.alpha) return false;
    best.alpha = score;
    best.move = move;
    if (is_pv) set_variation(ply, move);
    return score >= beta;
  }

  static constexpr int kPrunedDepth = 3;  // shallow pruning
  static constexpr int kMostCaptures = 24;
  static constexpr int kDelta = 200;

  /// Counts a position; false if a limit was reached and the search must unwind.
  bool enter(int ply) {
    if (nodes_ >= next_look_) [[unlikely]] {
      look_at_limits();
      if (aborted_) return false;
    }
    ++nodes_;
    selective_depth_ = std::max(selective_depth_, ply);
    return true;
  }
  void look_at_limits() {
    if (is_out_of_budget()) (iteration_ == 1 ? hurried_ : aborted_) = true;
    next_look_ = std::min(allowed_, nodes_ + (limits_->time ? kNodesPerClock : kNodesPerFlag));
  }
  bool is_stopped() const {
    if (limits_->stop != nullptr && limits_->stop->load(std::memory_order_relaxed)) return true;
    return limits_->time && Clock::now() - begin_ >= *limits_->time;
  }
  bool is_hurried() const { return hurried_ && iteration_ == 1; }

  /// The score of a position in which the game is over, as far as that is known without its moves.
  /// Inside the tree the first repetition is a draw.
  std::optional<int> ended_score(const P& position, int ply) const {
    if (is_repetition(position.repetition_window())) return kDraw;
    if (!is_over(position.outcome(true))) return std::nullopt;
    const Outcome outcome = position.outcome(position.count_legal_moves() > 0);
    return score_for(outcome, position.side_to_move()) < 0 ? -kMateScore + ply : kDraw;
  }
  bool is_repetition(int window) const {
    const auto last = static_cast<int>(keys_.size()) - 1;
    const int earliest = std::max(0, last - window);
    int found = 0;
    for (int i = last - 2; i >= earliest; i -= 2) {
      if (keys_[static_cast<std::size_t>(i)] != keys_.back()) continue;
      if (i > static_cast<int>(root_key_) || ++found == 2) return true;
    }
    return false;
  }

  int evaluate(const P& position) {
    ++evaluations_;
    return learned_ ? StaticEvaluation<P>::bounded(learned_->evaluate(position))
                    : evaluation_.evaluate(position);
  }

  /// What the table has on a position; empty if it has nothing.
  struct Stored {
    Move move = Move::none();
    std::optional<int> evaluation;
    std::optional<int> score;  // if it decides a node of this depth and window, off the variation
  };
  template <bool is_pv>
  Stored look_up(const P& position, std::uint64_t key, int depth, int alpha, int beta,
                 int ply) const {
    const std::optional<TranspositionTable::Entry> entry = table_->find(key);
    if (!entry) return {};
    Stored stored;
    stored.move = Move::from_bits(entry->move);
    stored.evaluation = entry->evaluation;
    if (!is_pv && entry->depth >= depth)
      stored.score = usable_score(position, *entry, alpha, beta, ply);
    return stored;
  }
  /// `alpha`, `beta`: the window that the node had.
  void store(std::uint64_t key, const NodeBest& best, int alpha, int beta, int evaluation,
             int depth, int ply) {
    const Bound bound = best.score >= beta   ? Bound::Lower
                        : best.score > alpha ? Bound::Exact
                                             : Bound::Upper;
    table_->store(key, best.move, best.score, evaluation, depth, bound, ply);
  }

  /// The stored score if it decides the node.
  static std::optional<int> usable_score(const P& position, const TranspositionTable::Entry& entry,
                                         int alpha, int beta, int ply) {
    const int score = TranspositionTable::score_at(entry, ply);
    const int clock = position.halfmove_clock();
    if (clock >= 90) return std::nullopt;
    if (is_mate(score) && std::abs(mate_plies_of(score)) - ply + clock >= 100) return std::nullopt;
    const bool decides = entry.bound == Bound::Exact ||
                         (entry.bound == Bound::Lower && score >= beta) ||
                         (entry.bound == Bound::Upper && score <= alpha);
    return decides ? std::optional(score) : std::nullopt;
  }

  /// Appends the legal moves to moves_; returns how many there are.
  std::size_t generate(const P& position) {
    position.legal_moves(generated_);
    for (const Move move : generated_)
      moves_.push_back({move, 0});
    return generated_.size();
  }
  bool follows(const P& position) const {
    return bias_ && position.side_to_move() == root_.side_to_move();
  }
  /// What the strategy says of the moves of a position of the line, those in generated_.
  /// `excluded(i)`: see Judgement.
  template <class Excluded>
  void judge(const P& position, const Excluded& excluded) {
    bias_->judge(position, LineKeys(keys_, {}), {generated_.begin(), generated_.end()},
                 judgement_.verdicts);
    judgement_.settle(excluded);
  }
  /// Removes what the strategy forbids from moves_, which has all moves of generated_ from `first`
  /// on, in their order.
  void leave_out_forbidden(const P& position, std::size_t first) {
    judge(position, [](std::size_t) { return false; });
    if (judgement_.lifted) ++lifted_;
    std::size_t to = first;
    for (std::size_t i = 0; i < judgement_.verdicts.size(); ++i)
      if (!judgement_.verdicts[i].forbidden) moves_[to++] = moves_[first + i];
    moves_.resize(to);
  }
  void set_root_moves(std::span<const Move> moves) {
    root_lifted_ = false;
    if (!bias_) {
      for (const Move move : moves)
        root_moves_.push_back({.move = move});
      return;
    }
    root_.legal_moves(generated_);
    judge(root_,
          [&](std::size_t i) { return std::ranges::find(moves, generated_[i]) == moves.end(); });
    root_lifted_ = judgement_.lifted;
    for (std::size_t i = 0; i < generated_.size(); ++i) {
      const MoveVerdict& verdict = judgement_.verdicts[i];
      if (verdict.forbidden) continue;
      root_moves_.push_back({.move = generated_[i],
                             .bonus = verdict.bonus,
                             .centipawns = centipawns_of_bonus(verdict.bonus)});
    }
  }
  std::span<ScoredMove> moves_from(std::size_t first) { return std::span(moves_).subspan(first); }
  void order(const P& position, std::size_t first, Move table_move, int ply) {
    const Killers& killers = frames_[index_of(ply)].killers;
    for (ScoredMove& entry : moves_from(first))
      entry.score = move_order(position, entry.move, table_move, killers, history_);
  }
  static bool is_tactical(const P& position, Move move) {
    return captured_type(position, move) != PieceType::None || move.kind() == MoveKind::Promotion;
  }
  /// Removes quiet moves and underpromotions from moves_.
  void keep_tactical(const P& position, std::size_t first) {
    const auto begin = moves_.begin() + static_cast<std::ptrdiff_t>(first);
    moves_.erase(std::remove_if(begin, moves_.end(),
                                [&](const ScoredMove& entry) {
                                  return !is_tactical(position, entry.move) ||
                                         is_underpromotion(position, entry.move);
                                }),
                 moves_.end());
  }
  /// What a capture or promotion wins at most.
  static int gain_of(const P& position, Move move) {
    int gain = piece_value(position, captured_type(position, move));
    if (move.kind() == MoveKind::Promotion) gain += piece_value(position, move.promotion());
    return gain;
  }

  void set_mobility(int ply, std::size_t count, bool in_check) {
    // A check leaves few moves and says nothing about mobility.
    frames_[index_of(ply)].mobility =
        in_check && ply >= 2 ? frames_[index_of(ply - 2)].mobility : static_cast<int>(count);
  }
  void set_variation(int ply, Move move) {
    std::vector<Move>& here = frames_[index_of(ply)].variation;
    const std::vector<Move>& below = frames_[index_of(ply + 1)].variation;
    here.assign(1, move);
    here.insert(here.end(), below.begin(), below.end());
  }
  bool is_killer(int ply, Move move) const {
    const Killers& killers = frames_[index_of(ply)].killers;
    return move == killers.moves[0] || move == killers.moves[1];
  }
  /// A quiet move caused a cutoff after `i` others.
  void learn_cutoff(const P& position, std::size_t first, std::size_t i, int depth, int ply) {
    const int bonus = std::min(16 * depth * depth, 1200);
    frames_[index_of(ply)].killers.add(moves_[first + i].move);
    history_.reward(position, moves_[first + i].move, bonus);
    for (std::size_t k = 0; k < i; ++k)
      if (!is_tactical(position, moves_[first + k].move))
        history_.reward(position, moves_[first + k].move, -bonus);
  }

  static std::size_t index_of(int ply) { return static_cast<std::size_t>(ply); }

  AlphaBetaParams params_;
  StaticEvaluation<P> evaluation_;  // mobility, and what learned_ does not do
  std::shared_ptr<const PositionEvaluation<P>> learned_;
  std::shared_ptr<const MoveBias<P>> bias_;  // null: there is no strategy
  TranspositionTable* table_;
  NodeBudget* budget_;
  MoveHistory<P> history_;
  std::array<std::array<std::uint8_t, 64>, 64> reductions_{};  // [depth][moves before]

  // Of the current search.
  const SearchLimits* limits_ = nullptr;
  Clock::time_point begin_;
  P root_{};
  KeyHistory keys_;           // of the game and of the current line
  std::size_t root_key_ = 0;  // the root's index in keys_
  std::vector<RootMoveScore> root_moves_;
  std::vector<Move> variation_;
  int best_score_ = 0, best_judged_ = 0;
  bool root_lifted_ = false;
  std::uint32_t lifted_ = 0;  // visits of positions where the strategy's limits forbid every move
  int iteration_ = 0;
  bool aborted_ = false;
  bool hurried_ = false;  // a limit was reached in the first iteration
  std::uint64_t nodes_ = 0;
  std::uint64_t allowed_ = 0;    // nodes, by the budget
  std::uint64_t next_look_ = 0;  // at the limits, after as many nodes
  std::uint64_t evaluations_ = 0;
  int selective_depth_ = 0;

  // Of the current line, one part per ply.
  std::vector<Frame> frames_;
  std::vector<ScoredMove> moves_;
  typename P::MoveList generated_;
  Judgement judgement_;
};

}  // namespace faultline
