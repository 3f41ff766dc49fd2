// The results that ratings are computed from.
#pragma once

#include <array>
#include <cstddef>
#include <map>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "play/game_text.h"

namespace faultline {

/// One game, as its tags describe it.
struct RatingGame {
  std::string white;
  std::string black;
  GameResult result = GameResult::None;
  std::string variant = {};
  /// Games between two players with the same key were played from one opening with colours swapped:
  /// one observation. "": independent of all others.
  std::string opening = {};
};

/// Adds up games; players and variants are numbered in the order of their appearance.
class RatingGames {
 public:
  /// All games of one pairing, one variant and one colour: points of White.
  struct Count {
    int white = 0;
    int black = 0;
    int variant = 0;
    std::array<int, 3> results{};  // Black won, drawn, White won

    int games() const { return results[0] + results[1] + results[2]; }
  };
  /// A game that shares its opening with others.
  struct ClusteredGame {
    int white = 0;
    int black = 0;
    int variant = 0;
    int twice_points = 0;  // of White
    std::size_t cluster = 0;
  };

  /// Games without a result and games of a player against itself say nothing about strength: they
  /// are counted only. Their players are not listed unless they have other games.
  void add(const RatingGame& game);
  /// Lists a player that may have no games; gives its number.
  int add_player(const std::string& name);

  const std::vector<std::string>& players() const { return players_; }
  const std::vector<std::string>& variants() const { return variants_; }
  const std::vector<Count>& counts() const { return counts_; }
  /// Every game that was added, in order, each with its cluster; independent games have one each.
  const std::vector<ClusteredGame>& games() const { return games_; }
  std::size_t clusters() const { return clusters_; }
  /// Whether any two games share an opening.
  bool has_pairs() const { return clusters_ < games_.size(); }
  int without_result() const { return without_result_; }
  int against_itself() const { return against_itself_; }

 private:
  int number_of(const std::string& variant);

  std::vector<std::string> players_;
  std::vector<std::string> variants_;
  std::unordered_map<std::string, int> player_numbers_;
  std::unordered_map<std::string, int> variant_numbers_;
  std::vector<Count> counts_;
  std::map<std::tuple<int, int, int>, std::size_t> count_numbers_;
  std::vector<ClusteredGame> games_;
  std::map<std::tuple<int, int, std::string>, std::size_t> cluster_numbers_;
  std::size_t clusters_ = 0;
  int without_result_ = 0;
  int against_itself_ = 0;
};

}  // namespace faultline
