// The links between actors and learner within one process.
#include "selfplay/local_links.h"

#include <utility>

namespace faultline {

void OrderBoard::wait_after(std::uint64_t version) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return orders_.version != version; });
}

void OrderBoard::replace(const Orders& orders) {
  {
    const std::scoped_lock lock(mutex_);
    const std::uint64_t version = orders_.version + 1;
    orders_ = orders;
    orders_.version = version;
  }
  changed_.notify_all();
}

bool LocalArrivals::store(ArrivedGame&& arrived) {
  // Under the lock, so that games arrive in the order in which they are stored.
  const std::scoped_lock lock(mutex_);
  if (numbers_ != nullptr && !numbers_->finish(arrived.game.number)) return false;
  persistence_->append(arrived.game);
  arrived_.push_back(std::move(arrived));
  arrives_.notify_one();
  return true;
}

std::size_t LocalArrivals::waiting() {
  const std::scoped_lock lock(mutex_);
  return arrived_.size();
}

std::vector<ArrivedGame> LocalArrivals::take(std::chrono::milliseconds wait) {
  std::unique_lock lock(mutex_);
  if (wait.count() > 0) {
    arrives_.wait_for(lock, wait, [this] { return !arrived_.empty() || woken_; });
    woken_ = false;
  }
  return std::exchange(arrived_, {});
}

void LocalArrivals::wake() {
  const std::scoped_lock lock(mutex_);
  woken_ = true;
  arrives_.notify_one();
}

}  // namespace faultline
