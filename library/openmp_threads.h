// The number of OpenMP's threads, which oneDNN's callers set: in a library that number is the
// host's.
#pragma once

namespace faultline {

/// Gives the calling thread back the number of OpenMP threads that it had before. The backend
/// "onednn" sets it to one in every thread that makes a network or computes with one.
class KeepsOpenMpThreads {
 public:
  KeepsOpenMpThreads();
  ~KeepsOpenMpThreads();
  KeepsOpenMpThreads(const KeepsOpenMpThreads&) = delete;
  KeepsOpenMpThreads& operator=(const KeepsOpenMpThreads&) = delete;

 private:
  int threads_;
};

}  // namespace faultline
