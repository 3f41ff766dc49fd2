// Makes the positions of the yardsticks, for every family, and asks players about them.
#include "lab/yardsticks/yardsticks.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <random>
#include <set>
#include <span>
#include <type_traits>
#include <utility>

#include <fmt/format.h>

#include "base/machine_memory.h"
#include "base/processor.h"
#include "base/run_threads.h"
#include "lab/match_players.h"
#include "lab/stop_flag.h"
#include "lab/yardsticks/answers.h"
#include "lab/yardsticks/endgame_sets.h"
#include "lab/yardsticks/mate_puzzles.h"
#include "lab/yardsticks/only_moves.h"
#include "rules/families.h"

namespace faultline {
namespace yardstick_work {
namespace {

/// The most moves, of all legal ones, that keep the value of an endgame that is asked about.
constexpr double kMostKept = 0.5;
/// Games are searched for puzzles in groups, after each of which it is seen what is still lacking.
constexpr int kGroup = 48;
/// Games per puzzle of a length that is wanted, at most.
constexpr int kGamesPerPuzzle = 8;
/// After so many games, a length is given up where more than kRare games are needed per puzzle.
constexpr int kTriedGames = 128;
constexpr int kRare = 64;

/// Candidates for each only move that is wanted, and games for each candidate, at most.
constexpr std::size_t kCandidates = 2;
constexpr std::size_t kGamesPerCandidate = 8;

/// Streams of seeds, so that none depends on how much another has used.
enum class Stream : std::uint64_t { Endgames, Puzzles, Regret, Players, OnlyMoves, Judge };

std::uint64_t seed_of(std::int64_t seed, Stream stream, std::uint64_t number = 0) {
  return game_seed(opening_seed(static_cast<std::uint64_t>(seed)) +
                       (static_cast<std::uint64_t>(stream) << 32U) + number,
                   static_cast<int>(stream));
}

template <Position P>
class Yardsticks {
 public:
  Yardsticks(const typename P::Variant& variant, const YardstickSettings& settings, int threads,
             const YardstickHooks& hooks)
      : variant_(&variant),
        settings_(settings),
        threads_(threads > 0 ? threads : available_processors()),
        hooks_(&hooks),
        stop_flag_(hooks.stop),
        stop_(&stop_flag_.is_set()) {
    result_.variant = variant.canonical_name();
    result_.settings = settings;
    result_.threads = threads_;
  }

  /// Throws OptionError.
  void check_pieces() const {
    if constexpr (kHasOneBoard<P>)
      if (settings_.endgames > 0 && EndgameSets<P>::exist(*variant_)) {
        const EndgameSets<P> sets(*variant_);
        sets.plan(names_of(sets), threads_, machine_memory());
      }
  }

  /// `patient`: the same player with more time, for what has to be certain.
  void set_judge(const PlayerSpec& spec, const MatchSetup& setup, const MatchSetup& patient,
                 PlayerResources& resources) {
    judge_ = make_match_player<P>(*variant_, setup, resources);
    patient_judge_ = make_match_player<P>(*variant_, patient, resources);
    result_.judge =
        fmt::format("{} with {}", spec.name, limits_text(limits_of(spec, setup.limits[0])));
  }
  void add_player(const PlayerSpec& spec, const MatchSetup& setup, PlayerResources& resources) {
    players_.push_back(make_match_player<P>(*variant_, setup, resources));
    const MoveLimits limits = limits_of(spec, setup.limits[0]);
    result_.players.push_back(
        {.player = spec.name, .limits = limits.any() ? limits_text(limits) : "-"});
  }

  YardstickResult run() {
    const auto begin = std::chrono::steady_clock::now();
    if constexpr (kHasOneBoard<P>)
      if (settings_.endgames > 0 && EndgameSets<P>::exist(*variant_)) endgames();
    if (settings_.puzzles > 0 && !*stop_) puzzles();
    if (settings_.only_moves > 0 && !*stop_) only_moves();
    if (settings_.regret > 0 && !*stop_) regret();
    result_.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    result_.stopped = *stop_;
    return std::move(result_);
  }

 private:
  // --- Progress -----------------------------------------------------------------------------

