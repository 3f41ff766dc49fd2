// The processes of a run that share its training steps (learner.ranks).
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <sys/types.h>

#include "model/training/ranks.h"
#include "model/training/train_batch.h"
#include "model/training/trainer.h"

namespace faultline {

/// The processes, begun by this one, which is rank 0.
class RankProcesses {
 public:
  /// Forks: before this process has threads and devices. Throws RunError if the program has no
  /// c10d.
  explicit RankProcesses(int size);
  /// Ends them.
  ~RankProcesses();
  RankProcesses(const RankProcesses&) = delete;
  RankProcesses& operator=(const RankProcesses&) = delete;

  int size() const { return ranks_->size(); }
  /// Gives all of them what `trainer` is, which from now on makes its steps with theirs. `devices`:
  /// of the ranks, in turn. `scratch`: a file for it, which is deleted.
  void begin(Trainer& trainer, const std::vector<std::string>& devices,
             const std::filesystem::path& scratch);
  /// One optimiser step of all ranks. Throws RunError if one has died: the weights are then those
  /// before the step, and this object can make no other.
  StepLosses step(Trainer& trainer, const TrainBatch& batch);

 private:
  [[noreturn]] void give_up(const std::string& why);

  std::vector<pid_t> children_;
  std::shared_ptr<Ranks> ranks_;
};

}  // namespace faultline
