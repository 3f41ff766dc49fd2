// An Evaluator that asks a network: encodes the leaves, hands them to a Backend, copies the
// answers.
#pragma once

#include <algorithm>
#include <cassert>
#include <memory>
#include <mutex>
#include <span>
#include <utility>

#include "model/encoding/encoding.h"
#include "model/inference/backend.h"
#include "search/evaluator.h"

namespace faultline {

/// Safe for several threads, each with batches of its own. The including file also includes the
/// family's model/encoder_FAMILY.h.
template <Position P>
class NetworkEvaluator final : public Evaluator<P> {
 public:
  /// `variant`: of all positions that will be asked for.
  NetworkEvaluator(const typename P::Variant& variant, std::shared_ptr<Backend> backend)
      : floats_(Encoder<P>::info(variant).floats()), backend_(std::move(backend)) {}

  /// From now on batches go to `backend`. Those in flight stay with the one they were submitted
  /// to, which lives as long as they do.
  void set_backend(std::shared_ptr<Backend> backend) {
    {
      const std::scoped_lock lock(mutex_);
      backend_.swap(backend);
    }  // the old backend, if nobody else has it, goes after the lock
  }
  std::shared_ptr<Backend> backend() const {
    const std::scoped_lock lock(mutex_);
    return backend_;
  }

  void submit(EvalBatch<P>& batch) override {
    auto* work = dynamic_cast<Workspace*>(batch.workspace.get());
    if (work == nullptr) {
      auto fresh = std::make_unique<Workspace>();
      work = fresh.get();
      batch.workspace = std::move(fresh);
    }
    batch.prepare_results();
    if (batch.empty()) return;
    encode(batch, work->batch);
    auto now = backend();
    if (now != work->backend) {
      work->batch.state.reset();  // belongs to the old backend
      work->backend = std::move(now);
    }
    work->backend->submit(work->batch);
  }

  void wait(EvalBatch<P>& batch) override {
    if (batch.empty()) return;
    auto* work = dynamic_cast<Workspace*>(batch.workspace.get());
    assert(work != nullptr);
    work->backend->wait(work->batch);
    const BackendBatch& out = work->batch;
    for (std::size_t i = 0; i < batch.size(); ++i) {
      batch.evaluation(i) = {out.wdl[3 * i], out.wdl[3 * i + 1], out.wdl[3 * i + 2],
                             out.moves_left[i]};
      std::copy_n(out.priors.data() + out.first_move[i], batch.priors(i).size(),
                  batch.priors(i).begin());
    }
  }

 private:
  struct Workspace final : BatchWorkspace {
    std::shared_ptr<Backend> backend;  // declared first: must outlive batch.state
    BackendBatch batch;
  };

  void encode(const EvalBatch<P>& from, BackendBatch& to) const {
    const std::size_t count = from.size();
    to.count = count;
    to.planes.resize(count * floats_);
    to.moves.resize(from.total_moves());
    to.first_move.resize(count + 1);
    to.first_move[0] = 0;
    PolicyIndex* move = to.moves.data();
    for (std::size_t i = 0; i < count; ++i) {
      const P& position = from.position(i);
      Encoder<P>::encode(position, from.repetitions(i),
                         std::span(to.planes).subspan(i * floats_, floats_));
      for (const Move m : from.moves(i))
        *move++ = Encoder<P>::policy_index(position, m);
      to.first_move[i + 1] = static_cast<std::uint32_t>(from.first_move(i + 1));
    }
  }

  std::size_t floats_;                // of one position's planes
  mutable std::mutex mutex_;          // taken once a batch
  std::shared_ptr<Backend> backend_;  // guarded by mutex_
};

}  // namespace faultline
