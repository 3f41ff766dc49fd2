// Results and openings from the tags of games.
#include "lab/rating_reader.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/core.h>

namespace faultline {
namespace {

/// "12.1": a pair of games and the game within it.
bool is_pair_and_game(std::string_view round) {
  const std::size_t dot = round.rfind('.');
  return dot != std::string_view::npos && dot > 0 && dot + 1 < round.size() &&
         round.find_first_not_of("0123456789.") == std::string_view::npos;
}

std::string_view tag(const TextGame& game, std::string_view name) {
  const auto found =
      std::ranges::find(game.tags, name, &std::pair<std::string, std::string>::first);
  return found == game.tags.end() ? std::string_view() : std::string_view(found->second);
}

}  // namespace

RatingGame rating_game(const TextGame& game, const std::string& source) {
  RatingGame result{
      .white = game.white, .black = game.black, .result = game.result, .variant = game.variant};
  const std::string_view round = tag(game, "Round");
  if (is_pair_and_game(round))
    result.opening =
        fmt::format("{}\n{}\n{}", source, tag(game, "Event"), round.substr(0, round.rfind('.')));
  return result;
}

void read_rating_games(std::istream& in, const std::string& source, RatingGames& games,
                       Refusals& refused) {
  GameReader reader(in, source);
  for (;;)
    try {
      const std::optional<TextGame> game = reader.next_result();
      if (!game) return;
      games.add(rating_game(*game, source));
    } catch (const GameTextError& error) {
      refused.add(error.what());
    }
}

}  // namespace faultline