  void begin_stage(std::string stage, int all) {
    const std::scoped_lock lock(mutex_);
    stage_ = std::move(stage);
    done_ = 0;
    all_ = all;
    if (hooks_->on_progress) hooks_->on_progress(stage_, 0, all_);
  }
  void did(int count) {
    const std::scoped_lock lock(mutex_);
    done_ += count;
    if (hooks_->on_progress) hooks_->on_progress(stage_, done_, all_);
  }

  // --- Players ------------------------------------------------------------------------------

  std::vector<Answer> ask(std::size_t player, std::span<const Question<P>> questions,
                          const char* about) {
    PlayerYardsticks& figures = result_.players[player];
    std::vector<Answer> found =
        ask(*players_[player], Stream::Players, questions, figures.player + ", " + about);
    for (const Answer& answer : found) {
      if (!answer.is_there()) continue;
      figures.seconds += answer.seconds;
      ++figures.moves;
    }
    return found;
  }
  std::vector<Answer> ask(const MatchPlayer<P>& player, Stream stream,
                          std::span<const Question<P>> questions, std::string stage) {
    begin_stage(std::move(stage), static_cast<int>(questions.size()));
    return answers<P>(player, questions, seed_of(settings_.seed, stream), threads_, *stop_,
                      [&](int count) { did(count); });
  }

  // --- Endgames -----------------------------------------------------------------------------

  /// A position that is easily spoilt: some legal moves keep its value, at most half of them.
  struct Endgame {
    P position;
    std::size_t set = 0;
    EndgameValue value = 0;
    std::map<std::uint32_t, EndgameValue> kept = {};  // by a move that keeps it: the value then
    double share_kept = 0;                            // of the moves
  };

  template <class Sets>
  std::vector<std::string> names_of(const Sets& sets) const {
    return settings_.pieces.empty() ? sets.names(machine_memory()) : settings_.pieces;
  }

  void endgames() {
    const EndgameSets<P> sets(*variant_);
    const std::vector<std::string> names = names_of(sets);
    const auto plan = sets.plan(names, threads_, machine_memory());
    std::vector<std::optional<std::pair<SolvedSet, std::vector<Endgame>>>> solved(names.size());
    begin_stage("endgames: sets solved", static_cast<int>(names.size()));
    // The largest first, so that no thread waits for them at the end.
    for_each_index(names.size(), plan.at_once, [&](std::size_t place) {
      const std::size_t i = plan.order[place];
      try {
        solved[i] = solve(sets, names, i);
      } catch (const EndgamesStopped&) {
      }
      did(1);
    });
    std::vector<Endgame> asked;
    for (auto& one : solved) {
      if (!one) continue;
      for (Endgame& endgame : one->second) {
        endgame.set = result_.sets.size();
        asked.push_back(std::move(endgame));
      }
      result_.sets.push_back(std::move(one->first));
    }
    std::array<int, 2> count{};
    std::vector<Question<P>> questions;
    for (const Endgame& endgame : asked) {
      const std::size_t kind = endgame.value == 0 ? 1 : 0;
      ++count.at(kind);
      result_.random_keeps.at(kind) += endgame.share_kept;
      questions.push_back({endgame.position});
    }
    for (std::size_t kind = 0; kind < 2; ++kind)
      if (count.at(kind) > 0) result_.random_keeps.at(kind) /= count.at(kind);
    for (std::size_t player = 0; player < players_.size(); ++player) {
      PlayerYardsticks& figures = result_.players[player];
      figures.kept.resize(result_.sets.size());
      const std::vector<Answer> found = ask(player, questions, "endgames");
      for (std::size_t i = 0; i < asked.size(); ++i) {
        if (!found[i].is_there()) continue;
        mark(asked[i], found[i].move, figures);
        if (!players_[player]->has_opinion) continue;
        const std::size_t kind = asked[i].value == 0 ? 1 : 0;
        figures.value_errors.at(kind) +=
            std::abs(found[i].expected_score() - (kind == 0 ? 1.0 : 0.5));
        ++figures.valued.at(kind);
      }
    }
  }

  static void mark(const Endgame& endgame, Move move, PlayerYardsticks& figures) {
    RightAnswers& of_set = figures.kept[endgame.set].at(endgame.value == 0 ? 1 : 0);
    ++of_set.all;
    const auto kept = endgame.kept.find(move.bits());
    if (kept == endgame.kept.end()) return;
    ++of_set.right;
    if (endgame.value > 0) figures.longer += kept->second - endgame.value;
  }

