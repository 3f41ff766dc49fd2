// Adds up a study's games.
#include "lab/study_results.h"

#include <algorithm>
#include <fstream>
#include <memory>
#include <numeric>
#include <optional>
#include <tuple>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/unreadable_file.h"
#include "lab/pairings.h"
#include "lab/rating.h"
#include "lab/study.h"
#include "lab/tournament_games.h"

namespace faultline {
namespace {

namespace fs = std::filesystem;

constexpr double kOwnAlpha = 0.05;  // of intervals that are no comparisons

double mean_of(const PairCounts& pairs) {
  double points = 0;
  int games = 0;
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    points += pairs[k] * static_cast<double>(k) / 2;
    games += 2 * pairs[k];
  }
  return games == 0 ? 0.5 : points / games;
}

/// Twice the points of White.
int twice_points(GameResult result) {
  return result == GameResult::WhiteWins ? 2 : result == GameResult::BlackWins ? 0 : 1;
}

std::string ending_of(const TextGame& game) {
  if (game.termination == Termination::Normal && !game.reason.empty()) return game.reason;
  return game.reason.starts_with("cut") ? "cut at the ply limit" : "otherwise";
}

/// Calls visit(place, game) for every game of a file that can be read.
template <class Visit>
void for_each_game(const fs::path& file, const std::string& variant, bool with_moves,
                   std::vector<std::string>& notices, const Visit& visit) {
  if (const auto reason = why_unreadable(file)) {
    notices.push_back(*reason);
    return;
  }
  std::ifstream in(file, std::ios::binary);
  if (!in) return;  // there are no games yet
  GameReader reader(in, file.string(), variant);
  for (;;)
    try {
      const std::optional<TextGame> game = with_moves ? reader.next() : reader.next_result();
      if (!game) return;
      const auto round = std::ranges::find(game->tags, std::string("Round"),
                                           &std::pair<std::string, std::string>::first);
      const auto place = round == game->tags.end() ? std::nullopt : GamePlace::parse(round->second);
      if (place) visit(*place, *game);
    } catch (const GameTextError& error) {  // the last game of a process that was killed
      notices.emplace_back(error.what());
    }
}

/// A cell's pairs of arms in the order of the arms, and their places in it by those in the
/// tournament's order.
class PairsOfArms {
 public:
  explicit PairsOfArms(const StudySettings& settings) {
    const std::vector<Pairing> played = round_robin(static_cast<int>(settings.arms.size()));
    for (const Pairing& pairing : played)
      arms_.push_back(
          {static_cast<std::size_t>(pairing.first), static_cast<std::size_t>(pairing.second)});
    const auto as_played = arms_;
    std::ranges::sort(arms_);
    for (const auto& one : as_played)
      places_.push_back(static_cast<std::size_t>(std::ranges::find(arms_, one) - arms_.begin()));
  }

  const std::vector<std::array<std::size_t, 2>>& arms() const { return arms_; }
  /// The number of a game's comparison.
  std::size_t comparison_of(std::size_t cell, const GamePlace& place) const {
    return cell * arms_.size() + places_[static_cast<std::size_t>(place.bout) % arms_.size()];
  }

