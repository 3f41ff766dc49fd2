// Makes the positions of the yardsticks, for every family, and asks players about them.
#include "lab/yardsticks/yardsticks.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <limits>
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

#include "base/processor.h"
#include "base/quote.h"
#include "base/run_threads.h"
#include "lab/match_players.h"
#include "lab/stop_flag.h"
#include "lab/yardsticks/answers.h"
#include "lab/yardsticks/endgame_sets.h"
#include "lab/yardsticks/mate_puzzles.h"
#include "rules/families.h"

namespace faultline {
namespace yardstick_work {
namespace {

constexpr std::array<int, 3> kMates = {2, 3, 4};  // moves
/// The most moves, of all legal ones, that keep the value of an endgame that is asked about.
constexpr double kMostKept = 0.5;
/// Games are searched for puzzles in groups, after each of which it is seen what is still lacking.
constexpr int kGroup = 48;
/// Games per puzzle that is wanted, at most.
constexpr int kGamesPerPuzzle = 8;
/// After so many games, the search ends where more than kRare games have been needed per puzzle.
constexpr int kTriedGames = 192;
constexpr int kRare = 48;

/// Streams of seeds, so that none depends on how much another has used.
enum class Stream : std::uint64_t { Endgames, Puzzles, Regret, Players };

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
    if constexpr (kHasOneBoard<P>) {
      const EndgameSets<P> sets(*variant_);
      for (const std::string& name : settings_.pieces)
        if (!sets.is_set(name))
          throw OptionError(fmt::format(
              "pieces = {}: must be White's pieces and then Black's, each from the king on, at "
              "most {} in {}, as in KRK",
              quote(name, 40), sets.most_pieces(), variant_->canonical_name()));
    }
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

  std::vector<Answer> ask(std::size_t player, std::span<const P> positions, const char* about) {
    PlayerYardsticks& figures = result_.players[player];
    begin_stage(figures.player + ", " + about, static_cast<int>(positions.size()));
    std::vector<Answer> found =
        answers<P>(*players_[player], positions, seed_of(settings_.seed, Stream::Players), threads_,
                   *stop_, [&](int count) { did(count); });
    for (const Answer& answer : found) {
      if (!is_there(answer)) continue;
      figures.seconds += answer.seconds;
      ++figures.moves;
    }
    return found;
  }
  static bool is_there(const Answer& answer) { return answer.move != Move::none(); }

  // --- Endgames -----------------------------------------------------------------------------

  /// A position that is easily spoilt: some legal moves keep its value, at most half of them.
  struct Endgame {
    P position;
    std::size_t set = 0;
    EndgameValue value = 0;
    std::map<std::uint32_t, EndgameValue> kept = {};  // by a move that keeps it: the value then
    double share_kept = 0;                            // of the moves
  };

