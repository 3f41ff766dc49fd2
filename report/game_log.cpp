// What a report knows of every game, and which of them it shows.
#include "report/game_log.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "base/text.h"

namespace faultline {
namespace {

/// Whether one side won, and not by the luck of a random opening.
bool is_decided(const LoggedGame& game) {
  return !game.decided_by_opening &&
         (game.result == GameResult::WhiteWins || game.result == GameResult::BlackWins);
}

/// 1, 2, 5, 10, 20, 50, …: the least that needs at most `bins` bins up to `end`.
std::uint32_t bin_width(std::uint32_t end, std::uint32_t bins) {
  for (std::uint32_t unit = 1;; unit *= 10)
    for (const std::uint32_t step : {1U, 2U, 5U})
      if (std::uint64_t{unit} * step * bins >= end) return unit * step;
}

/// A length that 99.5 % of the games do not exceed.
std::uint32_t nearly_longest(std::vector<std::uint32_t> lengths) {
  std::ranges::sort(lengths);
  return lengths[static_cast<std::size_t>(
      std::ceil(0.995 * static_cast<double>(lengths.size() - 1)))];
}

std::vector<std::uint32_t> lengths_of(std::span<const LoggedGame> games) {
  std::vector<std::uint32_t> lengths;
  lengths.reserve(games.size());
  for (const LoggedGame& game : games)
    lengths.push_back(game.plies);
  return lengths;
}

double median(std::vector<std::uint32_t> values) {
  std::ranges::sort(values);
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2.0;
}

class Choice {
 public:
  explicit Choice(std::size_t count) : count_(count) {}
  bool is_full() const { return chosen_.size() >= count_; }
  void add(const LoggedGame* game, const std::string& label) {
    if (game == nullptr || is_full() || !numbers_.insert(game->number).second) return;
    chosen_.push_back({game->number, label});
  }
  std::vector<ChosenGame> take() { return std::move(chosen_); }

