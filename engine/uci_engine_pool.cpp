// Processes of one engine, handed from game to game.
#include "engine/uci_engine_pool.h"

#include <algorithm>
#include <utility>

#include "search/searcher.h"

namespace faultline {

UciEnginePool::UciEnginePool(UciEngineSpec spec, std::string variant)
    : spec_(std::move(spec)), variant_(std::move(variant)) {
  auto first = std::make_unique<UciClient>(spec_, variant_);
  name_ = first->name();
  idle_.push_back(std::move(first));
  running_ = 1;
}

std::unique_ptr<UciClient> UciEnginePool::take() {
  for (;;) {
    std::unique_ptr<UciClient> client;
    {
      const std::scoped_lock lock(mutex_);
      if (idle_.empty()) break;
      client = std::move(idle_.back());
      idle_.pop_back();
    }
    try {
      client->new_game();
      return client;
    } catch (const SearcherFailure&) {
      // It ended between two games, which neither of them is to suffer from.
      give_back(std::move(client));
    }
  }
  try {
    auto client = std::make_unique<UciClient>(spec_, variant_);
    client->new_game();
    const std::scoped_lock lock(mutex_);
    ++running_;
    return client;
  } catch (const UciSpecError& error) {  // the first process met the specification
    throw SearcherFailure(error.what());
  }
}

void UciEnginePool::give_back(std::unique_ptr<UciClient> client) {
  const std::scoped_lock lock(mutex_);
  if (client->has_failed())
    --running_;
  else
    idle_.push_back(std::move(client));
}

void UciEnginePool::expect(int processes) {
  const std::scoped_lock lock(mutex_);
  expected_ += processes;
}

int UciEnginePool::to_be_started() const {
  const std::scoped_lock lock(mutex_);
  return std::max(0, expected_ - running_);
}

}  // namespace faultline