  template <class Sets>
  std::pair<SolvedSet, std::vector<Endgame>> solve(const Sets& sets,
                                                   const std::vector<std::string>& names,
                                                   std::size_t number) {
    const std::string& name = names[number];
    EndgameTables<P> tables = sets.tables(stop_);
    const auto material = sets.material(name);
    const auto counts = tables.counts(material);
    SolvedSet set{.name = name,
                  .won = counts.won,
                  .drawn = counts.drawn,
                  .lost = counts.lost,
                  .longest = counts.longest};
    // Two won positions for each drawn one.
    const int share = std::max(1, settings_.endgames / static_cast<int>(names.size()));
    const std::array<int, 2> wanted = {share - share / 3, share / 3};
    std::vector<Endgame> drawn_lots;
    std::mt19937_64 rng(seed_of(settings_.seed, Stream::Endgames, number));
    std::set<std::size_t> taken;
    const std::size_t places = tables.places(material);
    for (std::size_t tries = 0; tries < 2 * places && set.asked != wanted; ++tries) {
      if (tries % 4096 == 0 && *stop_) throw EndgamesStopped{};
      const std::size_t place = rng() % places;
      const EndgameValue value = tables.value_at(material, place);
      if (value == kNoPosition || value < 0) continue;
      const std::size_t kind = value == 0 ? 1 : 0;
      if (set.asked.at(kind) == wanted.at(kind) || !taken.insert(place).second) continue;
      const std::optional<P> position = tables.position_at(material, place);
      if (!position) continue;
      Endgame endgame = endgame_of(tables, *position, value);
      if (endgame.kept.empty() || endgame.share_kept > kMostKept) continue;
      drawn_lots.push_back(std::move(endgame));
      ++set.asked.at(kind);
    }
    return {std::move(set), std::move(drawn_lots)};
  }

  static Endgame endgame_of(EndgameTables<P>& tables, const P& position, EndgameValue value) {
    Endgame endgame{.position = position, .value = value};
    typename P::MoveList moves;
    position.legal_moves(moves);
    for (const Move move : moves) {
      P next = position;
      next.play(move);
      const EndgameValue then = value_before(tables.value(next));
      if (value > 0 ? then > 0 : then == 0) endgame.kept.emplace(move.bits(), then);
    }
    endgame.share_kept =
        static_cast<double>(endgame.kept.size()) / static_cast<double>(moves.size());
    return endgame;
  }

  // --- Puzzles ------------------------------------------------------------------------------

  std::vector<MatePuzzle<P>> make_puzzles() {
    const int wanted = std::max(1, settings_.puzzles / static_cast<int>(kMates.size()));
    const int most_games = kGamesPerPuzzle * wanted;
    begin_stage("puzzles: games searched, at most", most_games * static_cast<int>(kMates.size()));
    std::vector<MatePuzzle<P>> puzzles;
    std::set<std::uint64_t> keys;
    ByMate games{};  // that were searched for each length
    for (std::uint64_t first = 0; !*stop_; first += kGroup) {
      std::vector<std::size_t> lacking;  // lengths
      for (std::size_t length = 0; length < kMates.size(); ++length) {
        const int had = result_.puzzles.at(length);
        const int tried = games.at(length);
        const bool rare = tried >= kTriedGames && had * kRare < tried;
        if (had < wanted && tried < most_games && !rare) lacking.push_back(length);
      }
      if (lacking.empty()) break;
      for (std::size_t i = 0; i < kGroup; ++i)
        ++games.at(lacking[i % lacking.size()]);
      std::vector<std::optional<MatePuzzle<P>>> found(kGroup);
      for_each_index(found.size(), threads_, [&](std::size_t i) {
        if (*stop_) return;
        found[i] = find_puzzle<P>(*variant_, seed_of(settings_.seed, Stream::Puzzles, first + i),
                                  kMates.at(lacking[i % lacking.size()]));
        did(1);
      });
      result_.puzzle_games += kGroup;
      for (const std::optional<MatePuzzle<P>>& one : found) {
        if (!one || !keys.insert(one->position.key()).second) continue;
        int& count = result_.puzzles.at(static_cast<std::size_t>(one->moves - kMates[0]));
        if (count == wanted) continue;
        puzzles.push_back(*one);
        ++count;
      }
    }
    return puzzles;
  }

