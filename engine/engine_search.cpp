// One `go`: from its limits and the clock to a `bestmove`, with what is reported meanwhile.
#include "engine/engine_search.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "base/quote.h"
#include "engine/engine_strength.h"
#include "engine/time_management.h"
#include "engine/uci_info.h"
#include "play/game_text.h"
#include "search/root_moves.h"

namespace faultline {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

milliseconds since(Clock::time_point begin) {
  return std::chrono::duration_cast<milliseconds>(Clock::now() - begin);
}

bool contains(const std::vector<Move>& moves, Move move) {
  return std::ranges::find(moves, move) != moves.end();
}

/// Under `go infinite`, which a `go` without limits is, the answer has to wait for `stop`.
void hold_back(const GoCommand& go, SearchControl& control) {
  if (go.infinite || (!go.has_limit() && !go.ponder)) control.wait_for_stop();
}

/// Answers a `go` for which there is nothing to search, for `reason`.
void answer_none(const GoCommand& go, const std::string& reason, SearchControl& control,
                 UciOutput& output) {
  output.info_string(reason);
  if (!go.ponder || control.wait_for_hit()) hold_back(go, control);
  output.write("bestmove (none)\n");
}

/// "White wins by checkmate", "a draw by stalemate".
std::string end_text(Outcome outcome) {
  if (is_draw(outcome)) return fmt::format("a draw by {}", reason_of(outcome));
  return fmt::format("{} wins by {}", outcome == Outcome::WhiteWins ? "White" : "Black",
                     reason_of(outcome));
}

class SearchRun {
 public:
  SearchRun(const EngineSearch& search, Analyser& analyser, SearchControl& control,
            UciOutput& output, std::mt19937_64& rng)
      : search_(search),
        go_(search.go),
        root_(*search.position),
        analyser_(analyser),
        control_(control),
        output_(output),
        rng_(rng),
        begin_(search.received),
        temperature_(search.settings.temperature) {}

  void run() {
    candidates_ = root_.legal_moves();
    restrict_candidates();
    if (search_.settings.limit_strength)
      temperature_ = strength_for(search_.settings.elo).temperature;

    analyse(!go_.ponder);
    const bool is_complete = !control_.interrupted();
    if (go_.ponder) {
      const std::optional<Clock::time_point> hit = control_.wait_for_hit();
      if (hit && !is_complete) {
        begin_ = *hit;
        analyse(true);
      }
    }
    hold_back(go_, control_);
    print_best_move();
  }

 private:
  void restrict_candidates() {
    std::vector<Move> wanted;
    for (const std::string& text : go_.search_moves) {
      const std::optional<Move> move = root_.parse_move(text);
      if (!move)
        output_.info_string("go searchmoves: " + quote(text) + " is not a legal move here");
      else if (!contains(wanted, *move))
        wanted.push_back(*move);
    }
    if (wanted.empty()) {
      if (!go_.search_moves.empty())
        output_.info_string("go searchmoves: none of them is legal; all moves are searched");
      return;
    }
    candidates_ = wanted;
    is_restricted_ = true;
  }

  SearchLimits limits(bool with_time) {
    SearchLimits limits;
    limits.stop = &control_.interrupted();
    if (is_restricted_) limits.search_moves = candidates_;
    if (go_.nodes) {
      const std::uint64_t rest = *go_.nodes > totals_.nodes ? *go_.nodes - totals_.nodes : 1;
      limits.nodes = rest;
      limits.new_visits = static_cast<std::uint32_t>(
          std::min<std::uint64_t>(rest, std::numeric_limits<std::uint32_t>::max()));
    }
    if (go_.depth) limits.depth = std::max(*go_.depth, 1);
    if (search_.settings.limit_strength) limits.visits = strength_for(search_.settings.elo).visits;

    budget_ = std::nullopt;
    if (!with_time) return limits;
    const milliseconds overhead(search_.settings.move_overhead);
    std::optional<milliseconds> most;
    if (go_.move_time) most = fixed_budget(*go_.move_time, overhead);
    if (go_.has_clock() && !go_.infinite) {
      const std::size_t side = root_.side_to_move() == Colour::White ? 0 : 1;
      budget_ = clock_budget({.remaining = go_.time[side].value_or(milliseconds(0)),
                              .increment = go_.increment[side].value_or(milliseconds(0)),
                              .moves_to_go = go_.moves_to_go},
                             overhead);
      most = std::min(most.value_or(budget_->limit), budget_->limit);
      if (candidates_.size() == 1) limits.new_visits = 1, limits.nodes = 1;
    }
    if (most) limits.time = std::max(Clock::duration::zero(), begin_ + *most - Clock::now());
    return limits;
  }

