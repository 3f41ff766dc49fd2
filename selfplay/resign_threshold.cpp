// When self-play may resign: learned from games that are played out.
#include "selfplay/resign_threshold.h"

#include <algorithm>
#include <array>
#include <random>
#include <string>
#include <vector>

#include "base/seeds.h"

namespace faultline {
namespace {

Colour first_mover(const GameRecord& game) {
  const std::size_t space = game.start_fen.find(' ');
  const bool black = space != std::string::npos && game.start_fen.compare(space + 1, 1, "b") == 0;
  return black ? Colour::Black : Colour::White;
}

/// The lowest value that all of some `moves` consecutive ones are at most.
float lowest_run(const std::vector<float>& values, std::size_t moves) {
  float lowest = 1;
  for (std::size_t i = 0; i + moves <= values.size(); ++i) {
    const auto first = values.begin() + static_cast<std::ptrdiff_t>(i);
    lowest = std::min(lowest, *std::max_element(first, first + static_cast<std::ptrdiff_t>(moves)));
  }
  return lowest;
}

}  // namespace

void ResignThreshold::add(const GameRecord& game) {
  if (!adapts()) return;
  std::array<Side, 2> sides{};
  // Who would have lost a game that was cut is unknown: nobody resigned.
  if (game.outcome != Outcome::Adjudicated && !game.resigned) {
    const Colour first = first_mover(game);
    for (const std::size_t parity : {0U, 1U}) {
      std::vector<float> values;
      for (std::size_t i = parity; i < game.plies.size(); i += 2) {
        if (!game.plies[i].searched) continue;
        const float win = unpack_probability(game.plies[i].win);
        values.push_back(2 * win + unpack_probability(game.plies[i].draw) - 1);
      }
      const Colour colour = parity == 0 ? first : ~first;
      sides[parity] = {lowest_run(values, static_cast<std::size_t>(config_->resign_plies)),
                       score_for(game.outcome, colour) < 0};
    }
  }
  games_.push_back(sides);
  if (games_.size() > kGames) games_.pop_front();
  update();
}

void ResignThreshold::update() {
  std::vector<Side> sides;
  for (const std::array<Side, 2>& game : games_)
    sides.insert(sides.end(), game.begin(), game.end());
  std::ranges::sort(sides, {}, &Side::lowest);
  float threshold = 0;
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < sides.size(); ++i) {
    if (static_cast<double>(sides[i].lowest) >= config_->resign_below) break;
    wrong += sides[i].lost ? 0 : 1;
    const auto resigned = static_cast<double>(i + 1);
    if (i + 1 >= kLeastSides &&
        static_cast<double>(wrong) <= config_->resign_false_positives * resigned)
      threshold = sides[i].lowest;
  }
  value_.store(threshold, std::memory_order_relaxed);
}

bool is_played_out(const Config& config, std::uint64_t number) {
  constexpr std::uint64_t kStream = 0x706c617965646f75U;  // apart from the game's own choices
  std::mt19937_64 rng(mix_seed(static_cast<std::uint64_t>(config.run.seed) ^ kStream, number));
  return std::uniform_real_distribution<double>(0, 1)(rng) < config.selfplay.resign_playthrough;
}

}  // namespace faultline
