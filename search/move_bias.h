// The interface between the search and a strategy: how one side's moves are to be preferred,
// avoided or left out.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "rules/history.h"
#include "rules/position.h"
#include "search/node_memory.h"

namespace faultline {

/// One ply of a descent.
struct PathStep {
  std::uint64_t key;  // of the position after the move
  Handle parent;      // valid only during the descent: nodes move as they grow
  std::uint16_t edge_index;
};

/// What a strategy says of one legal move.
struct MoveVerdict {
  float weight = 1;  // multiplies the prior, above 0
  /// Added to the move's value, win - loss, where a descent selects; never backed up.
  float bonus = 0;
  bool forbidden = false;  // not searched
};

/// The keys of all positions of a line, from the start of the game to the one that is judged: the
/// game's, then those of the descent. Whatever depends on them does not depend on where the root
/// is, so that judgements stay right when the tree is reused.
class LineKeys {
 public:
  LineKeys(const KeyHistory& played, std::span<const PathStep> path)
      : played_(&played), path_(path) {}

  /// Whether `key`, of a position after one more ply, occurred among the last `window` plies before
  /// it.
  bool contain(std::uint64_t key, int window) const {
    const std::size_t size = played_->size() + path_.size();
    for (std::size_t back = 2; back <= size && back <= static_cast<std::size_t>(window); back += 2)
      if (at(size - back) == key) return true;
    return false;
  }

 private:
  std::uint64_t at(std::size_t i) const {
    return i < played_->size() ? (*played_)[i] : path_[i - played_->size()].key;
  }
  const KeyHistory* played_;
  std::span<const PathStep> path_;
};

/// A strategy (strategy/strategy.h) as the search sees it. Immutable, shared by all games.
template <Position P>
class MoveBias {
 public:
  virtual ~MoveBias() = default;
  /// Writes a verdict for each of `legal`, all legal moves of `position`, the last one of `line`.
  virtual void judge(const P& position, const LineKeys& line, std::span<const Move> legal,
                     std::vector<MoveVerdict>& verdicts) const = 0;
};

/// What follows from the verdicts of one node.
struct Judgement {
  std::vector<MoveVerdict> verdicts;  // in the order of legal_moves(); empty: there is no strategy
  std::size_t allowed = 0;            // moves that are searched, at least 1
  bool has_bonuses = false;
  bool lifted = false;  // every move was forbidden, and therefore none is

  /// Completes it after the verdicts. `excluded(i)`: whether move i may not be searched whatever
  /// the strategy says, which must not be so for all.
  template <class Excluded>
  void settle(const Excluded& excluded) {
    lifted = true;
    for (std::size_t i = 0; i < verdicts.size(); ++i)
      if (!verdicts[i].forbidden && !excluded(i)) lifted = false;
    allowed = 0;
    has_bonuses = false;
    for (std::size_t i = 0; i < verdicts.size(); ++i) {
      verdicts[i].forbidden = excluded(i) || (verdicts[i].forbidden && !lifted);
      if (verdicts[i].forbidden) continue;
      ++allowed;
      has_bonuses = has_bonuses || verdicts[i].bonus != 0;
    }
  }
};

}  // namespace faultline