  void puzzles() {
    const std::vector<MatePuzzle<P>> puzzles = make_puzzles();
    std::vector<Question<P>> questions;
    for (const MatePuzzle<P>& puzzle : puzzles)
      questions.push_back({puzzle.position});
    for (std::size_t player = 0; player < players_.size(); ++player) {
      const std::vector<Answer> found = ask(player, questions, "puzzles");
      for (std::size_t i = 0; i < puzzles.size(); ++i) {
        if (!found[i].is_there()) continue;
        RightAnswers& solved = result_.players[player].solved.at(
            static_cast<std::size_t>(puzzles[i].moves - kMates[0]));
        ++solved.all;
        if (found[i].move == puzzles[i].key) ++solved.right;
      }
    }
  }

  // --- Positions of games -------------------------------------------------------------------

  /// Positions that `find` finds in games by their seeds, at most one in each. `most`: games per
  /// position that is wanted. Counts them in `games`.
  template <class Find>
  std::vector<Question<P>> positions_of_games(const std::string& stage, std::size_t wanted,
                                              std::size_t most, Stream stream, const Find& find,
                                              std::int64_t& games) {
    begin_stage(stage, static_cast<int>(wanted));
    std::vector<Question<P>> questions;
    std::set<std::uint64_t> keys;
    for (std::size_t first = 0; first < most * wanted && questions.size() < wanted && !*stop_;
         first += kGroup) {
      std::vector<std::optional<P>> found(kGroup);
      for_each_index(found.size(), threads_, [&](std::size_t i) {
        if (!*stop_) found[i] = find(*variant_, seed_of(settings_.seed, stream, first + i));
      });
      games += kGroup;
      const std::size_t before = questions.size();
      for (const std::optional<P>& one : found)
        if (one && questions.size() < wanted && keys.insert(one->key()).second)
          questions.push_back({*one});
      did(static_cast<int>(questions.size() - before));
    }
    return questions;
  }

  // --- Only moves ---------------------------------------------------------------------------

  struct OnlyMoves {
    std::vector<Question<P>> questions;
    std::vector<Move> keys;
  };
  /// Those of the positions whose best move is the only one, as `judge` values it.
  OnlyMoves only_moves_of(const std::vector<Question<P>>& candidates, const MatchPlayer<P>& judge,
                          const std::string& stage) {
    const std::vector<Answer> best =
        ask(judge, Stream::Judge, candidates, stage + ": best moves judged");
    std::vector<Question<P>> others = candidates;
    for (std::size_t i = 0; i < others.size(); ++i)
      others[i].moves = other_moves(others[i].position, best[i].move);
    const std::vector<Answer> second =
        ask(judge, Stream::Judge, others, stage + ": other moves judged");
    OnlyMoves found;
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      if (!best[i].is_there() || !second[i].is_there()) continue;
      if (!is_only_move(best[i].value.value(), second[i].value.value())) continue;
      found.questions.push_back(candidates[i]);
      found.keys.push_back(best[i].move);
    }
    return found;
  }

  void only_moves() {
    const auto wanted = static_cast<std::size_t>(settings_.only_moves);
    OnlyMoves found;
    found.questions =
        positions_of_games("only moves: candidates", kCandidates * wanted, kGamesPerCandidate,
                           Stream::OnlyMoves, find_only_move<P>, result_.only_move_games);
    found = only_moves_of(found.questions, *judge_, "only moves");
    // A few more than are wanted, as the longer search does not confirm all of them.
    found.questions.resize(std::min(found.questions.size(), wanted + wanted / 2));
    found = only_moves_of(found.questions, *patient_judge_, "only moves, confirmed");
    const std::vector<Move>& keys = found.keys;
    std::vector<Question<P>>& questions = found.questions;
    questions.resize(std::min(questions.size(), wanted));
    result_.only_moves = static_cast<int>(questions.size());
    for (std::size_t player = 0; player < players_.size(); ++player) {
      const std::vector<Answer> played = ask(player, questions, "only moves");
      RightAnswers& right = result_.players[player].only_moves;
      for (std::size_t i = 0; i < questions.size(); ++i) {
        if (!played[i].is_there()) continue;
        ++right.all;
        if (played[i].move == keys[i]) ++right.right;
      }
    }
  }