  void analyse(bool with_time) {
    const SearchLimits limits = this->limits(with_time);
    // A tree search has the other lines anyway; for alpha-beta each is a search of its own.
    const EngineEvaluator evaluator = search_.settings.evaluator;
    const bool has_tree =
        evaluator != EngineEvaluator::AlphaBeta && evaluator != EngineEvaluator::Fast;
    auto wanted = static_cast<std::size_t>(search_.settings.multi_pv);
    if (has_tree && temperature_ > 0)
      wanted = candidates_.size();
    else if (has_tree && budget_)
      wanted = std::max(wanted, kWatchedLines);
    // A clock is looked at with every report; the lines are printed less often.
    const milliseconds interval(budget_ ? 10 : 100);
    try {
      const AnalysisReport report = analyser_.analyse(
          root_, limits, static_cast<int>(std::min(wanted, candidates_.size())),
          [this](const AnalysisReport& now) { hear(now); }, interval);
      if (!report.lines.empty()) last_ = report;
      totals_ = totals_with(report);
      print(last_, totals_);
    } catch (const std::exception& error) {
      output_.info_string(std::string("the search failed: ") + error.what());
    }
  }

  SearchTotals totals_with(const AnalysisReport& report) const {
    return {.nodes = totals_.nodes + report.nodes, .seconds = totals_.seconds + report.seconds};
  }

  void hear(const AnalysisReport& report) {
    if (report.lines.empty()) return;
    const bool changed = last_.lines.empty() || report.depth != last_.depth ||
                         report.lines.front().moves != last_.lines.front().moves;
    last_ = report;
    if (ends_search(report)) control_.interrupt();

    constexpr milliseconds kOften{100};
    constexpr milliseconds kSeldom{1000};
    const bool is_due = !printed_ || since(*printed_) >= (changed ? kOften : kSeldom);
    if (is_due) print(report, totals_with(report));
  }

  void print(const AnalysisReport& report, const SearchTotals& totals) {
    output_.write(info_lines(report, root_, totals,
                             static_cast<std::size_t>(search_.settings.multi_pv),
                             search_.settings.show_wdl));
    printed_ = Clock::now();
  }

  /// The limits that an analyser does not know, or need not.
  bool ends_search(const AnalysisReport& report) const {
    const AnalysisLine& best = report.lines.front();
    const int mate = best.mate_plies ? mate_moves(*best.mate_plies) : 0;
    if (go_.mate && mate > 0 && mate <= std::max(*go_.mate, 1)) return true;
    if (budget_ && (mate > 0 || should_end(*budget_, since(begin_), report))) return true;
    return go_.depth && best.visits > 0 && depth_is_reached(report);
  }

  /// Whether a tree search has reached its depth, which is a mean over its descents. It stops
  /// growing where the tree does: below a proven mate, where all descents end at the end of the
  /// game, or when memory is full.
  bool depth_is_reached(const AnalysisReport& report) const {
    constexpr std::uint64_t kVisitsPerEvaluation = 64;
    constexpr std::uint64_t kEnoughVisits = 10'000;
    return report.depth >= *go_.depth || report.lines.front().mate_plies.has_value() ||
           report.hash_permille >= 1000 ||
           report.nodes > kEnoughVisits + kVisitsPerEvaluation * report.evaluations;
  }