 private:
  std::size_t count_;
  std::set<std::uint64_t> numbers_;
  std::vector<ChosenGame> chosen_;
};

/// The last of the games that `fits`; null if none does.
template <class Fits>
const LoggedGame* last_of(std::span<const LoggedGame> games, Fits fits) {
  for (std::size_t i = games.size(); i-- > 0;)
    if (fits(games[i])) return &games[i];
  return nullptr;
}

/// The game that `fits` for which `measure` is least; the first of several.
template <class Fits, class Measure>
const LoggedGame* least_of(std::span<const LoggedGame> games, Fits fits, Measure measure) {
  const LoggedGame* best = nullptr;
  for (const LoggedGame& game : games)
    if (fits(game) && (best == nullptr || measure(game) < measure(*best))) best = &game;
  return best;
}

}  // namespace

bool decided_by_opening(std::size_t random_plies, std::size_t plies,
                        std::optional<float> lowest_hope) {
  constexpr float kWinning = 0.8F;
  if (random_plies == 0) return false;
  return random_plies >= plies || lowest_hope.value_or(0) > kWinning;
}

std::uint16_t GameLog::ending_number(std::string_view ending) {
  const auto known = std::ranges::find(endings_, ending);
  const auto number = static_cast<std::uint16_t>(known - endings_.begin());
  if (known == endings_.end()) endings_.emplace_back(ending);
  return number;
}

std::span<const LoggedGame> GameLog::newest() const {
  constexpr std::size_t kLeast = 200;
  const std::size_t count = std::min(games_.size(), std::max(kLeast, games_.size() / 5));
  return std::span(games_).last(count);
}

ReportJson length_section(const std::vector<GameGroup>& groups) {
  constexpr std::uint32_t kBins = 40;
  std::uint32_t longest = 1;
  std::string note;
  for (const GameGroup& group : groups) {
    const auto lengths = lengths_of(group.games);
    longest = std::max(longest, nearly_longest(lengths));
    note += fmt::format("{}{}: median {:g} plies, {} to {}.", note.empty() ? "" : " ", group.name,
                        median(lengths), std::ranges::min(lengths), std::ranges::max(lengths));
  }
  const std::uint32_t width = bin_width(longest + 1, kBins);
  const std::size_t bins = longest / width + 1;
  ReportJson section = report_section("histogram", "Length of games", note);
  section["unit"] = "plies";
  section["width"] = width;
  section["series"] = ReportJson::array();
  bool any_longer = false;
  for (const GameGroup& group : groups) {
    std::vector<std::uint64_t> counts(bins, 0);
    for (const LoggedGame& game : group.games) {
      const std::size_t bin = game.plies / width;
      any_longer = any_longer || bin >= bins;
      ++counts[std::min(bin, bins - 1)];
    }
    section["series"].push_back(
        {{"name", group.name}, {"total", group.games.size()}, {"counts", counts}});
  }
  section["open"] = any_longer;
  return section;
}

ReportJson ending_section(const GameLog& log, const std::vector<GameGroup>& groups) {
  ReportJson section = report_section("bars", "How games end");
  section["groups"] = ReportJson::array();
  std::vector<std::uint64_t> totals;
  for (const GameGroup& group : groups) {
    section["groups"].push_back({{"name", group.name}, {"total", group.games.size()}});
    totals.push_back(group.games.size());
  }
  const auto counts_where = [&](auto&& fits) {
    std::vector<std::uint64_t> counts;
    for (const GameGroup& group : groups)
      counts.push_back(static_cast<std::uint64_t>(std::ranges::count_if(group.games, fits)));
    return counts;
  };
  section["bars"] = ReportJson::array();
  const auto add = [&](const std::string& name, const std::string& part,
                       const std::vector<std::uint64_t>& counts) {
    if (std::ranges::any_of(counts, [](std::uint64_t count) { return count > 0; }))
      section["bars"].push_back({{"name", name}, {"part", part}, {"counts", counts}});
  };
  constexpr std::array kResults = {
      std::pair(GameResult::WhiteWins, "White wins"), std::pair(GameResult::Draw, "draw"),
      std::pair(GameResult::BlackWins, "Black wins"), std::pair(GameResult::None, "no result")};
  for (const auto& [result, name] : kResults)
    add(name, "result",
        counts_where([result = result](const LoggedGame& game) { return game.result == result; }));
  std::vector<std::pair<std::uint64_t, std::uint32_t>> endings;
  for (const LoggedGame& game : log.games()) {
    while (endings.size() <= game.ending)
      endings.emplace_back(0, static_cast<std::uint32_t>(endings.size()));
    ++endings[game.ending].first;
  }
  std::ranges::stable_sort(endings, std::ranges::greater(),
                           &std::pair<std::uint64_t, std::uint32_t>::first);
  for (const auto& [count, number] : endings)
    add(log.ending(number), "ending",
        counts_where([number = number](const LoggedGame& game) { return game.ending == number; }));
  return section;
}

std::vector<ChosenGame> choose_games(const GameLog& log, std::size_t count) {
  const std::span<const LoggedGame> newest = log.newest();
  const std::span<const LoggedGame> all = log.games();
  const bool all_are_new = newest.size() == all.size();
  const auto any = [](const LoggedGame&) { return true; };
  const auto length = [](const LoggedGame& game) { return game.plies; };
  Choice choice(count);
  choice.add(last_of(newest, is_decided), "newest game decided by play");
  choice.add(least_of(newest, is_decided, length), "shortest game decided by play");
  choice.add(least_of(newest, any, [](const LoggedGame& game) { return ~game.plies; }), "longest");
  const auto is_turnaround = [](const LoggedGame& game) { return game.lowest_hope < 0.35F; };
  choice.add(
      least_of(newest, is_turnaround, [](const LoggedGame& game) { return game.lowest_hope; }),
      "greatest turnaround");
  choice.add(
      last_of(newest, [](const LoggedGame& game) { return game.result == GameResult::Draw; }),
      "newest draw");
  if (!all_are_new) choice.add(&all.front(), "first game of all");
  std::set<std::uint16_t> endings;
  for (const LoggedGame& game : all)
    endings.insert(game.ending);
  for (const std::uint32_t ending : endings)
    choice.add(last_of(all, [&](const LoggedGame& game) { return game.ending == ending; }),
               log.ending(ending));
  const std::size_t step = std::max<std::size_t>(1, all.size() / (count + 1));
  for (std::size_t i = all.size(); i > 0 && !choice.is_full(); i -= std::min(i, step))
    choice.add(&all[i - 1], "");
  return choice.take();
}

}  // namespace faultline
