// Processes that train one network together, each with a share of every batch. Only ranks.cpp
// includes c10d, so that the supported versions of LibTorch differ there alone.
#pragma once

#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>

namespace at {
class Tensor;
}

namespace faultline {

/// Whether this program was built with c10d's Gloo (Debian: libgloo-dev).
bool has_ranks();

/// One of the others has died, or does not answer.
struct RankError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// One of them. All calls wait for the others, at most five minutes where they say no other, and
/// throw RankError once one of them has died. Of one thread.
class Ranks {
 public:
  /// The process number `rank` of `size` on this machine. They find each other by `meeting`, a file
  /// that does not exist before. Waits until all have come.
  Ranks(const std::filesystem::path& meeting, int rank, int size);
  ~Ranks();

  int rank() const { return rank_; }
  int size() const { return size_; }
  /// The mean over all ranks, in place; the same bits in each. On a GPU the tensor goes through
  /// the host's memory.
  void mean(const at::Tensor& tensor);
  /// `message`: not empty.
  void send(int to, const std::string& message);
  /// Waits as long as the other one lives.
  std::string receive(int from);

 private:
  struct Group;
  int rank_, size_;
  std::unique_ptr<Group> group_;
};

}  // namespace faultline
