// The interface between encoded batches and what runs the network: our own CPU kernels
// (cpu_backend.h), oneDNN on a CPU (onednn/backend.h), or LibTorch on any device
// (libtorch_backend.h). backend_registry.h selects one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "model/encoding/encoding.h"
#include "model/inference/precision.h"
#include "search/network_identity.h"

namespace faultline {

struct FoldedNetwork;

/// What callers need to know about a backend to use it efficiently.
struct BackendAttributes {
  std::string name;            // as registered: "cpu", "onednn", "libtorch"
  std::string device = "cpu";  // "cpu", "cuda:0"
  Precision precision = Precision::Fp32;
  bool runs_on_cpu = true;
  /// Batches that a thread should have in flight. 1: submit() does the work; more: it returns
  /// before the work is done, which overlaps with what the thread does meanwhile.
  std::size_t in_flight = 1;
  /// Positions per batch: more than `largest_batch` are refused, more than `best_batch` bring
  /// little.
  std::size_t largest_batch = std::numeric_limits<std::size_t>::max();
  std::size_t best_batch = 1;
  /// How many times a batch must have been submitted until it takes no longer than later.
  int warm_up = 1;

  bool asynchronous() const { return in_flight > 1; }
};

/// One batch of encoded positions and its outputs, in memory owned by the backend that made it,
/// which may be pinned. The encoder writes the inputs in place; the outputs are valid after
/// Backend::wait.
class BackendBatch {
 public:
  virtual ~BackendBatch() = default;
  BackendBatch(const BackendBatch&) = delete;
  BackendBatch& operator=(const BackendBatch&) = delete;

  /// Resizes to `count` positions with `moves` legal moves in total. The inputs are then
  /// unspecified, unless both shrink, which keeps the first ones; memory grows and never shrinks.
  virtual void resize(std::size_t count, std::size_t moves);

  std::size_t floats() const { return floats_; }  // of one position's planes
  std::size_t count() const { return count_; }
  std::size_t move_count() const { return moves_.size(); }

  // Inputs.
  /// [count, planes, height, width], row-major. To a batch that takes bits they can be written,
  /// too, and then make its bits.
  std::span<float> planes() {
    if (takes_bits() && planes_.empty())
      planes_ = {grow(own_planes_, count_ * floats_), count_ * floats_};
    return planes_;
  }
  std::span<const float> planes() const { return planes_; }
  /// [planes, height, width] of position i.
  std::span<float> planes(std::size_t i) { return planes().subspan(i * floats_, floats_); }
  /// Whether bits are to be written in place of floats.
  bool takes_bits() const { return plane_count_ > 0; }
  std::size_t plane_count() const { return plane_count_; }
  /// Of position i, all of which is to be written.
  BitPlanes bits(std::size_t i) { return bits_.part(i * plane_count_, plane_count_, cells()); }
  /// [count * planes].
  const BitPlanes& bits() const { return bits_; }
  /// The legal moves of all positions, concatenated.
  std::span<PolicyIndex> moves() { return moves_; }
  std::span<const PolicyIndex> moves() const { return moves_; }
  /// count + 1 offsets into moves().
  std::span<std::uint32_t> first_move() { return first_move_; }
  std::span<const std::uint32_t> first_move() const { return first_move_; }

  // Outputs.
  std::span<const float> wdl() const { return wdl_; }  // [count, 3]: win, draw, loss for the mover
  std::span<const float> moves_left() const { return moves_left_; }  // [count] plies
  std::span<const float> priors() const { return priors_; }  // [moves], softmax of each position's
  /// The network that computed them, of a backend whose network can be replaced.
  virtual std::optional<NetworkIdentity> network() const { return std::nullopt; }

 protected:
  /// `floats`: of one position's planes.
  /// `bit_planes`: a position's planes, of a batch that takes bits; 0: it takes floats.
  explicit BackendBatch(std::size_t floats, std::size_t bit_planes = 0)
      : floats_(floats), plane_count_(bit_planes) {
    first_move_ = {&none_, 1};
  }
  /// Memory for that many floats, valid until the next call; of a batch that takes floats.
  virtual std::span<float> allocate_planes(std::size_t floats) = 0;
  /// Memory for that many words and numbers, likewise, of one that takes bits.
  virtual BitPlanes allocate_bits(std::size_t words, std::size_t numbers);

  // For the backend.
  /// A part of another batch, whose memory this one shows from now on: `count` positions with
  /// `moves` moves from the given ones on. The offsets of moves are this batch's own.
  void show_part(BackendBatch& of, std::size_t position, std::size_t count, std::size_t move,
                 std::size_t moves);
  /// Throws std::invalid_argument if there are more than `largest` positions, or first_move does
  /// not match the moves.
  void check_inputs(std::size_t largest) const;
  /// Makes the bits of a batch whose floats were written.
  void pack();
  /// One logit per move, turned into probabilities by finish_outputs.
  std::span<float> logits() { return std::span(own_priors_).first(priors_.size()); }
  /// Turns `raw` ([count, 4]: win, draw, loss logits and moves left before its softplus) into wdl()
  /// and moves_left(), and logits() into priors().
  /// Throws std::runtime_error for outputs that are infinite or no numbers.
  void finish_outputs(std::span<const float> raw);

  std::size_t cells() const { return floats_ / plane_count_; }

 private:
  static float* grow(std::vector<float>& memory, std::size_t count) {
    if (memory.size() < count) memory.resize(count);
    return memory.data();
  }

  std::size_t floats_, plane_count_;
  std::size_t count_ = 0;
  std::uint32_t none_ = 0;   // first_move() of an empty batch
  std::span<float> planes_;  // empty if bits are written
  BitPlanes bits_ = {};
  std::span<PolicyIndex> moves_;
  std::span<std::uint32_t> first_move_;
  std::span<const float> wdl_, moves_left_, priors_;
  // The memory of those, unless the batch shows a part of another; never shrinks.
  std::vector<PolicyIndex> own_moves_;
  std::vector<std::uint32_t> own_first_move_;
  std::vector<float> own_planes_, own_wdl_, own_moves_left_, own_priors_;
};

/// Safe for several threads, each with its own batches.
class Backend {
 public:
  virtual ~Backend() = default;
  virtual const BackendAttributes& attributes() const = 0;
  /// An empty batch, for this backend only. The backend must outlive it.
  virtual std::unique_ptr<BackendBatch> make_batch() const = 0;
  /// Starts the work; a backend that is not asynchronous also finishes it. Throws
  /// std::invalid_argument for a batch of another backend, one that is too large, or one whose
  /// first_move does not match its moves.
  virtual void submit(BackendBatch& batch) = 0;
  /// Blocks until the outputs are available.
  virtual void wait(BackendBatch& batch) = 0;
  /// Whether wait() would return at once for a batch that was submitted.
  virtual bool is_done(const BackendBatch&) const { return true; }
  /// Computes with another network of the same shape from now on, in place of its own; no batch may
  /// be in flight, unless the backend says otherwise. False, and nothing has changed, if it cannot.
  virtual bool replace(const FoldedNetwork&, const NetworkIdentity&) { return false; }
  /// "cpu fp32, 16 lanes, 6x64, folded batch norms", for logs.
  virtual std::string describe() const = 0;
};

}  // namespace faultline
