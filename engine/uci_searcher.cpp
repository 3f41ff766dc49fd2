// External UCI engines as searchers of every family, compiled once.
#include "engine/uci_searcher.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "base/quote.h"
#include "rules/families.h"
#include "search/simple_searchers.h"

namespace faultline {

namespace {

/// The evaluation for the side to move. Centipawns say what score to expect, not how much of it
/// comes from draws.
Evaluation evaluation_of(const UciInfo& info) {
  if (info.mate)
    return *info.mate > 0 ? Evaluation{.win = 1, .draw = 0, .loss = 0}
                          : Evaluation{.win = 0, .draw = 0, .loss = 1};
  if (info.wdl) {
    const auto [win, draw, loss] = *info.wdl;
    const auto sum = static_cast<float>(win + draw + loss);
    return {.win = static_cast<float>(win) / sum,
            .draw = static_cast<float>(draw) / sum,
            .loss = static_cast<float>(loss) / sum};
  }
  if (!info.centipawns) return {};
  const auto score = static_cast<float>(1 / (1 + std::pow(10.0, -*info.centipawns / 400.0)));
  return {.win = score, .draw = 0, .loss = 1 - score};
}

/// Plies from moves: the mating side's last move is the last ply.
std::optional<int> mate_plies_of(const UciInfo& info) {
  constexpr int kMost = 1'000'000;  // whatever an engine may print
  if (!info.mate || *info.mate == 0) return std::nullopt;
  const int moves = std::clamp(*info.mate, -kMost, kMost);
  return moves > 0 ? 2 * moves - 1 : 2 * moves;
}

}  // namespace

template <Position P>
class UciSearcher final : public Searcher<P> {
 public:
  explicit UciSearcher(std::shared_ptr<UciEnginePool> pool)
      : pool_(std::move(pool)),
        variant_start_(P::start(P::variant(parse_variant_name(pool_->variant()))).fen()) {}
  ~UciSearcher() override {
    if (client_) pool_->give_back(std::move(client_));
  }

  void start(const PositionHistory<P>& history, const SearchLimits& limits,
             std::mt19937_64&) override {
    begin_ = Clock::now();
    if (client_ && !is_continued_by(history)) pool_->give_back(std::move(client_));
    history_.emplace(history);
    allowed_ = limits.search_moves;
    limits_ = limits_of(limits);
    done_ = false;
  }

  bool gather(EvalBatch<P>&) override {
    if (done_) return false;
    if (!client_) client_ = pool_->take();
    try {
      const UciAnswer answer = client_->search(position_text(), limits_);
      result_ = result_of(answer);
    } catch (...) {
      pool_->give_back(std::move(client_));
      throw;
    }
    done_ = true;
    return false;
  }

  void apply(const EvalBatch<P>&) override {}
  bool done() override { return done_; }
  SearchResult decide() const override { return result_; }
  std::size_t waiting() const override { return 0; }

 private:
  using Clock = std::chrono::steady_clock;

  const P& position() const { return history_->position(); }

  bool is_continued_by(const PositionHistory<P>& next) const {
    return next.start().fen() == history_->start().fen() && next.plies() >= history_->plies() &&
           std::ranges::equal(history_->moves(), next.moves().first(history_->moves().size()));
  }