  // --- Regret -------------------------------------------------------------------------------

  void regret() {
    std::int64_t games = 0;
    const std::vector<Question<P>> questions =
        positions_of_games("regret: positions", static_cast<std::size_t>(settings_.regret), 16,
                           Stream::Regret, balanced_position<P>, games);
    std::vector<std::vector<Answer>> found;
    for (std::size_t player = 0; player < players_.size(); ++player)
      found.push_back(ask(player, questions, "regret"));
    found.push_back(ask(*judge_, Stream::Judge, questions, "regret: best moves judged"));
    // Each move by a search of its own, also the judge's.
    std::vector<Question<P>> moves;
    std::vector<std::size_t> position_of;  // by place in `moves`
    for (std::size_t i = 0; i < questions.size(); ++i) {
      std::set<std::uint32_t> different;
      for (const std::vector<Answer>& of_player : found)
        if (of_player[i].is_there()) different.insert(of_player[i].move.bits());
      for (const std::uint32_t bits : different) {
        moves.push_back({questions[i].position, {Move::from_bits(bits)}});
        position_of.push_back(i);
      }
    }
    const std::vector<Answer> judged =
        ask(*judge_, Stream::Judge, moves, "regret: players' moves judged");
    // The expected score of the mover, by move; of positions all of whose moves are judged.
    std::vector<std::map<std::uint32_t, double>> values(questions.size());
    std::vector<bool> complete(questions.size(), true);
    for (std::size_t k = 0; k < moves.size(); ++k) {
      values[position_of[k]][moves[k].moves.front().bits()] = judged[k].expected_score();
      if (!judged[k].is_there()) complete[position_of[k]] = false;
    }
    for (std::size_t i = 0; i < questions.size(); ++i) {
      if (!complete[i] || !found.back()[i].is_there()) continue;
      ++result_.judged;
      double best = 0;
      for (const auto& [move, value] : values[i])
        best = std::max(best, value);
      for (std::size_t player = 0; player < players_.size(); ++player)
        if (found[player][i].is_there())
          result_.players[player].losses.push_back(best -
                                                   values[i].at(found[player][i].move.bits()));
    }
  }

  const typename P::Variant* variant_;
  YardstickSettings settings_;
  int threads_;
  const YardstickHooks* hooks_;
  StopFlag stop_flag_;
  const std::atomic<bool>* stop_;
  std::vector<std::shared_ptr<const MatchPlayer<P>>> players_;
  std::shared_ptr<const MatchPlayer<P>> judge_, patient_judge_;
  YardstickResult result_;
  std::mutex mutex_;
  std::string stage_;  // guarded by mutex_, as are the following
  int done_ = 0;
  int all_ = 0;
};

}  // namespace
}  // namespace yardstick_work

YardstickResult run_yardsticks(const std::string& variant, const std::vector<PlayerSpec>& players,
                               const YardstickSettings& settings, int threads,
                               PlayerResources& resources, const YardstickHooks& hooks) {
  return with_family(
      parse_variant_name(variant),
      [&]<class P>(std::type_identity<P>, const typename P::Variant& found) -> YardstickResult {
        yardstick_work::Yardsticks<P> yardsticks(found, settings, threads, hooks);
        yardsticks.check_pieces();
        const auto alone = [&](const PlayerSpec& player, const MoveLimits& limits) {
          MatchSetup setup{.variant = variant,
                           .players = {player, player},
                           .config = {.games_at_once = 1},
                           .limits = {limits, limits}};
          setup.config.threads = threads;
          return resolved(std::move(setup), resources);
        };
        for (const PlayerSpec& player : players)
          yardsticks.add_player(player, alone(player, settings.limits), resources);
        if (settings.only_moves > 0 || settings.regret > 0) {
          const PlayerSpec judge = judge_of(settings, variant);
          yardsticks.set_judge(judge, alone(judge, {.nodes = settings.judge_nodes}),
                               alone(judge, {.nodes = 10 * settings.judge_nodes}), resources);
        }
        return yardsticks.run();
      });
}

}  // namespace faultline
