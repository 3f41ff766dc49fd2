// An Evaluator backed by a network: encodes leaves into a Backend's memory, submits them, and
// copies the results.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>

#include "model/encoding/attack_planes.h"
#include "model/inference/backend.h"
#include "search/evaluator.h"

namespace faultline {

/// Safe for several threads, each with its own batches.
template <Position P>
class NetworkEvaluator final : public Evaluator<P> {
 public:
  /// `variant`: of all positions to be evaluated; the backend's network must be for it, with or
  /// without planes of attacks.
  NetworkEvaluator(const typename P::Variant& variant, std::shared_ptr<Backend> backend)
      : encoder_(Encoder<P>::info(variant)), backend_(std::move(backend)) {}

  /// Subsequent batches go to `backend`, which computes the network of that identity unless its
  /// batches say otherwise. Those in flight stay with the one they were submitted to, which they
  /// keep alive.
  void set_backend(std::shared_ptr<Backend> backend, const NetworkIdentity& network = {}) {
    {
      const std::scoped_lock lock(mutex_);
      backend_.swap(backend);
      network_ = network;
    }  // the old backend, unless still referenced, is destroyed after the lock is released
  }
  std::shared_ptr<Backend> backend() const {
    const std::scoped_lock lock(mutex_);
    return backend_;
  }

  void submit(EvalBatch<P>& batch) override {
    batch.prepare_results();
    if (batch.empty()) return;
    auto* work = dynamic_cast<Workspace*>(batch.workspace.get());
    if (work == nullptr) {
      auto fresh = std::make_unique<Workspace>();
      work = fresh.get();
      batch.workspace = std::move(fresh);
    }
    auto [now, network] = current();
    work->network = network;
    if (now != work->backend || !work->batch) {
      work->batch.reset();  // before its backend, and so that the new one can have its memory
      work->batch = now->make_batch();
      work->backend = std::move(now);
    }
    encode(batch, *work->batch);
    work->backend->submit(*work->batch);
  }

  void wait(EvalBatch<P>& batch) override {
    if (batch.empty()) return;
    auto* work = dynamic_cast<Workspace*>(batch.workspace.get());
    assert(work != nullptr);
    work->backend->wait(*work->batch);
    const BackendBatch& out = *work->batch;
    if (const auto network = out.network()) work->network = *network;
    const auto wdl = out.wdl(), moves_left = out.moves_left(), priors = out.priors();
    for (std::size_t i = 0; i < batch.size(); ++i) {
      batch.evaluation(i) = {wdl[3 * i], wdl[3 * i + 1], wdl[3 * i + 2], moves_left[i]};
      std::copy_n(priors.data() + out.first_move()[i], batch.priors(i).size(),
                  batch.priors(i).begin());
    }
  }

 private:
  struct Workspace final : BatchWorkspace {
    std::shared_ptr<Backend> backend;  // declared first: must outlive its batch
    std::unique_ptr<BackendBatch> batch;
  };

  std::pair<std::shared_ptr<Backend>, NetworkIdentity> current() const {
    const std::scoped_lock lock(mutex_);
    return {backend_, network_};
  }

  /// Writes the positions into the backend's memory.
  void encode(const EvalBatch<P>& from, BackendBatch& to) const {
    if (to.floats() != encoder_.floats() && to.floats() != encoder_.floats_with_attacks())
      throw std::invalid_argument("the network reads " + std::to_string(to.floats()) +
                                  " floats per position; the variant's encoding has " +
                                  std::to_string(encoder_.floats()) + ", with planes of attacks " +
                                  std::to_string(encoder_.floats_with_attacks()));
    to.resize(from.size(), from.total_moves());
    const std::span<std::uint32_t> first_move = to.first_move();
    first_move[0] = 0;
    PolicyIndex* const moves = to.moves().data();
    PolicyIndex* move = moves;
    for (std::size_t i = 0; i < from.size(); ++i) {
      const P& position = from.position(i);
      if (to.takes_bits())
        encoder_.encode_bits(position, from.repetitions(i), to.bits(i));
      else
        encoder_.encode(position, from.repetitions(i), to.planes(i));
      for (const Move m : from.moves(i))
        *move++ = Encoder<P>::policy_index(position, m);
      first_move[i + 1] = static_cast<std::uint32_t>(move - moves);
    }
  }

  PositionEncoder<P> encoder_;
  mutable std::mutex mutex_;          // taken once per batch
  std::shared_ptr<Backend> backend_;  // guarded by mutex_
  NetworkIdentity network_ = {};      // likewise
};

}  // namespace faultline