  UciLimits limits_of(const SearchLimits& limits) const {
    using std::chrono::duration_cast, std::chrono::milliseconds;
    constexpr milliseconds kLeast{1}, kMost{1'000'000'000};
    const UciEngineSpec& spec = pool_->spec();
    UciLimits result{.nodes = spec.nodes > 0 ? spec.nodes : limits.nodes,
                     .depth = spec.depth > 0 ? spec.depth : limits.depth,
                     .movetime = spec.movetime,
                     .stop = limits.stop};
    if (!result.movetime && limits.time)
      result.movetime = std::clamp(duration_cast<milliseconds>(*limits.time), kLeast, kMost);
    for (const Move move : limits.search_moves)
      result.search_moves.push_back(engine_text(position(), move));
    if (result.nodes == 0 && result.depth == 0 && !result.movetime && result.stop == nullptr)
      throw std::invalid_argument(pool_->name() +
                                  " has no limit: give it nodes, depth or movetime");
    return result;
  }

  /// Engines that have a name of their own for a game of a file write promotions without the +
  /// that tells a promoted piece from another of its letter: "e7e8q" for "e7e8+q".
  std::string engine_text(const P& position, Move move) const {
    std::string text = position.move_text(move);
    const std::size_t plus = text.find('+');
    if (pool_->spec().variant_name() == nullptr || plus == std::string::npos || plus < 2 ||
        plus + 1 == text.size())
      return text;
    return text.erase(plus, 1);
  }
  std::optional<Move> move_of(const P& position, const std::string& text) const {
    const std::optional<Move> move = position.parse_move(text);
    if (move || pool_->spec().variant_name() == nullptr || text.empty()) return move;
    return position.parse_move(text.substr(0, text.size() - 1) + '+' + text.back());
  }

  /// The whole game, so that the engine knows of repetitions.
  std::string position_text() const {
    P position = history_->start();
    const std::string fen = position.fen();
    std::string text = fen == variant_start_ ? "startpos" : "fen " + fen;
    if (history_->plies() > 0) text += " moves";
    for (const Move move : history_->moves()) {
      text += ' ' + engine_text(position, move);
      position.play(move);
    }
    return text;
  }

  SearchResult result_of(const UciAnswer& answer) {
    const std::optional<Move> move = move_of(position(), answer.move);
    if (!move || (!allowed_.empty() && std::ranges::find(allowed_, *move) == allowed_.end()))
      client_->fail("answered with " +
                    (answer.move.empty() ? "no move" : "the illegal move " + quote(answer.move)) +
                    " in " + position().fen());

    typename P::MoveList legal;
    position().legal_moves(legal);
    std::vector<float> priors(legal.size(), 0.0F);
    priors[static_cast<std::size_t>(std::ranges::find(legal, *move) - legal.begin())] = 1;
    SearchResult result =
        unsearched<P>(position(), std::span(&*move, 1), priors, evaluation_of(answer.info));
    result.move = *move;
    result.variation = legal_variation(answer.info.variation, *move);
    result.seconds = std::chrono::duration<double>(Clock::now() - begin_).count();
    result.nodes = answer.info.nodes;
    result.depth = answer.info.depth;
    result.selective_depth = answer.info.selective_depth;
    result.mate_plies = mate_plies_of(answer.info);
    return result;
  }

  /// The legal moves at the beginning of `texts`, if `first` is the first of them.
  std::vector<Move> legal_variation(const std::vector<std::string>& texts, Move first) const {
    std::vector<Move> variation;
    P next = position();
    for (const std::string& text : texts) {
      const std::optional<Move> move = move_of(next, text);
      if (!move) break;
      if (variation.empty() && *move != first) break;
      variation.push_back(*move);
      next.play(*move);
    }
    if (variation.empty()) variation.push_back(first);
    return variation;
  }

  std::shared_ptr<UciEnginePool> pool_;
  std::string variant_start_;
  std::unique_ptr<UciClient> client_;  // null before the first search and after a failure

  // The search in progress.
  Clock::time_point begin_;
  std::optional<PositionHistory<P>> history_;
  std::vector<Move> allowed_;
  UciLimits limits_;
  bool done_ = false;
  SearchResult result_;
};

template <Position P>
std::unique_ptr<Searcher<P>> make_uci_searcher(std::shared_ptr<UciEnginePool> pool) {
  return std::make_unique<UciSearcher<P>>(std::move(pool));
}

/// Takes the factories' addresses: instantiating it instantiates them for every family.
template <class Tuple>
struct UciFactories;
template <Position... P>
struct UciFactories<std::tuple<P...>> {
  static constexpr std::tuple kAll = {&make_uci_searcher<P>...};
};
template struct UciFactories<Families>;

}  // namespace faultline