 private:
  std::vector<std::array<std::size_t, 2>> arms_;
  std::vector<std::size_t> places_;
};

/// Calls visit(cell, place, game) for all games of looks that are complete. A game between others
/// than the two arms of its comparison is left out, with a notice.
template <class Visit>
void for_each_game_that_counts(const StudySettings& settings, const fs::path& folder,
                               std::vector<std::string>& notices, const Visit& visit) {
  const std::vector<StudyCell> cells = cells_of(settings);
  const PairsOfArms pairs(settings);
  for (std::size_t cell = 0; cell < cells.size(); ++cell) {
    const fs::path file = games_of(folder, cells[cell]) / "games.pgn";
    std::map<int, int> played;  // games by bout
    std::vector<std::string> told_below;
    for_each_game(file, cells[cell].variant, false, told_below,
                  [&](const GamePlace& place, const TextGame&) { ++played[place.bout]; });
    for_each_game(
        file, cells[cell].variant, true, notices,
        [&](const GamePlace& place, const TextGame& game) {
          if (played[place.bout] != settings.look) return;
          const auto& [first, second] = pairs.arms()[pairs.comparison_of(0, place)];
          const std::string& a = settings.arms[first].name;
          const std::string& b = settings.arms[second].name;
          if ((game.white == a && game.black == b) || (game.white == b && game.black == a))
            visit(cell, place, game);
          else
            notices.push_back(fmt::format(
                "{}: game {} is of {} against {}, but should be of {} against {}: left out",
                file.string(), place.round(), game.white, game.black, a, b));
        });
  }
}

void add_game(Comparison& comparison, const StudySettings& settings, const TextGame& game,
              const BehaviourObserver& observer) {
  const bool first_is_white = game.white == settings.arms[comparison.arms[0]].name;
  const int twice = first_is_white ? twice_points(game.result) : 2 - twice_points(game.result);
  ++(twice == 2   ? comparison.score.wins
     : twice == 1 ? comparison.score.draws
                  : comparison.score.losses);
  comparison.plies += static_cast<std::int64_t>(game.moves.size());
  const std::string ending = ending_of(game);
  ++comparison.endings[ending];
  if (ending.starts_with("cut")) ++comparison.cut;
  SideBehaviour& first = comparison.behaviour[0];
  SideBehaviour& second = comparison.behaviour[1];
  observer.add(game.start_fen, game.moves, static_cast<std::size_t>(game.opening_plies),
               first_is_white ? std::array{&first, &second} : std::array{&second, &first});
}

/// Cells that differ in at most one of variant, net and visits.
bool differ_in_one(const StudySettings& settings, const StudyCell& a, const StudyCell& b) {
  const bool net = settings.nets[a.net].label != settings.nets[b.net].label;
  return (a.variant != b.variant ? 1 : 0) + (net ? 1 : 0) + (a.visits != b.visits ? 1 : 0) == 1;
}

std::vector<Contrast> contrasts_of(const StudyResults& results) {
  std::vector<Contrast> contrasts;
  const auto& all = results.comparisons;
  for (std::size_t i = 0; i < all.size(); ++i)
    for (std::size_t j = i + 1; j < all.size(); ++j) {
      if (all[i].arms != all[j].arms ||
          !differ_in_one(results.settings, results.cells[all[i].cell], results.cells[all[j].cell]))
        continue;
      if (all[i].score_interval.high < all[j].score_interval.low) contrasts.push_back({i, j});
      if (all[j].score_interval.high < all[i].score_interval.low) contrasts.push_back({j, i});
    }
  return contrasts;
}

std::string opening_of(const TextGame& game) {
  const auto plies = std::min(game.moves.size(), static_cast<std::size_t>(game.opening_plies));
  return fmt::format(
      "{} {}", game.start_fen,
      fmt::join(game.moves.begin(), game.moves.begin() + static_cast<std::ptrdiff_t>(plies), " "));
}

/// `openings`: of each comparison, those that occurred.
void add_notice_of_repeated_openings(StudyResults& results,
                                     const std::vector<std::set<std::string>>& openings) {
  constexpr double kMostRepeated = 0.05;
  std::size_t pairs = 0, different = 0;
  for (std::size_t i = 0; i < openings.size(); ++i) {
    pairs += static_cast<std::size_t>(results.comparisons[i].games() / 2);
    different += openings[i].size();
  }
  if (static_cast<double>(different) >= (1 - kMostRepeated) * static_cast<double>(pairs)) return;
  results.notices.push_back(fmt::format(
      "only {} of {} pairs of games have an opening of their own: the others repeat games, "
      "and intervals are too narrow. Longer random openings, or temperature, avoid it",
      different, pairs));
}

/// `games`: those of the cell, with the arms' names as players.
std::vector<Standing> standings_of(const StudyResults& results, const RatingGames& games) {
  const std::vector<StudyArm>& arms = results.settings.arms;
  if (games.games().empty()) return {};
  const std::string& reference = arms[results.reference()].name;
  const auto has_games = [&](const std::string& name) {
    return std::ranges::find(games.players(), name) != games.players().end();
  };
  RatingSettings settings;
  if (has_games(reference)) settings.anchor = {reference, 0};
  std::vector<Standing> standings;
  for (const PlayerRating& player : rate(games, settings).players) {
    Standing& standing = standings.emplace_back();
    standing.arm = static_cast<std::size_t>(std::ranges::find(arms, player.name, &StudyArm::name) -
                                            arms.begin());
    standing.elo = player.elo;
    standing.elo_95 = player.elo_95;
    standing.score = {.wins = player.wins, .draws = player.draws, .losses = player.losses};
  }
  return standings;
}

PairCounts white_pairs(const StudyResults& results, std::size_t cell) {
  PairCounts sum{};
  for (const Comparison& comparison : results.comparisons)
    if (comparison.cell == cell)
      for (std::size_t k = 0; k < sum.size(); ++k)
        sum[k] += comparison.white_pairs[k];
  return sum;
}

}  // namespace

double Comparison::mean_score() const {
  return games() == 0 ? 0.5 : score.points() / games();
}
double Comparison::draw_share() const {
  return games() == 0 ? 0 : static_cast<double>(score.draws) / games();
}
double Comparison::mean_plies() const {
  return games() == 0 ? 0 : static_cast<double>(plies) / games();
}

