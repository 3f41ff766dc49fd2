// Adds up results by pairing, variant and colour.
#include "lab/rating_games.h"

#include <algorithm>

namespace faultline {

int RatingGames::add_player(const std::string& name) {
  const auto [found, fresh] = player_numbers_.try_emplace(name, static_cast<int>(players_.size()));
  if (fresh) players_.push_back(name);
  return found->second;
}

int RatingGames::number_of(const std::string& variant) {
  const auto [found, fresh] =
      variant_numbers_.try_emplace(variant, static_cast<int>(variants_.size()));
  if (fresh) variants_.push_back(variant);
  return found->second;
}

void RatingGames::add(const RatingGame& game) {
  if (game.result == GameResult::None) {
    ++without_result_;
    return;
  }
  if (game.white == game.black) {
    ++against_itself_;
    return;
  }
  ClusteredGame entry{.white = add_player(game.white),
                      .black = add_player(game.black),
                      .variant = number_of(game.variant),
                      .twice_points = game.result == GameResult::WhiteWins   ? 2
                                      : game.result == GameResult::BlackWins ? 0
                                                                             : 1,
                      .cluster = clusters_};
  const auto [count, fresh] =
      count_numbers_.try_emplace({entry.white, entry.black, entry.variant}, counts_.size());
  if (fresh) counts_.push_back({entry.white, entry.black, entry.variant, {}});
  ++counts_[count->second].results.at(static_cast<std::size_t>(entry.twice_points));

  if (!game.opening.empty()) {
    const auto [low, high] = std::minmax(entry.white, entry.black);
    const std::string key = std::to_string(entry.variant) + ' ' + game.opening;
    entry.cluster = cluster_numbers_.try_emplace({low, high, key}, clusters_).first->second;
  }
  clusters_ = std::max(clusters_, entry.cluster + 1);
  games_.push_back(entry);
}

}  // namespace faultline
