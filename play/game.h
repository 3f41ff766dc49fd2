// A type-erased game of any family, for layers where speed does not matter, such as the command
// line, engines, reports and the browser. Each family is compiled once behind it; hot code
// (self-play, matches of many games) is a template over Position instead.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/encoding/encoding.h"
#include "model/fast/fast_network.h"
#include "play/analyser.h"
#include "play/game_rules.h"
#include "rules/board_effects.h"
#include "rules/board_picture.h"
#include "rules/move.h"
#include "rules/types.h"
#include "rules/variant.h"
#include "search/alpha_beta_params.h"
#include "search/evaluator.h"
#include "search/search_result.h"

namespace faultline {

class Backend;
class Game;
struct StrategyText;

/// A position and the game that led to it. rules/position.h documents the functions.
class GamePosition {
 public:
  virtual ~GamePosition() = default;
  virtual std::unique_ptr<GamePosition> clone() const = 0;

  virtual std::string fen() const = 0;
  /// A multi-line text for people.
  virtual std::string picture() const = 0;
  virtual BoardPicture board_picture() const = 0;
  /// The effect of a legal move, marked in the picture of the position after it.
  virtual void mark_move(Move move, BoardPicture& after) const = 0;
  /// What a legal move does besides moving its piece.
  virtual BoardEffects board_effects(Move move) const = 0;
  virtual Colour side_to_move() const = 0;
  virtual bool in_check() const = 0;
  virtual std::uint64_t key() const = 0;
  virtual int halfmove_clock() const = 0;
  virtual int full_move_number() const = 0;
  virtual Piece piece_at(Square square) const = 0;
  virtual const PieceKinds& piece_kinds() const = 0;
  /// All legal moves, in the order of Position::legal_moves(), also where the game is drawn.
  virtual std::vector<Move> legal_moves() const = 0;
  virtual std::string square_text(Square square) const = 0;
  virtual std::string move_text(Move move) const = 0;
  /// A legal move, or nothing.
  virtual std::optional<Move> parse_move(std::string_view text) const = 0;
  /// The number of sequences of `depth` legal moves.
  virtual std::uint64_t perft(int depth) const = 0;

  // With the game so far.
  virtual int plies() const = 0;
  virtual int repetitions() const = 0;
  virtual Outcome outcome() const = 0;
  /// `move` must be legal.
  virtual void play(Move move) = 0;

  // As the network sees it (model/encoding/encoding.h).
  /// `encoding`: of the position's variant, with planes of attacks or without them; `planes`:
  /// encoding.floats() of them.
  virtual void encode(const EncodingInfo& encoding, std::span<float> planes) const = 0;
  virtual PolicyIndex policy_index(Move move) const = 0;
};

/// What an evaluator says of a position, without search.
struct RawEvaluation {
  Evaluation value;           // for the side to move
  std::vector<float> priors;  // in the order of legal_moves()
};

/// An evaluator of one family's positions; made by the Game it is for.
class GameEvaluator {
 public:
  virtual ~GameEvaluator() = default;
  /// The positions, which have legal moves, in one batch: not more than the backend takes
  /// (BackendAttributes::largest_batch). Safe to call from several threads at once.
  virtual std::vector<RawEvaluation> evaluate(
      std::span<const GamePosition* const> positions) const = 0;
};

/// A searcher with its evaluator (search/searcher.h), for one game at a time.
class GameSearcher {
 public:
  virtual ~GameSearcher() = default;
  /// Starts a search of a position of the same variant, whose game must not be over. `rng` must
  /// live until decide().
  virtual void start(const GamePosition& position, const SearchLimits& limits,
                     std::mt19937_64& rng) = 0;
  /// Takes and evaluates up to SearchLimits::leaves leaves; false once the search is done.
  virtual bool step() = 0;
  /// The result; call when step() has returned false.
  virtual SearchResult decide() const = 0;

