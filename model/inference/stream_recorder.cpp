// Recording with CUDA graphs; without FAULTLINE_CUDA_GRAPHS there are no recorders.
#include "model/inference/stream_recorder.h"

#include <atomic>

#include <c10/util/Exception.h>

#ifdef FAULTLINE_CUDA_GRAPHS
#include <exception>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include <ATen/ATen.h>
#include <ATen/cuda/CUDAGraph.h>
#include <c10/core/DeviceGuard.h>
#include <c10/core/StreamGuard.h>
#include <c10/cuda/CUDACachingAllocator.h>
#include <c10/cuda/CUDAStream.h>
#include <dlfcn.h>
#endif

namespace faultline {
namespace {

std::atomic<bool> stopped = false;
std::atomic<std::uint64_t> replays = 0;

#ifdef FAULTLINE_CUDA_GRAPHS

/// Graphs register with the device's generator of random numbers when they are captured and leave
/// it when they are destroyed; neither is safe for several threads.
std::mutex& graphs_mutex() {
  static auto* const mutex = new std::mutex;  // never destroyed: graphs may live until the end
  return *mutex;
}

class CudaRecording final : public RecordedOperations {
 public:
  ~CudaRecording() override {
    const std::scoped_lock lock(graphs_mutex());
    graph.reset();
  }
  void replay() override {
    graph->replay();
    replays.fetch_add(1, std::memory_order_relaxed);
  }
  std::optional<at::cuda::CUDAGraph> graph{std::in_place};
};

/// A new stream. LibTorch's own are 32 that take turns; what another thread submits to a stream
/// while it records would be recorded, too.
c10::Stream new_stream(at::Device device) {
  // The CUDA library that LibTorch loaded: this program is linked with none.
  using Create = cudaError_t(cudaStream_t*, unsigned);
  auto* const create = reinterpret_cast<Create*>(dlsym(RTLD_DEFAULT, "cudaStreamCreateWithFlags"));
  TORCH_CHECK(create != nullptr, "the CUDA runtime library was not found");
  const c10::DeviceGuard on_device(device);
  cudaStream_t stream = nullptr;
  TORCH_CHECK(create(&stream, cudaStreamNonBlocking) == cudaSuccess, "a stream was refused");
  return c10::cuda::getStreamFromExternal(stream, device.index()).unwrap();
}

class CudaRecorder final : public StreamRecorder {
 public:
  explicit CudaRecorder(at::Device device)
      : stream_(new_stream(device)), memory_(at::cuda::graph_pool_handle()) {
    // LibTorch forgets the shared memory with the last recording in it.
    const c10::StreamGuard on_stream(stream_);
    first_ = record([&] { first_result_ = at::zeros({1}, at::TensorOptions(stream_.device())); });
  }

  c10::Stream stream() const override { return stream_; }

  std::unique_ptr<RecordedOperations> record(const std::function<void()>& submit) override {
    auto recording = std::make_unique<CudaRecording>();  // destroyed after the lock is released
    const std::scoped_lock lock(graphs_mutex());
    TORCH_CHECK(!stopped, "recording has stopped");
    try {
      recording->graph->capture_begin(memory_, cudaStreamCaptureModeThreadLocal);
      submit();
      recording->graph->capture_end();
      return recording;
    } catch (...) {
      abandon(recording.release());
      throw;
    }
  }

 private:
  /// Ends a capture that failed, so that LibTorch's memory is as before. The graph is never
  /// destroyed, which is not possible in every state of it.
  void abandon(CudaRecording* failed) const {
    const auto attempt = [](const auto& action) {
      try {
        action();
      } catch (const std::exception&) {  // the first error says more
      }
    };
    attempt([&] { failed->graph->capture_end(); });
    attempt([&] {
      c10::cuda::CUDACachingAllocator::endAllocateToPool(stream_.device_index(), memory_);
    });
  }

  c10::Stream stream_;
  at::cuda::MempoolId_t memory_;
  std::unique_ptr<RecordedOperations> first_;
  at::Tensor first_result_;
};

/// Those that nobody uses, the last returned at the end. Never destroyed: at the program's end CUDA
/// is gone before it.
struct Unused {
  std::mutex mutex;
  std::vector<std::unique_ptr<CudaRecorder>> recorders;
};
Unused& unused() {
  static auto* const all = new Unused;
  return *all;
}

/// The last returned one, which is the same thread's where each returns one before it takes one:
/// LibTorch keeps memory for every pair of a thread and a stream.
std::unique_ptr<CudaRecorder> unused_recorder(at::Device device) {
  const std::scoped_lock lock(unused().mutex);
  auto& all = unused().recorders;
  for (auto at = all.rbegin(); at != all.rend(); ++at)
    if ((*at)->stream().device() == device) {
      auto taken = std::move(*at);
      all.erase(std::next(at).base());
      return taken;
    }
  return nullptr;
}

#endif

}  // namespace

std::shared_ptr<StreamRecorder> take_stream_recorder(at::Device device) {
  if (!device.is_cuda() || stopped) return nullptr;
#ifdef FAULTLINE_CUDA_GRAPHS
  try {
    auto recorder = unused_recorder(device);
    if (recorder == nullptr) recorder = std::make_unique<CudaRecorder>(device);
    return {recorder.release(), [](CudaRecorder* done) {
              std::unique_ptr<CudaRecorder> owned(done);
              const std::scoped_lock lock(unused().mutex);
              unused().recorders.push_back(std::move(owned));
            }};
  } catch (const c10::Error& e) {
    stop_recording(e.what_without_backtrace());
  }
#endif
  return nullptr;
}

void stop_recording(const char* why) {
  if (!stopped.exchange(true))
    TORCH_WARN("faultline: batches are submitted to the GPU operation by operation: ", why);
}

bool recording_stopped() {
  return stopped;
}

bool has_stream_recording() {
#ifdef FAULTLINE_CUDA_GRAPHS
  return true;
#else
  return false;
#endif
}

std::uint64_t replay_count() {
  return replays;
}

}  // namespace faultline