  void endgames() {
    const EndgameSets<P> sets(*variant_);
    const std::vector<std::string> names =
        settings_.pieces.empty() ? sets.names() : settings_.pieces;
    std::vector<std::optional<std::pair<SolvedSet, std::vector<Endgame>>>> solved(names.size());
    begin_stage("endgames: sets solved", static_cast<int>(names.size()));
    // The largest first, so that no thread waits for them at the end.
    for_each_index(names.size(), threads_, [&](std::size_t place) {
      const std::size_t i = names.size() - 1 - place;
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
    std::vector<P> positions;
    for (const Endgame& endgame : asked) {
      const std::size_t kind = endgame.value == 0 ? 1 : 0;
      ++count.at(kind);
      result_.random_keeps.at(kind) += endgame.share_kept;
      positions.push_back(endgame.position);
    }
    for (std::size_t kind = 0; kind < 2; ++kind)
      if (count.at(kind) > 0) result_.random_keeps.at(kind) /= count.at(kind);
    for (std::size_t player = 0; player < players_.size(); ++player) {
      PlayerYardsticks& figures = result_.players[player];
      figures.kept.resize(result_.sets.size());
      const std::vector<Answer> found = ask(player, positions, "endgames");
      for (std::size_t i = 0; i < asked.size(); ++i)
        if (is_there(found[i])) mark(asked[i], found[i].move, figures);
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
    EndgameTables<P> tables(
        sets.squares(), [&](const auto& pieces, Colour side) { return sets.make(pieces, side); },
        stop_);
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
    const int all = wanted * static_cast<int>(kMates.size());
    const int most_games = kGamesPerPuzzle * all;
    begin_stage("puzzles: games searched, at most", most_games);
    std::vector<MatePuzzle<P>> puzzles;
    std::set<std::uint64_t> keys;
    for (int first = 0; first < most_games && !*stop_; first += kGroup) {
      std::vector<std::size_t> lacking;  // lengths
      for (std::size_t length = 0; length < kMates.size(); ++length)
        if (result_.puzzles.at(length) < wanted) lacking.push_back(length);
      const bool rare = first >= kTriedGames && static_cast<int>(puzzles.size()) * kRare < first;
      if (lacking.empty() || rare) break;
      std::vector<std::optional<MatePuzzle<P>>> found(kGroup);
      for_each_index(found.size(), threads_, [&](std::size_t i) {
        if (*stop_) return;
        found[i] = find_puzzle<P>(
            *variant_,
            seed_of(settings_.seed, Stream::Puzzles,
                    static_cast<std::uint64_t>(first) + static_cast<std::uint64_t>(i)),
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
    std::vector<P> positions;
    for (const MatePuzzle<P>& puzzle : puzzles)
      positions.push_back(puzzle.position);
    for (std::size_t player = 0; player < players_.size(); ++player) {
      const std::vector<Answer> found = ask(player, positions, "puzzles");
      for (std::size_t i = 0; i < puzzles.size(); ++i) {
        if (!is_there(found[i])) continue;
        RightAnswers& solved = result_.players[player].solved.at(
            static_cast<std::size_t>(puzzles[i].moves - kMates[0]));
        ++solved.all;
        if (found[i].move == puzzles[i].key) ++solved.right;
      }
    }
  }

  // --- Regret -------------------------------------------------------------------------------

  std::vector<P> balanced_positions() {
    const auto wanted = static_cast<std::size_t>(settings_.regret);
    const std::size_t most_games = 16 * wanted;
    begin_stage("regret: positions", static_cast<int>(wanted));
    std::vector<P> positions;
    std::set<std::uint64_t> keys;
    for (std::size_t first = 0; first < most_games && positions.size() < wanted && !*stop_;
         first += kGroup) {
      std::vector<std::optional<P>> found(kGroup);
      for_each_index(found.size(), threads_, [&](std::size_t i) {
        if (!*stop_)
          found[i] =
              balanced_position<P>(*variant_, seed_of(settings_.seed, Stream::Regret, first + i));
      });
      int more = 0;
      for (const std::optional<P>& one : found) {
        if (!one || positions.size() == wanted || !keys.insert(one->key()).second) continue;
        positions.push_back(*one);
        ++more;
      }
      did(more);
    }
    return positions;
  }

  /// The judge's values of some moves of a position: the expected score, 0 to 1, of the mover.
  std::map<std::uint32_t, double> judge(const P& position, const std::set<std::uint32_t>& moves) {
    const PositionHistory<P> game(position);
    std::mt19937_64 unused;
    EvalBatch<P> batch;
    SearchLimits limits{.nodes = static_cast<std::uint64_t>(settings_.judge_nodes), .stop = stop_};
    const auto searched = [&](const SearchLimits& by) {
      return run_search<P>(*make_alpha_beta_searcher<P>(), nullptr, batch, game, by, unused);
    };
    std::set<std::uint32_t> all = moves;
    all.insert(searched(limits).move.bits());
    std::map<std::uint32_t, double> values;
    for (const std::uint32_t bits : all) {
      limits.search_moves = {Move::from_bits(bits)};
      values[bits] = (1 + static_cast<double>(searched(limits).value.value())) / 2;
    }
    return values;
  }

  void regret() {
    const std::vector<P> positions = balanced_positions();
    std::vector<std::vector<Answer>> found;
    for (std::size_t player = 0; player < players_.size(); ++player)
      found.push_back(ask(player, positions, "regret"));
    begin_stage("regret: positions judged", static_cast<int>(positions.size()));
    std::vector<std::map<std::uint32_t, double>> values(positions.size());
    for_each_index(positions.size(), threads_, [&](std::size_t i) {
      std::set<std::uint32_t> moves;
      for (const std::vector<Answer>& of_player : found)
        if (is_there(of_player[i])) moves.insert(of_player[i].move.bits());
      if (*stop_) return;
      auto judged = judge(positions[i], moves);
      if (*stop_) return;  // a value may be that of a search cut short
      values[i] = std::move(judged);
      did(1);
    });
    for (std::size_t i = 0; i < positions.size(); ++i) {
      if (values[i].empty()) continue;
      ++result_.judged;
      double best = 0;
      for (const auto& [move, value] : values[i])
        best = std::max(best, value);
      for (std::size_t player = 0; player < players_.size(); ++player)
        if (is_there(found[player][i]))
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
  YardstickResult result_;
  std::mutex mutex_;
  std::string stage_;  // guarded by mutex_, as are the following
  int done_ = 0;
  int all_ = 0;
};

}  // namespace
}  // namespace yardstick_work

std::vector<Option> options(YardstickSettings& s) {
  constexpr double kNoLimit = std::numeric_limits<double>::infinity();
  std::vector<Option> all = move_limit_options(s.limits);
  const std::vector<Option> own = {
      {"endgames", &s.endgames, Range{0, 100'000},
       "Endgame positions, over all sets of pieces; 0: none."},
      {"pieces", &s.pieces, Anything{},
       "The sets of pieces, as in KQK KRK (White's, then Black's); none: by the game."},
      {"puzzles", &s.puzzles, Range{0, 10'000}, "Mates in 2, 3 and 4, a third each; 0: none."},
      {"regret", &s.regret, Range{0, 10'000},
       "Positions in which a judge values the moves; 0: none."},
      {"judge_nodes", &s.judge_nodes, Range{1, kLargestWhole},
       "Nodes for each value of the judge, alphabeta."},
      {"seed", &s.seed, Range{0, kNoLimit}, "Seed of all positions and random choices."}};
  all.insert(all.end(), own.begin(), own.end());
  return all;
}

YardstickResult run_yardsticks(const std::string& variant, const std::vector<PlayerSpec>& players,
                               const YardstickSettings& settings, int threads,
                               PlayerResources& resources, const YardstickHooks& hooks) {
  return with_family(
      parse_variant_name(variant),
      [&]<class P>(std::type_identity<P>, const typename P::Variant& found) -> YardstickResult {
        yardstick_work::Yardsticks<P> yardsticks(found, settings, threads, hooks);
        yardsticks.check_pieces();
        for (const PlayerSpec& player : players) {
          MatchSetup setup{.variant = variant,
                           .players = {player, player},
                           .config = {.games_at_once = 1},
                           .limits = {settings.limits, settings.limits}};
          setup.config.threads = threads;
          yardsticks.add_player(player, resolved(std::move(setup), resources), resources);
        }
        return yardsticks.run();
      });
}

}  // namespace faultline