  /// Searches to the end, or until `interrupted` (called between steps): then there is no result.
  std::optional<SearchResult> run(const GamePosition& position, const SearchLimits& limits,
                                  std::mt19937_64& rng, const std::function<bool()>& interrupted) {
    start(position, limits, rng);
    do {
      if (interrupted && interrupted()) return std::nullopt;
    } while (step());
    return decide();
  }
};

/// One side of a game in progress; without a searcher its moves are supplied by the caller.
struct GamePlayer {
  std::shared_ptr<GameSearcher> searcher = nullptr;
  SearchBudget budget = {};
  MoveChoice choice = {};
  Resignation resignation = {};
};

/// Receives the events of a game in progress (GameObserver in play/game_driver.h).
class GameWatcher {
 public:
  virtual ~GameWatcher() = default;
  /// A move is about to be played in `before`; `result` is null for a move supplied by the caller.
  virtual void on_ply(const GamePosition& before, Move move, const SearchResult* result) = 0;
  virtual void on_end(const GamePosition& position, const GameEnd& end) = 0;
};

/// A game in progress: GameDriver in play/game_driver.h.
class GameSession {
 public:
  virtual ~GameSession() = default;
  virtual const GamePosition& position() const = 0;
  virtual bool is_over() const = 0;
  virtual const GameEnd& end() const = 0;
  /// Whether the side to move has no searcher: the game waits for play().
  virtual bool awaits_move() const = 0;
  /// Advances by one batch of leaves and plays the moves found; false if the game is over or waits
  /// for play().
  virtual bool step() = 0;
  virtual void play(Move move) = 0;
  virtual void resign(Colour loser) = 0;
};

/// One variant. Immutable and thread-safe; the objects it creates are not, and must not outlive it.
class Game {
 public:
  virtual ~Game() = default;
  virtual const FamilyInfo& family() const = 0;
  virtual VariantDescription description() const = 0;
  /// The canonical name.
  virtual const std::string& variant() const = 0;
  virtual const EncodingInfo& encoding() const = 0;

  virtual std::unique_ptr<GamePosition> start() const = 0;
  /// Throws FenError.
  virtual std::unique_ptr<GamePosition> from_fen(std::string_view fen) const = 0;

  /// Uniform priors, every position a draw.
  virtual std::shared_ptr<GameEvaluator> uniform_evaluator() const = 0;
  /// The evaluator by material (search/material_evaluator.h).
  virtual std::shared_ptr<GameEvaluator> material_evaluator() const = 0;
  /// `backend` must be for encoding().
  virtual std::shared_ptr<GameEvaluator> network_evaluator(
      std::shared_ptr<Backend> backend) const = 0;

  /// `strategy`: the side to move at the root of a search follows it; null: none. Throws
  /// StrategyError for one that is impossible in the variant.
  virtual std::unique_ptr<GameSearcher> puct_searcher(const TreeSearchSettings& settings,
                                                      std::shared_ptr<GameEvaluator> evaluator,
                                                      const StrategyText* strategy) const = 0;
  virtual std::unique_ptr<GameSearcher> policy_searcher(
      std::shared_ptr<GameEvaluator> evaluator) const = 0;
  virtual std::unique_ptr<GameSearcher> random_searcher() const = 0;
  /// `fast`: evaluates positions; null: by material and placement. Throws FastNetworkError for a
  /// network of another game or board, StrategyError as puct_searcher().
  virtual std::unique_ptr<GameSearcher> alpha_beta_searcher(const AlphaBetaParams& params,
                                                            std::shared_ptr<const FastNetwork> fast,
                                                            const StrategyText* strategy) const = 0;

  /// Throws std::invalid_argument if `options.memory_bytes` is below a MiB, std::runtime_error if
  /// the system has not so much.
  virtual std::unique_ptr<Analyser> analyser(const AnalyserOptions& options,
                                             std::shared_ptr<GameEvaluator> evaluator) const = 0;
  /// Makes an analyser by alpha-beta search. Throws FastNetworkError as alpha_beta_searcher(), and
  /// MachineShortage if the system has not so many threads.
  virtual std::unique_ptr<Analyser> alpha_beta_analyser(const AnalyserOptions& options) const = 0;

  /// `start`: of this variant, not over. `players`: White's and Black's; they may share a searcher.
  /// `watcher` may be null and must outlive the session.
  virtual std::unique_ptr<GameSession> begin(const GamePosition& start,
                                             std::array<GamePlayer, 2> players,
                                             const GameRules& rules, std::mt19937_64 rng,
                                             GameWatcher* watcher) const = 0;
};

/// The variant's game, the same object for the same canonical name; it lives for the lifetime of
/// the program. Throws VariantError for an unknown family, option or value.
const Game& find_game(std::string_view variant_name);

}  // namespace faultline
