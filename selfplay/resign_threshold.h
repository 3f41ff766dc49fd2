// When self-play may resign: learned from games that are played out.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>

#include "selfplay/config.h"
#include "selfplay/game_record.h"

namespace faultline {

/// The root value below which a side resigns: the highest one at which, of the sides that would
/// have resigned in the latest games that were played out, no larger share than
/// selfplay.resign_false_positives did not lose. add() is the learner's; value() any thread's.
class ResignThreshold {
 public:
  static constexpr std::size_t kGames = 1'000;  // that are remembered

  /// `config` must outlive it.
  explicit ResignThreshold(const SelfPlayConfig& config)
      : config_(&config), value_(adapts() ? 0.0F : static_cast<float>(config.resign_below)) {}

  /// Whether it depends on games; it cannot if none are played out.
  bool adapts() const {
    return config_->resign_below < 0 && config_->resign_false_positives > 0 &&
           config_->resign_playthrough > 0;
  }
  /// Never above selfplay.resign_below. 0: nobody resigns, as at first, before enough is known.
  float value() const { return value_.load(std::memory_order_relaxed); }
  /// A finished game in which nobody could resign, in the order of the run.
  void add(const GameRecord& game);

 private:
  struct Side {
    float lowest = 1;  // it would have resigned at any threshold above this
    bool lost = false;
  };
  static constexpr std::size_t kLeastSides = 100;  // that would have resigned

  void update();

  const SelfPlayConfig* config_;
  std::deque<std::array<Side, 2>> games_;
  std::atomic<float> value_;
};

/// Whether nobody may resign in the run's game of this number, which is a matter of chance.
bool is_played_out(const Config& config, std::uint64_t number);

}  // namespace faultline
