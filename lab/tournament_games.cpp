// Reads, repairs and appends recorded games.
#include "lab/tournament_games.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <sstream>
#include <stdexcept>
#include <system_error>
#include <utility>

#include <fmt/core.h>

#include "base/quote.h"
#include "base/unreadable_file.h"
#include "lab/match_game_text.h"

namespace faultline {
namespace {

std::string tag(const TextGame& game, std::string_view name) {
  const auto found =
      std::ranges::find(game.tags, name, &std::pair<std::string, std::string>::first);
  return found == game.tags.end() ? "" : found->second;
}

/// Sets the tag in its place, or adds it.
void set_tag(TextGame& game, const std::string& name, const std::string& value) {
  const auto found =
      std::ranges::find(game.tags, name, &std::pair<std::string, std::string>::first);
  if (found == game.tags.end())
    game.tags.emplace_back(name, value);
  else
    found->second = value;
}

}  // namespace

std::string GamePlace::round() const {
  return fmt::format("{}.{}.{}", bout + 1, pair + 1, game + 1);
}

std::optional<GamePlace> GamePlace::parse(std::string_view round) {
  std::array<int, 3> numbers{};
  const char* at = round.data();
  const char* const end = round.data() + round.size();
  for (std::size_t i = 0; i < 3; ++i) {
    const auto [stop, error] = std::from_chars(at, end, numbers[i]);
    if (error != std::errc() || numbers[i] < 1) return std::nullopt;
    if (i < 2 && (stop == end || *stop != '.')) return std::nullopt;
    if (i == 2 && stop != end) return std::nullopt;
    at = stop + 1;
  }
  if (numbers[2] > 2) return std::nullopt;
  return GamePlace{numbers[0] - 1, numbers[1] - 1, numbers[2] - 1};
}

std::optional<GamePlace> place_of(const TextGame& game) {
  return GamePlace::parse(tag(game, "Round"));
}

std::size_t end_of_complete_games(std::string_view text) {
  // A game ends with its result and an empty line. Movetext has no empty line, and the tags before
  // it end with a bracket.
  std::size_t complete = 0;
  for (std::size_t at = text.find("\n\n"); at != std::string_view::npos;
       at = text.find("\n\n", at + 2)) {
    const std::string_view before = text.substr(0, at);
    for (const std::string_view result : {"1-0", "0-1", "1/2-1/2", "*"})
      if (before.ends_with(result) && before.size() > result.size() &&
          (before[before.size() - result.size() - 1] == ' ' ||
           before[before.size() - result.size() - 1] == '\n'))
        complete = at + 2;
  }
  return complete;
}

std::optional<std::string> fault_after_complete_games(std::string_view text, std::size_t complete) {
  constexpr std::string_view kBegin = "[Event ";
  const std::string_view rest = text.substr(complete);
  if (complete == 0 && !rest.empty() && rest.front() != '[') return "is not a file of games";
  int begun = rest.starts_with(kBegin) ? 1 : 0;
  for (std::size_t at = rest.find('\n'); at != std::string_view::npos; at = rest.find('\n', at + 1))
    if (rest.substr(at + 1).starts_with(kBegin)) ++begun;
  const bool has_returns = rest.find('\r') != std::string_view::npos;
  if (begun <= 1 && !has_returns) return std::nullopt;
  return fmt::format(
      "is not as this program writes it: after its first {} bytes {}. Every line must end with one "
      "newline character, and every game with its result and an empty line; were the line ends "
      "changed? Nothing was dropped",
      complete,
      has_returns ? std::string("there are carriage returns")
                  : fmt::format("{} games begin and none is complete", begun));
}

std::string complete_games_in(const std::filesystem::path& file) {
  if (const auto reason = why_unreadable(file)) throw ExperimentError(*reason);
  std::ifstream in(file, std::ios::binary);
  if (!in) throw ExperimentError(file.string() + ": cannot be opened");
  std::ostringstream bytes;
  bytes << in.rdbuf();
  std::string text = bytes.str();
  const std::size_t end = end_of_complete_games(text);
  if (const auto fault = fault_after_complete_games(text, end))
    throw ExperimentError(fmt::format("{}: {}", file.string(), *fault));
  text.resize(end);
  return text;
}

TournamentGames::TournamentGames(std::filesystem::path file, const std::string& event)
    : file_(std::move(file)), event_(event) {
  if (std::filesystem::exists(file_)) read();
  out_.open(file_, std::ios::app | std::ios::binary);
  if (!out_) throw ExperimentError(file_.string() + ": cannot be opened for writing");
}

void TournamentGames::read() {
  const std::string text = complete_games_in(file_);
  if (text.size() < std::filesystem::file_size(file_)) {
    std::filesystem::resize_file(file_, text.size());
    repaired_ = true;
  }
  std::istringstream in(text);
  GameReader reader(in, file_.string());
  while (const std::optional<TextGame> game = reader.next_result()) {
    const std::string round = tag(*game, "Round");
    const std::optional<GamePlace> place = GamePlace::parse(round);
    if (const std::string event = tag(*game, "Event"); event != event_)
      throw ExperimentError(
          fmt::format("{}: has a game with the Event {}; those written here have the Event {}",
                      file_.string(), quote(event), quote(event_)));
    if (!place)
      throw ExperimentError(fmt::format(
          "{}: has a game {}; those written here have the Round BOUT.PAIR.GAME, as in 1.3.2",
          file_.string(), round.empty() ? "without a Round" : "with the Round " + quote(round)));
    if (!played_.try_emplace(*place, PlayedGame{game->white, game->black, game->result}).second)
      throw ExperimentError(
          fmt::format("{}: has two games with the Round {}", file_.string(), round));
  }
}

std::vector<int> TournamentGames::missing_pairs(int bout, int pairs) const {
  std::vector<int> missing;
  for (int pair = 0; pair < pairs; ++pair)
    if (!played_.contains({bout, pair, 0}) || !played_.contains({bout, pair, 1}))
      missing.push_back(pair);
  return missing;
}

std::vector<std::filesystem::path> TournamentGames::repaired() const {
  if (!repaired_) return {};
  return {file_};
}

bool TournamentGames::append(const GamePlace& place, TextGame game) {
  if (!played_.try_emplace(place, PlayedGame{game.white, game.black, game.result}).second)
    return false;
  set_tag(game, "Event", event_);
  set_tag(game, "Round", place.round());
  std::ostringstream text;
  write_game(text, game);
  errno = 0;
  out_ << text.str();
  if (!out_.flush())
    throw std::system_error(errno != 0 ? errno : EIO, std::generic_category(),
                            file_.string() + ": cannot be written");
  return true;
}

std::string bout_text(const std::array<std::string, 2>& players, const Score& score) {
  return fmt::format("{} - {} +{} ={} -{}", players[0], players[1], score.wins, score.draws,
                     score.losses);
}

void TournamentGames::play_missing(const BoutGames& bout, PlayerResources& resources, int threads,
                                   const ExperimentHooks& hooks) {
  MatchSetup setup = bout.setup;
  std::int64_t lacking = 0;
  {
    const std::scoped_lock lock(mutex_);
    for (const int pair : missing_pairs(bout.bout, bout.pairs))
      setup.config.pairs.push_back(bout.first_pair + pair);
    lacking = 2 * bout.pairs - std::ranges::distance(of_bout(bout.bout));
  }
  if (lacking == 0 || (hooks.stop && hooks.stop())) return;
  setup.config.games = 2 * static_cast<int>(setup.config.pairs.size());
  setup.config.threads = threads;
  int finished = 0;  // of those that are missing
  MatchHooks match;
  match.stop = hooks.stop;
  match.on_game = [&](const MatchGame& game, const MatchResult&) {
    TextGame text = text_of(game, setup.variant, bout.names, event_, setup.config.cut);
    const GamePlace place{bout.bout, game.number / 2 - bout.first_pair, game.number % 2};
    const std::scoped_lock lock(mutex_);
    if (append(place, std::move(text)) && hooks.on_game) hooks.on_game();
  };
  if (hooks.on_finished)
    match.on_progress = [&](const MatchResult& so_far) {
      // Games that are there are played again with the other one of their pair, and do not count.
      if (so_far.finished * lacking / setup.config.games <= finished) return;
      ++finished;
      hooks.on_finished(bout.work,
                        bout.title.empty() ? bout_text(bout.names, so_far.score()) : bout.title);
    };
  run_match(setup, resources, match);
}

}  // namespace faultline