int StudyResults::games() const {
  return std::accumulate(comparisons.begin(), comparisons.end(), 0,
                         [](int sum, const Comparison& one) { return sum + one.games(); });
}

int StudyResults::decided() const {
  return static_cast<int>(std::ranges::count_if(
      comparisons, [](const Comparison& one) { return one.decision != SequentialDecision::None; }));
}

std::size_t StudyResults::reference() const {
  const auto plain = std::ranges::find(settings.arms, "", &StudyArm::strategy);
  return plain == settings.arms.end() ? 0 : static_cast<std::size_t>(plain - settings.arms.begin());
}

SideBehaviour StudyResults::behaviour_of(std::size_t cell, std::size_t arm) const {
  SideBehaviour sum;
  for (const Comparison& comparison : comparisons)
    for (std::size_t side = 0; side < 2; ++side)
      if (comparison.cell == cell && comparison.arms.at(side) == arm)
        sum += comparison.behaviour.at(side);
  return sum;
}

double StudyResults::white_score(std::size_t cell) const {
  return mean_of(white_pairs(*this, cell));
}
Interval StudyResults::white_interval(std::size_t cell) const {
  return anytime_score(white_pairs(*this, cell), kOwnAlpha);
}

StudyResults study_results(const fs::path& folder,
                           const std::function<void(const StudyGame&)>& on_game) {
  StudyResults results;
  results.settings = load_study(folder);
  const StudySettings& settings = results.settings;
  check_recorded(settings);
  results.cells = cells_of(settings);
  const PairsOfArms pairs_of_arms(settings);
  std::vector<std::unique_ptr<BehaviourObserver>> observers;
  for (std::size_t cell = 0; cell < results.cells.size(); ++cell) {
    observers.push_back(make_behaviour_observer(results.cells[cell].variant, settings.behaviour));
    results.names.push_back(observers.back()->names());
    for (const auto& arms : pairs_of_arms.arms()) {
      Comparison& comparison = results.comparisons.emplace_back();
      comparison.cell = cell;
      comparison.arms = arms;
    }
  }
  struct Points {
    int first = 0;
    int white = 0;
  };
  std::map<std::tuple<std::size_t, int, int>, Points> pairs;  // of the first game, by its place
  std::vector<std::set<std::string>> openings(results.comparisons.size());
  std::vector<RatingGames> games(results.cells.size());
  std::size_t number = 0;
  for_each_game_that_counts(
      settings, folder, results.notices,
      [&](std::size_t cell, const GamePlace& place, const TextGame& game) {
        const std::size_t index = pairs_of_arms.comparison_of(cell, place);
        Comparison& comparison = results.comparisons[index];
        const int white = twice_points(game.result);
        const bool first_is_white = game.white == settings.arms[comparison.arms[0]].name;
        const Points points{.first = first_is_white ? white : 2 - white, .white = white};
        const auto [partner, is_first] = pairs.try_emplace({cell, place.bout, place.pair}, points);
        if (!is_first) {
          ++comparison.pairs.at(static_cast<std::size_t>(partner->second.first + points.first));
          ++comparison.white_pairs.at(
              static_cast<std::size_t>(partner->second.white + points.white));
        }
        openings[index].insert(opening_of(game));
        games[cell].add({.white = game.white,
                         .black = game.black,
                         .result = white == 1 ? GameResult::Draw : game.result,
                         .variant = results.cells[cell].variant,
                         .opening = fmt::format("{}.{}", place.bout, place.pair)});
        add_game(comparison, settings, game, *observers[cell]);
        if (on_game) on_game({number, index, game});
        ++number;
      });
  if (settings.temperature == 0) add_notice_of_repeated_openings(results, openings);
  const SequentialTest test = sequential_test(settings);
  for (Comparison& comparison : results.comparisons) {
    comparison.decision = decision(test, comparison.pairs);
    comparison.score_interval = anytime_score(comparison.pairs, test.alpha);
  }
  results.contrasts = contrasts_of(results);
  for (const RatingGames& of_cell : games)
    results.standings.push_back(standings_of(results, of_cell));
  return results;
}

std::vector<StudyGame> study_games(const fs::path& folder, const StudySettings& settings,
                                   const std::set<std::size_t>& numbers) {
  const PairsOfArms pairs_of_arms(settings);
  std::vector<StudyGame> games;
  std::vector<std::string> known;  // from study_results()
  std::size_t number = 0;
  for_each_game_that_counts(
      settings, folder, known, [&](std::size_t cell, const GamePlace& place, const TextGame& game) {
        if (numbers.contains(number))
          games.push_back({number, pairs_of_arms.comparison_of(cell, place), game});
        ++number;
      });
  return games;
}

}  // namespace faultline