  /// The index of the line to play.
  std::size_t choose() {
    const std::vector<AnalysisLine>& lines = last_.lines;
    if (temperature_ <= 0 || lines.front().mate_plies.value_or(0) > 0) return 0;
    std::vector<std::uint32_t> weights;
    for (const AnalysisLine& line : lines)
      weights.push_back(line.visits);
    if (std::ranges::all_of(weights, [](std::uint32_t weight) { return weight == 0; })) {
      constexpr float kScale = 1e6F;  // only the root was evaluated: its priors decide
      for (std::size_t i = 0; i < lines.size(); ++i)
        weights[i] = static_cast<std::uint32_t>(lines[i].prior * kScale);
    }
    return pick_index(weights, temperature_, rng_).value_or(0);
  }

  void print_best_move() {
    std::vector<Move> moves;
    if (!last_.lines.empty()) moves = last_.lines[choose()].moves;
    if (moves.empty() || !contains(candidates_, moves.front())) {
      output_.info_string("nothing was searched; the first legal move is played");
      moves = {candidates_.front()};
    }
    std::string text = "bestmove " + root_.move_text(moves[0]);
    if (moves.size() > 1) {
      const std::unique_ptr<GamePosition> after = root_.clone();
      after->play(moves[0]);
      if (!is_over(after->outcome()) && contains(after->legal_moves(), moves[1]))
        text += " ponder " + after->move_text(moves[1]);
    }
    output_.write(text + "\n");
  }

  const EngineSearch& search_;
  const GoCommand& go_;
  const GamePosition& root_;
  Analyser& analyser_;
  SearchControl& control_;
  UciOutput& output_;
  std::mt19937_64& rng_;

  Clock::time_point begin_;  // of the engine's own time: `go`, or `ponderhit`
  float temperature_;
  std::vector<Move> candidates_;
  bool is_restricted_ = false;  // by searchmoves
  std::optional<TimeBudget> budget_;
  SearchTotals totals_;  // of the analyser's earlier calls
  AnalysisReport last_;
  std::optional<Clock::time_point> printed_;
};

/// GamePosition::perft, with a look at `control` between subtrees of two plies; nullopt if stopped.
std::optional<std::uint64_t> stoppable_perft(const GamePosition& position, int depth,
                                             const SearchControl& control) {
  if (control.interrupted()) return std::nullopt;
  if (depth <= 2) return position.perft(depth);
  std::uint64_t nodes = 0;
  for (const Move move : position.legal_moves()) {
    const std::unique_ptr<GamePosition> next = position.clone();
    next->play(move);
    const auto below = stoppable_perft(*next, depth - 1, control);
    if (!below) return std::nullopt;
    nodes += *below;
  }
  return nodes;
}

}  // namespace

void run_engine_search(const EngineSearch& search, Analyser& analyser, SearchControl& control,
                       UciOutput& output, std::mt19937_64& rng) {
  for (const std::string& complaint : search.go.complaints)
    output.info_string(complaint);
  // Draws by repetition, 100 plies and bare kings are claims, and whoever plays on is answered.
  if (search.position->legal_moves().empty())
    return answer_none(search.go, "the game is over: " + end_text(search.position->outcome()),
                       control, output);
  SearchRun(search, analyser, control, output, rng).run();
}

void refuse_engine_search(const GoCommand& go, const std::string& reason, SearchControl& control,
                          UciOutput& output) {
  if (go.perft)
    output.info_string(reason);
  else
    answer_none(go, reason, control, output);
}

void run_engine_perft(const GamePosition& root, int depth, SearchControl& control,
                      UciOutput& output) {
  constexpr int kDeepest = 100;
  if (depth < 1 || depth > kDeepest) {
    output.info_string(fmt::format("go perft: the depth must be 1 to {}", kDeepest));
    depth = std::clamp(depth, 1, kDeepest);
  }
  std::uint64_t total = 0;
  for (const Move move : root.legal_moves()) {
    const std::unique_ptr<GamePosition> next = root.clone();
    next->play(move);
    const auto nodes = stoppable_perft(*next, depth - 1, control);
    if (!nodes) {
      output.info_string("perft was stopped");
      return;
    }
    output.write(fmt::format("{}: {}\n", root.move_text(move), *nodes));
    total += *nodes;
  }
  output.write(fmt::format("\nNodes searched: {}\n\n", total));
}

}  // namespace faultline
